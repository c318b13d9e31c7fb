package main

import (
	"io"

	"github.com/spf13/cobra"

	"shop.internal/pkg/domain/aftersale"
	domain "shop.internal/pkg/domain/app"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/promotion"
	events "shop.internal/pkg/domain/runtime/outbox"
	"shop.internal/pkg/kit/openapi"
	"shop.internal/services/admin/internal/app"
	"shop.internal/services/admin/internal/authz"
	"shop.internal/services/admin/internal/console"
)

// docs prints the generated pages of the documentation.
func docs() *cobra.Command {
	return group("docs", "Print a page of the documentation that follows from the code",
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
				return authz.Write(c.OutOrStdout(), specs)
			},
		},
		&cobra.Command{
			Use: "console", Short: "The module of the staff console", Args: cobra.NoArgs,
			RunE: func(c *cobra.Command, _ []string) error {
				specs, err := app.Specs()
				if err != nil {
					return err
				}
				return console.Write(c.OutOrStdout(), specs)
			},
		},
		&cobra.Command{
			Use: "jobs", Short: "The scheduled jobs", Args: cobra.NoArgs,
			RunE: func(c *cobra.Command, _ []string) error { return domain.WriteJobs(c.OutOrStdout()) },
		},
		&cobra.Command{
			Use: "order-life", Short: "The state machines of orders and related records", Args: cobra.NoArgs,
			RunE: func(c *cobra.Command, _ []string) error { return writeLives(c.OutOrStdout()) },
		},
	)
}

// writeLives writes the state machines of orders and related records.
func writeLives(w io.Writer) error {
	if err := order.WriteLife(w); err != nil {
		return err
	}
	for _, section := range []func(io.Writer) error{
		payment.WriteLife, payment.WriteRefundLife, promotion.WriteMemberLife, aftersale.WriteLife,
		promotion.WriteUserCouponLife, events.WriteLife,
	} {
		if _, err := io.WriteString(w, "\n"); err != nil {
			return err
		}
		if err := section(w); err != nil {
			return err
		}
	}
	return nil
}
