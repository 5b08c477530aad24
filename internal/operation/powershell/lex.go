package powershell

import (
	"cmp"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/escape"
)

// skip returns the index after one unit of text: a quoted string, here-string, bracket, comment or
// escaped character.
func skip(s string, i int) int {
	switch c := s[i]; c {
	case '`':
		return min(i+2, len(s))
	case '#':
		if i == 0 || strings.IndexByte(" \t\n;({|", s[i-1]) >= 0 {
			if j := strings.IndexByte(s[i:], '\n'); j >= 0 {
				return i + j
			}
			return len(s)
		}
	case '<':
		if strings.HasPrefix(s[i:], "<#") {
			if j := strings.Index(s[i:], "#>"); j >= 0 {
				return i + j + 2
			}
			return len(s)
		}
	case '@':
		if i+1 < len(s) && (s[i+1] == '\'' || s[i+1] == '"') {
			if j := strings.Index(s[i:], "\n"+s[i+1:i+2]+"@"); j >= 0 {
				return i + j + 3
			}
		}
	case '\'', '"':
		for j := i + 1; j < len(s); j++ {
			switch {
			case s[j] == '`' && c == '"':
				j++
			case c == '"' && strings.HasPrefix(s[j:], "$("): // it has quotes of its own
				j = closing(s, j+1) - 1 // without a second try: nested ones would take exponential time
			case s[j] == c:
				if j+1 < len(s) && s[j+1] == c {
					j++
					continue
				}
				return j + 1
			}
		}
		return len(s)
	case '(', '{', '[':
		return closing(s, i)
	}
	return i + 1
}

// closing returns the index after the bracket that closes the one at i, or the length of s if no
// bracket does.
func closing(s string, i int) int {
	depth := 0
	for i < len(s) {
		switch s[i] {
		case '(', '{', '[':
			depth++
			i++
			continue
		case ')', '}', ']':
			depth--
			i++
			if depth <= 0 {
				return i
			}
			continue
		}
		i = skip(s, i)
	}
	return len(s)
}

// split cuts text at characters outside quotes and brackets. If statements is set, it also cuts at
// && and ||, and continues a line after a pipe.
func split(s, at string, statements bool) (parts []string) {
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case statements && (strings.HasPrefix(s[i:], "&&") || strings.HasPrefix(s[i:], "||")):
			parts = append(parts, s[start:i])
			i += 2
			start = i
		case strings.IndexByte(at, c) >= 0:
			if statements && c == '\n' {
				if strings.HasSuffix(strings.TrimRight(s[start:i], " \t\r"), "|") {
					i++
					continue
				}
				rest := strings.TrimLeft(s[i:], " \t\r\n")
				if strings.HasPrefix(rest, "|") && !strings.HasPrefix(rest, "||") || continues(rest) {
					i++
					continue
				}
			}
			parts = append(parts, s[start:i])
			i++
			start = i
		default:
			i = skip(s, i)
		}
	}
	return append(parts, s[start:])
}

// continues reports whether a line begins with a word that continues the statement before it.
func continues(s string) bool {
	return slices.ContainsFunc([]string{"else", "catch", "finally", "while(", "until(", "{"}, func(k string) bool {
		return len(s) >= len(k) && strings.EqualFold(s[:len(k)], k)
	})
}

// dropComments removes comments at the beginning of a text.
func dropComments(s string) string {
	for {
		s = strings.TrimSpace(s)
		switch {
		case strings.HasPrefix(s, "<#"):
			_, s, _ = strings.Cut(s, "#>")
		case strings.HasPrefix(s, "#"):
			_, s, _ = strings.Cut(s, "\n")
		default:
			return s
		}
	}
}

func cutFold(s, sep string) (a, b string, ok bool) {
	i := indexFold(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// inner returns the text between two brackets.
func inner(s string) string {
	if len(s) < 2 {
		return ""
	}
	return s[1 : len(s)-1]
}

// parser reads expressions and arguments of one pipeline element.
type parser struct {
	r  *reader
	s  string
	i  int
	in command.Stream
	// naming is set while the parser reads the name of a command: IEX(...) and %{...} need no space
	// after it.
	naming bool
}

func (p *parser) space() {
	for p.i < len(p.s) {
		switch p.s[p.i] {
		case ' ', '\t', '\r', '\n':
			p.i++
		case '`':
			if p.i+1 < len(p.s) && (p.s[p.i+1] == '\n' || p.s[p.i+1] == '\r') {
				p.i += 2
				continue
			}
			return
		default:
			return
		}
	}
}

// bracketed returns the text between the bracket at the position and its counterpart, and moves past
// both.
func (p *parser) bracketed() string {
	start := p.i
	p.i = closing(p.s, start)
	return inner(p.s[start:p.i])
}

// word reads a name.
func (p *parser) word() string {
	start := p.i
	for p.i < len(p.s) && nameByte(p.s[p.i]) {
		p.i++
	}
	return p.s[start:p.i]
}

// argument reads one argument of a command: a bare word, strings, variables, a list with commas, or
// a script block.
func (p *parser) argument() (ws []command.Word, block string) {
	if p.i < len(p.s) && p.s[p.i] == '{' {
		return nil, cmp.Or(p.bracketed(), " ")
	}
	for {
		ws = append(ws, p.bare()...)
		save := p.i
		p.space()
		if p.i < len(p.s) && p.s[p.i] == ',' {
			p.i++
			p.space()
			continue
		}
		p.i = save
		return ws, ""
	}
}

// bare reads one word in argument mode, which may consist of several adjacent parts.
func (p *parser) bare() []command.Word {
	var b command.Word
	var list []command.Word
	parts := 0
	quoted := false
	for p.i < len(p.s) {
		c := p.s[p.i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' || c == ';' || c == '|' || c == ')' || c == '}':
			goto done
		case c == '>' && parts > 0, p.naming && parts > 0 && (c == '(' || c == '{'):
			goto done
		case c == '\'' || c == '"' || c == '@' && p.i+1 < len(p.s) && (p.s[p.i+1] == '\'' || p.s[p.i+1] == '"'):
			w := p.quoted()
			if parts == 0 && p.i+1 < len(p.s) && (p.s[p.i] == '[' || p.s[p.i] == '.' && (nameByte(p.s[p.i+1]) || strings.IndexByte(`'"$(`, p.s[p.i+1]) >= 0)) {
				return p.postfix(one(w), true).list // 'text'.Replace('t', 'n')
			}
			b.Text += w.Text
			b.Taint |= w.Taint
			quoted = true
		case c == '$' || c == '(' || c == '@' && p.i+1 < len(p.s) && (p.s[p.i+1] == '(' || nameByte(p.s[p.i+1])):
			splat := c == '@' && p.s[p.i+1] != '('
			if splat {
				p.s = p.s[:p.i] + "$" + p.s[p.i+1:]
			}
			v := p.postfix(p.primary(), parts == 0)
			if splat && len(v.named) > 0 {
				return append(list, v.named...)
			}
			if parts == 0 && (p.i >= len(p.s) || strings.IndexByte(" \t\n\r,;|)}", p.s[p.i]) >= 0) {
				return v.list
			}
			w := v.word()
			b.Text += w.Text
			b.Taint |= w.Taint
		case c == '`':
			p.i++
			if rest := p.s[p.i:]; rest != "" {
				text, n := rest[:1], 1
				if !p.naming || rest[0] == 'u' {
					text, n = escape.Of("powershell").Next(rest)
				}
				b.Text += text
				p.i += n
			}
		case c == '{':
			j := closing(p.s, p.i)
			b.Text += p.s[p.i:j]
			p.i = j
		case c == ':' && parts > 0 && strings.HasPrefix(b.Text, "-") && !quoted && !strings.Contains(b.Text, ":"):
			// -Recurse:$true, -Path:x
			p.i++
			v := p.bare()
			w := value{list: v}.word()
			if strings.EqualFold(w.Text, "false") {
				return nil
			}
			if strings.EqualFold(w.Text, "true") {
				return []command.Word{b}
			}
			return append([]command.Word{b}, v...)
		default:
			b.Text += p.s[p.i : p.i+1]
			p.i++
		}
		parts++
		if len(b.Text) > maxWord {
			b.Text = umpire.Hole
		}
	}
done:
	if parts == 0 {
		return list
	}
	if strings.ContainsAny(b.Text, "*?[") && !quoted {
		b.Glob = true
	}
	return append(list, b)
}

// quoted reads a string of any form.
func (p *parser) quoted() command.Word {
	start := p.i
	end := skip(p.s, p.i)
	p.i = end
	raw := p.s[start:end]
	if strings.HasPrefix(raw, "@") {
		if len(raw) < 2 { // an unfinished here-string
			p.i = len(p.s)
			return command.Lit(umpire.Hole)
		}
		q := raw[1]
		body := strings.TrimSuffix(raw[2:], "\n"+raw[1:2]+"@")
		if i := strings.IndexByte(body, '\n'); i >= 0 {
			body = body[i+1:]
		}
		if q == '\'' {
			return command.Lit(body)
		}
		return p.r.interpolate(body, p.in)
	}
	q := raw[:1]
	if len(raw) < 2 || !strings.HasSuffix(raw, q) { // PowerShell refuses the text, unless umpire misreads where it ends
		p.r.work.exceeded()
	}
	body := strings.TrimPrefix(raw, q)
	body = strings.TrimSuffix(body, q)
	body = strings.ReplaceAll(body, q+q, q)
	if q == "'" {
		return command.Lit(body)
	}
	return p.r.interpolate(body, p.in)
}

// interpolate expands variables, sub-expressions and escapes in a double-quoted string.
func (r *reader) interpolate(s string, in command.Stream) (w command.Word) {
	var b strings.Builder
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '`' && i+1 < len(s):
			text, n := escape.Of("powershell").Next(s[i+1:])
			b.WriteString(text)
			i += 1 + n
		case c == '$' && i+1 < len(s) && s[i+1] == '(':
			j := closing(s, i+1)
			v := r.value(inner(s[i+1:j]), in).word()
			b.WriteString(v.Text)
			w.Taint |= v.Taint
			i = j
		case c == '$' && i+1 < len(s) && (s[i+1] == '{' || nameByte(s[i+1])):
			j := i + 1
			if s[j] == '{' {
				j = closing(s, j)
			} else {
				for j < len(s) && (nameByte(s[j]) || s[j] == ':' && j+1 < len(s) && nameByte(s[j+1]) && isScope(s[i+1:j])) {
					j++
				}
			}
			v := r.get(s[i:j]).word()
			b.WriteString(v.Text)
			w.Taint |= v.Taint
			i = j
		default:
			b.WriteByte(c)
			i++
		}
		if b.Len() > maxWord {
			return command.Word{Text: umpire.Hole, Taint: w.Taint}
		}
	}
	w.Text = b.String()
	return w
}

func isScope(s string) bool {
	return anyof.Equal(strings.ToLower(s), "env", "global", "script", "local", "using", "variable", "private")
}
