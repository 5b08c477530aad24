//go:build unix

package store_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/store"
)

// told is what everybody was told by a store, of all requests.
type told struct {
	mu      sync.Mutex
	ids     []string
	byKey   map[string]string
	settled map[string][]string            // by request: what its end was told as, once for each who was told that he made it
	votes   map[string]map[string]struct{} // by request: who was told that his vote counts
}

func (o *told) any() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.ids) == 0 {
		return "none"
	}
	return o.ids[len(o.ids)-1-rand.IntN(min(len(o.ids), 20))]
}

func (o *told) end(id, how string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.settled[id] = append(o.settled[id], how)
}

// Whatever many gateways do at once, in any order: a request ends once, as the one was told
// who ended it; a key is one request; one question about a file is open; two people are two.
func testProperties(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, where string) {
		stores := []*store.Store{s}
		if strings.HasPrefix(where, "postgres") {
			stores = append(stores, open(t, where), open(t, where))
		}
		o := &told{byKey: map[string]string{}, settled: map[string][]string{}, votes: map[string]map[string]struct{}{}}
		var wg sync.WaitGroup
		for i := range 12 {
			wg.Go(func() {
				for range 60 {
					step(t, stores[i%len(stores)], o)
				}
			})
		}
		wg.Wait()
		for _, s := range stores { // what each wrote gets its place in the record
			if _, err := s.Head(t.Context()); err != nil {
				t.Error(err)
			}
		}
		check(t, s, o, !strings.HasPrefix(where, "postgres"))
	})
}

func step(t *testing.T, s *store.Store, o *told) {
	ctx := t.Context()
	switch rand.IntN(8) {
	case 0, 1, 2:
		r := request("x")
		r.Category = approval.Filesystem
		switch rand.IntN(5) {
		case 0:
			r.Key = fmt.Sprint("k", rand.IntN(10))
		case 1:
			r.Target = fmt.Sprint("file", rand.IntN(3))
		case 2:
			r.Needs = 2
		case 3:
			r.Expires = time.Now().Add(rand.N(20 * time.Millisecond))
		}
		got, superseded, err := s.Submit(ctx, r)
		if err != nil {
			t.Error(err)
			return
		}
		o.mu.Lock()
		if old := o.byKey[r.Key]; r.Key != "" && old != "" && old != got.ID {
			t.Errorf("the key %s is two requests", r.Key)
		}
		o.byKey[r.Key] = got.ID
		if got.ID == r.ID {
			o.ids = append(o.ids, got.ID)
		}
		o.mu.Unlock()
		for _, old := range superseded {
			o.end(old.ID, "superseded")
		}
	case 3, 4, 5:
		a := approval.Answer{ID: o.any(), Digest: "d-x", Approve: rand.IntN(3) > 0, Operator: []string{"ada", "bob", ""}[rand.IntN(3)], By: approval.ByWeb}
		if rand.IntN(8) == 0 {
			a.Digest = "other"
		}
		got, err := s.Answer(ctx, a)
		switch {
		case err == nil && (a.Digest == "other" || a.Operator == "" && a.Approve && got.Needs > 1):
			t.Errorf("it counts: %+v to %+v", a, got)
		case err == nil && got.State.Final():
			o.end(got.ID, string(got.State)+" by "+a.Operator)
			fallthrough
		case err == nil:
			if a.Approve {
				o.mu.Lock()
				if o.votes[got.ID] == nil {
					o.votes[got.ID] = map[string]struct{}{}
				}
				if _, twice := o.votes[got.ID][a.Operator]; twice {
					t.Errorf("%s votes twice for %s", a.Operator, got.ID)
				}
				o.votes[got.ID][a.Operator] = struct{}{}
				o.mu.Unlock()
			}
		case errors.Is(err, approval.ErrSettled):
			if !got.State.Final() {
				t.Errorf("settled, and %s", got.State)
			}
		case !errors.Is(err, approval.ErrNone) && !errors.Is(err, approval.ErrChanged) && !errors.Is(err, approval.ErrDuplicate) && !errors.Is(err, approval.ErrPeople):
			t.Error(err)
		}
	case 6:
		got, err := s.End(ctx, o.any(), approval.Cancelled, "")
		if err == nil {
			o.end(got.ID, "cancelled")
		} else if !errors.Is(err, approval.ErrSettled) && !errors.Is(err, approval.ErrNone) {
			t.Error(err)
		}
	case 7:
		ended, err := s.Expire(ctx, time.Now(), time.Now())
		if err != nil {
			t.Error(err)
		}
		for _, r := range ended {
			o.end(r.ID, string(r.State))
			if r.State != approval.Expired {
				t.Errorf("its time is over, and it is %s", r.State)
			}
		}
	}
}

// check checks what must hold of all requests. PostgreSQL leaves out numbers of changes that it
// undid: gapless says that none may be missing.
func check(t *testing.T, s *store.Store, o *told, gapless bool) {
	t.Helper()
	ctx := t.Context()
	if _, err := s.Verify(ctx); err != nil {
		t.Error(err)
	}
	resolved := map[string]int{}
	events, err := s.Events(ctx, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if e.Kind == "resolve" {
			resolved[e.Request]++
		}
	}
	open, seqs := map[string]bool{}, map[int64]bool{}
	for _, id := range o.ids {
		r, err := s.Get(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		if seqs[r.Seq] || r.Seq < 1 || gapless && r.Seq > int64(len(o.ids)) {
			t.Errorf("the number %d of %d is used twice, or one was left out", r.Seq, len(o.ids))
		}
		seqs[r.Seq] = true
		if !r.State.Final() {
			if r.Target != "" && open[r.Target] {
				t.Errorf("two questions about %s are open", r.Target)
			}
			open[r.Target] = true
			if resolved[id] != 0 || len(o.settled[id]) != 0 {
				t.Errorf("%s is open, and was settled: %v", id, o.settled[id])
			}
			continue
		}
		how := string(r.State)
		if r.State == approval.Approved || r.State == approval.Denied {
			how += " by " + r.Operator
		}
		// That it had expired is found by an answer that came too late as well, and told as that.
		if told := o.settled[id]; resolved[id] != 1 || len(told) > 1 || len(told) == 0 && r.State != approval.Expired || len(told) == 1 && told[0] != how {
			t.Errorf("%s is %s, with %d events, and was told as %v", id, how, resolved[id], told)
		}
		if r.State == approval.Approved && r.Needs > 1 && (len(r.Votes) != 2 || r.Votes[0].Operator == r.Votes[1].Operator || len(o.votes[id]) != 2) {
			t.Errorf("approved by %v, who were told %v", r.Votes, o.votes[id])
		}
	}
}
