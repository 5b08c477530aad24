package inject

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// Example is a text for training.
type Example struct {
	Text   string
	Attack bool
	Weight float64
	// Group is a property that the text shares with others, such as its source. A group of n
	// examples has the weight of about √n.
	Group string
	Lang  string
	Ours  bool // written for this project, so that Model.sources covers it

	features []uint32 // nil if they are not computed yet
}

// circle returns the set of examples among which e is balanced: the texts of its language. The
// short ones from a grammar are a set of their own, because they include many harmless texts, and
// the other texts of a language may include hardly any.
func (e *Example) circle() string {
	if e.Lang != "en" && strings.HasPrefix(e.Group, shortGroup) {
		return e.Group
	}
	return e.Lang
}

// Read returns examples with the features that Train needs, so that several trainings compute them
// once.
func Read(examples []Example) []Example {
	r := reader{senses: true}
	return r.examples(examples)
}

// examples returns examples with their features.
func (r *reader) examples(in []Example) []Example {
	out := slices.Clone(in)
	for i := range out {
		if e := &out[i]; e.features == nil {
			r.read(e.Text)
			e.features = slices.Clone(r.features)
		}
	}
	return out
}

// sources returns a digest of the project's own texts with their features. It changes with a text,
// a word of the lexicon or a kind of feature.
func sources(examples []Example) [sha256.Size]byte {
	h := sha256.New()
	var b bytes.Buffer
	for i := range examples {
		e := &examples[i]
		if !e.Ours {
			continue
		}
		b.Reset()
		fmt.Fprintf(&b, "%s %s %t %g %d\n", e.Group, e.Lang, e.Attack, e.Weight, len(e.features))
		for _, f := range e.features {
			b.Write(binary.LittleEndian.AppendUint32(b.AvailableBuffer(), f))
		}
		h.Write(b.Bytes())
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// Train fits an input model. The same examples in the same order give the same model.
func Train(examples []Example) *Model { return train(examples, &reader{senses: true}) }

// TrainFirst fits the input model that TrainTool begins with. It knows only words.
func TrainFirst(examples []Example) *Model { return train(examples, &reader{}) }

// row is an example as training sees it: y is 1 for an attack, w the weight.
type row struct {
	features []uint32
	y, w     float64
	norm     float64
}

// weighed returns a row for each example.
func weighed(examples []Example) []row {
	rows := make([]row, len(examples))
	groups := map[string]float64{}
	key := func(e *Example) string {
		if e.Attack {
			return "+" + e.Group
		}
		return "-" + e.Group
	}
	for i := range examples {
		groups[key(&examples[i])]++
	}
	for i := range examples {
		e := &examples[i]
		rows[i] = row{features: e.features, w: e.Weight / math.Pow(groups[key(e)], 0.35), norm: 1 / length(len(e.features))}
		if e.Attack {
			rows[i].y = 1
		}
	}
	// Balance attacks and harmless texts in each language: otherwise a language would be a sign of
	// attack.
	byLang := map[string]*[2]float64{}
	for i := range rows {
		circle := examples[i].circle()
		l := byLang[circle]
		if l == nil {
			l = new([2]float64)
			byLang[circle] = l
		}
		l[int(rows[i].y)] += rows[i].w
	}
	for i := range rows {
		l := byLang[examples[i].circle()]
		if mine, other := l[int(rows[i].y)], l[1-int(rows[i].y)]; other > 0 {
			rows[i].w *= min(4, max(0.25, math.Sqrt(other/mine)))
		}
	}
	sum := 0.0
	for i := range rows {
		sum += rows[i].w
	}
	for i := range rows {
		rows[i].w *= float64(len(rows)) / sum
	}
	return rows
}

// train fits a model on the features that r reads.
func train(examples []Example, r *reader) *Model {
	examples = r.examples(examples)
	rows := weighed(examples)
	const (
		epochs  = 12
		rate    = 0.6
		decay   = 2e-6
		ownRate = 2 // rate of a language's own bias
	)
	// A language with more attacks than harmless texts must not look like an attack by itself. So
	// each language has its own bias during training, which learns faster than the features and is
	// discarded afterwards. It can only be positive: that a language looks harmless may be learned.
	bySame := map[string]*float64{}
	own := make([]*float64, len(rows))
	for i := range rows {
		l := examples[i].circle()
		if bySame[l] == nil {
			bySame[l] = new(float64)
		}
		own[i] = bySame[l]
	}
	weights := make([]float64, buckets(r.senses))
	squares := make([]float64, len(weights))
	bias := 0.0
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range epochs {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, k := range order {
			x := &rows[k]
			s := 0.0
			for _, i := range x.features {
				s += weights[i]
			}
			g := (sigmoid(bias+*own[k]+s*x.norm) - x.y) * x.w
			bias -= 0.005 * g
			if examples[k].Lang != "en" {
				*own[k] = max(0, *own[k]-ownRate*g)
			}
			g *= x.norm
			for _, i := range x.features {
				d := g + decay*weights[i]
				squares[i] += d * d
				weights[i] -= rate * d / math.Sqrt(squares[i]+1e-2)
			}
		}
	}
	m := &Model{bias: bias, tool: r.tool, senses: r.senses, sources: sources(examples)}
	m.quantize(weights)
	return m
}

// quantize sets the weights of m, in a byte each.
func (m *Model) quantize(weights []float64) {
	largest := 0.0
	all := make([]float64, 0, len(weights))
	for _, w := range weights {
		if w != 0 {
			all = append(all, math.Abs(w))
		}
	}
	if len(all) > 0 { // otherwise a few large weights would leave no steps for the others
		slices.Sort(all)
		largest = all[len(all)*9995/10000]
	}
	m.scale, m.weights = largest/127, make([]int8, len(weights))
	if largest > 0 {
		for i, w := range weights {
			m.weights[i] = int8(math.Round(min(127, max(-127, w/m.scale))))
		}
	}
}
