package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/user"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/audit"
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

// with opens the shop for one command and closes it afterwards. What the areas log goes to the error output, so that a
// command's own output can be read by programs.
func (p *program) with(c *cobra.Command, do func(context.Context, shop) error) error {
	return p.opened(c, func(*app.Config) {}, func(ctx context.Context, s shop) error {
		if err := s.CheckSchema(ctx); err != nil {
			return err
		}
		return do(ctx, s)
	})
}

// acting is with for a command that changes something: what it changes is recorded as this command's, run by this
// person on this machine.
func (p *program) acting(c *cobra.Command, target string, do func(context.Context, shop) error) error {
	return p.with(c, func(ctx context.Context, s shop) error {
		return do(audit.With(ctx, p.call(c, target)), s)
	})
}

// call is the run of a command as its records name it.
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

// opened is with for a database of any age, under a configuration that the command may adapt.
func (p *program) opened(c *cobra.Command, adapt func(*app.Config), do func(context.Context, shop) error) (err error) {
	cfg, err := app.LoadConfig(p.file)
	if err != nil {
		return err
	}
	adapt(&cfg)
	log := logging.New(c.ErrOrStderr(), slog.LevelInfo)
	d, err := app.OpenDomain(cfg, p.now, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return do(c.Context(), shop{Domain: d, config: cfg, log: log})
}

// patient lets every statement take an hour: a step over a large table answers when it is done.
func patient(c *app.Config) {
	separator := "?"
	if strings.Contains(c.MySQL.DSN[strings.LastIndexByte(c.MySQL.DSN, '/')+1:], "?") {
		separator = "&"
	}
	c.MySQL.DSN += separator + "readTimeout=1h&writeTimeout=1h"
}

// group returns a command that only holds others. Naming none of them shows which there are, a wrong one fails.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: short, Args: cobra.NoArgs, RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(commands...)
	return c
}
