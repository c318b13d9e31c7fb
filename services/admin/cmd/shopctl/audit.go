package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"shop.internal/pkg/domain/runtime/audit"
)

func records(p *program) *cobra.Command {
	return group("audit", "Look at the records of what operators changed", recordsHead(p), recordsList(p))
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
