package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/audit"
)

// setting are the options of a setup.
type setting struct {
	operator            string
	fromInput, withDemo bool
}

func setup(p *program) *cobra.Command {
	var w setting
	c := &cobra.Command{
		Use:   "setup",
		Short: "Set up an empty database, or upgrade a shop to this release",
		Long: "Upgrades the schema, the settings and the regions to this release, and creates the first operator if there " +
			"is none; with --demo it loads the demo shop, which has operators of its own. It reports each step and keeps " +
			"existing data, so it may run again at any time, also concurrently. Run it before starting a new release.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.opened(c, patient, func(ctx context.Context, s shop) error { return w.run(ctx, p, c, s) })
		},
	}
	c.Flags().StringVar(&w.operator, "operator", access.FirstName, "login name of the first operator")
	c.Flags().BoolVar(&w.fromInput, "password-stdin", false, passwordHelp)
	c.Flags().BoolVar(&w.withDemo, "demo", false, "load the demo shop too")
	return c
}

func (w setting) run(ctx context.Context, p *program, c *cobra.Command, s shop) error {
	out := c.OutOrStdout()
	if w.withDemo && !s.config.Demo {
		return errNoDemo
	}
	if err := bringUp(audit.With(ctx, p.call(c, "schema_migration")), s, out); err != nil {
		return err
	}
	if err := loadRegions(audit.With(ctx, p.call(c, "region")), s, out); err != nil {
		return err
	}
	recorded := audit.With(ctx, p.call(c, "admin"))
	if w.withDemo {
		return recordedDemo(ctx, recorded, s, out)
	}
	return w.firstOperator(recorded, c, s)
}

// bringUp applies the migrations and inserts missing settings.
func bringUp(ctx context.Context, s shop, out io.Writer) error {
	applied := 0
	err := s.Migrate(ctx, func(step string) {
		applied++
		fmt.Fprintln(out, "applied", step)
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "the database is up to date; %d steps applied\n", applied)
	fmt.Fprintln(out, "settings: every one has a value")
	return nil
}

func loadRegions(ctx context.Context, s shop, out io.Writer) error {
	done, err := s.LoadRegions(ctx)
	if done.Total() > 0 {
		err = errors.Join(err, s.Audit.Conclude(ctx, audit.Change{After: map[string]int{
			"added": done.Added, "changed": done.Renamed, "retired": done.Retired,
		}}))
	}
	if err != nil {
		return err
	}
	if done.Total() == 0 {
		fmt.Fprintln(out, "regions: up to date")
	} else {
		fmt.Fprintf(out, "regions: %d added, %d changed, %d retired\n", done.Added, done.Renamed, done.Retired)
	}
	return nil
}

// firstOperator creates an operator if there is none.
func (w setting) firstOperator(ctx context.Context, c *cobra.Command, s shop) error {
	out := c.OutOrStdout()
	some, err := s.Access.Any(ctx)
	if err != nil {
		return err
	}
	if some {
		fmt.Fprintln(out, "operators: there are some; `shopctl admin create NAME` makes another")
		return nil
	}
	password := rand.Text()
	if w.fromInput {
		if password, err = readLine(c); err != nil {
			return err
		}
	}
	if _, err := s.Access.Create(ctx, w.operator, password); err != nil {
		return explained(err, w.operator)
	}
	fmt.Fprintf(out, "operators: %s was made and may do everything\n", w.operator)
	if !w.fromInput {
		fmt.Fprintf(out, "password: %s\nIt is not shown again.\n", password)
	}
	return nil
}
