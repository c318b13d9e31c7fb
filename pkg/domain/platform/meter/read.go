package meter

import "time"

// Sample is the state of one series.
type Sample struct {
	// Figure is the declaration, Values are those of its labels.
	Figure *Declared
	Values []string
	// Total is the number counted, or the number of durations.
	Total int64
	// Sum and Buckets are those of a timer, whose buckets have the number of durations up to a bound.
	Sum     time.Duration
	Buckets map[time.Duration]int64
}

// Figures returns the declarations of all counters and timers.
func Figures() (counters, timers []*Declared) {
	for c := range counted {
		counters = append(counters, &counted[c])
	}
	for t := range timed {
		timers = append(timers, &timed[t])
	}
	return counters, timers
}

// Values returns the declared values of a counter's label.
func Values(c Counter, label string) []string {
	for _, l := range counted[c].Labels {
		if l.Name == label {
			return l.Values
		}
	}
	return nil
}

// Value returns what was counted in one series.
func (m *Meter) Value(c Counter, labels ...string) int64 {
	if m == nil {
		return 0
	}
	return m.Of(c, labels...).n.Load()
}

// Each calls fn with the state of every series.
func (m *Meter) Each(fn func(Sample)) {
	if m == nil {
		return
	}
	for c := range counters {
		figure := &counted[c]
		m.counts[c].each(len(figure.Labels), func(values []string, s *Count) {
			fn(Sample{Figure: figure, Values: values, Total: s.n.Load(), Sum: 0, Buckets: nil})
		})
	}
	for t := range timers {
		figure := &timed[t]
		m.times[t].each(len(figure.Labels), func(values []string, s *durations) { fn(s.sample(figure, values)) })
	}
}

func (d *durations) sample(figure *Declared, values []string) Sample {
	all := Sample{
		Figure: figure, Values: values, Total: 0, Sum: time.Duration(d.sum.Load()), Buckets: map[time.Duration]int64{},
	}
	for i := range d.buckets {
		all.Total += d.buckets[i].Load()
		if i < len(bounds) {
			all.Buckets[bounds[i]] = all.Total
		}
	}
	return all
}

// Gauge is a figure that is read when the metrics are asked for.
type Gauge struct {
	Name, Help string
	// Grows says that it only grows, as a counter does.
	Grows bool
	// Labels distinguish the figures of one name.
	Labels map[string]string
	Value  func() float64
}
