package meter

import (
	"cmp"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
)

// Kind is what a metric is for Prometheus.
type Kind string

// The kinds of metrics.
const (
	// KindCounter only grows, KindGauge goes up and down, KindHistogram counts durations by length.
	KindCounter   Kind = "counter"
	KindGauge     Kind = "gauge"
	KindHistogram Kind = "histogram"
)

// Metric is the declaration of a metric.
type Metric struct {
	Name   string
	Kind   Kind
	Labels []string
	Help   string
}

// Declare notes a metric that something else collects.
func (m *Meter) Declare(kind Kind, name, help string, labels ...string) {
	if !slices.ContainsFunc(m.declared, func(known Metric) bool { return known.Name == name }) {
		m.declared = append(m.declared, Metric{Name: name, Kind: kind, Labels: labels, Help: help})
	}
}

// Declared returns the declarations by name.
func (m *Meter) Declared() []Metric {
	return slices.SortedFunc(slices.Values(m.declared), func(a, b Metric) int { return cmp.Compare(a.Name, b.Name) })
}

// Counter adds a counter and returns it.
func (m *Meter) Counter(name, help string, labels ...string) *prometheus.CounterVec {
	m.Declare(KindCounter, name, help, labels...)
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	m.Registry.MustRegister(c)
	return c
}

// Histogram adds a histogram of seconds and returns it. bounds are the upper bounds of its buckets.
func (m *Meter) Histogram(name, help string, bounds []float64, labels ...string) *prometheus.HistogramVec {
	m.Declare(KindHistogram, name, help, labels...)
	h := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: bounds}, labels)
	m.Registry.MustRegister(h)
	return h
}

// Gauge adds a figure that is read when the metrics are asked for. by is empty, or a label and its value; each value is
// added on its own.
func (m *Meter) Gauge(name, help string, value func() float64, by ...string) {
	labels := constant(by)
	m.Declare(KindGauge, name, help, by[:len(labels)]...)
	m.Registry.MustRegister(prometheus.NewGaugeFunc(
		prometheus.GaugeOpts{Name: name, Help: help, ConstLabels: labels}, value))
}

// Total is Gauge for a figure that only grows.
func (m *Meter) Total(name, help string, value func() float64, by ...string) {
	labels := constant(by)
	m.Declare(KindCounter, name, help, by[:len(labels)]...)
	m.Registry.MustRegister(prometheus.NewCounterFunc(
		prometheus.CounterOpts{Name: name, Help: help, ConstLabels: labels}, value))
}

func constant(by []string) prometheus.Labels {
	if len(by) == 0 {
		return nil
	}
	return prometheus.Labels{by[0]: by[1]}
}
