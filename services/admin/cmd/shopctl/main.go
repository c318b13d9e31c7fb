// Command shopctl is the command line of the shop: it applies migrations, makes operators, tells who may do what, fills
// a demo shop, compares the books, runs the scheduled work, and looks after side effects that were given up. It reads
// the configuration of the admin service.
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
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := root(&program{now: now}).ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "shopctl:", err)
		os.Exit(exitCode(err))
	}
}

// exitCode tells a plain no from a failure.
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

// now is the program's clock: UTC, cut to what a column holds.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

func root(p *program) *cobra.Command {
	c := &cobra.Command{
		Use:           "shopctl",
		Short:         "Look after a shop",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	c.PersistentFlags().StringVar(&p.file, "config", "deploy/admin/config.yaml",
		"configuration of the admin service; variables ADMIN_... override it")
	c.AddCommand(migrate(p), admin(p), accessTo(p), demo(p), verify(p), jobs(p), outbox(p), records(p), message(p), docs())
	return c
}
