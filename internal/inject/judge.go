package inject

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/umpire-dev/umpire/internal/normal"
)

// Evidence is one reason why a text looks like an attack.
type Evidence struct {
	Kind       string  // such as "override+instr", "model", "base64"
	Start, End int     // bytes of the original text
	Score      float64 // 0 to 1
}

// Opinion is the result of Judge.
type Opinion struct {
	Score    float64 // 0 to 1; 0.5 is the threshold that the calibration set
	Evidence []Evidence
}

// cue is a pair of mentions near each other, with the amount that it adds to a tool model's logit. For
// the input model it only names the evidence.
type cue struct {
	a, b  Concept
	add   float64
	apart int32  // at most this many characters
	also  uint32 // one of these must be within the same distance; 0 for none
}

func bit(c Concept) uint32 { return 1 << c }

var cues = [...]cue{
	{Override, Instr, 1.6, 40, bit(Prior) | bit(Your) | bit(System)},
	{Override, System, 1.0, 40, 0},
	{Reveal, System, 1.7, 40, bit(Your) | bit(Prior) | bit(Instr)},
	{Persona, Free, 1.2, 80, 0},
	{Template, Override, 1.0, 200, 0},
	{Template, New, 0.8, 200, 0},
	{Free, Refuse, 0.5, 80, 0},
	{Decode, Refuse, 0.5, 60, 0},
	{Hide, Send, 0.8, 80, 0},
	{Reader, Hide, 0.8, 120, 0},
	{Authority, Override, 0.6, 80, bit(Instr)},
}

const maxCues = 2.0

// partners has, by concept, the concepts that it makes a cue with.
var partners = func() (p [concepts]uint32) {
	for i := range cues {
		p[cues[i].a] |= bit(cues[i].b)
		p[cues[i].b] |= bit(cues[i].a)
	}
	return p
}()

// weigh returns the sum of the cues among the mentions of r, and calls found with their positions.
func (r *reader) weigh(found func(c *cue, start, end int)) float64 {
	sum := 0.0
	ms := r.mentions
	var done [len(cues)]bool
	for i := range ms {
		if ms[i].quoted || partners[ms[i].concept] == 0 {
			continue
		}
		for j := i + 1; j < len(ms) && j < i+12; j++ {
			gap := ms[j].from - ms[i].to
			if gap > 200 {
				break
			}
			if ms[j].quoted || partners[ms[i].concept]&bit(ms[j].concept) == 0 {
				continue
			}
			for k := range cues {
				c := &cues[k]
				if done[k] || gap > c.apart || !(ms[i].concept == c.a && ms[j].concept == c.b || (c.a != Override || ms[j].late) && ms[i].concept == c.b && ms[j].concept == c.a) {
					continue
				}
				if c.also != 0 && !slices.ContainsFunc(ms[max(0, i-2):min(len(ms), j+3)], func(m mention) bool {
					return c.also&bit(m.concept) != 0 && m.from-ms[j].to <= c.apart && ms[i].from-m.to <= c.apart
				}) {
					continue
				}
				done[k] = true
				sum += c.add
				if found != nil {
					found(c, r.f.at(int(ms[i].start)), r.f.at(int(ms[j].end)))
				}
			}
		}
	}
	return min(sum, maxCues)
}

// window is the size, in bytes, of the parts of a long text that are judged separately: an attack
// is only a small part of it.
const window = 700

// Options select the model and the threshold of its score.
type Options struct {
	Model     *Model
	Threshold float64 // the logit that becomes 0.5
}

// everyday is the set of concepts that many words of everyday language have. They decide only beside
// others.
const everyday = 1<<Order | 1<<Talk | 1<<Writing | 1<<Target | 1<<Work | 1<<Modal | 1<<Chain

// Names reports whether a text has a word that no mention of the lexicon covers, except of everyday
// concepts, so that it can be a name.
func Names(text string) bool {
	r := readers.Get().(*reader)
	defer readers.Put(r)
	r.tool, r.senses = false, false
	r.read(normal.Canonical(text).Text)
	rest := bytes.Clone(r.f.b)
	for _, m := range r.mentions {
		if everyday&bit(m.concept) != 0 {
			continue
		}
		for i := m.start; i < m.end; i++ {
			rest[i] = 0
		}
	}
	return slices.ContainsFunc(bytes.Fields(rest), func(word []byte) bool { return !bytes.ContainsRune(word, 0) })
}

// Judge returns how much a text looks like an attack on the model that will read it.
func Judge(f *normal.Form, o Options) Opinion {
	r := readers.Get().(*reader)
	defer readers.Put(r)
	r.tool, r.senses = o.Model.tool, o.Model.senses
	var op Opinion
	best := -100.0
	take := func(logit float64, kind string, start, end int) {
		if logit > best {
			best = logit
		}
		if s := sigmoid(logit - o.Threshold); s >= 0.5 && len(op.Evidence) < 16 {
			op.Evidence = append(op.Evidence, Evidence{kind, start, end, s})
		}
	}
	judge := func(text string, at func(int, int) (int, int), bonus float64, kind string) {
		part := func(from, to int, bonus float64) {
			r.read(text[from:to])
			plain := kind == "model" && bonus == 0                   // not disguised
			if kind == "model" && to-from == len(text) && r.senses { // a decoded text, or a part of a long one, may look like no language
				bonus += r.margin()
			}
			first := len(op.Evidence)
			cues := r.weigh(func(c *cue, start, end int) {
				if len(op.Evidence) < 16 {
					a, b := at(from+start, from+end)
					op.Evidence = append(op.Evidence, Evidence{conceptNames[c.a] + "+" + conceptNames[c.b], a, b, 0})
				}
			})
			logit := o.Model.logit(r.features) + bonus
			if r.tool { // the input model has learned what they weigh
				logit += cues
			} else if plain && cues == 0 && !r.has(telling) && answers(text) {
				logit = min(logit, o.Threshold-0.5)
			}
			s := sigmoid(logit - o.Threshold)
			if s < 0.5 {
				op.Evidence = op.Evidence[:first]
			}
			for i := first; i < len(op.Evidence); i++ {
				op.Evidence[i].Score = s
			}
			a, b := at(from, to)
			take(logit, kind, a, b)
		}
		if len(text) <= 4*window {
			part(0, len(text), bonus)
		}
		if len(text) > 2*window {
			for from := 0; from < len(text); {
				to := cut(text, from+window)
				part(from, to, bonus-0.4)
				from = to
			}
		}
	}
	if strings.TrimSpace(f.Text) != "" {
		judge(f.Text, f.Range, dressed(f), "model")
	}
	for i := range f.Views {
		v := &f.Views[i]
		a, b := v.Start, v.End
		bonus := disguise
		if v.Hidden {
			bonus = 2
		} else {
			a, b = f.Range(a, b)
		}
		text := v.Text
		if v.Kind == "leet" && !o.Model.tool { // the tool model was trained without this
			text = endInL(text)
			bonus += misread
		}
		judge(text, func(int, int) (int, int) { return a, b }, bonus, v.Kind)
	}
	if best > -100 {
		op.Score = sigmoid(best - o.Threshold)
	}
	slices.SortStableFunc(op.Evidence, func(a, b Evidence) int { return a.Start - b.Start })
	return op
}

// telling is the set of concepts that make even one or two words a likely attack: "jailbreak",
// "system prompt".
const telling = 1<<Override | 1<<Reveal | 1<<System | 1<<Persona | 1<<Authority | 1<<Secret | 1<<Exec | 1<<Template | 1<<RoleLine

// has reports whether the text mentions one of a set of concepts.
func (r *reader) has(set uint32) bool {
	return slices.ContainsFunc(r.mentions, func(m mention) bool { return set&bit(m.concept) != 0 })
}

// answers reports whether a text is so short that it answers or names something, such as
// "Yes, confirm" and "dark mode". One or two plain words order nothing without a cue.
func answers(text string) bool {
	words := strings.Fields(text)
	return len(words) <= 2 && len(text) <= 24 && !slices.ContainsFunc(words, func(w string) bool {
		return strings.ContainsFunc(strings.TrimRight(w, ".,!?"), func(c rune) bool {
			return c >= 0x590 || !unicode.IsLetter(c) && !unicode.IsDigit(c) // these scripts separate words
		})
	})
}

// endInL returns another reading of leetspeak. A "1" may be "i" or "l", and was read as "i": endInL
// writes "l" where English rarely has an "i", as in "reveai", "oniy" and "exampie".
func endInL(s string) string {
	b := []byte(s)
	for k, c := range b {
		if c|0x20 != 'i' || k == 0 || !wordByte(b, k-1) {
			continue
		}
		var next byte
		if k+1 < len(b) {
			next = b[k+1] | 0x20
		}
		ends := k+1 == len(b) || !wordByte(b, k+1)
		if ends && k >= 2 && wordByte(b, k-2) || next == 'y' || next == 'e' && (b[k-1]|0x20 == 'p' || b[k-1]|0x20 == 'b') {
			b[k] = c + 'l' - 'i'
		}
	}
	return string(b)
}

// disguise is added to the logit of a text that was disguised.
const disguise = 1.0

// misread is added to the logit of a reading of leetspeak: it has wrong letters, so the model
// recognizes less of it.
const misread = 0.4

// dressed returns the amount to add for the disguise that the canonical form removed.
func dressed(f *normal.Form) float64 {
	n := f.Count[normal.Mixed] + f.Count[normal.ZeroWidth] + f.Count[normal.Stacked]
	if strings.IndexByte(f.Text, "\u0300"[0]) >= 0 || strings.IndexByte(f.Text, "\u036f"[0]) >= 0 { // few texts have marks
		latin := false
		for _, c := range f.Text {
			if c >= 0x300 && c < 0x370 && latin { // marks that did not compose: no language has them there
				n++
			}
			latin = c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0xC0 && c < 0x250
		}
	}
	if n >= 4 {
		return disguise
	}
	return 0
}

// cut returns an end for a window near at: the end of a line, of a word, or at least of a
// character.
func cut(s string, at int) int {
	if at >= len(s) {
		return len(s)
	}
	if i := strings.LastIndexByte(s[at-window/2:at], '\n'); i >= 0 {
		return at - window/2 + i + 1
	}
	if i := strings.LastIndexByte(s[at-window/2:at], ' '); i >= 0 {
		return at - window/2 + i + 1
	}
	for at < len(s) && s[at]&0xC0 == 0x80 {
		at++
	}
	return at
}
