package guard

import (
	"hash/maphash"
	"math/bits"
	"unicode"
)

// letters compares only the letters of the text. The adversary hides words from a guard with gaps,
// with marks between letters, or with look-alike letters.
func (s *leakScan) letters(r rune) {
	if !s.p.known {
		return
	}
	c, odd := fold(r)
	odd = odd || unicode.IsUpper(r) && unicode.IsLower(s.before) // words without spaces, LikeThis
	s.before = r
	if c == 0 {
		s.between++
		return
	}
	// A single space separates words, and nothing separates the letters of a word.
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

// manyLetters is the number of disguised passages of gramLen letters at which the prompt counts as
// repeated. Passages overlap: each further letter of a copy completes another one.
const manyLetters = 10

// A touch records the words of one instruction that the answer repeats.
type touch struct {
	words [8]string // the last such words
	at    [8]int    // word count at the last occurrence of each
	told  int       // word count when enough of them occurred close together, 0 for never
}

// denseWords is the number of words of one instruction at which it counts as repeated by itself.
const denseWords = 5

// nearWords is the largest distance, in words, between the words of one repeated instruction.
// farWords is the largest distance between repeated instructions.
const (
	nearWords = 25
	farWords  = 120
)

// touch records the instructions that contain a word of the answer.
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

// breadth returns the number of instructions that the last words of the answer repeat.
func (s *leakScan) breadth() int {
	n := 0
	for i := range s.touched {
		if at := s.touched[i].told; at > 0 && s.last.n-at <= farWords {
			n++
		}
	}
	return n
}
