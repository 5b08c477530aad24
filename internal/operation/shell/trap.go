package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

const (
	maxTraps  = 8  // of one shell
	maxSprung = 64 // readings of one shell's traps
)

// traps are the commands that a shell runs when it ends or gets a signal, which may happen at any
// time. They are read with every value that their variables get, but not before those have a value:
// a shell that ends between trap 'rm -rf "$tmp"' EXIT and tmp=$(mktemp -d) deletes nothing.
type traps struct {
	list   []trap
	sprung int
}

type trap struct {
	text  command.Word
	names map[string]bool // variables that it mentions
	early bool            // it runs on an error, a signal or each command, and the shell goes on
}

// trap remembers a command line that runs on signals.
func (sh *shell) trap(w command.Word, signals []command.Word) {
	t := trap{text: w, names: map[string]bool{}}
	t.early = slices.ContainsFunc(signals, func(s command.Word) bool { return s.Text != "EXIT" && s.Text != "0" })
	if src, err := parse(w.Text, syntax.LangBash); err == nil {
		sh.variables(src.file, t.names, 0)
	}
	if sh.traps == nil || len(sh.traps.list) >= maxTraps {
		sh.runTrap(&t)
		return
	}
	sh.traps.list = append(sh.traps.list, t)
	if sh.assigned(&t) {
		sh.runTrap(&t)
	}
}

// variables collects the variables that a text expands or sets, including those in functions that it calls.
func (sh *shell) variables(n syntax.Node, names map[string]bool, depth int) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.ParamExp:
			if n.Param != nil {
				names[n.Param.Value] = true
			}
		case *syntax.Assign:
			if n.Name != nil {
				names[n.Name.Value] = true
			}
		case *syntax.CallExpr:
			if len(n.Args) > 0 {
				if f, ok := sh.funcs[n.Args[0].Lit()]; ok && f.body != nil && depth < 3 {
					sh.variables(f.body, names, depth+1)
				}
			}
		}
		return true
	})
}

// assigned reports whether all variables that a trap mentions have a value.
func (sh *shell) assigned(t *trap) bool {
	for name := range t.names {
		if strings.Trim(name, "0123456789?#@*!$-_") == "" {
			continue // set by the shell
		}
		if _, ok := sh.get(name); !ok {
			return false
		}
	}
	return true
}

// changed reads the traps that mention a variable, after its value changed.
func (sh *shell) changed(name string) {
	if sh.traps == nil || len(sh.traps.list) == 0 {
		return
	}
	for i := range sh.traps.list {
		if t := &sh.traps.list[i]; t.names[name] && sh.assigned(t) {
			sh.runTrap(t)
		}
	}
}

// ends reads the traps of a shell at its end.
func (sh *shell) ends() {
	list := sh.traps.list
	sh.traps = nil
	for i := range list {
		sh.runTrap(&list[i])
	}
}

// runTrap reads the commands of a trap where it may run.
func (sh *shell) runTrap(t *trap) {
	c := sh.clone()
	c.repeats = true
	c.traps = nil // a trap's own changes of its variables do not trigger it again
	if sh.traps != nil {
		if sh.traps.sprung++; sh.traps.sprung > maxSprung {
			sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: "trap", Traits: umpire.UnseenCode | umpire.Unknown})
			return
		}
	}
	c.via = append(c.via, "trap")
	c.run("sh", wordStream(t.text))
	for name := range t.names {
		if v, old := c.vars[name], sh.vars[name]; t.early && !v.array && !old.array && len(old.alts) > 0 {
			old.alts = union(old.alts, v.alts)
			sh.vars[name] = old
		}
	}
}
