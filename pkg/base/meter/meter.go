// Package meter counts and times what happens in a process, for the metrics of its operations port. What the shop
// counts and times is declared in this package, with its name, its help and its labels.
package meter

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// maxSeries bounds the series of one figure. What would be one more is counted under the label values "other".
const maxSeries = 200

// Meter has the metrics of one process. A nil Meter counts and times nothing.
type Meter struct {
	// Registry has the metrics for Prometheus, which shows one only when it has a series; declared has all of them.
	Registry *prometheus.Registry
	declared []Metric
	clock    func() time.Time
	counts   [counters]family[prometheus.Counter]
	times    [timers]family[prometheus.Observer]
}

// New returns the metrics that every process has, beginning at 0. clock measures durations.
func New(clock func() time.Time) *Meter {
	m := &Meter{Registry: prometheus.NewRegistry(), clock: clock}
	for c, f := range counted {
		m.counts[c].with = m.Counter(f.name, f.help, f.labelNames()...).WithLabelValues
		m.counts[c].begin(f.labels)
	}
	for t, f := range timed {
		m.times[t].with = m.Histogram(f.name, f.help, bounds, f.labelNames()...).WithLabelValues
		m.times[t].begin(f.labels)
	}
	return m
}

// Of returns a series, for callers that count often. The labels are in the order of the declaration.
func (m *Meter) Of(c Counter, labels ...string) prometheus.Counter {
	if m == nil {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: "unseen"})
	}
	return m.counts[c].of(labels)
}

// Count adds 1.
func (m *Meter) Count(c Counter, labels ...string) { m.Add(c, 1, labels...) }

// Add adds n, which is not negative.
func (m *Meter) Add(c Counter, n int64, labels ...string) {
	if m != nil {
		m.counts[c].of(labels).Add(float64(n))
	}
}

// Result returns the label of a result: OK for no error, Refused for one of the given kinds, and Failed for others.
func Result(err error, refusals ...error) string {
	if err == nil {
		return OK
	}
	for _, refusal := range refusals {
		if errors.Is(err, refusal) {
			return Refused
		}
	}
	return Failed
}

// Now returns the time for Took, and the zero time from a nil Meter.
func (m *Meter) Now() time.Time {
	if m == nil {
		return time.Time{}
	}
	return m.clock()
}

// Took records and returns the time since start.
func (m *Meter) Took(t Timer, start time.Time, labels ...string) time.Duration {
	if m == nil {
		return 0
	}
	took := m.clock().Sub(start)
	m.times[t].of(labels).Observe(took.Seconds())
	return took
}

// family is all series of a figure, by the joined values of their labels.
type family[T any] struct {
	with   func(labels ...string) T
	series sync.Map
	n      atomic.Int64
}

// begin creates the series whose label values are all declared.
func (f *family[T]) begin(labels []label, values ...string) {
	if len(labels) == 0 {
		f.of(values)
		return
	}
	for _, v := range labels[0].values {
		f.begin(labels[1:], append(slices.Clip(values), v)...)
	}
}

func (f *family[T]) of(labels []string) T {
	key := strings.Join(labels, "\x00")
	if s, ok := f.series.Load(key); ok {
		return s.(T) // nothing else is stored
	}
	if f.n.Load() >= maxSeries {
		return f.with(slices.Repeat([]string{Other}, len(labels))...)
	}
	s, known := f.series.LoadOrStore(key, f.with(slices.Clone(labels)...)) // labels stay on the stack of the caller
	if !known {
		f.n.Add(1)
	}
	return s.(T) // nothing else is stored
}
