package sql

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// drop reads DROP, and UNDROP, which loses nothing.
func (r *reader) drop(t []token) {
	if t[0].low == "undrop" {
		r.add(Statement{Verb: "undrop", Object: name(skip(t[1:], "table", "schema", "database"))})
		return
	}
	t = skip(t[1:], "public", "global", "foreign", "external", "materialized", "recursive", "transient", "unlogged", "cached", "live")
	temp := len(t) > 0 && t[0].is("temporary", "temp")
	t = skip(t, "temporary", "temp")
	if len(t) == 0 {
		return
	}
	k := t[0].low
	if t[0].kind == hole {
		r.add(Statement{Verb: "drop", Object: umpire.Hole, Traits: gone})
		return
	}
	if t[0].is("row", "access", "text", "event", "user") && len(t) > 1 && t[1].is("policy", "method", "search", "trigger", "mapping") {
		k += "-" + t[1].low
		t = t[1:]
	}
	t = skip(t[1:], "concurrently", "if", "exists", "for", "by")
	traits := gone
	switch k {
	case "user", "role", "login":
	case "database", "schema", "keyspace", "catalog", "dataset", "owned":
		traits |= umpire.DataStore | umpire.Bulk
	case "columnfamily":
		k, traits = "table", traits|umpire.DataStore
	case "table", "tablespace", "collection", "pluggable", "stage", "bucket":
		traits |= umpire.DataStore
	case "prepare", "statement":
		r.add(Statement{Verb: "other"})
		return
	default:
		traits = umpire.Mutate | umpire.Destroy
	}
	if temp {
		k, traits = "temporary-table", umpire.Mutate
	}
	if slices.ContainsFunc(t, func(t token) bool { return t.is("cascade", "force", "purge") }) {
		traits |= umpire.Force
	}
	r.each("drop-"+k, t, traits)
}

func (r *reader) alter(t []token) {
	rest := skip(t[1:], "foreign", "materialized", "external")
	if len(rest) == 0 {
		return
	}
	kindAt := len(t) - len(rest)
	k := t[kindAt].low
	obj := name(skip(t[kindAt+1:], "if", "exists", "only"))
	switch k {
	case "table", "keyspace", "type", "schema", "database":
		if i := index(t, "disable", "no"); i > kindAt && index(t[i:], "row") >= 0 && index(t, "security") > i {
			r.add(Statement{Verb: "alter", Object: obj, Traits: umpire.Mutate | umpire.Loosened}) // all users see all rows
			return
		}
		if i := index(t, "drop", "delete", "truncate", "detach"); i >= 0 && i > kindAt {
			tr := umpire.Mutate
			verb := "alter-drop"
			switch rest := skip(t[i+1:], "if", "exists"); {
			case t[i].is("delete"): // clickhouse: alter table x delete where
				tr = r.removes(t)
				verb = "delete"
			case len(rest) > 0 && rest[0].is("constraint", "index", "default", "not", "identity", "expression", "key", "primary", "foreign", "check"):
				verb = "alter"
			case t[i].is("drop") && k == "table" && (len(rest) < 1 || !rest[0].is("partition")):
				tr |= umpire.Destroy // drops a column with its values
			default:
				tr |= gone | umpire.DataStore
			}
			r.add(Statement{Verb: verb, Object: obj, Traits: tr})
			return
		}
	case "user", "role", "login", "system":
		tr := umpire.Mutate
		if index(t, "superuser", "password", "createrole", "replication", "bypassrls", "identified", "archive_command", "shared_preload_libraries") >= 0 {
			tr |= umpire.Loosened
		}
		r.add(Statement{Verb: "alter-" + k, Object: obj, Traits: tr})
		return
	}
	r.add(Statement{Verb: "alter", Object: obj, Traits: umpire.Mutate})
}

func (r *reader) grant(t []token) {
	s := Statement{Verb: t[0].low, Traits: umpire.Mutate}
	to := index(t, "to", "from")
	if to > 0 {
		s.Object = name(t[to+1:])
	}
	if t[0].is("grant") {
		s.Traits |= umpire.Loosened
		if t[1:] != nil && len(t) > 1 && t[1].is("all") || index(t, "superuser", "dba", "sysadmin") >= 0 {
			s.Traits |= umpire.Bulk
		}
		if strings.EqualFold(s.Object, "public") || strings.Contains(s.Object, "%") {
			s.Traits |= umpire.PublicAccess
		}
	}
	r.add(s)
}

// create reads CREATE. CREATE OR REPLACE TABLE loses the former table.
func (r *reader) create(t []token) {
	replace := len(t) > 2 && t[1].is("or") && t[2].is("replace")
	u := skip(t[1:], "or", "replace", "temporary", "temp", "unlogged", "global", "external", "materialized", "unique", "definer", "foreign", "virtual", "transient")
	k := ""
	if len(u) > 0 && u[0].kind == word {
		k = u[0].low
	}
	s := Statement{Verb: "create", Object: name(skip(u[min(1, len(u)):], "if", "not", "exists"))}
	switch k {
	case "user", "role", "login":
		s.Verb, s.Traits = "create-"+k, umpire.Mutate|umpire.Loosened
	case "table":
		if replace { // loses the former content of the table
			s.Verb, s.Traits = "create-or-replace-table", gone|umpire.DataStore
		}
	case "function", "extension", "language", "trigger", "procedure", "event", "library":
		s.Verb = "create-" + k
		s.Traits = umpire.Mutate
		for i := range u {
			if u[i].kind == word && anyof.HasPrefix(u[i].low, "plpython", "plperlu", "plsh") || u[i].is("soname") ||
				u[i].is("language") && i+1 < len(u) && u[i+1].is("c") {
				s.Traits |= umpire.LoadsCode
			}
		}
	case "database", "schema", "keyspace":
		s.Verb = "create-" + k
	}
	r.add(s)
	r.nested(t)
}
