// Package platform says decisions to coding agents and their users; the packages below
// it each speak one client's protocol.
package platform

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/visible"
)

// maxReason bounds the text in bytes: clients cut long ones, and their models pay for
// every word.
const maxReason = 1200

// Reason says in a few lines why a decision is what it is and what to do instead. It is
// read by the agent's model and by its user: what comes from the call is made visible.
func Reason(d umpire.Decision, ops []umpire.Operation) string {
	var b strings.Builder
	switch d.Effect {
	case umpire.Deny:
		b.WriteString("umpire denies this")
	case umpire.Ask:
		b.WriteString("umpire asks the user about this")
	default:
		b.WriteString("umpire allows this")
	}
	milder := !slices.ContainsFunc(d.Reasons, func(r umpire.Reason) bool { return r.Effect != umpire.Allow })
	if len(d.Reasons) == 0 || milder && d.Effect != umpire.Allow {
		b.WriteString(": no rule settles ")
		if len(d.Reasons) == 0 {
			b.WriteString("it")
		} else {
			b.WriteString("all of it") // milder rules speak about a part
		}
		b.WriteString(", and that is the policy's default.")
		return b.String()
	}
	n := 0
	for _, r := range d.Reasons {
		if r.Effect != d.Effect && n > 0 {
			break
		}
		if n == 3 || b.Len() > maxReason {
			b.WriteString("; and more")
			break
		}
		if n == 0 {
			b.WriteString(": ")
		} else {
			b.WriteString("; ")
		}
		n++
		b.WriteString(visible.Line(r.Text))
		b.WriteString(" (rule " + visible.Line(r.Rule))
		if r.Op >= 0 && r.Op < len(ops) {
			b.WriteString(", " + visible.Clip(ops[r.Op].String(), 160))
			if o := ops[r.Op].Origin; o != "" {
				b.WriteString(", from " + visible.Clip(o, 160))
			}
		}
		b.WriteString(")")
	}
	b.WriteString(".")
	for _, r := range d.Reasons { // the gravest comes first, and one way out is enough
		if r.Suggest != "" && r.Effect == d.Effect {
			b.WriteString(" Instead: " + strings.TrimSuffix(visible.Line(r.Suggest), ".") + ".")
			break
		}
	}
	return b.String()
}
