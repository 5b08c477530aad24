package code

import (
	"strings"

	"github.com/umpire-dev/umpire/internal/operation/command"
)

// imports reads the import statements of all languages.
func (p *parser) imports(t token) (value, bool) {
	m := p.m
	switch m.l.name {
	case "python":
		return p.importsPython(t)
	case "js":
		return p.importsModule(t)
	case "perl", "groovy":
		if t.text == "import" && m.l.is("groovy") || m.l.is("perl") && (t.text == "use" || t.text == "require" && p.at(1).kind == tName) {
			p.skipTo(";")
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
	}
	return value{}, false
}

// importsModule reads import x, * as y, {z} from "module".
func (p *parser) importsModule(t token) (value, bool) {
	m := p.m
	if t.text != "import" || p.at(1).op("(") {
		return value{}, false
	}
	p.i++
	start := p.i
	for p.i < len(p.t) && p.peek().kind != tString && !p.op(";") {
		p.i++
	}
	name := p.string(p.peek()).text()
	mod := jsModule(name)
	toks := p.cut(start, p.i)
	p.i++
	if command.CodeAddress(name) {
		m.effect(Effect{Kind: Import, Arg: command.Lit(name)})
	}
	v := value{ref: mod}
	if file, ok := m.load(mod); ok && strings.HasPrefix(mod, ".") {
		v = file
	}
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		switch {
		case t.op("*") && i+2 < len(toks):
			m.set(toks[i+2].text, v)
			i += 2
		case t.op("{"):
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
}

// importsPython reads import and from. An import of x as y binds y.
func (p *parser) importsPython(t token) (value, bool) {
	m := p.m
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
			if n.op("*") {
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
			m.set(as, m.importFrom(mod, n.text))
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
		v, own := m.load(mod)
		if !own {
			v = value{ref: m.canonical(mod)}
		}
		if p.name("as") {
			p.i++
			m.set(p.peek().text, v)
			p.i++
		} else if _, bound := m.vars[mod]; own || bound && m.libraryModule(mod) { // again, after from x import *
			m.set(mod, v)
		}
		if !p.accept(",") {
			break
		}
	}
	return value{}, true
}

// star binds the known names in from os import *.
func (p *parser) star(mod string) {
	if v, ok := p.m.load(mod); ok {
		for _, n := range v.module.exports() {
			if x, ok := v.module.exported(v, n); ok {
				p.m.set(n, x)
			}
		}
		return
	}
	for _, n := range []string{"system", "popen", "remove", "unlink", "rmdir", "removedirs", "execv", "execvp", "execl", "execlp", "fork", "environ", "rmtree", "run", "call", "check_output", "check_call", "Popen", "Path", "kill", "rename", "truncate"} {
		if _, ok := p.m.vars[n]; !ok {
			p.m.set(n, p.m.member(value{ref: mod}, n))
		}
	}
}

// dotted reads the name of a module.
func (p *parser) dotted() string {
	var b strings.Builder
	for ; p.op(".", "..", "...") || p.peek().kind == tName && !p.name("import", "as") && (b.Len() == 0 || p.prev().op(".", "..", "...")); p.i++ {
		b.WriteString(p.peek().text)
	}
	return b.String()
}

// source runs a file of the program's own language.
func (m *machine) source(v value) {
	if m.l.expands {
		v = m.path(v)
	}
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
