package code

import (
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/escape"
)

// opensCode returns the index of the bracket of an expression that begins at j within a literal, or
// 0. Quotes inside the expression do not end the literal.
func (x *lexer) opensCode(j int, end byte) int {
	if j+1 >= len(x.s) || !anyof.Listed(x.l.opens, x.s[j:j+2]) || x.l.is("js") && end != '`' {
		return 0
	}
	if x.s[j] == '{' { // {$x} of PHP
		return j
	}
	return j + 1
}

// closing returns the index of the bracket that closes the { or ( at i, skipping strings.
func closing(s string, i int) int {
	depth := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case '{', '(':
			depth++
		case '}', ')':
			if depth--; depth == 0 {
				return i
			}
		case '\\':
			i++
		case '`': // a template may hold others, and without its end nothing follows it
			for i++; i < len(s) && s[i] != '`'; i++ {
				if s[i] == '\\' {
					i++
				} else if strings.HasPrefix(s[i:], "${") {
					i = closing(s, i+1)
				}
			}
		case '\'', '"':
			q := s[i]
			for j := i + 1; j < len(s); j++ {
				if s[j] == '\\' {
					j++
				} else if s[j] == q {
					i = j
					break
				}
			}
		}
	}
	return len(s) - 1
}

// pieces splits the body of a literal into text and expressions. interp selects the syntax: f for
// {x}, $ for ${x}, # for #{x}, p for $x of Perl and PHP.
func (l *language) pieces(s string, interp byte, raw bool) (out []part) {
	var b strings.Builder
	escapes := escape.Of(l.name)
	text := func() {
		if b.Len() > 0 {
			out = append(out, part{text: strings.ToValidUTF8(b.String(), "\uFFFD")})
			b.Reset()
		}
	}
	code := func(e string) {
		text()
		out = append(out, part{text: e, code: true})
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\\' && !raw && i+1 < len(s) {
			text, n := escapes.Next(s[i+1:])
			b.WriteString(text)
			i += n
			continue
		}
		switch {
		case interp == 'f' && (c == '{' || c == '}') && i+1 < len(s) && s[i+1] == c:
			b.WriteByte(c)
			i++
		case interp == 'f' && c == '{':
			j := closing(s, i)
			e := s[i+1 : max(j, i+1)]
			if k := formatSpec(e); k >= 0 {
				e = e[:k]
			}
			code(strings.TrimSuffix(e, "="))
			i = j
		case (interp == '$' && c == '$' || (interp == '#' || interp == 'j') && c == '#') && i+1 < len(s) && s[i+1] == '{', interp == 'j' && c == '$' && i+1 < len(s) && s[i+1] == '(':
			j := closing(s, i+1)
			code(s[i+2 : max(j, i+2)])
			i = j
		case interp == 'p' && c == '{' && i+1 < len(s) && s[i+1] == '$': // php
			j := closing(s, i)
			code(s[i+1 : max(j, i+1)])
			i = j
		case interp == 'p' && (c == '$' || c == '@') && i+1 < len(s):
			n := perlVar(s[i:])
			if n == 0 {
				b.WriteByte(c)
				break
			}
			code(s[i : i+n])
			i += n - 1
		default:
			b.WriteByte(c)
		}
	}
	text()
	return out
}

// formatSpec returns the index of the : or ! that ends the expression in an f-string's braces.
func formatSpec(e string) int {
	depth := 0
	for i := 0; i < len(e); i++ {
		switch e[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '\'', '"':
			if j := strings.IndexByte(e[i+1:], e[i]); j >= 0 {
				i += j + 1
			}
		case ':':
			if depth == 0 {
				return i
			}
		case '!':
			if depth == 0 && i+1 < len(e) && e[i+1] != '=' {
				return i
			}
		}
	}
	return -1
}

// perlVar returns the length of a variable in a string: $x, ${x}, @{[ ... ]}, $h{a}, $r->[0].
func perlVar(s string) int {
	j := 1
	switch {
	case s[1] == '{':
		j = closing(s, 1) + 1
	case nameByte(s[1]) && !(s[1] >= '0' && s[1] <= '9' && s[0] == '@'):
		j = nameEnd(s, j)
	default:
		return 0
	}
	for j < len(s) {
		k := j
		if strings.HasPrefix(s[k:], "->") {
			k += 2
			if k < len(s) && nameByte(s[k]) { // PHP: $o->p
				j = nameEnd(s, k)
				continue
			}
		}
		if k >= len(s) || s[k] != '[' && s[k] != '{' {
			break
		}
		if s[k] == '{' {
			j = closing(s, k) + 1
			continue
		}
		e := strings.IndexByte(s[k:], ']')
		if e < 0 {
			break
		}
		j = k + e + 1
	}
	return min(j, len(s))
}
