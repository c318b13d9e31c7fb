package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"shop.internal/pkg/domain/audit"
	content "shop.internal/services/admin/internal/demo"
)

var errNoDemo = errors.New("demo is not true in the configuration: accounts with a published password belong into no " +
	"other shop")

var errNoBase = errors.New("storage.base-url is empty: set it to the storefront's address of pictures, " +
	"such as http://127.0.0.1:8080/wx/storage/fetch/")

func demo(p *program) *cobra.Command {
	var goods, orders int64
	c := &cobra.Command{
		Use:   "demo",
		Short: "Load the demo shop into an empty database",
		Long: "Loads the demo shop: goods with pictures, categories, coupons, regions, shoppers demo1 to demo200 and the " +
			"operators super, goods and clerk. Where it is there already, nothing is changed; where an earlier run was " +
			"interrupted, it is completed. With --goods and --orders a large shop is made for measuring: goods and orders " +
			"are added until there are so many.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.with(c, func(ctx context.Context, s shop) error {
				switch {
				case !s.config.Demo:
					return errNoDemo
				case s.config.Storage.BaseURL == "":
					return errNoBase
				}
				out := c.OutOrStdout()
				say := func(line string) { fmt.Fprintln(out, line) }
				if err := content.Load(ctx, s.Domain, s.config.Storage.BaseURL, say); err != nil {
					return err
				}
				// One record for all: it made operators whose passwords everybody knows.
				err := s.Audit.Act(audit.With(ctx, p.call(c, "admin")), audit.Change{After: map[string]any{"demo": true}})
				if err != nil {
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
	return c
}

// counted prints the progress of a long work, a line for each hundredth of it.
func counted(out io.Writer, what string) func(done, of int64) {
	shown := int64(-1)
	return func(done, of int64) {
		if part := done * 100 / of; part != shown {
			shown = part
			fmt.Fprintf(out, "%s: %d of %d\n", what, done, of)
		}
	}
}
