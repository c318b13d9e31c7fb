package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"shop.internal/pkg/domain/report"
)

func verify(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "verify",
		Short: "Compare the books and name every row that disagrees",
		Long: "Compares stock with its ledger, orders with their lines, coupons with the orders that used them, and " +
			"payments with states. Prints nothing and exits 0 when they agree, else a line for each disagreement and 1.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.with(c, func(ctx context.Context, s shop) error {
				found := 0
				err := s.Report.Verify(ctx, func(d report.Disagreement) error {
					found++
					_, err := fmt.Fprintln(c.OutOrStdout(), d)
					return err
				})
				if err != nil {
					return err
				}
				if found > 0 {
					return errDisagree
				}
				return nil
			})
		},
	}
}

var errDisagree = errors.New("the books disagree")
