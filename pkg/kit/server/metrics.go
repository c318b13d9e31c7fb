package server

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"shop.internal/pkg/domain/platform/admission"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/meter"
	"shop.internal/pkg/kit/op"
)

// Metrics are the metrics of one service, in a registry of their own. They are labelled by declared path, of which
// there is a fixed number, never by what a client sent.
type Metrics struct {
	registry *prometheus.Registry
	declared []Metric

	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	inFlight prometheus.Gauge
	internal prometheus.Counter
}

// Metric is the declaration of a metric.
type Metric struct {
	Name   string
	Kind   meter.Kind
	Labels []string
	Help   string
}

// requestBounds are the upper bounds of the buckets for requests, in seconds.
var requestBounds = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// NewMetrics returns metrics with those of the runtime and the process.
func NewMetrics() *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry()}
	requests := m.declare(Metric{
		"http_requests_total", meter.KindCounter,
		[]string{"path", "method", "errno"},
		"Answered requests by declared path, method and errno of the envelope.",
	})
	m.requests = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: requests.Name, Help: requests.Help,
	}, requests.Labels)
	duration := m.declare(Metric{
		"http_request_duration_seconds", meter.KindHistogram,
		[]string{"path"},
		"Time from the first check to the written answer, by declared path.",
	})
	m.duration = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: duration.Name, Help: duration.Help, Buckets: requestBounds,
	}, duration.Labels)
	inFlight := m.declare(Metric{"http_requests_in_flight", meter.KindGauge, nil, "Requests being answered."})
	m.inFlight = prometheus.NewGauge(prometheus.GaugeOpts{Name: inFlight.Name, Help: inFlight.Help})
	// A series of its own, since that of a path and an errno begins with its first failure, which no rate sees.
	internal := m.declare(Metric{
		"http_internal_errors_total", meter.KindCounter, nil, "Requests that were answered with errno 502.",
	})
	m.internal = prometheus.NewCounter(prometheus.CounterOpts{Name: internal.Name, Help: internal.Help})
	m.declare(dependencyUp)
	m.registry.MustRegister(m.requests, m.duration, m.inFlight, m.internal,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.declared = append(m.declared, runtimeMetrics...)
	return m
}

// runtimeMetrics are those of the Go runtime and the process that the shop's dashboards use; the client library has
// more.
var runtimeMetrics = []Metric{
	{"go_goroutines", meter.KindGauge, nil, "Goroutines."},
	{"go_memstats_heap_inuse_bytes", meter.KindGauge, nil, "Memory in use by the heap."},
	{"process_cpu_seconds_total", meter.KindCounter, nil, "Processor time used."},
	{"process_max_fds", meter.KindGauge, nil, "The bound of open files and connections."},
	{"process_open_fds", meter.KindGauge, nil, "Open files and connections."},
	{"process_resident_memory_bytes", meter.KindGauge, nil, "Memory in use by the process."},
	{"process_start_time_seconds", meter.KindGauge, nil, "When the process started, as a Unix time."},
}

// declare notes a metric for Declared.
func (m *Metrics) declare(d Metric) Metric {
	if !slices.ContainsFunc(m.declared, func(known Metric) bool { return known.Name == d.Name }) {
		m.declared = append(m.declared, d)
	}
	return d
}

// Declared returns the metrics by name.
func (m *Metrics) Declared() []Metric {
	return slices.SortedFunc(slices.Values(m.declared), func(a, b Metric) int { return cmp.Compare(a.Name, b.Name) })
}

// Observe counts an answered request.
func (m *Metrics) Observe(r op.Result) {
	m.requests.WithLabelValues(r.Path, r.Method, strconv.Itoa(r.Errno)).Inc()
	m.duration.WithLabelValues(r.Path).Observe(r.Took.Seconds())
	if r.Errno == errno.Internal.Num {
		m.internal.Inc()
	}
}

// dependencyUp is asked with every reading, so it also tells of what nobody has used for a while.
var dependencyUp = Metric{
	"dependency_up", meter.KindGauge, []string{"dependency"}, "1 while a check of /readyz succeeds, 0 while it fails.",
}

var dependencyDesc = prometheus.NewDesc(dependencyUp.Name, dependencyUp.Help, dependencyUp.Labels, nil)

// dependencies shows the checks of /readyz.
type dependencies struct{ ready *readiness }

// Describe implements prometheus.Collector.
func (c dependencies) Describe(out chan<- *prometheus.Desc) { out <- dependencyDesc }

// Collect implements prometheus.Collector.
func (c dependencies) Collect(out chan<- prometheus.Metric) {
	for i, err := range c.ready.ask(context.Background()) {
		up := 0.0
		if err == nil {
			up = 1
		}
		out <- prometheus.MustNewConstMetric(dependencyDesc, prometheus.GaugeValue, up, c.ready.checks[i].Name)
	}
}

// Show adds figures, of which each has a name or labels of its own.
func (m *Metrics) Show(gauges ...meter.Gauge) {
	for _, g := range gauges {
		var labels []string
		for name := range g.Labels {
			labels = append(labels, name)
		}
		slices.Sort(labels)
		if g.Grows {
			m.declare(Metric{g.Name, meter.KindCounter, labels, g.Help})
			m.registry.MustRegister(prometheus.NewCounterFunc(
				prometheus.CounterOpts{Name: g.Name, Help: g.Help, ConstLabels: g.Labels}, g.Value))
			continue
		}
		m.declare(Metric{g.Name, meter.KindGauge, labels, g.Help})
		m.registry.MustRegister(prometheus.NewGaugeFunc(
			prometheus.GaugeOpts{Name: g.Name, Help: g.Help, ConstLabels: g.Labels}, g.Value))
	}
}

// Admission shows what a controller admits and refuses, by class.
func (m *Metrics) Admission(c *admission.Controller) {
	m.Show(meter.Gauge{
		Name: "admission_delayed", Help: "Requests that are held for a while before they are refused.",
		Value: func() float64 { return float64(c.Delayed()) },
	})
	for _, class := range admission.Classes() {
		show := func(grows bool, name, help string, of func(admission.State) int64) {
			m.Show(meter.Gauge{
				Name: name, Help: help, Grows: grows, Labels: map[string]string{"class": class.String()},
				Value: func() float64 { return float64(of(c.State(class))) },
			})
		}
		show(false, "admission_places", "Places of a class of work, 0 for any number.",
			func(s admission.State) int64 { return int64(s.Places) })
		show(false, "admission_held", "Requests that have a place.", func(s admission.State) int64 { return int64(s.Held) })
		show(false, "admission_waiting", "Requests that wait for a place.",
			func(s admission.State) int64 { return int64(s.Waiting) })
		show(true, "admission_refused_total", "Requests refused because their class was full.",
			func(s admission.State) int64 { return s.Refused })
	}
}

// Meter shows what the domain has counted and timed.
func (m *Metrics) Meter(of *meter.Meter) {
	c := measured{of, map[*meter.Declared]*prometheus.Desc{}}
	counters, timers := meter.Figures()
	add := func(all []*meter.Declared, kind meter.Kind) {
		for _, f := range all {
			var labels []string
			for _, l := range f.Labels {
				labels = append(labels, l.Name)
			}
			m.declare(Metric{f.Name, kind, labels, f.Help})
			c.described[f] = prometheus.NewDesc(f.Name, f.Help, labels, nil)
		}
	}
	add(counters, meter.KindCounter)
	add(timers, meter.KindHistogram)
	m.registry.MustRegister(c)
}

// measured passes the figures of a meter to Prometheus.
type measured struct {
	meter     *meter.Meter
	described map[*meter.Declared]*prometheus.Desc
}

// Describe implements prometheus.Collector.
func (c measured) Describe(out chan<- *prometheus.Desc) {
	for _, d := range c.described {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (c measured) Collect(out chan<- prometheus.Metric) {
	c.meter.Each(func(s meter.Sample) {
		described := c.described[s.Figure]
		if s.Buckets == nil {
			out <- prometheus.MustNewConstMetric(described, prometheus.CounterValue, float64(s.Total), s.Values...)
			return
		}
		buckets := make(map[float64]uint64, len(s.Buckets))
		for bound, n := range s.Buckets {
			buckets[bound.Seconds()] = uint64(n) //nolint:gosec // never negative
		}
		total := uint64(s.Total) //nolint:gosec // never negative
		out <- prometheus.MustNewConstHistogram(described, total, s.Sum.Seconds(), buckets, s.Values...)
	})
}

// counted counts the requests in flight.
func (m *Metrics) counted(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.inFlight.Inc()
		defer m.inFlight.Dec()
		h.ServeHTTP(w, r)
	})
}

func (m *Metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
