package server

import (
	"context"
	"net/http"
	"strconv"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"shop.internal/pkg/base/admission"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/kit/op"
)

// Metrics are the metrics of one service. They are labelled by declared path, of which there is a fixed number, never
// by what a client sent.
type Metrics struct {
	*meter.Meter
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	internal prometheus.Counter
	inFlight atomic.Int64
}

// requestBounds are the upper bounds of the buckets for requests, in seconds.
var requestBounds = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// NewMetrics adds the metrics of HTTP, of the runtime and of the process to those of m.
func NewMetrics(m *meter.Meter) *Metrics {
	all := &Metrics{
		Meter: m,
		requests: m.Counter("http_requests_total",
			"Answered requests by declared path, method and errno of the envelope.", "path", "method", "errno"),
		duration: m.Histogram("http_request_duration_seconds",
			"Time from the first check to the written answer, by declared path.", requestBounds, "path"),
		// A series of its own, since that of a path and an errno begins with its first failure, which no rate sees.
		internal: m.Counter("http_internal_errors_total", "Requests that were answered with errno 502.").WithLabelValues(),
	}
	m.Gauge("http_requests_in_flight", "Requests being answered.", func() float64 { return float64(all.inFlight.Load()) })
	m.Registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.Declare(meter.KindGauge, dependencyName, dependencyHelp, dependencyLabel)
	// Of the figures of the Go runtime and the process, those that the shop's dashboards use; the client library has more.
	m.Declare(meter.KindGauge, "go_goroutines", "Goroutines.")
	m.Declare(meter.KindGauge, "go_memstats_heap_inuse_bytes", "Memory in use by the heap.")
	m.Declare(meter.KindCounter, "process_cpu_seconds_total", "Processor time used.")
	m.Declare(meter.KindGauge, "process_max_fds", "The bound of open files and connections.")
	m.Declare(meter.KindGauge, "process_open_fds", "Open files and connections.")
	m.Declare(meter.KindGauge, "process_resident_memory_bytes", "Memory in use by the process.")
	m.Declare(meter.KindGauge, "process_start_time_seconds", "When the process started, as a Unix time.")
	return all
}

// Observe counts an answered request.
func (m *Metrics) Observe(r op.Result) {
	m.requests.WithLabelValues(r.Path, r.Method, strconv.Itoa(r.Errno)).Inc()
	m.duration.WithLabelValues(r.Path).Observe(r.Took.Seconds())
	if r.Errno == errno.Internal.Num {
		m.internal.Inc()
	}
}

const (
	dependencyName  = "dependency_up"
	dependencyHelp  = "1 while a check of /readyz succeeds, 0 while it fails."
	dependencyLabel = "dependency"
)

var dependencyDesc = prometheus.NewDesc(dependencyName, dependencyHelp, []string{dependencyLabel}, nil)

// dependencies shows the checks of /readyz. They run with every reading, so it also covers what was not used for
// a while.
type dependencies struct{ ready *readiness }

// Describe implements prometheus.Collector.
func (c dependencies) Describe(out chan<- *prometheus.Desc) { out <- dependencyDesc }

// Collect implements prometheus.Collector.
func (c dependencies) Collect(out chan<- prometheus.Metric) {
	for i, err := range c.ready.runAll(context.Background()) {
		up := 0.0
		if err == nil {
			up = 1
		}
		out <- prometheus.MustNewConstMetric(dependencyDesc, prometheus.GaugeValue, up, c.ready.checks[i].Name)
	}
}

// ShowAdmission shows what a controller admits and refuses, by class.
func (m *Metrics) ShowAdmission(c *admission.Controller) {
	m.Gauge("admission_delayed", "Requests that are held for a while before they are refused.",
		func() float64 { return float64(c.Delayed()) })
	for _, class := range admission.Classes() {
		by := []string{"class", class.String()}
		m.Gauge("admission_places", "Places of a class of work, 0 for any number.",
			func() float64 { return float64(c.State(class).Places) }, by...)
		m.Gauge("admission_held", "Requests that have a place.",
			func() float64 { return float64(c.State(class).Held) }, by...)
		m.Gauge("admission_waiting", "Requests that wait for a place.",
			func() float64 { return float64(c.State(class).Queued) }, by...)
		m.Total("admission_refused_total", "Requests refused because their class was full.",
			func() float64 { return float64(c.State(class).Refused) }, by...)
	}
}

// counted counts the requests in flight.
func (m *Metrics) counted(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.inFlight.Add(1)
		defer m.inFlight.Add(-1)
		h.ServeHTTP(w, r)
	})
}

func (m *Metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.Registry, promhttp.HandlerOpts{})
}
