package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/store"
)

// A claimed command has a lease, a separate record that its gateway renews. An expired lease
// belongs to a dead gateway. Leases use the database's clock, because the clocks of machines
// differ.
const (
	leaseRecord  = "lease"
	renewEvery   = 3 * time.Second
	leaseFor     = 15 * time.Second
	sweepEvery   = 3 * time.Second
	sweepAfter   = 2 * time.Second  // after the database answers again, so that a gateway that could not renew does so first
	finishWithin = 10 * time.Second // at shutdown, for results that could not be stored before
)

type lease struct {
	Node  string `json:"node"`
	Until int64  `json:"until"` // milliseconds
}

func putLease(t *store.Tx, id, node string) error {
	body := encode(lease{node, t.Now().Add(leaseFor).UnixMilli()})
	return t.Put(leaseRecord, id, body)
}

// holds reports whether a lease exists and belongs to this gateway.
func (g *Gateway) holds(body json.RawMessage) bool {
	var l lease
	return json.Unmarshal(body, &l) == nil && l.Node == g.node
}

// claim claims a request for this gateway, and reports whether it succeeded. The caller has the
// request in hand, so a claim of this gateway is an earlier try, whose answer was lost.
func (g *Gateway) claim(ctx context.Context, id string) (bool, error) {
	rec, err := g.store.Record(ctx, executionRecord, id)
	if usual := err == nil && !g.holds(rec.Body); usual || err != nil && !errors.Is(err, store.ErrNoRecord) {
		return false, err // usually another gateway was faster
	}
	err = g.store.Transact(ctx, func(t *store.Tx) error {
		old, err := t.Get(executionRecord, id)
		if err != nil {
			return err
		}
		x := Execution{Status: "running", Node: g.node, Started: g.now().UnixMilli()}
		switch {
		case old == nil:
			return errors.Join(putExecution(t, id, x), putLease(t, id, g.node), t.Event("execute", id, g.node, map[string]string{"status": x.Status}))
		case json.Unmarshal(old, &x) != nil || x.Node != g.node || x.Completed > 0:
			return errUnchanged
		}
		return putLease(t, id, g.node)
	})
	if errors.Is(err, errUnchanged) {
		return false, nil
	}
	return err == nil, err
}

func execution(t *store.Tx, id string) (x Execution, err error) {
	body, err := t.Get(executionRecord, id)
	if err == nil && body == nil {
		err = approval.ErrNone
	}
	if err == nil {
		err = json.Unmarshal(body, &x)
	}
	return x, err
}

func putExecution(t *store.Tx, id string, x Execution) error {
	body := encode(x)
	return t.Put(executionRecord, id, body)
}

// renew renews the lease until ctx ends.
func (g *Gateway) renew(ctx context.Context, id string) {
	for wait := renewEvery; ; {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		err := g.store.Transact(ctx, func(t *store.Tx) error {
			old, err := t.Get(leaseRecord, id)
			if err != nil || !g.holds(old) {
				return err // another gateway took it
			}
			return putLease(t, id, g.node)
		})
		if wait = renewEvery; err != nil && ctx.Err() == nil {
			g.log.Warn("cannot renew the claim on a command", "request", id, "error", err)
			wait = retryEvery / 2
		}
	}
}

// held returns nil if this gateway still has the lease, and errUnchanged if another one ended the
// execution: then the command must not begin, because its agent already has the answer "unknown".
func (g *Gateway) held(ctx context.Context, id string) error {
	for {
		rec, err := g.store.Record(ctx, leaseRecord, id)
		if err == nil && g.holds(rec.Body) {
			return nil
		}
		if err == nil || errors.Is(err, store.ErrNoRecord) {
			return errUnchanged
		}
		select {
		case <-time.After(retryEvery):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// takeInHand makes the caller the only goroutine of this gateway that claims or carries out a
// request, unless there is one already. So a claim of this gateway that nobody has in hand is one
// whose answer was lost.
func (g *Gateway) takeInHand(id string) bool {
	_, other := g.inHand.LoadOrStore(id, true)
	return !other
}

// abandon ends the executions of dead gateways as "unknown", because no one knows what they did. It
// takes over those that can begin again, and returns them, in hand. A gateway that does not share its
// database knows that all other gateways are dead.
func (g *Gateway) abandon(ctx context.Context) (mine []approval.Request) {
	records, err := g.store.Records(ctx, leaseRecord)
	if err != nil {
		g.lost = g.now()
		return nil
	}
	if g.shared && g.now().Sub(g.lost) < sweepAfter {
		return nil
	}
	for _, rec := range records {
		r, err := g.store.Get(ctx, rec.ID)
		if err != nil && !errors.Is(err, approval.ErrNone) {
			continue // the next sweep tries again
		}
		if !g.takeInHand(rec.ID) {
			continue
		}
		again, taken := false, false
		if p, err := StoredPlan(&r); err == nil {
			again = runsAgain(p) && g.has(ctx, p)
		}
		err = g.store.Transact(ctx, func(t *store.Tx) error {
			taken = false
			held, err := t.Get(leaseRecord, rec.ID)
			if err != nil || held == nil {
				return err
			}
			var l lease
			if err := json.Unmarshal(held, &l); err != nil {
				return err
			}
			if l.Node != g.node && g.shared && t.Now().UnixMilli() < l.Until {
				return nil
			}
			x, err := execution(t, rec.ID)
			if err != nil && !errors.Is(err, approval.ErrNone) {
				return err
			}
			if err != nil || x.Status != "running" {
				return t.Put(leaseRecord, rec.ID, nil)
			}
			if taken = again; again {
				x.Node = g.node
				return errors.Join(putExecution(t, rec.ID, x), putLease(t, rec.ID, g.node), t.Event("execute", rec.ID, g.node, map[string]string{"status": x.Status}))
			}
			x.Status, x.Completed = "unknown", g.now().UnixMilli()
			x.Result.ExitCode = host.ExitUnknown // 0 would say that the command succeeded
			x.Result.Stderr = "the gateway stopped while this ran: its effects are unknown"
			return errors.Join(putExecution(t, rec.ID, x), t.Put(leaseRecord, rec.ID, nil), t.Event("result", rec.ID, g.node, map[string]string{"status": x.Status}))
		})
		if err == nil && taken {
			mine = append(mine, r)
		} else {
			g.inHand.Delete(rec.ID)
		}
		if err != nil {
			g.log.Error("cannot end an abandoned command", "request", rec.ID, "error", err)
		}
	}
	return mine
}
