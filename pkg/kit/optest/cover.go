package optest

import (
	"flag"
	"fmt"
	"io"
	"os"
	"sync"
	"testing"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/golden"
	"shop.internal/pkg/kit/op"
)

// shown are the answers that the tests have checked.
type shown struct {
	mu      sync.Mutex
	answers map[string]map[*errno.Code]bool
}

// seen is shared by the tests of a package, which are one process.
var seen shown

func (s *shown) add(key string, code *errno.Code) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.answers == nil {
		s.answers = map[string]map[*errno.Code]bool{}
	}
	if s.answers[key] == nil {
		s.answers[key] = map[*errno.Code]bool{}
	}
	s.answers[key][code] = true
}

// missing returns what no test has checked: the success of each operation and each of its own codes.
func (s *shown) missing(specs []op.Spec) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, spec := range specs {
		if spec.IsRaw() {
			continue
		}
		answers := spec.Fails
		if !spec.Refused() {
			answers = append([]*errno.Code{errno.OK}, answers...)
		}
		for _, code := range answers {
			if !s.answers[spec.Key()][code] {
				out = append(out, fmt.Sprintf("%s: no test shows %d %s", spec.Key(), code.Num, code.Name))
			}
		}
	}
	return out
}

// Main runs the tests of a package and then requires that they have shown the success of each of the operations, by a
// golden file if it has data, and each of its Fails, and that no golden file is unused. It returns the exit code:
//
//	func TestMain(m *testing.M) { os.Exit(optest.Main(m, order.Ops(nil)...)) }
//
// A run that was narrowed, by -run, -skip, a benchmark or a fuzz target, requires nothing.
func Main(m *testing.M, ops ...op.Op) int {
	specs, err := op.Specs(ops...)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	code := m.Run()
	if code != 0 || narrowed() {
		return code
	}
	unused, err := golden.Unused()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	for i, path := range unused {
		unused[i] = path + ": no test compares anything with this file"
	}
	return report(os.Stderr, append(seen.missing(specs), unused...))
}

func report(w io.Writer, missing []string) int {
	for _, line := range missing {
		fmt.Fprintln(w, line)
	}
	if len(missing) > 0 {
		fmt.Fprintln(w, "FAIL: tests show every answer of an operation, and golden files are what they compare")
		return 1
	}
	return 0
}

func narrowed() bool {
	for _, name := range []string{"test.run", "test.skip", "test.bench", "test.fuzz", "test.list"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			return true
		}
	}
	return false
}
