package approval_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/store"
)

var errFault = errors.New("the store failed")

// faulty is a store whose nth call fails, before or after it is made.
type faulty struct {
	approval.Store
	nth   int
	after bool

	mu   sync.Mutex // a queue settles many at once
	at   int
	what string
}

func (f *faulty) fails(what string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.at++; f.at != f.nth {
		return false
	}
	f.what = what
	return true
}

func (f *faulty) Submit(ctx context.Context, r approval.Request) (approval.Request, []approval.Request, error) {
	fails := f.fails("submit")
	if fails && !f.after {
		return approval.Request{}, nil, errFault
	}
	stored, old, err := f.Store.Submit(ctx, r)
	if fails {
		return approval.Request{}, nil, errFault
	}
	return stored, old, err
}

func (f *faulty) settle(what string, do func() (approval.Request, error)) (approval.Request, error) {
	fails := f.fails(what)
	if fails && !f.after {
		return approval.Request{}, errFault
	}
	r, err := do()
	if fails {
		return approval.Request{}, errFault
	}
	return r, err
}

func (f *faulty) Answer(ctx context.Context, a approval.Answer) (approval.Request, error) {
	return f.settle("answer", func() (approval.Request, error) { return f.Store.Answer(ctx, a) })
}

func (f *faulty) End(ctx context.Context, id string, s approval.State, note string) (approval.Request, error) {
	return f.settle("end", func() (approval.Request, error) { return f.Store.End(ctx, id, s, note) })
}

func (f *faulty) Get(ctx context.Context, id string) (approval.Request, error) {
	return f.settle("get", func() (approval.Request, error) { return f.Store.Get(ctx, id) })
}

func (f *faulty) List(ctx context.Context, filter approval.Filter) ([]approval.Request, error) {
	if f.fails("list") {
		return nil, errFault
	}
	return f.Store.List(ctx, filter)
}

// A question is asked, answered and waited for while the store fails at its nth call. Nobody
// is told of an approval that a person did not give, and an error is never swallowed.
func TestQueueOverAFaultyStore(t *testing.T) {
	for _, after := range []bool{false, true} {
		for n := 1; ; n++ {
			s, err := store.Open(t.Context(), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			f := &faulty{Store: s, nth: n, after: after}
			q := approval.Open(f, approval.Options{})
			told, faults := day(t, q)
			q.Close()
			at := fmt.Sprintf("call %d (%s, made %v)", n, f.what, after)
			if want := min(1, len(f.what)); faults != want {
				t.Errorf("%s: %d errors were reported, want %d", at, faults, want)
			}
			for id, state := range told {
				r, err := s.Get(t.Context(), id)
				if err != nil || r.State != state {
					t.Errorf("%s: a caller was told %s, and the store has %s, %v", at, state, r.State, err)
				}
				if r.State == approval.Approved && r.Operator != "ada" {
					t.Errorf("%s: approved by %q", at, r.Operator)
				}
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if f.what == "" {
				if len(told) != 4 || n < 8 {
					t.Fatalf("without a fault %d questions were settled, over %d calls", len(told), n-1)
				}
				break
			}
		}
	}
}

// day asks four questions: one is approved, one denied in bulk, one cancelled and one ended by
// the shutdown. It returns what callers were told, and how many errors they got.
func day(t *testing.T, q *approval.Queue) (told map[string]approval.State, faults int) {
	t.Helper()
	ctx := t.Context()
	told = map[string]approval.State{}
	failed := func(err error) bool {
		if errors.Is(err, errFault) {
			faults++
		} else if err != nil {
			t.Error(err)
		}
		return err != nil
	}
	settled := func(r approval.Request, err error) {
		if !failed(err) {
			told[r.ID] = r.State
		}
	}
	ask := func(action string) (approval.Request, bool) {
		r, err := q.Ask(ctx, approval.Request{Agent: "a", Category: approval.Network, Action: action, Digest: "d"})
		return r, !failed(err)
	}
	if r, ok := ask("one"); ok {
		_, err := q.Answer(ctx, approval.Answer{ID: r.ID, Digest: "d", Approve: true, By: approval.ByWeb, Operator: "ada"})
		if !failed(err) {
			settled(q.Wait(ctx, r.ID))
		}
	}
	if r, ok := ask("two"); ok {
		n, err := q.Bulk(ctx, []approval.Answer{{ID: r.ID, Digest: "d", By: approval.ByWeb, Operator: "ada"}})
		if !failed(err) && n == 1 {
			told[r.ID] = approval.Denied
		}
	}
	if r, ok := ask("three"); ok {
		settled(q.Cancel(ctx, r.ID))
	}
	if r, ok := ask("four"); ok {
		if _, err := q.Shutdown(ctx, "the gateway ends"); !failed(err) {
			told[r.ID] = approval.Denied
		}
	}
	return told, faults
}
