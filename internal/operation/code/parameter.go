package code

import "strings"

// parameter is a parameter of a function in the program.
type parameter struct {
	name    string
	rest    string  // "*" takes the remaining arguments, "**" those that are passed by name
	pattern []token // in JavaScript, the tokens between the brackets of ({cmd}) or ([a, b]); rest is the opening bracket
	other   []token // the default value
	shared  bool    // in PHP: f(&$x) changes the argument
}

// spread is the key of an argument that stands for unknown arguments: f(*x), f(**x).
const spread = "*"

// parameters reads the parameters of a function, between their brackets.
func (p *parser) parameters(t []token) (out []parameter) {
	for len(t) > 0 {
		n := until(t, ",")
		if x, ok := p.parameter(t[:n]); ok {
			out = append(out, x)
		}
		t = t[min(n+1, len(t)):]
	}
	return out
}

// until returns the index of the first of these operators outside all brackets, or len(t).
func until(t []token, ops ...string) int {
	depth := 0
	for i, x := range t {
		if depth += x.nesting(); depth == 0 && x.op(ops...) {
			return i
		}
	}
	return len(t)
}

func (p *parser) parameter(t []token) (x parameter, ok bool) {
	for len(t) > 0 && (t[0].kind == tLine || t[0].kind == tOp && strings.Contains(" * ** ... & @ \\ ", " "+t[0].text+" ")) {
		switch t[0].text {
		case "*", "...":
			x.rest = "*"
		case "**":
			x.rest = "**"
		case "&":
			x.shared = p.m.l.is("php")
		}
		t = t[1:]
	}
	at := until(t, "=")
	if at < len(t) {
		x.other = t[at+1:]
	}
	if len(t) > 0 && t[0].op("{", "[") {
		sub := &parser{m: p.m, t: t}
		x.rest, x.pattern = t[0].text, sub.cut(1, sub.match(0))
		return x, p.m.l.is("js")
	}
	if n := until(t, ":", "::"); n < at {
		if p.m.l.is("ruby") && n+1 < len(t) { // f(cmd: "ls")
			x.other = t[n+1:]
		}
		at = n
	}
	for _, name := range t[:at] { // the last name, after its type
		if name.kind == tName {
			x.name = name.text
			if name.sigil == '@' {
				x.rest = "*"
			}
			if p.m.l.is("go") {
				break
			}
		}
	}
	return x, x.name != "" && x.name != "self" && x.name != "cls"
}

// bind returns the values of a function's parameters.
func (m *machine) bind(f *function, args []value, kw value) []value {
	out := make([]value, len(f.params))
	_, more := kw.get(spread)
	next := 0
	for i, x := range f.params {
		v, named := kw.get(strings.TrimPrefix(x.name, "$"))
		switch {
		case x.rest == "**":
			out[i] = kw
			if more || kw.keys == nil {
				out[i] = unknown()
			}
		case x.rest == "*":
			out[i] = listOf(args[next:])
			if more || kw.keys == nil && next == len(args) {
				out[i] = unknown()
			}
			next = len(args)
		case named && !m.l.is("js", "lua", "groovy"): // in these languages, an object is one argument
			out[i] = v
		case next < len(args):
			out[i] = args[next]
			next++
		case x.other != nil && kw.keys != nil && !more:
			out[i] = (&parser{m: m, t: x.other}).expression(0)
		}
	}
	return out
}
