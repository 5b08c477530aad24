package gateway

import (
	"context"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/policy"
)

// Bounds on one test of a rule.
const (
	testRequests = 1000     // the newest
	testSize     = 64 << 10 // bytes of a request
	testTime     = 2 * time.Second
	testExamples = 5
)

// Tested says what a rule would have done with the newest requests, had there been no other.
type Tested struct {
	Of       int                    // requests that the test looked at
	Matched  int                    // of them, those that the rule would have settled
	Skipped  int                    // too large, or the time was over
	Became   map[approval.State]int // outcomes of the requests that matched
	Examples []approval.Request     // the newest that matched
}

// TestRule tries a rule on the newest requests and stores nothing. A rule that AddRule refuses
// is an error.
func (g *Gateway) TestRule(ctx context.Context, r Rule) (t Tested, err error) {
	if err := g.nameRule(&r); err != nil {
		return t, err
	}
	list, err := r.policy()
	if err != nil {
		return t, bad("%v", err)
	}
	pol, err := policy.Compile(policy.Source{Default: umpire.Ask, Rules: list, Programs: g.current().loaded.Source.Programs})
	if err != nil {
		return t, bad("%v", err)
	}
	want, err := umpire.ParseEffect(r.Effect)
	if err != nil {
		return t, bad("%v", err)
	}
	recent, left, err := g.store.Recent(ctx, testRequests, testSize)
	if err != nil {
		return t, err
	}
	t.Skipped, t.Became = left, map[approval.State]int{}
	limit, cancel := context.WithTimeout(ctx, testTime)
	defer cancel()
	for i := range recent {
		plan, err := KeptPlan(&recent[i])
		if err != nil || limit.Err() != nil || r.Agent != "" && r.Agent != recent[i].Agent {
			t.Skipped++
			continue
		}
		t.Of++
		d, _, _ := g.decideWith(plan, Principal{Kind: Agent, ID: recent[i].Agent}, recent[i].Session, pol, nil)
		if !d.Explicit || d.Effect != want {
			continue
		}
		t.Matched++
		t.Became[recent[i].State]++
		if len(t.Examples) < testExamples {
			t.Examples = append(t.Examples, recent[i])
		}
	}
	return t, ctx.Err()
}
