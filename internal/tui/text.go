package tui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/umpire-dev/umpire/internal/agent/conversation"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/visible"
)

const tabWidth = 4

// clean escapes untrusted text of several lines for display: see visible.Block. It first removes
// harmless decoration: colors, carriage returns before line feeds, and joiners and modifiers of
// emoji, because terminals disagree about their width.
func clean(s string) string {
	if plainASCII(s) {
		return s
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return visible.Block(plainEmoji(uncolored(s)))
}

// exact is like clean for text to approve: it removes nothing.
func exact(s string) string { return visible.Block(s) }

func exactLine(s string) string { return visible.Line(s) }

// cleanLine is clean for text on one line.
func cleanLine(s string) string {
	if plainASCII(s) && !strings.ContainsAny(s, "\n\t") {
		return s
	}
	return visible.Line(plainEmoji(uncolored(s)))
}

func plainASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 0x20 && c != '\n' && c != '\t') || c >= 0x7f {
			return false
		}
	}
	return true
}

// uncolored removes escape sequences that only set colors.
func uncolored(s string) string {
	if !strings.Contains(s, "\x1b[") {
		return s
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "\x1b[")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		n := 0
		for n < len(rest) && n < 64 && (rest[n] >= '0' && rest[n] <= '9' || rest[n] == ';' || rest[n] == ':') {
			n++
		}
		if n < len(rest) && rest[n] == 'm' {
			s = rest[n+1:]
			continue
		}
		b.WriteString("\x1b[")
		s = rest
	}
}

// plainEmoji removes joiners between emoji, and variation selectors and skin tones after one: a
// sequence is drawn as its parts.
func plainEmoji(s string) string {
	if !strings.ContainsAny(s, "\u200d\ufe0f\ufe0e\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff") {
		return s
	}
	var b strings.Builder
	last := rune(-1) // last character kept
	for i, r := range s {
		switch {
		case r == 0xfe0f || r == 0xfe0e:
			if startsEmoji(last) || last >= '0' && last <= '9' || last == '#' || last == '*' {
				last = r
				continue
			}
		case r >= 0x1f3fb && r <= 0x1f3ff:
			if startsEmoji(last) {
				last = r
				continue
			}
		case r == 0x200d:
			next, _ := utf8.DecodeRuneInString(s[i+len("\u200d"):])
			if (startsEmoji(last) || last == 0xfe0f || last >= 0x1f3fb && last <= 0x1f3ff) && startsEmoji(next) {
				continue
			}
		}
		last = r
		if r == utf8.RuneError {
			_, n := utf8.DecodeRuneInString(s[i:])
			b.WriteString(s[i : i+n]) // unchanged: visible escapes invalid UTF-8
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// startsEmoji reports whether a character can begin an emoji.
func startsEmoji(r rune) bool {
	return r > 0xff && (unicode.Is(unicode.So, r) || unicode.Is(unicode.Sm, r))
}

// width returns the width in cells of a text without line feeds and tabs.
func width(s string) int { return ansi.StringWidth(s) }

// next returns the first grapheme of s and its width.
func next(s string) (cluster string, cells int) {
	if c := s[0]; c < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		if c < 0x20 || c == 0x7f {
			return s[:1], 0
		}
		return s[:1], 1
	}
	return ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
}

// cut shortens a clean line to n cells, with an ellipsis for the rest.
func cut(s string, cells int) string {
	if cells <= 0 {
		return ""
	}
	if len(s) <= cells || width(s) <= cells {
		return s
	}
	var b strings.Builder
	for w := 0; len(s) > 0; {
		c, n := next(s)
		if w+n > cells-1 {
			break
		}
		b.WriteString(c)
		w, s = w+n, s[len(c):]
	}
	return b.String() + "…"
}

// chars shortens a text to n characters, including the ellipsis.
func chars(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return head(s, n-1) + "…"
}

// head returns the first n characters.
func head(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// tail returns the last n characters.
func tail(s string, n int) string {
	i := len(s)
	for ; n > 0 && i > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
	}
	return s[i:]
}

// untab expands the tabs of a clean line.
func untab(s string) string {
	if !strings.Contains(s, "\t") {
		return s
	}
	var b strings.Builder
	col := 0
	for len(s) > 0 {
		if s[0] == '\t' {
			n := tabWidth - col%tabWidth
			b.WriteString(strings.Repeat(" ", n))
			col, s = col+n, s[1:]
			continue
		}
		c, n := next(s)
		b.WriteString(c)
		col, s = col+n, s[len(c):]
	}
	return b.String()
}

// counted formats a number with a noun: "1 file", "2 files".
func counted(n int, one string) string {
	return conversation.Thousands(int64(n)) + " " + plural.Noun(n, one)
}
