package guard

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// words calls f with each word of a text, in small letters. A letter of a script without
// blanks is a word.
type words struct {
	buf  []byte
	word func(w []byte)
}

// maxWord is how much of a word counts.
const maxWord = 48

// rune takes the next character.
func (w *words) rune(r rune) {
	switch {
	case r < utf8.RuneSelf && (isLower(byte(r)) || '0' <= r && r <= '9'):
		if len(w.buf) < maxWord {
			w.buf = append(w.buf, byte(r))
		}
	case 'A' <= r && r <= 'Z':
		if len(w.buf) < maxWord {
			w.buf = append(w.buf, byte(r|0x20))
		}
	case (r == '\'' || r == '’') && len(w.buf) > 0: // don't
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
		w.end()
		w.buf = utf8.AppendRune(w.buf, r)
		w.end()
	case r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)):
		if len(w.buf) < maxWord {
			w.buf = utf8.AppendRune(w.buf, unicode.ToLower(r))
		}
	default:
		w.end()
	}
}

// end ends a word.
func (w *words) end() {
	if len(w.buf) > 0 {
		w.word(w.buf)
		w.buf = w.buf[:0]
	}
}

func isLower(b byte) bool { return 'a' <= b && b <= 'z' }

func splitWords(text string) []string {
	var out []string
	w := words{word: func(b []byte) { out = append(out, string(b)) }}
	for _, r := range text {
		w.rune(r)
	}
	w.end()
	return out
}

// phrases finds sequences of words. They are written as words with blanks between them;
// "a|b" is either, "a?" may be missing and "*" is any word.
type phrases struct {
	byLast map[string][]phrase
}

type phrase struct {
	rest []string // the words before the last, the nearest first
	id   int
}

const longestPhrase = 8

func (p *phrases) add(id int, list ...string) {
	if p.byLast == nil {
		p.byLast = map[string][]phrase{}
	}
	for _, text := range list {
		all := [][]string{nil}
		for f := range strings.FieldsSeq(text) {
			optional := strings.HasSuffix(f, "?")
			var next [][]string
			for _, head := range all {
				if optional {
					next = append(next, head)
				}
				for alt := range strings.SplitSeq(strings.TrimSuffix(f, "?"), "|") {
					next = append(next, append(slices.Clip(head), phraseWords(alt)...))
				}
			}
			all = next
		}
		for _, w := range all {
			if n := len(w); n > 0 && n <= longestPhrase {
				rest := slices.Clone(w[:n-1])
				slices.Reverse(rest)
				p.byLast[w[n-1]] = append(p.byLast[w[n-1]], phrase{rest, id})
			}
		}
	}
}

func phraseWords(alt string) []string {
	if alt == "*" {
		return []string{"*"}
	}
	return splitWords(alt)
}

// A history is the last words of a text.
type history struct {
	ring [longestPhrase][]byte
	n    int
}

func (h *history) push(w []byte) {
	slot := &h.ring[h.n%longestPhrase]
	*slot = append((*slot)[:0], w...)
	h.n++
}

// ago returns the word k words before the last one.
func (h *history) ago(k int) []byte {
	if k >= h.n || k >= longestPhrase {
		return nil
	}
	return h.ring[(h.n-1-k)%longestPhrase]
}

// match calls f for each phrase that ends with the last word.
func (p *phrases) match(h *history, f func(id int)) {
	for _, ph := range p.byLast[string(h.ago(0))] {
		ok := true
		for k, w := range ph.rest {
			got := h.ago(k + 1)
			if got == nil || w != "*" && string(got) != w {
				ok = false
				break
			}
		}
		if ok {
			f(ph.id)
		}
	}
}

// in returns which phrases a text has, and how often.
func (p *phrases) in(text string, ids int) []int {
	found := make([]int, ids)
	var h history
	w := words{word: func(b []byte) {
		h.push(b)
		p.match(&h, func(id int) { found[id]++ })
	}}
	for _, r := range text {
		w.rune(r)
	}
	w.end()
	return found
}
