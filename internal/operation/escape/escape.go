// Package escape decodes the escape sequences of languages, such as \n and \x41. An adversary
// writes a path or a command with them, so that a reader does not see it.
package escape

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/umpire-dev/umpire"
)

// Syntax says which escape sequences a language has. The zero Syntax has none: a backslash only
// quotes the character after it.
type Syntax struct {
	Mark           byte   // begins a sequence, a backslash if 0
	Letters, Means string // Means[i] is the character that Letters[i] stands for, NUL for no character
	Spans          string // a sequence with one of these characters, and the white space after it, has no text
	Numbers        string // letters, each with the most digits of the hexadecimal number after it: x2u4U8
	Braces         string // letters before characters in braces: \x{41}, \u{72 6d}, \o{162}, \N{U+72}, \N{SOLIDUS}
	Runes          bool   // \xe9 is a character and not a byte
	Digits, Base   int    // most digits of a number without a letter, which is octal if Base is 0
	LongZero       bool   // a number that begins with 0 may have a digit more
	Control        bool   // \cI and \C-I are the control character
	Keep           bool   // the mark before any other character stays, and \x{72, with or without a } after it, is a byte
}

// syntaxes has the escape sequences of strings by language, "" for those that most languages share.
// It is no map, which each start would have to fill. Python and PHP keep the backslash of an
// unknown sequence, but a shell that gets the text mostly drops it. In JavaScript and PowerShell 5,
// \e is an e: no path has the escape character.
var syntaxes = [...]struct {
	language string
	Syntax
}{
	{"", Syntax{Letters: "\nntre", Means: "\x00\n\t\r\x1b", Numbers: "x2u4U8", Braces: "xuoN", Digits: 3}},
	{"python", Syntax{Letters: "\n\\'\"abfnrtv", Means: "\x00\\'\"\a\b\f\n\r\t\v", Numbers: "x2u4U8", Braces: "N", Digits: 3}},
	{"js", Syntax{Letters: "\nbfnrtv", Means: "\x00\b\f\n\r\t\v", Numbers: "x2u4", Braces: "u", Runes: true, Digits: 3}},
	{"perl", Syntax{Letters: "abefnrt", Means: "\a\b\x1b\f\n\r\t", Numbers: "x2", Braces: "xoN", Digits: 3, Control: true}},
	{"ruby", Syntax{Letters: "\nabefnrstv", Means: "\x00\a\b\x1b\f\n\r \t\v", Numbers: "x2u4", Braces: "u", Digits: 3, Control: true}},
	{"php", Syntax{Letters: "\\$\"`efnrtv", Means: "\\$\"`\x1b\f\n\r\t\v", Numbers: "x2", Braces: "u", Digits: 3}},
	{"lua", Syntax{Letters: "abfnrtv", Means: "\a\b\f\n\r\t\v", Spans: "z", Numbers: "x2", Braces: "u", Digits: 3, Base: 10}},
	{"rust", Syntax{Letters: "nrt", Means: "\n\r\t", Spans: "\n", Numbers: "x2", Braces: "u"}},
	{"sql", Syntax{Letters: "bfnrtZ", Means: "\b\f\n\r\t\x1a", Numbers: "x2u4U8", Digits: 3}},
	{"sql unicode", Syntax{Numbers: "+6", Digits: 4, Base: 16, Runes: true}},
	{"powershell", Syntax{Mark: '`', Letters: "0abfnrtv\n", Means: "\x00\a\b\f\n\r\t\v\x00", Braces: "u"}},
	{"shell", Syntax{Letters: `abeEfnrtv\'"?`, Means: "\a\b\x1b\x1b\f\n\r\t\v\\'\"?", Numbers: "x2u4U8", Digits: 3, LongZero: true, Control: true, Keep: true}},
	{"json", Syntax{Letters: "nt", Means: "\n\t", Numbers: "x2u4U8", Runes: true, Digits: 0}},
	{"git", Syntax{Letters: "abtnvfr", Means: "\a\b\t\n\v\f\r", Digits: 3}},
}

// Of returns the escape sequences of a language, or those that most languages share.
func Of(language string) *Syntax {
	for i := range syntaxes {
		if x := &syntaxes[i]; x.language == language {
			return &x.Syntax
		}
	}
	return &syntaxes[0].Syntax
}

// Decode returns a text with its escape sequences decoded.
func (x *Syntax) Decode(s string) string {
	mark := x.Quotes()
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

// Quotes returns the character that begins a sequence.
func (x *Syntax) Quotes() byte {
	if x.Mark == 0 {
		return '\\'
	}
	return x.Mark
}

// Next decodes the sequence at the start of a text that follows a mark and is not empty. It returns
// the length of the sequence.
func (x *Syntax) Next(s string) (text string, n int) {
	if k := strings.IndexByte(x.Letters, s[0]); k >= 0 {
		return strings.Trim(x.Means[k:k+1], "\x00"), 1
	}
	if strings.IndexByte(x.Spans, s[0]) >= 0 {
		return "", len(s) - len(strings.TrimLeft(s[1:], " \t\r\n"))
	}
	if rest, ok := strings.CutPrefix(s, "x{"); ok && x.Keep {
		_, end := number(rest, 16)
		v, _ := number(rest[max(0, end-2):end], 16) // Bash keeps the last byte
		return char(v, true), len(s) - len(strings.TrimPrefix(rest[end:], "}"))
	}
	if strings.IndexByte(x.Braces, s[0]) >= 0 {
		if text, n = braced(s); n > 0 {
			return text, n
		}
	}
	if k := strings.IndexByte(x.Numbers, s[0]); k >= 0 && k%2 == 0 {
		if v, end := number(s[1:min(len(s), 1+int(x.Numbers[k+1]-'0'))], 16); end > 0 {
			return char(v, s[0] == 'x' && !x.Runes), 1 + end
		}
	}
	digits := x.Digits
	if x.LongZero && s[0] == '0' {
		digits++
	}
	if v, end := number(s[:min(len(s), digits)], max(x.Base, 8)); end > 0 {
		return char(v, !x.Runes), end
	}
	if rest, ok := strings.CutPrefix(s, "C-"); x.Control && (ok || s[0] == 'c') {
		if !ok {
			rest = s[1:]
		}
		end := min(1, len(rest))
		return strings.Map(func(c rune) rune { return c & 0x1f }, rest[:end]), len(s) - len(rest) + end
	}
	if x.Keep {
		return string(x.Quotes()) + s[:1], 1
	}
	return s[:1], 1
}

// char returns the character, or the byte, with a number.
func char(v uint64, bytes bool) string {
	if bytes {
		return string([]byte{byte(v)})
	}
	return string(rune(min(v, utf8.MaxRune+1))) // U+FFFD if there is no such character
}

// maxBraced bounds the search for the end of braces, in bytes: a text may open many and close none.
const maxBraced = 1 << 10

// braced decodes a letter and the characters in braces after it: numbers, or the name of one.
func braced(s string) (text string, n int) {
	body, _, _ := strings.Cut(s[1:min(len(s), maxBraced)], "}")
	body, ok := strings.CutPrefix(body, "{")
	if !ok {
		return "", 0
	}
	n = min(len(body)+3, len(s))
	if s[0] == 'N' && !strings.HasPrefix(body, "U+") {
		return named(strings.ToUpper(body)), n
	}
	base := 16
	if s[0] == 'o' {
		base = 8
	}
	for _, f := range strings.Fields(strings.ReplaceAll(strings.TrimPrefix(body, "U+"), "_", "")) {
		f = strings.TrimLeft(f, "0")
		v, end := number(f[:min(len(f), 16)], base)
		if end < len(f) {
			return "", 0
		}
		text += char(v, false)
	}
	if text == "" {
		return "", 0
	}
	return text, n
}

// names are those of the characters of ASCII that are neither letters nor control characters, with
// a gap in place of the letters.
const names = "SPACE|EXCLAMATION MARK|QUOTATION MARK|NUMBER SIGN|DOLLAR SIGN|PERCENT SIGN|AMPERSAND|APOSTROPHE|LEFT PARENTHESIS|RIGHT PARENTHESIS|ASTERISK|PLUS SIGN|COMMA|HYPHEN-MINUS|FULL STOP|SOLIDUS|" +
	"DIGIT ZERO|DIGIT ONE|DIGIT TWO|DIGIT THREE|DIGIT FOUR|DIGIT FIVE|DIGIT SIX|DIGIT SEVEN|DIGIT EIGHT|DIGIT NINE|COLON|SEMICOLON|LESS-THAN SIGN|EQUALS SIGN|GREATER-THAN SIGN|QUESTION MARK|COMMERCIAL AT||||||||||||||||||||||||||" +
	"|LEFT SQUARE BRACKET|REVERSE SOLIDUS|RIGHT SQUARE BRACKET|CIRCUMFLEX ACCENT|LOW LINE|GRAVE ACCENT||||||||||||||||||||||||||" +
	"|LEFT CURLY BRACKET|VERTICAL LINE|RIGHT CURLY BRACKET|TILDE"

// named returns the character with a name, or a Hole if it is not of ASCII.
func named(name string) string {
	if letter, ok := strings.CutPrefix(name, "LATIN CAPITAL LETTER "); ok && len(letter) == 1 {
		return letter
	}
	if letter, ok := strings.CutPrefix(name, "LATIN SMALL LETTER "); ok && len(letter) == 1 {
		return strings.ToLower(letter)
	}
	if i := slices.Index(strings.Split(names, "|"), name); i >= 0 && name != "" {
		return string(rune(' ' + i))
	}
	return umpire.Hole
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

// Identifiers decodes the escapes in the names of a program in JavaScript or Java: f\u0065tch. It
// also meets the program's strings, and keeps an escape there that would change what the text around
// it means. An adversary writes `\u0024{`, so that the rest looks like an expression, or "\4\u0033",
// so that the digits look like those of a #.
func Identifiers(s string) string {
	if !strings.Contains(s, `\u`) {
		return s
	}
	var b strings.Builder
	joins := false // a digit here is a part of the escape before it
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			text, n := Of("js").Next(s[i+1:])
			if joins || s[i+1] != 'u' || text == "$" && strings.HasPrefix(s[i+1+n:], "{") || len(text) != 1 || text[0] != '_' && text[0] != '$' && (text[0]|0x20 < 'a' || text[0]|0x20 > 'z') && (text[0] < '0' || text[0] > '9') {
				text, n, joins = s[i:i+2], 1, true
			}
			b.WriteString(text)
			i += n
			continue
		}
		joins = joins && (s[i] >= '0' && s[i] <= '9' || s[i]|0x20 >= 'a' && s[i]|0x20 <= 'f' || s[i] == '{')
		b.WriteByte(s[i])
	}
	return b.String()
}
