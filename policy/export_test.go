package policy

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// DecideByAll decides as Decide does, but lets every rule look at every operation.
func DecideByAll(p *Policy, a *umpire.Action, ops []umpire.Operation) umpire.Decision {
	d := decision{p: p, a: a, b: basesOf(a), covered: make([]bool, len(ops)), pardon: make([]bool, len(ops)), safe: make([]bool, len(ops)), inert: true}
	var union umpire.Trait
	for i := range ops {
		union |= ops[i].Traits
		d.inert = d.inert && ops[i].Traits&umpire.Inert != 0
	}
	all := func() {
		d.ids = d.ids[:0]
		for id := range p.rules {
			d.ids = append(d.ids, id)
		}
	}
	for i := range ops {
		v := view{op: &ops[i], index: i, hole: strings.Contains(ops[i].Resource, umpire.Hole)}
		d.prepare(&v)
		all()
		d.consider(&v, false)
		if !d.covered[i] {
			d.eachNamed(&v)
		}
	}
	for _, op := range []umpire.Operation{{Kind: umpire.Tool, Resource: a.Tool, Traits: union}, {Kind: umpire.Text, Traits: union}} {
		if op.Kind == umpire.Tool && a.Tool == "" {
			continue
		}
		all()
		d.weighAll(&view{op: &op, index: -1, text: inputText(a.Input)})
	}
	if d.err != nil {
		return corrupt(d.err)
	}
	return d.conclude(ops)
}
