package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// frame is what all tests run in: what starts them, and the servers that they use.
var frame = []string{"deploy/local/", "deploy/mysql/", ".ci/run", "Makefile"}

// suite is the tests of a package of the workspace, which consist of all that the package and its tests import.
type suite struct {
	reach
	direct map[string]bool // of those, what they import themselves
}

// raced is the suite as it is tested with the race detector: when the package itself has changed or one that it imports
// directly. What lies below has suites of its own.
func (s suite) raced() reach {
	return reach{tested: s.tested, imported: s.direct}
}

// suites returns the tests of the workspace.
func suites(ctx context.Context, root string) ([]suite, error) {
	const each = `{{.ImportPath}},{{.Dir}},{{join .Deps " "}},` +
		`{{.ImportPath}} {{join .Imports " "}} {{join .TestImports " "}} {{join .XTestImports " "}}`
	printed, err := lines(ctx, root, packages{workspace, []string{"work"}}, each, "-test")
	if err != nil {
		return nil, err
	}
	direct := map[string]map[string]bool{}
	for _, line := range printed {
		name, imports := line[:strings.Index(line, ",")], line[strings.LastIndex(line, ",")+1:]
		direct[name] = inside(strings.Fields(imports))
	}
	var all []suite
	for _, line := range printed {
		fields := strings.Split(line, ",")
		name, isTest := strings.CutSuffix(fields[0], ".test")
		if !isTest {
			continue
		}
		s := suite{direct: direct[name]}
		s.name, s.files = name, frame
		s.tested = inside([]string{name})
		s.imported = inside(strings.Fields(fields[2])) // one that is compiled anew for a test has the name of that behind it
		elsewhere, err := readsElsewhere(fields[1])
		if err != nil {
			return nil, err
		}
		if elsewhere {
			s.files = []string{"*"}
		}
		all = append(all, s)
	}
	return all, nil
}

// tests returns the packages of the workspace whose tests the changes can touch, and those of them that are tested with
// the race detector.
func (c changes) tests(t *tree, all []suite) (raced, tested []string) {
	for _, s := range all {
		if c.touch(t, s.reach) {
			tested = append(tested, s.name)
		}
		if c.touch(t, s.raced()) {
			raced = append(raced, s.name)
		}
	}
	return raced, tested
}

// inside returns the folders of those packages that belong to the project.
func inside(names []string) map[string]bool {
	folders := map[string]bool{}
	for _, name := range names {
		if folder, ours := strings.CutPrefix(name, "shop.internal/"); ours {
			folders[folder] = true
		}
	}
	return folders
}

// A test that names a file above its package, walks folders or runs a program may read anything.
var (
	roams = regexp.MustCompile(`go/parser|WalkDir|\("\.\."|exec\.Command|apitest\.Programs`)
	above = regexp.MustCompile("[\"`](\\.\\./[^\"`]+)[\"`]")
)

// readsElsewhere reports whether the tests in a folder may read files beside the packages that they consist of:
// sources, documents, the programs of the shop.
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
