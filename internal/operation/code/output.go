package code

import (
	"strings"

	"github.com/umpire-dev/umpire/internal/operation/command"
)

// printing reads print LIST, with Perl's optional file handle.
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
		} else if h, n := p.peek(), p.at(1); h.kind == tName && n.kind != tOp && n.kind != tLine && n.kind != tEnd && (strings.HasPrefix(h.text, "$") || strings.ToUpper(h.text) == h.text) && !n.wordOperator() {
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

// wordOperator reports whether a word is an operator, or a condition or loop after a statement.
func (t token) wordOperator() bool {
	return t.name("if", "unless", "for", "foreach", "while", "x", "eq", "ne", "and", "or", "cmp", "lt", "gt")
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

// writeTo writes data to the target of a handle.
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

// feed sends data to a command that runs with its input open.
func (m *machine) feed(cmd, data value) {
	for _, w := range cmd.words() {
		m.effect(Effect{Kind: Shell, Arg: w, Data: data.stream()})
	}
}
