// Package program implements the commands of services: flags, signals and the exit code.
package program

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"
	_ "time/tzdata" // time zones for machines without a database of their own

	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/kit/config"
)

// Program is a service's command; C is its configuration.
type Program[C any] struct {
	// Name precedes error messages.
	Name string
	// Config is the shipped configuration file for config.File, Prefix the prefix of the environment variables that
	// override it.
	Config, Prefix string
	// Load reads the configuration.
	Load func(file string) (C, error)
	// Check returns a sentence for each unusable resource of the machine, such as a folder. It may be nil.
	Check func(C) []string
	// Describe writes the API document; it needs no configuration.
	Describe func(io.Writer) error
	// Metrics returns the metrics of the program, for --metrics; they need no configuration.
	Metrics func() []meter.Metric
	// Health is the address of the operations port, for --healthy. It may be nil.
	Health func(C) string
	// Run serves until its context ends.
	Run func(context.Context, C, Deps) error
}

// Start describes how a program was started.
type Start struct {
	// Version is the release, File the configuration file, "" for the defaults.
	Version, File string
	// UnknownVariables are variables with the prefix of the program that name no key.
	UnknownVariables []config.UnknownVariable
}

// Log logs how the program was started.
func (s Start) Log(log *slog.Logger) {
	log.Info("starting", "version", s.Version, "config", s.File)
	for _, v := range s.UnknownVariables {
		log.Warn("a variable of the environment names no key", "variable", v.Name, "nearest", v.Nearest)
	}
}

// Main runs the program and ends the process: 0 after a regular end, 1 after a failure, 2 for unknown flags and, with
// --strict, for variables that name no key.
func (p Program[C]) Main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := p.start(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp), err == nil:
	case errors.Is(err, errFlags), errors.Is(err, errStrict):
		os.Exit(2)
	default:
		fmt.Fprintf(os.Stderr, "%s: %v\n", p.Name, err)
		os.Exit(1)
	}
}

// Both are printed where they are found.
var (
	errFlags  = errors.New("flags")
	errStrict = errors.New("variables that name no key")
)

func (p Program[C]) start(ctx context.Context, args []string, out, stderr io.Writer) error {
	flags := flag.NewFlagSet(p.Name, flag.ContinueOnError)
	flags.SetOutput(stderr)
	file := flags.String("config", config.File(p.Prefix, p.Config), "configuration `file`; variables "+p.Prefix+
		"_... override it. Without this flag "+p.Prefix+"_CONFIG names it")
	check := flags.Bool("check-config", false, "say what is wrong with the configuration, and start nothing")
	strict := flags.Bool("strict", false, "end with the exit code 2 if variables "+p.Prefix+
		"_... name no key, in a check and at a start")
	describe := flags.Bool("openapi", false, "print the API document, and start nothing")
	reference := flags.Bool("config-reference", false, "print a page about the configuration, and start nothing")
	metrics := flags.Bool("metrics", false, "print the metrics as JSON, and start nothing")
	healthy := flags.Bool("healthy", false, "ask the program on this machine whether it is ready, and start nothing")
	version := flags.Bool("version", false, "print the version, and start nothing")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return errFlags // the flag set has printed the error
	}
	switch {
	case flags.NArg() > 0:
		_, _ = fmt.Fprintf(stderr, "%s takes flags alone, not %q\n", p.Name, flags.Arg(0))
		return errFlags
	case *version:
		_, err := fmt.Fprintln(out, p.Name, About())
		return err
	case *describe:
		return p.Describe(out)
	case *metrics:
		return writeMetrics(out, p.Metrics())
	case *reference:
		return config.Reference[C](out, "Configuration of "+p.Name, *file, p.Prefix)
	}
	c, err := p.load(*file)
	if err != nil {
		return err
	}
	if *healthy {
		return askReady(ctx, p.Health(c))
	}
	begun := Start{Version: Version(), File: *file, UnknownVariables: config.UnknownVariables[C](p.Prefix, os.Environ())}
	if *check || *strict {
		report(stderr, begun.UnknownVariables, *strict)
	}
	switch {
	case *strict && len(begun.UnknownVariables) > 0:
		return errStrict
	case *check:
		_, err := fmt.Fprintln(out, "the configuration is good")
		return err
	}
	if err := p.Run(ctx, c, Deps{Now: now, Clock: clock, Out: out, Start: begun}); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// report writes a line for each variable that names no key.
func report(to io.Writer, unknown []config.UnknownVariable, strict bool) {
	weight := "warning"
	if strict {
		weight = "error"
	}
	for _, v := range unknown {
		_, _ = fmt.Fprintf(to, "%s: %s names no key; the nearest is %s\n", weight, v.Name, v.Nearest)
	}
}

// clock is the clock of the machine.
func clock() time.Time { return time.Now() } //nolint:forbidigo // the clock that everything else takes as an argument

// now is the time of day: UTC, truncated to the precision of the columns.
func now() time.Time { return clock().UTC().Truncate(time.Millisecond) }

// writeMetrics writes one line of JSON for each metric.
func writeMetrics(out io.Writer, all []meter.Metric) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for _, m := range all {
		if err := encoder.Encode(m); err != nil {
			return err
		}
	}
	return nil
}

// load loads the configuration and checks the resources of the machine.
func (p Program[C]) load(file string) (C, error) {
	c, err := p.Load(file)
	if err == nil && p.Check != nil {
		if wrong := p.Check(c); len(wrong) > 0 {
			err = config.ValidationErrors(wrong)
		}
	}
	return c, err
}
