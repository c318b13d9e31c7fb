// Command watch writes the page of the metrics, and checks the dashboards and the alerts against it.
//
//	watch page SERVICE=FILE...   from the output of each service's -metrics
//	watch check [FOLDER]         of the checkout
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "watch:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) > 1 && args[0] == "page":
		page, err := metricsPage(args[1:])
		if err != nil {
			return err
		}
		_, err = os.Stdout.WriteString(page)
		return err
	case len(args) == 1 && args[0] == "check":
		return check(".")
	case len(args) == 2 && args[0] == "check":
		return check(args[1])
	}
	return fmt.Errorf("usage: watch page SERVICE=FILE... | watch check [FOLDER]")
}
