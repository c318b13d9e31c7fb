package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// far is how many commits lie at most between the base and now: a later base would prove little of what is there.
const far = 60

// changes are the files that differ from the base.
type changes struct {
	everything bool
	files      []string // with slashes, below the root; deleted ones as well
	gone       bool     // there is a deleted one
	why        string   // what they are compared with, or why everything counts as changed
}

// since compares the tree with a commit. Where that cannot be relied on, everything counts as changed.
func since(ctx context.Context, root, base string) changes {
	from := "SHOP_BASE"
	if base == "" {
		text, _ := os.ReadFile(filepath.Join(root, ".ci/whole"))
		base, _, _ = strings.Cut(string(text), " ")
		from = ".ci/whole"
	}
	all := func(why string, args ...any) changes {
		return changes{everything: true, why: "everything counts as changed: " + fmt.Sprintf(why, args...)}
	}
	switch base = strings.TrimSpace(base); base {
	case "":
		return all("%s names no commit", from)
	case "none":
		return all("%s is none", from)
	}
	git := func(args ...string) (string, error) { return git(ctx, root, args...) }
	if shallow, err := git("rev-parse", "--is-shallow-repository"); err != nil || shallow != "false" {
		return all("this is no clone with its whole history")
	}
	if _, err := git("merge-base", "--is-ancestor", base, "HEAD"); err != nil {
		return all("%s, named by %s, is no ancestor of this commit", base, from)
	}
	between, err := git("rev-list", "--count", base+"..HEAD")
	if err != nil {
		return all("%v", err)
	}
	var n int
	if _, err := fmt.Sscan(between, &n); err != nil || n > far {
		return all("%s, named by %s, is %s commits away, more than %d", base, from, between, far)
	}
	if status, err := git("status", "--porcelain"); err != nil || status != "" {
		return all("there are changes that are not committed")
	}
	list, err := git("diff", "--name-only", "--no-renames", "-z", base, "HEAD")
	if err != nil {
		return all("%v", err)
	}
	deleted, err := git("diff", "--name-only", "--no-renames", "--diff-filter=D", base, "HEAD")
	if err != nil {
		return all("%v", err)
	}
	c := changes{gone: deleted != "", why: fmt.Sprintf("compared with %s, named by %s, %d commits ago", base, from, n)}
	for _, file := range strings.Split(list, "\x00") {
		if file != "" && file != ".ci/whole" && file != ".ci/flaky" { // which each landing writes
			c.files = append(c.files, file)
		}
	}
	return c
}

func git(ctx context.Context, root string, args ...string) (string, error) {
	args = append([]string{"-C", root}, args...)
	return output(exec.CommandContext(ctx, "git", args...)) //nolint:gosec // the arguments are ours
}

// output runs a command and returns what it prints, or an error with what it says.
func output(cmd *exec.Cmd) (string, error) {
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args, " "), err, strings.TrimSpace(said.String()))
	}
	return strings.TrimSpace(string(out)), nil
}

// isDocument reports whether a file is read by people only.
func isDocument(file string) bool {
	return strings.HasSuffix(file, ".md") || strings.HasPrefix(file, "docs/pictures/")
}

func (c changes) onlyDocuments() bool {
	for _, file := range c.files {
		if !isDocument(file) {
			return false
		}
	}
	return len(c.files) > 0
}
