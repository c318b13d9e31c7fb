package e2e

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// The environment says where the shop is and who may log in.
var (
	storefront = &service{name: "storefront", base: address("STOREFRONT_URL"), header: "X-Shop-Token"}
	admin      = &service{name: "admin", base: address("ADMIN_URL"), header: "X-Shop-Admin-Token"}
	messages   = os.Getenv("SHOP_MESSAGES") // the file of the log sender, which alone reveals verification codes
	operator   = cmp.Or(os.Getenv("SHOP_OPERATOR"), "super")
	password   = cmp.Or(os.Getenv("SHOP_PASSWORD"), "demo-shop-1") // of the operator and of the demo shoppers
)

// address reads the base address of a service.
func address(variable string) string { return strings.TrimRight(os.Getenv(variable), "/") }

func TestMain(m *testing.M) {
	flag.Parse()
	if messages == "" {
		fmt.Fprintln(os.Stderr, "SHOP_MESSAGES does not name the file of the log sender, which the verification codes are read from.")
		os.Exit(1)
	}
	if err := connect(storefront, admin); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if part := flag.Lookup("test.run").Value.String(); code == 0 && part == "" {
		code = report(storefront, admin)
	}
	os.Exit(code)
}

// connect reads the documents of the services.
func connect(services ...*service) error {
	errs := make([]error, len(services))
	var wg sync.WaitGroup
	for i, s := range services {
		wg.Go(func() { errs[i] = s.open() })
	}
	wg.Wait()
	return cmp.Or(errs...)
}

// report names the operations that were never called with success, and returns the exit code.
func report(services ...*service) int {
	total, missed := 0, []string{}
	for _, s := range services {
		total += len(s.operations)
		missed = append(missed, s.missed()...)
	}
	if len(missed) == 0 {
		fmt.Printf("ok    all %d operations of both services were called\n", total)
		return 0
	}
	slices.Sort(missed)
	fmt.Printf("FAIL  operations that no scenario calls:\n      %s\n", strings.Join(missed, "\n      "))
	return 1
}

// scenario is one test with its last call.
type scenario struct {
	t    *testing.T
	last *exchange
	said map[string]bool // faults of answers that were reported: a call may be repeated
}

// begin starts a scenario, in parallel with the others, and prints its line if it passes.
func begin(t *testing.T, title string) *scenario {
	t.Helper()
	t.Parallel()
	start := time.Now()
	t.Cleanup(func() {
		if !t.Failed() {
			fmt.Printf("ok    %-90s %5.1f s\n", title, time.Since(start).Seconds())
		}
	})
	return &scenario{t: t, said: map[string]bool{}}
}

// fail reports a difference, and the call that it was found in.
func (s *scenario) fail(format string, args ...any) {
	s.t.Helper()
	s.t.Errorf("%s\n%s", fmt.Sprintf(format, args...), s.last)
}

// violation reports once what violates the API document.
func (s *scenario) violation(what, operation string, faults []string) {
	s.t.Helper()
	if text := operation + strings.Join(faults, "; "); len(faults) > 0 && !s.said[text] {
		s.said[text] = true
		s.fail("%s does not fit the API document: %s", what, strings.Join(faults, "; "))
	}
}

// stop fails and ends the scenario.
func (s *scenario) stop(format string, args ...any) {
	s.t.Helper()
	s.t.Fatalf("%s\n%s", fmt.Sprintf(format, args...), s.last)
}

// equal compares two values of the last answer.
func equal[T comparable](s *scenario, what string, want, got T) {
	s.t.Helper()
	if want != got {
		s.fail("%s: expected %v, got %v", what, want, got)
	}
}

// eventually waits for effects that follow later: pages are cached for a second, payments arrive a moment later.
func (s *scenario) eventually(what string, ask func() bool) {
	s.t.Helper()
	for end := time.Now().Add(15 * time.Second); !ask(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			s.stop("not within 15 s: %s", what)
		}
	}
}
