package inject

import (
	"bytes"
	_ "embed"
	"math/bits"
	"sync"
)

// Deeds that planted instructions ask for, and the objects of deeds. The deeds come first.
const (
	deedGrab Concept = iota
	deedSend
	deedRun
	deedGrant
	deedBreak
	deedSpend
	deedAgree
	deedClaim
	deedPlant
	deedVoid
	deedReveal
	deedAsk
	thingSecret // the first object
	thingPersonal
	thingMoney
	thingShield
	thingUser
	thingAll
	thingHide
	thingBid
	thingPolite
	thingURL // from here on found by their looks
	thingMail
	thingPath
	thingModel // from here on found by lexicon.txt
	thingWork
	thingDuty
	thingChain
	deedKinds
)

var deedNames = []string{"grab", "send", "run", "grant", "break", "spend", "agree", "claim", "plant", "void", "reveal", "ask", "secret", "personal", "money", "shield", "user", "all", "hide", "bid", "polite"}

//go:embed deeds.txt
var deedsText string

var deedMachine = sync.OnceValue(func() *automaton { return build(lexicon(deedsText, deedNames)) })

const (
	kindDeed = 0x9FB21C651E98DF25
	kindBoth = 0xD1B54A32D192ED03
)

// deeds adds features of what a part of tool output asks for, of the objects, and of which of these
// occur together. The model learns them in one language, and they hold in all.
func (r *reader) deeds() {
	b := r.f.b
	var here, ordered uint32
	for i := range r.acts {
		m := &r.acts[i]
		here |= bit(m.concept)
		if m.concept < thingSecret && (m.late || head(b, int(m.start))) {
			ordered |= bit(m.concept)
		}
	}
	for i := range r.mentions {
		switch r.mentions[i].concept {
		case Reader, Vocative, Machine:
			here |= bit(thingModel)
		case Work:
			here |= bit(thingWork)
		case Modal:
			here |= bit(thingDuty)
		case Chain:
			here |= bit(thingChain)
		case Hide:
			here |= bit(thingHide)
		}
	}
	if bytes.Contains(b, []byte("://")) {
		here |= bit(thingURL)
	}
	if address(b) {
		here |= bit(thingMail)
	}
	if bytes.Contains(b, []byte("~/")) || bytes.Contains(b, []byte("../")) || bytes.Contains(b, []byte(" /")) {
		here |= bit(thingPath)
	}
	r.here, r.ordered = here, ordered
	n := bits.OnesCount32(ordered)
	r.add(uint64(min(n, 3)+1) * kindDeed)
	for rest := here; rest != 0; rest &= rest - 1 {
		k := uint64(bits.TrailingZeros32(rest))
		r.add((k + 8) * kindDeed)
		if k < uint64(thingSecret) && ordered&(1<<k) != 0 {
			r.add((k + 64) * kindDeed)
		}
	}
	for acts := here & (1<<thingSecret - 1); acts != 0; acts &= acts - 1 {
		k := uint64(bits.TrailingZeros32(acts))
		one := k
		if ordered&(1<<k) != 0 {
			one += 64
		}
		for rest := here &^ (1<<(k+1) - 1); rest != 0; rest &= rest - 1 {
			o := uint64(bits.TrailingZeros32(rest))
			r.add((one<<8 | o) * kindBoth)
			for more := rest & (rest - 1) &^ (1<<thingSecret - 1); more != 0; more &= more - 1 {
				r.add((one<<16 | o<<8 | uint64(bits.TrailingZeros32(more))) * kindBoth)
			}
		}
	}
}
