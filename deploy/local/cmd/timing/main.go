// Command timing runs go test, prints what go test prints, and notes how long packages and tests take. It also prints
// what was noted, with the slowest first.
//
//	timing test FILE [ARGUMENT...]    runs go test with the arguments and appends to FILE
//	timing report FILE TITLE          prints the notes of FILE
//
// A note is a line of a kind (part, package or test), a name and seconds, separated by tabs; the name of a test is its
// package, a blank and the test. Scripts append the notes of their parts themselves.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
)

func main() {
	err := do(os.Args[1:])
	var ended *exec.ExitError
	switch {
	case errors.As(err, &ended):
		os.Exit(max(ended.ExitCode(), 1))
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func do(args []string) error {
	switch {
	case len(args) >= 2 && args[0] == "test":
		return test(args[1], args[2:])
	case len(args) == 3 && args[0] == "report":
		return report(os.Stdout, args[1], args[2])
	}
	return errors.New("timing test FILE [ARGUMENT...] | timing report FILE TITLE")
}

// test runs go test in the current folder and environment.
func test(file string, args []string) error {
	notes, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer notes.Close()
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...) //nolint:gosec,noctx // a signal ends both
	cmd.Stderr = os.Stderr
	events, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	p := &printer{out: os.Stdout, notes: notes, verbose: slices.Contains(args, "-v")}
	err = p.read(events)
	return errors.Join(cmd.Wait(), err)
}
