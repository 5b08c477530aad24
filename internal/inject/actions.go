package inject

import (
	"bytes"
	_ "embed"
	"math/bits"
	"sync"
)

// Actions that planted instructions ask for, and the objects of actions. The actions come first.
const (
	actionGrab Concept = iota
	actionSend
	actionRun
	actionGrant
	actionBreak
	actionSpend
	actionAgree
	actionClaim
	actionPlant
	actionVoid
	actionReveal
	actionAsk
	objectSecret // the first object
	objectPersonal
	objectMoney
	objectShield
	objectUser
	objectAll
	objectHide
	objectBid
	objectPolite
	objectURL // from here on found by their looks
	objectMail
	objectPath
	objectModel // from here on found by lexicon.txt
	objectWork
	objectDuty
	objectChain
	actionKinds
)

var actionNames = []string{"grab", "send", "run", "grant", "break", "spend", "agree", "claim", "plant", "void", "reveal", "ask", "secret", "personal", "money", "shield", "user", "all", "hide", "bid", "polite"}

//go:embed actions.txt
var actionsText string

var actionAutomaton = sync.OnceValue(func() *automaton { return build(lexicon(actionsText, actionNames)) })

const (
	kindAction = 0x9FB21C651E98DF25
	kindBoth   = 0xD1B54A32D192ED03
)

// addActions adds features of what a part of tool output asks for, of the objects, and of which of these
// occur together. The model learns them in one language, and they hold in all.
func (r *reader) addActions() {
	b := r.f.b
	var here, ordered uint32
	for i := range r.acts {
		m := &r.acts[i]
		here |= bit(m.concept)
		if m.concept < objectSecret && (m.late || head(b, int(m.start))) {
			ordered |= bit(m.concept)
		}
	}
	for i := range r.mentions {
		switch r.mentions[i].concept {
		case Reader, Vocative, Machine:
			here |= bit(objectModel)
		case Work:
			here |= bit(objectWork)
		case Modal:
			here |= bit(objectDuty)
		case Chain:
			here |= bit(objectChain)
		case Hide:
			here |= bit(objectHide)
		}
	}
	if bytes.Contains(b, []byte("://")) {
		here |= bit(objectURL)
	}
	if address(b) {
		here |= bit(objectMail)
	}
	if bytes.Contains(b, []byte("~/")) || bytes.Contains(b, []byte("../")) || bytes.Contains(b, []byte(" /")) {
		here |= bit(objectPath)
	}
	r.here, r.ordered = here, ordered
	n := bits.OnesCount32(ordered)
	r.add(uint64(min(n, 3)+1) * kindAction)
	for rest := here; rest != 0; rest &= rest - 1 {
		k := uint64(bits.TrailingZeros32(rest))
		r.add((k + 8) * kindAction)
		if k < uint64(objectSecret) && ordered&(1<<k) != 0 {
			r.add((k + 64) * kindAction)
		}
	}
	for acts := here & (1<<objectSecret - 1); acts != 0; acts &= acts - 1 {
		k := uint64(bits.TrailingZeros32(acts))
		one := k
		if ordered&(1<<k) != 0 {
			one += 64
		}
		for rest := here &^ (1<<(k+1) - 1); rest != 0; rest &= rest - 1 {
			o := uint64(bits.TrailingZeros32(rest))
			r.add((one<<8 | o) * kindBoth)
			for more := rest & (rest - 1) &^ (1<<objectSecret - 1); more != 0; more &= more - 1 {
				r.add((one<<16 | o<<8 | uint64(bits.TrailingZeros32(more))) * kindBoth)
			}
		}
	}
}
