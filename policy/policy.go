package policy

import (
	"iter"
	"sync"

	"github.com/umpire-dev/umpire"
)

// Policy is a compiled, immutable set of rules. It is safe for concurrent use. Compile and Open
// make it; nil and the zero value have no rules and deny everything.
type Policy struct {
	blob     string
	flags    uint32
	rules    uint32
	buckets  uint32
	bucketAt uint32
	ruleAt   uint32
	listAt   uint32
	programs string
	warnings []Warning
	regexps  sync.Map // source to *regexp.Regexp, compiled on first use
}

// Warnings returns what Compile skipped or found surprising. A Policy from Open has none.
func (p *Policy) Warnings() []Warning {
	if p.empty() {
		return nil
	}
	return p.warnings
}

func (p *Policy) empty() bool { return p == nil || p.blob == "" }

// setting returns the header bits in mask.
func (p *Policy) setting(mask uint32) uint32 {
	if p.empty() {
		return 0
	}
	return p.flags & mask
}

// Default returns the effect that applies if no rule settles an operation.
func (p *Policy) Default() umpire.Effect {
	return min(umpire.Effect(p.setting(flagDefault)), umpire.Allow)
}

// AutoApprove reports whether to tell the agent that rules allow an action, so that it does
// not ask its user.
func (p *Policy) AutoApprove() bool { return p.setting(flagAutoApprove) != 0 }

// Observe reports whether decisions are recorded but not enforced.
func (p *Policy) Observe() bool { return p.setting(flagObserve) != 0 }

// CannotAsk returns how to handle an ask if the agent cannot ask its user.
func (p *Policy) CannotAsk() CannotAsk {
	if p.setting(flagWait) != 0 {
		return AskWait
	}
	return AskLater
}

// AskFirst reports whether to ask at the gateway before the agent asks its user.
func (p *Policy) AskFirst() bool { return p.setting(flagAskFirst) != 0 }

// ToolOutput returns how to handle instructions in tool output.
func (p *Policy) ToolOutput() ToolOutput {
	return ToolOutput(p.setting(flagToolOutput) >> toolOutputShift)
}

// Prompts reports whether to check user prompts.
func (p *Policy) Prompts() bool { return p.setting(flagPrompts) != 0 }

// Audit returns the limits of the audit log.
func (p *Policy) Audit() Audit {
	if p.empty() {
		return Audit{}
	}
	v := get32(p.blob, atAudit)
	return Audit{MaxSize: int(v & 0xffff), Keep: int(v >> 16)}
}

// Programs returns the program descriptions in the policy files, for package reader.
func (p *Policy) Programs() string {
	if p.empty() {
		return ""
	}
	return p.programs
}

// Judge returns the scope of the judge.
func (p *Policy) Judge() Judge {
	return Judge{Scope: Scope(p.setting(flagScope) >> scopeShift), Ambiguous: p.setting(flagAmbiguous) != 0}
}

// Mode returns the mode of a kind. For a Hardened kind it never returns AllowAll.
func (p *Policy) Mode(k umpire.Kind) Mode {
	if p.empty() || k >= umpire.Filesystem {
		return ModeUnset
	}
	m := Mode(p.blob[atModes+int(k)])
	if m == AllowAll && Hardened(k) {
		return ApproveEach
	}
	return m
}

// Hardened reports whether AllowAll counts as ApproveEach for a kind.
func Hardened(k umpire.Kind) bool {
	return k == umpire.Exec || k == umpire.Packages || k == umpire.Sandbox
}

// Rules returns the rules in order of ID, without examples. The sequence ends at a damaged
// record.
func (p *Policy) Rules() iter.Seq[Rule] {
	return func(yield func(Rule) bool) {
		for id := range uint32(p.Len()) { //nolint:gosec // at most maxRules
			r, ok := p.source(id)
			if !ok || !yield(r) {
				return
			}
		}
	}
}

// Rule returns the rule with the given ID.
func (p *Policy) Rule(id string) (Rule, bool) {
	lo, hi := uint32(0), uint32(p.Len()) //nolint:gosec // at most maxRules
	for lo < hi {
		mid := (lo + hi) / 2
		r, ok := p.source(mid)
		switch {
		case !ok:
			return Rule{}, false
		case r.ID == id:
			return r, true
		case r.ID < id:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return Rule{}, false
}

func (p *Policy) source(id uint32) (Rule, bool) {
	r, err := p.rule(id)
	if err != nil {
		return Rule{}, false
	}
	out := Rule{Effect: r.effect, Layer: r.layer, Certain: r.certain, Locked: r.locked, Observe: r.observe}
	out.When.Traits, out.When.Without = r.traits, r.without
	if r.tainted != 0 {
		t := r.tainted == 2
		out.When.Tainted = &t
	}
	rd := r.rest
	out.When.Platforms, out.When.Tools, out.When.Agents = rd.strings(), rd.strings(), rd.strings()
	d := decision{p: p}
	for range 2 {
		for range rd.count() {
			d.decode(&rd)
		}
	}
	var t texts
	t.decode(&rd)
	out.ID, out.Title, out.Reason, out.Suggest, out.Pack = t.id, t.title, t.reason, t.suggest, t.pack
	out.Pos, out.Match, out.Unless = t.pos, t.match, t.unless
	return out, !rd.bad
}
