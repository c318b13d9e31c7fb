// Structure shows how the code hangs together: the references between the files of a package that no order of the files
// avoids, the files that the calls of an operation enter, and how many lines the product has.
package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

const usage = `usage:
structure files PACKAGE...        the references between the files of packages against their best order
structure calls FUNCTION PACKAGE  the files that a reader of a function enters, by package
structure lines TREE              the lines of the product's Go, by package, in a folder or a revision`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "structure:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) > 1 && args[0] == "files":
		return printFiles(args[1:])
	case len(args) == 3 && args[0] == "calls":
		return printCalls(args[1], args[2])
	case len(args) == 2 && args[0] == "lines":
		return printLines(args[1])
	}
	return errors.New(usage)
}

func load(patterns ...string) ([]*packages.Package, error) {
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax}, patterns...)
	if err != nil {
		return nil, err
	}
	if packages.PrintErrors(loaded) > 0 {
		return nil, errors.New("the packages have errors")
	}
	return loaded, nil
}

func printFiles(patterns []string) error {
	loaded, err := load(patterns...)
	if err != nil {
		return err
	}
	for _, p := range loaded {
		all := arrows(p)
		against, order := upward(filesOf(p), all)
		fmt.Printf("%s: %d references between %d files, %d against the order\n",
			p.PkgPath, len(all), len(order), len(against))
		fmt.Println("  " + strings.Join(order, " "))
		for _, a := range against {
			fmt.Printf("  %s -> %s: %s\n", a.from, a.to, strings.Join(all[a], " "))
		}
	}
	return nil
}

func filesOf(p *packages.Package) (names []string) {
	for _, f := range p.GoFiles {
		names = append(names, filepath.Base(f))
	}
	return names
}

func printCalls(function, pkg string) error {
	loaded, err := load(pkg)
	if err != nil {
		return err
	}
	files, err := codeOf(loaded).entered(function)
	if err != nil {
		return err
	}
	n := 0
	for _, path := range slices.Sorted(maps.Keys(files)) {
		names := files[path]
		for i := range names {
			names[i] = filepath.Base(names[i])
		}
		slices.Sort(names)
		fmt.Printf("%3d %s: %s\n", len(names), path, strings.Join(names, " "))
		n += len(names)
	}
	fmt.Printf("%3d files in all\n", n)
	return nil
}
