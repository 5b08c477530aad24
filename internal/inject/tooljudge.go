package inject

import (
	"github.com/umpire-dev/umpire/internal/normal"
)

// Logits are the opinions on one segment.
type Logits struct {
	Alone float64 // of the segment
	Block float64 // of all of its block
}

// JudgeSegments returns how much each segment looks like an order to the model.
func JudgeSegments(segs []Segment, m *Model) []Logits {
	r := readers.Get().(*reader)
	defer readers.Put(r)
	r.tool = m.tool
	out := make([]Logits, len(segs))
	one := func(text string) float64 {
		r.read(text)
		l := m.logit(r.features) + r.weigh(nil)
		if r.called {
			l += callBonus
		}
		return l + r.plot()
	}
	full := func(text string, hidden bool) float64 {
		f := normal.Text(text)
		l := one(f.Text)
		for _, v := range f.Views {
			if v.Hidden && !hidden {
				continue // it is taken out by itself
			}
			l = max(l, one(v.Text))
		}
		return l
	}
	for i := 0; i < len(segs); {
		j := i + 1
		for j < len(segs) && segs[j].Block == segs[i].Block {
			j++
		}
		for k := i; k < j; k++ {
			out[k].Alone = full(segs[k].Text, segs[k].pos != nil)
			if segs[k].Literal {
				out[k].Alone -= literalMalus
			}
			out[k].Block = out[k].Alone
		}
		if j-i > 1 && j-i <= 6 {
			text := ""
			for k := i; k < j; k++ {
				text += segs[k].Text + " "
			}
			if len(text) < 1500 {
				b := one(text)
				worst := i
				for k := i; k < j; k++ {
					if out[k].Alone > out[worst].Alone {
						worst = k
					}
				}
				b = max(b, out[worst].Alone)
				for k := i; k < j; k++ { // what stands before an order is often harmless, what comes after goes on with it
					least := min(b, certain) - before
					if k > worst {
						least = min(b, certain) - after
					}
					if out[k].Alone > least && !segs[k].Literal {
						out[k].Block = max(out[k].Alone, b)
					}
				}
			}
		}
		i = j
	}
	return out
}

// Doc is a labelled output to learn from.
type Doc struct {
	Text   string
	Attack bool
	Group  string
	Lang   string
}

// TrainTool fits a model for segments. Which segment of a poisoned output is the poison is
// not known: it is one that no clean output has, and at first the one that the model of
// input finds worst, then the one that the last fit did. Extra are examples of input.
func TrainTool(docs []Doc, extra []Example, first *Model) *Model {
	type bag struct {
		d    *Doc
		segs []Segment
	}
	clean := map[string]bool{}
	bags := make([]bag, len(docs))
	for i := range docs {
		bags[i] = bag{&docs[i], Segments(docs[i].Text)}
		if !docs[i].Attack {
			for _, s := range bags[i].segs {
				clean[s.Text] = true
			}
		}
	}
	var base []Example
	seen := map[string]bool{}
	for i := range bags {
		if bags[i].d.Attack {
			continue
		}
		for _, s := range bags[i].segs {
			if len(s.Text) >= 12 && !seen[s.Text] {
				seen[s.Text] = true
				base = append(base, Example{Text: s.Text, Weight: 1, Group: bags[i].d.Group, Lang: bags[i].d.Lang})
			}
		}
	}
	m := first
	for range 3 {
		examples := append([]Example(nil), base...)
		examples = append(examples, extra...)
		for i := range bags {
			if !bags[i].d.Attack {
				continue
			}
			ls := JudgeSegments(bags[i].segs, m)
			best := -1
			for k, s := range bags[i].segs {
				if !clean[s.Text] && (best < 0 || ls[k].Block > ls[best].Block) {
					best = k
				}
			}
			if best < 0 {
				continue
			}
			for k, s := range bags[i].segs {
				if clean[s.Text] || s.Block != bags[i].segs[best].Block || ls[k].Alone < ls[best].Alone-3 && k != best {
					continue
				}
				examples = append(examples, Example{Text: s.Text, Attack: true, Weight: 1, Group: bags[i].d.Group, Lang: bags[i].d.Lang})
			}
		}
		m = train(examples, true)
	}
	return m
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
