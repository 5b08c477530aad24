package code

import "strings"

// member returns the name of a member of v.
func member(v value, name string) string {
	if v.ref == "" || v.ref == "#" {
		return "." + name
	}
	return v.ref + "." + name
}

// postfix reads calls, indexes and members after a primary.
func (p *parser) postfix(v value, name string) (value, string) {
	base := spot{name: name, from: p.i}
	v, name = p.postfixes(v, name, base)
	p.spot = spot{}
	if base.name != "" && name == "" {
		base.to = p.i
		p.spot = base
	}
	return v, name
}

// postfixes applies the calls, indexes and members that follow v. name is set if the result is
// assignable.
func (p *parser) postfixes(v value, name string, base spot) (value, string) {
	m := p.m
	for m.step() {
		t := p.peek()
		if t.kind == tLine && m.l.is("js", "ruby", "groovy", "php") {
			if n := p.at(1); n.op(".", "?.", "->") {
				p.i++
				continue
			}
		}
		if t.kind != tOp {
			var more bool
			if v, name, more = p.bareCall(t, v, name, base); !more {
				return v, name
			}
			continue
		}
		switch t.text {
		case ".", "?.", "->", "::", "?->", "&.", "!":
			if t.text == "->" && name != "" && p.javaArrow(base.from) { // of Java
				return p.oneParameter(name), ""
			}
			if t.text == "->" && m.l.is("julia", "groovy") { // read the body of x -> f(x) as if it were called
				p.i++
				return p.expression(pAssign), ""
			}
			var more bool
			if v, name, more = p.memberOf(t, v, name); !more {
				return v, name
			}
		case ":":
			// Lua: io.popen(x):read("a")
			if !m.l.is("lua") || p.at(1).kind != tName {
				return v, name
			}
			n := p.at(1)
			p.i += 2
			v, name = m.member(v, n.text), ""
		case "(":
			number := v.isNil() && !t.first && name == "" && v.fn == nil && p.prev().kind == tNumber
			if number || t.space && v.ref == "" && m.l.is("awk", "ruby") {
				return v, name
			}
			p.i++
			v, name = p.called(v, base, ")"), ""
			v = p.block(v)
		case "[":
			if t.first || t.space && m.l.is("ruby", "awk") {
				if t.space && m.l.bare && !m.l.is("js") && p.startsArgument(t, v) {
					v, name = p.called(v, base, ""), ""
				}
				return v, name
			}
			if args, ok := m.vars["$_args"]; ok && name == "$_" { // an element of @_
				v = args
			}
			p.i++
			v, name = p.index(v), ""
		case "{":
			var more bool
			if v, name, more = p.brace(t, v, name); !more {
				return v, name
			}
		case "++", "--":
			p.i++
		case "=>":
			if m.l.is("js") && name != "" {
				return p.oneParameter(name), ""
			}
			return v, name
		default:
			if m.l.bare && p.startsArgument(t, v) {
				v, name = p.called(v, base, ""), ""
				v = p.block(v)
			}
			return v, name
		}
	}
	return v, name
}

// javaArrow reports whether the one parameter of a function of Java ends at a token: each(x -> f(x)).
// In Groovy, the arrow after a brace belongs to a block.
func (p *parser) javaArrow(from int) bool {
	return p.m.l.is("groovy") && p.i == from && from > 1 && p.t[from-2].kind == tOp && strings.Contains("(,", p.t[from-2].text)
}

// oneParameter returns the function of x => body.
func (p *parser) oneParameter(name string) value {
	f := &function{params: []parameter{{name: name}}}
	p.i++
	p.body(f)
	return p.m.keep(f)
}

// called calls v with the arguments up to end, and follows the changes to v and the arguments.
func (p *parser) called(v value, base spot, end string) value {
	from := p.i
	args, kw := p.arguments(end)
	var out value
	for _, list := range spreads(args) {
		out = either(out, p.m.call(v, list, kw))
	}
	if !p.changesList(v.ref, from, args) {
		p.forgetArguments(v, from)
	}
	if end != "" {
		from-- // include the bracket
	}
	if base.name == "" || from-base.from < 2 || p.t[from-1].kind != tName {
		return out
	}
	if method := p.t[from-1].text; from-base.from == 2 {
		p.m.change(base.name, method, args, kw)
	} else if p.m.changesIts(value{seq: true}, method) { // x[0].append(y)
		p.m.forget(base.name)
	}
	return out
}

// bareCall reads a call without brackets, such as os.execute "x" in Lua, with its argument at t.
// more is false if v ends before t.
func (p *parser) bareCall(t token, v value, name string, base spot) (_ value, _ string, more bool) {
	m := p.m
	lua, js := m.l.is("lua"), m.l.is("js") && !t.space && v.ref != "" && !t.first
	switch {
	case t.kind == tString && (lua || js) && (v.ref != "" || v.recv != nil): // os.execute "x", Bun.$`x`
		p.i++
		return m.dispatch(&call{ref: v.ref, recv: recvOf(v), args: []value{p.string(t)}}), "", true
	case m.l.bare && p.startsArgument(t, v):
		return p.called(v, base, ""), "", true
	case t.name("do") && m.l.is("ruby") && v.ref != "":
		return p.block(m.yields(v)), name, false
	case m.l.is("perl", "ruby") && (v.ref == "fork" || v.ref == "shift" || v.ref == "gets"):
		return m.call(v, nil, value{}), "", false
	}
	return v, name, false
}

// memberOf reads a member access such as .name, ->name or ::name. more is false if v ends
// before it.
func (p *parser) memberOf(t token, v value, name string) (_ value, _ string, more bool) {
	m := p.m
	if t.text == "." && m.l.is("perl", "php") || t.text == "!" || t.text == "&." && !m.l.is("ruby") {
		return v, name, false
	}
	n := p.at(1)
	if t.text == "->" && n.op("[", "{", "(") || t.text == "?." && n.op("[", "(") {
		p.i++
		return v, name, true
	}
	if n.op("(") && m.l.is("ruby") { // f.(x)
		p.i++
		return v, name, true
	}
	if n.kind != tName {
		if m.l.is("ruby") && n.kind == tCommand || n.kind == tLine || n.kind == tEnd {
			return v, name, false
		}
		p.i++
		return v, name, false
	}
	p.i += 2
	if m.l.is("ruby") && strings.HasSuffix(n.text, "!") {
		m.forget(name)
	}
	v, name = m.member(v, n.text), ""
	if m.l.is("ruby") && !(n.text[0] >= 'A' && n.text[0] <= 'Z') && v.ref != "" && v.recv != nil && !p.takesMore(v) {
		v = m.call(v, nil, value{}) // in Ruby, a call without arguments needs no parentheses
	}
	return v, name, true
}

// brace reads a brace after v: a subscript of Perl, a block, or an argument of Lua. more is false
// if v ends before or after the brace.
func (p *parser) brace(t token, v value, name string) (_ value, _ string, more bool) {
	m := p.m
	if m.l.is("perl") && (v.ref == "system" || v.ref == "exec") { // system {"rm"} "argv0", "-rf"
		p.i++
		program := p.expression(pAssign)
		p.accept("}")
		args, _ := p.arguments("")
		return m.exec(append([]value{program}, args[min(1, len(args)):]...), value{}), "", false
	}
	if m.l.is("perl") && !t.space && (v.ref != "" || v.keys != nil || name != "") {
		p.i++
		v, name = p.subscript(v), ""
		return v, name, true
	}
	if m.l.is("ruby", "groovy") && !t.first {
		return p.block(m.yields(v)), name, false
	}
	if m.l.is("lua") && v.ref != "" && (v.fn != nil || strings.Contains(v.ref, ".")) {
		p.i++
		v, name = m.call(v, []value{p.braces()}, value{}), ""
		return v, name, true
	}
	return v, name, false
}

// takesMore reports whether arguments, a block or an assignment follow the name of a Ruby method.
func (p *parser) takesMore(v value) bool {
	t := p.peek()
	if t.kind == tOp && (t.text == "(" && !t.space || t.text == "{" || t.text == "=") {
		return true
	}
	return t.name("do") || p.startsArgument(t, v)
}

func recvOf(v value) value {
	if v.recv != nil {
		return *v.recv
	}
	return value{}
}

// startsArgument reports whether t begins the arguments of a call without parentheses.
func (p *parser) startsArgument(t token, v value) bool {
	if v.ref == "" || t.first || !t.space && t.kind != tString && t.kind != tWords && t.kind != tCommand && !(p.m.l.is("perl") && t.kind == tName && t.text[0] == '$') || v.isNumber() || strings.HasPrefix(v.ref, "$") && v.recv == nil {
		return false
	}
	if p.prev().kind != tName {
		return false // only directly after the name
	}
	if p.m.l.is("lua") {
		return t.kind == tString
	}
	if strings.HasPrefix(p.prev().text, "$") || strings.HasPrefix(p.prev().text, "@") {
		return false
	}
	switch t.kind {
	case tString, tWords, tCommand, tNumber, tHole, tRegexp:
		return true
	case tName:
		switch t.text {
		case "if", "unless", "while", "until", "and", "or", "do", "then", "in", "for", "foreach", "end", "rescue", "else", "elsif":
			return false
		case "x", "eq", "ne", "lt", "gt", "cmp", "xor":
			return !p.m.l.is("perl")
		}
		return true
	case tOp:
		n := p.at(1)
		switch t.text {
		case "[":
			return p.m.l.is("ruby")
		case "\\", "$", "@":
			return true
		case "*", "&", "-", "::", "<", "**":
			return n.kind != tEnd && !n.space
		case "{":
			return false
		}
	}
	return false
}

// juxtaposed reports whether t continues a string: Awk joins adjacent values, Python only literals.
func (p *parser) juxtaposed(t token) bool {
	prev := p.prev()
	switch p.m.l.name {
	case "awk":
		return t.kind == tString || t.kind == tNumber || t.kind == tName && t.text != "in" && t.text != "getline" || t.kind == tHole || t.op("(", "$")
	case "python", "ruby":
		return t.kind == tString && prev.kind == tString
	}
	return t.kind == tHole && !t.space
}
