package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/store"
)

// A command that is claimed has a lease, a record of its own that its gateway changes every
// now and then. One that stays the same for long belongs to a gateway that is gone. Who looks
// compares the record with what it was, by a clock of its own: those of two machines may
// differ.
const (
	leaseRecord  = "lease"
	renewEvery   = 3 * time.Second
	leaseFor     = 15 * time.Second
	sweepEvery   = 3 * time.Second
	finishWithin = 10 * time.Second // at the end, for results that could not be kept before
)

type lease struct {
	Node string `json:"node"`
	N    int    `json:"n"`
}

// watch is what a gateway saw of leases: their bodies, and since when.
type watch map[string]struct {
	body  string
	since time.Time
}

// claim reports whether this gateway is the one that carries a request out.
func (g *Gateway) claim(ctx context.Context, id string) (bool, error) {
	if _, err := g.store.Record(ctx, executionRecord, id); !errors.Is(err, store.ErrNoRecord) {
		return false, err // most often another one was faster
	}
	err := g.store.Transact(ctx, func(t *store.Tx) error {
		old, err := t.Get(executionRecord, id)
		if err != nil {
			return err
		}
		if old != nil {
			return errUnchanged
		}
		held, err := json.Marshal(lease{Node: g.node})
		if err != nil {
			return err
		}
		x := Execution{Status: "running", Node: g.node, Started: g.now().UnixMilli()}
		return errors.Join(putExecution(t, id, x), t.Put(leaseRecord, id, held), t.Event("execute", id, g.node, map[string]string{"status": x.Status}))
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
	body, err := json.Marshal(x)
	if err != nil {
		return err
	}
	return t.Put(executionRecord, id, body)
}

// renew keeps the claim while the command runs.
func (g *Gateway) renew(ctx context.Context, id string) {
	tick := time.NewTicker(renewEvery)
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		held, err := json.Marshal(lease{g.node, n})
		if err == nil {
			err = g.store.Transact(ctx, func(t *store.Tx) error {
				old, err := t.Get(leaseRecord, id)
				if err != nil || old == nil {
					return err // given up meanwhile
				}
				return t.Put(leaseRecord, id, held)
			})
		}
		if err != nil && ctx.Err() == nil {
			g.log.Warn("the claim on a command cannot be renewed now", "request", id, "error", err)
		}
	}
}

// held returns nil when the claim still stands, and errUnchanged if another gateway gave it
// up: then the command must not begin, for its asker was told that nobody knows.
func (g *Gateway) held(ctx context.Context, id string) error {
	for {
		_, err := g.store.Record(ctx, leaseRecord, id)
		if errors.Is(err, store.ErrNoRecord) {
			return errUnchanged
		}
		if err == nil {
			return nil
		}
		select {
		case <-time.After(retryEvery):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// abandon ends executions whose gateway is gone: what they did is not known, and they are not
// begun again. It takes those over that can be, and returns their requests.
func (g *Gateway) abandon(ctx context.Context, seen watch) (mine []approval.Request) {
	records, err := g.store.Records(ctx, leaseRecord)
	if err != nil {
		clear(seen) // whoever could not renew a lease could not for the same reason
		return nil
	}
	still := map[string]bool{}
	for _, rec := range records {
		still[rec.ID] = true
		var l lease
		if json.Unmarshal(rec.Body, &l) == nil && l.Node == g.node {
			continue
		}
		if was := seen[rec.ID]; g.shared && (was.body != string(rec.Body) || g.now().Sub(was.since) < leaseFor) {
			if was.body != string(rec.Body) {
				was.body, was.since = string(rec.Body), g.now()
				seen[rec.ID] = was
			}
			continue
		}
		r, err := g.store.Get(ctx, rec.ID)
		if err != nil && !errors.Is(err, approval.ErrNone) {
			continue // tried again in a while
		}
		again, taken := false, false
		if e, err := keptEffective(&r); err == nil {
			again = e.again()
		}
		err = g.store.Transact(ctx, func(t *store.Tx) error {
			held, err := t.Get(leaseRecord, rec.ID)
			if err != nil {
				return err
			}
			if string(held) != string(rec.Body) {
				return errUnchanged
			}
			x, err := execution(t, rec.ID)
			if err != nil && !errors.Is(err, approval.ErrNone) {
				return err
			}
			if taken = err == nil && x.Status == "running" && again; err != nil || x.Status != "running" {
				return t.Put(leaseRecord, rec.ID, nil)
			}
			if again {
				held, err := json.Marshal(lease{Node: g.node})
				x.Node = g.node
				return errors.Join(err, putExecution(t, rec.ID, x), t.Put(leaseRecord, rec.ID, held), t.Event("execute", rec.ID, g.node, map[string]string{"status": x.Status}))
			}
			x.Status, x.Completed = "unknown", g.now().UnixMilli()
			x.Result.Stderr = "the gateway ended while this ran: what it did is not known"
			return errors.Join(putExecution(t, rec.ID, x), t.Put(leaseRecord, rec.ID, nil), t.Event("result", rec.ID, g.node, map[string]string{"status": x.Status}))
		})
		if err == nil && taken {
			mine = append(mine, r)
		}
		if err != nil && !errors.Is(err, errUnchanged) {
			g.log.Error("an abandoned command cannot be ended", "request", rec.ID, "error", err)
		}
	}
	for id := range seen {
		if !still[id] {
			delete(seen, id)
		}
	}
	return mine
}
