// Package copied makes a copy of the project and edits it, for programs that test the tests.
package copied

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// CheckOut makes the copy in a folder, with the changes that are not committed. It stays, so that the next run need not
// compile everything again.
func CheckOut(ctx context.Context, tree string) error {
	commit, err := git(ctx, "stash", "create")
	if err == nil && commit == "" {
		commit, err = git(ctx, "rev-parse", "HEAD")
	}
	if err != nil {
		return err
	}
	if _, missing := os.Stat(tree); missing != nil {
		_, _ = git(ctx, "worktree", "prune")
		_, err = git(ctx, "worktree", "add", "--quiet", "--detach", tree, commit)
		return err
	}
	_, err = git(ctx, "-C", tree, "checkout", "--quiet", "--force", "--detach", commit)
	return err
}

func git(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "git", args...).CombinedOutput() //nolint:gosec // the arguments are ours
	if err != nil {
		return "", fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

// Edit replaces a text that a file contains exactly once.
type Edit struct{ File, From, To string }

// Make makes the edit below a folder, and returns the file as it was before.
func (e Edit) Make(root string) (before []byte, err error) {
	file := filepath.Join(root, e.File)
	before, err = os.ReadFile(file) //nolint:gosec // the files are those of lists in this module
	if err != nil {
		return nil, err
	}
	if n := strings.Count(string(before), e.From); n != 1 {
		return nil, fmt.Errorf("%s: this text is found %d times instead of once:\n%s", e.File, n, e.From)
	}
	return before, os.WriteFile(file, []byte(strings.Replace(string(before), e.From, e.To, 1)), 0o600)
}
