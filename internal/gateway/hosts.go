package gateway

import (
	"fmt"
	"slices"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/policy"
)

// hosts is a set of hosts, as network patterns of the policy.
type hosts struct{ p *policy.Policy }

// newHosts returns a set. A pattern without a port matches every port.
func newHosts(patterns []policy.Pattern) (hosts, error) {
	var list []policy.Rule
	seen := map[policy.Pattern]bool{}
	for _, p := range patterns {
		if !seen[p] {
			seen[p] = true
			list = append(list, policy.Rule{ID: fmt.Sprintf("host-%d", len(list)), Effect: umpire.Deny, Match: []policy.Pattern{p}, Layer: policy.User})
		}
	}
	p, err := policy.Compile(policy.Source{Default: umpire.Allow, Rules: list})
	return hosts{p}, err
}

// ParseHosts parses an operator's list of hosts, with optional ports and wildcards.
func ParseHosts(texts []string) ([]policy.Pattern, error) {
	var list []policy.Pattern
	for _, text := range texts {
		p, err := policy.ParsePattern("network(" + text + ")")
		if err == nil && len(p.Inside()) > 0 {
			err = fmt.Errorf("%q has a method or a path: write a host such as api.example.com or *.example.com:8443", text)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

func (h hosts) has(a *umpire.Action, ops []umpire.Operation) bool {
	return h.p != nil && h.p.Decide(a, ops).Effect == umpire.Deny
}

// interception decides which tunnels the proxy intercepts.
type interception struct {
	into hosts // hosts to intercept: by rules, secrets and options
	past hosts // hosts that the operator exempts
}

// interception returns the interception of a policy: rules with a method or a path need the tunnel
// intercepted.
func (o *Options) interception(p *policy.Policy) (*interception, error) {
	list := slices.Concat(o.Intercept, o.GuardBodies.Hosts)
	if o.Secrets != nil {
		more, err := ParseHosts(o.Secrets.Hosts())
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	for r := range p.Rules() {
		for _, m := range slices.Concat(r.Match, r.Unless) {
			list = append(list, m.Inside()...)
		}
	}
	into, err := newHosts(list)
	if err != nil {
		return nil, err
	}
	past, err := newHosts(o.PassThrough)
	return &interception{into, past}, err
}

// decidesInside reports whether each request in a tunnel needs its own decision.
func (g *Gateway) decidesInside(a *umpire.Action, ops []umpire.Operation) bool {
	i := g.book.Load().insight
	return i.into.has(a, ops) && !i.past.has(a, ops)
}

// isDenial reports whether a rule of the policy denies where it matches for sure.
func (b *inForce) isDenial(rule string) bool {
	for r := range b.policy.Rules() {
		if r.ID == rule {
			return r.Effect == umpire.Deny
		}
	}
	return false
}

// Looks reports whether the proxy must intercept the tunnels of at least one host.
func (g *Gateway) Looks() bool { return g.current().insight.into.p.Len() > 0 }
