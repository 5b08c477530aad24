package powershell

import (
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// expressionStart reports whether a pipeline element is an expression, not a command.
func expressionStart(s string) bool {
	if s == "" {
		return false
	}
	switch c := s[0]; c {
	case '$', '(', '[', '\'', '"', '@', '{', '!':
		return true
	case '-', '+':
		return len(s) > 1 && (s[1] >= '0' && s[1] <= '9' || s[1] == '(' || s[1] == '$' || strings.HasPrefix(strings.ToLower(s), "-join") || strings.HasPrefix(strings.ToLower(s), "-not"))
	default:
		return c >= '0' && c <= '9'
	}
}

// expression evaluates a whole expression.
func (r *reader) expression(s string, in command.Stream) value {
	p := &parser{r: r, s: s, in: in}
	return p.left(p.binary())
}

// left reads the text after an expression if it belongs to the statement: the value of an
// assignment to a member or to several variables, and the branches of ? and ??.
func (p *parser) left(v value) value {
	rest := strings.TrimSpace(p.s[p.i:])
	if to, ok := strings.CutPrefix(strings.TrimLeft(rest, "+-*/%?"), "="); ok && !strings.HasPrefix(to, "=") {
		return p.r.value(to, p.in)
	}
	p.r.groups(rest, "", p.in)
	if strings.HasPrefix(rest, "?") {
		return hole(v.taint())
	}
	return v
}

// binary evaluates operands and operators from left to right.
func (p *parser) binary() value {
	v := p.operand()
	for {
		p.space()
		if p.i >= len(p.s) {
			return v
		}
		if !p.r.work.step() {
			return hole(v.taint())
		}
		op := p.operator()
		switch op {
		case "":
			return v
		case ",":
			w := p.operand()
			v = v.add(w.list)
			continue
		}
		w := p.operand()
		if op == "-f" || op == "-replace" || op == "-split" || op == "-join" || op == "-creplace" || op == "-ireplace" {
			for p.space(); p.i < len(p.s) && p.s[p.i] == ','; p.space() {
				p.i++
				w = w.add(p.operand().list)
			}
		}
		v = apply(op, v, w)
	}
}

// operator reads the next operator, or "".
func (p *parser) operator() string {
	rest := p.s[p.i:]
	if rest[0] == '+' || rest[0] == ',' || rest[0] == '*' {
		p.i++
		return rest[:1]
	}
	if rest[0] == '-' && len(rest) > 1 {
		j := 1
		for j < len(rest) && rest[j]|0x20 >= 'a' && rest[j]|0x20 <= 'z' {
			j++
		}
		if j > 1 {
			p.i += j
			return strings.ToLower(rest[:j])
		}
		p.i++
		return "-"
	}
	return ""
}

// apply returns the value of an operator.
func apply(op string, v, w value) value {
	t := v.taint() | w.taint()
	switch op {
	case "+":
		if len(v.list) == 1 && len(w.list) == 1 {
			if len(v.list[0].Text)+len(w.list[0].Text) > maxWord {
				return hole(t)
			}
			return one(command.Word{Text: v.list[0].Text + w.list[0].Text, Taint: t})
		}
		return value{list: v.list}.add(w.list)
	case "*":
		n, err := strconv.Atoi(w.word().Text)
		if err == nil && n >= 0 && n*len(v.word().Text) <= maxWord {
			return one(command.Word{Text: strings.Repeat(v.word().Text, n), Taint: t})
		}
	case "-f":
		if text, ok := format(v.word().Text, w.list); ok {
			return one(command.Word{Text: text, Taint: t})
		}
	case "-join":
		sep := w.word().Text
		return one(command.Word{Text: strings.Join(v.texts(), sep), Taint: t})
	case "-replace", "-creplace", "-ireplace":
		if len(w.list) > 0 {
			to := ""
			if len(w.list) > 1 {
				to = w.list[1].Text
			}
			if from, ok := literal(w.list[0].Text); ok && !strings.Contains(to, "$") {
				if text, ok := replace(v.word().Text, from, to, op != "-creplace"); ok {
					return one(command.Word{Text: text, Taint: t})
				}
			}
		}
	case "-split":
		if sep, ok := literal(w.word().Text); ok && sep != "" {
			if text, ok := replace(v.word().Text, sep, "\x00", true); ok {
				return divide(text, "\x00", t)
			}
		}
	case "-as", "-is":
		return v
	case "-eq", "-ne", "-gt", "-lt", "-like", "-match", "-and", "-or", "-notmatch", "-notlike", "-contains", "-in", "-ge", "-le":
		return hole(0)
	}
	return hole(t)
}

// replace replaces every from in s; if fold is set, it ignores case. It returns false if the result
// is unknown.
func replace(s, from, to string, fold bool) (string, bool) {
	if strings.Contains(s+from+to, umpire.Hole) {
		return "", false
	}
	if from == "" {
		return s, true
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if end := i + len(from); end <= len(s) && (s[i:end] == from || fold && strings.EqualFold(s[i:end], from)) {
			b.WriteString(to)
			i = end
		} else {
			b.WriteByte(s[i])
			i++
		}
		if b.Len() > maxWord {
			return "", false
		}
	}
	return b.String(), true
}

// divide splits a text into a list.
func divide(s, sep string, t command.Taint) value {
	parts := strings.SplitN(s, sep, maxList+1)
	if len(parts) > maxList {
		return hole(t)
	}
	var v value
	for _, x := range parts {
		v.list = append(v.list, command.Word{Text: x, Taint: t})
	}
	return v
}

// literal returns the text that a regular expression matches, if there is only one.
func literal(pattern string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c == '\\' && i+1 < len(pattern) && !nameByte(pattern[i+1]):
			i++
			c = pattern[i]
		case strings.IndexByte(`\.+*?()[]{}|^$`, c) >= 0:
			return "", false
		}
		b.WriteByte(c)
	}
	return b.String(), true
}

// format fills the placeholders {0}, {1} ... of a text. It returns false for a placeholder with a
// format, such as {0:x}.
func format(s string, list []command.Word) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s) && b.Len() <= maxWord; i++ {
		c := s[i]
		if c != '{' && c != '}' {
			b.WriteByte(c)
			continue
		}
		if i+1 < len(s) && s[i+1] == c {
			b.WriteByte(c)
			i++
			continue
		}
		n, _, closed := strings.Cut(s[i+1:], "}")
		at, ok := atoi(n)
		if c == '}' || !closed || !ok || at < 0 || at >= len(list) {
			return "", false
		}
		b.WriteString(list[at].Text)
		i += len(n) + 1
	}
	return b.String(), b.Len() <= maxWord
}

// operand evaluates one operand with its methods, properties and indexes.
func (p *parser) operand() value {
	p.space()
	if p.i >= len(p.s) {
		return value{}
	}
	low := strings.ToLower(p.s[p.i:])
	if strings.HasPrefix(low, "-join") {
		p.i += len("-join")
		return apply("-join", p.operand(), str(""))
	}
	if strings.HasPrefix(low, "-not") {
		p.i += len("-not")
		p.operand()
		return hole(0)
	}
	if p.s[p.i] == '!' || p.s[p.i] == '-' || p.s[p.i] == '+' {
		p.i++
		return p.operand()
	}
	return p.postfix(p.primary(), true)
}

func (p *parser) primary() value {
	if p.i >= len(p.s) || !p.r.enter() {
		p.i = len(p.s)
		return hole(0)
	}
	defer func() { p.r.depth-- }()
	switch c := p.s[p.i]; {
	case c == '\'' || c == '"' || c == '@' && p.i+1 < len(p.s) && (p.s[p.i+1] == '\'' || p.s[p.i+1] == '"'):
		return one(p.quoted())
	case strings.HasPrefix(p.s[p.i:], "@()"):
		p.i += 3
		return value{}
	case anyof.HasPrefix(p.s[p.i:], "$(", "@("):
		p.i++
		fallthrough
	case c == '(':
		return p.r.value(p.bracketed(), p.in)
	case c == '@':
		p.i++
		if p.i < len(p.s) && p.s[p.i] == '{' {
			var table value
			for _, entry := range split(p.bracketed(), ";\n", true) {
				if name, text, ok := strings.Cut(entry, "="); ok {
					v := p.r.value(text, p.in)
					table.list = append(table.list, command.Word{Taint: v.taint()})
					table = table.parameter(strings.Trim(name, " \t'\""), v)
				}
			}
			table.list = hole(table.taint()).list
			return table
		}
		return hole(0)
	case c == '{':
		v := str(p.bracketed())
		v.typ, v.block = "scriptblock", v.list[0].Text
		return v
	case c == '$':
		return p.variable()
	case c == '[':
		return p.typed()
	default:
		j := p.i
		for j < len(p.s) && (nameByte(p.s[j]) || p.s[j] == '.' && j+1 < len(p.s) && p.s[j+1] >= '0' && p.s[j+1] <= '9') {
			j++
		}
		if j == p.i {
			p.i++
			return hole(0)
		}
		v := str(p.s[p.i:j])
		p.i = j
		return v
	}
}

// typed reads a type in brackets, which begins a cast or a static member.
func (p *parser) typed() value {
	typ := strings.TrimPrefix(strings.ToLower(strings.TrimSpace(p.bracketed())), "system.")
	p.space()
	if strings.HasPrefix(p.s[p.i:], "::") {
		p.i += 2
		member := strings.ToLower(p.word())
		var args []value
		if p.i < len(p.s) && p.s[p.i] == '(' {
			args = p.args()
		}
		return p.r.static(typ, member, args)
	}
	return cast(typ, p.operand())
}

// variable reads $name, ${name} or $scope:name.
func (p *parser) variable() value {
	j := p.i + 1
	if j < len(p.s) && p.s[j] == '{' {
		j = closing(p.s, j)
	} else {
		for j < len(p.s) && (nameByte(p.s[j]) || p.s[j] == ':' && isScope(p.s[p.i+1:j])) {
			j++
		}
	}
	if j == p.i+1 {
		j++
	}
	name := p.s[p.i:min(j, len(p.s))]
	p.i = min(j, len(p.s))
	if plainName(name) == "_" || plainName(name) == "input" || plainName(name) == "psitem" {
		if v, ok := p.r.vars["_"]; ok {
			return v
		}
		return fromStream(p.in)
	}
	return p.r.get(name)
}

// args reads the arguments of a method; the parser is at the opening parenthesis.
func (p *parser) args() (vs []value) {
	body := p.bracketed()
	if strings.TrimSpace(body) == "" {
		return nil
	}
	for _, part := range split(body, ",", false) {
		vs = append(vs, p.r.value(part, p.in))
		if len(vs) > 64 {
			break
		}
	}
	return vs
}

// postfix applies .Method(...), .Property, [index] and ::.
func (p *parser) postfix(v value, allowed bool) value {
	for allowed && p.i < len(p.s) {
		switch {
		case p.s[p.i] == '[':
			body := p.bracketed()
			idx, ok := span(body)
			if !ok {
				idx = p.r.expression(body, p.in)
			}
			v = index(v, idx)
		case p.s[p.i] == '.' && p.i+1 < len(p.s) && (nameByte(p.s[p.i+1]) || p.s[p.i+1] == '\'' || p.s[p.i+1] == '"' || p.s[p.i+1] == '$' || p.s[p.i+1] == '('):
			p.i++
			var name string
			switch c := p.s[p.i]; {
			case c == '\'' || c == '"':
				name = p.quoted().Text
			case c == '$' || c == '(':
				name = p.primary().word().Text
			default:
				name = p.word()
			}
			if p.i < len(p.s) && p.s[p.i] == '(' {
				v = p.r.method(v, strings.ToLower(name), p.args())
			} else if p.i < len(p.s) && p.s[p.i] == '{' { // .ForEach{ ... }
				v = p.r.method(v, strings.ToLower(name), []value{p.primary()})
			} else {
				v = p.r.property(v, strings.ToLower(name))
			}
		default:
			return v
		}
		if !p.r.work.step() {
			return hole(v.taint())
		}
	}
	return v
}

// index returns elements of a list or characters of a string.
func index(v, idx value) value {
	var out value
	for _, x := range idx.list {
		n, err := strconv.Atoi(x.Text)
		if err != nil {
			return hole(v.taint())
		}
		if len(v.list) == 1 && !strings.Contains(v.list[0].Text, umpire.Hole) {
			rs := []rune(v.list[0].Text)
			if n < 0 {
				n += len(rs)
			}
			if n >= 0 && n < len(rs) {
				out.list = append(out.list, command.Word{Text: string(rs[n]), Taint: v.taint()})
			}
			continue
		}
		if n < 0 {
			n += len(v.list)
		}
		if n >= 0 && n < len(v.list) {
			out.list = append(out.list, v.list[n])
		}
	}
	return out
}

// span reads first..last. A span may count down, and from the end.
func span(s string) (v value, ok bool) {
	a, b, ok := strings.Cut(strings.TrimSpace(s), "..")
	from, err := strconv.Atoi(strings.TrimSpace(a))
	if !ok || err != nil {
		return v, false
	}
	b = strings.TrimSpace(b)
	to, err := strconv.Atoi(b)
	if err != nil {
		if from != -1 || !strings.HasPrefix(b, "-") {
			return v, false
		}
		to = -256 // [-1..-$s.Length] reverses a string
	}
	step := 1
	if to < from {
		step = -1
	}
	for i := from; len(v.list) < maxList; i += step {
		v.list = append(v.list, command.Lit(strconv.Itoa(i)))
		if i == to {
			break
		}
	}
	return v, true
}

// cast converts a value: [char]105, [char[]](...), [string]x, [int]'5', [scriptblock]...
func cast(typ string, v value) value {
	switch typ {
	case "char", "char[]":
		var out value
		for _, x := range v.list {
			n, err := strconv.ParseInt(strings.ToLower(x.Text), 0, 32)
			if err != nil {
				return v
			}
			out.list = append(out.list, command.Word{Text: string(rune(n)), Taint: x.Taint})
		}
		return out
	case "string", "int", "object", "array", "object[]", "string[]", "void", "uri", "int[]", "byte[]":
		return v
	}
	v.typ = typ
	return v
}
