// Command change says what the changes since the last whole run can touch, so that a check runs what they can break and
// nothing else.
//
//	change why         prints the commit to compare with, or why everything counts as changed
//	change files       prints the changed files, or nothing where everything counts as changed
//	change documents   succeeds if nothing but documents has changed
//	change web         succeeds if something has changed that the pages are built of, or what checks them
//	change parts       prints the reliability tests that the changes can touch
//	change packages    prints the packages whose statements the second engine has to run, "all", or nothing
//	change tests       prints two lines: the packages whose tests are run with the race detector, and all those whose
//	                   tests the changes can touch
//
// SHOP_BASE names the commit to compare with; without it .ci/whole does. SHOP_BASE=none counts everything as changed.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if err := do(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func do(ctx context.Context, args []string) error {
	root, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	if len(args) != 1 {
		return errors.New("change why | files | documents | web | parts | packages | tests")
	}
	c := since(ctx, root, os.Getenv("SHOP_BASE"))
	switch args[0] {
	case "why":
		fmt.Println(c.why)
		return nil
	case "files":
		fmt.Println(strings.Join(c.files, "\n"))
		return nil
	case "documents":
		if c.everything || !c.onlyDocuments() {
			return errors.New("there is more than documents to test")
		}
		return nil
	case "web":
		if !c.touch(&tree{}, web()) {
			return fmt.Errorf("nothing has changed that the pages are built of, %s", c.why)
		}
		return nil
	}
	t, err := grow(ctx, root)
	if err != nil {
		return err
	}
	switch args[0] {
	case "parts":
		all, err := t.reaches(ctx)
		if err != nil {
			return err
		}
		fmt.Println(strings.Join(c.touched(t, all), " "))
		return nil
	case "packages":
		fmt.Println(strings.Join(c.statements(t), " "))
		return nil
	case "tests":
		all, err := suites(ctx, root)
		if err != nil {
			return err
		}
		raced, tested := c.tests(t, all)
		fmt.Printf("%s\n%s\n", strings.Join(raced, " "), strings.Join(tested, " "))
		return nil
	}
	return fmt.Errorf("change knows no %s", args[0])
}
