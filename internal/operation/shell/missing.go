package shell

import (
	"maps"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/umpire-dev/umpire/internal/anyof"
)

// A command line that writes a file only after a test that the file does not exist overwrites
// nothing:
//
//	[ -f .env ] || cp .env.example .env
//	if [ ! -e .env ]; then cp .env.example .env; fi

// assumeMissing adds the files that cannot exist if the statements succeeded (or failed, if held is
// false), and returns a function that removes them again.
func (sh *shell) assumeMissing(cond []*syntax.Stmt, held bool) func() {
	if len(cond) == 0 || sh.shadowed {
		return func() {} // test may be another program
	}
	was := sh.made.absent
	for _, file := range sh.missing(cond[len(cond)-1], held, nil) {
		if len(sh.made.absent) == len(was) {
			sh.made.absent = maps.Clone(was)
		}
		if sh.made.absent == nil {
			sh.made.absent = map[string]bool{}
		}
		sh.made.absent[file] = true
	}
	return func() { sh.made.absent = was }
}

// missing adds to list the files that cannot exist if the statement succeeded, or failed.
func (sh *shell) missing(s *syntax.Stmt, held bool, list []string) []string {
	if s == nil || s.Background || s.Coprocess {
		return list
	}
	if s.Negated {
		held = !held
	}
	switch c := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		if held && c.Op == syntax.AndStmt || !held && c.Op == syntax.OrStmt {
			list = sh.missing(c.Y, held, sh.missing(c.X, held, list))
		} else if c.Op == syntax.AndStmt && sh.succeeds(c.Y) {
			list = sh.missing(c.X, held, list)
		}
	case *syntax.TestClause:
		list = sh.missingIn(c.X, held, list)
	case *syntax.CallExpr:
		w := c.Args
		if len(w) > 0 && sh.funcs[w[0].Lit()].body != nil {
			return list
		}
		if len(c.Assigns) == 0 && len(w) == 2 && w[0].Lit() == "ls" && !held && len(sh.aliases) == 0 && !strings.HasPrefix(plainText(w[1]), "-") {
			return sh.addNamedFile(w[1], list)
		}
		if len(c.Assigns) > 0 || len(w) < 3 || w[0].Lit() != "test" && w[0].Lit() != "[" {
			return list
		}
		if w[0].Lit() == "[" {
			if w[len(w)-1].Lit() != "]" {
				return list
			}
			w = w[:len(w)-1]
		}
		w = w[1:]
		if len(w) == 3 && w[0].Lit() == "!" {
			held, w = !held, w[1:]
		}
		if len(w) == 2 && !held && existence(w[0].Lit()) {
			list = sh.addNamedFile(w[1], list)
		}
	}
	return list
}

// succeeds reports whether a command never fails, such as echo in test -f .env && echo there || cp
// .env.example .env.
func (sh *shell) succeeds(s *syntax.Stmt) bool {
	w := unquoted(s)
	return len(w) > 0 && len(s.Redirs) == 0 && !s.Negated && sh.funcs[w[0]].body == nil && len(sh.aliases) == 0 && anyof.Equal(w[0], "echo", "true", ":")
}

func (sh *shell) missingIn(x syntax.TestExpr, held bool, list []string) []string {
	switch x := x.(type) {
	case *syntax.ParenTest:
		return sh.missingIn(x.X, held, list)
	case *syntax.BinaryTest:
		if held && x.Op == syntax.AndTest || !held && x.Op == syntax.OrTest {
			return sh.missingIn(x.Y, held, sh.missingIn(x.X, held, list))
		}
	case *syntax.UnaryTest:
		if x.Op == syntax.TsNot {
			if _, wide := x.X.(*syntax.BinaryTest); wide { // the parser applies ! to the whole expression, the shell only to its first part
				return list
			}
			return sh.missingIn(x.X, !held, list)
		}
		if w, ok := x.X.(*syntax.Word); ok && !held && existence(x.Op.String()) {
			return sh.addNamedFile(w, list)
		}
	}
	return list
}

// existence reports whether a failed test of this operator means that there is nothing to lose: the
// file does not exist, or is empty.
func existence(op string) bool { return anyof.Equal(op, "-e", "-f", "-s", "-a") }

// addNamedFile adds the path of a word if it names exactly one file.
func (sh *shell) addNamedFile(w *syntax.Word, list []string) []string {
	words := sh.expand([]*syntax.Word{w})
	if len(words) != 1 || !words[0].Known() || words[0].Glob {
		return list
	}
	abs, _ := sh.Path(words[0])
	return append(list, abs)
}
