package main

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"shop.internal/deploy/local/copied"
)

//go:embed faults.txt
var text string

// fault is a known fault with the test that must catch it.
type fault struct {
	name, pkg, test string
	edits           []copied.Edit
}

// faults parses the list.
func faults(text string) ([]fault, error) {
	var list []fault
	var file string
	ended := false // the line before ended an edit: one to insert, or a blank one
	for i, line := range strings.Split(text, "\n") {
		last := len(list) - 1
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case word == "fault:":
			list = append(list, fault{name: rest})
		case last < 0:
			return nil, fmt.Errorf("line %d precedes the first fault", i+1)
		case word == "file:":
			file = rest
		case word == "test:":
			list[last].pkg, list[last].test, _ = strings.Cut(rest, " ")
		case line[0] == '-' || line[0] == '+' && len(list[last].edits) > 0:
			edits := &list[last].edits
			if line[0] == '-' && (ended || len(*edits) == 0) || (*edits)[len(*edits)-1].File != file {
				*edits = append(*edits, copied.Edit{File: file})
			}
			e := &(*edits)[len(*edits)-1]
			if line[0] == '-' {
				e.From += line[1:] + "\n"
			} else {
				e.To += line[1:] + "\n"
			}
		default:
			return nil, fmt.Errorf("line %d is neither a heading nor part of an edit: %s", i+1, line)
		}
		ended = line == "" || line[0] == '+'
	}
	for _, f := range list {
		if f.test == "" || len(f.edits) == 0 {
			return nil, fmt.Errorf("the fault %q has no edit or no test", f.name)
		}
	}
	return list, nil
}

// introduce makes the edits of a fault below a folder and returns what undoes them.
func introduce(root string, f fault) (undo func() error, err error) {
	before := map[string][]byte{}
	undo = func() error {
		var errs []error
		for file, text := range before {
			errs = append(errs, os.WriteFile(file, text, 0o600))
		}
		return errors.Join(errs...)
	}
	for _, e := range f.edits {
		text, err := e.Make(root)
		if err != nil {
			return undo, fmt.Errorf("the fault %q: %w", f.name, err)
		}
		if file := filepath.Join(root, e.File); before[file] == nil {
			before[file] = text
		}
	}
	return undo, nil
}
