// Command mutants tests the tests: it introduces known faults one at a time into a copy of the project, and fails if a
// test does not notice one. deploy/local/mutants.sh starts it with the servers of the tests.
//
//	mutants [-n COUNT] [-seed SEED] [-timeout TIME] [PATTERN]
//
// With a count it chooses that many by the seed, or those whose files SHOP_CHANGED names, one in each line. A pattern
// is a part of names.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// attempts is how often a test runs with a fault: a race does not lose every time.
const attempts = "5"

func main() {
	count := flag.Int("n", 0, "how many faults, 0 for all")
	seed := flag.Uint64("seed", 1, "chooses which ones")
	limit := flag.Duration("timeout", 0, "how long a test may take before it counts as hanging, 0 for ever")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *count, *seed, *limit, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, count int, seed uint64, limit time.Duration, pattern string) (err error) {
	list, err := faults(text)
	if err != nil {
		return err
	}
	if changed := changed(list, strings.Fields(os.Getenv("SHOP_CHANGED"))); len(changed) > 0 {
		list, count = changed, 0
	}
	list = choose(list, count, seed, pattern)
	if len(list) == 0 {
		return fmt.Errorf("no fault has %q in its name", pattern)
	}
	tree, err := filepath.Abs(".local/mutants/tree")
	if err != nil {
		return err
	}
	if err := checkOut(ctx, tree); err != nil {
		return err
	}
	var missed []string
	for i, f := range list {
		began := time.Now()
		fresh := !slices.ContainsFunc(list[:i], func(before fault) bool { return before.pkg == f.pkg })
		if err := try(ctx, tree, f, fresh, limit); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			missed = append(missed, f.name)
			fmt.Printf("FAIL  %-55s %v\n", f.name, err)
			continue
		}
		fmt.Printf("ok    %-55s caught by %s in %.0f s\n", f.name, strings.Replace(f.test, "$", "", 1),
			time.Since(began).Seconds())
	}
	if len(missed) > 0 {
		return fmt.Errorf("%d of %d faults are not caught: %s", len(missed), len(list), strings.Join(missed, ", "))
	}
	fmt.Printf("all %d faults were caught\n", len(list))
	return nil
}

// changed returns the faults that edit one of these files.
func changed(list []fault, files []string) []fault {
	return slices.DeleteFunc(slices.Clone(list), func(f fault) bool {
		return !slices.ContainsFunc(f.edits, func(e edit) bool { return slices.Contains(files, e.file) })
	})
}

// choose returns the faults whose name has the pattern, count of them if it is not 0.
func choose(list []fault, count int, seed uint64, pattern string) []fault {
	var chosen []fault
	for _, f := range list {
		if strings.Contains(f.name, pattern) {
			chosen = append(chosen, f)
		}
	}
	if count > 0 && count < len(chosen) {
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(chosen), func(i, j int) { //nolint:gosec // it must be repeatable
			chosen[i], chosen[j] = chosen[j], chosen[i]
		})
		chosen = chosen[:count]
	}
	return chosen
}

// checkOut makes the copy, with the changes that are not committed. It stays, so that the next run need not compile
// everything again.
func checkOut(ctx context.Context, tree string) error {
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

// try fails unless the test of a fault passes without it and fails with it. fresh says that the tests of its package
// are not yet compiled without faults.
func try(ctx context.Context, tree string, f fault, fresh bool, limit time.Duration) (err error) {
	test := filepath.Join(filepath.Dir(tree), "fault.test")
	sound := filepath.Join(filepath.Dir(tree), strings.ReplaceAll(f.pkg, "/", "-")+".test")
	if fresh {
		if out, err := compile(ctx, tree, f, sound); err != nil {
			return fmt.Errorf("the test does not compile: %w\n%s", err, out)
		}
	}
	if out, err := runTest(ctx, tree, f, sound, "1", limit); err != nil || !strings.Contains(out, "--- PASS: ") {
		return fmt.Errorf("%s does not pass without the fault: %w\n%s", f.test, err, out)
	}
	undo, err := introduce(tree, f)
	defer func() { err = errors.Join(err, undo()) }()
	if err != nil {
		return err
	}
	if out, err := compile(ctx, tree, f, test); err != nil {
		return fmt.Errorf("with the fault it does not compile: %w\n%s", err, out)
	}
	out, failed := runTest(ctx, tree, f, test, attempts, limit)
	if failed == nil || !strings.Contains(out, "--- FAIL: ") {
		return fmt.Errorf("%s does not notice it\n%s", f.test, out)
	}
	return nil
}

// compile builds the tests of a package. The script builds without paths, so what has no fault comes from the cache,
// also if it was compiled in the project itself.
func compile(ctx context.Context, tree string, f fault, to string) (string, error) {
	args := []string{"test", "-c", "-vet=off", "-o", to, "./" + f.pkg}
	cmd := exec.CommandContext(ctx, "go", args...) //nolint:gosec // the packages are those of the list
	cmd.Dir = tree
	cmd.Env = append(os.Environ(), "GOWORK="+filepath.Join(tree, "go.work"))
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func runTest(ctx context.Context, tree string, f fault, test, count string, limit time.Duration) (string, error) {
	args := []string{"-test.run", "^" + f.test, "-test.v", "-test.count", count, "-test.failfast"}
	args = append(args, "-test.timeout", limit.String())
	cmd := exec.CommandContext(ctx, test, args...) //nolint:gosec // the program has just been compiled
	cmd.Dir = filepath.Join(tree, f.pkg)
	out, err := cmd.CombinedOutput()
	return lastLines(string(out)), err
}

// lastLines is the end of an output, enough for the failure of one test.
func lastLines(text string) string {
	const most = 8000
	return text[max(0, len(text)-most):]
}
