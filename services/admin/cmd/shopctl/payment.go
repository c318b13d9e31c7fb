package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/runtime/audit"
)

func payments(p *program) *cobra.Command {
	return group("payment", "Look after payments at the platform", paymentAsk(p))
}

func paymentAsk(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "ask",
		Short: "Ask the payment platform about every unpaid order",
		Long: "Records the payments that the platform has made for unpaid orders, and prints the number of each such " +
			"order. It is for a restored database, before the services start: a payment made after the backup has sent its " +
			"notification to the database that is lost, and an order whose time is over would be closed and refunded. It " +
			"may run at any time, and again if it fails.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.acting(c, "payment", func(ctx context.Context, s shop) error {
				checked, paid, failed := 0, 0, 0
				err := s.Orders.ReconcilePayments(ctx, func(a order.Reconciled) {
					checked++
					switch {
					case a.Err != nil:
						failed++
						fmt.Fprintln(c.ErrOrStderr(), a.Err)
					case a.Paid:
						paid++
						fmt.Fprintf(c.OutOrStdout(), "%s is paid\n", a.SN)
					}
				})
				fmt.Fprintf(c.OutOrStdout(), "checked %d unpaid orders: %d are paid\n", checked, paid)
				if err == nil && failed > 0 {
					err = fmt.Errorf("%d orders have no answer: ask again", failed)
				}
				if paid == 0 {
					return err
				}
				recorded := s.Audit.Conclude(ctx, audit.Change{After: map[string]any{"asked": checked, "paid": paid}})
				if err == nil {
					err = recorded
				}
				return err
			})
		},
	}
}
