//go:build unix

package store

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/store/storetest"
)

// A gateway that wrote nothing while another one removed the checkpoints that it knows, and one that
// starts then, give their events places at the end of the record.
func TestPlaceAfterPrune(t *testing.T) {
	t.Parallel()
	where := storetest.Database(t)
	unused, idle, busy := opened(t, where), opened(t, where), opened(t, where)
	submitted(t, idle, asked("x"))
	if err := idle.settled(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 3 { // a checkpoint for each change
		r := submitted(t, busy, asked("x"))
		if err := busy.settled(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := busy.Answer(t.Context(), approval.Answer{ID: r.ID, Digest: r.Digest}); err != nil {
			t.Fatal(err)
		}
		if err := busy.settled(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := busy.Prune(t.Context(), time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	after, err := busy.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, s := range []*Store{idle, unused, opened(t, where)} {
		want = append(want, submitted(t, s, asked("x")).ID)
		if err := s.settled(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	events, err := busy.Events(t.Context(), after, 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		got = append(got, e.Request)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the events after %d are those of %v, want %v", after, got, want)
	}
	if _, err := busy.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

// A machine sleeps after its gateway has stored events. Another gateway gives them places, and they
// are removed before the first one wakes up: it gives a place to what it stores then, and to nothing
// that is gone.
func TestPlaceAfterSleep(t *testing.T) {
	t.Parallel()
	where := storetest.Database(t)
	for _, more := range []bool{false, true} {
		asleep, busy := opened(t, where), opened(t, where)
		_, begin := asleep.merge.state()
		r := submitted(t, asleep, asked("x"))
		if err := asleep.settled(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := busy.Answer(t.Context(), approval.Answer{ID: r.ID, Digest: r.Digest}); err != nil {
			t.Fatal(err)
		}
		if err := busy.settled(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := busy.Prune(t.Context(), time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		after, err := busy.Head(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		asleep.merge.mu.Lock() // it does not know of the place
		asleep.merge.last.merged, asleep.merge.last.base = begin.merged, begin.base
		asleep.merge.mu.Unlock()
		if more {
			submitted(t, asleep, asked("x"))
		} else {
			asleep.merge.nudge()
		}
		if err := asleep.settled(t.Context()); err != nil {
			t.Fatal(err)
		}
		events, err := busy.Events(t.Context(), after, 10)
		if err != nil || len(events) != map[bool]int{true: 1}[more] {
			t.Errorf("more %v: events %v, %v", more, events, err)
		}
		if _, err := busy.Verify(t.Context()); err != nil {
			t.Errorf("more %v: %v", more, err)
		}
	}
}

// The answer to a commit is late. Until the gateway has it, another gateway covers the event, and
// may even remove it. The gateway gives no event a place that has one or had one.
func TestPlaceBeforeAnswer(t *testing.T) {
	t.Parallel()
	where := storetest.Database(t)
	for name, meanwhile := range map[string]func(t *testing.T, s, other *Store) error{
		"covered":          func(*testing.T, *Store, *Store) error { return nil },
		"covered and seen": func(t *testing.T, s, _ *Store) error { return s.refresh(t.Context(), s.own.ID) },
		"removed": func(t *testing.T, s, other *Store) error {
			submitted(t, other, asked("x"))
			_, head := other.Head(t.Context())
			_, err := other.Prune(t.Context(), time.Now().Add(time.Hour))
			return errors.Join(head, err)
		},
		"removed and seen": func(t *testing.T, s, other *Store) error {
			submitted(t, other, asked("x"))
			_, head := other.Head(t.Context())
			_, err := other.Prune(t.Context(), time.Now().Add(time.Hour))
			return errors.Join(head, err, s.refresh(t.Context(), s.own.ID))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, other := opened(t, where), opened(t, where)
			s.stop()
			s.done.Wait() // this test writes and merges
			s.merge.wrote(commitAlone(t, s))
			late := commitAlone(t, s)
			if err := errors.Join(other.sweep(t.Context()), meanwhile(t, s, other)); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if err := s.mergeOwn(ctx); err != nil {
				t.Errorf("before the answer: %v", err)
			}
			if _, err := other.Verify(ctx); err != nil {
				t.Errorf("before the answer: %v", err)
			}
			for _, e := range []*approval.ChainEvent{late, commitAlone(t, s)} {
				s.merge.wrote(e)
				if err := s.mergeOwn(ctx); err != nil {
					t.Errorf("event %d: %v", e.N, err)
				}
				if _, err := other.Verify(ctx); err != nil {
					t.Errorf("event %d: %v", e.N, err)
				}
			}
		})
	}
}

// A gateway removes events and then their checkpoints, while another one, which saw the events
// without a place, covers them. Both lock in the same order, so PostgreSQL ends neither of them: a
// gateway that starts would end with its statement.
func TestCoverWhileRemoving(t *testing.T) {
	t.Parallel()
	where := storetest.Database(t)
	s, other := opened(t, where), opened(t, where)
	submitted(t, other, asked("x"))
	if err := other.settled(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.stop()
	s.done.Wait() // its next event has no place
	commitAlone(t, s)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	tx, err := other.db.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, "DELETE FROM event WHERE chain = $1", s.own.ID); err != nil {
		t.Fatal(err)
	}
	covered := make(chan error, 1)
	go func() { covered <- other.sweep(ctx) }()
	for waits := 0; waits == 0; {
		if err := other.db.QueryRowContext(ctx, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&waits); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM checkpoint"); err != nil {
		t.Errorf("remove the checkpoints: %v", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Error(err)
	}
	if err := <-covered; err != nil {
		t.Errorf("cover the event: %v", err)
	}
	if _, err := other.Verify(ctx); err != nil {
		t.Error(err)
	}
}

// commitAlone commits an event of a store whose writer and merger have ended.
func commitAlone(t *testing.T, s *Store) *approval.ChainEvent {
	t.Helper()
	b := &batch{s: s, ctx: t.Context(), n: s.own.N, hash: s.own.Head}
	undo, err := b.beginPostgres(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer undo()
	if err := errors.Join(b.event("resolve", "", "ada", nil), b.flush(), b.end()); err != nil {
		t.Fatal(err)
	}
	s.own.N, s.own.Head = b.n, b.hash
	return &b.events[0]
}
