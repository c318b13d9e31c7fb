package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/user"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/deployment"
	"shop.internal/pkg/domain/storage/s3"
	"shop.internal/pkg/kit/logging"
	"shop.internal/services/admin/internal/app"
)

// program is what all commands share.
type program struct {
	file string
	now  func() time.Time
}

// shop is the opened shop with the configuration that describes it.
type shop struct {
	*domain.Domain
	config app.Config
	log    *slog.Logger
}

// with opens the shop for one command and closes it afterwards. Logs go to standard error, so that programs can read
// the command's output.
func (p *program) with(c *cobra.Command, do func(context.Context, shop) error) error {
	return p.opened(c, func(*app.Config) {}, func(ctx context.Context, s shop) error {
		if err := s.CheckSchema(ctx); err != nil {
			return err
		}
		return do(ctx, s)
	})
}

// acting is with for a command that changes something: its changes are recorded under this command, the person and the
// machine.
func (p *program) acting(c *cobra.Command, target string, do func(context.Context, shop) error) error {
	return p.with(c, func(ctx context.Context, s shop) error {
		return do(audit.With(ctx, p.call(c, target)), s)
	})
}

// call is the command as its audit records name it.
func (p *program) call(c *cobra.Command, target string) audit.Call {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	name := "unknown"
	if who, err := user.Current(); err == nil {
		name = who.Username
	}
	return audit.Call{
		Name: "shopctl:" + name, Address: host, Operation: c.CommandPath(), Target: target, At: p.now(),
	}
}

// opened is with for a database of any release, with a configuration that the command may adapt.
func (p *program) opened(c *cobra.Command, adapt func(*app.Config), do func(context.Context, shop) error) (err error) {
	cfg, err := app.LoadConfig(p.file)
	if err != nil {
		return err
	}
	adapt(&cfg)
	cfg.MySQL.Slow = 0 // what a command asks may take its time, and prints nothing if all is well
	log := logging.New(c.ErrOrStderr(), slog.LevelInfo)
	d, err := app.OpenDomain(cfg, deployment.Surroundings{Now: p.now, Log: log}, s3.Open)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return do(c.Context(), shop{Domain: d, config: cfg, log: log})
}

// patient sets the timeout of statements to an hour, for migrations of large tables.
func patient(c *app.Config) {
	separator := "?"
	if strings.Contains(c.MySQL.DSN[strings.LastIndexByte(c.MySQL.DSN, '/')+1:], "?") {
		separator = "&"
	}
	c.MySQL.DSN += separator + "readTimeout=1h&writeTimeout=1h"
}

// aligned prints rows in columns under a header. The cells of a line are separated by tabs.
func aligned[T any](c *cobra.Command, header string, rows []T, line func(T) string) error {
	w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, header)
	for _, r := range rows {
		fmt.Fprintln(w, line(r))
	}
	return w.Flush()
}

// group returns a command with subcommands. Without one it lists them; an unknown one fails.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: short, Args: cobra.NoArgs, RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(commands...)
	return c
}
