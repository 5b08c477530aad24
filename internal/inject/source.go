package inject

import (
	"math/bits"

	"github.com/umpire-dev/umpire/internal/normal"
)

// Said is a part of source code or documentation that addresses a model.
type Said struct {
	Weight float64 // compare it with SaidMaybe, SaidLikely and SaidSurely
	Text   string  // the words of the part, or those decoded from it
	View   string  // encoding of the words, or "" if they are in plain text
	Asks   bool    // a clause asks for something to be done
	Grave  bool    // it overrides instructions, hides something, or sends secrets away
}

// Weights at which a part possibly, probably and surely addresses a model. They were set on
// 79,000 files of honest code; docs/benchmarks.md has the figures.
const (
	SaidMaybe  = 3.0
	SaidLikely = 3.5
	SaidSurely = 5.0
)

// leastWords is the logit of the words below which no other sign counts.
const leastWords = -1.5

// JudgeSource judges each segment of source code or documentation. Such text is full of orders to
// people, compilers and programs, whose words resemble orders to a model. Orders to a model differ
// in addressee and purpose: "your instructions", the form of an answer, another role, something to
// ignore.
func JudgeSource(segs []Segment, m *Model) []Said {
	parts := look(segs, m, nil)
	by := words(segs, parts, ToolThreshold)
	out := make([]Said, len(segs))
	r := readers.Get().(*reader)
	defer readers.Put(r)
	r.tool, r.senses = m.tool, m.senses
	for i := range segs {
		if by[i] < leastWords {
			out[i] = Said{Weight: by[i], Text: segs[i].Text, Asks: parts[i].ordered != 0}
			continue
		}
		out[i] = r.said(&segs[i], &parts[i], m)
		out[i].Weight = by[i] + out[i].Weight
		switch {
		case r.isUnaddressed():
			out[i].Weight = min(out[i].Weight, SaidMaybe)
		case !out[i].Grave && !r.isAddressed():
			out[i].Weight = min(out[i].Weight, SaidLikely)
		}
	}
	return out
}

// said reads the view of a segment that most resembles an order, and returns the weight of its
// signs.
func (r *reader) said(g *Segment, p *part, m *Model) Said {
	f := normal.Text(g.Text)
	text, view := f.Text, ""
	best, _, _ := r.planted(text, m)
	if g.Literal {
		best -= literalMalus
	}
	for _, v := range f.Views {
		if best+0.1 >= p.alone || v.Hidden && g.pos == nil {
			continue
		}
		if l, _, _ := r.planted(v.Text, m); l > best {
			best, text, view = l, v.Text, v.Kind
		}
	}
	r.read(text)
	return Said{Weight: r.signs(), Text: text, View: view, Asks: r.ordered != 0, Grave: r.isGrave()}
}

// signs returns the sum of the signs that tell an order to a model from an order to someone else.
func (r *reader) signs() float64 {
	sum := 0.0
	if n := bits.OnesCount32(r.ordered); n > 1 {
		sum += 1
	} else if n == 1 {
		sum += 0.5
	}
	here := r.unquoted()
	for _, s := range [...]struct {
		any uint32
		add float64
	}{
		{bit(Your), 2}, {bit(Override), 1.5}, {bit(Answer), 1}, {bit(Persona) | bit(Free), 1}, {bit(Work), 0.5}, {bit(Writing), -0.5}, {bit(Talk), -1},
	} {
		if here&s.any != 0 {
			sum += s.add
		}
	}
	return sum
}

// isUnaddressed reports whether the text speaks to nobody and asks for nothing.
func (r *reader) isUnaddressed() bool {
	here := r.unquoted()
	return !r.called && here&(bit(Your)|bit(Override)|bit(Answer)) == 0 && r.ordered == 0
}

// isAddressed reports whether the text speaks to or about its reader or a model.
func (r *reader) isAddressed() bool {
	const any = 1<<Your | 1<<Override | 1<<System | 1<<Persona | 1<<Free | 1<<Reader | 1<<Vocative | 1<<Machine | 1<<Work | 1<<Hide
	return r.called || r.unquoted()&any != 0
}

// isGrave reports whether the text asks for what instructions of a project have no reason to ask for.
func (r *reader) isGrave() bool {
	here := r.unquoted()
	secret := here&bit(Secret) != 0 || r.here&bit(objectSecret) != 0
	return r.weigh(nil) > 0 || here&bit(Hide) != 0 && r.ordered != 0 || secret && r.ordered&bit(actionSend) != 0
}

func (r *reader) unquoted() (here uint32) {
	for i := range r.mentions {
		if !r.mentions[i].quoted {
			here |= bit(r.mentions[i].concept)
		}
	}
	return here
}
