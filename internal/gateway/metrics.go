package gateway

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/umpire-dev/umpire/internal/approval"
)

// metrics are the counters of this gateway for Prometheus. Labels contain no text of an agent and
// no error of the database.
type metrics struct {
	http.Handler
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	answers  *prometheus.CounterVec
	waited   prometheus.Histogram
	notices  *prometheus.CounterVec
	refused  prometheus.Counter
	proxied  *prometheus.CounterVec
	misused  prometheus.Counter
	found    *prometheus.CounterVec
}

func newMetrics(g *Gateway) *metrics {
	r := prometheus.NewRegistry()
	counter := func(name, help string) prometheus.CounterOpts {
		return prometheus.CounterOpts{Namespace: "umpire", Name: name, Help: help}
	}
	m := &metrics{
		registry: r,
		requests: prometheus.NewCounterVec(counter("gateway_requests_total", "Requests by category, and by their status when they were stored."), []string{"category", "status"}),
		answers:  prometheus.NewCounterVec(counter("gateway_answers_total", "Answers of people through this gateway."), []string{"category", "status"}),
		waited: prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: "umpire", Name: "gateway_answer_duration_seconds", Help: "Time from a request to a person's answer.",
			Buckets: prometheus.ExponentialBuckets(1, 4, 8)}),
		notices: prometheus.NewCounterVec(counter("gateway_notifications_total", "Notifications by result."), []string{"result"}),
		proxied: prometheus.NewCounterVec(counter("proxy_requests_total", "Requests and tunnels of the proxy, by form and status."), []string{"form", "status"}),
		misused: prometheus.NewCounter(counter("proxy_secrets_misused_total", "Requests refused because they had a placeholder where its secret must not go.")),
		found:   prometheus.NewCounterVec(counter("proxy_body_findings_total", "Bodies in which the guard found something, by rule."), []string{"rule"}),
		refused: prometheus.NewCounter(counter("gateway_rate_limited_calls_total", "Calls refused because their credential made too many.")),
	}
	r.MustRegister(m.requests, m.answers, m.waited, m.notices, m.refused, m.proxied, m.misused, m.found, waitingNow{g}, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.Handler = promhttp.HandlerFor(r, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
	return m
}

// waitingNow counts the pending requests at each scrape. All gateways of a store report the same.
type waitingNow struct{ g *Gateway }

var (
	waitingDesc  = prometheus.NewDesc("umpire_gateway_pending_requests", "Requests that wait for a person. Absent while the database does not answer.", []string{"category"}, nil)
	databaseDesc = prometheus.NewDesc("umpire_gateway_database_up", "1 while the database answers, else 0.", nil, nil)
)

// countWithin is how long a scrape waits for the database.
const countWithin = 5 * time.Second

// Describe implements prometheus.Collector.
func (waitingNow) Describe(to chan<- *prometheus.Desc) {
	to <- waitingDesc
	to <- databaseDesc
}

// Collect implements prometheus.Collector. It does not fail without the database, so that the other
// metrics remain. The database's error, which names hosts and tables, goes to the log.
func (w waitingNow) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), countWithin)
	defer cancel()
	counts, err := w.g.store.CountPending(ctx)
	if err != nil {
		w.g.log.Warn("the waiting requests cannot be counted", "error", err)
		to <- prometheus.MustNewConstMetric(databaseDesc, prometheus.GaugeValue, 0)
		return
	}
	to <- prometheus.MustNewConstMetric(databaseDesc, prometheus.GaugeValue, 1)
	for _, c := range approval.Categories() {
		to <- prometheus.MustNewConstMetric(waitingDesc, prometheus.GaugeValue, float64(counts[c]), string(c))
	}
}
