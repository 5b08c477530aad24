// Package visible makes untrusted text safe to show: it escapes characters that would control a
// terminal, reorder a line or hide in it.
package visible

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Line returns s on one line: controls, line breaks, bidirectional marks, zero-width characters,
// other invisible ones and invalid UTF-8 become Go escapes.
func Line(s string) string { return escape(s, false) }

// Name returns the path of a file so that no two paths look the same: as it is if all of it shows,
// otherwise in double quotes with Go escapes, which strconv.Unquote reverses.
func Name(path string) string {
	lone := func(i int) bool { // a space that readers and markup overlook
		return i == 0 || i == len(path)-1 || path[i-1] == ' ' || path[i+1] == ' '
	}
	var b strings.Builder
	b.WriteByte('"')
	plain := !strings.HasPrefix(path, `"`) && !strings.HasPrefix(path, "::") // a workflow's log obeys it
	for i := 0; i < len(path); {
		r, n := utf8.DecodeRuneInString(path[i:])
		part := path[i : i+n]
		switch {
		case r == ' ' && lone(i), strings.HasPrefix(path[i:], "##["): // a workflow's log obeys it anywhere
			plain = false
			fmt.Fprintf(&b, `\x%02x`, r)
		case r == '"' || r == '\\':
			b.WriteString(`\` + part)
		case r > 0x7f && unicode.Is(unicode.Zs, r):
			plain = false
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			shown := Line(part)
			plain = plain && shown == part
			b.WriteString(shown)
		}
		i += n
	}
	if plain {
		return path
	}
	return b.String() + `"`
}

// Block is like Line for text of several lines: line feeds and tabs stay.
func Block(s string) string { return escape(s, true) }

// JSON escapes the same characters as Block in a JSON text, by JSON's rules: the text decodes
// to the same values. Such characters occur only inside its strings.
func JSON(b []byte) []byte {
	clean := func(r rune) bool { return r < 0x7f || shown(r, true) }
	if !bytes.ContainsFunc(b, func(r rune) bool { return !clean(r) }) {
		return b
	}
	out := make([]byte, 0, len(b)+32)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if clean(r) {
			out = append(out, b[:n]...)
		} else {
			for _, unit := range utf16.AppendRune(nil, r) { // U+FFFD for invalid UTF-8, as decoders read it
				out = fmt.Appendf(out, `\u%04x`, unit)
			}
		}
		b = b[n:]
	}
	return out
}

// Clip is like Line, shortened to at most n characters with an ellipsis for the rest.
func Clip(s string, n int) string {
	s = Line(s)
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	r := []rune(s)
	return string(r[:max(0, n-1)]) + "…"
}

func escape(s string, block bool) string {
	clean := true
	if strings.ContainsFunc(s, func(r rune) bool { return !shown(r, block) }) {
		clean = false
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case shown(r, block):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		i += n
	}
	return b.String()
}

// shown reports whether a character can be printed as it is. Variation selectors and
// private-use characters are printable to Unicode, but carry hidden text.
func shown(r rune, block bool) bool {
	switch {
	case r == '\n' || r == '\t':
		return block
	case r >= 0x20 && r < 0x7f:
		return true
	case r == utf8.RuneError, r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0100 && r <= 0xe01ef, r == 0x034f, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r >= 0x180b && r <= 0x180f, r == 0x3164, r == 0xffa0, r == 0x2800:
		return false
	}
	return unicode.IsPrint(r) || unicode.Is(unicode.Zs, r) && r != 0xa0
}
