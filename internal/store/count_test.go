//go:build unix

package store_test

import (
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/store"
)

func testCounts(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ string) {
		now := time.Now()
		old := request("old")
		old.Created = now.Add(-50 * time.Hour)
		old.ID = approval.NewID(old.Created)
		submit(t, s, old)
		first, second := submit(t, s, request("a")), submit(t, s, request("b"))
		if _, err := s.Answer(t.Context(), approval.Answer{ID: second.ID, Digest: second.Digest, By: approval.ByWeb}); err != nil {
			t.Fatal(err)
		}
		if n, err := s.CountPending(t.Context()); err != nil || n[approval.Network] != 2 || len(n) != 1 {
			t.Errorf("%v %v", n, err)
		}
		counts, err := s.CountBy(t.Context(), now.Add(-48*time.Hour), time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		sum := map[approval.State]int{}
		for _, c := range counts {
			if !c.At.Equal(c.At.Truncate(time.Hour)) || now.Sub(c.At) > 2*time.Hour || c.Category != approval.Network {
				t.Errorf("counted %+v", c)
			}
			sum[c.State] += c.N
		}
		if sum[approval.Pending] != 1 || sum[approval.Denied] != 1 {
			t.Errorf("%v", sum)
		}
		after, err := s.List(t.Context(), approval.Filter{After: old.ID, Oldest: true})
		if err != nil || len(after) != 2 || after[0].ID != min(first.ID, second.ID) {
			t.Errorf("%v %v", after, err)
		}
	})
}
