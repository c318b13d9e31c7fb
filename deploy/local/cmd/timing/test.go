package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// test runs go test in the current folder and environment. What fails in a time limit and in nothing else is repeated
// once; what passes then is noted in the file that SHOP_FLAKY names.
func test(file string, args []string) error {
	notes, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer notes.Close()
	first := newPrinter(os.Stdout, notes, slices.Contains(args, "-v"))
	failure := first.run(args)
	tests := first.late()
	if failure == nil || len(tests) == 0 {
		return failure
	}
	for _, t := range tests {
		fmt.Printf("a time limit has passed, so it is repeated: %s %s\n", t.pkg, t.test)
		again := newPrinter(os.Stdout, notes, true)
		if err := again.run(only(args, t)); err != nil {
			return err
		}
		if !again.passed[t.testName] {
			return errors.Join(failure, errors.New("it was not run again"))
		}
	}
	return keep(os.Getenv("SHOP_FLAKY"), tests)
}

// run runs go test and prints its events.
func (p *printer) run(args []string) error {
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...) //nolint:gosec,noctx // a signal ends both
	cmd.Stderr = os.Stderr
	events, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	err = p.read(events)
	return errors.Join(cmd.Wait(), err)
}

// only returns the arguments with this test in place of the packages and patterns.
func only(args []string, t lateTest) []string {
	var kept []string
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "-run" || arg == "-skip":
			i++
		case strings.HasPrefix(arg, "./"), strings.HasPrefix(arg, "shop.internal/"):
		default:
			kept = append(kept, arg)
		}
	}
	return append(kept, "-run", "^"+regexp.QuoteMeta(t.test)+"$", t.pkg)
}
