package code

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/escape"
)

// str reads a literal if one starts here.
func (x *lexer) str() bool {
	s, l, i := x.s, x.l, x.i
	c := s[i]
	switch {
	case (c == '"' || c == '\'') && l.is("python"):
		x.python("", i)
	case l.is("python") && pythonPrefix(s[i:]) > 0 && !x.glued():
		n := pythonPrefix(s[i:])
		x.python(strings.ToLower(s[i:i+n]), i+n)
	case c == '\'' && l.is("applescript"):
		return false
	case c == '\'' && l.is("rust") && nameEnd(s, i+1) > i+1 && !strings.HasPrefix(s[nameEnd(s, i+1):], "'"): // a lifetime
		x.i = nameEnd(s, i+1)
	case c == '\'' && l.hashes && x.operand() && x.glued(): // a transposed matrix
		x.i++
	case l.is("groovy") && strings.HasPrefix(s[i:], "'''"):
		x.triple(i, "'''")
	case c == '/' && l.is("groovy") && !x.operand() && strings.IndexByte(s[i+1:], '/') > 0:
		x.delimited(i+1, '/', 0, false, true, tString)
	case c == '\'':
		raw := l.is("perl", "ruby", "php", "awk")
		x.delimited(i+1, '\'', 0, raw, false, tString)
	case c == '"':
		if l.is("vim") {
			x.i = len(s)
			return true
		}
		if l.is("groovy", "julia") && strings.HasPrefix(s[i:], `"""`) {
			x.triple(i, `"""`)
			return true
		}
		x.delimited(i+1, '"', 0, false, l.interp != 0, tString)
	case c == '`' && l.is("js", "julia"):
		x.delimited(i+1, '`', 0, false, true, tString)
	case c == '`' && l.is("go"):
		x.raw(i+1, "`")
	case c == 'r' && l.is("rust") && !x.glued() && rustRaw(s[i+1:]) > 0:
		n := rustRaw(s[i+1:])
		x.raw(i+1+n, `"`+s[i+1:i+n])
	case c == '`' && l.is("perl", "ruby", "php"):
		x.delimited(i+1, '`', 0, false, true, tCommand)
	case c == '[' && l.is("lua"):
		n := longBracket(s[i:])
		if n == 0 {
			return false
		}
		body := strings.Trim(strings.TrimPrefix(strings.Trim(s[i+1:i+n-1], "="), "["), "]")
		x.i = i + n
		x.text(strings.TrimSuffix(strings.TrimRight(body, "="), "]"))
	case c == '/' && l.regexp && !x.operand():
		x.regexp(i + 1)
	case c == '<' && strings.HasPrefix(s[i:], "<<") && l.is("perl", "ruby", "php"):
		return x.heredoc()
	case c == '%' && l.is("ruby") && !(x.operand() && x.glued()) && i+2 < len(s):
		return x.percent()
	case l.is("perl") && (c == 'q' || c == 'm' || c == 's' || c == 't' || c == 'y') && !x.glued() && !x.last().op("->"):
		return x.perlQuote()
	case c == ':' && l.is("ruby") && i+1 < len(s) && (nameByte(s[i+1]) || s[i+1] == '"') && !strings.HasPrefix(s[i:], "::") && !(x.operand() && x.glued()):
		if s[i+1] == '"' {
			x.delimited(i+2, '"', 0, false, true, tString)
			return true
		}
		x.i = nameEnd(s, i+1)
		x.text(s[i+1 : x.i])
	default:
		return false
	}
	return true
}

// glued reports whether the previous character belongs to a name or value.
func (x *lexer) glued() bool {
	return x.i > 0 && (nameByte(x.s[x.i-1]) || x.s[x.i-1] == '$' || x.s[x.i-1] == '@' || x.s[x.i-1] == ')' || x.s[x.i-1] == ']')
}

// text adds a literal without expressions.
func (x *lexer) text(s string) { x.add(token{kind: tString, parts: []part{{text: s}}}) }

// flags moves past the letters after a regular expression, and returns them.
func (x *lexer) flags() string {
	from := x.i
	for x.i < len(x.s) && x.s[x.i] >= 'a' && x.s[x.i] <= 'z' {
		x.i++
	}
	return x.s[from:x.i]
}

func pythonPrefix(s string) int {
	for n := 1; n <= 2 && n < len(s); n++ {
		switch s[n-1] {
		case 'r', 'R', 'b', 'B', 'u', 'U', 'f', 'F', 't', 'T':
		default:
			return 0
		}
		if s[n] == '\'' || s[n] == '"' {
			return n
		}
	}
	return 0
}

// python reads a string of Python that begins at i, after the letters in prefix.
func (x *lexer) python(prefix string, i int) {
	q := x.s[i : i+1]
	if strings.HasPrefix(x.s[i:], strings.Repeat(q, 3)) {
		q = x.s[i : i+3]
	}
	raw := strings.Contains(prefix, "r")
	body := x.s[i+len(q):]
	end := len(body)
	for j := 0; j < len(body); j++ {
		if body[j] == '\\' {
			j++
		} else if strings.HasPrefix(body[j:], q) || len(q) == 1 && body[j] == '\n' {
			end = j
			break
		}
	}
	x.i = min(len(x.s), i+len(q)+end+len(q))
	body = body[:end]
	interp := byte(0)
	if strings.ContainsAny(prefix, "ft") {
		interp = 'f'
	}
	x.add(token{kind: tString, parts: x.l.pieces(body, interp, raw)})
}

func (x *lexer) triple(i int, q string) {
	end := strings.Index(x.s[i+3:], q)
	if end < 0 {
		end = len(x.s) - i - 3
	}
	x.i = min(len(x.s), i+3+end+3)
	x.add(token{kind: tString, parts: x.l.pieces(x.s[i+3:i+3+end], x.l.interp, false)})
}

// raw reads the text up to end without escapes.
func (x *lexer) raw(i int, end string) {
	body, _, _ := strings.Cut(x.s[i:], end)
	x.i = min(i+len(body)+len(end), len(x.s))
	x.text(body)
}

// rustRaw returns how many characters of #" begin a raw string of Rust after its r.
func rustRaw(s string) int {
	n := 0
	for n < len(s) && n < 16 && s[n] == '#' {
		n++
	}
	if n < len(s) && s[n] == '"' {
		return n + 1
	}
	return 0
}

// delimited reads up to an unescaped delimiter; if open is set, pairs nest.
func (x *lexer) delimited(i int, end, open byte, raw, interp bool, k tkind) {
	s := x.s
	depth, j := 0, i
	for ; j < len(s); j++ {
		c := s[j]
		if c == '\\' {
			j++
			continue
		}
		if at := x.opensCode(j, end); interp && at > 0 {
			j = closing(s, at)
			continue
		}
		if open != 0 && c == open {
			depth++
		}
		if c == end {
			if depth == 0 {
				break
			}
			depth--
		}
	}
	j = min(j, len(s))
	body := s[i:j]
	x.i = min(j+1, len(s))
	if k == tWords {
		x.add(token{kind: tWords, text: body})
		return
	}
	var p []part
	switch {
	case raw:
		p = []part{{text: rawEscapes(body, end)}}
	case interp:
		if x.l.name == "perl" {
			body = letterCases(body)
		}
		p = x.l.pieces(body, x.l.interp, false)
	default:
		p = []part{{text: x.l.unescape(body)}}
	}
	x.add(token{kind: k, parts: p})
}

func rawEscapes(s string, q byte) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	s = strings.ReplaceAll(s, `\`+string(q), string(q))
	return strings.ReplaceAll(s, `\\`, `\`)
}

// letterCases replaces text that \L, \U, \F, \l and \u of Perl change by a Hole, and removes \Q and
// \E: an adversary could write "/\LETC". Interpolated variables in it stay.
func letterCases(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'L', 'U', 'F':
			spelled, _, _ := strings.Cut(s[i+1:], `\E`)
			b.WriteString(umpire.Hole)
			if !strings.ContainsAny(spelled, "$@") {
				i += len(spelled)
			}
		case 'l', 'u':
			b.WriteString(umpire.Hole)
			if i+1 < len(s) && s[i+1] != '$' && s[i+1] != '@' {
				i++
			}
		case 'Q', 'E':
		default:
			b.WriteString(s[i-1 : i+1])
		}
	}
	return b.String()
}

// unescape decodes the escapes in a string literal.
func (l *language) unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	return strings.ToValidUTF8(escape.Of(l.name).Decode(s), "\uFFFD")
}

func (x *lexer) regexp(i int) {
	s := x.s
	class := false
	j := i
	for ; j < len(s) && s[j] != '\n' && (s[j] != '/' || class); j++ {
		switch s[j] {
		case '\\':
			j++
		case '[', ']':
			class = s[j] == '['
		}
	}
	j = min(j, len(s))
	x.add(token{kind: tRegexp, text: s[i:j]})
	if x.i = min(j+1, len(s)); x.l.name != "awk" {
		x.flags()
	}
}

func pair(c byte) (end, open byte) {
	switch c {
	case '(':
		return ')', '('
	case '[':
		return ']', '['
	case '{':
		return '}', '{'
	case '<':
		return '>', '<'
	}
	return c, 0
}

// percent reads Ruby's %w[] %q() %x{} %(...).
func (x *lexer) percent() bool {
	s, l, i := x.s, x.l, x.i+1
	kind := byte('Q')
	if s[i] >= 'a' && s[i] <= 'z' || s[i] == 'Q' || s[i] == 'W' || s[i] == 'I' {
		kind = s[i]
		i++
	}
	if i >= len(s) || nameByte(s[i]) || s[i] == ' ' || s[i] == '=' || s[i] == '\n' || kind == 'Q' && x.operand() {
		return false
	}
	end, open := pair(s[i])
	switch kind {
	case 'W', 'I':
		x.delimited(i+1, end, open, true, true, tWords)
		words := x.out[len(x.out)-1].text
		x.out[len(x.out)-1] = token{kind: tOp, text: "["}
		for words = strings.TrimLeft(words, " \t\n"); words != ""; words = strings.TrimLeft(words, " \t\n") {
			n := 0
			for n < len(words) && strings.IndexByte(" \t\n", words[n]) < 0 {
				if strings.HasPrefix(words[n:], "#{") {
					n = closing(words, n+1)
				}
				n++
			}
			x.add(token{kind: tString, parts: l.pieces(words[:n], l.interp, false)})
			x.add(token{kind: tOp, text: ","})
			words = words[n:]
		}
		x.add(token{kind: tOp, text: "]"})
	case 'w', 'i', 'q', 's', 'x', 'r', 'Q':
		as := map[byte]string{'w': "qw", 'i': "qw", 'q': "q", 's': "q", 'x': "qx", 'r': "qr", 'Q': "qq"}
		x.quoted(as[kind], i+1, end, open)
	default:
		return false
	}
	return true
}

// quoted reads the text after a quote operator of Perl. In Ruby, others have the same meanings.
func (x *lexer) quoted(op string, from int, end, open byte) {
	kind := map[string]tkind{"qw": tWords, "qx": tCommand, "qr": tRegexp, "m": tRegexp}[op]
	if op == "q" || op == "qq" {
		kind = tString
	}
	interp := op == "qq" || op == "qx"
	x.delimited(from, end, open, !interp, interp && (op == "qq" || end != '\''), kind)
}

// perlQuote reads q qq qw qx m s tr y with any delimiter.
func (x *lexer) perlQuote() bool {
	s, i := x.s, x.i
	j := nameEnd(s, i)
	op := s[i:j]
	if !anyof.Equal(op, "q", "qq", "qw", "qx", "qr", "m", "s", "tr", "y") {
		return false
	}
	k := j
	for k < len(s) && s[k] == ' ' {
		k++
	}
	if k >= len(s) || strings.IndexByte(",;)}=", s[k]) >= 0 || strings.HasPrefix(s[k:], "=>") || k > j && (s[k] == '#' || nameByte(s[k])) {
		return false
	}
	end, open := pair(s[k])
	switch op {
	case "q", "qq", "qw", "qx", "m", "qr":
		x.quoted(op, k+1, end, open)
	default: // two parts
		x.delimited(k+1, end, open, true, false, tRegexp)
		first := x.out[len(x.out)-1]
		if open != 0 {
			for x.i < len(s) && (s[x.i] == ' ' || s[x.i] == '\n') {
				x.i++
			}
			if x.i < len(s) {
				end, open = pair(s[x.i])
				x.i++
			}
		}
		x.delimited(x.i, end, open, true, false, tRegexp)
		second := x.out[len(x.out)-1]
		x.out = x.out[:len(x.out)-2]
		x.add(token{kind: tRegexp, text: op, parts: []part{{text: literal(first)}, {text: literal(second)}, {text: x.flags()}}})
	}
	if op == "m" || op == "qr" {
		x.flags()
	}
	return true
}

func literal(t token) string {
	if len(t.parts) > 0 {
		return t.parts[0].text
	}
	return t.text
}

// heredoc notes a here-document; its body begins on the next line.
func (x *lexer) heredoc() bool {
	s, i := x.s, x.i+2
	if x.l.is("php") {
		if !strings.HasPrefix(s[i:], "<") {
			return false
		}
		i++
		for i < len(s) && s[i] == ' ' {
			i++
		}
	}
	d := &doc{}
	if i < len(s) && (s[i] == '~' || s[i] == '-') {
		d.indent = true
		i++
	}
	q := byte(0)
	if i < len(s) && (s[i] == '\'' || s[i] == '"' || s[i] == '`') {
		q = s[i]
		i++
	}
	j := nameEnd(s, i)
	if j == i || q == 0 && s[i] >= '0' && s[i] <= '9' || q == 0 && !d.indent && x.l.name == "ruby" && !(s[i] >= 'A' && s[i] <= 'Z') {
		return false
	}
	d.tag = s[i:j]
	d.raw = q == '\''
	d.cmd = q == '`'
	if q != 0 && j < len(s) && s[j] == q {
		j++
	}
	x.i = j
	d.index = len(x.out)
	k := tString
	if d.cmd {
		k = tCommand
	}
	x.add(token{kind: k})
	x.docs = append(x.docs, d)
	return true
}

// bodies reads the bodies of the here-documents that the last line announced.
func (x *lexer) bodies() {
	for _, d := range x.docs {
		var b strings.Builder
		for x.i < len(x.s) {
			end := strings.IndexByte(x.s[x.i:], '\n')
			line := x.s[x.i:]
			if end >= 0 {
				line = x.s[x.i : x.i+end]
			}
			t := strings.TrimSpace(line)
			done := line == d.tag || d.indent && strings.TrimRight(t, ";,)") == d.tag
			if after, ok := strings.CutPrefix(t, d.tag); ok && x.l.is("php") && (after == "" || !nameByte(after[0])) {
				done = true // code may follow on the same line
			}
			if done && t != d.tag {
				x.i += strings.Index(x.s[x.i:], d.tag) + len(d.tag)
				break
			}
			x.i = min(len(x.s), x.i+len(line)+1)
			x.line = x.i
			if done {
				break
			}
			if d.indent {
				line = strings.TrimLeft(line, " \t")
			}
			b.WriteString(line)
			b.WriteByte('\n')
		}
		if d.raw {
			x.out[d.index].parts = []part{{text: b.String()}}
		} else {
			x.out[d.index].parts = x.l.pieces(b.String(), x.l.interp, false)
		}
	}
	x.docs = nil
}
