package shell

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"github.com/umpire-dev/umpire/internal/operation/command"
)

func hasGlob(s string) bool { return strings.ContainsAny(s, "*?[") }

// pattern expands a word to a pattern for globMatch, in which quoted characters match themselves.
func (sh *shell) pattern(w *syntax.Word) command.Word {
	if w == nil {
		return command.Word{}
	}
	var f fields
	for i, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			s := p.Value
			if i == 0 {
				s = sh.tilde(&f, s, len(w.Parts) == 1)
			}
			f.add(s, false)
		case *syntax.SglQuoted, *syntax.DblQuoted:
			var quoted fields
			sh.part(&quoted, p, true)
			f.t |= quoted.t
			f.add(escaped(quoted.text.String()), true)
		default:
			sh.part(&f, p, true)
		}
	}
	return command.Word{Text: f.text.String(), Taint: f.t}
}

// escaped puts a backslash before each character that is special in a pattern.
func escaped(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte(`*?[]\#%`, s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// globMatch matches a shell pattern against a whole string; * matches anything.
func globMatch(pat, s string) bool {
	px, sx, star, mark := 0, 0, -1, 0
	for sx < len(s) {
		if px < len(pat) {
			r, size := utf8.DecodeRuneInString(s[sx:])
			switch c := pat[px]; {
			case c == '*':
				star, mark = px, sx
				px++
				continue
			case c == '?':
				px++
				sx += size
				continue
			case c == '[' && classEnd(pat[px:]) > 0:
				if end := classEnd(pat[px:]); inClass(pat[px+1:px+end], r) {
					px += end + 1
					sx += size
					continue
				}
			case c == '\\' && px+1 < len(pat):
				if pat[px+1] == s[sx] {
					px += 2
					sx++
					continue
				}
			case c == s[sx]:
				px++
				sx++
				continue
			}
		}
		if star < 0 {
			return false
		}
		_, size := utf8.DecodeRuneInString(s[mark:])
		mark += size
		px, sx = star+1, mark
	}
	for px < len(pat) && pat[px] == '*' {
		px++
	}
	return px == len(pat)
}

// classEnd returns the index of the ] that ends the class at the beginning of a pattern, or 0.
func classEnd(pat string) int {
	i := 1
	if i < len(pat) && (pat[i] == '!' || pat[i] == '^') {
		i++
	}
	for first := i; i < len(pat); i++ {
		switch {
		case strings.HasPrefix(pat[i:], "[:"):
			if end := strings.Index(pat[i:], ":]"); end > 0 {
				i += end + 1
			}
		case pat[i] == '\\' && i+1 < len(pat):
			i++
		case pat[i] == ']' && i > first:
			return i
		}
	}
	return 0
}

// inClass reports whether a character is in a class, the text between [ and ].
func inClass(class string, c rune) bool {
	not := strings.HasPrefix(class, "!") || strings.HasPrefix(class, "^")
	if not {
		class = class[1:]
	}
	in := false
	letters := []rune(class)
	for i := 0; i < len(letters); i++ {
		rest := string(letters[i:])
		if end := strings.Index(rest, ":]"); end > 0 && strings.HasPrefix(rest, "[:") {
			in = in || inNamedClass(rest[2:end], c)
			i += utf8.RuneCountInString(rest[:end]) + 1
			continue
		}
		if i+2 < len(letters) && letters[i+1] == '-' {
			in = in || letters[i] <= c && c <= letters[i+2]
			i += 2
			continue
		}
		if letters[i] == '\\' && i+1 < len(letters) {
			i++
		}
		in = in || letters[i] == c
	}
	return in != not
}

// inNamedClass reports whether a character is in a named class, as in [[:alpha:]].
func inNamedClass(class string, c rune) bool {
	switch class {
	case "alpha":
		return unicode.IsLetter(c)
	case "digit":
		return '0' <= c && c <= '9'
	case "alnum":
		return unicode.IsLetter(c) || '0' <= c && c <= '9'
	case "upper":
		return unicode.IsUpper(c)
	case "lower":
		return unicode.IsLower(c)
	case "space":
		return unicode.IsSpace(c)
	case "blank":
		return c == ' ' || c == '\t'
	case "punct":
		return unicode.IsPunct(c) || unicode.IsSymbol(c)
	case "xdigit":
		return c < utf8.RuneSelf && strings.IndexByte("0123456789abcdef", lower(byte(c))) >= 0
	case "cntrl":
		return unicode.IsControl(c)
	case "print":
		return unicode.IsPrint(c)
	case "graph":
		return unicode.IsGraphic(c) && !unicode.IsSpace(c)
	}
	return false
}
