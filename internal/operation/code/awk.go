package code

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// awkStatement reads print with its redirections, getline and everything else.
func (p *parser) awkStatement() value {
	m := p.m
	t := p.peek()
	if t.kind == tName {
		switch t.text {
		case "function", "func":
			if p.at(1).kind == tName {
				p.define()
				return value{}
			}
		case "BEGIN", "END", "else", "do":
			p.enterBranch(false)
			p.i++
			return value{}
		case "if", "while", "switch":
			p.enterBranch(t.text == "switch")
			p.i++
			p.loopOn()
			return value{}
		case "for":
			p.loop()
			p.i++
			p.forLoop()
			return value{}
		case "print", "printf":
			p.i++
			paren := p.op("(")
			var args []value
			if paren {
				p.i++
				args, _ = p.arguments(")")
			}
			if !paren || p.op(",") {
				p.accept(",")
				args = append(args, p.awkList()...)
			} else if paren && p.juxtaposed(p.peek()) {
				args = append(args, p.expression(0))
			}
			var v value
			if t.text == "printf" && len(args) > 0 {
				v = format(args[0], args[1:])
			} else {
				v = joinedText(args, " ")
				if len(args) == 0 {
					v = value{taint: m.inTaint}
				}
			}
			p.awkOutput(v, t.text == "print")
			return value{}
		case "getline":
			p.i++
			p.getline()
			return value{}
		case "delete", "next", "exit", "return":
			p.i++
			return value{}
		}
	}
	return p.expression(0)
}

// fromCommand reads cmd | getline x. The parser is at the bar.
func (p *parser) fromCommand(cmd value) value {
	m := p.m
	p.i += 2
	out := m.awkCommand(cmd, value{})
	if t := p.peek(); t.kind == tName {
		m.set(t.text, out)
		p.i++
	}
	m.inTaint |= out.taint
	return out
}

func (p *parser) awkList() (args []value) {
	for p.i < len(p.t) {
		at := p.i
		args = append(args, p.expression(0))
		if !p.accept(",") || p.i == at {
			break
		}
	}
	if len(args) == 1 && args[0].isNil() {
		return nil
	}
	return args
}

// awkCommand runs a command that awk pipes to or from; /inet/tcp/0/host/port is a connection
// instead.
func (m *machine) awkCommand(cmd, data value) value {
	if host, port, ok := inet(cmd.text()); ok {
		return m.connect(listOf([]value{lit(host), lit(port)}))
	}
	if cmd.ref == refSock || m.socket != "" && !cmd.known() && cmd.taint&command.FromNetwork != 0 {
		m.effect(Effect{Kind: ReverseShell, Arg: command.Lit(m.socket)})
	}
	return m.shell(cmd, data)
}

func (p *parser) awkOutput(v value, line bool) {
	m := p.m
	switch {
	case p.op(">", ">>"):
		t := umpire.Truncate
		if p.op(">>") {
			t = umpire.Append
		}
		p.i++
		to := p.expression(pAdd)
		if s := to.text(); s != "/dev/stderr" && s != "/dev/stdout" {
			m.write(to, v, t)
		}
	case p.op("|", "|&"):
		p.i++
		cmd := p.expression(pAdd)
		if !m.env.Stdin.Seen && (v.isNil() || v.text() == umpire.Hole) { // a line of an unseen input
			v = value{ref: refText, taint: v.taint}
		}
		m.awkCommand(cmd, v)
	default:
		m.print(v, line)
	}
}

// getline reads getline, getline x, getline < file and getline x < file.
func (p *parser) getline() {
	m := p.m
	name := ""
	if p.peek().kind == tName {
		name = p.peek().text
		p.i++
	}
	v := value{taint: m.inTaint}
	if p.accept("<") {
		v = m.read(p.expression(pAdd))
		m.inTaint |= v.taint
	}
	if name != "" {
		m.set(name, v)
	}
}

// inet returns the address in a special file of awk, such as /inet/tcp/0/host/port.
func inet(s string) (host, port string, ok bool) {
	if parts := strings.Split(s, "/"); len(parts) == 6 && anyof.Equal(parts[1], "inet", "inet4", "inet6") {
		return parts[4], parts[5], true
	}
	return "", "", false
}

// awkCalls are awk's functions.
var awkCalls = table{rows: []row{
	{"system", awkSystem, "0", "", 0},
	{"sprintf", textSprintf, "0", "1..", 0},
	{"tolower toupper", callsText, "", "", 0},
	{"substr", awkSubstr, "0", "1", 0},
	{"gsub sub split length index match close fflush strftime systime int rand srand gensub", awkInput, "", "", 0},
}}

func awkSystem(m *machine, c *call, r *row) (value, bool) {
	return m.awkCommand(c.get(r.first), value{}), true
}

// awkSubstr returns a part of a text. It counts from one, unlike other languages.
func awkSubstr(m *machine, c *call, r *row) (value, bool) {
	n, err := atoi(c.get(r.second).text())
	if err != nil {
		return awkInput(m, c, r)
	}
	return m.text(&call{ref: c.ref, args: append([]value{c.args[0], number(n - 1)}, c.args[2:]...)})
}

// awkInput returns text from the input: its origin is known, but its content is not.
func awkInput(m *machine, _ *call, _ *row) (value, bool) { return value{taint: m.inTaint}, true }
