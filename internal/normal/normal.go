package normal

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Class is a kind of character that hides something.
type Class uint8

// The classes.
const (
	ZeroWidth Class = iota // characters without width, fillers, soft hyphens
	Tag                    // the tag block
	Variation              // variation selectors that select nothing
	Bidi                   // marks that turn the direction
	Control                // control characters, but not tab and line ends
	Invalid                // bytes that are not UTF-8
	Stacked                // combining marks piled up
	Mixed                  // words of several scripts that look like one
	Classes                // how many there are
)

var classNames = [Classes]string{"zero-width", "tag-character", "variation-selector", "bidi", "control", "invalid-utf8", "stacked-marks", "mixed-script"}

// String returns the name, as "zero-width".
func (c Class) String() string {
	if c < Classes {
		return classNames[c]
	}
	return "unknown"
}

// Form is a text in its canonical form.
type Form struct {
	Text    string // canonical
	Visible string // the original without invisible characters that have no meaning
	Runes   int    // of the original
	Count   [Classes]int
	Views   []View // hidden parts of the text, decoded
	// Spans are the original positions of hidden text, at most maxSpans of them.
	Spans []Span

	starts, ends []int32 // by byte of Text, where it was in the original; nil if nothing moved
}

// Span is a place in the original text.
type Span struct {
	Class      Class
	Start, End int
}

const maxSpans = 4096

// Range returns where the bytes [start, end) of the canonical text were in the original.
func (f *Form) Range(start, end int) (int, int) {
	if start < 0 || end < start || end > len(f.Text) {
		return 0, 0
	}
	if f.starts == nil {
		return start, end
	}
	switch {
	case start == len(f.Text) && start == 0:
		return 0, 0
	case start == len(f.Text):
		e := int(f.ends[start-1])
		return e, e
	case start == end:
		return int(f.starts[start]), int(f.starts[start])
	}
	return int(f.starts[start]), int(f.ends[end-1])
}

// passes bounds the number of passes over a text. One pass can make
// neighbors of characters that compose, so one is not always enough.
const passes = 6

// Text returns the canonical form of a text. Text leaves its own
// result unchanged.
func Text(s string) *Form {
	f, hidden := form(s)
	d := decoder{left: maxView}
	if over := overtyped(clip(s)); over != "" { // a model may read what a terminal shows
		d.out = append(d.out, View{Kind: "overtyped", Text: over, End: len(f.Text)})
	}
	if len(hidden) == 0 {
		f.Views = append(d.out, views(f.Text)...)
		return f
	}
	shown := d.out
	d.out = nil
	for _, h := range hidden { // what nobody sees may be disguised once more
		d.add(h.Kind, h.Text, h.Start, h.End, 0)
	}
	for i := range d.out {
		d.out[i].Hidden = true
	}
	f.Views = append(append(shown, d.out...), views(f.Text)...)
	return f
}

// Canonical is Text without Views, which take the most time.
func Canonical(s string) *Form {
	f, _ := form(s)
	return f
}

func form(s string) (f *Form, hidden []View) {
	f = &Form{Text: s, Visible: s}
	if plain(s) {
		f.Runes = len(s)
		return f, nil
	}
	f.Runes = utf8.RuneCountInString(s)
	return f, f.canonical()
}

// canonical brings f to its canonical form and returns what was hidden in it.
func (f *Form) canonical() (hidden []View) {
	for i := range passes {
		was := f.Text
		if h := f.strip(i == 0); i == 0 {
			hidden = h
		}
		f.compose()
		f.latin(i == 0)
		if f.Text == was {
			break
		}
	}
	return hidden
}

// plain reports whether s is ASCII without control characters: then it is canonical.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= utf8.RuneSelf || c < ' ' && c != '\n' && c != '\t' && c != '\r' || c == 0x7f {
			return false
		}
	}
	return true
}

// rewriter builds the next text of a Form together with its map.
type rewriter struct {
	f            *Form
	out          []byte
	starts, ends []int32
	done         int // end of the part of f.Text that was copied or dropped
}

// origin returns the original range of f.Text[i:j].
func (w *rewriter) origin(i, j int) (int32, int32) {
	a, b := w.f.Range(i, j)
	return int32(a), int32(b)
}

func (w *rewriter) start() {
	if w.out == nil {
		w.out = make([]byte, 0, len(w.f.Text)+16)
		w.starts = make([]int32, 0, len(w.f.Text)+16)
		w.ends = make([]int32, 0, len(w.f.Text)+16)
	}
}

// keep copies everything up to i.
func (w *rewriter) keep(i int) {
	if i <= w.done {
		return
	}
	w.start()
	w.out = append(w.out, w.f.Text[w.done:i]...)
	if w.f.starts != nil {
		w.starts = append(w.starts, w.f.starts[w.done:i]...)
		w.ends = append(w.ends, w.f.ends[w.done:i]...)
	} else {
		for k := w.done; k < i; k++ {
			w.starts = append(w.starts, int32(k))
			w.ends = append(w.ends, int32(k+1))
		}
	}
	w.done = i
}

// replace puts s in the place of f.Text[i:j].
func (w *rewriter) replace(i, j int, s string) {
	w.keep(i)
	w.start()
	a, b := w.origin(i, j)
	w.out = append(w.out, s...)
	for range len(s) {
		w.starts = append(w.starts, a)
		w.ends = append(w.ends, b)
	}
	w.done = j
}

func (w *rewriter) finish() {
	if w.done == 0 && w.out == nil {
		return
	}
	w.keep(len(w.f.Text))
	w.f.Text, w.f.starts, w.f.ends = string(w.out), w.starts, w.ends
}

// spells reports whether c can carry hidden letters.
func spells(c rune) bool { return c >= 0xE0000 && c <= 0xE007F || selector(c) }

func selector(c rune) bool { return c >= 0xFE00 && c <= 0xFE0F || c >= 0xE0100 && c <= 0xE01EF }

// selects reports whether a variation selector has its place after prev.
func selects(prev, c rune) bool {
	switch {
	case c == 0xFE0E || c == 0xFE0F: // text or emoji
		return prev >= 0x2000 || prev == '#' || prev == '*' || prev >= '0' && prev <= '9' || prev == 0xA9 || prev == 0xAE
	case unicode.Is(unicode.Han, prev):
		return true
	case c <= 0xFE02:
		return prev >= 0x1000 && prev < 0xFE00
	}
	return c >= 0x180B && c <= 0x180D
}

// joins reports whether a joiner between two characters has a meaning.
func joins(prev, c, next rune) bool {
	if prev < 0xA0 || next < 0xA0 || next == utf8.RuneError {
		return false
	}
	if c == 0x200D && (pictograph(prev) || prev == 0xFE0F || prev >= 0x1F3FB && prev <= 0x1F3FF) && pictograph(next) {
		return true
	}
	return joining(prev) && joining(next)
}

// joining reports whether c is of a script that is written with joiners.
func joining(c rune) bool {
	return c >= 0x0600 && c <= 0x08FF && c != 0x061C || c >= 0x0900 && c <= 0x0DFF || c >= 0x1000 && c <= 0x109F || c >= 0x1780 && c <= 0x18AF || c >= 0xFB50 && c <= 0xFDFF
}

func pictograph(c rune) bool {
	return c >= 0x1F000 && c <= 0x1FAFF || c >= 0x2190 && c <= 0x2BFF || c == 0x3030 || c == 0x303D || c == 0xA9 || c == 0xAE
}

func zeroWidth(c rune) bool {
	switch {
	case c == 0xAD, c == 0x034F, c == 0x115F, c == 0x1160, c == 0x17B4, c == 0x17B5, c == 0x3164, c == 0xFFA0, c == 0xFEFF,
		c >= 0x180B && c <= 0x180F, c >= 0x2060 && c <= 0x2065, c == 0x200B, c >= 0x206A && c <= 0x206F, c >= 0xFFF9 && c <= 0xFFFB, c >= 0x1D173 && c <= 0x1D17A,
		c >= 0xE0080 && c <= 0xE00FF, c >= 0xE01F0 && c <= 0xE0FFF:
		return true
	}
	return false
}

// flag returns the length of the tag characters that end a flag's name, or 0.
func flag(s string) int {
	n := 0
	for k := range 8 {
		c, size := utf8.DecodeRuneInString(s[n:])
		n += size
		switch {
		case c == 0xE007F && k >= 2:
			return n
		case c >= 0xE0061 && c <= 0xE007A || c >= 0xE0030 && c <= 0xE0039:
		default:
			return 0
		}
	}
	return 0
}

func printable(b []byte) int {
	n, spaces := 0, 0
	for _, c := range b {
		if c > ' ' && c < 0x7f {
			n++
		} else if c == ' ' {
			spaces++
		}
	}
	if 4*(n+spaces) < 3*len(b)-8 {
		return 0
	}
	return n
}

// compose brings the text to NFKC.
func (f *Form) compose() {
	s := f.Text
	i := norm.NFKC.QuickSpanString(s)
	if i == len(s) {
		return
	}
	w := rewriter{f: f}
	// From the last boundary before: what follows may compose with it.
	for i > 0 && !(utf8.RuneStart(s[i]) && norm.NFKC.PropertiesString(s[i:]).BoundaryBefore()) {
		i--
	}
	var it norm.Iter
	it.InitString(norm.NFKC, s[i:])
	for base := i; !it.Done(); {
		from := base + it.Pos()
		seg := it.Next()
		to := base + it.Pos()
		if s[from:to] != string(seg) {
			w.replace(from, to, string(seg))
		}
	}
	w.finish()
}

// latin replaces look-alike letters in Latin words by the Latin ones. Words of another script stay,
// unless the surrounding text is Latin.
func (f *Form) latin(count bool) {
	s := f.Text
	all := lettersOf(s)
	if all.alike == 0 {
		return
	}
	w := rewriter{f: f}
	word := func(i, j int) {
		if !disguised(s[i:j], all) {
			return
		}
		if count {
			f.Count[Mixed]++
			a, b := f.Range(i, j)
			if len(f.Spans) < maxSpans {
				f.Spans = append(f.Spans, Span{Mixed, a, b})
			}
		}
		for k, c := range s[i:j] {
			if r := lookalike(c); r != 0 {
				w.replace(i+k, i+k+utf8.RuneLen(c), string(r))
			}
		}
	}
	begin := -1
	special := false
	for i, c := range s {
		in := c < utf8.RuneSelf && (c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9') || c >= utf8.RuneSelf && (unicode.IsLetter(c) || unicode.Is(unicode.Mn, c) || c >= 0x1F150 && c <= 0x1F189)
		if in {
			if begin < 0 {
				begin = i
			}
			special = special || c >= utf8.RuneSelf
			continue
		}
		if begin >= 0 && special {
			word(begin, i)
		}
		begin, special = -1, false
	}
	if begin >= 0 && special {
		word(begin, len(s))
	}
	w.finish()
}

// letters counts the letters of a text by their script.
type letters struct {
	latin   int
	alike   int // look like Latin ones
	dressed int // of these, no other script's: styled, small or turned forms
	foreign int
}

func lettersOf(s string) (n letters) {
	for _, c := range s {
		switch {
		case c < utf8.RuneSelf:
			if c|0x20 >= 'a' && c|0x20 <= 'z' {
				n.latin++
			}
		case lookalike(c) != 0:
			n.alike++
			if c >= 0x1F150 && c <= 0x1F189 || c >= 0x1D00 && c < 0x1E00 || c >= 0x250 && c < 0x2B0 || c >= 0xA730 && c < 0xA7FF {
				n.dressed++
			}
		case unicode.Is(unicode.Latin, c):
			n.latin++
		case unicode.IsLetter(c):
			n.foreign++
		}
	}
	return n
}

// disguised reports whether a word is Latin in letters of other scripts, in a text with all
// these letters.
func disguised(word string, all letters) bool {
	n := lettersOf(word)
	known := n.latin + n.alike
	switch {
	case n.alike == 0 || n.foreign > 0:
		return false
	case known < 3 && !(n.dressed == 0 && all.latin > 4*(all.alike+all.foreign) && cyrillicOnly(word)):
		return false
	case n.latin == 0:
		return n.dressed == n.alike || all.latin >= 2*(all.alike+all.foreign) // else a word of its own script
	}
	// A foreign word may have one Latin letter, in a foreign text.
	return n.latin*4 >= n.alike || all.latin >= all.foreign+all.alike
}

func cyrillicOnly(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return !unicode.Is(unicode.Cyrillic, c) })
}

func lookalike(c rune) rune {
	if c < 0x0138 {
		return 0
	}
	if c >= 0x1F150 && c <= 0x1F169 {
		return 'A' + c - 0x1F150
	}
	if c >= 0x1F170 && c <= 0x1F189 {
		return 'A' + c - 0x1F170
	}
	i, ok := slices.BinarySearchFunc(lookalikes(), c, func(p pair, c rune) int { return int(p.from) - int(c) })
	if !ok {
		return 0
	}
	return lookalikes()[i].to
}
