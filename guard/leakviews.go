package guard

import (
	"hash/maphash"
	"math/bits"
	"unicode"
)

// letters compares only the letters of the text. The adversary hides words from a guard by gaps, by
// marks between letters, or by look-alike letters.
func (s *leakScan) letters(r rune) {
	if !s.p.known {
		return
	}
	c, odd := fold(r)
	odd = odd || unicode.IsUpper(r) && unicode.IsLower(s.before) // NoBlanksAtAll
	s.before = r
	if c == 0 {
		s.between++
		return
	}
	// Between words there is a blank. In words there is nothing.
	odd = odd || s.between > 3 || s.between > 0 && s.alone
	s.alone = s.between > 0 || len(s.run) == 0
	s.between = 0
	s.odd = s.odd << 1
	if odd {
		s.odd |= 1
	}
	if len(s.run) >= 4096 {
		s.run = append(s.run[:0], s.run[len(s.run)-64:]...)
	}
	s.run = append(s.run, c)
	for _, w := range s.p.secrets {
		if n := len(w); w[n-1] == c && len(s.run) >= n && string(s.run[len(s.run)-n:]) == w {
			s.secret = true
		}
	}
	const window = 1<<gramLen - 1
	if len(s.run) >= gramLen && len(s.hidden) < 100 && (s.depth > 0 || bits.OnesCount64(s.odd&window) >= 2) {
		if h := maphash.Bytes(shingleSeed, s.run[len(s.run)-gramLen:]); s.p.grams[h] {
			s.hidden[h] = true
		}
	}
}

// manyLetters is the number of matching places, in disguise, at which the prompt counts as
// repeated: a letter more than gramLen each.
const manyLetters = 10

// A touch is what was said of one instruction.
type touch struct {
	words [8]string // the last of its words
	at    [8]int    // where each stands
	told  int       // where there were enough of them, 0 if nowhere
}

// denseWords is the number of words of one instruction at which it alone counts as repeated.
const denseWords = 5

// nearWords is the largest distance between the words of one repeated instruction, and farWords
// that between instructions.
const (
	nearWords = 25
	farWords  = 120
)

// touch notes which instructions a word is about.
func (s *leakScan) touch(w []byte) {
	if len(s.p.about) == 0 || len(w) < 3 {
		return
	}
	st := stem(string(w))
	for _, i := range s.p.about[st] {
		t := &s.touched[i]
		free, n := 0, 0
		for k := range t.words {
			if t.words[k] == st {
				free = k
				break
			}
			if t.at[k] < t.at[free] {
				free = k
			}
		}
		t.words[free], t.at[free] = st, s.last.n
		for k := range t.at {
			if t.words[k] != "" && s.last.n-t.at[k] <= nearWords {
				n++
			}
		}
		if n >= min(s.p.need[i], len(t.words)) {
			t.told = s.last.n
			if n >= denseWords {
				s.dense = s.last.n
			}
		}
	}
}

// breadth is the number of instructions that the last words concern.
func (s *leakScan) breadth() int {
	n := 0
	for i := range s.touched {
		if at := s.touched[i].told; at > 0 && s.last.n-at <= farWords {
			n++
		}
	}
	return n
}
