package policy

import (
	"iter"
	"sync"

	"github.com/umpire-dev/umpire"
)

// Policy is rules, compiled and immutable. It may be used by many goroutines at once.
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

// Warnings returns what Compile left out or found surprising. A Policy from Open has none.
func (p *Policy) Warnings() []Warning { return p.warnings }

// Default returns the effect when nothing speaks.
func (p *Policy) Default() umpire.Effect {
	if p == nil || p.blob == "" {
		return umpire.Deny
	}
	return min(umpire.Effect(p.flags&flagDefault), umpire.Allow)
}

// AutoApprove reports whether an enforcement point should say it aloud when rules allow
// an action, so that the platform's own question is skipped.
func (p *Policy) AutoApprove() bool { return p.flags&flagAutoApprove != 0 }

// Observe reports whether decisions are only recorded.
func (p *Policy) Observe() bool { return p.flags&flagObserve != 0 }

// CannotAsk returns what becomes of an ask where the platform cannot ask.
func (p *Policy) CannotAsk() CannotAsk {
	if p.flags&flagWait != 0 {
		return AskWait
	}
	return AskLater
}

// AskFirst reports whether a person elsewhere is waited for before a platform asks its own.
func (p *Policy) AskFirst() bool { return p.flags&flagAskFirst != 0 }

// ToolOutput returns what becomes of what tools answer.
func (p *Policy) ToolOutput() ToolOutput {
	return ToolOutput(p.flags & flagToolOutput >> toolOutputShift)
}

// Prompts reports whether what users send is judged.
func (p *Policy) Prompts() bool { return p.flags&flagPrompts != 0 }

// Audit returns the bounds of the record.
func (p *Policy) Audit() Audit {
	v := get32(p.blob, atAudit)
	return Audit{MaxSize: int(v & 0xffff), Keep: int(v >> 16)}
}

// Programs returns the descriptions of programs in the policy files, for package reader.
func (p *Policy) Programs() string {
	if p == nil {
		return ""
	}
	return p.programs
}

// Judge returns what a model is asked about.
func (p *Policy) Judge() Judge {
	return Judge{Scope: Scope(p.flags & flagScope >> scopeShift), Ambiguous: p.flags&flagAmbiguous != 0}
}

// Mode returns what happens to an operation of a kind on which no rule settled
// anything. Operations of a Hardened kind are never all allowed.
func (p *Policy) Mode(k umpire.Kind) Mode {
	if p == nil || p.blob == "" || k >= umpire.Filesystem {
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

// Rules returns the rules in the order of their IDs, without their examples. A damaged
// record ends it.
func (p *Policy) Rules() iter.Seq[Rule] {
	return func(yield func(Rule) bool) {
		for id := range p.rules {
			r, ok := p.source(id)
			if !ok || !yield(r) {
				return
			}
		}
	}
}

// Rule returns the rule with an ID.
func (p *Policy) Rule(id string) (Rule, bool) {
	lo, hi := uint32(0), p.rules
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
