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
	var noted string
	var told bool
	c := &cobra.Command{
		Use:   "verify",
		Short: "Check the books and report every row that disagrees",
		Long: "Compares every table with the others: references with their rows, states with their histories, amounts " +
			"with their parts, counters with their rows, effects with their causes, and the audit records with their seals. " +
			"Prints nothing and exits with 0 if they agree, else a line for each disagreement and exits with 1.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			var head audit.Head
			if noted != "" {
				var err error
				if head, err = audit.ParseHead(noted); err != nil {
					return err
				}
			}
			return p.with(c, func(ctx context.Context, s shop) error {
				found := 0
				err := s.Report.Verify(ctx, func(d report.Disagreement) error {
					found++
					_, err := fmt.Fprintln(c.OutOrStdout(), d)
					return err
				}, progress(c.ErrOrStderr(), told))
				if err != nil {
					return err
				}
				holds, err := s.Audit.Holds(ctx, head)
				if err != nil {
					return err
				}
				if !holds {
					found++
					fmt.Fprintf(c.OutOrStdout(), "audit_log: no record has the seal %s any more\n", head)
				}
				if found > 0 {
					return errDisagree
				}
				return nil
			})
		},
	}
	c.Flags().BoolVar(&told, "progress", false, "tell on the error output how far it is")
	c.Flags().StringVar(&noted, "audit-head", "", "a seal that `shopctl audit head` printed; the chain must still have it")
	return c
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
