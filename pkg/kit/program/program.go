// Package program is what the commands of services have in common: flags, signals and the exit code.
package program

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // the shop's zone, also where the machine knows none
)

// Program is a service's command; C is its configuration.
type Program[C any] struct {
	// Name goes before what the program complains about.
	Name string
	// Config is the usual configuration file, Prefix begins the environment variables that override it.
	Config, Prefix string
	// Load reads the configuration.
	Load func(file string) (C, error)
	// Describe writes the API document; it needs no configuration.
	Describe func(io.Writer) error
	// Run serves until its context ends.
	Run func(context.Context, C) error
}

// Main runs the program and ends the process: 0 after an orderly end, 1 after a failure, 2 for flags it does not know.
func (p Program[C]) Main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := p.start(ctx, os.Args[1:], os.Stdout)
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp), err == nil:
	case errors.Is(err, errFlags):
		os.Exit(2)
	default:
		fmt.Fprintf(os.Stderr, "%s: %v\n", p.Name, err)
		os.Exit(1)
	}
}

var errFlags = errors.New("flags")

func (p Program[C]) start(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet(p.Name, flag.ContinueOnError)
	file := flags.String("config", p.Config, "configuration `file`; variables "+p.Prefix+"_... override it")
	check := flags.Bool("check-config", false, "say what is wrong with the configuration, and start nothing")
	describe := flags.Bool("openapi", false, "print the API document, and start nothing")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return errFlags // the flag set has said what is wrong
	}
	if *describe {
		return p.Describe(out)
	}
	c, err := p.Load(*file)
	if err != nil {
		return err
	}
	if *check {
		_, err := fmt.Fprintln(out, "the configuration is good")
		return err
	}
	if err := p.Run(ctx, c); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}
