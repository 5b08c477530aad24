package guard

import (
	_ "embed"
	"math"
	"strings"
	"sync"
)

// A sense is the meaning of a word or phrase in any language. The leakage model weighs which senses
// occur close together, so that "they set me up to push" resembles "I was told to sell".
type sense uint8

// senseNames are the sections of senses.txt. The order numbers the senses, and the trained weights
// depend on the numbers.
const senseNames = "self mine you maker told orders must not shun say hide user bot role style when only always send sell tool above advice yours human refuse they"

//go:embed senses.txt
var sensesText string

var senses = sync.OnceValue(func() *phrases {
	return readPhrases(sensesText, strings.Fields(senseNames))
})

// leakBuckets is the number of distinct features.
const leakBuckets = 1 << 14

// A senseReader turns words into features.
type senseReader struct {
	history
	prev   uint32
	recent [8]struct {
		s  sense
		at int
	}
	seen  int // number of senses in this sentence
	words int
	emit  func(uint16)
}

// mixed returns a hash of two numbers. It is the same on every machine.
func mixed(a, b uint32) uint32 {
	h := a*0x9e3779b1 ^ b
	h ^= h >> 15
	h *= 0x85ebca6b
	return h ^ h>>13
}

// add emits the feature h of a sort.
func (r *senseReader) add(sort, h uint32) {
	h = mixed(sort, h)
	i := uint16((h ^ h>>16) % leakBuckets)
	r.emit(i)
	if sort >= bySense { // senses count twice: words depend more on the topic
		r.emit(i)
	}
}

// The sorts of features.
const (
	byWord uint32 = iota + 1
	byPair
	bySense
	bySenses
)

// sensesApart is the largest distance in words between two related senses.
const sensesApart = 10

func (r *senseReader) word(w []byte) {
	r.push(w)
	r.words++
	h := uint32(2166136261)
	for _, b := range w[:min(len(w), 7)] { // a prefix of the word
		h = (h ^ uint32(b)) * 16777619
	}
	r.add(byWord, h)
	r.add(byPair, mixed(r.prev, h))
	r.prev = h
	senses().match(&r.history, func(id int) {
		r.add(bySense, uint32(id))
		for k := range min(r.seen, len(r.recent)) {
			if o := &r.recent[k]; r.words-o.at <= sensesApart && int(o.s) != id {
				r.add(bySenses, uint32(o.s)<<8|uint32(id))
			}
		}
		r.recent[r.seen%len(r.recent)].s, r.recent[r.seen%len(r.recent)].at = sense(id), r.words
		r.seen++
	})
}

// sentence ends a sentence: phrases and pairs do not cross its end.
func (r *senseReader) sentence() {
	r.n, r.seen, r.prev = 0, 0, 0
}

// leakModel is a logistic regression over hashed features: its bias, the scale of the weights, and
// one byte per weight. TestLeakModel -update trains it.
//
//go:embed leak.model
var leakModel []byte

// A leakSense scores the last words of an answer.
type leakSense struct {
	senseReader
	sum, n int
	last   [32]struct{ sum, n, at int } // sums of the last sentences, and the word count at the start of each
	ended  int
	began  int
}

func newLeakSense() *leakSense {
	s := &leakSense{}
	s.emit = func(i uint16) {
		s.sum += int(int8(leakModel[leakHeader+int(i)]))
		s.n++
	}
	return s
}

// leakHeader is the number of bytes before the weights.
const leakHeader = 4

// senseWithin is the number of words that are scored together.
const senseWithin = 80

// end ends a sentence and returns how likely the last ones repeat instructions, 0 to 1. said is the
// score of the tells.
func (s *leakSense) end(said float64) float64 {
	x := s.logit() + tellsCount*said - leakThreshold
	return 1 / (1 + math.Exp(-x)*0.3/0.7) // 0.7, the default that rejects, at x = 0
}

// The weight of the tells beside the model, and the sum at which an answer is rejected. They were
// chosen on rows that were not in the training data.
const (
	tellsCount    = 2
	leakThreshold = 1.25
)

// logit ends a sentence and returns the score of the last ones.
func (s *leakSense) logit() float64 {
	if s.n > 0 {
		s.last[s.ended%len(s.last)] = struct{ sum, n, at int }{s.sum, s.n, s.began}
		s.ended++
	}
	s.sum, s.n, s.began = 0, 0, s.words
	s.sentence()
	sum, n := 0, 0
	for k := range min(s.ended, len(s.last)) {
		l := &s.last[(s.ended-1-k)%len(s.last)]
		if k > 0 && s.words-l.at > senseWithin {
			break
		}
		sum, n = sum+l.sum, n+l.n
	}
	bias, scale := leakScale()
	return bias + scale*float64(sum)/math.Sqrt(float64(n)+20)
}

// leakScale returns the bias and the scale of the model from its header, where both are in
// thousandths.
func leakScale() (bias, scale float64) {
	at := func(i int) float64 { return float64(int16(uint16(leakModel[i])<<8|uint16(leakModel[i+1]))) / 1000 }
	return at(0), at(2)
}
