package inject

import (
	"bytes"
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Concept is the role of a word in an attack.
type Concept uint8

// The concepts.
const (
	Override  Concept = iota // to ignore, to forget
	Prior                    // earlier messages
	Instr                    // rules, instructions
	Reveal                   // to show, to repeat
	System                   // text that only the model has seen
	Persona                  // to be someone else
	Free                     // without rules
	Hide                     // keep secret
	Authority                // a claim to be allowed
	Reader                   // a language model that is spoken to
	Decode                   // to undo an encoding, to put together
	Secret                   // keys, passwords
	Send                     // to send away
	Exec                     // to run, to delete, to buy
	Template                 // tokens of chat templates
	RoleLine                 // a line that begins like a speaker's turn
	Talk                     // talk about something
	Refuse                   // the form of an answer
	Urgent
	New      // another task
	Your     // something of the reader's
	Vocative // a call to a model, as planted orders begin
	Order    // a person must do something
	Concealed
	Writing // a text, a message, settings
	Answer  // answer, speak
	Without // absence of something
	Machine // a kind of program that reads
	Modal   // an obligation
	Chain   // steps to do first, before the reader's work continues
	Target  // things that an agent can reach: addresses, keys, settings, commands
	Work    // the reader's task, and its answer
	concepts
)

var conceptNames = [concepts]string{"override", "prior", "instr", "reveal", "system", "persona", "free", "hide", "authority", "model", "decode", "secret", "send", "exec", "template", "roleline", "talk", "refuse", "urgent", "new", "your", "vocative", "order", "concealed", "text", "answer", "without", "machine", "modal", "chain", "target", "work"}

//go:embed lexicon.txt
var lexiconText string

// pattern is a word or phrase of the lexicon.
type pattern struct {
	text    string
	concept Concept
	front   bool // it must begin at the beginning of a word
	back    bool // it must end at the end of a word
	late    bool // its language puts verbs after their objects
	runes   int32
}

// lexicon parses a lexicon. It is part of the program, so a fault in it is a panic.
func lexicon(text string, names []string) []pattern {
	var out []pattern
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		name, words, _ := strings.Cut(line, ":")
		name, late := strings.CutSuffix(name, "<")
		c := slices.Index(names, name)
		if c < 0 {
			panic("inject: no concept " + name)
		}
		list := strings.Split(words, "|")
		if name == "template" { // its words contain the separator
			list = split(words)
		}
		for _, w := range list {
			w = strings.TrimLeft(w, " ")
			if w == "" {
				continue
			}
			p := pattern{concept: Concept(c), front: true, back: true}
			w, p.back = strings.CutSuffix(w, "*")
			p.back = !p.back
			w = strings.ReplaceAll(w, `\n`, "\n")
			p.text = string(fold(w).b)
			first, _ := utf8.DecodeRuneInString(p.text)
			last, _ := utf8.DecodeLastRuneInString(p.text)
			p.front = p.front && spaced(first)
			p.back = p.back && spaced(last)
			p.late = late || first >= 0x590
			p.runes = int32(utf8.RuneCountInString(p.text))
			if p.text != "" {
				out = append(out, p)
			}
		}
	}
	return out
}

// split splits the template tokens. The "|" of "<|x|>" does not separate.
func split(s string) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '<' && i+1 < len(s) && s[i+1] == '|':
			depth = 1
		case s[i] == '>':
			depth = 0
		case s[i] == '|' && depth == 0:
			out = append(out, s[from:i])
			from = i + 1
		}
	}
	return append(out, s[from:])
}

// spaced reports whether c belongs to a script that puts spaces between words and joins no
// particles to them.
func spaced(c rune) bool {
	return c < 0x590 && (unicode.IsLetter(c) || c >= '0' && c <= '9') || unicode.In(c, unicode.Latin, unicode.Greek, unicode.Cyrillic)
}

// automaton finds all patterns in one pass (Aho and Corasick). Its table is indexed by state and
// class of bytes.
type automaton struct {
	class   [256]uint8
	classes int
	next    []uint16
	out     []int32 // for each state, the index in list of its first pattern, or -1
	ends    []bool  // for each state, whether it has one
	list    []hit
	pats    []pattern
}

type hit struct {
	pat  int32
	more int32
}

var machine = sync.OnceValue(func() *automaton { return build(lexicon(lexiconText, conceptNames[:])) })

func build(pats []pattern) *automaton {
	a := &automaton{pats: pats, classes: 1}
	for _, p := range pats {
		for i := range len(p.text) {
			if c := p.text[i]; a.class[c] == 0 {
				a.class[c] = uint8(a.classes)
				a.classes++
			}
		}
	}
	states := countStates(pats)
	if states > 65000 {
		panic("inject: the lexicon has too many states")
	}
	a.next = make([]uint16, states*a.classes) // at once: a table that grows costs many times its size
	a.out = make([]int32, 1, states)
	a.out[0] = -1
	for i, p := range pats {
		s := uint16(0)
		for k := range len(p.text) {
			at := int(s)*a.classes + int(a.class[p.text[k]])
			if a.next[at] == 0 {
				a.next[at] = uint16(len(a.out))
				a.out = append(a.out, -1)
			}
			s = a.next[at]
		}
		a.list = append(a.list, hit{int32(i), a.out[s]})
		a.out[s] = int32(len(a.list) - 1)
	}
	fail := make([]uint16, len(a.out))
	queue := make([]uint16, 0, states)
	for c := range a.classes {
		if n := a.next[c]; n != 0 {
			queue = append(queue, n)
		}
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		f := fail[s]
		if a.out[s] < 0 {
			a.out[s] = a.out[f]
		} else if a.out[f] >= 0 {
			l := a.out[s]
			for a.list[l].more >= 0 {
				l = a.list[l].more
			}
			a.list[l].more = a.out[f]
		}
		row, fallback := a.row(s), a.row(f)
		for c, n := range row {
			if n != 0 {
				fail[n] = fallback[c]
				queue = append(queue, n)
			} else {
				row[c] = fallback[c]
			}
		}
	}
	a.ends = make([]bool, states)
	for s, l := range a.out {
		a.ends[s] = l >= 0
	}
	return a
}

// row returns what follows a state, by class.
func (a *automaton) row(state uint16) []uint16 {
	return a.next[int(state)*a.classes:][:a.classes]
}

// countStates returns the number of states of an automaton: one for each beginning of a pattern.
func countStates(pats []pattern) int {
	texts := make([]string, len(pats))
	for i, p := range pats {
		texts[i] = p.text
	}
	slices.Sort(texts) // what a text shares with any, it shares with the one before it
	n, last := 1, ""
	for _, text := range texts {
		shared := 0
		for shared < min(len(text), len(last)) && text[shared] == last[shared] {
			shared++
		}
		n, last = n+len(text)-shared, text
	}
	return n
}

// mention is an occurrence of a pattern of the lexicon in a text.
type mention struct {
	start, end int32 // bytes of the folded text
	from, to   int32 // the same in characters, the unit of distances
	concept    Concept
	quoted     bool // in quotation marks or code, or reported instead of ordered
	late       bool // the pattern's language puts verbs after their objects
}

// scan appends the mentions that a finds in folded text to out.
func (a *automaton) scan(b []byte, out []mention) []mention {
	out, _ = a.scanWith(nothing, b, out, nil)
	return out
}

// nothing finds no pattern.
var nothing = build(nil)

// scanWith appends the mentions that a finds in folded text to out, and those that also finds to more.
// It advances both together, because each waits for memory at each byte.
func (a *automaton) scanWith(also *automaton, b []byte, out, more []mention) (_, _ []mention) {
	s, t := 0, 0
	runes := int32(0)
	for i, c := range b {
		if utf8.RuneStart(c) {
			runes++
		}
		s = int(a.next[s*a.classes+int(a.class[c])])
		t = int(also.next[t*also.classes+int(also.class[c])])
		if a.ends[s] {
			out = a.found(s, b, i, runes, out)
		}
		if also.ends[t] {
			more = also.found(t, b, i, runes, more)
		}
	}
	return out, more
}

// found appends the mentions of the patterns that end at b[i], in a state. Of overlapping mentions of
// one concept it keeps the longest.
func (a *automaton) found(state int, b []byte, i int, runes int32, out []mention) []mention {
	for l := a.out[state]; l >= 0; l = a.list[l].more {
		p := &a.pats[a.list[l].pat]
		start := i + 1 - len(p.text)
		if p.front && start > 0 && wordByte(b, start-1) || p.back && i+1 < len(b) && wordByte(b, i+1) {
			continue
		}
		m := mention{start: int32(start), end: int32(i + 1), from: runes - p.runes, to: runes, concept: p.concept, late: p.late}
		if p.concept == Override && !p.back && describesAct(b, start) {
			m.quoted = true
		}
		swallowed := false
		for k := len(out) - 1; k >= 0 && k >= len(out)-6; k-- {
			if o := &out[k]; o.concept == m.concept && o.end > m.start {
				if o.end-o.start >= m.end-m.start {
					swallowed = true
				} else if o.start >= m.start {
					*o = m
					swallowed = true
				}
				break
			}
		}
		if !swallowed {
			out = append(out, m)
		}
	}
	return out
}

func wordByte(b []byte, i int) bool {
	c := b[i]
	if c < utf8.RuneSelf {
		return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_'
	}
	j := i
	for j > 0 && !utf8.RuneStart(b[j]) {
		j--
	}
	r, _ := utf8.DecodeRune(b[j:])
	return unicode.IsLetter(r)
}

// haves lists the French words before a participle. A participle without its accent is the same
// word as the order, as in "j'ai oublié". "ai" alone is not among them, because an attacker writes
// it to call a model.
var haves = [...]string{"j'ai ", "n'ai pas ", "j'avais ", " avons ", " avions ", " avez ", " ont ", "on a ", " il a ", "elle a ", " avait "}

// describesAct reports whether the English or French word at b[i] describes an act, as in "ignoring" or
// "j'ai oublié", and does not order it.
func describesAct(b []byte, i int) bool {
	for _, have := range haves {
		if bytes.HasSuffix(b[:i], []byte(have)) {
			return true
		}
	}
	j := i
	for j < len(b) && b[j] >= 'a' && b[j] <= 'z' {
		j++
	}
	w := string(b[i:j])
	return strings.HasSuffix(w, "ing") || strings.HasSuffix(w, "ed") || w == "ignores" || w == "disregards" || w == "overrides" || w == "bypasses"
}
