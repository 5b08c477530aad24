package inject

import (
	"github.com/umpire-dev/umpire/internal/normal"
)

// JudgeWords returns the logit of each segment of a text by its words alone: how much it
// looks like an order to the model, more likely than not above 0.
func JudgeWords(segs []Segment, m *Model) []float64 { return words(segs, look(segs, m), ToolThreshold) }

func words(segs []Segment, parts []part, enough float64) []float64 {
	out := make([]float64, len(parts))
	for i := range parts {
		out[i] = parts[i].words() - enough
		if segs[i].Hidden { // what readers do not see needs less
			out[i]++
		}
	}
	return out
}

// JudgeSegments is JudgeWords for tool output: it also weighs the text around each segment.
func JudgeSegments(segs []Segment, m *Model) []float64 {
	parts := look(segs, m)
	if m.trees == nil || len(parts) < 2 { // there is nothing around it
		return words(segs, parts, ToolThreshold)
	}
	out := words(segs, parts, sureOfWords)
	c := contextOf(segs, parts)
	var v vector
	for i := range parts {
		said := wordsShare*parts[i].words() - sureOfAll
		if said+m.trees.base+m.trees.scale*float64(m.trees.rest[0]) < far {
			continue
		}
		c.features(i, &v)
		out[i] = max(out[i], said+m.trees.score(&v.x, far-said))
	}
	return out
}

// wordsShare is how much of what the words say goes into what is thought of a part before
// what stands around it is weighed, and wordsBase what is added to it.
const (
	wordsShare = 0.8
	wordsBase  = -2 * wordsShare
)

// far is a logit that is no order's: what parts below it come to is not worked out.
const far = -1

// From here on a part is replaced, whatever stands around it, and with what stands around it.
// As ToolThreshold they were fixed on texts that the model had not seen.
const (
	sureOfWords = 3.6
	sureOfAll   = 2.2
)

// look weighs the words of segments, and notes what else is known of them.
func look(segs []Segment, m *Model) []part {
	r := readers.Get().(*reader)
	defer readers.Put(r)
	r.tool, r.senses = m.tool, m.senses
	out := make([]part, len(segs))
	one := func(text string) (logit, cues, plot float64) {
		r.read(text)
		cues, plot = r.weigh(nil), r.plot()
		logit = m.logit(r.features) + cues + plot
		if r.called {
			logit += callBonus
		}
		return logit, cues, plot
	}
	full := func(p *part, text string, hidden bool) {
		f := normal.Text(text)
		p.alone, p.cues, p.plot = one(f.Text)
		p.note(r, f.Text)
		for _, v := range f.Views {
			if v.Hidden && !hidden {
				continue // it is taken out by itself
			}
			l, _, _ := one(v.Text)
			p.alone = max(p.alone, l)
		}
	}
	for i := 0; i < len(segs); {
		j := i + 1
		for j < len(segs) && segs[j].Block == segs[i].Block {
			j++
		}
		for k := i; k < j; k++ {
			full(&out[k], segs[k].Text, segs[k].pos != nil)
			if segs[k].Literal {
				out[k].alone -= literalMalus
			}
			out[k].block = out[k].alone
		}
		if j-i > 1 && j-i <= 6 {
			text := ""
			for k := i; k < j; k++ {
				text += segs[k].Text + " "
			}
			if len(text) < 1500 {
				b, _, _ := one(text)
				worst := i
				for k := i; k < j; k++ {
					if out[k].alone > out[worst].alone {
						worst = k
					}
				}
				b = max(b, out[worst].alone)
				for k := i; k < j; k++ { // what stands before an order is often harmless, what comes after goes on with it
					least := min(b, certain) - before
					if k > worst {
						least = min(b, certain) - after
					}
					if out[k].alone > least && !segs[k].Literal {
						out[k].block = max(out[k].alone, b)
					}
				}
			}
		}
		i = j
	}
	return out
}

// callBonus is what it adds that a model is called and asked for something.
const callBonus = 1.2

// literalMalus is what it takes off that a text is a string in code: prompts, tests and
// messages are written there, and orders to a model that reads the code in comments.
const literalMalus = 8

// before and after are how much less of an order than its block a sentence may look and
// still go with it.
const (
	before  = 3
	after   = 6
	certain = 6 // a block that looks worse than this is no worse an order
)
