package inject

import (
	_ "embed"
	"math"
	"math/bits"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Signs of people who write to people.
const (
	personMe = iota
	personYou
	personGroup
	personDate
	personHand
	personGreet
	personKinds
)

var personNames = []string{"me", "you", "folk", "date", "hand", "greet"}

//go:embed person.txt
var personText string

var personAutomaton = sync.OnceValue(func() *automaton { return build(lexicon(personText, personNames)) })

// part is a segment with its measures, from which the features of the whole output are computed.
type part struct {
	alone, block float64 // scores of the words: of the segment, and of its block
	request      float64 // logit of a request to an assistant
	said         uint32  // concepts that it mentions unquoted
	actions      uint32
	ordered      uint32 // actions at the beginning of a clause
	people       uint32
	plot, cues   float64
	called       bool
	host         string // host of an address in it
	script       uint8
}

// words returns the score of the part's words.
func (p *part) words() float64 { return max(p.alone, p.block-1) }

// note stores what the reader has found in a segment.
func (p *part) note(r *reader, text string) {
	for i := range r.mentions {
		if !r.mentions[i].quoted {
			p.said |= bit(r.mentions[i].concept)
		}
	}
	p.actions, p.ordered, p.called = r.here, r.ordered, r.called
	r.acts = personAutomaton().scan(r.f.b, r.acts[:0])
	for i := range r.acts {
		p.people |= bit(r.acts[i].concept)
	}
	p.host, p.script = hostOf(text), scriptOf(text)
}

// scriptOf returns roughly which script the first letter of s belongs to.
func scriptOf(s string) uint8 {
	for _, c := range s {
		if !unicode.IsLetter(c) {
			continue
		}
		for i, end := range [...]rune{0x250, 0x400, 0x530, 0x780, 0x980, 0xe80, 0x2000, 0x3100, 0xa000, 0xd7b0} {
			if c < end {
				return uint8(i)
			}
		}
		break
	}
	return scripts - 1
}

const scripts = 11

// hostOf returns the host of an address in s.
func hostOf(s string) string {
	i := strings.Index(s, "://")
	if i >= 0 {
		i += 3
	} else if i = strings.IndexByte(s, '@'); i >= 0 {
		i++
	} else {
		return ""
	}
	j := i
	for j < len(s) && (s[j]|0x20 >= 'a' && s[j]|0x20 <= 'z' || s[j] >= '0' && s[j] <= '9' || s[j] == '.' || s[j] == '-') {
		j++
	}
	return strings.TrimRight(s[i:j], ".")
}

// vector is a list of features: numbers from -4 to 4 in steps of 1/31, and bits.
type vector struct {
	x [vectorSize]int8
	n int // number of features that are set
}

const (
	vectorSize = 128 // a power of two
	vectorStep = 31
)

func (v *vector) num(x float64) {
	const half = vectorStep*4 + 0.5 // so that the conversion to int rounds
	v.x[v.n] = int8(int(vectorStep*max(-4, min(4, x))+half) - vectorStep*4)
	v.n++
}

func (v *vector) bit(ok bool) {
	v.x[v.n] = 0
	if ok {
		v.x[v.n] = 1
	}
	v.n++
}

func (v *vector) bits(set uint32, n int) {
	x := v.x[v.n : v.n+n]
	for i := range x {
		x[i] = int8(set >> i & 1) //nolint:gosec // a bit
	}
	v.n += n
}

// context has the measures of an output as a whole.
type context struct {
	segs        []Segment
	parts       []part
	top, second float64 // highest scores of the words
	topAt       int
	sum         float64
	ordered     int // number of parts with an order
	people      [personKinds]int
	script      uint8 // script of most parts
	hosts       map[string]int
}

func contextOf(segs []Segment, parts []part) *context {
	c := &context{segs: segs, parts: parts, top: -30, second: -30, topAt: -1}
	var written [scripts]int
	for i := range parts {
		p := &parts[i]
		if p.ordered != 0 {
			c.ordered++
		}
		for k := range c.people {
			c.people[k] += int(p.people >> k & 1)
		}
		c.sum += p.alone
		switch {
		case p.alone > c.top:
			c.top, c.second, c.topAt = p.alone, c.top, i
		case p.alone > c.second:
			c.second = p.alone
		}
		if written[p.script]++; written[p.script] > written[c.script] {
			c.script = p.script
		}
		if p.host != "" {
			if c.hosts == nil {
				c.hosts = map[string]int{}
			}
			c.hosts[p.host]++
		}
	}
	return c
}

// contextFeatures is the number of features of a part.
const contextFeatures = 125

// features sets the features of a part: its words, those of the other parts, its position and its
// looks.
func (c *context) features(i int, v *vector) {
	v.n = 0
	p, seg := &c.parts[i], &c.segs[i]
	others := max(1, float64(len(c.parts)-1))
	alone := len(c.parts) == 1
	v.num(p.alone / 3)
	v.num((p.block - p.alone) / 3)
	v.num(p.plot)
	v.num(p.cues)
	v.bit(p.called)
	worst := c.top
	if i == c.topAt {
		worst = c.second
	}
	v.num(worst / 3)
	v.num((p.alone - worst) / 3)
	mean, prev, next := -4.0, -4.0, -4.0
	if !alone {
		mean = (c.sum - p.alone) / others
	}
	if i > 0 {
		prev = c.parts[i-1].alone
	}
	if i+1 < len(c.parts) {
		next = c.parts[i+1].alone
	}
	v.num(mean / 3)
	v.num(prev / 3)
	v.num(next / 3)
	v.bits(p.said, int(concepts))
	v.bits(p.actions, int(actionKinds))
	v.bits(p.ordered, int(objectSecret))
	v.num(float64(bits.OnesCount32(p.ordered)))
	v.bits(p.people, personKinds)
	share := func(n int, mine bool) {
		if mine {
			n--
		}
		v.num(float64(n) / others)
	}
	share(c.ordered, p.ordered != 0)
	for _, k := range [...]int{personMe, personYou, personGroup, personGreet} {
		share(c.people[k], p.people>>k&1 != 0)
	}
	v.bit(i == 0)
	v.bit(i == len(c.parts)-1)
	v.bit(i > 0 && c.parts[i-1].ordered != 0)
	v.bit(i+1 < len(c.parts) && c.parts[i+1].ordered != 0)
	v.num(math.Log(float64(len(c.parts))))
	v.num(math.Log(float64(utf8.RuneCountInString(seg.Text))) - 3)
	v.bit(seg.Hidden)
	v.bit(seg.Literal)
	v.bit(i > 0 && c.segs[i-1].Block == seg.Block)
	v.bit(i+1 < len(c.segs) && c.segs[i+1].Block == seg.Block)
	v.bits(1<<seg.Carrier, int(carriers))
	c.looks(p, seg.Text, v)
}

// looks adds the features of a part's looks.
func (c *context) looks(p *part, t string, v *vector) {
	last := t[len(t)-1]
	v.bit(last == '.' || last == '!')
	v.bit(last == ':')
	v.bit(strings.IndexByte(t, '?') >= 0)
	v.bit(t[0] >= 'a' && t[0] <= 'z')
	colon := strings.IndexByte(t, ':')
	v.bit(colon > 0 && colon < 30)
	v.bit(p.script != c.script)
	v.bit(p.script != 0)
	v.bit(p.host != "" && c.hosts[p.host] > 1)
	v.bit(p.host != "" && c.hosts[p.host] == 1)
	digits, upper, letters := 0, 0, 1
	for i := range len(t) {
		switch b := t[i]; {
		case b >= '0' && b <= '9':
			digits++
		case b >= 'A' && b <= 'Z':
			upper++
			letters++
		case b >= 'a' && b <= 'z' || b >= utf8.RuneSelf:
			letters++
		}
	}
	v.num(4 * float64(digits) / float64(len(t)))
	v.num(2 * float64(upper) / float64(letters))
}
