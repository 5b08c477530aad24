package web

import (
	"net/http"
	"strings"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/gateway"
)

type policyData struct {
	View     gateway.PolicyView
	Config   map[string]any
	Proposed []row
	Q        string
	Open     string // the layer of the listed rules
	Found    []foundRule
	More     int // rules that were found and are not listed
}

type foundRule struct {
	gateway.PolicyRule
	Layer, Name string
}

const maxRules = 200

func (p *Pages) policy(w http.ResponseWriter, r *http.Request, v *visit) error {
	q := r.URL.Query()
	d := policyData{View: p.g.PolicyView(), Q: q.Get("q"), Open: q.Get("layer")}
	var err error
	if d.Config, err = p.g.Config(r.Context()); err != nil {
		return err
	}
	names, err := p.g.AgentNames(r.Context())
	if err != nil {
		return err
	}
	proposed, err := p.s.List(r.Context(), approval.Filter{States: []approval.State{approval.Pending}, Category: approval.Sandbox, Oldest: true, Limit: perPage})
	if err != nil {
		return err
	}
	if d.Proposed, err = makeRows(proposed, names); err != nil {
		return err
	}
	for _, l := range d.View.Layers {
		for _, rule := range l.Rules {
			if d.Open != "" && d.Open != l.Name || d.Q == "" && d.Open == "" && l.Layer == "builtin" || !ruleContains(&rule, d.Q) {
				continue
			}
			if len(d.Found) == maxRules {
				d.More++
				continue
			}
			d.Found = append(d.Found, foundRule{rule, l.Layer, l.Name})
		}
	}
	return p.page(w, r, v, "policy.html", "Policy", &d)
}

func (p *Pages) resetSetting(w http.ResponseWriter, r *http.Request, v *visit) error {
	if _, err := p.g.ResetSetting(r.Context(), r.PostForm.Get("path"), v.Name); err != nil {
		return err
	}
	done(w, r, "undone", "/policy")
	return nil
}

// ruleContains reports whether a rule contains a text, in any case.
func ruleContains(r *gateway.PolicyRule, q string) bool {
	text := r.ID + "\n" + r.Effect + "\n" + r.Reason + "\n" + strings.Join(r.Patterns, "\n") + "\n" + strings.Join(r.Unless, "\n")
	return strings.Contains(strings.ToLower(text), strings.ToLower(q))
}
