package web

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/store"
)

// Limits of the overview.
const (
	overviewMinutes = 60
	aliveFor        = 15 * time.Minute // an agent with a request in this time is active
	longest         = 5
	topRules        = 8
	factRequests    = 1000
	factSize        = 16 << 10 // bytes of a request
)

type overviewData struct {
	Effects, Categories plot
	Waiting             int
	Oldest              []row
	Agents              []agentRow
	Active              int
	Rules               []ruleUse
	Of                  int // number of requests behind Rules
	Up, Left            time.Duration
	Limited             bool
}

// agentRow is an agent with its recent activity.
type agentRow struct {
	ID, Name          string
	Last              time.Time
	Requests, Waiting int // in the last day
	Sessions          int
	Active            bool
}

// ruleUse is how often a rule matched the newest requests.
type ruleUse struct {
	Rule          string
	Asked, Others int
	Last          time.Time
	Share         int // Asked relative to the rule that asks most, in twentieths
}

func (p *Pages) overview(w http.ResponseWriter, r *http.Request, v *visit) error {
	ctx, now := r.Context(), p.now()
	var d overviewData
	counts, err := p.s.CountBy(ctx, now.Add(-overviewMinutes*time.Minute), time.Minute)
	if err != nil {
		return err
	}
	var f filter
	d.Effects = histogram{"Requests per minute, by outcome", time.Minute, overviewMinutes, stateClasses, stateClass}.plot(counts, now, f.between)
	var categories []string
	for _, c := range approval.Categories() {
		categories = append(categories, string(c))
	}
	d.Categories = histogram{"Requests per minute, by category", time.Minute, overviewMinutes, categories, func(c store.Count) string { return string(c.Category) }}.plot(counts, now, f.between)
	names, err := p.g.AgentNames(ctx)
	if err != nil {
		return err
	}
	oldest, err := p.s.List(ctx, approval.Filter{States: []approval.State{approval.Pending}, Oldest: true, Limit: longest})
	if err != nil {
		return err
	}
	if d.Oldest, err = makeRows(oldest, names); err != nil {
		return err
	}
	if d.Agents, err = p.askers(r, names); err != nil {
		return err
	}
	for _, a := range d.Agents {
		if a.Active {
			d.Active++
		}
	}
	recent, _, err := p.s.Recent(ctx, factRequests, factSize)
	if err != nil {
		return err
	}
	d.Of = len(recent)
	uses := ruleUses(recent)
	for _, u := range slices.SortedFunc(maps.Values(uses), func(a, b *ruleUse) int {
		return cmp.Or(cmp.Compare(b.Asked, a.Asked), cmp.Compare(a.Rule, b.Rule))
	}) {
		if u.Asked == 0 || len(d.Rules) == topRules {
			break
		}
		d.Rules = append(d.Rules, *u)
	}
	for i := range d.Rules {
		d.Rules[i].Share = max(1, d.Rules[i].Asked*20/d.Rules[0].Asked)
	}
	d.Up, d.Left, d.Limited = p.g.Uptime()
	return p.page(w, r, v, "overview.html", "Overview", &d)
}

// askers returns the agents with requests in the last day, with the sums of their sessions.
func (p *Pages) askers(r *http.Request, names map[string]string) (out []agentRow, err error) {
	now := p.now()
	list, err := p.s.Askers(r.Context(), now.Add(-24*time.Hour))
	if err != nil {
		return nil, err
	}
	waiting, err := p.s.CountWaiting(r.Context())
	if err != nil {
		return nil, err
	}
	at := map[string]int{}
	for _, a := range list {
		i, ok := at[a.Agent]
		if !ok {
			i = len(out)
			at[a.Agent] = i
			out = append(out, agentRow{ID: a.Agent, Name: names[a.Agent], Waiting: waiting[a.Agent]})
			if out[i].Name == "" {
				out[i].Name = "unknown " + a.Agent
			}
		}
		out[i].Requests += a.Requests
		if a.Session != "" {
			out[i].Sessions++
		}
		if a.Last.After(out[i].Last) {
			out[i].Last = a.Last
		}
		out[i].Active = now.Sub(out[i].Last) < aliveFor
	}
	return out, nil
}

// noRule is the key of requests that no rule matches.
const noRule = ""

// ruleUses counts how often each rule matched the requests.
func ruleUses(list []approval.Request) map[string]*ruleUse {
	out := map[string]*ruleUse{}
	use := func(rule string, asked bool, at time.Time) {
		u := out[rule]
		if u == nil {
			u = &ruleUse{Rule: rule}
			out[rule] = u
		}
		if asked {
			u.Asked++
		} else {
			u.Others++
		}
		if at.After(u.Last) {
			u.Last = at
		}
	}
	for i := range list {
		r := &list[i]
		var k struct {
			Reasons []reason `json:"reasons"`
		}
		if json.Unmarshal(r.Metadata, &k) != nil {
			continue // its card shows the fault
		}
		person := !r.ByRules()
		seen := map[string]bool{}
		for _, one := range k.Reasons {
			if name := ruleName(one.Rule); !seen[name] {
				seen[name] = true
				use(name, one.Effect == "ask", r.Created)
			}
		}
		if len(k.Reasons) == 0 && person {
			use(noRule, true, r.Created)
		}
	}
	return out
}

// ruleName returns the name of a rule without the number of its pattern.
func ruleName(id string) string {
	if rest, ok := strings.CutPrefix(id, "stored-"); ok {
		rest, _, _ = strings.Cut(rest, "-")
		return "stored-" + rest
	}
	return id
}
