//go:build unix

package store

import (
	"encoding/json"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/store/storetest"
)

// The database reads each event once, however many readers follow the record. A reader sees events
// of other gateways at once, those that are no longer in memory, and none that were removed.
func TestNewestEvents(t *testing.T) {
	t.Parallel()
	for name, where := range map[string]string{"sqlite": t.TempDir(), "postgres": storetest.Database(t)} {
		t.Run(name, func(t *testing.T) {
			s := opened(t, where)
			other := s
			if s.postgres {
				other = opened(t, where)
			}
			begin, err := s.Head(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			places := func(after int64, n int) (list []int64) {
				t.Helper()
				events, err := s.Events(t.Context(), after, n)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range events {
					list = append(list, e.Seq-begin)
				}
				return list
			}
			for range 3 {
				submitted(t, other, asked("x"))
			}
			if err := other.settled(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := places(begin, 10); !slices.Equal(got, []int64{1, 2, 3}) {
				t.Errorf("events %v", got)
			}
			if got := places(begin+1, 1); !slices.Equal(got, []int64{2}) {
				t.Errorf("one event after the first: %v", got)
			}
			s.mustExec(t, "UPDATE event SET kind = 'changed'")
			if list, err := s.Events(t.Context(), begin, 10); err != nil || len(list) != 3 || list[0].Kind != "request" {
				t.Errorf("%v, %v: the events were read from the database again", list, err)
			}
			s.mustExec(t, "UPDATE event SET kind = 'request'")
			var asking sync.WaitGroup
			for range newestMost {
				asking.Go(func() {
					if _, _, err := s.Submit(t.Context(), asked("x")); err != nil {
						t.Error(err)
					}
				})
			}
			asking.Wait()
			if got := places(begin, newestMost+10); len(got) != newestMost+3 || got[0] != 1 {
				t.Errorf("%d events from %v, want all %d", len(got), got[:1], newestMost+3)
			}
			if got := places(begin+newestMost, 10); len(got) != 3 {
				t.Errorf("the last events: %v, want 3", got)
			}
			old, err := s.List(t.Context(), approval.Filter{Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Answer(t.Context(), approval.Answer{ID: old[0].ID, Digest: old[0].Digest}); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Prune(t.Context(), time.Now().Add(time.Hour)); err != nil {
				t.Fatal(err)
			}
			var cut int64
			if err := s.db.QueryRowContext(t.Context(), "SELECT cut FROM chain").Scan(&cut); err != nil || cut <= begin {
				t.Fatal(cut, err)
			}
			if got := places(begin+100, 10); got[0] <= cut-begin {
				t.Errorf("place %d is listed, and those up to %d were removed", got[0], cut-begin)
			}
		})
	}
}

// The newest events in memory are bounded, and begin after the last one that was dropped.
func TestNewestEventsAreBounded(t *testing.T) {
	s := opened(t, t.TempDir())
	l := &s.newest
	for seq := int64(1); seq <= newestMost+3; seq++ {
		s.publishEvents([]approval.ChainEvent{{Seq: seq}})
	}
	if len(l.list) != newestMost || l.from != 3 || l.list[0].Seq != 4 || l.last != newestMost+3 {
		t.Errorf("got %d events from place %d, the first %d, the last %d; want %d from 3, the first 4, the last %d", len(l.list), l.from, l.list[0].Seq, l.last, newestMost, newestMost+3)
	}
}

// A store that read nothing for long reads up to the end, although old events are gone.
func TestNewestEventsAfterPrune(t *testing.T) {
	t.Parallel()
	s := opened(t, t.TempDir())
	for range hearMost/2 + 10 {
		r := submitted(t, s, asked("x"))
		if _, err := s.Answer(t.Context(), approval.Answer{ID: r.ID, Digest: r.Digest}); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := s.Prune(t.Context(), time.Now().Add(time.Hour)); err != nil || n == 0 {
		t.Fatal(n, err)
	}
	head, err := s.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if list, err := s.Events(t.Context(), head-1, 10); err != nil || len(list) != 1 {
		t.Errorf("after %d: %v, %v, want the last event", head-1, list, err)
	}
}

// An event that one read of the database damages is read again, and not kept for later readers.
func TestDamagedEventIsReadAgain(t *testing.T) {
	t.Parallel()
	s := opened(t, t.TempDir())
	begin, err := s.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	submitted(t, s, asked("x"))
	s.mustExec(t, "ALTER TABLE event ADD COLUMN was")
	s.mustExec(t, "UPDATE event SET was = data, data = '{'")
	if _, err := s.Events(t.Context(), begin, 10); err != nil {
		t.Fatal(err)
	}
	s.mustExec(t, "UPDATE event SET data = was")
	list, err := s.Events(t.Context(), begin, 10)
	if err != nil || len(list) != 1 || !json.Valid(list[0].Data) {
		t.Errorf("events %v, %v, want one that is whole", list, err)
	}
}
