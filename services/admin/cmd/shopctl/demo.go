package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"shop.internal/pkg/domain/runtime/audit"
	content "shop.internal/services/admin/internal/demo"
)

var errNoDemo = errors.New("demo is not true in the configuration: accounts with a published password belong into no " +
	"other shop")

var errDemoAbroad = errors.New("the demo shop is one in China, with mobile numbers and addresses there; shop.country " +
	"is another country")

func demo(p *program) *cobra.Command {
	var goods, orders int64
	c := &cobra.Command{
		Use:   "demo",
		Short: "Load the demo shop into an empty database",
		Long: "Loads the demo shop: goods with pictures, categories, coupons, regions, shoppers demo1 to demo200 and the " +
			"operators super, goods and clerk. If it exists already, nothing changes; an earlier run that was " +
			"interrupted is completed. --goods and --orders create a large shop for measurements: goods and orders are " +
			"added until there are that many.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.with(c, func(ctx context.Context, s shop) error {
				out := c.OutOrStdout()
				if err := recordedDemo(ctx, audit.With(ctx, p.call(c, "admin")), s, out); err != nil {
					return err
				}
				if goods > 0 {
					if err := s.Seed.MoreGoods(ctx, goods, counted(out, "goods")); err != nil {
						return err
					}
				}
				if orders > 0 {
					return s.Seed.MoreOrders(ctx, orders, content.LongHistory, counted(out, "orders"))
				}
				return nil
			})
		},
	}
	c.Flags().Int64Var(&goods, "goods", 0, "add goods until there are so many")
	c.Flags().Int64Var(&orders, "orders", 0, "add orders until there are so many")
	c.AddCommand(demoRemove(p))
	return c
}

// recordedDemo is loadDemo with one audit record, since it creates operators with published passwords.
func recordedDemo(ctx, recorded context.Context, s shop, out io.Writer) error {
	if err := loadDemo(ctx, s, out); err != nil {
		return err
	}
	return s.Audit.Act(recorded, audit.Change{After: map[string]any{"demo": true}})
}

// loadDemo loads the demo shop if the configuration allows it.
func loadDemo(ctx context.Context, s shop, out io.Writer) error {
	if !s.config.Demo {
		return errNoDemo
	}
	if !s.config.Shop.Place().IsChina() {
		return errDemoAbroad
	}
	return content.Load(ctx, s.Domain, s.config.PictureBase(), func(line string) { fmt.Fprintln(out, line) })
}

func demoRemove(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "remove",
		Short: "Disable the accounts of the demo shop",
		Long: "Disables the shoppers and operators of the demo shop that still have its published password, and ends their " +
			"sessions. Their orders and changes stay. Until then a shop that was a demo starts only with demo: true.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.acting(c, "admin", func(ctx context.Context, s shop) error {
				gone, err := s.RemoveDemoAccounts(ctx)
				if err != nil {
					return err
				}
				out := c.OutOrStdout()
				if gone.None() {
					fmt.Fprintln(out, "no account of the demo shop is open")
					return nil
				}
				fmt.Fprintf(out, "disabled %d shoppers and %d operators of the demo shop; their sessions are over\n",
					len(gone.Shoppers), len(gone.Operators))
				return nil
			})
		},
	}
}

// counted prints the progress of a long operation, a line for each percent.
func counted(out io.Writer, what string) func(done, of int64) {
	shown := int64(-1)
	return func(done, of int64) {
		if part := done * 100 / of; part != shown {
			shown = part
			fmt.Fprintf(out, "%s: %d of %d\n", what, done, of)
		}
	}
}
