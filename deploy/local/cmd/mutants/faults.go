package main

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

//go:embed faults.txt
var text string

// fault is a known fault with the test that must catch it.
type fault struct {
	name, pkg, test string
	edits           []edit
}

// edit replaces a text that a file contains exactly once.
type edit struct{ file, from, to string }

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
			if line[0] == '-' && (ended || len(*edits) == 0) || (*edits)[len(*edits)-1].file != file {
				*edits = append(*edits, edit{file: file})
			}
			e := &(*edits)[len(*edits)-1]
			if line[0] == '-' {
				e.from += line[1:] + "\n"
			} else {
				e.to += line[1:] + "\n"
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
		file := filepath.Join(root, e.file)
		text, err := os.ReadFile(file)
		if err != nil {
			return undo, err
		}
		if n := strings.Count(string(text), e.from); n != 1 {
			return undo, fmt.Errorf("%s: this text of the fault %q is found %d times instead of once:\n%s",
				e.file, f.name, n, e.from)
		}
		if _, known := before[file]; !known {
			before[file] = text
		}
		if err := os.WriteFile(file, []byte(strings.Replace(string(text), e.from, e.to, 1)), 0o600); err != nil {
			return undo, err
		}
	}
	return undo, nil
}
