package inject

import (
	"bytes"
	"cmp"
	_ "embed"
	"slices"
	"sync"
)

// Senses of words in a message about its reader's instructions.
const (
	toldMaker Concept = iota
	toldGiven
	toldFront
	toldExact
	toldLimit
	toldOff
	toldComply
	toldHush
	toldTwin
	toldNow
	toldClaim
	toldJoin
	toldFrame
	toldSetup
	toldHarm
	toldHow
	toldReveal // the senses of borrowed
	toldOverride
	toldPersona
	toldCode // found by its looks
	toldKinds
)

var toldNames = []string{"maker", "told", "front", "exact", "limit", "off", "comply", "hush", "twin", "now", "claim", "join", "frame", "setup", "harm", "how"}

// borrowed are the concepts of lexicon.txt that are senses, too, from toldReveal on.
var borrowed = [...]Concept{Reveal, Override, Persona}

//go:embed told.txt
var toldText string

var toldMachine = sync.OnceValue(func() *automaton { return build(lexicon(toldText, toldNames)) })

const (
	kindTold  = 0x8BB84B93962EACC9
	kindTwice = 0x4B33A62ED433D4A3
	kindThird = 0x4D5A2DA51DE1AA47
)

// A short text is staged if a story, a game or a role is the excuse to explain how to do real harm.
// Each of these alone is in many harmless texts. The words of the excuse hide the attack from the
// model, so the sum counts apart.
const (
	staging      = 1<<toldHarm | 1<<toldHow
	stages       = 1<<toldFrame | 1<<toldTwin | 1<<toldPersona
	stagedMargin = 4
)

// toldNear is the largest distance, in characters, between senses that belong together.
const toldNear = 110

// addSensePairs adds features of which senses occur near each other, in any order and language. The model
// learns them in one language, and they hold in all.
func (r *reader) addSensePairs() {
	b := r.f.b
	for _, m := range r.mentions {
		if k := slices.Index(borrowed[:], m.concept); k >= 0 {
			m.concept = toldReveal + Concept(k)
			r.acts = append(r.acts, m)
		}
	}
	if bytes.Count(b, []byte(`="`)) > 1 || bytes.HasPrefix(b, []byte(`{"`)) || bytes.Contains(b, []byte("select ")) || bytes.Contains(b, []byte("](")) {
		r.acts = append(r.acts, mention{concept: toldCode, from: 0, to: toldNear})
	}
	slices.SortFunc(r.acts, func(a, b mention) int { return cmp.Compare(a.from, b.from) })
	all := uint32(0)
	for i := range r.acts {
		all |= bit(r.acts[i].concept)
	}
	r.staged = len(b) <= window && all&staging == staging && all&stages != 0
	var recent [8]uint32 // the last sets of senses: a text that repeats itself must not cost more
	n := 0
	for i := range r.acts {
		here := bit(r.acts[i].concept)
		for j := i + 1; j < len(r.acts) && r.acts[j].from-r.acts[i].to <= toldNear; j++ {
			here |= bit(r.acts[j].concept)
		}
		if slices.ContainsFunc(recent[:], func(was uint32) bool { return here&^was == 0 }) {
			continue
		}
		recent[n%len(recent)] = here
		n++
		for a := range uint64(toldKinds) {
			if here>>a&1 == 0 {
				continue
			}
			r.add((a + 1) * kindTold)
			for c := a + 1; c < uint64(toldKinds); c++ {
				if here>>c&1 == 0 {
					continue
				}
				r.add((a<<8 | c + 1) * kindTwice)
				for d := c + 1; d < uint64(toldKinds); d++ {
					if here>>d&1 != 0 {
						r.add((a<<16 | c<<8 | d + 1) * kindThird)
					}
				}
			}
		}
	}
}
