package main

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"
)

// importers returns the packages of the workspace with the packages that they and their tests import.
func importers(ctx context.Context, root string) (map[string][]string, error) {
	const each = `{{.ImportPath}} {{join .Imports " "}} {{join .TestImports " "}} {{join .XTestImports " "}}`
	printed, err := lines(ctx, root, packages{workspace, []string{"work"}}, each)
	if err != nil {
		return nil, err
	}
	all := map[string][]string{}
	for _, line := range printed {
		if fields := strings.Fields(line); len(fields) > 0 {
			all[fields[0]] = fields[1:]
		}
	}
	return all, nil
}

// raced returns the packages of the workspace that are tested with the race detector: those with a changed file, and
// those that import one of them; where only a test has changed, its package alone. It is "all" where a requirement has
// changed.
func (c changes) raced(t *tree, imported map[string][]string) []string {
	if c.everything {
		return []string{"all"}
	}
	raced, changed := map[string]bool{}, map[string]bool{}
	for _, file := range c.files {
		switch path.Base(file) {
		case "go.work", "go.work.sum", "go.mod", "go.sum":
			if !strings.HasPrefix(file, "deploy/") {
				return []string{"all"}
			}
		}
		name := "shop.internal/" + t.owner(file)
		if _, inside := imported[name]; !inside || isDocument(file) {
			continue
		}
		raced[name] = true
		if !forTests(file) {
			changed[name] = true
		}
	}
	for name, list := range imported {
		if slices.ContainsFunc(list, func(other string) bool { return changed[other] }) {
			raced[name] = true
		}
	}
	return slices.Sorted(maps.Keys(raced))
}
