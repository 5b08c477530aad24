//go:build unix

package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
)

// Each operation loses its connection to the database at its first message, at its second, and so
// on until nothing is lost: before the database has the message, and before the store has the
// answer. What is acknowledged is there once, what is refused is not there, and the error says
// that the database is not available. The store goes on as soon as the database answers.
func testEveryTripFails(t *testing.T, where string) {
	for _, after := range []bool{false, true} {
		t.Run(fmt.Sprintf("made=%v", after), func(t *testing.T) {
			var left atomic.Int64 // messages until the connection is cut; none is if negative
			var lose atomic.Bool
			c := newCutter(t, where, func([]byte) bool {
				if left.Add(-1) != 0 {
					return false
				}
				lose.Store(after)
				return !after
			}, func([]byte) bool { return lose.CompareAndSwap(true, false) })
			// cut runs an operation with a cut at the nth message, and reports whether there was one.
			cut := func(n int, do func()) bool {
				had := c.cuts.Load()
				left.Store(int64(n))
				do()
				left.Store(-1)
				lose.Store(false)
				return c.cuts.Load() != had
			}
			left.Store(-1)
			for n := 1; ; n++ {
				var s *Store
				var err error
				hit := cut(n, func() { s, err = Open(t.Context(), c.url) })
				if err == nil {
					err = s.Close()
				}
				if !hit {
					if err != nil || n < 10 {
						t.Errorf("opened after %d messages: %v", n, err)
					}
					break
				}
			}
			s := opened(t, c.url)
			direct := opened(t, where)
			made, events := map[string]approval.State{}, 0
			known := func(r approval.Request) {
				made[r.ID] = r.State
				events++
			}
			fresh := func(change func(*approval.Request)) approval.Request {
				r := asked("x")
				r.ID = approval.NewID(time.Now())
				change(&r)
				return r
			}
			const most = 20 // messages of an operation
			var waiting []approval.Request
			for range most {
				waiting = append(waiting, submitted(t, s, fresh(func(*approval.Request) {})))
				known(waiting[len(waiting)-1])
			}
			submit := func(change func(*approval.Request)) func() error {
				return func() error {
					r := fresh(change)
					stored, _, err := s.Submit(t.Context(), r)
					got, missing := direct.Get(t.Context(), r.ID)
					switch {
					case err == nil && (missing != nil || got.Seq != stored.Seq || stored.Seq == 0):
						t.Errorf("acknowledged as %d, and there is %d, %v", stored.Seq, got.Seq, missing)
					case err != nil && !errors.Is(missing, approval.ErrNone):
						t.Errorf("refused (%v), and there is %+v, %v", err, got, missing)
					case err == nil:
						known(stored)
					}
					return err
				}
			}
			setting := 0
			for _, op := range append(reads(t, s), []operation{
				{"submit", submit(func(*approval.Request) {})},
				{"submit a few", submit(func(r *approval.Request) { r.Most = 1000 })},
				{"submit with a key", submit(func(r *approval.Request) { r.Key = r.ID })},
				{"submit for a file", submit(func(r *approval.Request) { r.Target = r.ID })},
				{"submit on a condition", submit(func(r *approval.Request) { r.Provided = []approval.Condition{{Kind: "token", ID: "gone"}} })},
				{"answer", func() error {
					r := waiting[0]
					waiting = waiting[1:]
					_, err := s.Answer(t.Context(), approval.Answer{ID: r.ID, Digest: "d", Approve: true, Operator: "ada"})
					got, lost := direct.Get(t.Context(), r.ID)
					if lost != nil || (err == nil) != (got.State == approval.Approved) {
						t.Errorf("answered: %v, and it is %s, %v", err, got.State, lost)
					}
					if err == nil {
						known(got)
					}
					return err
				}},
				{"update", func() error {
					setting++
					want := fmt.Sprintf(`"%v %d"`, after, setting) // no other run of this test wrote it
					err := s.Update(t.Context(), "n", "x", "put", "", func(json.RawMessage) (json.RawMessage, any, error) { return json.RawMessage(want), nil, nil })
					got, lost := direct.Record(t.Context(), "n", "x")
					if lost != nil && !errors.Is(lost, ErrNoRecord) || (err == nil) != (string(got.Body) == want) {
						t.Errorf("updated to %s: %v, and it is %s, %v", want, err, got.Body, lost)
					}
					if err == nil {
						events++
					}
					return err
				}},
			}...) {
				for n := 1; n < most; n++ {
					var err error
					hit := cut(n, func() { err = op.do() })
					if err != nil && !errors.Is(err, approval.ErrUnavailable) {
						t.Errorf("%s at %d: %v, want that the database is not available", op.name, n, err)
					}
					if !hit {
						if err != nil {
							t.Errorf("%s without a cut: %v", op.name, err)
						}
						break
					}
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if n, err := direct.Verify(ctx); err != nil || n < int64(events) {
				t.Errorf("%d events verify, want %d: %v", n, events, err)
			}
			for id, state := range made {
				if got, err := direct.Get(ctx, id); err != nil || got.State != state {
					t.Errorf("%s is %s, want %s: %v", id, got.State, state, err)
				}
			}
		})
	}
}

// operation is what a gateway does with a store.
type operation struct {
	name string
	do   func() error
}

// reads are the operations that change nothing unless there is something to end.
func reads(t *testing.T, s *Store) []operation {
	return []operation{
		{"get", func() error { _, err := s.Get(t.Context(), "req-1"); return err }},
		{"list", func() error { _, err := s.List(t.Context(), approval.Filter{Fair: true}); return err }},
		{"events", func() error { _, err := s.Events(t.Context(), 0, 10); return err }},
		{"head", func() error { _, err := s.Head(t.Context()); return err }},
		{"anchor", func() error { _, err := s.Anchor(t.Context(), Anchor{}); return err }},
		{"records", func() error { _, err := s.Records(t.Context(), "n"); return err }},
		{"count", func() error { _, err := s.CountPending(t.Context()); return err }},
		{"waiting", func() error { _, err := s.CountWaiting(t.Context()); return err }},
		{"find", func() error { _, _, err := s.FindEvents(t.Context(), EventFilter{Limit: 10}); return err }},
		{"prove", func() error { _, err := s.Prove(t.Context(), 1, Tree{}); return err }},
		{"expire", func() error { _, err := s.Expire(t.Context(), time.Now(), time.Now()); return err }},
		{"prune", func() error { _, err := s.Prune(t.Context(), time.Now().Add(-time.Hour)); return err }},
		{"verify", func() error { _, err := s.Verify(t.Context()); return err }},
		{"healthy", func() error { return s.Healthy(t.Context()) }},
		{"events by step", func() error { _, err := s.CountBy(t.Context(), time.Unix(0, 0), time.Minute); return err }},
		{"recent", func() error { _, _, err := s.Recent(t.Context(), 10, 1<<20); return err }},
		{"askers", func() error { _, err := s.Askers(t.Context(), time.Unix(0, 0)); return err }},
		{"by key", func() error { _, err := s.ByKey(t.Context(), "a", "k"); return found(err) }},
		{"record", func() error { _, err := s.Record(t.Context(), "n", "x"); return found(err) }},
	}
}

// found returns the error of a look-up, which is none if nothing is there.
func found(err error) error {
	if errors.Is(err, approval.ErrNone) || errors.Is(err, ErrNoRecord) {
		return nil
	}
	return err
}

// What a database holds is broken, or a part of it is away. Nothing is read as something else, the
// errors say that the database is not available, and nothing is written that follows from it.
func TestDamagedRows(t *testing.T) {
	s := opened(t, t.TempDir())
	r := asked("x")
	r.Key, r.Target = "k", "file"
	submitted(t, s, r)
	if err := s.Update(t.Context(), "n", "x", "put", "", func(json.RawMessage) (json.RawMessage, any, error) { return json.RawMessage("1"), nil, nil }); err != nil {
		t.Fatal(err)
	}
	var damages [][2]string
	for _, table := range []string{"request", "record", "event", "chain", "checkpoint"} {
		damages = append(damages, [2]string{"ALTER TABLE " + table + " RENAME TO away", "ALTER TABLE away RENAME TO " + table})
	}
	for _, column := range []string{"request.seq", "request.body", "request.created", "event.at", "event.n", "checkpoint.at", "checkpoint.last", "checkpoint.n", "chain.cut", "chain.requests"} {
		table, name, _ := strings.Cut(column, ".")
		damages = append(damages, [2]string{
			"ALTER TABLE " + table + " ADD COLUMN was; UPDATE " + table + " SET was = " + name + "; UPDATE " + table + " SET " + name + " = 'x' || rowid",
			"UPDATE " + table + " SET " + name + " = coalesce(was, " + name + "); ALTER TABLE " + table + " DROP COLUMN was"})
	}
	writes := []operation{
		{"submit", func() error { _, _, err := s.Submit(t.Context(), asked("y")); return err }},
		{"submit with a key", func() error {
			n := r
			n.ID = approval.NewID(time.Now())
			_, _, err := s.Submit(t.Context(), n)
			return err
		}},
		{"answer", func() error {
			_, err := s.Answer(t.Context(), approval.Answer{ID: r.ID, Digest: "d", Approve: true, Operator: "ada"})
			return err
		}},
		{"end", func() error { _, err := s.End(t.Context(), r.ID, approval.Cancelled, ""); return err }},
	}
	for _, d := range damages {
		before := contents(t, s)
		s.ends = nil // the writer reads where it goes on
		s.mustExec(t, d[0])
		for _, op := range reads(t, s) {
			if err := op.do(); err != nil && op.name != "verify" && op.name != "prove" && !errors.Is(err, approval.ErrUnavailable) && found(err) != nil {
				t.Errorf("%s: %s: %v, want that the database is not available", d[0], op.name, err)
			}
		}
		failed := true
		for _, op := range writes {
			err := op.do()
			failed = failed && err != nil
		}
		s.ends = nil
		s.mustExec(t, d[1])
		if now := contents(t, s); failed && now != before {
			t.Errorf("%s: every change failed, and there is\n%s\nin place of\n%s", d[0], now, before)
		}
	}
	if _, err := s.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}
