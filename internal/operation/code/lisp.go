package code

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// lisp reads Emacs Lisp. It evaluates inner lists before outer ones, as Emacs does.
func (m *machine) lisp(text string) {
	p := &lispReader{m: m, s: text}
	for p.i < len(p.s) && m.step() {
		p.form(0)
	}
}

type lispReader struct {
	m *machine
	s string
	i int
}

// atom is the value of a form, and its symbol if the form is one.
type atom struct {
	value
	symbol string
}

// form reads the next form and evaluates it. At the end of a list it returns the symbol ")".
func (p *lispReader) form(depth int) atom {
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\'' || c == '`' || c == ',' || c == '@' || c == '#':
			p.i++
		case c == ';':
			for p.i < len(p.s) && p.s[p.i] != '\n' {
				p.i++
			}
		case c == ')' || c == ']':
			p.i++
			return atom{symbol: ")"}
		case c == '"':
			return p.text()
		case c == '(' || c == '[':
			p.i++
			var list []atom
			for p.i < len(p.s) && p.m.step() {
				if depth > 64 {
					p.m.exhausted()
					p.i = len(p.s)
					break
				}
				a := p.form(depth + 1)
				if a.symbol == ")" {
					break
				}
				if len(list) < maxItems {
					list = append(list, a)
				}
			}
			return atom{value: p.apply(list)}
		default:
			start := p.i
			for p.i < len(p.s) && !strings.ContainsRune(" \t\n\r()[]\"';", rune(p.s[p.i])) {
				p.i++
			}
			if p.i == start {
				p.i++
			}
			return p.name(p.s[start:p.i])
		}
	}
	return atom{symbol: ")"}
}

func (p *lispReader) text() atom {
	p.i++
	start := p.i
	for p.i < len(p.s) && p.s[p.i] != '"' {
		if p.s[p.i] == '\\' {
			p.i++
		}
		p.i++
	}
	end := min(p.i, len(p.s))
	p.i = min(p.i+1, len(p.s))
	return atom{value: lit(p.m.l.unescape(p.s[start:end]))}
}

func (p *lispReader) name(s string) atom {
	if v, ok := p.m.vars[s]; ok {
		return atom{value: v, symbol: s}
	}
	if s == "user-emacs-directory" {
		return atom{value: concat(p.m.home(), lit("/.emacs.d/")), symbol: s}
	}
	return atom{value: unknown(), symbol: s}
}

// apply returns the value of a list after its effects.
func (p *lispReader) apply(list []atom) value {
	m := p.m
	if len(list) == 0 {
		return unknown()
	}
	c := &call{ref: list[0].symbol}
	var flags []string
	for _, a := range list[1:] {
		v := a.value
		if v.isNil() {
			v.ref = a.symbol // t and nil are distinct values
		}
		c.args = append(c.args, v)
		flags = append(flags, a.symbol)
	}
	switch c.ref {
	case "": // a quoted list, or a vector
		if len(list[0].alts) > 0 {
			return listOf(texts(list))
		}
		return unknown()
	case "list", "vector":
		return listOf(texts(list[1:]))
	case "setq", "defvar", "setenv":
		if len(list) > 2 && list[1].symbol != "" {
			v := list[2].value
			for _, branch := range [...]string{"(if ", "(when ", "(unless ", "(cond ", "(while ", "(and ", "(or ", "(ignore-errors "} {
				if strings.Contains(p.s[:min(p.i, len(p.s))], branch) {
					v = either(v, m.vars[list[1].symbol])
				}
			}
			m.set(list[1].symbol, v)
		}
		return unknown()
	case "sh", "process": // sh and process of Clojure take a vector
		if vector := texts(list); len(vector) > 1 {
			return m.exec(vector, value{})
		}
		return m.shell(c.arg(0), value{})
	}
	if v, ok := m.described(c, c.ref); ok {
		return v
	}
	var args []value
	for _, v := range texts(list[1:]) {
		if v.seq {
			args = append(args, v.list...)
		} else {
			args = append(args, v)
		}
	}
	v, _ := m.byName(c.ref, args, flags)
	return v
}

// lispCalls are functions of Emacs Lisp, and functions with the same names in Common Lisp and
// Clojure. The file functions expand ~ and variables themselves.
var lispCalls = table{rows: []row{
	{"concat", joinsText, "0..", "", 0},
	{"format format-message", textSprintf, "0", "1..", 0},
	{"funcall", callsNamed, "0", "", 0},
	{"expand-file-name", lispExpand, "0", "1", 0},
	{"file-name-concat", lispJoin, "0..", "", 0},
	{"file-truename directory-file-name file-name-as-directory substitute-in-file-name shell-quote-argument identity progn prog1 eval", yieldsLast, "", "", 0},
	{"getenv", fromEnvironment, "0", "", 0},
	{"delete-directory", lispDeleteFolder, "0", "1", 0},
	{"delete-directory/files uiop:delete-directory-tree babashka.fs/delete-tree fs/delete-tree", removes, "0", "", umpire.Recursive},
	{"delete-file move-file-to-trash", removes, "0", "", 0},
	{"rename-file", renames, "0", "1", 0},
	{"copy-file copy-directory", copies, "0", "1", 0},
	{"add-name-to-file make-symbolic-link", links, "0", "1", 0},
	{"system uiop:run-program run-program run-shell-command shell shell-command async-shell-command shell-command-to-string call-process-shell-command process-lines-shell compile eshell-command", shells, "0", "", 0},
	{"start-process-shell-command", shells, "2", "", 0},
	{"call-process", execsRest, "0", "4..", 0},
	{"process-lines", execsRest, "0", "1..", 0},
	{"start-process", execsRest, "2", "3..", 0},
	{"write-region append-to-file", writes, "2", "0", umpire.Truncate},
	{"with-temp-file", writes, "0", "", umpire.Truncate},
	{"insert-file-contents insert-file-contents-literally find-file find-file-noselect", reads, "0", "", 0},
	{"load load-file", sources, "0", "", 0},
	{"url-copy-file", downloads, "0", "1", umpire.Truncate},
	{"url-retrieve url-retrieve-synchronously url-insert-file-contents", fetches, "0", "", 0},
	{"delete remove", yieldsNothing, "", "", 0}, // elements of a list
	{"mapc mapcar mapcan mapconcat seq-do seq-map seq-each", lispMaps, "0", "1", 0},
	{"apply", lispApplies, "0", "1..", 0},
}}

// lispExpand returns a path relative to the folder in the second argument.
func lispExpand(m *machine, c *call, r *row) (value, bool) {
	if len(c.args) > 1 {
		return joinPath(m.path(c.get(r.second)), m.path(c.get(r.first))), true
	}
	return m.path(c.get(r.first)), true
}

func lispJoin(m *machine, c *call, r *row) (value, bool) {
	var parts []value
	for _, v := range c.all(r.first) {
		parts = append(parts, m.path(v))
	}
	return joinPath(parts...), true
}

// lispMaps calls a named function with each element of a list.
func lispMaps(m *machine, c *call, r *row) (value, bool) {
	name := c.get(r.first).ref
	items := c.get(r.second).items()
	if len(items) == 0 {
		items = []value{unknown()}
	}
	for _, v := range items {
		m.described(&call{ref: name, args: []value{v}}, name)
	}
	return unknown(), true
}

// lispApplies calls a function with its arguments. The last argument is a list of more arguments.
func lispApplies(m *machine, c *call, r *row) (value, bool) {
	name, args := c.get(r.first).ref, slices.Clone(c.all(r.second))
	if n := len(args); n > 0 && args[n-1].seq {
		args = append(args[:n-1], args[n-1].list...)
	}
	return m.described(&call{ref: name, args: args}, name)
}

// lispDeleteFolder deletes a tree if its second argument is anything but nil.
func lispDeleteFolder(m *machine, c *call, r *row) (value, bool) {
	var t umpire.Trait
	if len(c.args) > 1 && c.get(r.second).ref != "nil" {
		t = umpire.Recursive
	}
	return m.del(c.get(r.first), t), true
}

// texts returns the members of a list that are more than symbols.
func texts(list []atom) (out []value) {
	for _, a := range list {
		if len(a.alts) > 0 || a.seq {
			out = append(out, a.value)
		}
	}
	return out
}
