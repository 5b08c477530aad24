package gateway

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/guard"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/egress"
	"github.com/umpire-dev/umpire/internal/redact"
	"github.com/umpire-dev/umpire/internal/taint"
	"github.com/umpire-dev/umpire/policy"
)

// GuardBodies lists the hosts whose bodies the proxy checks.
type GuardBodies struct {
	Hosts []policy.Pattern
	Block bool // block bodies with findings; otherwise only record them
}

// leaving lists the kinds of personal data that requests are searched for, in addition to secrets:
// numbers with a form or check digits that identify them.
var leaving = []string{"credit_card", "iban", "ssn", "nhs", "national_id", "token"}

// The names of the rules in the audit log for findings in bodies.
const (
	ruleInjection = "proxy-injection" // instructions to the agent in an answer
	ruleLeak      = "proxy-leak"      // secrets or personal data in a request
)

// bodies checks the bodies that pass the proxy.
type bodies struct {
	g      *Gateway
	hosts  hosts
	block  bool
	masker *guard.Masker
}

func (g *Gateway) newBodies(o GuardBodies) (*bodies, error) {
	set, err := newHosts(o.Hosts)
	if err != nil {
		return nil, err
	}
	m, err := guard.NewMasker(guard.PIIOptions{Kinds: leaving})
	return &bodies{g, set, o.Block, m}, err
}

// Guards implements egress.Bodies.
func (b *bodies) Guards(t egress.Target) (look, strict bool) {
	op := umpire.Operation{Kind: umpire.Network, Resource: joinHost(t.Host, t.Port)}
	return b.hosts.has(&umpire.Action{}, []umpire.Operation{op}), b.block
}

// Look implements egress.Bodies. A text that it cannot judge counts as a finding.
func (b *bodies) Look(ctx context.Context, c egress.Client, t egress.Target, answer bool, text string) error {
	rule, found := ruleLeak, []string(nil)
	if answer {
		rule = ruleInjection
		out, err := (&guard.Sanitizer{Unmarked: true}).Sanitize(ctx, "proxy", text)
		switch {
		case err != nil && ctx.Err() != nil: // the client is gone
			return ctx.Err()
		case err != nil:
			b.g.log.Error("the guard failed", "error", err)
			found = []string{"could not be judged"}
		case out.Tainted:
			found = kinds(out.Findings)
		}
	} else {
		_, list := b.masker.Mask(text, nil)
		if found = kinds(list); redact.Contains(text) {
			found = append(found, "secret")
		}
	}
	if len(found) == 0 {
		return nil
	}
	what := strings.Join(found, ", ")
	b.note(c, &t, rule, what)
	if answer {
		return errors.New("umpire stopped the answer of " + t.Host + ": it contains instructions to the agent (" + what + ")")
	}
	return errors.New("umpire stopped a request to " + t.Host + ": its body has secrets or personal data (" + what + ")")
}

// note records a finding in the audit log. After instructions in an answer, it marks the session as
// tainted.
func (b *bodies) note(c egress.Client, t *egress.Target, rule, what string) {
	g := b.g
	g.metrics.found.WithLabelValues(rule).Inc()
	g.log.Warn("the guard has a finding in a body", "rule", rule, "found", what, "agent", c.Name, "session", c.Session, "target", t.Addr())
	if g.audit == "" {
		return
	}
	if rule == ruleInjection && c.Session != "" {
		if err := taint.Open(filepath.Join(g.audit, "taint")).Set(taint.Mark{Platform: "gateway", Session: c.Session, Tool: "proxy", Why: what + " from " + t.Host}); err != nil {
			g.log.Error("cannot mark a session as tainted", "session", c.Session, "error", err)
		}
	}
	effect, traits := umpire.Allow, umpire.FromNetwork
	if b.block {
		effect = umpire.Deny
	}
	if rule == ruleLeak {
		traits = umpire.Upload | umpire.CarriesSecret
	}
	e := &audit.Event{Kind: audit.Decision, Point: audit.Guard, Version: g.version, Policy: g.book.Load().policy.Hash(), Effect: effect.String(), Explicit: true,
		Principal: umpire.Principal{Platform: "gateway", Session: c.Session, User: c.Name},
		Ops:       []umpire.Operation{{Kind: umpire.Network, Resource: t.Method + " " + t.Addr(), Traits: traits}},
		Reasons:   []umpire.Reason{{Rule: rule, Effect: effect, Text: fmt.Sprintf("finding in a body: %s", what)}}}
	if err := g.journal.append(e); err != nil {
		g.log.Error("cannot write the audit log", "error", err)
	}
}

// kinds returns the types of findings, each once.
func kinds(list []umpire.Finding) (out []string) {
	for _, f := range list {
		out = append(out, f.Type)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
