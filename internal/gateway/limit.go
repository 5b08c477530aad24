package gateway

import (
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// limiter limits each credential to rate calls per second, with bursts of twice as many.
type limiter struct {
	rate float64 // 0: no limit
	now  func() time.Time

	mu    sync.Mutex
	left  map[string]*bucket // by token ID; people make the tokens, which bounds the map
	swept time.Time
}

type bucket struct {
	left float64
	at   time.Time
}

// sweepLimits is the interval of sweeps, and the idle time after which a credential is forgotten.
const sweepLimits = time.Minute

// allow reports whether a credential may make one more call now, and otherwise how long it must
// wait.
func (l *limiter) allow(id string) (wait time.Duration, ok bool) {
	if l.rate <= 0 {
		return 0, true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if now.Sub(l.swept) > sweepLimits {
		l.swept = now
		for id, b := range l.left {
			if now.Sub(b.at) > sweepLimits {
				delete(l.left, id)
			}
		}
	}
	b := l.left[id]
	if b == nil {
		b = &bucket{left: 2 * l.rate, at: now}
		l.left[id] = b
	}
	b.left = min(2*l.rate, b.left+max(0, now.Sub(b.at).Seconds())*l.rate)
	b.at = now
	if b.left < 1 {
		return time.Duration((1 - b.left) / l.rate * float64(time.Second)), false
	}
	b.left--
	return 0, true
}

// errTooMany is the answer to a credential that exceeds its rate.
var errTooMany = fault{http.StatusTooManyRequests, "too many calls with this credential: try again later"}

// limited reports whether a credential exceeds its rate, and then answers the call.
func (g *Gateway) limited(w http.ResponseWriter, p Principal) bool {
	wait, ok := g.limits.allow(p.ID)
	if ok {
		return false
	}
	g.metrics.refused.Inc()
	w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	respond(w, errTooMany.status, map[string]string{"error": errTooMany.msg})
	return true
}
