package main

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"shop.internal/deploy/local/copied"
)

//go:embed recipes.txt
var text string

// recipe is a typical change: its edits, and the commands that must succeed after them.
type recipe struct {
	name string
	// most is how many places it may take. A place is a file.
	most  int
	edits []copied.Edit
	// pages are those that run in the folder of the shop's page, where Node.js and its packages are installed.
	runs, pages []string
}

// recipes parses the list.
func recipes(text string) ([]recipe, error) {
	var list []recipe
	var file string
	before := byte(0) // the mark of the line before in the same edit
	for i, line := range strings.Split(text, "\n") {
		last := len(list) - 1
		word, rest, _ := strings.Cut(line, ": ")
		var err error
		switch {
		case line == "" || line[0] == '#':
		case word == "recipe":
			list = append(list, recipe{name: rest})
		case last < 0:
			err = fmt.Errorf("precedes the first recipe: %q", line)
		case word == "most":
			list[last].most, err = strconv.Atoi(rest)
		case word == "file":
			file = rest
		case word == "run":
			list[last].runs = append(list[last].runs, rest)
		case word == "page":
			list[last].pages = append(list[last].pages, rest)
		case line[0] == '-' || line[0] == '+':
			edits := &list[last].edits
			if before == 0 || before == '+' && line[0] == '-' {
				*edits = append(*edits, copied.Edit{File: file})
			}
			e := &(*edits)[len(*edits)-1]
			if line[0] == '-' {
				e.From += line[1:] + "\n"
			} else {
				e.To += line[1:] + "\n"
			}
		default:
			err = fmt.Errorf("is neither a heading nor part of an edit: %q", line)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		if before = 0; strings.HasPrefix(line, "-") || strings.HasPrefix(line, "+") {
			before = line[0]
		}
	}
	return list, nil
}

// places are the files that a recipe edits, each once.
func (r recipe) places() []string {
	var files []string
	for _, e := range r.edits {
		if !slices.Contains(files, e.File) {
			files = append(files, e.File)
		}
	}
	return files
}

// follow makes the edits below a folder. One without a text to replace adds to the end of its file, or makes it; NEXT
// in the name of a migration is the next number.
func (r recipe) follow(root string) error {
	for _, e := range r.edits {
		if e.From != "" {
			if _, err := e.Make(root); err != nil {
				return err
			}
			continue
		}
		file, err := numbered(filepath.Join(root, e.File))
		if err != nil {
			return err
		}
		before, err := os.ReadFile(file)
		if err != nil && !os.IsNotExist(err) {
			return err
		}
		if err := os.WriteFile(file, append(before, e.To...), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func numbered(file string) (string, error) {
	if !strings.HasPrefix(filepath.Base(file), "NEXT_") {
		return file, nil
	}
	all, err := filepath.Glob(filepath.Join(filepath.Dir(file), "[0-9]*.sql"))
	if err != nil || len(all) == 0 {
		return "", fmt.Errorf("no migrations beside %s: %w", file, err)
	}
	number, _, _ := strings.Cut(filepath.Base(slices.Max(all)), "_")
	n, err := strconv.Atoi(number)
	return strings.Replace(file, "NEXT", fmt.Sprintf("%04d", n+1), 1), err
}
