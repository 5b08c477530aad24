package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// rm -rf "$X"/* deletes everything if X is empty. [ -n "$X" ] || exit, and "${X:?}", rule that out.
// The value stays unknown.

// fill records that a variable is not empty from here on.
func (sh *shell) fill(name string) {
	if sh.shadowed || sh.traps != nil && len(sh.traps.list) > 0 {
		return // test may be another program; a trap runs also if the variable is empty
	}
	v, own := sh.vars[name]
	if !own {
		sh.filled = append(slices.Clip(sh.filled), name)
		return
	}
	if v.array || v.ref || len(sh.calls) > 0 { // the function may have returned before
		return
	}
	var alts []command.Word
	for _, w := range v.alts {
		if w.Text != "" {
			alts = append(alts, begun(w))
		}
	}
	if len(alts) > 0 {
		v.alts, v.perhaps = alts, false
		sh.vars[name] = v
	}
}

// begun marks a word that is not empty.
func begun(w command.Word) command.Word {
	w.Filled = strings.HasPrefix(w.Text, umpire.Hole)
	return w
}

// something returns an unknown value that is not empty.
func something() command.Word { return begun(command.Lit(umpire.Hole)) }

// outside returns the value that a variable had before this call, as far as it is known.
func (sh *shell) outside(name string) (command.Word, bool) {
	w, known := sh.environ(name)
	if !known && slices.Contains(sh.filled, name) {
		return something(), true
	}
	return w, known
}

// fillIn records which variables are not empty if a test succeeded (or failed, if held is false).
func (sh *shell) fillIn(s *syntax.Stmt, held bool) {
	if s == nil || s.Background || s.Coprocess || len(s.Redirs) > 0 { // a redirection may fail instead of the test
		return
	}
	held = held != s.Negated
	switch c := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		if held && c.Op == syntax.AndStmt || !held && c.Op == syntax.OrStmt {
			if onlyTests(c.Y) {
				sh.fillIn(c.X, held)
			}
			sh.fillIn(c.Y, held)
		}
	case *syntax.TestClause:
		sh.fillTested(c.X, held)
	case *syntax.CallExpr:
		w := c.Args
		if len(c.Assigns) > 0 || len(w) < 2 || sh.funcs[w[0].Lit()].body != nil {
			return
		}
		switch w[0].Lit() {
		case "[":
			if w[len(w)-1].Lit() != "]" {
				return
			}
			w = w[:len(w)-1]
		case "test":
		default:
			return
		}
		if w = w[1:]; len(w) > 1 && w[0].Lit() == "!" {
			held, w = !held, w[1:]
		}
		switch {
		case len(w) == 1 && isQuoted(w[0]):
			sh.fillNamed("-n", w[0], held)
		case len(w) == 2 && (!held || isQuoted(w[1])): // test -n without a value succeeds
			sh.fillNamed(w[0].Lit(), w[1], held)
		}
	}
}

// onlyTests reports whether a list changes no variable: [ -n "$X" ] && X= leaves it empty.
func onlyTests(s *syntax.Stmt) bool {
	switch c := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		return onlyTests(c.X) && onlyTests(c.Y)
	case *syntax.TestClause:
		return true
	case *syntax.CallExpr:
		return len(c.Args) > 0 && anyof.Equal(c.Args[0].Lit(), "[", "test")
	}
	return false
}

// fillTested does the same for a condition of [[ ]], in which words are not split.
func (sh *shell) fillTested(x syntax.TestExpr, held bool) {
	switch x := x.(type) {
	case *syntax.ParenTest:
		sh.fillTested(x.X, held)
	case *syntax.BinaryTest:
		if held && x.Op == syntax.AndTest || !held && x.Op == syntax.OrTest {
			sh.fillTested(x.X, held)
			sh.fillTested(x.Y, held)
		}
	case *syntax.UnaryTest:
		switch of := x.X.(type) {
		case *syntax.BinaryTest: // the shell applies ! only to its first part
		case *syntax.Word:
			if x.Op == syntax.TsNot {
				sh.fillNamed("-n", of, !held)
			} else {
				sh.fillNamed(x.Op.String(), of, held)
			}
		default:
			if x.Op == syntax.TsNot {
				sh.fillTested(of, !held)
			}
		}
	case *syntax.Word:
		sh.fillNamed("-n", x, held)
	}
}

// fillNamed records that the variable which a word stands for is not empty, if the result of a test
// of the word says so. A file has a name.
func (sh *shell) fillNamed(op string, w *syntax.Word, held bool) {
	if held && anyof.Equal(op, "-n", "-e", "-f", "-d", "-s", "-r", "-w", "-x") || !held && op == "-z" {
		if name := onlyVariable(w); name != "" {
			sh.fill(name)
		}
	}
}

// isQuoted reports whether a word is one pair of double quotes.
func isQuoted(w *syntax.Word) bool {
	_, ok := w.Parts[0].(*syntax.DblQuoted)
	return ok && len(w.Parts) == 1
}

// onlyVariable returns the variable that is all of a word: $X, "$X", "${X:-}".
func onlyVariable(w *syntax.Word) string {
	parts := w.Parts
	if isQuoted(w) {
		parts = parts[0].(*syntax.DblQuoted).Parts
	}
	if len(parts) != 1 {
		return ""
	}
	p, ok := parts[0].(*syntax.ParamExp)
	if !ok || p.Param == nil || p.Flags != nil || p.Index != nil || p.Slice != nil || p.Repl != nil || p.Length || p.Excl || p.Names != 0 || !syntax.ValidName(p.Param.Value) {
		return ""
	}
	if e := p.Exp; e != nil && (e.Word != nil || e.Op != syntax.DefaultUnset && e.Op != syntax.DefaultUnsetOrNull) {
		return ""
	}
	return p.Param.Value
}

// inBoth returns the variables that are not empty in two states.
func inBoth(a, b []string) []string {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	var both []string
	for _, name := range a {
		if slices.Contains(b, name) {
			both = append(both, name)
		}
	}
	return both
}
