package main

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// tree knows the packages of the project by their folders.
type tree struct {
	root    string
	folders map[string]bool // of all packages, below the root
	program map[string]bool // folders that the programs consist of
}

// workspace is the module of patterns that go.work resolves.
const workspace = "."

// lines returns what go list prints of packages by a template, a line each.
func lines(ctx context.Context, root string, p packages, template string, args ...string) ([]string, error) {
	args = slices.Concat([]string{"list"}, args, []string{"-f", template}, p.patterns)
	cmd := exec.CommandContext(ctx, "go", args...) //nolint:gosec // the arguments are ours
	cmd.Dir = filepath.Join(root, p.module)
	cmd.Env = append(os.Environ(), "GOWORK="+filepath.Join(root, "go.work"))
	if p.module != workspace && !inWorkspace(root, p.module) {
		cmd.Env = append(cmd.Env, "GOWORK=off")
	}
	out, err := output(cmd)
	if err != nil {
		return nil, err
	}
	return strings.Split(out, "\n"), nil
}

// list returns the folders of packages, below the root. With deps come what they and their tests import.
func list(ctx context.Context, root string, p packages, deps ...string) (map[string]bool, error) {
	dirs, err := lines(ctx, root, p, "{{.Dir}}", deps...)
	if err != nil {
		return nil, err
	}
	folders := map[string]bool{}
	for _, dir := range dirs {
		below, err := filepath.Rel(root, dir)
		if err == nil && below != ".." && !strings.HasPrefix(below, "../") && dir != "" {
			folders[filepath.ToSlash(below)] = true
		}
	}
	return folders, nil
}

func inWorkspace(root, module string) bool {
	text, _ := os.ReadFile(filepath.Join(root, "go.work"))
	return strings.Contains(string(text), "./"+module+"\n")
}

// grow lists the packages of all modules.
func grow(ctx context.Context, root string) (*tree, error) {
	t := &tree{root: root, folders: map[string]bool{}}
	modules, err := filepath.Glob(filepath.Join(root, "deploy/*/go.mod"))
	if err != nil {
		return nil, err
	}
	lists := in(workspace, "work")
	for _, file := range modules {
		module, _ := filepath.Rel(root, filepath.Dir(file))
		if module != "deploy/tools" { // it has no code
			lists = append(lists, packages{filepath.ToSlash(module), []string{"./..."}})
		}
	}
	for _, p := range lists {
		folders, err := list(ctx, root, p)
		if err != nil {
			return nil, err
		}
		maps.Copy(t.folders, folders)
	}
	t.program, err = list(ctx, root, packages{workspace, []string{
		"./services/storefront/cmd/...", "./services/admin/cmd/...",
	}}, "-deps")
	return t, err
}

// owner is the package that a file belongs to: the next one above it, "" for none.
func (t *tree) owner(file string) string {
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if t.folders[dir] {
			return dir
		}
	}
	return ""
}

// forTests reports whether a file is read only by the tests of its own package.
func forTests(file string) bool {
	return strings.HasSuffix(file, "_test.go") || strings.Contains(file, "/testdata/")
}

// reach is what a part consists of.
type reach struct {
	part
	tested, imported map[string]bool // folders of packages
}

func (t *tree) reach(ctx context.Context, p part) (reach, error) {
	r := reach{part: p, tested: map[string]bool{}, imported: map[string]bool{}}
	for _, each := range p.tested {
		own, err := list(ctx, t.root, each)
		if err != nil {
			return r, err
		}
		maps.Copy(r.tested, own)
		deps, err := list(ctx, t.root, each, "-deps", "-test")
		if err != nil {
			return r, err
		}
		maps.Copy(r.imported, deps)
	}
	if p.programs {
		maps.Copy(r.imported, t.program)
	}
	return r, nil
}

// touches reports whether a change of a file can change how the part ends.
func (r reach) touches(t *tree, file string) bool {
	if matches(r.files, file) {
		return true
	}
	if matches(r.except, file) {
		return false
	}
	switch path.Base(file) {
	case "go.work", "go.work.sum":
		return len(r.imported) > 0
	case "go.mod", "go.sum":
		module := path.Dir(file)
		for folder := range r.imported {
			if folder == module || strings.HasPrefix(folder, module+"/") {
				return true
			}
		}
	}
	owner := t.owner(file)
	if forTests(file) {
		return r.tested[owner]
	}
	return r.imported[owner]
}

func matches(patterns []string, file string) bool {
	for _, p := range patterns {
		suffix, any := strings.CutPrefix(p, "*")
		if p == file || strings.HasSuffix(p, "/") && strings.HasPrefix(file, p) || any && strings.HasSuffix(file, suffix) {
			return true
		}
	}
	return false
}

// reaches are what all parts consist of.
func (t *tree) reaches(ctx context.Context) ([]reach, error) {
	mutated, err := faults(t.root)
	if err != nil {
		return nil, err
	}
	var all []reach
	for _, p := range parts(mutated) {
		r, err := t.reach(ctx, p)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// touch reports whether one of the changes touches a part.
func (c changes) touch(t *tree, r reach) bool {
	return c.everything || slices.ContainsFunc(c.files, func(file string) bool { return r.touches(t, file) })
}

// touched returns the chosen parts that the changes can touch. A changed file that no part knows touches all. A page
// may name a file that is gone.
func (c changes) touched(t *tree, all []reach) (names []string) {
	c.everything = c.everything || slices.ContainsFunc(c.files, func(file string) bool {
		return !slices.ContainsFunc(all, func(r reach) bool { return r.touches(t, file) })
	})
	for _, r := range all {
		if r.chosen && (c.touch(t, r) || c.gone && r.name == "documents") {
			names = append(names, r.name)
		}
	}
	return names
}
