// Package platform formats decisions for coding agents and their users, and finds the call in a
// payload. The packages below it translate one client's protocol each. Payloads are untrusted: a
// damaged one is read as every call that it may contain.
package platform

import (
	"slices"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Limits in bytes: clients truncate long texts, and their models pay for every token.
const (
	maxReason = 400 // the effects, before the suggestion; the gravest rule is always named
	maxText   = 240 // the text of one rule, or its suggestion
	maxObject = 100 // one object of a call
	maxAbout  = 3   // objects of one rule
)

// Reason describes in a few lines the effects of a call, gravest first, and the suggestion. The
// agent's model and user read it, so text from the call is escaped.
func Reason(d umpire.Decision, ops []umpire.Operation) string {
	var b strings.Builder
	switch d.Effect {
	case umpire.Deny:
		b.WriteString("umpire denies this")
	case umpire.Ask:
		b.WriteString("umpire asks about this")
	default:
		b.WriteString("umpire allows this")
	}
	milder := !slices.ContainsFunc(d.Reasons, func(r umpire.Reason) bool { return r.Effect != umpire.Allow })
	if len(d.Reasons) == 0 || milder && d.Effect != umpire.Allow {
		return b.String() + ": no rule settles " + unsettled(d, ops) + ", and that is the policy's default."
	}
	said := reasonTexts(d, ops)
	b.WriteString(": " + said[0])
	for i, s := range said[1:] {
		if b.Len()+len(s) > maxReason {
			b.WriteString("; and " + strconv.Itoa(len(said)-1-i) + " more")
			break
		}
		b.WriteString("; " + s)
	}
	b.WriteString(".")
	for _, r := range d.Reasons { // the gravest comes first, and one suggestion is enough
		if r.Suggest != "" && r.Effect == d.Effect {
			b.WriteString(" Instead: " + strings.TrimSuffix(visible.Clip(r.Suggest, maxText), ".") + ".")
			break
		}
	}
	return b.String()
}

// unsettled names the part of a call that no rule settles: its first object, and how many others.
func unsettled(d umpire.Decision, ops []umpire.Operation) string {
	var list []string
	for _, i := range d.Unsettled {
		if i >= len(ops) {
			continue
		}
		if o := object(ops, i); o != "" && !slices.Contains(list, o) {
			list = append(list, o)
		}
	}
	switch {
	case len(list) > 1:
		return list[0] + " and " + strconv.Itoa(len(list)-1) + " more"
	case len(list) == 1:
		return list[0]
	case len(d.Reasons) > 0: // milder rules match a part of it
		return "all of it"
	}
	return "it"
}

// reasonTexts returns the text of each deciding rule. One rule lists all its objects. Of the built-in
// rules, only the gravest mentions an object, because milder ones would repeat it. The user's rules
// are always included: no one else knows their purpose.
func reasonTexts(d umpire.Decision, ops []umpire.Operation) (list []string) {
	said := map[string]bool{} // rule, text and object
	for i, r := range d.Reasons {
		if r.Effect != d.Effect && i > 0 {
			break
		}
		if said["rule "+r.Rule] || !r.Own && r.Op < 0 && said["text "+r.Text] || !r.Own && r.Op >= 0 && r.Op < len(ops) && said[ops[r.Op].String()] {
			continue
		}
		said["rule "+r.Rule], said["text "+r.Text] = r.Rule != "", true
		var about []string
		more := 0
		for _, same := range d.Reasons[i:] {
			if same.Rule != r.Rule || same.Text != r.Text || same.Op < 0 || same.Op >= len(ops) || !r.Own && said[ops[same.Op].String()] {
				continue
			}
			if !r.Own {
				said[ops[same.Op].String()] = true
			}
			switch o := object(ops, same.Op); {
			case o == "" || slices.Contains(about, o):
			case len(about) == maxAbout:
				more++
			default:
				about = append(about, o)
			}
		}
		s := visible.Clip(r.Text, maxText) + " ("
		if more > 0 {
			about = append(about, strconv.Itoa(more)+" more")
		}
		if len(about) > 0 {
			s += strings.Join(about, ", ") + "; "
		}
		list = append(list, s+"rule "+visible.Clip(r.Rule, maxObject)+")")
	}
	return list
}

// object names the object of an operation in the words of the call: a file, a host or a command
// line, and its origin. It is "" if unknown.
func object(ops []umpire.Operation, at int) string {
	op := &ops[at]
	s := op.Resource
	switch op.Kind {
	case umpire.Read, umpire.Write, umpire.Delete, umpire.Network, umpire.Exec:
	case umpire.Git:
		s = "git " + s
	case umpire.System:
		if s == "secret read environment" { // by all of a pipe: the last program, such as sort, is harmless
			s = "the environment"
			break
		}
		fallthrough
	default: // its name is umpire's: the command line says more
		for i := at; i >= 0; i-- {
			if ops[i].Kind == umpire.Exec && ops[i].Origin == op.Origin && slices.Equal(ops[i].Via, op.Via) {
				s = ops[i].Resource
				break
			}
		}
	}
	if strings.Trim(s, umpire.Hole+"/ ") == "" && s != "/" {
		s = ""
	}
	s = visible.Clip(strings.ReplaceAll(s, umpire.Hole, "<unknown>"), maxObject)
	if op.Origin == "" {
		return s
	}
	from := "from " + visible.Clip(op.Origin, maxObject)
	if s == "" {
		return from
	}
	return s + " " + from
}
