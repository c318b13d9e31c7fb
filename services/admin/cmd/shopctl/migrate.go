package main

import (
	"context"

	"github.com/spf13/cobra"

	"shop.internal/pkg/domain/audit"
)

func migrate(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "migrate",
		Short: "Bring the schema and the settings up to this release, which setup does too",
		Long: "Applies the steps that the database lacks, one after the other, and prints each. Any number may run at " +
			"once: one works, the others wait. Running it again does nothing.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.opened(c, patient, func(ctx context.Context, s shop) error {
				return bringUp(audit.With(ctx, p.call(c, "schema_migration")), s, c.OutOrStdout())
			})
		},
	}
}
