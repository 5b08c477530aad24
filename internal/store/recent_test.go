//go:build unix

package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/store"
)

// What pages ask beside lists: the newest requests without large ones, who waits for the same,
// who asked lately.
func testRecent(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ string) {
		large, mine, same := request("large"), request("x"), request("x")
		large.Metadata = []byte(`"` + strings.Repeat("x", 5000) + `"`)
		same.Agent, same.Session = "b", "s"
		submit(t, s, large)
		mine, same = submit(t, s, mine), submit(t, s, same)
		list, left, err := s.Recent(t.Context(), 10, 4000)
		if err != nil || left != 1 || len(list) != 2 || list[0].ID != max(mine.ID, same.ID) {
			t.Errorf("recent: %d left out, %v %v", left, list, err)
		}
		if list, _, err = s.Recent(t.Context(), 1, 1<<20); err != nil || len(list) != 1 {
			t.Errorf("recent: %v %v", list, err)
		}
		others, err := s.Same(t.Context(), &mine, 10)
		if err != nil || len(others) != 1 || others[0].ID != same.ID {
			t.Errorf("same: %v %v", others, err)
		}
		if others, err = s.Same(t.Context(), &large, 10); err != nil || len(others) != 0 {
			t.Errorf("same as a request of its own: %v %v", others, err)
		}
		if _, err := s.Answer(t.Context(), approval.Answer{ID: same.ID, Digest: same.Digest, By: approval.ByWeb}); err != nil {
			t.Fatal(err)
		}
		if others, err = s.Same(t.Context(), &mine, 10); err != nil || len(others) != 0 {
			t.Errorf("a settled one waits: %v %v", others, err)
		}
		askers, err := s.Askers(t.Context(), time.Now().Add(-time.Hour))
		if err != nil || len(askers) != 2 || askers[0].Last.Before(askers[1].Last) {
			t.Fatalf("askers: %+v %v", askers, err)
		}
		for _, a := range askers {
			want := store.Asker{Agent: "a", Requests: 2, Waiting: 2, First: large.Created.UTC(), Last: mine.Created.UTC()}
			if a.Agent == "b" {
				want = store.Asker{Agent: "b", Session: "s", Requests: 1, First: same.Created.UTC(), Last: same.Created.UTC()}
			}
			if a != want {
				t.Errorf("asker %+v, want %+v", a, want)
			}
		}
		if askers, err = s.Askers(t.Context(), time.Now().Add(time.Hour)); err != nil || len(askers) != 0 {
			t.Errorf("asked in an hour: %+v %v", askers, err)
		}
	})
}

// One agent's many take no turn of another's.
func testFairTurns(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ string) {
		for i := range 20 {
			submit(t, s, request(fmt.Sprint("many", i)))
		}
		few := request("few")
		few.Agent = "b"
		few = submit(t, s, few)
		list, err := s.List(t.Context(), approval.Filter{States: []approval.State{approval.Pending}, Fair: true, Turns: 3, Limit: 100})
		n := map[string]int{}
		for _, r := range list {
			n[r.Agent]++
		}
		if err != nil || n["a"] != 3 || n["b"] != 1 || list[1].ID != few.ID {
			t.Errorf("%v %v", n, err)
		}
	})
}

// Events are found by what they say, page by page, and a text's signs mean themselves.
func testFindEvents(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ string) {
		for i := range 5 {
			r := submit(t, s, request(fmt.Sprintf("make %d%%", i)))
			if _, err := s.Answer(t.Context(), approval.Answer{ID: r.ID, Digest: r.Digest, By: approval.ByWeb, Operator: "Ada"}); err != nil {
				t.Fatal(err)
			}
		}
		find := func(f store.EventFilter) (seqs []int64, next int64) {
			t.Helper()
			list, next, err := s.FindEvents(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range list {
				seqs = append(seqs, e.Seq)
			}
			return seqs, next
		}
		for _, c := range []struct {
			f    store.EventFilter
			want int
			next int64
		}{
			{store.EventFilter{}, 10, 0}, {store.EventFilter{Limit: 4}, 4, 7}, {store.EventFilter{Limit: 4, Before: 3}, 2, 0},
			{store.EventFilter{Kind: "resolve"}, 5, 0}, {store.EventFilter{Text: "ADA"}, 5, 0}, {store.EventFilter{Text: "3%"}, 2, 0},
			{store.EventFilter{Text: "m%e"}, 0, 0}, {store.EventFilter{Text: "mak_"}, 0, 0}, {store.EventFilter{Text: "!"}, 0, 0}, {store.EventFilter{Request: "none"}, 0, 0},
		} {
			if got, next := find(c.f); len(got) != c.want || next != c.next || len(got) > 1 && got[0] < got[1] {
				t.Errorf("%+v finds %v, then %d", c.f, got, next)
			}
		}
	})
}
