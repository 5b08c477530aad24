package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/store"
)

// Expired things stay expired even if the clock is set back. Once the gateway sees that rules,
// sessions and login links are over, it removes them from the store. It marks tokens instead,
// because they stay in lists.

func (t *Token) over(now time.Time) bool {
	return t.Ended || !t.Expires.IsZero() && !now.Before(t.Expires)
}

// endToken marks a token that has expired or is about to be removed. why is its name in the event.
func (g *Gateway) endToken(ctx context.Context, hash, by, why string) error {
	err := g.store.Transact(ctx, func(t *store.Tx) error {
		body, err := t.Get(tokenRecord, hash)
		if err != nil || body == nil { // revoked in the meantime
			return err
		}
		var tok Token
		if err := json.Unmarshal(body, &tok); err != nil {
			return err
		}
		switch {
		case why == "expired" && (tok.Ended || !tok.over(g.now())): // renewed in the meantime
			return nil
		case why != "expired" && tok.Ended && tok.Lease == 0:
			return nil
		case why != "expired": // it is being revoked: no renewal may bring it back, even if it has expired
			tok.Lease = 0
		}
		tok.Ended = true
		return errors.Join(t.Put(tokenRecord, hash, encode(tok)), t.Event(tokenRecord, hash, by, map[string]string{why: tok.ID}))
	})
	g.known.Store(nil)
	return err
}

// endings ends what has expired. It reads the store only after a change or at an expiry.
type endings struct {
	seen [4]uint64 // versions of the kinds at the last read
	next time.Time // the next expiry; zero if there is none
	late time.Time // the sleepDetector.late of the last call
}

// sleepDetector notices that the gateway did not run, by the time of day: a monotonic clock stops while the
// machine sleeps.
type sleepDetector struct {
	mu   sync.Mutex // guards the fields below
	last time.Time  // the last beat
	late time.Time  // until then, the holders of leases may renew them late
}

// beat notes that the gateway runs, and returns until when leases may be renewed late.
func (a *sleepDetector) beat(now time.Time) time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	if now.Sub(a.last).Abs() > maxGap {
		a.late = now.Add(lateFor)
	}
	a.last = now
	return a.late
}

// allowsLateRenewal reports whether a lease that is over may still be renewed.
func (a *sleepDetector) allowsLateRenewal(now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return now.Before(a.late) || now.Sub(a.last).Abs() > maxGap
}

// errLapsed is the answer to a token whose lease may still be renewed. Open calls go on, and clients try
// again: their machine may have slept with the gateway.
var errLapsed = fault{http.StatusServiceUnavailable, "the lease of this token is over, and its holder may still renew it: try again"}

// lapsed returns errLapsed if an agent's lease is over and may still be renewed: until then, nothing
// begins for the agent. endWork stops what waits if the agent does not come back.
func (g *Gateway) lapsed(ctx context.Context, agent string) error {
	if !g.awake.allowsLateRenewal(g.now().Round(0)) {
		return nil
	}
	records, err := g.store.Records(ctx, tokenRecord)
	for _, r := range records {
		if err == nil && agent != "" && strings.HasPrefix(r.ID, agent) {
			if err := g.good(ctx, r.ID); errors.Is(err, errLapsed) {
				return err
			}
		}
	}
	return err
}

// A gateway that starts, or that did not run for maxGap, gives the holders of leases lateFor to renew
// them before it ends their work: they may have slept with it.
const (
	maxGap  = 10 * time.Second
	lateFor = 90 * time.Second
)

var endingKinds = [4]string{tokenRecord, "rules", loginRecord, sessionRecord} // kinds of events

// sweep ends everything that has expired. After an error, the next call tries again.
func (e *endings) sweep(ctx context.Context, g *Gateway) error {
	var now [4]uint64
	for i, kind := range endingKinds { // taken before the read, so that a later change is read next time
		now[i] = g.store.Version(kind)
	}
	at := g.now().Round(0)
	if late := g.awake.beat(at); !late.Equal(e.late) {
		e.late, e.next = late, at
	}
	if now == e.seen && (e.next.IsZero() || at.Before(e.next)) {
		return nil
	}
	var next time.Time
	again := func(t time.Time) {
		if next.IsZero() || t.Before(next) {
			next = t
		}
	}
	for _, kind := range []string{tokenRecord, ruleRecord, loginRecord, sessionRecord} {
		records, err := g.store.Records(ctx, kind)
		if err != nil {
			return err
		}
		for _, r := range records {
			var o struct {
				Expires time.Time `json:"expiresAt"`
				Ended   bool      `json:"ended"`
				Effect  string    `json:"type"`
				Text    string    `json:"rule"`
				Lease   int64     `json:"lease"`
			}
			err := json.Unmarshal(r.Body, &o)
			if err != nil || !o.Ended && o.Expires.IsZero() {
				continue // an invalid record: its user reports the fault
			}
			if !o.Ended && at.Before(o.Expires) {
				again(o.Expires)
				continue
			}
			switch kind {
			case tokenRecord:
				if err = g.endToken(ctx, r.ID, "", "expired"); err != nil {
					break
				}
				if o.Lease > 0 && at.Before(e.late) {
					again(e.late)
				} else if !over(g.good(ctx, r.ID)) { // renewed in the meantime, which makes no event
					again(at)
				} else { // also if a revocation failed before it ended the work
					why := tokenRevoked
					if o.Lease > 0 {
						why = "the lease of the agent's token ended"
					} else if !o.Expires.IsZero() && !at.Before(o.Expires) {
						why = "the agent's token expired"
					}
					err = g.endWork(ctx, r.ID[:12], "the end of its token", why)
				}
			case ruleRecord:
				_, err = g.dropRules(ctx, kind, r.ID, "", map[string]string{"expired": o.Effect + " " + o.Text})
			default:
				err = g.dropSession(ctx, kind, r.ID, "")
			}
			if err != nil {
				return err
			}
		}
	}
	e.seen, e.next = now, next
	return nil
}
