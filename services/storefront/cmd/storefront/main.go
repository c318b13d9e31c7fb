// Command storefront serves the shop to shoppers.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"shop.internal/services/storefront/internal/app"
)

func main() {
	file := flag.String("config", "deploy/storefront/config.yaml",
		"configuration `file`; variables STOREFRONT_... override it")
	check := flag.Bool("check-config", false, "say what is wrong with the configuration, and start nothing")
	describe := flag.Bool("openapi", false, "print the API document, and start nothing")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := start(ctx, *file, *check, *describe)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "storefront:", err)
		os.Exit(1)
	}
}

func start(ctx context.Context, file string, check, describe bool) error {
	if describe {
		return app.Describe(os.Stdout)
	}
	c, err := app.LoadConfig(file)
	if err != nil {
		return err
	}
	if check {
		_, err := fmt.Println("the configuration is good")
		return err
	}
	if err := app.Run(ctx, c, app.World{Now: now, Clock: time.Now, Out: os.Stdout}); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// now is the program's clock: UTC, cut to what a column holds.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }
