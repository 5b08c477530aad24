package approval_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

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

func (f *faulty) Renew(ctx context.Context, id string) error {
	fails := f.fails("renew")
	if fails && !f.after {
		return errFault
	}
	err := f.Store.Renew(ctx, id)
	if fails {
		return errFault
	}
	return err
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
		if _, err := q.EndAll(ctx, approval.Filter{}, approval.Denied, "the gateway ends"); !failed(err) {
			told[r.ID] = approval.Denied
		}
	}
	return told, faults
}

// Who waits for a question whose lease cannot be renewed is told so at once: nobody else would
// learn that it ends.
func TestLeaseThatCannotBeRenewed(t *testing.T) {
	for _, after := range []bool{false, true} {
		s, err := store.Open(t.Context(), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		f := &faulty{Store: s, nth: 3, after: after} // submit, get, renew
		q := approval.Open(f, approval.Options{})
		r, err := q.Ask(t.Context(), approval.Request{Agent: "a", Category: approval.Network, Action: "x", Digest: "d", Lease: approval.MinLease})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := q.Wait(t.Context(), r.ID); !errors.Is(err, errFault) || f.what != "renew" || got.ID != r.ID || got.State.Final() {
			t.Errorf("made %v: got %+v, %v after %q failed, want the waiting question and what failed", after, got, err, f.what)
		}
		q.Close()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A request is refused one byte, person or moment beyond each bound, and taken at it. What is
// refused is not stored.
func TestBoundsOfRequests(t *testing.T) {
	s, err := store.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	q := approval.Open(s, approval.Options{})
	defer q.Close()
	text := func(n int) string { return strings.Repeat("x", n) }
	for name, change := range map[string]func(r *approval.Request, beyond int){
		"action":      func(r *approval.Request, beyond int) { r.Action = text(approval.MaxAction + beyond) },
		"description": func(r *approval.Request, beyond int) { r.Description = text(approval.MaxText + beyond) },
		"reason":      func(r *approval.Request, beyond int) { r.Reason = text(approval.MaxText + beyond) },
		"target":      func(r *approval.Request, beyond int) { r.Target = text(approval.MaxText + beyond) },
		"key":         func(r *approval.Request, beyond int) { r.Key = text(approval.MaxText + beyond) },
		"session":     func(r *approval.Request, beyond int) { r.Session = text(approval.MaxText + beyond) },
		"agent":       func(r *approval.Request, beyond int) { r.Agent = text(approval.MaxText + beyond) },
		"metadata": func(r *approval.Request, beyond int) {
			r.Metadata = []byte(`"` + text(approval.MaxMetadata-2+beyond) + `"`)
		},
		"JSON":         func(r *approval.Request, beyond int) { r.Metadata = []byte(text(beyond)) },
		"people":       func(r *approval.Request, beyond int) { r.Needs = approval.MaxPeople + beyond },
		"no people":    func(r *approval.Request, beyond int) { r.Needs = -beyond },
		"long lease":   func(r *approval.Request, beyond int) { r.Lease = approval.MaxLease + time.Duration(beyond) },
		"short lease":  func(r *approval.Request, beyond int) { r.Lease = approval.MinLease - time.Duration(beyond) },
		"NUL, session": func(r *approval.Request, beyond int) { r.Session = "x" + strings.Repeat("\x00", beyond) },
		"NUL, key":     func(r *approval.Request, beyond int) { r.Key = "x" + strings.Repeat("\x00", beyond) },
		"NUL, target":  func(r *approval.Request, beyond int) { r.Target = "x" + strings.Repeat("\x00", beyond) },
		"NUL, agent":   func(r *approval.Request, beyond int) { r.Agent = "x" + strings.Repeat("\x00", beyond) },
		"digest":       func(r *approval.Request, beyond int) { r.Digest = text(1 - beyond) },
		"no action":    func(r *approval.Request, beyond int) { r.Action = text(1 - beyond) },
		"category":     func(r *approval.Request, beyond int) { r.Category += approval.Category(text(beyond)) },
	} {
		for beyond := range 2 {
			r := approval.Request{Agent: "a", Category: approval.Network, Action: name, Digest: "d"}
			change(&r, beyond)
			before, err := s.List(t.Context(), approval.Filter{})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := q.Ask(t.Context(), r); (err != nil) != (beyond > 0) {
				t.Errorf("%s, %d beyond its bound: got %v", name, beyond, err)
			}
			if now, err := s.List(t.Context(), approval.Filter{}); err != nil || len(now) != len(before)+1-beyond {
				t.Errorf("%s, %d beyond its bound: %d questions are stored, %v, want %d", name, beyond, len(now), err, len(before)+1-beyond)
			}
		}
	}
	asked, err := q.Ask(t.Context(), approval.Request{Agent: "a", Category: approval.Network, Action: "answered", Digest: "d"})
	if err != nil {
		t.Fatal(err)
	}
	for name, a := range map[string]approval.Answer{
		"a long note": {ID: asked.ID, Digest: asked.Digest, By: approval.ByCLI, Approve: true, Note: text(approval.MaxText + 1)},
		"a long rule": {ID: asked.ID, Digest: asked.Digest, By: approval.ByCLI, Approve: true, Rule: text(approval.MaxText + 1)},
	} {
		if r, err := q.Answer(t.Context(), a); err == nil {
			t.Errorf("%s: %+v, want an error", name, r)
		}
	}
	if r, err := q.Answer(t.Context(), approval.Answer{ID: asked.ID, Digest: asked.Digest, By: approval.ByCLI, Approve: true, Note: text(approval.MaxText), Rule: text(approval.MaxText)}); err != nil || r.State != approval.Approved {
		t.Errorf("a note and a rule at their bounds: %s, %v, want an approval", r.State, err)
	}
}

// meanwhile settles the first question of a list before the caller has the list.
type meanwhile struct{ approval.Store }

func (m meanwhile) List(ctx context.Context, f approval.Filter) ([]approval.Request, error) {
	list, err := m.Store.List(ctx, f)
	if err == nil && len(list) > 0 {
		_, err = m.Store.End(ctx, list[0].ID, approval.Cancelled, "")
	}
	return list, err
}

// Bulk and Shutdown count only the questions that they settle, and ignore the others.
func TestCountOfSettled(t *testing.T) {
	s, err := store.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	q := approval.Open(meanwhile{s}, approval.Options{})
	defer q.Close()
	var answers []approval.Answer
	for _, c := range []approval.Category{approval.Exec, approval.Network, approval.Network, approval.Exec, approval.Git} {
		r, err := q.Ask(t.Context(), approval.Request{Agent: "a", Category: c, Action: fmt.Sprint("act ", len(answers)), Digest: "d"})
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, approval.Answer{ID: r.ID, Digest: "d", Approve: true, By: approval.ByWeb, Operator: "ada"})
	}
	for _, want := range []int{3, 0} { // each Exec needs an answer of its own
		if n, err := q.Bulk(t.Context(), append(answers, approval.Answer{ID: "req-99", Digest: "d", Approve: true, By: approval.ByWeb})); n != want || err != nil {
			t.Errorf("Bulk settled %d, %v, want %d", n, err, want)
		}
	}
	if n, err := q.EndAll(t.Context(), approval.Filter{}, approval.Denied, "the gateway ends"); n != 1 || err != nil {
		t.Errorf("Shutdown settled %d, %v, want 1 of 2: the other was settled meanwhile", n, err)
	}
}
