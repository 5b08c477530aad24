package code

import (
	"strings"

	"github.com/umpire-dev/umpire/internal/operation/command"
)

// statement reads one statement. Conditions and loops are passed through: what may
// happen is read as if it did.
func (p *parser) statement() value {
	m := p.m
	t := p.peek()
	if m.l.is("awk") {
		return p.awkStatement()
	}
	if m.l.is("perl") {
		p.lookahead()
	}
	if t.kind == tName {
		if v, done := p.keyword(t); done {
			return v
		}
	}
	v := p.expression(0)
	if p.op(",") && m.l.is("python", "ruby", "perl", "lua") { // a, b = x, y
		return p.multiple(v)
	}
	if p.peek().kind == tName && (p.peek().text == "while" || p.peek().text == "until") && m.l.is("perl", "ruby") {
		p.i++
		p.loopOn()
	}
	return v
}

// multiple reads the rest of a tuple on the left of an assignment.
func (p *parser) multiple(first value) value {
	var names []string
	start := p.i - 1
	if start >= 0 && p.t[start].kind == tName {
		names = append(names, p.t[start].text)
	} else {
		names = append(names, "")
	}
	vs := []value{first}
	for p.accept(",") {
		t := p.peek()
		if t.kind == tName && p.at(1).kind == tOp && (p.at(1).text == "," || p.at(1).text == "=") {
			names = append(names, t.text)
			vs = append(vs, p.m.lookup(t.text))
			p.i++
			continue
		}
		if t.kind == tLine || t.kind == tEnd {
			break
		}
		vs = append(vs, p.expression(pTernary))
	}
	if p.accept("=") {
		right := []value{p.expression(pTernary)}
		for p.accept(",") {
			right = append(right, p.expression(pTernary))
		}
		if len(right) == 1 && right[0].seq {
			right = right[0].list
		}
		for i, n := range names {
			if n == "" {
				continue
			}
			if i < len(right) {
				p.m.set(n, right[i])
			} else if len(right) == 1 {
				p.m.set(n, value{taint: right[0].taint})
			}
		}
	}
	return listOf(vs)
}

// loopOn reads the condition of a loop and notes one that always holds, or that forks.
func (p *parser) loopOn() {
	start := p.i
	cond := p.condition()
	endless := cond.truthy()
	for _, t := range p.cut(start, p.i) {
		endless = endless || t.kind == tName && t.text == "fork"
	}
	if endless {
		p.m.endless = true
		p.m.bomb()
	}
}

// keyword reads what a word at the start of a statement begins.
func (p *parser) keyword(t token) (value, bool) {
	m, l := p.m, p.m.l
	n := p.at(1)
	if n.kind == tOp && (n.text == "=" || n.text == "." || n.text == "(" && !statementParen(t.text)) {
		return value{}, false
	}
	switch t.text {
	case "import", "from", "use", "require", "include", "require_once", "include_once":
		return p.imports(t)
	case "def", "function", "sub", "func":
		if n.kind == tName {
			p.define()
			return value{}, true
		}
		if t.text == "function" && n.kind == tOp && n.text == "*" {
			p.i++
			p.define()
			return value{}, true
		}
		return value{}, false
	case "async":
		p.i++
		return value{}, true
	case "class", "module", "interface", "package", "namespace":
		for p.i < len(p.t) && p.peek().kind != tLine && !p.op("{") && !p.op(":") && !p.op(";") {
			p.i++
		}
		return value{}, true
	case "const", "let", "var", "my", "our", "local", "state", "static", "global", "val", "export", "public", "private", "nonlocal":
		if l.is("python") && t.text != "global" && t.text != "nonlocal" {
			return value{}, false
		}
		p.i++
		return p.declare(), true
	case "for", "foreach":
		p.i++
		p.forLoop()
		return value{}, true
	case "while", "until":
		p.i++
		p.loopOn()
		return value{}, true
	case "loop":
		if l.is("ruby") {
			m.endless = true
			m.bomb()
			p.i++
			return value{}, true
		}
	case "if", "elif", "elsif", "elseif", "unless", "switch", "case", "when", "assert":
		p.i++
		p.condition()
		return value{}, true
	case "else", "try", "finally", "begin", "do", "then", "end", "rescue", "ensure", "except", "catch", "pass", "BEGIN", "END", "repeat", "fi", "raise", "throw", "match", "in":
		if l.is("perl") && t.text == "do" && n.kind == tString {
			return value{}, false
		}
		if l.is("php") && t.text == "do" || t.text == "match" && !l.is("python") {
			return value{}, false
		}
		p.i++
		if (t.text == "except" || t.text == "rescue" || t.text == "catch") && !p.op("{") {
			for p.i < len(p.t) && p.peek().kind != tLine && !p.op(":") && !p.op("{") && !p.op(";") && !p.op("=>") {
				p.i++
			}
		}
		return value{}, true
	case "with":
		if l.is("python") {
			p.i++
			p.with()
			return value{}, true
		}
	case "return":
		p.i++
		if k := p.peek(); k.kind == tLine || k.kind == tEnd || p.op(";") || p.op("}") {
			return value{}, true
		}
		v := p.expression(0)
		if p.returned == nil {
			p.returned = &v
		} else {
			w := either(*p.returned, v)
			p.returned = &w
		}
		return v, true
	case "del":
		if l.is("python") {
			p.i++
			p.expression(0)
			return value{}, true
		}
	case "print", "echo", "puts", "say", "p", "pp", "printf", "die", "warn", "cat":
		if l.is("python") && n.kind != tString || n.kind == tOp && n.text == "(" && !l.is("perl") {
			return value{}, false
		}
		if l.is("perl", "php", "ruby", "python") {
			return p.printing(t), true
		}
	}
	return value{}, false
}

func statementParen(s string) bool {
	switch s {
	case "for", "foreach", "while", "if", "elif", "elsif", "elseif", "unless", "until", "switch", "catch", "return", "const", "let", "var", "my", "our", "local", "else", "do", "try", "case", "when", "print", "echo", "puts", "say", "printf", "assert", "function", "sub", "del", "in", "import", "require":
		return s != "import" && s != "require"
	}
	return false
}

// condition reads the condition of if and while, in parentheses or not.
func (p *parser) condition() value {
	if p.op("(") && p.m.l.is("js", "php", "perl", "groovy", "r", "awk") {
		p.i++
		v := p.group(")")
		return v
	}
	return p.expression(0)
}

// printing reads print LIST, with perl's optional file handle.
func (p *parser) printing(t token) value {
	m := p.m
	p.i++
	var handle value
	to := false
	if m.l.is("perl") && (t.text == "print" || t.text == "printf" || t.text == "say") {
		paren := p.accept("(")
		if p.op("{") { // print {$fh} "x"
			p.i++
			handle = p.expression(0)
			p.accept("}")
			to = true
		} else if h, n := p.peek(), p.at(1); h.kind == tName && n.kind != tOp && n.kind != tLine && n.kind != tEnd && (strings.HasPrefix(h.text, "$") || strings.ToUpper(h.text) == h.text) && !p.wordOperator(n) {
			p.i++
			to = true
			handle = m.lookup(h.text)
			if h.text == "STDERR" || h.text == "STDOUT" {
				to = false
			}
		}
		if paren {
			args, _ := p.arguments(")")
			return m.say(args, handle, to, t.text)
		}
	}
	args, _ := p.arguments("")
	return m.say(args, handle, to, t.text)
}

func (p *parser) wordOperator(t token) bool {
	switch t.text {
	case "if", "unless", "for", "foreach", "while", "x", "eq", "ne", "and", "or", "cmp", "lt", "gt":
		return t.kind == tName
	}
	return false
}

// say prints to standard output, or to a handle.
func (m *machine) say(args []value, handle value, to bool, how string) value {
	v := lit("")
	if how == "printf" && len(args) > 0 {
		v = format(args[0], args[1:])
	} else {
		for _, a := range args {
			if a.ref == refEnv {
				m.effect(Effect{Kind: EnvDump})
				m.outT |= command.FromEnv
			}
			v = concat(v, a)
		}
	}
	if to {
		m.writeTo(handle, v)
		return unknown()
	}
	if how == "die" || how == "warn" {
		return unknown()
	}
	m.print(v, how == "puts" || how == "say" || m.l.is("python", "ruby"))
	return unknown()
}

// writeTo puts data into whatever a handle is.
func (m *machine) writeTo(h, data value) {
	switch h.ref {
	case refFile:
		m.write(h, data, 0)
	case refProc:
		if h.recv != nil {
			m.feed(*h.recv, data)
		}
	case refSock:
		m.net(lit(m.socket), data, 0)
	}
}

// feed gives data to a command that was started with its input open.
func (m *machine) feed(cmd, data value) {
	for _, w := range cmd.words() {
		m.effect(Effect{Kind: Shell, Arg: w, Data: data.stream()})
	}
}

// lookahead binds $_ for perl's "unlink $_ for glob('*')" before the statement is read.
func (p *parser) lookahead() {
	depth := 0
	for i := p.i; i < len(p.t) && i < p.i+200; i++ {
		t := p.t[i]
		if t.kind == tOp {
			switch t.text {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				depth--
			case ";":
				if depth == 0 {
					return
				}
			}
			if depth < 0 {
				return
			}
		}
		if i > p.i && depth == 0 && t.kind == tName && (t.text == "for" || t.text == "foreach") {
			sub := &parser{m: p.m, t: p.t, i: i + 1, level: p.level + 1}
			args, _ := sub.arguments("")
			p.m.set("$_", listOf(args).each())
			return
		}
	}
}

// forLoop reads for x in y, for (x of y), foreach (y as x), foreach my $x (y), for k,v in
// pairs(t), and passes over for (;;).
func (p *parser) forLoop() {
	m := p.m
	switch m.l.name {
	case "python", "ruby", "julia":
		p.forIn()
		return
	case "lua":
		p.forIn()
		return
	case "perl":
		for p.name("my", "our") {
			p.i++
		}
		name := "$_"
		if p.peek().kind == tName {
			name = p.peek().text
			p.i++
		}
		if !p.op("(") {
			return
		}
		p.i++
		if p.op(";") {
			m.endless = true
			m.bomb()
		}
		args, _ := p.arguments(")")
		m.set(name, listOf(args).each())
		return
	}
	if p.name("await") {
		p.i++
	}
	if !p.op("(") {
		return
	}
	end := p.match(p.i)
	if p.at(1).kind == tOp && p.at(1).text == ";" && p.at(2).kind == tOp && p.at(2).text == ";" {
		m.endless = true
		m.bomb()
	}
	inner := &parser{m: m, t: p.cut(p.i+1, end), level: p.level + 1}
	p.i = min(end+1, len(p.t))
	depth := 0
	kind := ""
	at := 0
	for i, t := range inner.t {
		if t.kind == tOp && (t.text == "(" || t.text == "[" || t.text == "{") {
			depth++
		}
		if t.kind == tOp && (t.text == ")" || t.text == "]" || t.text == "}") {
			depth--
		}
		if depth == 0 && t.kind == tName && (t.text == "of" || t.text == "in" || t.text == "as") || depth == 0 && t.kind == tOp && t.text == ":" {
			kind, at = t.text, i
			break
		}
	}
	switch {
	case kind == "as":
		left := &parser{m: m, t: inner.t[:at], level: p.level + 1}
		it := left.expression(0)
		var names []string
		for _, t := range inner.t[at:] {
			if strings.HasPrefix(t.text, "$") {
				names = append(names, t.text)
			}
		}
		if len(names) > 0 {
			m.set(names[len(names)-1], it.each())
		}
	case kind != "":
		var names []string
		for _, t := range inner.t[:at] {
			if t.kind == tName && t.text != "const" && t.text != "let" && t.text != "var" && t.text != "def" {
				names = append(names, t.text)
			}
		}
		right := &parser{m: m, t: inner.t[at+1:], level: p.level + 1}
		it := right.expression(0)
		m.bindNames(names, it)
	default:
		inner.statements()
	}
}

// with reads python's with open(x) as f, open(y) as g:
func (p *parser) with() {
	for p.i < len(p.t) {
		p.accept("(")
		v := p.expression(pTernary)
		if p.name("as") {
			p.i++
			if p.peek().kind == tName {
				p.m.set(p.peek().text, v)
				p.i++
			}
		}
		p.accept(")")
		if !p.accept(",") {
			return
		}
	}
}

// declare reads const x = ..., my ($a, $b) = @_, const {a: b} = require("fs").
func (p *parser) declare() value {
	m := p.m
	if p.name("function") && m.l.is("lua", "js") || p.name("def") {
		p.define()
		return value{}
	}
	if p.name("async", "default", "static", "final", "const") {
		p.i++
		return value{}
	}
	if (p.op("{") || p.op("[")) && m.l.is("js") {
		open := p.i
		end := p.match(open)
		pattern := p.cut(open+1, end)
		p.i = min(end+1, len(p.t))
		if !p.accept("=") {
			return value{}
		}
		v := p.expression(pTernary)
		m.destructure(pattern, v, p.t[open].text == "[")
		return v
	}
	if p.op("(") && m.l.is("perl") {
		end := p.match(p.i)
		var names []string
		for _, t := range p.cut(p.i, end) {
			if t.kind == tName {
				names = append(names, t.text)
			}
		}
		p.i = min(end+1, len(p.t))
		if p.accept("=") {
			v := p.expression(pTernary)
			for i, n := range names {
				if v.seq && i < len(v.list) {
					m.set(n, v.list[i])
				} else {
					m.set(n, value{taint: v.taint})
				}
			}
		}
		return value{}
	}
	if m.l.is("groovy") && p.peek().kind == tName && p.at(1).kind == tName {
		p.i++
	}
	var v value
	for {
		t := p.peek()
		v = p.expression(0)
		if m.l.is("js") && t.kind == tName && p.prev().text == t.text {
			m.set(t.text, unknown())
		}
		if !p.accept(",") {
			return v
		}
	}
}

func (m *machine) destructure(pattern []token, v value, array bool) {
	for i, k := 0, 0; i < len(pattern); i++ {
		t := pattern[i]
		if t.kind == tOp && t.text == "," {
			k++
		}
		if t.kind != tName {
			continue
		}
		name := t.text
		if array {
			x := value{taint: v.taint}
			if k < len(v.list) {
				x = v.list[k]
			}
			m.set(name, x)
			continue
		}
		if i+2 < len(pattern) && pattern[i+1].text == ":" && pattern[i+2].kind == tName {
			name = pattern[i+2].text
			i += 2
		}
		m.set(name, m.member(v, t.text))
		for i+1 < len(pattern) && pattern[i+1].text != "," {
			i++
		}
	}
}

// define reads a named function and keeps its body for when it is called.
func (p *parser) define() {
	m := p.m
	start := p.peek()
	if p.prev().kind == tName && p.prev().text == "async" {
		start = p.prev()
	}
	p.i++
	p.accept("*")
	name := p.peek().text
	p.i++
	for p.op(".") || p.op(":") || p.op("::") { // self.x, M.f
		p.i++
		name = p.peek().text
		p.i++
	}
	f := &function{}
	if p.op("(") {
		end := p.match(p.i)
		prev := "("
		for _, t := range p.cut(p.i+1, end) {
			if t.kind == tName && (prev == "(" || prev == "," || prev == "*" || strings.HasPrefix(t.text, "$")) && t.text != "self" {
				f.params = append(f.params, t.text)
			}
			if t.kind == tOp {
				prev = t.text
			} else {
				prev = "x"
			}
		}
		p.i = min(end+1, len(p.t))
	}
	switch m.l.name {
	case "python":
		p.pythonBody(f, start.col)
	case "ruby", "lua", "julia":
		p.endBody(f)
	default:
		for p.i < len(p.t) && !p.op("{") && p.peek().kind != tLine && !p.op(";") {
			p.i++
		}
		p.body(f)
	}
	m.define(name, f)
	m.define("."+name, f)
	if name == "__reduce__" { // pickled objects run what it returns
		m.apply(f, nil)
	}
}

// pythonBody takes the lines indented deeper than the def, or the rest of its line.
func (p *parser) pythonBody(f *function, col int) {
	depth := 0
	for p.i < len(p.t) && !(p.op(":") && depth == 0) && p.peek().kind != tLine {
		if p.op("[") || p.op("{") {
			depth++
		}
		if p.op("]") || p.op("}") {
			depth--
		}
		p.i++
	}
	p.accept(":")
	start := p.i
	oneLine := p.peek().kind != tLine
	for ; p.i < len(p.t); p.i++ {
		t := p.t[p.i]
		if oneLine && t.kind == tLine {
			break
		}
		if !oneLine && t.first && t.kind != tLine && t.col <= col {
			break
		}
	}
	f.toks = p.cut(start, p.i)
}

// endBody takes everything up to the end that closes a def or function.
func (p *parser) endBody(f *function) {
	start := p.i
	if p.m.l.is("ruby") && p.op("=") { // def f = expr
		p.i++
		start = p.i
		for p.i < len(p.t) && p.peek().kind != tLine {
			p.i++
		}
		f.toks = p.cut(start, p.i)
		return
	}
	depth := 1
	for ; p.i < len(p.t); p.i++ {
		t := p.t[p.i]
		if t.kind != tName {
			continue
		}
		lead := t.first || p.prev().kind == tOp && (p.prev().text == ";" || p.prev().text == "=")
		switch t.text {
		case "do", "function", "repeat":
			depth++
		case "def", "class", "module", "begin", "case":
			depth++
		case "if":
			if lead || p.m.l.is("lua", "julia") {
				depth++
			}
		case "while", "until", "for", "unless":
			if lead && p.m.l.is("ruby", "julia") {
				depth++
				if p.m.l.is("ruby") && t.text != "unless" { // their do is optional
					for j := p.i; j < len(p.t) && p.t[j].kind != tLine && p.t[j].text != ";"; j++ {
						if p.t[j].kind == tName && p.t[j].text == "do" {
							depth--
							break
						}
					}
				}
			}
		case "end":
			depth--
		}
		if depth == 0 {
			break
		}
	}
	f.toks = p.cut(start, p.i)
	if p.i < len(p.t) {
		p.i++
	}
}

// imports reads the import statements of all languages.
func (p *parser) imports(t token) (value, bool) {
	m := p.m
	switch m.l.name {
	case "python":
		p.i++
		if t.text == "from" {
			mod := p.dotted()
			if !p.name("import") {
				return value{}, true
			}
			p.i++
			p.accept("(")
			for p.i < len(p.t) {
				p.newlines()
				n := p.peek()
				if n.kind == tOp && n.text == "*" {
					p.i++
					p.star(mod)
					break
				}
				if n.kind != tName {
					break
				}
				p.i++
				as := n.text
				if p.name("as") {
					p.i++
					as = p.peek().text
					p.i++
				}
				m.set(as, m.member(value{ref: m.canonical(mod)}, n.text))
				if !p.accept(",") {
					break
				}
			}
			p.accept(")")
			return value{}, true
		}
		for p.i < len(p.t) {
			mod := p.dotted()
			if mod == "" {
				break
			}
			if p.name("as") {
				p.i++
				m.set(p.peek().text, value{ref: m.canonical(mod)})
				p.i++
			}
			if !p.accept(",") {
				break
			}
		}
		return value{}, true
	case "js":
		if t.text != "import" || p.at(1).kind == tOp && p.at(1).text == "(" {
			return value{}, false
		}
		p.i++
		start := p.i
		for p.i < len(p.t) && p.peek().kind != tString && !p.op(";") {
			p.i++
		}
		mod := jsModule(p.string(p.peek()).text())
		toks := p.cut(start, p.i)
		p.i++
		v := value{ref: mod}
		for i := 0; i < len(toks); i++ {
			t := toks[i]
			switch {
			case t.kind == tOp && t.text == "*" && i+2 < len(toks):
				m.set(toks[i+2].text, v)
				i += 2
			case t.kind == tOp && t.text == "{":
				j := i + 1
				for j < len(toks) && toks[j].text != "}" {
					if toks[j].kind == tName {
						name := toks[j].text
						if j+2 < len(toks) && toks[j+1].text == "as" {
							m.set(toks[j+2].text, m.member(v, name))
							j += 3
							continue
						}
						m.set(name, m.member(v, name))
					}
					j++
				}
				i = j
			case t.kind == tName && t.text != "from" && t.text != "type":
				m.set(t.text, v)
			}
		}
		return value{}, true
	case "perl":
		if t.text == "use" || t.text == "require" && p.at(1).kind == tName {
			for p.i < len(p.t) && !p.op(";") && p.peek().kind != tLine {
				p.i++
			}
			return value{}, true
		}
	case "php":
		if t.text == "use" {
			for p.i < len(p.t) && !p.op(";") {
				p.i++
			}
			return value{}, true
		}
		p.i++
		v := p.expression(0)
		m.source(v)
		return value{}, true
	case "groovy":
		if t.text == "import" {
			for p.i < len(p.t) && !p.op(";") && p.peek().kind != tLine {
				p.i++
			}
			return value{}, true
		}
	}
	return value{}, false
}

// newlines passes the ends of lines within a list of names.
func (p *parser) newlines() {
	for p.peek().kind == tLine && p.prev().kind == tOp {
		p.i++
	}
}

// star binds what matters of from os import *.
func (p *parser) star(mod string) {
	for _, n := range []string{"system", "popen", "remove", "unlink", "rmdir", "removedirs", "execv", "execvp", "execl", "execlp", "fork", "environ", "rmtree", "run", "call", "check_output", "check_call", "Popen", "Path", "kill", "rename", "truncate"} {
		if _, ok := p.m.vars[n]; !ok {
			p.m.set(n, p.m.member(value{ref: mod}, n))
		}
	}
}

func (p *parser) dotted() string {
	var b strings.Builder
	for p.i < len(p.t) {
		t := p.peek()
		if t.kind == tName && t.text != "import" && t.text != "as" {
			b.WriteString(t.text)
			p.i++
		} else if t.kind == tOp && t.text == "." {
			b.WriteByte('.')
			p.i++
			continue
		} else {
			break
		}
		if !p.op(".") {
			break
		}
	}
	return b.String()
}

// source runs a file of the program's own language.
func (m *machine) source(v value) {
	if v.ref == refNet || v.taint&command.FromNetwork != 0 || strings.Contains(v.text(), "://") {
		m.effect(Effect{Kind: Eval, Arg: command.Word{Text: v.text(), Taint: v.taint | command.FromNetwork}})
		return
	}
	s := m.effect(Effect{Kind: Source, Arg: v.word()})
	if s.Seen && s.Taint&(command.FromNetwork|command.FromDecoder) == 0 && s.Text != "" {
		m.program(s.Text)
	} else if s.Taint != 0 {
		m.eval(fromStream(s))
	}
}

// ident reads a name that starts an expression.
func (p *parser) ident(t token) (value, string) {
	m, l := p.m, p.m.l
	n := p.peek()
	switch t.text {
	case "None", "null", "nil", "undefined", "undef", "NULL":
		return unknown(), ""
	case "True", "true", "TRUE":
		return value{alts: []string{"1"}, ref: "True"}, ""
	case "False", "false", "FALSE":
		return value{alts: []string{"0"}, ref: "False"}, ""
	case "lambda":
		if l.is("python") {
			f := &function{expr: true}
			for p.i < len(p.t) && !p.op(":") && p.peek().kind != tLine {
				if p.peek().kind == tName {
					f.params = append(f.params, p.peek().text)
				}
				p.i++
			}
			p.accept(":")
			p.body(f)
			return value{fn: f}, ""
		}
	case "function", "sub", "fn", "fun":
		if (n.kind == tOp && (n.text == "(" || n.text == "{" || n.text == "*")) || n.kind == tName && l.is("js") {
			return p.anonymous(), ""
		}
	case "async":
		if n.kind == tName && n.text == "function" {
			p.i++
			return p.anonymous(), ""
		}
		if n.kind == tOp && n.text == "(" {
			return unknown(), ""
		}
	case "my", "our", "local":
		if l.is("perl") {
			if p.op("(") {
				return p.declare(), ""
			}
			if n.kind == tName {
				p.i++
				return unknown(), n.text
			}
		}
	case "map", "grep", "sort", "first", "any", "all":
		if l.is("perl") && n.kind == tOp && n.text == "{" {
			end := p.match(p.i)
			rest := &parser{m: m, t: p.t, i: min(end+1, len(p.t)), level: p.level + 1}
			args, _ := rest.arguments("")
			list := listOf(args)
			m.set("$_", list.each())
			body := &parser{m: m, t: p.cut(p.i+1, end), level: p.level + 1}
			v := body.statements()
			p.i = max(rest.i, p.i+1)
			if t.text == "map" {
				return listOf([]value{v}), ""
			}
			return list, ""
		}
	case "do":
		if n.kind == tOp && n.text == "{" {
			p.i++
			end := p.match(p.i - 1)
			body := &parser{m: m, t: p.cut(p.i, end), level: p.level + 1}
			v := body.statements()
			p.i = min(end+1, len(p.t))
			return v, ""
		}
	case "eval":
		if l.is("perl", "ruby") && n.kind == tOp && n.text == "{" {
			return unknown(), ""
		}
	case "fork":
		if l.is("perl", "ruby") && !(n.kind == tOp && n.text == "(") {
			return m.fork(), ""
		}
	case "unlink", "rmdir", "shift":
		// Without arguments perl takes $_ or @_.
		if l.is("perl") && (n.kind == tEnd || n.kind == tLine || n.kind == tOp && (n.text == ";" || n.text == "}") || n.kind == tName && p.wordOperator(n)) {
			return m.call(m.global(t.text), nil, value{}), ""
		}
	}
	if v, ok := m.vars[t.text]; ok {
		if v.isNil() {
			v.ref = ""
		}
		return v, t.text
	}
	if f, ok := m.funcs[t.text]; ok {
		f.called = f.called || !(n.kind == tOp && n.text == "(")
		return value{fn: f}, t.text
	}
	v := m.global(t.text)
	return v, t.text
}

func (p *parser) anonymous() value {
	f := &function{}
	for p.peek().kind == tName || p.op("*") {
		p.i++
	}
	if p.op("(") {
		end := p.match(p.i)
		for _, t := range p.cut(p.i, end) {
			if t.kind == tName {
				f.params = append(f.params, t.text)
			}
		}
		p.i = min(end+1, len(p.t))
	}
	if p.m.l.is("lua", "julia") {
		p.endBody(f)
		return value{fn: f}
	}
	if p.name("use") { // php closures
		p.i++
		if p.op("(") {
			p.i = min(p.match(p.i)+1, len(p.t))
		}
	}
	if !p.accept("=>") {
		for p.i < len(p.t) && !p.op("{") && p.peek().kind != tLine && !p.op(")") {
			p.i++
		}
	}
	p.body(f)
	return value{fn: f}
}

// global is what a name means that the program did not define.
func (m *machine) global(name string) value {
	switch m.l.name {
	case "perl":
		switch name {
		case "$ENV":
			return value{ref: refEnv}
		case "$ARGV", "$_args":
			return value{ref: refArgs}
		case "STDIN":
			return value{ref: refIn}
		case "$0":
			return unknown()
		}
	case "ruby":
		switch name {
		case "ENV":
			return value{ref: refEnv}
		case "ARGV":
			return value{ref: refArgs}
		case "STDIN", "$stdin", "ARGF":
			return value{ref: refIn}
		}
	case "php":
		switch name {
		case "$_ENV", "$_SERVER":
			return value{ref: refEnv}
		case "$argv":
			return value{ref: refArgs}
		case "STDIN":
			return lit("php://stdin")
		case "DIRECTORY_SEPARATOR":
			return lit("/")
		}
		if !strings.HasPrefix(name, "$") {
			return value{ref: strings.ToLower(name)} // PHP's functions have no case
		}
		return unknown()
	case "awk":
		switch name {
		case "ENVIRON":
			return value{ref: refEnv}
		case "ARGV":
			return value{ref: refArgs}
		}
	case "lua":
		if name == "arg" {
			return value{ref: refArgs}
		}
	case "groovy":
		if name == "args" {
			return value{ref: refArgs}
		}
	case "js":
		if name == "Deno" || name == "process" {
			return value{ref: name}
		}
	}
	if strings.HasPrefix(name, "$") || strings.HasPrefix(name, "@") {
		return unknown()
	}
	return value{ref: m.canonical(name)}
}

// assigned remembers values put into members: self.cmd = "rm -rf ~".
func (m *machine) assigned(left, right value) {
	if strings.Contains(left.ref, ".") && !strings.HasPrefix(left.ref, ".") {
		m.set(left.ref, right)
	}
}
