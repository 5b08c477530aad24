package normal

import (
	"unicode"
	"unicode/utf8"
)

// strip removes invisible characters, and returns the text that they spelled.
func (f *Form) strip(count bool) []View {
	s := f.Text
	x := stripper{f: f, count: count, w: rewriter{f: f}, p: places{text: s}, prev: -1, bidiAt: -1, bidiEnd: -1}
	for i := 0; i < len(s); {
		c, n := rune(s[i]), 1
		if c >= utf8.RuneSelf {
			c, n = utf8.DecodeRuneInString(s[i:])
		}
		if len(x.spelled) > 0 && !spells(c) && !zeroWidth(c) && !(c == ' ' && i+1 < len(s) && s[i+1] >= 0xF3) { // or a disguise over it
			x.flush(i)
		}
		g := gone{size: n}
		if c < ' ' || c >= 0x7f {
			g = x.look(i, c, n)
		}
		if g.drop {
			x.take(i, g)
		} else {
			if x.marks > 0 && !stacks(c) {
				x.marks = 0
			}
			x.prev = c
		}
		i += g.size
	}
	x.flush(len(s))
	if count && x.seenTo > 0 {
		f.Visible = string(append(x.seen, s[x.seenTo:]...))
	}
	if count && x.bidiAt >= 0 {
		x.reversed()
	}
	x.w.finish()
	return x.hidden
}

// A stripper is the state of strip at one position in the text.
type stripper struct {
	f               *Form
	count           bool
	w               rewriter
	p               places
	hidden          []View
	spelled         []byte // by the run of tag characters or selectors that is being read
	spelledAt       int
	bidiAt, bidiEnd int    // of the first text that is shown backwards; -1 for none
	seen            []byte // the text without invisible characters, up to seenTo
	seenTo          int
	prev            rune // the last character that stays
	marks           int  // number of marks on it
	message         bool // a text for the terminal, such as its title, has begun
}

// gone is the treatment of a character: its size in bytes, whether it is removed, its class, and
// its replacement. A class of Classes is not counted.
type gone struct {
	size  int
	drop  bool
	class Class
	with  string
}

// look classifies the character c of n bytes at i.
func (x *stripper) look(i int, c rune, n int) gone {
	s := x.f.Text
	stays, takes := gone{size: n}, func(class Class) gone { return gone{size: n, drop: true, class: class} }
	switch {
	case c == utf8.RuneError && n == 1:
		return gone{n, true, Invalid, "\uFFFD"}
	case c < ' ' && c != '\n' && c != '\t' && c != '\r' || c >= 0x7f && c < 0xa0:
		return x.control(i, c, n)
	case c < 0xa0:
	case c == 0x1F3F4: // a flag may be spelled by the tag characters after it
		return gone{size: n + max(0, flag(s[i+n:]))}
	case c >= 0xE0000 && c <= 0xE007F:
		x.spell(i, byte(c-0xE0000))
		return takes(Tag)
	case selector(c):
		next, _ := utf8.DecodeRuneInString(s[i+n:])
		if !selector(next) && selects(x.prev, c) {
			return stays
		}
		if c < 0xFF00 {
			x.spell(i, byte(c-0xFE00))
		} else {
			x.spell(i, byte(c-0xE0100+16))
		}
		return takes(Variation)
	case c >= 0x202A && c <= 0x202E || c >= 0x2066 && c <= 0x2069 || c == 0x200E || c == 0x200F || c == 0x061C:
		if c == 0x202E && x.bidiAt < 0 {
			x.bidiAt, x.bidiEnd = i+n, -1
		} else if c == 0x202C && x.bidiAt >= 0 && x.bidiEnd < 0 {
			x.bidiEnd = i
		}
		if x.p.turns(c) {
			return takes(Classes)
		}
		return takes(Bidi)
	case c == 0x200D || c == 0x200C:
		if next, _ := utf8.DecodeRuneInString(s[i+n:]); !joins(x.prev, c, next) {
			return takes(ZeroWidth)
		}
	case zeroWidth(c):
		if next, _ := utf8.DecodeRuneInString(s[i+n:]); x.p.means(x.prev, c, next) {
			return takes(Classes)
		}
		return takes(ZeroWidth)
	case c == 0x2028 || c == 0x2029:
		return gone{n, true, Classes, "\n"}
	case stacks(c):
		if x.marks++; x.marks > 4 {
			return takes(Stacked)
		}
	}
	return stays
}

// stacks reports whether c is drawn over the character before it.
func stacks(c rune) bool { return unicode.Is(unicode.Mn, c) || unicode.Is(unicode.Me, c) }

// spell adds a letter that the invisible character at i carries.
func (x *stripper) spell(i int, letter byte) {
	if len(x.spelled) == 0 {
		x.spelledAt = i
	}
	x.spelled = append(x.spelled, letter)
}

// flush ends a run of invisible characters, and keeps what it spelled.
func (x *stripper) flush(end int) {
	if n := printable(x.spelled); x.count && n >= 3 {
		x.hide("hidden", string(x.spelled), x.spelledAt, end)
	}
	x.spelled = x.spelled[:0]
}

// take drops the character at i, and counts it.
func (x *stripper) take(i int, g gone) {
	f := x.f
	if g.class < Classes && x.count {
		if g.class != Stacked { // that can be seen
			x.seen = append(append(x.seen, f.Text[x.seenTo:i]...), g.with...)
			x.seenTo = i + g.size
		}
		f.Count[g.class]++
		a, b := f.Range(i, i+g.size)
		if k := len(f.Spans); k > 0 && f.Spans[k-1].Class == g.class && f.Spans[k-1].End == a {
			f.Spans[k-1].End = b
		} else if k < maxSpans {
			f.Spans = append(f.Spans, Span{g.class, a, b})
		}
	}
	x.w.replace(i, i+g.size, g.with)
}

// reversed keeps the text that is shown backwards as it is shown.
func (x *stripper) reversed() {
	s := x.f.Text
	if x.bidiEnd < x.bidiAt {
		x.bidiEnd = min(len(s), x.bidiAt+maxView)
	}
	x.hide("bidi", reversed(s[x.bidiAt:x.bidiEnd]), x.bidiAt, x.bidiEnd)
}

// hide keeps a text that only a model reads, from a range of the text.
func (x *stripper) hide(kind, text string, start, end int) {
	if len(x.hidden) < maxViews {
		a, b := x.f.Range(start, end)
		x.hidden = append(x.hidden, View{Kind: kind, Text: clip(text), Start: a, End: b, Hidden: true})
	}
}
