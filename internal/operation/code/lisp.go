package code

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// lisp reads Emacs Lisp: lists from the inside out, as the evaluator does.
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

// atom is a form's value, and the symbol that it is, if it is one.
type atom struct {
	value
	symbol string
}

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
	return atom{value: lit(unescape(p.s[start:end]))}
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

// apply is what a list does and yields.
func (p *lispReader) apply(list []atom) value {
	m := p.m
	if len(list) == 0 {
		return unknown()
	}
	arg := func(i int) value {
		if i < len(list) {
			return list[i].value
		}
		return unknown()
	}
	path := func(i int) value { return m.expandUser(m.expandVars(arg(i))) }
	given := func(i int) bool { return i < len(list) && list[i].symbol != "nil" }
	switch list[0].symbol {
	case "concat":
		v := lit("")
		for i := range list[1:] {
			v = concat(v, arg(i+1))
		}
		return v
	case "expand-file-name", "file-name-concat":
		if list[0].symbol == "expand-file-name" && len(list) > 2 {
			return joinPath(path(2), path(1))
		}
		if len(list) > 2 {
			return joinPath(path(1), path(2))
		}
		return path(1)
	case "file-truename", "directory-file-name", "file-name-as-directory", "substitute-in-file-name", "shell-quote-argument", "identity", "progn", "prog1", "eval", "format":
		return arg(len(list) - 1)
	case "getenv":
		return m.getenv(arg(1).text())
	case "setq", "defvar", "setenv":
		if len(list) > 2 && list[1].symbol != "" {
			m.set(list[1].symbol, arg(2))
		}
	case "delete-directory":
		t := umpire.Trait(0)
		if given(2) {
			t = umpire.Recursive
		}
		return m.del(path(1), t)
	case "delete-directory/files", "uiop:delete-directory-tree":
		return m.del(path(1), umpire.Recursive)
	case "delete-file", "move-file-to-trash":
		return m.del(path(1), 0)
	case "rename-file":
		return m.rename(path(1), path(2))
	case "copy-file", "copy-directory", "add-name-to-file", "make-symbolic-link":
		m.write(path(2), m.read(path(1)), umpire.Overwrite)
	case "system", "uiop:run-program", "run-program", "run-shell-command", "sh", "process", "shell", "shell-command", "async-shell-command", "shell-command-to-string", "call-process-shell-command", "start-process-shell-command", "process-lines-shell", "compile", "eshell-command":
		i := 1
		if s := list[0].symbol; (s == "sh" || s == "process") && len(texts(list)) > 1 { // Clojure's have a vector
			return m.exec([]value{listOf(texts(list))}, value{})
		}
		if list[0].symbol == "start-process-shell-command" {
			i = 3
		}
		return m.shell(arg(i), value{})
	case "call-process", "process-lines", "start-process":
		skip := map[string]int{"call-process": 5, "process-lines": 2, "start-process": 4}[list[0].symbol]
		at := map[string]int{"call-process": 1, "process-lines": 1, "start-process": 3}[list[0].symbol]
		vec := []value{arg(at)}
		for i := skip; i < len(list); i++ {
			vec = append(vec, arg(i))
		}
		return m.exec([]value{listOf(vec)}, value{})
	case "write-region", "append-to-file":
		m.write(path(3), arg(1), umpire.Truncate)
	case "with-temp-file":
		m.write(path(1), unknown(), umpire.Truncate)
	case "insert-file-contents", "insert-file-contents-literally", "find-file", "find-file-noselect":
		return m.read(path(1))
	case "load", "load-file":
		m.source(path(1))
	case "url-copy-file":
		m.write(path(2), m.net(arg(1), value{}, 0), umpire.Truncate)
	case "url-retrieve", "url-retrieve-synchronously", "url-insert-file-contents":
		return m.net(arg(1), value{}, 0)
	case "":
		if len(list) > 0 && len(list[0].alts) > 0 { // a quoted list, or a vector
			return listOf(texts(list))
		}
	case "list", "vector":
		return listOf(texts(list[1:]))
	case "delete", "remove": // of a list
	default:
		var args []value
		for _, v := range texts(list[1:]) {
			if v.seq {
				args = append(args, v.list...)
			} else {
				args = append(args, v)
			}
		}
		var flags []string
		for _, a := range list[1:] {
			flags = append(flags, a.symbol)
		}
		if v, ok := m.byName(list[0].symbol, args, flags); ok {
			return v
		}
	}
	return unknown()
}

// texts are the members of a list that are not mere symbols.
func texts(list []atom) (out []value) {
	for _, a := range list {
		if len(a.alts) > 0 || a.seq {
			out = append(out, a.value)
		}
	}
	return out
}
