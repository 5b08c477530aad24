package gateway

import (
	"errors"
	"strings"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/policy"
)

// PolicyView is the policy in force, for people.
type PolicyView struct {
	Hash     string
	Layers   []PolicyLayer // strongest first, built-in packs last
	Warnings []string
	Fault    string // why the current files are not in force; "" if they are
}

// PolicyLayer is a file or a built-in pack.
type PolicyLayer struct {
	Layer string // "managed", "user", "project", ...
	Name  string // the path, or the pack's name
	Rules []PolicyRule
}

// PolicyRule is one rule of a layer.
type PolicyRule struct {
	ID, Effect, Reason string
	Patterns, Unless   []string
	Observe            bool
}

// PolicyView returns the policy in force without stored rules, which Rules lists.
func (g *Gateway) PolicyView() PolicyView {
	now := g.current()
	v := PolicyView{Hash: now.policy.Hash()}
	place := map[string]int{}
	for _, f := range now.loaded.Files {
		place[f.Path] = len(v.Layers)
		v.Layers = append(v.Layers, PolicyLayer{Layer: f.Layer.String(), Name: f.Path})
	}
	for i := range now.loaded.Source.Rules {
		r := &now.loaded.Source.Rules[i]
		name := r.Pos.File
		if r.Pack != "" {
			name = r.Pack
		}
		at, ok := place[name]
		if !ok {
			at = len(v.Layers)
			place[name] = at
			v.Layers = append(v.Layers, PolicyLayer{Layer: r.Layer.String(), Name: name})
		}
		v.Layers[at].Rules = append(v.Layers[at].Rules, viewOf(r))
	}
	for _, w := range append(now.loaded.Warnings, now.policy.Warnings()...) {
		v.Warnings = append(v.Warnings, w.String())
	}
	if _, err := g.files.Now(); err != nil {
		v.Fault = err.Error()
	}
	return v
}

func viewOf(r *policy.Rule) PolicyRule {
	out := PolicyRule{ID: r.ID, Effect: r.Effect.String(), Reason: r.Reason, Observe: r.Observe}
	for _, p := range r.Match {
		out.Patterns = append(out.Patterns, p.String())
	}
	for _, p := range r.Unless {
		out.Unless = append(out.Unless, p.String())
	}
	return out
}

// Uptime returns how long the gateway has run, and how long it will still run if there is a limit.
func (g *Gateway) Uptime() (up, left time.Duration, limited bool) {
	up = g.now().Sub(g.started)
	return up, max(g.uptime-up, 0), g.uptime > 0
}

// Tunnel is an open connection of a proxy.
type Tunnel struct {
	ID, Agent, Name, Session, Action, Request string
	Since                                     time.Time
}

// Tunnels lists the open connections of this gateway's proxies.
func (g *Gateway) Tunnels() []Tunnel {
	var out []Tunnel
	for _, w := range g.tunnels() {
		out = append(out, Tunnel{w.ID, w.Agent, w.Name, w.Session, w.Action, w.Asked, w.Tunnel.Since})
	}
	return out
}

// VerifyAudit verifies the chain of the audit log and returns its number of events. An error names
// the first faults. Without a log it returns zero.
func (g *Gateway) VerifyAudit() (events uint64, err error) {
	if g.audit == "" {
		return 0, nil
	}
	r, err := audit.Verify(g.audit)
	if err != nil || r.OK() {
		return r.Events, err
	}
	var text []string
	for _, f := range r.Faults[:min(len(r.Faults), 5)] {
		text = append(text, f.String())
	}
	return r.Events, errors.New(strings.Join(text, "; "))
}

// RuleCategory returns the category of a stored rule, or "" if the rule is about another kind of
// operation.
func RuleCategory(text string) string {
	first, _, _ := strings.Cut(ruleText(text), "\n")
	p, err := parseRule(first)
	if err != nil {
		return ""
	}
	switch p.Kind {
	case umpire.Network, umpire.Git, umpire.Packages, umpire.Sandbox, umpire.Exec:
		return p.Kind.String()
	case umpire.Filesystem, umpire.Read, umpire.Write, umpire.Delete:
		return umpire.Filesystem.String()
	}
	return ""
}
