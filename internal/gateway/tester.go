package gateway

import (
	"context"
	"net/http"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/policy"
)

// Limits of one test of a rule.
const (
	testRequests = 1000     // newest requests
	testSize     = 64 << 10 // bytes of a request
	testTime     = 2 * time.Second
	testExamples = 5
)

// Tested is the result of a rule on the newest requests, as if it were the only rule.
type Tested struct {
	Of       int                    `json:"of"`       // requests that the rule was tested on
	Matched  int                    `json:"matched"`  // those that the rule would have settled
	Skipped  int                    `json:"skipped"`  // requests that were not tested: too large, unreadable, of other agents, or out of time
	Became   map[approval.State]int `json:"outcomes"` // states of the requests that matched
	Examples []approval.Request     `json:"-"`        // newest requests that matched, masked
}

func (g *Gateway) postRuleTest(w http.ResponseWriter, r *http.Request, _ Principal) (int, any, error) {
	var in struct {
		Type string `json:"type"`
		Rule string `json:"rule"`
	}
	if err := read(w, r, &in, false); err != nil {
		return 0, nil, err
	}
	t, err := g.TestRule(r.Context(), Rule{Effect: in.Type, Text: in.Rule})
	type example struct {
		ID       string            `json:"id"`
		Seq      int64             `json:"seq"`
		Category approval.Category `json:"category"`
		Action   string            `json:"action"`
		Status   approval.State    `json:"status"`
	}
	out := struct {
		Tested
		Examples []example `json:"examples"`
	}{t, []example{}}
	for _, e := range t.Examples {
		out.Examples = append(out.Examples, example{e.ID, e.Seq, e.Category, e.Action, e.State})
	}
	return http.StatusOK, out, err
}

// TestRule tests a rule on the newest requests and stores nothing. It returns an error for a rule
// that AddRule would refuse.
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
	leave, err := g.tests.enter(ctx) // one at a time: each reads up to 64 MB
	if err != nil {
		return t, err
	}
	defer leave()
	recent, left, err := g.store.Recent(ctx, testRequests, testSize)
	if err != nil {
		return t, err
	}
	t.Skipped, t.Became = left, map[approval.State]int{}
	limit, cancel := context.WithTimeout(ctx, testTime)
	defer cancel()
	for i := range recent {
		plan, err := StoredPlan(&recent[i])
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
			t.Examples = append(t.Examples, Masked(recent[i]))
		}
	}
	return t, ctx.Err()
}
