package static

import (
	"bytes"
	"encoding/ascii85"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/inject"
	"github.com/umpire-dev/umpire/internal/normal"
)

// disguised judges other readings of a line: backwards, with its letters joined, with digits for
// letters, as character codes, or decoded from base85. Noise can then look like text, so only plain
// instructions to a reviewer or a model count.
func (f *file) disguised(at int, line string) {
	if len(line) < 24 {
		return
	}
	for _, text := range [...]string{backwards(line), closed(line), characters(line), base85(line)} {
		if text == "" {
			continue
		}
		if words, weight := f.orders(text); weight >= inject.SaidSurely {
			f.reportInstruction(encoded, encoded.Severity, certainly, at, words)
			return
		}
	}
}

// turned lists words of an instruction to a reviewer, reversed.
var turned = []string{"reweiver", "evorppa", "gnidnif", "troper", "erongi", "snoitcurtsni", "ytilibarenluv"}

func backwards(line string) string {
	lower := lowered(line)
	if !anyof.Contains(lower, turned...) {
		return ""
	}
	r := []rune(line)
	slices.Reverse(r)
	return strings.NewReplacer(`"`, " ", "'", " ", "`", " ").Replace(string(r)) // a quoted address is a name
}

// closed reads a line with spaced letters, or with digits for letters.
func closed(line string) string {
	apart, digits, spaces := 0, 0, 0
	for i := 1; i+1 < len(line); i++ {
		before, c, after := line[i-1], line[i], line[i+1]
		switch {
		case c == ' ':
			spaces++
		case letterByte(c) && separates(before) && separates(after):
			apart++
		case c >= '0' && c <= '9' && (letterByte(before) || letterByte(after)):
			digits++
		}
	}
	if apart < 12 && (digits < 3 || spaces < 3) {
		return ""
	}
	for _, v := range normal.Text(line).Views {
		if v.Kind == "spaced" || v.Kind == "leet" {
			return v.Text
		}
	}
	return ""
}

func letterByte(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func separates(c byte) bool { return strings.IndexByte(" .-_*|/,", c) >= 0 }

// characters reads a list of character codes: 82, 0x65, 118.
func characters(line string) string {
	if strings.Count(line, ",") < 16 {
		return ""
	}
	var out []rune
	var best string
	for field := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(" \t,[](){};", r) }) {
		n, err := strconv.ParseUint(field, 0, 21)
		if c := rune(n); err == nil && (unicode.IsPrint(c) || c == '\n' || c == '\t') {
			out = append(out, c)
			continue
		}
		if best = longest(best, out); len(out) > 0 {
			out = out[:0]
		}
	}
	return longest(best, out)
}

func longest(best string, out []rune) string {
	if len(out) >= 16 && len(out) > utf8.RuneCountInString(best) {
		return string(out)
	}
	return best
}

// rfc1924 is the alphabet of Python's b85encode, by the value of each digit.
const rfc1924 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"

// base85 decodes the longest word of a line that can only be base85.
func base85(line string) string {
	word := ""
	for w := range strings.FieldsFuncSeq(line, func(r rune) bool { return r == ' ' || r == '\t' || r == '\'' || r == '"' }) {
		if len(w) > len(word) {
			word = w
		}
	}
	if len(word) < 24 || !strings.ContainsAny(word, "!#$%&*;<>?@^`{|}~") || strings.Contains(word, "://") {
		return ""
	}
	digits := make([]byte, 0, len(word)+4)
	for i := range len(word) {
		v := strings.IndexByte(rfc1924, word[i])
		if v < 0 {
			digits = nil
			break
		}
		digits = append(digits, byte('!'+v)) // the digit in Go's alphabet
	}
	for _, d := range [][]byte{digits, []byte(strings.TrimSuffix(strings.TrimPrefix(word, "<~"), "~>"))} {
		out := make([]byte, len(d)*4+4)
		if n, _, err := ascii85.Decode(out, d, true); err == nil && n >= 16 && utf8.Valid(out[:n]) && bytes.IndexFunc(out[:n], unicode.IsControl) < 0 {
			return string(out[:n])
		}
	}
	return ""
}
