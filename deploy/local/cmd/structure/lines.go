package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// support are the folders of Go that is no part of the product: test support, which needs what is internal to a
// package, benchmarks, tests from outside, and the programs behind make. Those that have moved are named where they
// were, too, so that earlier revisions can be compared.
var support = []string{
	"apitest", "bench", "calendartest", "dbtest", "deploy", "domaintest", "golden", "metertest", "modeltest",
	"notifytest", "opbench", "optest", "pkg/test", "ratio", "testdata", "wechattest",
}

// product reports whether the file of this path, from the root of the tree with slashes, is Go of the product.
func product(file string) bool {
	if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || strings.HasSuffix(file, "_gen.go") {
		return false
	}
	dir := "/" + path.Dir(file) + "/"
	return !slices.ContainsFunc(support, func(s string) bool { return strings.Contains(dir, "/"+s+"/") })
}

// printLines prints the lines of the product's Go in a tree by package, and their sum.
func printLines(tree string) error {
	texts, err := filesIn(tree)
	if err != nil {
		return err
	}
	lines := map[string]int{}
	sum := 0
	for file, text := range texts {
		if product(file) && !generated(text) {
			n := bytes.Count(text, []byte("\n"))
			lines[path.Dir(file)] += n
			sum += n
		}
	}
	if sum == 0 {
		return fmt.Errorf("%s holds no Go of the product", tree)
	}
	for _, dir := range slices.Sorted(maps.Keys(lines)) {
		fmt.Printf("%6d %s\n", lines[dir], dir)
	}
	fmt.Printf("%6d in all\n", sum)
	return nil
}

func generated(text []byte) bool { return bytes.HasPrefix(text, []byte("// Code generated ")) }

// filesIn reads the Go files of a folder, or of a revision of the repository in which the program runs.
func filesIn(tree string) (map[string][]byte, error) {
	if at, err := os.Stat(tree); err == nil && at.IsDir() {
		return filesOfFolder(tree)
	}
	root, err := git("rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	names, err := git("-C", strings.TrimSpace(root), "ls-tree", "-r", "--name-only", tree)
	if err != nil {
		return nil, err
	}
	texts := map[string][]byte{}
	for file := range strings.Lines(names) {
		file = strings.TrimSpace(file)
		if !product(file) {
			continue
		}
		text, err := git("show", tree+":"+file)
		if err != nil {
			return nil, err
		}
		texts[file] = []byte(text)
	}
	return texts, nil
}

func git(args ...string) (string, error) {
	out, err := exec.CommandContext(context.Background(), "git", args...).Output() //nolint:gosec // the caller's revision
	if failed := new(exec.ExitError); errors.As(err, &failed) {
		return "", fmt.Errorf("git %s: %s", args[0], failed.Stderr)
	}
	return string(out), err
}

func filesOfFolder(root string) (map[string][]byte, error) {
	texts := map[string][]byte{}
	return texts, filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "node_modules" || file != root && strings.HasPrefix(entry.Name(), ".")) {
			return filepath.SkipDir
		}
		name, err := filepath.Rel(root, file)
		if err != nil || entry.IsDir() || !product(filepath.ToSlash(name)) {
			return err
		}
		texts[filepath.ToSlash(name)], err = os.ReadFile(file) //nolint:gosec // the caller's own folder
		return err
	})
}
