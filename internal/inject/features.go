package inject

import (
	"math/bits"
	"sync"
	"unicode/utf8"
)

// A model of tool output has 1<<bucketBits weights. The input model has 16 times as many: it learns
// more texts, and with a quarter of these weights it stops half more harmless texts.
const (
	bucketBits      = 16
	inputBucketBits = 20
)

// buckets returns the number of weights of the input model, which reads senses, or of a tool model.
func buckets(senses bool) int {
	if senses {
		return 1 << inputBucketBits
	}
	return 1 << bucketBits
}

// reader holds the state for reading one text. It is reused.
type reader struct {
	f        folded
	mentions []mention
	seen     [1 << inputBucketBits / 64]uint64
	features []uint32
	acts     []mention
	tool     bool   // the text is a part of tool output
	senses   bool   // find the senses of senses.go
	called   bool   // the text calls a model and then asks for something
	here     uint32 // actions and objects in the text
	ordered  uint32 // actions at the beginning of a clause
	staged   bool   // a frame excuses harm; see stages
	script   script
}

var readers = sync.Pool{New: func() any { return new(reader) }}

// mix returns the bucket of a feature in the input model.
func mix(h uint64) uint32 {
	h ^= h >> 32
	h *= 0x9E3779B97F4A7C15
	return uint32(h >> (64 - inputBucketBits))
}

func (r *reader) add(h uint64) {
	i := mix(h)
	if !r.senses {
		i >>= inputBucketBits - bucketBits
	}
	if w, bit := &r.seen[i>>6], uint64(1)<<(i&63); *w&bit == 0 {
		*w |= bit
		r.features = append(r.features, i)
	}
}

// read finds the mentions and features of a text.
func (r *reader) read(text string) {
	for _, i := range r.features {
		r.seen[i>>6] = 0
	}
	r.features = r.features[:0]
	r.f = foldInto(text, r.f)
	also := nothing
	if r.senses {
		also = toldMachine()
	} else if r.tool {
		also = actionAutomaton()
	}
	r.mentions, r.acts = machine().scanWith(also, r.f.b, r.mentions[:0], r.acts[:0])
	r.untag()
	r.quotes()
	r.words()
	r.pairs()
	r.address()
	if r.tool {
		r.addActions()
	}
	if r.senses {
		if r.script != english {
			r.consonants()
			r.letters()
		}
		r.addSensePairs()
	}
}

// Kinds of features. They keep the hashes of different kinds apart.
const (
	kindWord = 0x9AE16A3B2F90404F
	kindTwo  = 0xC949D7C7509E6557
	kindStem = 0xFF51AFD7ED558CCD
	kindGram = 0xA24BAED4963EE407
	kindOne  = 0x8CB92BA72F3D8DD7
	kindPair = 0xD6E8FEB86659FD93
	kindTrio = 0xE7037ED1A0B428DB
	kindHead = 0x94D049BB133111EB
	kindCall = 0xBF58476D1CE4E5B9

	kindConsonant = 0x9FB21C651E98DF25
	kindLetters   = 0xAEF17502108EF2D9

	prime = 0x100000001B3
)

// words adds words, neighboring pairs and triples, beginnings of long words, and letters. It also
// finds the script.
func (r *reader) words() {
	b := r.f.b
	frequent := englishWords()
	var count tally
	var prev, prev2 uint64
	for i := 0; i < len(b); {
		c := b[i]
		if c < utf8.RuneSelf && !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9') {
			if c > ' ' && c != ',' && c != '\'' && c != '"' { // a mark ends a phrase
				if c == '.' || c == ':' || c == '!' || c == '?' {
					prev2, prev = 0, uint64(c)*prime
				}
			}
			i++
			continue
		}
		start := i
		h := uint64(kindWord)
		n := 0
		plain := true
		for i < len(b) {
			rr, size := rune(b[i]), 1
			if rr >= utf8.RuneSelf {
				if rr, size = utf8.DecodeRune(b[i:]); !inWord(rr) {
					if i == start {
						i += size
					}
					break
				}
				plain = false
			} else if rr >= '0' && rr <= '9' {
				rr = '0'
			} else if rr < 'a' || rr > 'z' {
				break
			}
			h = (h ^ uint64(rr)) * prime
			i += size
			n++
			if n == 5 {
				r.add(h ^ kindStem)
			}
		}
		if n == 0 {
			continue
		}
		if n <= 24 {
			r.add(h)
			if prev != 0 {
				r.add(bits.RotateLeft64(prev, 21) ^ h ^ kindTwo)
				if prev2 != 0 {
					r.add(bits.RotateLeft64(prev2, 42) ^ bits.RotateLeft64(prev, 21) ^ h ^ kindTrio)
				}
			}
		}
		prev2, prev = prev, h
		count.words++
		switch {
		case !plain:
			count.other++
			r.grams(b[start:i])
		case frequent[h>>(64-englishBits)] == h:
			count.english++
		}
	}
	r.script = count.script()
}

// grams adds pairs and triples of letters, for scripts that do not separate words.
func (r *reader) grams(b []byte) {
	var p, q rune
	for i := 0; i < len(b); {
		c, n := utf8.DecodeRune(b[i:])
		i += n
		if p != 0 {
			r.add((uint64(p)*prime ^ uint64(c)) * kindGram)
			if q != 0 {
				r.add(((uint64(q)*prime^uint64(p))*prime ^ uint64(c)) * kindGram)
			}
		}
		q, p = p, c
	}
}

// near is the largest distance, in characters, between two mentions that belong together.
const near = 64

// verbs is the set of concepts that are actions on something.
const verbs = 1<<Override | 1<<Reveal | 1<<Persona | 1<<Hide | 1<<Send | 1<<Exec | 1<<Answer | 1<<Without

// pairs adds the mentions, and the pairs and triples of mentions that are near each other, in their
// order.
func (r *reader) pairs() {
	var last [concepts]bool
	for i := range r.mentions {
		m := &r.mentions[i]
		one := uint64(m.concept) + 1
		if m.quoted {
			one += 64
		}
		if !last[m.concept] {
			r.add(one * kindOne)
			last[m.concept] = true
		}
		for j, n := i+1, 0; j < len(r.mentions) && n < 5; j++ {
			o := &r.mentions[j]
			if o.from-m.to > near {
				break
			}
			n++
			two := uint64(o.concept) + 1
			if o.late && verbs&bit(o.concept) != 0 && verbs&bit(m.concept) == 0 && !m.quoted { // in these languages verbs come last: count the pair as if the verb came first
				r.add((two<<8 | uint64(m.concept) + 1) * kindPair)
				continue
			}
			r.add((one<<8 | two) * kindPair)
			if j == i+1 && j+1 < len(r.mentions) && r.mentions[j+1].from-o.to <= near {
				r.add((one<<16 | uint64(o.concept)<<8 | uint64(r.mentions[j+1].concept) + 1) * kindTrio)
			}
		}
	}
}

// quotes marks the mentions in quotation marks or code.
func (r *reader) quotes() {
	if len(r.mentions) == 0 {
		return
	}
	b := r.f.b
	k := 0
	open, openAt := byte(0), 0
	for i := 0; i < len(b); i++ {
		c := b[i]
		if c != '"' && c != '`' && c != '\n' && c != '\'' {
			continue
		}
		if c == '\'' && open != '\'' && (i > 0 && b[i-1] != ' ' && b[i-1] != '(' && b[i-1] != '=' && b[i-1] != '[') {
			continue // an apostrophe
		}
		if c == '\'' && open == '\'' && i+1 < len(b) && b[i+1] >= 'a' && b[i+1] <= 'z' {
			continue
		}
		switch {
		case c == '\n':
			if open != '`' {
				open = 0
			}
		case open == 0:
			open, openAt = c, i
		case open == c:
			for k < len(r.mentions) && int(r.mentions[k].start) < openAt {
				k++
			}
			for j := k; j < len(r.mentions) && int(r.mentions[j].start) < i; j++ {
				r.mentions[j].quoted = true
			}
			open = 0
		}
	}
}
