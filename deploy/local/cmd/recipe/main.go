// Command recipe makes typical changes in a copy of the project, as docs/development.md says, and fails if one takes
// more places than it may, or if a test finds a place that was forgotten. deploy/local/recipe.sh starts it with the
// servers of the tests.
//
//	recipe [PATTERN]
//
// A pattern is a part of names.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"shop.internal/deploy/local/copied"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, strings.Join(os.Args[1:], " ")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, pattern string) error {
	list, err := recipes(text)
	if err != nil {
		return err
	}
	tree, err := filepath.Abs(".local/recipe/tree")
	if err != nil {
		return err
	}
	var failed []error
	for _, r := range list {
		if !strings.Contains(r.name, pattern) {
			continue
		}
		began := time.Now()
		if err := try(ctx, tree, r); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", r.name, err))
			fmt.Printf("FAIL  %s\n", r.name)
			continue
		}
		fmt.Printf("ok    %-45s %d edits in %d places, at most %d, in %.0f s\n",
			r.name, len(r.edits), len(r.places()), r.most, time.Since(began).Seconds())
	}
	return errors.Join(failed...)
}

// try follows a recipe in a fresh copy and runs its commands.
func try(ctx context.Context, tree string, r recipe) error {
	if n := len(r.places()); n > r.most {
		return fmt.Errorf("it takes %d places, more than %d: %s", n, r.most, strings.Join(r.places(), ", "))
	}
	if err := copied.CheckOut(ctx, tree); err != nil {
		return err
	}
	clean := exec.CommandContext(ctx, "git", "clean", "-qfd") // what the recipe before has added
	clean.Dir = tree
	if err := clean.Run(); err != nil {
		return fmt.Errorf("clean the copy: %w", err)
	}
	if err := r.follow(tree); err != nil {
		return err
	}
	for _, line := range r.runs {
		if err := command(ctx, tree, tree, line); err != nil {
			return err
		}
	}
	if len(r.pages) == 0 {
		return nil
	}
	page := filepath.Join(tree, "services/storefront/web")
	if err := linkPackages(tree, "node_modules", "services/storefront/web/node_modules"); err != nil {
		fmt.Printf("NOT TESTED: the page of %s, whose packages are not installed: %v\n", r.name, err)
		return nil
	}
	for _, line := range r.pages {
		if err := command(ctx, tree, page, line); err != nil {
			return err
		}
	}
	return nil
}

func command(ctx context.Context, tree, folder, line string) error {
	cmd := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", line) //nolint:gosec // the commands are ours
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GOWORK="+filepath.Join(tree, "go.work"), "SHOP_FORM=short")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", line, err, lastLines(string(out)))
	}
	return nil
}

// lastLines is the end of an output, and of each line the beginning.
func lastLines(text string) string {
	const most, longest = 60, 400
	lines := strings.Split(text, "\n")
	lines = lines[max(0, len(lines)-most):]
	for i, line := range lines {
		lines[i] = line[:min(len(line), longest)]
	}
	return strings.Join(lines, "\n")
}

// linkPackages links the installed packages of the page into the copy.
func linkPackages(tree string, folders ...string) error {
	for _, folder := range folders {
		installed, err := filepath.Abs(folder)
		if err != nil {
			return err
		}
		if _, err := os.Stat(installed); err != nil {
			return err
		}
		if err := os.Symlink(installed, filepath.Join(tree, folder)); err != nil && !os.IsExist(err) {
			return err
		}
	}
	return nil
}
