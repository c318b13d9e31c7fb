package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// basis are the folders on which the statements of all areas rest.
var basis = []string{
	"migrations/", "pkg/domain/internal/", "pkg/domain/domaintest/", "pkg/domain/go.mod", "pkg/base/",
	"deploy/local/engines.sh", "deploy/local/cmd/dev/",
}

// statements returns the packages of the domain whose own files have changed, since whether an engine takes a statement
// depends on the package that sends it; "all" where what they rest on has changed; and nothing where neither has.
func (c changes) statements(t *tree) []string {
	if c.everything {
		return []string{"all"}
	}
	var list []string
	for _, file := range c.files {
		if matches(basis, file) {
			return []string{"all"}
		}
		owner := t.owner(file)
		if strings.HasPrefix(owner, "pkg/domain/") && owner != "pkg/domain/modeltest" {
			list = append(list, "shop.internal/"+owner)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

var edited = regexp.MustCompile(`(?m)^(?:file: (.+)|test: (\S+) (\w+).*)$`)

// faults returns the files that make mutants edits, and those with the tests that must notice it.
func faults(root string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(root, "deploy/local/cmd/mutants/faults.txt"))
	if err != nil {
		return nil, err
	}
	var files []string
	for _, m := range edited.FindAllStringSubmatch(string(text), -1) {
		if m[1] != "" {
			files = append(files, m[1])
			continue
		}
		tests, err := filepath.Glob(filepath.Join(root, m[2], "*_test.go"))
		if err != nil {
			return nil, err
		}
		for _, file := range tests {
			code, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			if strings.Contains(string(code), "func "+m[3]+"(") {
				files = append(files, m[2]+"/"+filepath.Base(file))
			}
		}
	}
	return files, nil
}
