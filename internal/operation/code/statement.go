package code

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
)

// statement reads one statement. Branches of conditions and bodies of loops count as taken, because
// they may be.
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
		if p.javaMethod() {
			return value{}
		}
	}
	v := p.expression(0)
	if p.op(",") && m.l.is("python", "ruby", "perl", "lua") { // a, b = x, y
		return p.multiple(v)
	}
	if p.peek().name("while", "until") && m.l.is("perl", "ruby") {
		p.i++
		p.loopOn()
	}
	return v
}

// multiple reads the rest of a tuple on the left side of an assignment.
func (p *parser) multiple(first value) value {
	names := []string{""}
	if p.prev().kind == tName {
		names[0] = p.prev().text
	}
	vs := []value{first}
	for p.accept(",") {
		name := ""
		if t := p.peek(); t.kind == tName && p.at(1).op(",", "=") {
			name = t.text
		}
		names, vs = append(names, name), append(vs, p.expression(pTernary))
	}
	if p.accept("=") {
		right := []value{p.expression(pTernary)}
		for p.accept(",") {
			right = append(right, p.expression(pTernary))
		}
		lists := [][]value{right}
		if len(right) == 1 {
			lists = nil
			for _, x := range right[0].possible() {
				lists = append(lists, x.list)
			}
		}
		for i, n := range names {
			v := unknown()
			for _, list := range lists {
				v = either(v, at(list, i))
			}
			if v.isNil() {
				v.taint = listOf(right).taint
			}
			if n != "" && (len(lists) > 1 || len(right) == 1 || i < len(right)) {
				p.m.set(n, v)
			}
		}
	}
	return listOf(vs)
}

// loopOn reads the condition of a loop, and records a loop that is endless or forks.
func (p *parser) loopOn() {
	start := p.i
	cond := p.condition()
	endless := cond.truthy()
	for _, t := range p.cut(start, p.i) {
		endless = endless || t.name("fork")
	}
	if endless {
		p.m.endless = true
		p.m.bomb()
	}
}

// keyword reads a statement that begins with a keyword.
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
		return p.definition(t, n)
	case "async":
		p.i++
		return value{}, true
	case "class", "module", "interface", "package", "namespace":
		if t.text == "class" && l.is("python", "js") && len(m.classes) < maxList {
			m.class, m.classes = n.text, append(m.classes, n.text)
		}
		if l.is("python") {
			p.enterPart(aClass, p.indented(), false)
		} else if t.text == "class" && l.is("js") {
			p.branches = class
		}
		p.skipTo("{", ":", ";")
		return value{}, true
	case "const", "let", "var", "my", "our", "local", "state", "static", "global", "val", "export", "public", "private", "nonlocal":
		shared := anyof.Equal(t.text, "global", "nonlocal")
		if l.is("python") && !shared {
			return value{}, false
		}
		p.i++
		if shared && l.is("python", "php", "julia") {
			p.outer()
			return value{}, true
		}
		if t.text == "static" && l.is("js") && p.op("{") { // runs when the class is defined
			return value{}, true
		}
		return p.declare(), true
	case "for", "foreach":
		p.loop()
		p.i++
		p.forLoop()
		return value{}, true
	case "while", "until":
		p.enterBranch(false)
		p.i++
		p.loopOn()
		return value{}, true
	case "loop":
		if l.is("ruby") {
			p.rest()
			m.endless = true
			m.bomb()
			p.i++
			return value{}, true
		}
	case "if", "elif", "elsif", "elseif", "unless", "switch", "case", "when", "assert":
		if l.is("php") && t.text == "assert" { // a function that evaluates text
			return value{}, false
		}
		if t.text != "case" || l.is("python") { // elsewhere, it is a part of the branch
			p.enterBranch(t.text == "switch")
		}
		p.i++
		p.condition()
		return value{}, true
	case "else", "try", "finally", "begin", "do", "then", "end", "rescue", "ensure", "except", "catch", "pass", "BEGIN", "END", "repeat", "fi", "raise", "throw", "match", "in":
		return p.branch(t, n)
	case "with":
		if l.is("python") {
			p.enterBranch(true)
			p.i++
			p.with()
			return value{}, true
		}
	case "return":
		return p.returns(), true
	case "del":
		if l.is("python") {
			p.i++
			p.expression(0)
			p.m.forget(p.spot.name)
			return value{}, true
		}
	case "print", "echo", "puts", "say", "p", "pp", "printf", "die", "warn", "cat":
		if l.is("python") && n.kind != tString || n.op("(") && !l.is("perl") {
			return value{}, false
		}
		if l.is("perl", "php", "ruby", "python") {
			return p.printing(t), true
		}
	}
	return value{}, false
}

// returns reads the value that a function returns. Each return is possible.
func (p *parser) returns() value {
	p.i++
	if k := p.peek(); k.kind == tLine || k.kind == tEnd || p.op(";", "}") {
		return value{}
	}
	v := p.expression(0)
	if p.returned == nil {
		p.returned = &v
	} else {
		w := either(*p.returned, v)
		p.returned = &w
	}
	return v
}

// branch reads a word that begins a part of a statement. Both parts of an if run, one after the
// other.
func (p *parser) branch(t, n token) (value, bool) {
	if p.m.l.is("perl") && t.text == "do" && n.kind == tString {
		return value{}, false
	}
	if p.m.l.is("php") && t.text == "do" || t.text == "match" && !p.m.l.is("python") {
		return value{}, false
	}
	if anyof.Equal(t.text, "else", "try", "finally", "begin", "do", "rescue", "ensure", "except", "catch", "repeat", "match") {
		p.enterBranch(t.text == "try")
	}
	p.i++
	if (t.text == "except" || t.text == "rescue" || t.text == "catch") && !p.op("{") {
		p.skipTo(":", "{", ";", "=>")
	}
	return value{}, true
}

// definition reads the definition of a function, and in some languages of a variable.
func (p *parser) definition(t, n token) (value, bool) {
	if p.m.l.is("groovy") && t.text == "def" && n.kind == tName && !(p.at(2).op("(")) { // def x = ...
		p.i++
		return p.declare(), true
	}
	if n.kind == tName {
		p.define()
		return value{}, true
	}
	if t.text == "function" && n.op("*") {
		p.i++
		p.define()
		return value{}, true
	}
	return value{}, false
}

// statementParen reports whether a word with a bracket after it begins a statement, and no call.
func statementParen(s string) bool {
	return anyof.Equal(s, "for", "foreach", "while", "if", "elif", "elsif", "elseif", "unless", "until", "switch", "catch", "return", "const", "let", "var", "my", "our", "local", "else", "do", "try", "case", "when", "print", "echo", "puts", "say", "printf", "assert", "function", "sub", "del", "in")
}

// condition reads the condition of if and while, with or without parentheses.
func (p *parser) condition() value {
	if p.op("(") && p.m.l.is("js", "php", "perl", "groovy", "r", "awk") {
		p.i++
		return p.group()
	}
	return p.expression(0)
}

// lookahead binds $_ for Perl's "unlink $_ for glob('*')" before the statement is read.
func (p *parser) lookahead() {
	depth := 0
	for i := p.i; i < len(p.t) && i < p.i+200; i++ {
		t := p.t[i]
		if depth += t.nesting(); depth < 0 || depth == 0 && t.op(";") {
			return
		}
		if i > p.i && depth == 0 && t.name("for", "foreach") {
			sub := &parser{m: p.m, t: p.t, i: i + 1, level: p.level + 1}
			args, _ := sub.arguments("")
			p.m.give("$_", p.m.each(listOf(args), false))
			return
		}
	}
}

// forLoop reads for x in y, for (x of y), foreach (y as x), foreach my $x (y) and for k,v in
// pairs(t), and skips for (;;).
func (p *parser) forLoop() {
	m := p.m
	switch m.l.name {
	case "python", "ruby", "julia", "lua", "rust":
		p.forIn()
		return
	case "go":
		p.forRange()
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
		m.give(name, m.each(listOf(args), false))
		return
	}
	if p.name("await") {
		p.i++
	}
	if !p.op("(") {
		return
	}
	if p.at(1).op(";") && p.at(2).op(";") {
		m.endless = true
		m.bomb()
	}
	p.sub(p.bracketed()).forHead()
}

// forRange reads for i, x := range y, and skips other loops of Go.
func (p *parser) forRange() {
	var names []string
	for ; p.peek().kind == tName && !p.name("range") || p.op(",", ":=", "="); p.i++ {
		if p.peek().kind == tName {
			names = append(names, p.peek().text)
		}
	}
	if p.name("range") {
		p.i++
		if it := p.expression(pOr); len(names) > 0 {
			p.m.give(names[len(names)-1], it.each())
		}
	}
}

// forHead reads the head of a loop, between its brackets.
func (p *parser) forHead() {
	m := p.m
	depth := 0
	kind := ""
	at := 0
	for i, t := range p.t {
		if depth += t.nesting(); depth == 0 && (t.name("of", "in", "as") || t.op(":")) {
			kind, at = t.text, i
			break
		}
	}
	switch {
	case kind == "as":
		it := (&parser{m: m, t: p.t[:at], level: p.level}).expression(0)
		var names []string
		for _, t := range p.t[at:] {
			if strings.HasPrefix(t.text, "$") {
				names = append(names, t.text)
			}
		}
		if len(names) > 0 {
			m.give(names[len(names)-1], m.each(it, true))
		}
	case kind != "":
		var names []string
		for _, t := range p.t[:at] {
			if t.kind == tName && t.text != "const" && t.text != "let" && t.text != "var" && t.text != "def" {
				names = append(names, t.text)
			}
		}
		if kind == ":" && len(names) > 0 { // after its type
			names = names[len(names)-1:]
		}
		m.bindNames(names, (&parser{m: m, t: p.t[at+1:], level: p.level}).expression(0))
	default:
		p.statements()
	}
}

// with reads Python's with open(x) as f, open(y) as g:
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
	defer func(was bool) { m.declaring = was }(m.declaring)
	m.declaring = true
	if p.name("function") && m.l.is("lua", "js") || p.name("def") {
		p.define()
		return value{}
	}
	if p.name("default") && m.l.is("js") {
		return p.exportDefault()
	}
	if p.name("async", "default", "static", "final", "const") {
		p.i++
		return value{}
	}
	if (p.op("{", "[")) && m.l.is("js") {
		array := p.op("[")
		pattern := p.bracketed()
		if !p.accept("=") {
			return value{}
		}
		v := p.expression(pTernary)
		m.destructure(pattern, v, array)
		return v
	}
	if p.op("(") && m.l.is("perl") {
		names := slices.DeleteFunc(slices.Clone(p.bracketed()), func(t token) bool { return t.kind != tName })
		if p.accept("=") {
			v := p.expression(pTernary)
			for i, n := range names {
				switch {
				case v.seq && n.sigil == '@' && i <= len(v.list): // it takes all that is left
					m.set(n.text, listOf(v.list[i:]))
				case v.seq && i < len(v.list):
					m.set(n.text, v.list[i])
				case !v.seq && i == 0: // @_ of one argument
					m.set(n.text, v)
				default:
					m.set(n.text, value{taint: v.taint})
				}
			}
		}
		return value{}
	}
	if p.javaMethod() {
		return value{}
	}
	if m.l.is("groovy") && p.peek().kind == tName && p.at(1).kind == tName {
		p.i++
	}
	var v value
	for {
		t := p.peek()
		v = p.expression(0)
		if m.l.is("lua") && p.op(",") { // local a, b = x, y
			return p.multiple(v)
		}
		if m.l.is("js") && t.kind == tName && p.prev().text == t.text {
			m.set(t.text, unknown())
		}
		if !p.accept(",") {
			return v
		}
	}
}

// unpack follows an assignment to the list that ends at a token: [a, b] = [b, a].
func (p *parser) unpack(end int, v value) {
	depth := 0
	for i := min(end, len(p.t)-1); i >= 0 && p.m.step(); i-- {
		if depth -= p.t[i].nesting(); p.t[i].kind == tOp && depth == 0 {
			p.m.destructure(p.cut(i+1, end), v, p.t[i].text != "{")
			return
		}
	}
}

// destructure sets the variables in a pattern to the elements of v or, unless array is set, to its
// members. A pattern may hold others: a name that gets the value beside its own hides a target.
func (m *machine) destructure(pattern []token, v value, array bool) {
	p := &parser{m: m, t: pattern}
	for k := 0; p.i < len(p.t) && m.step(); k++ {
		rest := p.accept("...") || p.accept("*")
		start, value, end := p.i, p.i, -1
		for ; p.i < len(p.t) && !p.op(","); p.i++ {
			switch {
			case p.op(":") && value == start && !array:
				value = p.i + 1
			case p.op("=") && end < 0: // a default follows
				end = p.i
			case p.peek().nesting() > 0:
				p.i = p.match(p.i)
			}
		}
		target := p.cut(value, p.i)
		if end >= 0 {
			target = p.cut(value, end)
		}
		m.bindTarget(target, m.part(v, p.cut(start, value), target, k, array, rest))
		p.i++
	}
}

// part returns what the kth target of a pattern gets of v. key is what stands before its colon.
func (m *machine) part(v value, key, target []token, k int, array, rest bool) value {
	switch {
	case array && rest && v.seq:
		return listOf(v.list[min(k, len(v.list)):])
	case array && !rest && k < len(v.list):
		return v.list[k]
	case !array && rest:
		return v
	case array || len(target) == 0:
	case len(key) == 0:
		return m.member(v, target[0].text)
	case key[0].kind == tName:
		return m.member(v, key[0].text)
	case key[0].kind == tString && len(key[0].parts) == 1:
		return m.member(v, key[0].parts[0].text)
	}
	return value{taint: v.taint}
}

// bindTarget sets the names of one target of a pattern.
func (m *machine) bindTarget(target []token, v value) {
	if len(target) > 1 && target[0].op("[", "{") {
		m.destructure(target[1:len(target)-1], v, target[0].text == "[")
		return
	}
	for _, t := range target {
		if t.kind == tName {
			m.set(t.text, v)
		}
	}
}

// newlines skips the ends of lines within a list of names.
func (p *parser) newlines() {
	for p.peek().kind == tLine && p.prev().kind == tOp {
		p.i++
	}
}
