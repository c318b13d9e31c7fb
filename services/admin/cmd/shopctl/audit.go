package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/audit"
)

func records(p *program) *cobra.Command {
	return group("audit", "Look at the records of what operators changed", recordsHead(p), recordsList(p),
		recordsAccept(p))
}

func recordsHead(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "head",
		Short: "Print the newest seal",
		Long: "Prints the newest seal of the audit chain. Stored where nobody with access to the database can change it, " +
			"and passed to `shopctl verify --audit-head` later, it proves every record up to this one.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.with(c, func(ctx context.Context, s shop) error {
				h, err := s.Audit.Head(ctx)
				if err != nil {
					return err
				}
				if h.Number == 0 {
					return errors.New("nothing is sealed yet")
				}
				fmt.Fprintln(c.OutOrStdout(), h)
				return nil
			})
		},
	}
}

func recordsAccept(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "accept",
		Short: "Accept that audit records were lost by a restore",
		Long: "A database that was restored to an earlier moment lacks audit records that a head in the object store " +
			"proves, which `shopctl verify` reports each time; files that were restored do not confirm what was purged since. " +
			"This command shows what is lost, asks, records in the chain who accepted the loss, and stores a new head, which " +
			"later verifications compare. It refuses if other audit records were altered or removed: no restore causes that.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.acting(c, "audit_log", func(ctx context.Context, s shop) error { return acceptLoss(ctx, c, s) })
		},
	}
}

func acceptLoss(ctx context.Context, c *cobra.Command, s shop) error {
	lost, some, err := s.LostRecords(ctx)
	if err != nil {
		return err
	}
	if !some {
		_, err := fmt.Fprintln(c.OutOrStdout(), "nothing to accept: the database agrees with the object store")
		return err
	}
	fmt.Fprintf(c.OutOrStdout(), lossShown, lossOf(lost), lost.Kept.Number)
	answer, err := readLine(c)
	if err != nil {
		return err
	}
	if answer != strconv.FormatInt(lost.Kept.Number, 10) {
		return errors.New("not accepted: nothing was changed")
	}
	switch err := s.AcceptLoss(ctx, lost.Kept); {
	case errors.Is(err, audit.ErrBroken):
		return fmt.Errorf("%w, which no restore causes: `shopctl verify` names them; nothing was changed", err)
	case err != nil:
		return err
	}
	_, err = fmt.Fprintln(c.OutOrStdout(), "accepted, recorded, and a new head is in the object store")
	return err
}

// lossOf says what was lost.
func lossOf(l domain.LostRecords) string {
	here := fmt.Sprintf("This database has another record %d, or none.", l.Kept.Number)
	switch {
	case l.Common == l.Kept:
		here = "This database has it."
	case l.Chain.Number == 0:
		here = "This database has no sealed audit record."
	case l.Chain.Number < l.Kept.Number:
		here = fmt.Sprintf("This database ends at record %d: those after it are lost.", l.Chain.Number)
	}
	common := fmt.Sprintf("Up to record %d it agrees with the heads in the object store.", l.Common.Number)
	if l.Common.Number == 0 {
		common = "It agrees with none of the heads in the object store."
	}
	kept := fmt.Sprintf("The newest head in the object store is that of audit record %d.", l.Kept.Number)
	said := kept + "\n" + here + "\n" + common
	if l.Confirmed != l.Purged {
		said += fmt.Sprintf("\nIn this database the records up to %d are purged, by the object store those up to %d.",
			l.Purged, l.Confirmed)
	}
	return said
}

// lossShown is shown before a loss is accepted.
const lossShown = `%s
Accept this only on the database that the shop goes on with, whose object store
gets the new head, and only if you have restored the database or the object store
to an earlier moment, which has lost what else was stored since then, or if the
release before has purged records since the last check of this one. Otherwise
audit records were removed or replaced.

Type %d to accept the loss: `

func recordsList(p *program) *cobra.Command {
	var f audit.Filter
	c := &cobra.Command{
		Use:   "list",
		Short: "List audit records, newest first",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if f.Limit < 1 || f.Limit > audit.MaxRecords {
				return fmt.Errorf("--limit is between 1 and %d", audit.MaxRecords)
			}
			if f.Row != 0 && f.Table == "" {
				return errors.New("--row needs --table")
			}
			return p.with(c, func(ctx context.Context, s shop) error {
				found, err := s.Audit.Find(ctx, f)
				if err != nil {
					return err
				}
				const header = "ID\tTIME (UTC)\tOPERATOR\tADDRESS\tOPERATION\tROW\tBEFORE\tAFTER"
				if len(found) == 0 && f.Operator != "" {
					return fmt.Errorf("no record is of an operator named %q", f.Operator)
				}
				return aligned(c, header, found, func(r audit.Stored) string {
					return fmt.Sprintf("%d\t%s\t%s\t%s\t%s\t%s %d\t%s\t%s", r.ID, r.At.UTC().Format(time.DateTime), r.Operator,
						r.Address, r.Operation, r.Table, r.Row, r.Before, r.After)
				})
			})
		},
	}
	c.Flags().StringVar(&f.Operator, "operator", "", "only those of this username at that time")
	c.Flags().StringVar(&f.Table, "table", "", "only those of rows of this table, such as orders")
	c.Flags().Int64Var(&f.Row, "row", 0, "only those of the row of this id")
	c.Flags().IntVar(&f.Limit, "limit", 20, "the most records")
	return c
}
