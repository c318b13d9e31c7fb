package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
)

func migrate(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "migrate",
		Short: "Bring the database up to this release",
		Long: "Applies the steps that the database lacks, one after the other, and prints each. Any number may run at " +
			"once: one works, the others wait. Running it again does nothing.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.opened(c, patient, func(ctx context.Context, s shop) error {
				applied := 0
				err := s.Migrate(ctx, func(step string) {
					applied++
					fmt.Fprintln(c.OutOrStdout(), "applied", step)
				})
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(c.OutOrStdout(), "the database is up to date; %d steps applied\n", applied)
				return err
			})
		},
	}
}
