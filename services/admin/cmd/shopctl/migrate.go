package main

import (
	"context"

	"github.com/spf13/cobra"

	"shop.internal/pkg/domain/runtime/audit"
)

func migrate(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "migrate",
		Short: "Upgrade the schema and the settings to this release, as setup does too",
		Long: "Applies the missing migrations in order and prints each. Any number may run concurrently: one works, the " +
			"others wait. Running it again does nothing.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.opened(c, patient, func(ctx context.Context, s shop) error {
				return bringUp(audit.With(ctx, p.call(c, "schema_migration")), s, c.OutOrStdout())
			})
		},
	}
}
