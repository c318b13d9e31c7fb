package server

import (
	"net/http"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"shop.internal/pkg/domain/platform/admission"
	"shop.internal/pkg/kit/op"
)

// Metrics are the metrics of one service, in a registry of their own. They are labelled by declared path, of which
// there is a fixed number, never by what a client sent.
type Metrics struct {
	// Registry accepts further collectors, such as those of a pool or of a job.
	Registry *prometheus.Registry

	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	inFlight prometheus.Gauge
}

// NewMetrics returns metrics with those of the runtime and the process.
func NewMetrics() *Metrics {
	m := &Metrics{
		Registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "http_requests_total", Help: "Answered requests by declared path, method and errno of the envelope.",
		}, []string{"path", "method", "errno"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "http_request_duration_seconds", Help: "Time from the first check to the written answer, by declared path.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"path"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "http_requests_in_flight", Help: "Requests being answered.",
		}),
	}
	m.Registry.MustRegister(m.requests, m.duration, m.inFlight,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Observe counts an answered request.
func (m *Metrics) Observe(r op.Result) {
	m.requests.WithLabelValues(r.Path, r.Method, strconv.Itoa(r.Errno)).Inc()
	m.duration.WithLabelValues(r.Path).Observe(r.Took.Seconds())
}

// Gauge is a figure that is read when the metrics are asked for.
type Gauge struct {
	Name, Help string
	// Labels distinguish the figures of one name.
	Labels map[string]string
	Value  func() float64
}

// Show adds figures, of which each has a name or labels of its own.
func (m *Metrics) Show(gauges ...Gauge) {
	for _, g := range gauges {
		m.Registry.MustRegister(prometheus.NewGaugeFunc(
			prometheus.GaugeOpts{Name: g.Name, Help: g.Help, ConstLabels: g.Labels}, g.Value))
	}
}

// Admission shows what a controller admits and refuses, by class.
func (m *Metrics) Admission(c *admission.Controller) {
	for _, class := range admission.Classes() {
		labels := prometheus.Labels{"class": class.String()}
		gauge := func(name, help string, of func(admission.State) int) prometheus.Collector {
			return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help, ConstLabels: labels},
				func() float64 { return float64(of(c.State(class))) })
		}
		m.Registry.MustRegister(
			gauge("admission_places", "Places of a class of work, 0 for any number.",
				func(s admission.State) int { return s.Places }),
			gauge("admission_held", "Requests that have a place.", func(s admission.State) int { return s.Held }),
			gauge("admission_waiting", "Requests that wait for a place.", func(s admission.State) int { return s.Waiting }),
			prometheus.NewCounterFunc(prometheus.CounterOpts{
				Name: "admission_refused_total", Help: "Requests refused because their class was full.", ConstLabels: labels,
			}, func() float64 { return float64(c.State(class).Refused) }),
		)
	}
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
	return promhttp.HandlerFor(m.Registry, promhttp.HandlerOpts{})
}
