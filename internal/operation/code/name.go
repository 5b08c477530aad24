package code

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// ident reads a name that starts an expression.
func (p *parser) ident(t token) (value, string) {
	m, l := p.m, p.m.l
	if v, name, ok := p.keywordValue(t); ok {
		return v, name
	}
	if v, ok := m.vars[t.text]; ok {
		if v.isNil() {
			v.ref = ""
		}
		return v, t.text
	}
	name := t.text
	if l.is("perl") {
		name = strings.TrimPrefix(name, "$") // the lexer turns &name into $name
	}
	if f, ok := m.funcs[name]; ok {
		return value{fn: f}, t.text
	}
	if t.sigil == '&' {
		return m.global(name), ""
	}
	v := m.global(t.text)
	return v, t.text
}

// functionWord reports whether a word begins a function in a language. In other languages it is the
// name of a function: sub(/a/, "b") replaces text.
func functionWord(l *language, word string) bool {
	switch word {
	case "sub":
		return l.is("perl")
	case "fn":
		return l.is("php", "rust", "julia")
	case "fun":
		return l.is("groovy")
	}
	return !l.is("python", "ruby", "perl", "awk")
}

// tagged reports whether a template follows, possibly after options: `id`, ({cwd: "/srv"})`id`.
func (p *parser) tagged() bool {
	at := p.i
	if p.op("(") {
		at = p.match(at) + 1
	}
	return at < len(p.t) && p.t[at].kind == tString && !p.t[at].space
}

// keywordValue reads an expression that begins with a keyword. ok is false if t is a name.
func (p *parser) keywordValue(t token) (v value, name string, ok bool) {
	m, l := p.m, p.m.l
	n := p.peek()
	switch t.text {
	case "None", "null", "nil", "undefined", "undef", "NULL":
		return unknown(), "", true
	case "True", "true", "TRUE":
		return value{alts: []string{"1"}, ref: "True"}, "", true
	case "False", "false", "FALSE":
		return value{alts: []string{"0"}, ref: "False"}, "", true
	case "lambda":
		if l.is("python") {
			return value{fn: p.lambda()}, "", true
		}
	case "$":
		if _, own := m.vars["$"]; l.is("js") && !own && p.tagged() {
			return value{ref: "$"}, "", true
		}
	case "function", "sub", "fn", "fun":
		if n.op("(", "{", "*") && functionWord(l, t.text) || n.kind == tName && l.is("js") {
			return p.anonymous(), "", true
		}
	case "async":
		if n.name("function") {
			p.i++
			return p.anonymous(), "", true
		}
		if n.kind == tName && l.is("js") { // async x => ...
			p.i++
			v, name = p.ident(n)
			return v, name, true
		}
		if n.op("(") && l.is("js") { // async (x) => ...
			p.i++
			return p.group(), "", true
		}
	case "my", "our", "local":
		if l.is("perl") {
			if p.op("(") {
				return p.declare(), "", true
			}
			if n.kind == tName {
				p.i++
				m.declares(n.text, t.text != "our")
				return unknown(), n.text, true
			}
		}
	case "map", "grep", "sort", "first", "any", "all":
		if l.is("perl") && n.op("{") {
			return p.eachOf(t.text == "map"), "", true
		}
	case "do":
		if n.op("{") {
			return p.sub(p.bracketed()).statements(), "", true
		}
	case "eval":
		if l.is("perl", "ruby") && n.op("{") {
			p.enterBranch(true)
			return unknown(), "", true
		}
	case "fork":
		if l.is("perl", "ruby") && !(n.op("(")) {
			return m.fork(), "", true
		}
	case "unlink", "rmdir", "shift", "pop":
		// Without arguments, Perl takes $_ or @_.
		if l.is("perl") && (n.kind == tEnd || n.kind == tLine || n.kind == tOp && strings.Contains(";}),", n.text) || n.wordOperator()) {
			return m.call(m.global(t.text), nil, value{}), "", true
		}
	}
	return value{}, "", false
}

// lambda reads the parameters and the body of Python's lambda.
func (p *parser) lambda() *function {
	rest := p.t[min(p.i, len(p.t)):]
	n := until(rest, ":")
	f := &function{expr: true, params: p.parameters(rest[:n])}
	p.i += n + 1
	p.body(f)
	return f
}

// eachOf reads a block of Perl that runs for each element of a list. It returns the results of the
// block, or the list.
func (p *parser) eachOf(results bool) value {
	end := p.match(p.i)
	rest := &parser{m: p.m, t: p.t, i: min(end+1, len(p.t)), level: p.level + 1}
	args, _ := rest.arguments("")
	list := listOf(args)
	p.m.give("$_", p.m.each(list, false))
	v := p.sub(p.cut(p.i+1, end)).statements()
	p.i = max(rest.i, p.i+1)
	if results {
		return listOf([]value{v})
	}
	return list
}

// global returns the meaning of a name that the program did not define.
func (m *machine) global(name string) value {
	switch m.l.name + " " + name {
	case "perl $ENV", "ruby ENV", "php $_ENV", "php $_SERVER", "awk ENVIRON":
		return value{ref: refEnv}
	case "perl $ARGV", "perl $_args", "ruby ARGV", "php $argv", "awk ARGV", "lua arg", "groovy args":
		return m.arguments()
	case "perl STDIN", "ruby STDIN", "ruby $stdin", "ruby ARGF", "php STDIN":
		return m.input()
	case "perl $_", "ruby $_", "ruby gets": // $_ is that of -n
		if m.listed {
			return m.line()
		}
	case "php DIRECTORY_SEPARATOR":
		return lit("/")
	}
	if strings.HasPrefix(name, "$") || strings.HasPrefix(name, "@") {
		return unknown()
	}
	if m.l.is("php") { // names of its functions ignore case
		return value{ref: strings.ToLower(name)}
	}
	return value{ref: m.canonical(name)}
}

// assigned remembers values of members: self.cmd = "rm -rf ~". In Groovy, such an assignment may
// write a file.
func (m *machine) assigned(left, right value) {
	if left.recv != nil && left.recv.ref == refEnv && len(left.recv.alts) > 0 {
		m.setenv(left.recv.text(), right)
		return
	}
	if left.ref == refEnv { // %ENV = (...)
		m.setenvs(right)
	}
	if left.ref == refPath+".text" || left.ref == refPath+".bytes" {
		m.write(recvOf(left), right, umpire.Truncate)
		return
	}
	if strings.Contains(left.ref, ".") && !strings.HasPrefix(left.ref, ".") {
		m.set(left.ref, right)
	}
}
