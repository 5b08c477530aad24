package policy

import (
	"slices"

	"github.com/umpire-dev/umpire"
)

// AsksJudge reports whether a model should decide an action that the rules decided as d. It
// returns false for denied actions and for those that built-in allow rules cover.
func (p *Policy) AsksJudge(d umpire.Decision, ops []umpire.Operation) bool {
	j := p.Judge()
	switch {
	case j.Scope == ScopeNone || d.Safe:
		return false
	case !d.Explicit:
		return j.Scope == ScopeAll || slices.ContainsFunc(ops, reachesOut)
	}
	return j.Ambiguous && d.Effect == umpire.Ask && Ambiguous(d)
}

// Ambiguous reports whether all rules that ask matched only with doubt.
func Ambiguous(d umpire.Decision) bool {
	asked := false
	for _, r := range d.Reasons {
		switch {
		case r.Effect == umpire.Deny || r.Effect == umpire.Ask && !r.Doubt:
			return false
		case r.Effect == umpire.Ask:
			asked = true
		}
	}
	return asked
}

// traits that call for a model's opinion
const notable = umpire.Unknown | umpire.UnseenCode | umpire.RemoteCode | umpire.DecodedCode | umpire.Exfiltration |
	umpire.Privilege | umpire.Irreversible | umpire.Obfuscated | umpire.SelfTamper | umpire.CarriesSecret | umpire.FromNetwork |
	umpire.RemoteShell | umpire.Persistence | umpire.Production | umpire.ResourceBomb | umpire.WorldWritable | umpire.Setuid | umpire.HiddenText

// reachesOut reports whether an operation does more than read, run known programs, and change known
// files in the workspace.
func reachesOut(op umpire.Operation) bool {
	if op.Traits&umpire.Inert != 0 {
		return false
	}
	switch op.Kind {
	case umpire.Delete, umpire.Network, umpire.Git, umpire.Packages, umpire.Database, umpire.Infra, umpire.System, umpire.Sandbox:
		return true
	case umpire.Write:
		return op.Traits&notable != 0 || op.Places&umpire.PlaceOutside != 0
	}
	return op.Traits&notable != 0
}
