//go:build unix

package store_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/store"
)

// filtered is a second reading of a Filter, over all requests in the order of arrival.
func filtered(all []approval.Request, done map[string]bool, f approval.Filter) (ids []string) {
	turns := map[string]int{}
	type place struct{ turn, at int }
	places := map[string]place{}
	for i, r := range all {
		if len(f.States) > 0 && !slices.Contains(f.States, r.State) || f.Category != "" && r.Category != f.Category || f.Agent != "" && r.Agent != f.Agent ||
			f.Session != "" && r.Session != f.Session || f.Before != "" && r.ID >= f.Before || f.After != "" && r.ID <= f.After || f.Without != "" && done[r.ID] {
			continue
		}
		if turns[r.Agent]++; f.Fair && f.Turns > 0 && turns[r.Agent] > f.Turns {
			continue
		}
		places[r.ID], ids = place{turns[r.Agent], i}, append(ids, r.ID)
	}
	switch {
	case f.Fair:
		slices.SortFunc(ids, func(a, b string) int {
			x, y := places[a], places[b]
			return 1000*(x.turn-y.turn) + x.at - y.at
		})
		ids = ids[min(f.Skip, len(ids)):]
	case !f.Oldest:
		slices.Reverse(ids)
	}
	if f.Limit > 0 {
		ids = ids[:min(f.Limit, len(ids))]
	}
	return ids
}

// A list has the requests that a Filter describes, in its order, whatever is set together.
func testLists(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ string) {
		ctx := t.Context()
		var all []approval.Request
		done := map[string]bool{}
		for i := range 24 {
			r := request(fmt.Sprint("act ", i))
			r.Agent, r.Session, r.Category = []string{"a", "a", "b"}[i%3], []string{"s", "t"}[i%2], []approval.Category{approval.Exec, approval.Network, approval.Git}[i/2%3]
			r = submit(t, s, r)
			var err error
			switch i % 5 {
			case 0:
				r, err = s.End(ctx, r.ID, approval.Denied, "")
			case 1:
				r, err = s.End(ctx, r.ID, approval.Cancelled, "")
			case 2:
				err = s.Update(ctx, "done", r.ID, "done", "ada", func(json.RawMessage) (json.RawMessage, any, error) { return json.RawMessage("1"), nil, nil })
				done[r.ID] = true
			}
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, r)
		}
		slices.SortFunc(all, func(a, b approval.Request) int { return strings.Compare(a.ID, b.ID) })
		rnd := rand.New(rand.NewPCG(1, 2))
		some := func() bool { return rnd.IntN(3) == 0 }
		for range 400 {
			var f approval.Filter
			f.States = [][]approval.State{nil, {approval.Pending}, {approval.Denied}, {approval.Pending, approval.Cancelled}}[rnd.IntN(4)]
			for _, set := range []func(){
				func() { f.Category = approval.Network }, func() { f.Agent = "a" }, func() { f.Session = "t" }, func() { f.Before = all[20].ID }, func() { f.After = all[3].ID },
				func() { f.Without = "done" }, func() { f.Oldest = true }, func() { f.Limit = 1 + rnd.IntN(5) }, func() { f.Fair, f.Turns, f.Skip = true, rnd.IntN(3), rnd.IntN(3) },
			} {
				if some() {
					set()
				}
			}
			list, err := s.List(ctx, f)
			var got []string
			for _, r := range list {
				got = append(got, r.ID)
			}
			want := filtered(all, done, f)
			if f.Skip > 0 { // a later page is in turns of its own
				slices.Sort(got)
				slices.Sort(want)
			}
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("%+v: got %q, %v, want %q", f, got, err, want)
			}
		}
		if list, err := s.List(ctx, approval.Filter{Agent: "a\x00"}); err != nil || len(list) > 0 {
			t.Errorf("a name that cannot be stored: got %d, %v, want none", len(list), err)
		}
	})
}

// The version of a kind changes with each of its events and with no other.
func testVersions(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ string) {
		put := func(kind string) {
			t.Helper()
			if err := s.Update(t.Context(), kind, "x", kind, "ada", func(json.RawMessage) (json.RawMessage, any, error) { return json.RawMessage("1"), kind, nil }); err != nil {
				t.Fatal(err)
			}
		}
		// A follower may raise the version of an event's kind once more, so only the others are exact.
		others := []uint64{s.Version("sessions"), s.Version("never")}
		for _, kind := range []string{"rules", "tokens", "rules"} {
			before := s.Version(kind)
			if put(kind); s.Version(kind) <= before {
				t.Errorf("after an event of %s its version is %d, and was %d before", kind, s.Version(kind), before)
			}
		}
		if now := []uint64{s.Version("sessions"), s.Version("never")}; !slices.Equal(now, others) {
			t.Errorf("versions without an event go from %d to %d", others, now)
		}
	})
}
