// Package escape decodes the escape sequences of languages, such as \n and \x41. An adversary
// writes a path or a command with them, so that a reader does not see it.
package escape

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Syntax says which escape sequences a language has. The zero Syntax has none: a backslash only
// quotes the character after it.
type Syntax struct {
	Mark           byte   // begins a sequence, a backslash if 0
	Letters, Means string // Means[i] is the character that Letters[i] stands for
	Hex            bool   // \x41, \u0041 and \U00000041
	Braces         bool   // \x{41} and \u{41} have the number of a character
	Runes          bool   // \xe9 is a character and not a byte
	Octal          int    // most digits of an octal number
	LongZero       bool   // a number that begins with 0 may have a digit more
	Keep           bool   // the mark before any other character stays
	// Other decodes further sequences at the start of a text, without the mark. n is 0 if there is
	// none. May be nil.
	Other func(rest string) (text string, n int)
}

// Decode returns a text with its escape sequences decoded.
func (x *Syntax) Decode(s string) string {
	mark := x.mark()
	if strings.IndexByte(s, mark) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != mark || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		text, n := x.Next(s[i+1:])
		b.WriteString(text)
		i += n
	}
	return b.String()
}

func (x *Syntax) mark() byte {
	if x.Mark == 0 {
		return '\\'
	}
	return x.Mark
}

// Next decodes the sequence at the start of a text that follows a mark and is not empty. It returns
// the length of the sequence.
func (x *Syntax) Next(s string) (text string, n int) {
	if x.Other != nil {
		if text, n = x.Other(s); n > 0 {
			return text, n
		}
	}
	if k := strings.IndexByte(x.Letters, s[0]); k >= 0 {
		return x.Means[k : k+1], 1
	}
	if digits := strings.IndexByte("  x u   U", s[0]); x.Hex && digits > 1 {
		if text, n = x.hex(s, digits); n > 0 {
			return text, n
		}
	}
	octal := x.Octal
	if x.LongZero && s[0] == '0' {
		octal++
	}
	if v, end := number(s[:min(len(s), octal)], 8); end > 0 {
		return string([]byte{byte(v)}), end
	}
	if x.Keep {
		return string(x.mark()) + s[:1], 1
	}
	return s[:1], 1
}

// hex decodes a letter, and the number after it of at most so many digits.
func (x *Syntax) hex(s string, digits int) (text string, n int) {
	start := 1
	braces := x.Braces && strings.HasPrefix(s[1:], "{")
	if braces {
		start, digits = 2, 8
	}
	v, end := number(s[start:min(len(s), start+digits)], 16)
	if end == 0 {
		return "", 0
	}
	end += start
	if s[0] == 'x' && !braces && !x.Runes {
		return string([]byte{byte(v)}), end
	}
	if braces && strings.HasPrefix(s[end:], "}") {
		end++
	}
	if v > utf8.MaxRune {
		v = utf8.RuneError
	}
	return string(rune(v)), end
}

// number reads the digits at the start of a text. It returns their count.
func number(s string, base int) (v uint64, n int) {
	for n < len(s) {
		if _, err := strconv.ParseUint(s[n:n+1], base, 8); err != nil {
			break
		}
		n++
	}
	v, _ = strconv.ParseUint(s[:n], base, 64)
	return v, n
}
