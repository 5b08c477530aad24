package sql

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

func (r *reader) selects(t []token) {
	s := Statement{Verb: "select"}
	r.nested(t)
	for i := 0; i < len(t); i++ {
		switch {
		case t[i].is("from") && s.Object == "" && i+1 < len(t):
			s.Object = name(t[i+1:])
		case t[i].is("outfile", "dumpfile") && i+1 < len(t):
			s.Writes = append(s.Writes, t[i+1].text)
		}
	}
	r.add(s)
}

func (r *reader) remove(t []token) {
	t = skip(t[1:], "low_priority", "quick", "ignore", "top")
	if len(t) > 0 && t[0].p("(") { // delete top (10) from
		t = t[parens(t):]
	}
	first := name(t)
	if i := index(t, "from"); i >= 0 {
		t = skip(t[i+1:], "only")
		if i == 0 || first == "" {
			first = name(t)
		}
	}
	r.add(Statement{Verb: "delete", Object: first, Traits: r.removes(t)})
	r.nested(t)
}

// removes returns the traits of a statement that deletes rows.
func (r *reader) removes(t []token) umpire.Trait {
	tr := umpire.Mutate | r.where(t)
	if tr&umpire.NoWhere != 0 {
		tr |= gone | umpire.DataStore
	}
	return tr
}

func (r *reader) update(t []token) {
	t = skip(t[1:], "low_priority", "ignore", "only", "or", "replace", "rollback", "abort", "fail")
	if index(t, "set") < 0 {
		r.add(Statement{Verb: "other", Object: "update"}) // UPDATE STATISTICS
		return
	}
	tr := umpire.Mutate | r.where(t)
	r.add(Statement{Verb: "update", Object: name(t), Traits: tr})
	r.nested(t)
}

// where returns traits that say whether a statement affects every row.
func (r *reader) where(t []token) umpire.Trait {
	w := index(t, "where")
	if w < 0 {
		if index(t, "limit", "join") >= 0 {
			return 0
		}
		for i := range t {
			if t[i].kind == hole && i > 0 && !t[i-1].is("from", "update") && !t[i-1].p("=") {
				return umpire.Unknown // the unknown part may contain the condition
			}
		}
		return umpire.NoWhere | umpire.Bulk
	}
	cond := t[w+1:]
	if e := index(cond, "returning", "limit", "order", "option", "allow"); e >= 0 {
		cond = cond[:e]
	}
	var u umpire.Trait
	if len(cond) == 1 && cond[0].kind == hole {
		u = umpire.Unknown
	}
	if always(cond, 0) {
		return umpire.NoWhere | umpire.Bulk | u
	}
	return u
}

// always reports whether a condition is true for every row: 1=1, true, id = id, x or 1.
func always(t []token, depth int) bool {
	if depth > maxDepth {
		return true // unknown counts as always
	}
	for len(t) > 1 && t[0].p("(") && parens(t) == len(t) {
		t = t[1 : len(t)-1]
	}
	if len(t) == 0 {
		return true
	}
	if parts := cut(t, "or"); len(parts) > 1 {
		return slices.ContainsFunc(parts, func(p []token) bool { return always(p, depth+1) })
	}
	if parts := cut(t, "and"); len(parts) > 1 {
		return !slices.ContainsFunc(parts, func(p []token) bool { return !always(p, depth+1) })
	}
	switch len(t) {
	case 1:
		return t[0].is("true") || t[0].kind == number && strings.Trim(t[0].text, "0.") != "" || t[0].kind == str && t[0].text != "" && t[0].text != "0"
	case 2:
		return t[0].is("not") && (t[1].is("false") || t[1].text == "0")
	case 3:
		return compare(t[0], t[1].text, t[2])
	case 4:
		return t[1].is("is") && t[2].is("not") && t[3].is("null") && (t[0].kind == number || t[0].kind == str || t[0].is("id", "rowid", "_id", "ctid", "uuid", "pk"))
	}
	return false
}

func compare(a token, op string, b token) bool {
	if strings.EqualFold(op, "like") {
		return b.kind == str && strings.Trim(b.text, "%") == "" && b.text != ""
	}
	literal := (a.kind == number || a.kind == str) && (b.kind == number || b.kind == str)
	same := a.kind == b.kind && strings.EqualFold(a.text, b.text)
	switch op {
	case "=", "==", "<=>":
		return same
	case "<>", "!=":
		return literal && !same
	case ">=", "<=":
		if same {
			return true
		}
		fallthrough
	case ">", "<":
		if literal {
			return len(a.text) == len(b.text) && (a.text > b.text) == (op[0] == '>') || len(a.text) != len(b.text) && (len(a.text) > len(b.text)) == (op[0] == '>')
		}
		return a.is("id", "rowid") && op[0] == '>' && (b.text == "0" || b.text == "-1")
	}
	return false
}

func between(t []token) bool {
	n := len(t)
	return n >= 2 && t[n-2].is("between")
}

func (r *reader) insert(t []token) {
	s := Statement{Verb: "insert", Traits: umpire.Mutate}
	i := index(t, "into", "overwrite")
	if i >= 0 {
		if t[i].is("overwrite") {
			s.Verb = "insert-overwrite"
			s.Traits |= gone | umpire.DataStore | umpire.Bulk
		}
		s.Object = name(skip(t[i+1:], "table", "into"))
	} else {
		s.Object = name(skip(t[1:], "or", "ignore", "replace", "low_priority"))
	}
	r.add(s)
	r.nested(t)
}

func (r *reader) merge(t []token) {
	tr := umpire.Mutate
	if index(t, "delete") >= 0 {
		tr |= umpire.Destroy
	}
	r.add(Statement{Verb: "merge", Object: name(skip(t[1:], "into")), Traits: tr})
}
