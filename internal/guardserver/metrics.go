package guardserver

import (
	"strconv"
	"time"

	"github.com/umpire-dev/umpire/guard"
	"github.com/umpire-dev/umpire/internal/metrics"
	"github.com/umpire-dev/umpire/internal/modelproxy"
)

// Metrics counts what guards, the proxy and the server do. No label has a text, a user or
// a tenant, nor anything else that a request chooses.
type Metrics struct {
	registry metrics.Registry
	checks   *metrics.Family
	took     *metrics.Family
	requests *metrics.Family
	served   *metrics.Family
	proxied  *metrics.Family
	tools    *metrics.Family
	observed *metrics.Family
	failures *metrics.Family
}

// quick are the bounds of a check's histogram, in seconds: most take microseconds.
var quick = []float64{5e-6, 1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 1e-2, 5e-2, 0.25, 1, 5}

// slow are the bounds of a request's.
var slow = []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// NewMetrics returns metrics of their own registry.
func NewMetrics() *Metrics {
	m := &Metrics{}
	m.observed = m.registry.Counter("umpire_guard_observed_total", "Verdicts of stages on texts that passed them, because a stage only observes or an exception holds.", "pipeline", "stage", "verdict", "category", "excepted")
	m.checks = m.registry.Counter("umpire_guard_checks_total", "Verdicts of stages, and of whole pipelines as stage \"all\".", "pipeline", "stage", "verdict", "category")
	m.took = m.registry.Histogram("umpire_guard_check_seconds", "How long stages and whole pipelines took.", quick, "pipeline", "stage")
	m.requests = m.registry.Counter("umpire_http_requests_total", "Requests by route and status.", "route", "status")
	m.served = m.registry.Histogram("umpire_http_request_seconds", "How long requests took.", slow, "route")
	m.proxied = m.registry.Counter("umpire_proxy_requests_total", "Requests to the model proxy by wire format and outcome.", "format", "outcome")
	m.tools = m.registry.Counter("umpire_proxy_tool_results_total", "Tool results that the model proxy had not seen before.", "result")
	m.failures = m.registry.Counter("umpire_guard_model_failures_total", "Failures of a model after which the text was judged without it.")
	return m
}

// Check counts an event of a pipeline; it is a guard.Observer.
func (m *Metrics) Check(e guard.Event) {
	stage := e.Stage
	if stage == "" {
		stage = "all"
	}
	m.checks.Inc(e.Pipeline, stage, e.Verdict.String(), string(e.Category))
	m.took.Observe(e.Took.Seconds(), e.Pipeline, stage)
	if e.Stage != "" {
		return // the whole has it as well
	}
	for _, o := range e.Observed {
		m.observed.Inc(e.Pipeline, o.Stage, o.Verdict.String(), string(o.Category), strconv.FormatBool(o.Excepted))
	}
}

// ModelFailed counts a failure of the model that classifies texts.
func (m *Metrics) ModelFailed() { m.failures.Inc() }

// Proxied counts a request to the model proxy.
func (m *Metrics) Proxied(s modelproxy.Seen) {
	m.proxied.Inc(s.Format, s.Outcome)
	m.tools.Add(float64(s.Tools-s.Cleaned), "unchanged")
	m.tools.Add(float64(s.Cleaned), "changed")
	m.tools.Add(float64(s.Tainted), "tainted")
}

func (m *Metrics) request(route string, status int, took time.Duration) {
	m.requests.Inc(route, strconv.Itoa(status))
	m.served.Observe(took.Seconds(), route)
}
