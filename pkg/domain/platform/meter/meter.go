// Package meter counts and times what happens in a process, for the metrics of its operations port. Every figure is
// declared in this package, with its name, its help and its labels; it knows no library of metrics.
package meter

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// maxSeries bounds the series of one figure. What would be one more is counted under the label values "other".
const maxSeries = 200

// Meter has the figures of one process. A nil Meter counts nothing.
type Meter struct {
	clock  func() time.Time
	counts [counters]family[Count]
	times  [timers]family[durations]
}

// New returns figures that begin at 0. clock measures durations.
func New(clock func() time.Time) *Meter {
	m := &Meter{clock: clock}
	for c := range counters {
		m.counts[c].begin(counted[c].Labels)
	}
	for t := range timers {
		m.times[t].begin(timed[t].Labels)
	}
	return m
}

// Count is one series of a counter. A nil Count counts nothing.
type Count struct{ n atomic.Int64 }

// Add adds n, which is not negative.
func (c *Count) Add(n int64) {
	if c != nil {
		c.n.Add(n)
	}
}

// Of returns a series, for callers that count often. The labels are in the order of the declaration.
func (m *Meter) Of(c Counter, labels ...string) *Count {
	if m == nil {
		return nil
	}
	return m.counts[c].of(labels)
}

// Count adds 1.
func (m *Meter) Count(c Counter, labels ...string) { m.Of(c, labels...).Add(1) }

// Add adds n, which is not negative.
func (m *Meter) Add(c Counter, n int64, labels ...string) { m.Of(c, labels...).Add(n) }

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
	m.times[t].of(labels).add(took)
	return took
}

// durations is one series of a timer.
type durations struct {
	buckets [len(bounds) + 1]atomic.Int64
	sum     atomic.Int64
}

func (d *durations) add(took time.Duration) {
	i := 0
	for i < len(bounds) && took > bounds[i] {
		i++
	}
	d.buckets[i].Add(1)
	d.sum.Add(int64(took))
}

// family is all series of a figure, by the joined values of their labels.
type family[T any] struct {
	series sync.Map
	n      atomic.Int64
}

const separator = "\x00"

// begin creates the series whose label values are all declared.
func (f *family[T]) begin(labels []Label) {
	keys := []string{""}
	for i, l := range labels {
		var longer []string
		for _, key := range keys {
			for _, v := range l.Values {
				if i > 0 {
					v = key + separator + v
				}
				longer = append(longer, v)
			}
		}
		keys = longer
	}
	for _, key := range keys {
		f.find(key)
	}
}

func (f *family[T]) of(labels []string) *T {
	if len(labels) == 1 {
		return f.find(labels[0])
	}
	return f.find(strings.Join(labels, separator))
}

func (f *family[T]) find(key string) *T {
	if s, ok := f.series.Load(key); ok {
		return s.(*T) // nothing else is stored
	}
	if f.n.Load() >= maxSeries {
		key = Other + strings.Repeat(separator+Other, strings.Count(key, separator))
	}
	s, known := f.series.LoadOrStore(key, new(T))
	if !known {
		f.n.Add(1)
	}
	return s.(*T) // nothing else is stored
}

// each calls fn for every series.
func (f *family[T]) each(labels int, fn func(values []string, s *T)) {
	f.series.Range(func(key, s any) bool {
		var values []string
		if labels > 0 {
			values = strings.Split(key.(string), separator) // nothing else is stored
		}
		fn(values, s.(*T))
		return true
	})
}
