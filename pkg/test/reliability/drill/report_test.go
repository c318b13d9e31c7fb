package drill

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"shop.internal/pkg/test/reliability/workload"
)

// watch keeps what callers have seen.
type watch struct {
	mu      sync.Mutex
	samples []workload.Sample
}

func (w *watch) add(s workload.Sample) {
	s.Answer.Body, s.Answer.Header = nil, nil
	w.mu.Lock()
	defer w.mu.Unlock()
	w.samples = append(w.samples, s)
}

// since returns what was seen of calls that began at that time or later.
func (w *watch) since(begin time.Time) seen {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(w.samples), func(s workload.Sample) bool { return s.Began.Before(begin) })
}

// seen is a part of what callers have seen.
type seen []workload.Sample

// of returns the calls of a kind of callers.
func (s seen) of(kind string) seen {
	return slices.DeleteFunc(slices.Clone(s), func(c workload.Sample) bool { return c.Kind() != kind })
}

func (s seen) failed() seen {
	return slices.DeleteFunc(slices.Clone(s), func(c workload.Sample) bool { return !c.Failed() })
}

// slowest is the duration that a share of the calls did not exceed, 1 for all of them.
func (s seen) slowest(share float64) time.Duration {
	if len(s) == 0 {
		return 0
	}
	took := make([]time.Duration, len(s))
	for i, c := range s {
		took[i] = c.Took
	}
	slices.Sort(took)
	return took[min(len(took)-1, int(share*float64(len(took))))]
}

// outcomes lists what was seen how often, the most frequent first.
func (s seen) outcomes() string {
	count := map[string]int{}
	for _, c := range s {
		count[c.Outcome()]++
	}
	names := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), strings.Compare(a, b))
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%s x %d", name, count[name])
	}
	return strings.Join(names, ", ")
}

// say prints a line with the time since the drill began.
func say(began time.Time, format string, args ...any) {
	fmt.Printf("%6.1f s  %s\n", time.Since(began).Seconds(), fmt.Sprintf(format, args...))
}

func round(d time.Duration) time.Duration {
	if d < time.Second {
		return d.Round(time.Millisecond)
	}
	return d.Round(100 * time.Millisecond)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
