package sql

import (
	"cmp"
	"slices"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// copies reads COPY, which reads or writes a file, or runs a program, on the server.
func (r *reader) copies(t []token) {
	if len(t) > 1 && t[1].is("into") {
		r.add(Statement{Verb: "copy", Object: name(t[2:]), Traits: umpire.Mutate})
		return
	}
	i := index(t, "from", "to")
	if i < 0 || i+1 >= len(t) {
		r.add(Statement{Verb: "copy"})
		return
	}
	s := Statement{Verb: "copy", Object: name(t[1:])}
	v := t[i+1]
	switch {
	case v.is("program"):
		s.Verb, s.Runs = "copy-program", firstString(t[i+1:])
		s.Runs = cmp.Or(s.Runs, umpire.Hole)
	case v.kind == str || v.kind == hole:
		if t[i].is("from") {
			s.Reads = []string{v.text}
		} else {
			s.Writes = []string{v.text}
		}
	}
	r.nested(t)
	r.add(s)
}

func (r *reader) load(t []token) {
	if i := index(t, "infile"); i >= 0 && i+1 < len(t) {
		s := Statement{Verb: "load", Reads: []string{t[i+1].text}}
		if j := index(t, "table"); j >= 0 {
			s.Object = name(t[j+1:])
		}
		r.add(s)
		return
	}
	r.add(Statement{Verb: "load", Object: name(t[1:]), Traits: umpire.LoadsCode})
}

func (r *reader) backup(t []token) {
	s := Statement{Verb: t[0].low, Object: name(skip(t[1:], "database", "table", "log"))}
	if t[0].is("restore") {
		s.Traits = umpire.Mutate | umpire.Overwrite
	}
	if i := index(t, "disk"); i >= 0 && t[0].is("backup") {
		s.Writes = fileOf(firstString(t[i:]))
	}
	r.add(s)
}

func fileOf(s string) []string {
	if s == "" || s[0] == ':' {
		return nil
	}
	return []string{s}
}

// runs reads statements that execute text: DO, EXECUTE IMMEDIATE, sp_executesql, xp_cmdshell.
func (r *reader) runs(t []token) {
	if i := slices.IndexFunc(t, func(t token) bool { return t.is("xp_cmdshell") }); i >= 0 {
		r.add(Statement{Verb: "xp_cmdshell", Runs: cmp.Or(firstString(t[i:]), umpire.Hole)})
		return
	}
	if t[0].is("call") {
		r.add(Statement{Verb: "call", Object: name(t[1:])})
		return
	}
	language := func(t token) bool { return t.kind == word && anyof.HasPrefix(t.low, "plpython", "plperl", "plsh") }
	if i := slices.IndexFunc(t, language); i >= 0 && t[0].is("do") {
		r.add(Statement{Verb: "do", Object: t[i].low, Traits: umpire.LoadsCode | umpire.UnseenCode})
		return
	}
	found := false
	for i := range t {
		switch {
		case t[i].kind == str:
			found = true
			text := t[i].text
			for j := i + 1; j+1 < len(t) && (t[j].p("||") || t[j].p("+")) && t[j+1].kind == str; j += 2 {
				text += t[j+1].text
			}
			r.text(text, true)
			if t[0].is("execute", "exec", "prepare") {
				return
			}
		case i > 0 && t[i].is("delete", "update", "insert", "drop", "truncate", "select") && !t[0].is("exec"):
			r.statement(t[i:])
			return
		}
	}
	if !found && (t[0].is("execute") && len(t) > 1 && t[1].is("immediate") || len(t) > 1 && t[1].p("(") && t[0].is("exec", "execute")) {
		r.add(Statement{Verb: "execute", Object: umpire.Hole, Traits: umpire.UnseenCode})
		return
	}
	if !found && !t[0].is("if", "while", "for") {
		r.add(Statement{Verb: t[0].low, Object: name(t[1:])})
	}
}
