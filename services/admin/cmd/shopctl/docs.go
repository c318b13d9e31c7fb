package main

import (
	"github.com/spf13/cobra"

	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/openapi"
	"shop.internal/services/admin/internal/app"
)

// docs prints the pages of the documentation that follow from the code.
func docs() *cobra.Command {
	c := &cobra.Command{Use: "docs", Short: "Print a page of the documentation that follows from the code"}
	c.AddCommand(
		&cobra.Command{
			Use: "errors", Short: "The error numbers", Args: cobra.NoArgs,
			RunE: func(c *cobra.Command, _ []string) error { return openapi.WriteErrors(c.OutOrStdout()) },
		},
		&cobra.Command{
			Use: "permissions", Short: "The permissions of operators", Args: cobra.NoArgs,
			RunE: func(c *cobra.Command, _ []string) error {
				specs, err := app.Specs()
				if err != nil {
					return err
				}
				return openapi.WritePermissions(c.OutOrStdout(), specs)
			},
		},
		&cobra.Command{
			Use: "order-life", Short: "The life of an order", Args: cobra.NoArgs,
			RunE: func(c *cobra.Command, _ []string) error { return order.WriteLife(c.OutOrStdout()) },
		},
	)
	return c
}
