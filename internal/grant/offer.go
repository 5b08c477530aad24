package grant

import (
	"fmt"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/policy"
)

// PendingCall is a call that umpire asks a person about.
type PendingCall struct {
	Action     *umpire.Action
	Operations []umpire.Operation
	Decision   umpire.Decision
	Policy     *policy.Policy // the policy that decided
	Tools      []string       // a grant applies to these tools only; all if empty
	// Wider returns patterns that cover an operation and similar ones, narrowest first; nil if
	// there are none.
	Wider func(umpire.Operation) []string
	// Narrow returns the narrowest pattern that covers an operation. Nil means Exact.
	Narrow func(umpire.Operation) string
	// Passing are the traits of calls that no stored grant can cover.
	Passing umpire.Trait
}

// Offer lists the choices of a person for more than one call.
type Offer struct {
	// Choices are patterns that each cover the complete call, narrowest first.
	Choices []Grant
	// None is the reason why there are no Choices. NotKept is the reason why they last for a
	// session at most. Both are texts for people, and may be empty.
	None, NotKept string
}

// maxParts limits the patterns of one answer that a person is shown.
const maxParts = 40

// Offer computes the possible grants for a call.
func (r *PendingCall) Offer() (o Offer) {
	ops := significant(r.Operations)
	if o.None = r.none(ops); o.None != "" {
		o.NotKept = o.None
		return o
	}
	base := Grant{Tools: r.Tools, Tainted: r.Action.Tainted}
	if asked(r.Decision) {
		base.Operations = slices.Clone(ops)
		if slices.ContainsFunc(r.Decision.Reasons, func(r umpire.Reason) bool { return r.Op < 0 && r.Effect != umpire.Allow }) {
			base.Input = digest(r.Action)
		}
	}
	for level := 0; ; level++ {
		g, more, problem := r.level(base, ops, level)
		switch {
		case problem != "":
			if level == 0 {
				o.None = problem
			}
		case !g.Covers(r.Action, r.Operations):
			if level == 0 {
				o.None = "no rule can be written that covers all of it"
			}
		case level > 0 && !g.coversSibling(r.Action, r.Operations): // it reads as wider and answers no other call
		case !slices.ContainsFunc(o.Choices, func(c Grant) bool { return c.String() == g.String() }):
			o.Choices = append(o.Choices, g)
		}
		if !more || asked(r.Decision) { // an answer to a rule covers no more than the operation itself
			break
		}
	}
	if len(o.Choices) == 0 {
		o.NotKept = o.None
		return o
	}
	o.None, o.NotKept = "", r.notKept(ops)
	return o
}

// coversSibling reports whether the Grant covers a call that differs from its own in one name. The
// name may be in several operations: git tag v2 is a command and a change of git.
func (g *Grant) coversSibling(a *umpire.Action, ops []umpire.Operation) bool {
	p, err := compile([]Grant{*g})
	if err != nil {
		return false
	}
	tried := map[string]bool{}
	for i := range ops {
		for _, name := range strings.FieldsFunc(ops[i].Resource, between) {
			if tried[name] {
				continue
			}
			tried[name] = true
			sibling := slices.Clone(ops)
			for j := range sibling {
				sibling[j].Resource = renamed(sibling[j].Resource, name)
			}
			if allows(p.Decide(a, sibling)) {
				return true
			}
		}
	}
	return false
}

// between separates the names in a resource.
func between(r rune) bool { return r == ' ' || r == '/' }

// renamed returns a resource with another name in place of one.
func renamed(resource, name string) string {
	var b strings.Builder
	for rest := resource; rest != ""; {
		n := strings.IndexFunc(rest, between)
		if n < 0 {
			n = len(rest)
		}
		if b.WriteString(rest[:n]); rest[:n] == name {
			b.WriteString("-2")
		}
		if n < len(rest) {
			b.WriteByte(rest[n])
			n++
		}
		rest = rest[n:]
	}
	return b.String()
}

func (r *PendingCall) narrow(op umpire.Operation) string {
	if r.Narrow != nil {
		return r.Narrow(op)
	}
	return Exact(op)
}

// asked reports whether a rule asks about a call, rather than a default.
func asked(d umpire.Decision) bool { return d.Explicit && d.Effect == umpire.Ask }

// none returns the reason why no stored answer can cover the call.
func (r *PendingCall) none(ops []umpire.Operation) string {
	if slices.ContainsFunc(r.Decision.Reasons, func(reason umpire.Reason) bool { return reason.Effect == umpire.Deny }) {
		return "a rule denies it, or may"
	}
	for i := range ops {
		switch {
		case len(ops) == 1 && ops[i].Idle(): // the pattern would name only the first word of the command line, and so cover any other
			return "no rule can name what it does"
		case strings.Contains(ops[i].Resource, umpire.Hole):
			return "only the shell will know all of what it does"
		case ops[i].Traits&Grave != 0:
			return "umpire asks about each call marked " + (ops[i].Traits & Grave).String()
		case strings.Contains(ops[i].Resource, "[masked:"):
			return "it has a secret in it"
		}
	}
	return ""
}

// notKept returns the reason why an answer lasts for a session at most.
func (r *PendingCall) notKept(ops []umpire.Operation) string {
	if r.Action.Tainted {
		return "the session met text that tries to steer the agent"
	}
	var all umpire.Trait
	clean := false
	for i := range ops {
		all |= ops[i].Traits
		clean = clean || ops[i].Traits&foreign == 0
	}
	if all&r.Passing != 0 {
		return "it cannot be stored because of " + (all & r.Passing).String()
	}
	if !clean {
		return "its data comes from the network"
	}
	for _, reason := range r.Decision.Reasons {
		if reason.Effect == umpire.Allow || reason.Would != "" {
			continue
		}
		rule, ok := r.Policy.Rule(reason.Rule)
		switch {
		case !ok:
			return "umpire asks each time: " + reason.Text
		case rule.Layer != policy.Builtin:
			return "the rule " + reason.Rule + " of the " + rule.Layer.String() + " policy asks each time"
		case rule.Locked:
			return "the rule " + reason.Rule + " is locked"
		case reason.Op < 0:
			return "the rule " + reason.Rule + " is about the text of the call"
		}
	}
	return ""
}

// level makes the grant of one width: 0 is the narrowest. more reports whether there are wider
// ones.
func (r *PendingCall) level(base Grant, ops []umpire.Operation, level int) (g Grant, more bool, problem string) {
	g = base
	for i := range ops {
		op := &ops[i]
		if i+1 < len(ops) && policy.ByPath(op, &ops[i+1]) {
			continue // the rule for the file is narrower
		}
		pattern := r.narrow(*op)
		var wider []string
		if r.Wider != nil {
			wider = r.Wider(*op)
		}
		more = more || level < len(wider)
		if level > 0 && len(wider) > 0 {
			pattern = wider[min(level, len(wider))-1]
		}
		if pattern == "" {
			return g, more, "no rule can name " + op.Kind.String() + " of that form"
		}
		without, clean := Without(*op), !r.Action.Tainted && op.Traits&foreign == 0
		if at := slices.IndexFunc(g.Parts, func(p Part) bool { return p.Pattern == pattern }); at >= 0 {
			g.Parts[at].Without &= without
			g.Parts[at].Clean = g.Parts[at].Clean && clean
			continue
		}
		g.Parts = append(g.Parts, Part{Pattern: pattern, Without: without, Clean: clean})
	}
	if len(g.Parts) > maxParts {
		return g, false, fmt.Sprintf("it does %d things, and a lasting answer covers at most %d", len(g.Parts), maxParts)
	}
	return g, more, ""
}

// Denials returns patterns that can deny a call from now on, each for one of its operations.
// Operations that a rule asked about come first. sure means that the first one needs no choice of
// the person: a rule that denies one of several commands also denies it alone.
func (r *PendingCall) Denials() (list []string, sure bool) {
	ops := significant(r.Operations)
	programs := 0
	rank := map[string]int{}
	for i := range ops {
		if ops[i].Kind == umpire.Exec {
			programs++
		}
		p := r.narrow(ops[i])
		if p == "" || slices.Contains(list, p) || !denies(p, r.Action, r.Operations) {
			continue
		}
		rank[p] = 1
		if slices.ContainsFunc(r.Decision.Reasons, func(reason umpire.Reason) bool { return reason.Op == i && reason.Effect == umpire.Ask }) {
			rank[p] = 0
		}
		list = append(list, p)
		if r.Wider != nil {
			for _, w := range r.Wider(ops[i]) {
				if !slices.Contains(list, w) && denies(w, r.Action, r.Operations) {
					list, rank[w] = append(list, w), rank[p]
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return rank[a] - rank[b] })
	return list, programs < 2 && len(list) > 0
}

// Denies reports whether one of the patterns, one per line, denies a call.
func Denies(text string, a *umpire.Action, ops []umpire.Operation) bool {
	for line := range strings.Lines(text) {
		if denies(strings.TrimSpace(line), a, ops) {
			return true
		}
	}
	return false
}

func denies(pattern string, a *umpire.Action, ops []umpire.Operation) bool {
	p, err := policy.ParsePattern(pattern)
	if err != nil {
		return false
	}
	pol, err := policy.Compile(policy.Source{Default: umpire.Allow, Rules: []policy.Rule{{ID: "denied", Effect: umpire.Deny, Match: []policy.Pattern{p}, Layer: policy.User}}})
	return err == nil && pol.Decide(a, ops).Effect == umpire.Deny
}
