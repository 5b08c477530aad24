package guardserver

import (
	"cmp"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/umpire-dev/umpire/guard"
	"github.com/umpire-dev/umpire/internal/modelproxy"
)

// Metrics counts the work of guards, the proxy and the server. No label contains a text, a
// user, a tenant, or anything else that a request chooses.
type Metrics struct {
	registry *prometheus.Registry
	checks   *prometheus.CounterVec
	took     *prometheus.HistogramVec
	requests *prometheus.CounterVec
	served   *prometheus.HistogramVec
	proxied  *prometheus.CounterVec
	tools    *prometheus.CounterVec
	observed *prometheus.CounterVec
	failures prometheus.Counter
}

// quick lists the buckets of the histogram of checks, in seconds: most checks take microseconds.
var quick = []float64{5e-6, 1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 1e-2, 5e-2, 0.25, 1, 5}

// NewMetrics returns metrics with a separate registry.
func NewMetrics() *Metrics {
	m := &Metrics{
		observed: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "umpire_guard_observed_total", Help: "Verdicts of stages on texts that passed them, because a stage only observes or an exception holds."}, []string{"pipeline", "stage", "verdict", "category", "excepted"}),
		registry: prometheus.NewRegistry(),
		checks:   prometheus.NewCounterVec(prometheus.CounterOpts{Name: "umpire_guard_checks_total", Help: "Verdicts of stages, and of whole pipelines as stage \"all\"."}, []string{"pipeline", "stage", "verdict", "category"}),
		took:     prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "umpire_guard_check_duration_seconds", Help: "Duration of stages and of complete pipelines.", Buckets: quick}, []string{"pipeline", "stage"}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "umpire_http_requests_total", Help: "Requests by route and status."}, []string{"route", "status"}),
		served:   prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "umpire_http_request_duration_seconds", Help: "How long requests took.", Buckets: prometheus.DefBuckets}, []string{"route"}),
		proxied:  prometheus.NewCounterVec(prometheus.CounterOpts{Name: "umpire_model_proxy_requests_total", Help: "Requests to the model proxy by wire format and outcome."}, []string{"format", "outcome"}),
		tools:    prometheus.NewCounterVec(prometheus.CounterOpts{Name: "umpire_model_proxy_tool_results_total", Help: "Tool results that the model proxy had not seen before."}, []string{"result"}),
		failures: prometheus.NewCounter(prometheus.CounterOpts{Name: "umpire_guard_model_failures_total", Help: "Failures of a model after which the text was judged without it."}),
	}
	m.registry.MustRegister(m.Collectors()...)
	m.registry.MustRegister(m.proxied, m.tools, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Check counts an event of a pipeline; it is a guard.Observer.
func (m *Metrics) Check(e guard.Event) {
	stage := cmp.Or(e.Stage, "all")
	m.checks.WithLabelValues(e.Pipeline, stage, e.Verdict.String(), string(e.Category)).Inc()
	m.took.WithLabelValues(e.Pipeline, stage).Observe(e.Took.Seconds())
	if e.Stage != "" {
		return // the event of the pipeline also has what its stages observed
	}
	for _, o := range e.Observed {
		m.observed.WithLabelValues(e.Pipeline, o.Stage, o.Verdict.String(), string(o.Category), strconv.FormatBool(o.Excepted)).Inc()
	}
}

// ModelFailed counts a failure of the model that classifies texts.
func (m *Metrics) ModelFailed() { m.failures.Inc() }

// Proxied counts a request to the model proxy.
func (m *Metrics) Proxied(s modelproxy.Seen) {
	m.proxied.WithLabelValues(s.Format, s.Outcome).Inc()
	m.tools.WithLabelValues("unchanged").Add(float64(s.Tools - s.Cleaned))
	m.tools.WithLabelValues("changed").Add(float64(s.Cleaned))
	m.tools.WithLabelValues("tainted").Add(float64(s.Tainted))
}

func (m *Metrics) request(route string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, strconv.Itoa(status)).Inc()
	m.served.WithLabelValues(route).Observe(took.Seconds())
}

func (m *Metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
