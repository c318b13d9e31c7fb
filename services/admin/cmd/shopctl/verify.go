package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/report"
)

func verify(p *program) *cobra.Command {
	v := verification{program: p}
	c := &cobra.Command{
		Use:   "verify",
		Short: "Check the books and report every row that disagrees",
		Long: "Compares every table with the others: references with their rows, states with their histories, amounts " +
			"with their parts, counters with their rows, effects with their causes, rows with their audit records, and " +
			"those with their seals. Prints nothing and exits with 0 if they agree, else a line for each disagreement and " +
			"exits with 1. --repair also says what a repair would change: counters, copies, search terms and statistics, " +
			"which follow from other rows; money, stock and states are never repaired. --apply makes these changes, each " +
			"with an audit record.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if v.apply && !v.repair {
				return errors.New("--apply needs --repair: look at its plan first")
			}
			var head audit.Head
			if v.noted != "" {
				var err error
				if head, err = audit.ParseHead(v.noted); err != nil {
					return err
				}
			}
			return p.acting(c, "", func(ctx context.Context, s shop) error { return v.run(ctx, c, s, head) })
		},
	}
	c.Flags().BoolVar(&v.told, "progress", false, "tell on the error output how far it is")
	c.Flags().StringVar(&v.noted, "audit-head", "",
		"a seal that `shopctl audit head` printed; the chain must still have it")
	c.Flags().BoolVar(&v.repair, "repair", false, "say what a repair would change")
	c.Flags().BoolVar(&v.apply, "apply", false, "with --repair: change it")
	return c
}

// verification is a run of verify.
type verification struct {
	*program
	noted               string
	told, repair, apply bool
	// left is the number of disagreements that remain.
	left int
}

func (v *verification) run(ctx context.Context, c *cobra.Command, s shop, head audit.Head) error {
	found := func(d report.Disagreement) error { return v.found(ctx, c.OutOrStdout(), s, d) }
	if err := s.Report.Verify(ctx, found, progress(c.ErrOrStderr(), v.told)); err != nil {
		return err
	}
	holds, err := s.Audit.Holds(ctx, head)
	if err != nil {
		return err
	}
	if !holds {
		v.left++
		fmt.Fprintf(c.OutOrStdout(), "audit_log: no record has the seal %s any more\n", head)
	}
	if v.left > 0 {
		if _, lost, err := s.LostRecords(ctx); err == nil && lost {
			fmt.Fprintln(c.ErrOrStderr(), lostHead)
		}
		return errDisagree
	}
	now, err := s.Audit.Head(ctx)
	if err != nil || now.Number == 0 {
		return err
	}
	kept, err := s.HeadKept(ctx)
	if err == nil && !kept {
		fmt.Fprintln(c.ErrOrStderr(), noHead)
	}
	return err
}

// noHead is printed where nothing outside the database could contradict it.
const noHead = "Note: no head of the audit records is in the object store yet, so nothing could show that all of " +
	"them were replaced. The nightly check of admin writes one."

// lostHead is printed where the database and the object store disagree about the audit records.
const lostHead = "Note: if the database or the object store was restored to an earlier moment, `shopctl audit " +
	"accept` accepts what is lost of the audit records."

// found prints a disagreement, and what a repair does about it.
func (v *verification) found(ctx context.Context, w io.Writer, s shop, d report.Disagreement) error {
	does, settled := "", false
	switch {
	case !v.repair:
	case !d.Repairable():
		does = " (no repair: find the cause)"
	case !v.apply:
		does = " (a repair sets it)"
	default:
		done, err := s.Report.Repair(ctx, d)
		if err != nil {
			return err
		}
		if does, settled = " (agrees by now)", true; done {
			does = " (repaired)"
		}
	}
	if !settled {
		v.left++
	}
	_, err := fmt.Fprintln(w, d.String()+does)
	return err
}

// progress tells on one line which table is read and how far, if wanted.
func progress(w io.Writer, wanted bool) report.Progress {
	if !wanted {
		return nil
	}
	return func(table string, done, of int, key int64) {
		fmt.Fprintf(w, "\r%d of %d: %-24s %12d", done+1, of, table, key)
		if done+1 == of {
			fmt.Fprintln(w)
		}
	}
}

var errDisagree = errors.New("the books disagree")
