package guard

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// words calls word with each word of a text, in lower case. A character of a script without spaces
// is a word.
type words struct {
	buf  []byte
	word func(w []byte)
}

// maxWord is the number of bytes of a word that count.
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

// phrases finds sequences of words. A phrase is a list of words with spaces between them: "a|b"
// matches either word, "a?" is optional, and "*" matches any word.
type phrases struct{ root phraseNode }

// A phraseNode is a node of a tree of phrases, from their last words backwards.
type phraseNode struct {
	before map[string]*phraseNode // children, by the preceding word
	any    *phraseNode            // the child for any preceding word
	ids    []int                  // phrases that begin here
}

func (n *phraseNode) child(w string) *phraseNode {
	if w == "*" {
		if n.any == nil {
			n.any = &phraseNode{}
		}
		return n.any
	}
	c := n.before[w]
	if c == nil {
		if n.before == nil {
			n.before = map[string]*phraseNode{}
		}
		c = &phraseNode{}
		n.before[w] = c
	}
	return c
}

// longestPhrase is the limit of words in a phrase; a longer phrase never matches.
const longestPhrase = 8

func (p *phrases) add(id int, list ...string) {
	for _, text := range list {
		ends := []*phraseNode{&p.root}
		for _, f := range slices.Backward(strings.Fields(text)) {
			var next []*phraseNode
			if strings.HasSuffix(f, "?") {
				next = append(next, ends...)
			}
			for alt := range strings.SplitSeq(strings.TrimSuffix(f, "?"), "|") {
				words := phraseWords(alt)
				for _, n := range ends {
					for _, w := range slices.Backward(words) {
						n = n.child(w)
					}
					next = append(next, n)
				}
			}
			ends = next
		}
		for _, n := range ends {
			if n != &p.root && !slices.Contains(n.ids, id) {
				n.ids = append(n.ids, id)
			}
		}
	}
}

// readPhrases returns the phrases of lines such as "kind: phrase / phrase". Their IDs are the positions
// of the kinds in kinds. It panics for another kind, because the text is part of the program.
func readPhrases(text string, kinds []string) *phrases {
	var p phrases
	for line := range strings.Lines(text) {
		if kind, list, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && line[0] != '#' {
			id := slices.Index(kinds, kind)
			if id < 0 {
				panic("guard: unknown kind of phrase: " + kind)
			}
			p.add(id, strings.Split(list, " / ")...)
		}
	}
	return &p
}

func phraseWords(alt string) []string {
	if alt == "*" {
		return []string{"*"}
	}
	return splitWords(alt)
}

// A history holds the last words of a text.
type history struct {
	ring [longestPhrase][]byte
	n    int
}

func (h *history) push(w []byte) {
	slot := &h.ring[h.n%longestPhrase]
	*slot = append((*slot)[:0], w...)
	h.n++
}

// ago returns the word k words before the last one, or nil.
func (h *history) ago(k int) []byte {
	if k >= h.n || k >= longestPhrase {
		return nil
	}
	return h.ring[(h.n-1-k)%longestPhrase]
}

// match calls f for each phrase that ends with the last word.
func (p *phrases) match(h *history, f func(id int)) { p.root.match(h, 0, f) }

func (n *phraseNode) match(h *history, k int, f func(id int)) {
	for _, id := range n.ids {
		f(id)
	}
	w := h.ago(k)
	if w == nil {
		return
	}
	if c := n.before[string(w)]; c != nil {
		c.match(h, k+1, f)
	}
	if n.any != nil {
		n.any.match(h, k+1, f)
	}
}
