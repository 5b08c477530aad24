//go:build unix

package store

import (
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
