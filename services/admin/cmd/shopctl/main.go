// Command shopctl is the command line of the shop: it sets up a shop, manages operators, explains permissions, loads a
// demo shop, checks the books, runs the scheduled jobs, retries dead letters, and tries freight templates. It reads the
// configuration of the admin service.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"shop.internal/pkg/kit/config"
	kit "shop.internal/pkg/kit/program"
	"shop.internal/services/admin/internal/app"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	c := root(&program{now: now})
	c.SetArgs(arguments(os.Args[1:]))
	err := c.ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "shopctl:", err)
		os.Exit(exitCode(err))
	}
}

// exitCode distinguishes a negative answer from a failure.
func exitCode(err error) int {
	const no = 3
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errNotGranted):
		return no
	}
	return 1
}

// now is the program's clock: UTC, truncated to the precision of the columns.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

// arguments accepts -version as the services do.
func arguments(args []string) []string {
	if len(args) == 1 && args[0] == "-version" {
		return []string{"--version"}
	}
	return args
}

func root(p *program) *cobra.Command {
	c := &cobra.Command{
		Use:           "shopctl",
		Short:         "Operate a shop",
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       kit.About(),
	}
	c.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	c.PersistentFlags().StringVar(&p.file, "config", config.File(app.Prefix, "deploy/admin/config.yaml"),
		"configuration of the admin service; variables ADMIN_... override it. Without this flag ADMIN_CONFIG names it")
	c.AddCommand(setup(p), migrate(p), admin(p), accessTo(p), demo(p), verify(p), jobs(p), outbox(p), records(p),
		message(p), payments(p), freights(p), docs())
	return c
}
