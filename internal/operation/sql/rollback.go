package sql

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// loss are the traits that a statement loses if its effect is undone.
const loss = gone | umpire.DataStore | umpire.NoWhere | umpire.Bulk | umpire.Mutate | umpire.Force

// transaction follows BEGIN, COMMIT and ROLLBACK. Statements between BEGIN and ROLLBACK lose
// nothing in an engine that rolls back every statement, even DROP TABLE. A rollback to a
// savepoint does not count, and statements on other connections remain.
type transaction struct {
	open  bool
	start int // index of its first statement in reader.out
}

// follow updates the transaction after the reader has added the effects of a statement.
func (x *transaction) follow(r *reader, t []token) {
	if len(t) == 0 {
		return
	}
	second := func(words ...string) bool { return len(t) > 1 && t[1].is(words...) }
	switch {
	case len(t) < 4 && (t[0].is("begin") && !second("drop", "delete", "truncate", "update", "alter") || t[0].is("start") && second("transaction")):
		if !x.open {
			*x = transaction{true, len(r.out)}
		}
	case t[0].kind == hole, t[0].is("commit", "end"), t[0].is("prepare") && second("transaction"):
		*x = transaction{}
	case t[0].is("rollback", "abort") && (len(t) == 1 || len(t) == 2 && second("work", "transaction")):
		if x.open {
			for i := range r.out[x.start:] {
				r.out[x.start+i].Traits = r.out[x.start+i].Traits&^loss | umpire.Inert
			}
		}
		*x = transaction{}
	}
}

// takesBack reports whether the script's engine rolls back every statement of a transaction, and no
// statement reaches outside it.
func (d dialect) takesBack(text string) bool {
	return (d.name == "postgres" || d.name == "sqlite") && !strings.Contains(strings.ToLower(text), "dblink") && !strings.Contains(text, ":") // a variable of psql may be any statement
}

// remade clears the loss of objects that a script drops and creates again under the same name, if
// they hold no data. A cascade removes more than the script creates again.
func (r *reader) remade() {
	for i := range r.out {
		s := &r.out[i]
		switch s.Verb {
		case "drop-view", "drop-index", "drop-function", "drop-procedure", "drop-trigger":
		default:
			continue
		}
		if s.Object != "" && s.Traits&(umpire.Force|umpire.Unknown) == 0 && slices.ContainsFunc(r.out[i+1:], func(m Statement) bool {
			return strings.HasPrefix(m.Verb, "create") && strings.EqualFold(m.Object, s.Object)
		}) {
			s.Traits &^= loss
		}
	}
}
