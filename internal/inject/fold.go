package inject

import (
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folded is a text in the form of the lexicon: in lower case, and without the marks and variants of
// letters that writers of a language may leave out.
type folded struct {
	b   []byte
	pos []int32 // for each byte of b, its original position; empty if nothing moved
}

// at returns the original position of byte i of the folded text.
func (f *folded) at(i int) int {
	if len(f.pos) == 0 {
		return i
	}
	if i >= len(f.pos) {
		return int(f.pos[len(f.pos)-1]) + 1
	}
	return int(f.pos[i])
}

func fold(s string) folded { return foldInto(s, folded{}) }

// foldInto folds s into the arrays of old.
func foldInto(s string, old folded) folded {
	b, pos := old.b[:0], old.pos[:0]
	i := 0
	for ; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf {
			break
		}
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		} else if c == '\\' && emptyLine(s, i) || i > 0 && s[i-1] == '\\' && emptyLine(s, i-1) {
			c = ' '
		}
		b = append(b, c)
	}
	if i == len(s) {
		return folded{b, pos}
	}
	pos = slices.Grow(pos, len(s)+8)
	for k := range i {
		pos = append(pos, int32(k))
	}
	base := bases()
	latin := false
	for i < len(s) {
		c, n := rune(s[i]), 1
		if c >= utf8.RuneSelf {
			c, n = utf8.DecodeRuneInString(s[i:])
		}
		at := len(b)
		switch {
		case c < utf8.RuneSelf:
			if c >= 'A' && c <= 'Z' {
				c |= 0x20
			} else if c == '\\' && emptyLine(s, i) || s[i-1] == '\\' && emptyLine(s, i-1) {
				c = ' '
			}
			b = append(b, byte(c))
			latin = c >= 'a' && c <= 'z'
		case c < 0x250 || c >= 0x1E00 && c < 0x2000:
			k := c
			if k >= 0x1E00 {
				k = k - 0x1E00 + 0x250
			}
			b = utf8.AppendRune(b, base[k])
			latin = c < 0x1F00
		case c == 0x2019 || c == 0x2018:
			b = append(b, '\'')
		case c == 0x201C || c == 0x201D:
			b = append(b, '"')
		case c >= 0x300 && c < 0x370:
			if !latin { // in other scripts the mark is part of the letter
				b = utf8.AppendRune(b, c)
			}
		default:
			if !caseless(c) {
				c = unicode.ToLower(c)
			}
			if c = plainLetter(c); c != 0 {
				b = utf8.AppendRune(b, c)
			}
			latin = false
		}
		for range len(b) - at {
			pos = append(pos, int32(i))
		}
		i += n
	}
	return folded{b, pos}
}

// caseless reports whether a character is in one of the large blocks without capital letters.
func caseless(c rune) bool {
	return c >= 0x590 && c < 0x10A0 || c >= 0x2E80 && c < 0xA640 || c >= 0xAC00 && c < 0xFB00
}

// inWord reports whether a character is a letter or the mark of one. It decides the frequent ones
// without a search.
func inWord(c rune) bool {
	if c >= 0x4E00 && c < 0x9FA6 || c >= 0xAC00 && c < 0xD7A4 || c >= 0x3041 && c < 0x3097 || c >= 0x430 && c < 0x460 || c >= 0x620 && c < 0x64B || c >= 0x904 && c < 0x950 {
		return true
	}
	return unicode.IsLetter(c) || unicode.IsMark(c)
}

// emptyLine reports whether the escape at s[i] is one of several line-end escapes in a row. The
// letter of the last one must not become the beginning of the next word.
func emptyLine(s string, i int) bool {
	return lineEscape(s, i) && (lineEscape(s, i+2) || lineEscape(s, i-2))
}

func lineEscape(s string, i int) bool {
	return i >= 0 && i+1 < len(s) && s[i] == '\\' && (s[i+1] == 'n' || s[i+1] == 'r' || s[i+1] == 't')
}

// plainLetter returns the letter that a lower-case letter counts as, in scripts other than Latin,
// or 0 for a mark that does not count.
func plainLetter(c rune) rune {
	switch {
	case c < 0x370 || c > 0x9DC:
		return c
	case c < 0x400:
		return plainGreek(c)
	case c >= 0x591 && c <= 0x5C7 && unicode.IsMark(c), // Hebrew vowels
		c == 0x640, c >= 0x64B && c <= 0x65F, c == 0x670, // Arabic vowels, and the sign that stretches a word
		c == 0x93C: // the dot below, which few people type
		return 0
	}
	switch c {
	case 'ё':
		return 'е'
	case 'أ', 'إ', 'آ', 'ٱ':
		return 'ا'
	case 'ى', 'ئ', 'ی':
		return 'ي'
	case 'ؤ':
		return 'و'
	case 'ة':
		return 'ه'
	case 'ک':
		return 'ك'
	case 'ँ':
		return 'ं'
	}
	return c
}

// plainGreek returns a lower-case Greek letter without its accent.
func plainGreek(c rune) rune {
	switch c {
	case 'ά':
		return 'α'
	case 'έ':
		return 'ε'
	case 'ή':
		return 'η'
	case 'ί', 'ϊ', 'ΐ':
		return 'ι'
	case 'ό':
		return 'ο'
	case 'ύ', 'ϋ', 'ΰ':
		return 'υ'
	case 'ώ':
		return 'ω'
	case 'ς':
		return 'σ'
	}
	return c
}

// bases maps U+0080 to U+024F and U+1E00 to U+1FFF to lower-case letters without accents.
var bases = sync.OnceValue(func() *[0x250 + 0x200]rune {
	var t [0x250 + 0x200]rune
	for k := range t {
		c := rune(k)
		if k >= 0x250 {
			c = rune(k) - 0x250 + 0x1E00
		}
		l := unicode.ToLower(c)
		for _, d := range norm.NFD.String(string(l)) {
			l = d
			break
		}
		switch l {
		case 'ß', 'ẞ':
			l = 's'
		case 'ø':
			l = 'o'
		case 'ł':
			l = 'l'
		case 'đ', 'ð':
			l = 'd'
		case 'ı':
			l = 'i'
		case 'æ':
			l = 'a'
		case 'œ':
			l = 'o'
		}
		t[k] = l
	}
	return &t
})
