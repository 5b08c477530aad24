package gateway

import (
	"context"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/metrics"
)

// counted are what this gateway counts, for Prometheus. No label has a text of an agent's.
type counted struct {
	metrics.Registry
	requests *metrics.Family
	answers  *metrics.Family
	waited   *metrics.Family
	notices  *metrics.Family
	refused  *metrics.Family
	proxied  *metrics.Family
	misused  *metrics.Family
	found    *metrics.Family
}

func newCounted(g *Gateway) *counted {
	m := &counted{}
	m.requests = m.Counter("umpire_gateway_requests_total", "Requests by category, and by what rules and modes said at once.", "category", "status")
	m.answers = m.Counter("umpire_gateway_answers_total", "Answers of people through this gateway.", "category", "status")
	m.waited = m.Histogram("umpire_gateway_answer_seconds", "How long requests waited for a person.", []float64{1, 4, 16, 64, 256, 1024, 4096, 16384})
	m.notices = m.Counter("umpire_gateway_notifications_total", "Notifications by result.", "result")
	m.proxied = m.Counter("umpire_proxy_requests_total", "Requests and tunnels of the proxy, by form and status.", "form", "status")
	m.misused = m.Counter("umpire_proxy_secrets_misused_total", "Requests refused because they had a placeholder where its secret must not go.")
	m.found = m.Counter("umpire_proxy_bodies_found_total", "Bodies in which the guard found something.", "rule")
	m.refused = m.Counter("umpire_gateway_rate_limited_total", "Calls refused because their credential made too many.")
	// All gateways of a store see the same requests wait.
	m.Gauge("umpire_gateway_pending", "Requests that wait for a person.", "category", func(ctx context.Context) (map[string]float64, error) {
		counts, err := g.store.CountPending(ctx)
		pending := map[string]float64{}
		for _, c := range approval.Categories() {
			pending[string(c)] = float64(counts[c])
		}
		return pending, err
	})
	return m
}
