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

// metrics are what this gateway counts, for Prometheus. No label has a text of an agent's.
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
	m := &metrics{
		registry: r,
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "umpire_gateway_requests_total", Help: "Requests by category, and by what rules and modes said at once."}, []string{"category", "status"}),
		answers:  prometheus.NewCounterVec(prometheus.CounterOpts{Name: "umpire_gateway_answers_total", Help: "Answers of people through this gateway."}, []string{"category", "status"}),
		waited:   prometheus.NewHistogram(prometheus.HistogramOpts{Name: "umpire_gateway_answer_seconds", Help: "How long requests waited for a person.", Buckets: prometheus.ExponentialBuckets(1, 4, 8)}),
		notices:  prometheus.NewCounterVec(prometheus.CounterOpts{Name: "umpire_gateway_notifications_total", Help: "Notifications by result."}, []string{"result"}),
		proxied:  prometheus.NewCounterVec(prometheus.CounterOpts{Name: "umpire_proxy_requests_total", Help: "Requests and tunnels of the proxy, by form and status."}, []string{"form", "status"}),
		misused:  prometheus.NewCounter(prometheus.CounterOpts{Name: "umpire_proxy_secrets_misused_total", Help: "Requests refused because they had a placeholder where its secret must not go."}),
		found:    prometheus.NewCounterVec(prometheus.CounterOpts{Name: "umpire_proxy_bodies_found_total", Help: "Bodies in which the guard found something."}, []string{"rule"}),
		refused:  prometheus.NewCounter(prometheus.CounterOpts{Name: "umpire_gateway_rate_limited_total", Help: "Calls refused because their credential made too many."}),
	}
	r.MustRegister(m.requests, m.answers, m.waited, m.notices, m.refused, m.proxied, m.misused, m.found, waitingNow{g}, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.Handler = promhttp.HandlerFor(r, promhttp.HandlerOpts{})
	return m
}

// waitingNow counts what waits when it is asked, which all gateways of a store see alike.
type waitingNow struct{ g *Gateway }

var waitingDesc = prometheus.NewDesc("umpire_gateway_pending", "Requests that wait for a person.", []string{"category"}, nil)

// Describe implements prometheus.Collector.
func (waitingNow) Describe(to chan<- *prometheus.Desc) { to <- waitingDesc }

// Collect implements prometheus.Collector.
func (w waitingNow) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	counts, err := w.g.store.CountPending(ctx)
	if err != nil {
		to <- prometheus.NewInvalidMetric(waitingDesc, err)
		return
	}
	for _, c := range approval.Categories() {
		to <- prometheus.MustNewConstMetric(waitingDesc, prometheus.GaugeValue, float64(counts[c]), string(c))
	}
}
