// Command timing runs go test, prints what go test prints, and notes how long packages and tests take. A test that
// fails because a time limit has passed is repeated once. It also prints what was noted, with the slowest first, and
// what is flaky.
//
//	timing test FILE [ARGUMENT...]    runs go test with the arguments and appends to FILE
//	timing report FILE TITLE          prints the notes of FILE
//	timing flaky LIST [FILE...]       prints what is flaky by the files that SHOP_FLAKY has named, or twice by LIST
//
// A note is a line of a kind (part, package or test), a name and seconds, separated by tabs; the name of a test is its
// package, a blank and the test. Scripts append the notes of their parts themselves.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
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
	case len(args) >= 2 && args[0] == "flaky":
		return flaky(os.Stdout, time.Now(), args[1], args[2:])
	}
	return errors.New("timing test FILE [ARGUMENT...] | timing report FILE TITLE | timing flaky LIST [FILE...]")
}
