package main

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// suite is the tests of a package of the workspace.
type suite struct {
	name     string
	imported map[string]bool // the folders of the packages that it and its tests consist of
	// elsewhere says that it may read files beside those: sources, documents, the programs of the shop.
	elsewhere bool
}

// A test that names a file above its package, walks folders or runs a program may read anything.
var (
	above = regexp.MustCompile("[\"`]((?:\\.\\./)+[^\"`]+)[\"`]")
	roams = regexp.MustCompile(`go/parser|WalkDir|Join\("\.\.|exec\.Command|apitest\.Programs|runtime\.Caller|Getwd`)
)

// suites returns the tests of the workspace.
func suites(ctx context.Context, root string) ([]suite, error) {
	const each = `{{.ImportPath}},{{.Dir}},{{join .Deps ","}}`
	printed, err := lines(ctx, root, packages{workspace, []string{"work"}}, each, "-test")
	if err != nil {
		return nil, err
	}
	var all []suite
	for _, line := range printed {
		fields := strings.Split(line, ",")
		name, isTest := strings.CutSuffix(fields[0], ".test")
		if !isTest {
			continue
		}
		s := suite{name: name, imported: map[string]bool{}}
		for _, dep := range fields[2:] {
			dep, _, _ = strings.Cut(dep, " [") // as it is compiled for a test
			if folder, inside := strings.CutPrefix(dep, "shop.internal/"); inside {
				s.imported[folder] = true
			}
		}
		if s.elsewhere, err = readsElsewhere(fields[1]); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// readsElsewhere reports whether the tests in a folder may read files of other folders.
func readsElsewhere(dir string) (bool, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return false, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return false, fmt.Errorf("read a test: %w", err)
		}
		if roams.Match(text) {
			return true, nil
		}
		for _, m := range above.FindAllSubmatch(text, -1) {
			// Other such texts are hostile names of files.
			if found, err := filepath.Glob(filepath.Join(dir, string(m[1]))); err == nil && len(found) > 0 {
				return true, nil
			}
		}
	}
	return false, nil
}

// frame is what all tests run in: what starts them, and the servers that they use.
var frame = []string{"deploy/local/", "deploy/mysql/", ".ci/run"}

// tested returns the packages of the workspace whose tests the changes can touch: those with a changed file among what
// they and their tests import, and those that may read others. What else has changed, such as a page, is read by these
// alone. It is "all" where a requirement has changed, or what the tests run in.
func (c changes) tested(t *tree, all []suite) []string {
	if c.everything {
		return []string{"all"}
	}
	owners, own := map[string]bool{}, map[string]bool{}
	for _, file := range c.files {
		if matches(frame, file) {
			return []string{"all"}
		}
		switch path.Base(file) {
		case "go.work", "go.work.sum", "go.mod", "go.sum":
			if !strings.HasPrefix(file, "deploy/") {
				return []string{"all"}
			}
		}
		if forTests(file) {
			own[t.owner(file)] = true
		} else {
			owners[t.owner(file)] = true
		}
	}
	var list []string
	for _, s := range all {
		touched := s.elsewhere || own[strings.TrimPrefix(s.name, "shop.internal/")]
		for folder := range s.imported {
			touched = touched || owners[folder]
		}
		if touched {
			list = append(list, s.name)
		}
	}
	slices.Sort(list)
	return list
}
