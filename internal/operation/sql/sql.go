package sql

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// Statement is what one statement does to one object.
type Statement struct {
	Verb   string // "drop-table", "truncate", "delete", "update", "alter-drop", "grant", "select", "other", ...
	Object string // the table, schema, user, ... with umpire.Hole for unknown parts
	Traits umpire.Trait
	Runs   string   // a shell command that it runs
	Reads  []string // files it reads, scripts among them
	Writes []string // files it writes
	Script bool     // Reads are scripts that the client runs
}

const (
	maxText       = 64 << 10
	maxDepth      = 12
	maxStatements = 500

	gone = umpire.Destroy | umpire.Irreversible
)

// Read tells what text does when a client of the engine runs it: postgres, mysql, sqlite,
// mssql, oracle, cql, clickhouse, snowflake, bigquery, or "" if that is not known.
func Read(engine, text string) []Statement {
	r := reader{d: dialectOf(strings.ToLower(engine))}
	if len(text) > maxText {
		text = text[:maxText]
		r.add(Statement{Verb: "other", Object: umpire.Hole, Traits: umpire.Unknown})
	}
	r.text(text, false)
	return r.out
}

type reader struct {
	d     dialect
	out   []Statement
	depth int
}

func (r *reader) add(s Statement) {
	if strings.Contains(s.Object, umpire.Hole) {
		s.Traits |= umpire.Unknown
	}
	if len(r.out) < maxStatements {
		r.out = append(r.out, s)
	}
}

// text reads a script; block says that it is the body of a procedure.
func (r *reader) text(text string, block bool) {
	if r.depth >= maxDepth {
		r.add(Statement{Verb: "other", Object: umpire.Hole, Traits: umpire.Unknown})
		return
	}
	r.depth++
	defer func() { r.depth-- }()
	toks := lex(r.d, text)
	if len(toks) >= maxTokens {
		r.add(Statement{Verb: "other", Object: umpire.Hole, Traits: umpire.Unknown})
	}
	for len(toks) > 0 {
		if toks[0].kind == client {
			r.client(toks[0].text)
			toks = toks[1:]
			continue
		}
		n, next := r.split(toks, block)
		if n > 0 {
			r.statement(toks[:n])
		}
		toks = toks[next:]
	}
}

// split finds the end of the first statement and the start of the next.
func (r *reader) split(toks []token, block bool) (n, next int) {
	depth := 0
	if body := routine(toks); body > 0 && !block {
		return body, body
	}
	for i, t := range toks {
		switch {
		case t.kind == client:
			return i, i
		case t.p("("):
			depth++
		case t.p(")"):
			depth = max(0, depth-1)
		case t.p(";"):
			return i, i + 1 // even within parentheses: an engine that balks has run what came before
		case depth > 0 || i == 0:
		case block && t.is("then", "else", "loop", "begin"):
			return i, i + 1
		case r.d.loose && t.is("drop", "truncate", "delete", "exec", "execute", "update", "insert", "begin", "else", "xp_cmdshell", "shutdown") && startsLoosely(toks, i):
			return i, i
		}
	}
	if depth == 0 && block && len(toks) > 0 && toks[0].is("then", "else", "loop", "begin", "declare") {
		return len(toks), len(toks)
	}
	return len(toks), len(toks)
}

// startsLoosely reports whether the verb at i starts a statement of its own in a dialect
// without semicolons, as in "select 1 drop table x".
func startsLoosely(toks []token, i int) bool {
	prev := toks[i-1]
	if prev.is("for", "after", "of", "on", "grant", "deny", "revoke", "then", "instead", "explain", "with", "alter", "add", "as") || prev.p(",") || prev.p(".") {
		return false
	}
	if toks[0].is("alter", "grant", "deny", "revoke") && toks[i].is("drop", "delete", "update", "insert", "execute", "exec") {
		return false
	}
	return true
}

// routine tells the length of a CREATE PROCEDURE ... BEGIN ... END; whose semicolons do
// not end the statement, 0 if toks starts no such.
func routine(toks []token) int {
	if len(toks) == 0 || !toks[0].is("create", "alter") {
		return 0
	}
	kindAt := -1
	for i := 1; i < len(toks) && i < 8; i++ {
		if toks[i].is("procedure", "function", "trigger", "event", "package", "proc") {
			kindAt = i
			break
		}
	}
	if kindAt < 0 {
		return 0
	}
	depth := 0
	for i := kindAt; i < len(toks); i++ {
		switch {
		case toks[i].p(";") && depth == 0:
			return i + 1
		case toks[i].is("begin", "case"):
			depth++
		case toks[i].is("end"):
			if i+1 < len(toks) && toks[i+1].is("if", "loop", "while", "repeat") {
				i++
				continue
			}
			if depth--; depth <= 0 {
				depth = 0
			}
		}
	}
	return len(toks)
}

// statement reads one statement without its semicolon.
func (r *reader) statement(t []token) {
	for len(t) > 0 && (t[0].p("(") || t[0].p(";") || t[0].p(")") || t[0].is("then", "else", "loop", "declare")) {
		t = t[1:]
	}
	if len(t) == 0 {
		return
	}
	r.functions(t)
	if t[0].kind == hole {
		r.add(Statement{Verb: "other", Object: umpire.Hole, Traits: umpire.Unknown})
		return
	}
	if t[0].kind != word {
		return
	}
	if r.depth >= maxDepth {
		r.add(Statement{Verb: "other", Object: umpire.Hole, Traits: umpire.Unknown})
		return
	}
	r.depth++
	defer func() { r.depth-- }()
	switch t[0].low {
	case "with":
		r.nested(t[1:])
		if rest := afterCTE(t); len(rest) > 0 {
			r.statement(rest)
		}
	case "begin":
		if len(t) > 1 && !t[1].is("transaction", "work", "tran", "isolation", "immediate", "exclusive", "deferred", "read", "end", "try", "concurrent") {
			r.statement(t[1:])
		}
	case "explain", "describe", "desc", "show":
		r.explain(t)
	case "select", "values", "table":
		r.selects(t)
	case "drop", "undrop":
		r.drop(t)
	case "truncate":
		r.each("truncate", skip(t[1:], "table", "only", "database", "if", "exists"), gone|umpire.DataStore|umpire.NoWhere|umpire.Bulk)
	case "delete":
		r.remove(t)
	case "update":
		r.update(t)
	case "alter":
		r.alter(t)
	case "grant", "revoke", "deny":
		r.grant(t)
	case "insert", "replace", "upsert":
		r.insert(t)
	case "merge":
		r.merge(t)
	case "create":
		r.create(t)
	case "copy":
		r.copies(t)
	case "unload":
		r.add(Statement{Verb: "unload", Object: firstString(t), Traits: umpire.Upload})
	case "load":
		r.load(t)
	case "import", "export", "backup", "restore":
		r.backup(t)
	case "attach":
		if s := firstString(t); s != "" {
			r.add(Statement{Verb: "attach", Object: s, Writes: fileOf(s)})
		}
	case "vacuum":
		s := Statement{Verb: "vacuum"}
		if f := firstString(t); f != "" {
			s.Writes = []string{f}
		}
		r.add(s)
	case "do", "call", "prepare", "execute", "exec", "xp_cmdshell", "sp_executesql", "if", "while", "for":
		r.runs(t)
	case "set":
		r.set(t)
	case "reset", "purge", "flush", "shutdown", "kill", "remove", "detach", "rename", "optimize", "system", "stop":
		r.admin(t)
	case "end", "commit", "start":
	case "use", "pragma":
		r.add(Statement{Verb: t[0].low, Object: name(t[1:])})
	default:
		r.nested(t)
		r.add(Statement{Verb: "other", Object: t[0].low})
	}
}

func skip(t []token, words ...string) []token {
	for len(t) > 0 && t[0].is(words...) {
		t = t[1:]
	}
	return t
}

// name reads a dotted name at the start of t.
func name(t []token) string {
	s, _ := dotted(t)
	return s
}

func dotted(t []token) (string, int) {
	var b strings.Builder
	i := 0
	for i < len(t) {
		switch t[i].kind {
		case word, ident, str, number, hole:
			b.WriteString(t[i].text)
		default:
			return b.String(), i
		}
		i++
		if i+1 < len(t) && t[i].p(".") {
			b.WriteByte('.')
			i++
			if t[i].p("*") {
				b.WriteByte('*')
				return b.String(), i + 1
			}
			continue
		}
		break
	}
	return b.String(), i
}

// each adds a statement for every name of a list.
func (r *reader) each(verb string, t []token, traits umpire.Trait) {
	any := false
	for len(t) > 0 {
		n, used := dotted(t)
		if used == 0 {
			break
		}
		r.add(Statement{Verb: verb, Object: n, Traits: traits})
		any = true
		t = t[used:]
		for len(t) > 0 && t[0].p("(") { // drop function f(int)
			t = t[parens(t):]
		}
		if len(t) == 0 || !t[0].p(",") {
			break
		}
		t = skip(t[1:], "only", "table")
	}
	if !any {
		r.add(Statement{Verb: verb, Traits: traits})
	}
}

// parens tells how many tokens the parenthesis at t[0] takes.
func parens(t []token) int {
	depth := 0
	for i := range t {
		if t[i].p("(") {
			depth++
		} else if t[i].p(")") {
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(t)
}

func firstString(t []token) string {
	for i := range t {
		if t[i].kind == str {
			return t[i].text
		}
		if t[i].kind == hole {
			return umpire.Hole
		}
	}
	return ""
}

// nested finds statements in parentheses that change data: WITH d AS (DELETE ...).
func (r *reader) nested(t []token) {
	for i := 0; i+1 < len(t); i++ {
		if t[i].p("(") && t[i+1].is("delete", "update", "insert", "merge") {
			n := parens(t[i:])
			body := t[i+1 : i+n]
			if body[len(body)-1].p(")") {
				body = body[:len(body)-1]
			}
			r.statement(body)
			i += n - 1
		}
	}
}

func afterCTE(t []token) []token {
	for i := 1; i < len(t); {
		if t[i].p("(") {
			i += parens(t[i:])
			continue
		}
		if t[i].is("select", "insert", "update", "delete", "merge", "values", "replace") {
			return t[i:]
		}
		i++
	}
	return nil
}

// explain reads EXPLAIN, which only runs the statement when asked to ANALYZE it.
func (r *reader) explain(t []token) {
	analyze := false
	i := 1
	for i < len(t) {
		if t[i].p("(") {
			n := parens(t[i:])
			for j, o := range t[i : i+n] {
				if o.is("analyze") && !(i+j+1 < len(t) && (t[i+j+1].is("false", "off") || t[i+j+1].text == "0")) {
					analyze = true
				}
			}
			i += n
			continue
		}
		if t[i].is("analyze", "analyse") {
			analyze = true
		} else if t[i].is("delete", "update", "insert", "merge", "select", "with", "create", "replace", "execute") {
			break
		}
		i++
	}
	if analyze && i < len(t) && t[0].is("explain") {
		r.statement(t[i:])
		return
	}
	r.add(Statement{Verb: t[0].low})
}

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
	case "table", "database", "schema", "keyspace", "catalog", "dataset", "tablespace", "collection", "owned", "columnfamily", "pluggable", "stage", "bucket", "user", "role", "login":
		if k != "user" && k != "role" && k != "login" {
			traits |= umpire.DataStore
		}
		if k == "columnfamily" {
			k = "table"
		}
		if k == "database" || k == "schema" || k == "keyspace" || k == "catalog" || k == "dataset" || k == "owned" {
			traits |= umpire.Bulk
		}
	case "prepare", "statement":
		r.add(Statement{Verb: "other"})
		return
	default:
		traits = umpire.Mutate | umpire.Destroy
	}
	if temp {
		k, traits = "temporary-table", umpire.Mutate
	}
	for i := range t {
		if t[i].is("cascade", "force", "purge") {
			traits |= umpire.Force
		}
	}
	r.each("drop-"+k, t, traits)
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
	tr := umpire.Mutate | r.where(t)
	if tr&umpire.NoWhere != 0 {
		tr |= gone | umpire.DataStore
	}
	r.add(Statement{Verb: "delete", Object: first, Traits: tr})
	r.nested(t)
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

// index finds a word outside parentheses.
func index(t []token, words ...string) int {
	depth := 0
	for i := range t {
		switch {
		case t[i].p("("):
			depth++
		case t[i].p(")"):
			depth--
		case depth <= 0 && t[i].is(words...):
			return i
		}
	}
	return -1
}

// where tells whether a statement concerns every row.
func (r *reader) where(t []token) umpire.Trait {
	w := index(t, "where")
	if w < 0 {
		if index(t, "limit", "join") >= 0 {
			return 0
		}
		for i := range t {
			if t[i].kind == hole && i > 0 && !t[i-1].is("from", "update") && !t[i-1].p("=") {
				return umpire.Unknown // the condition may be in there
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

// always reports whether a condition holds for every row: 1=1, true, id = id, x or 1.
func always(t []token, depth int) bool {
	if depth > maxDepth {
		return false
	}
	for len(t) > 1 && t[0].p("(") && parens(t) == len(t) {
		t = t[1 : len(t)-1]
	}
	if len(t) == 0 {
		return true
	}
	if parts := cut(t, "or"); len(parts) > 1 {
		for _, p := range parts {
			if always(p, depth+1) {
				return true
			}
		}
		return false
	}
	if parts := cut(t, "and"); len(parts) > 1 {
		for _, p := range parts {
			if !always(p, depth+1) {
				return false
			}
		}
		return true
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

func cut(t []token, at string) (parts [][]token) {
	depth, start := 0, 0
	for i := range t {
		switch {
		case t[i].p("("):
			depth++
		case t[i].p(")"):
			depth--
		case depth == 0 && (t[i].is(at) || at == "or" && t[i].p("||")):
			if at == "and" && between(t[start:i]) {
				continue
			}
			parts = append(parts, t[start:i])
			start = i + 1
		}
	}
	return append(parts, t[start:])
}

func between(t []token) bool {
	n := len(t)
	return n >= 2 && t[n-2].is("between")
}

func (r *reader) alter(t []token) {
	kindAt := 1
	for kindAt < len(t) && t[kindAt].is("foreign", "materialized", "external") {
		kindAt++
	}
	if kindAt >= len(t) {
		return
	}
	k := t[kindAt].low
	obj := name(skip(t[kindAt+1:], "if", "exists", "only"))
	switch k {
	case "table", "keyspace", "type", "schema", "database":
		if i := index(t, "drop", "delete", "truncate", "detach"); i >= 0 && i > kindAt {
			tr := umpire.Mutate
			verb := "alter-drop"
			switch rest := skip(t[i+1:], "if", "exists"); {
			case t[i].is("delete"): // clickhouse: alter table x delete where
				tr |= r.where(t)
				verb = "delete"
			case len(rest) > 0 && rest[0].is("constraint", "index", "default", "not", "identity", "expression", "key", "primary", "foreign", "check"):
				verb = "alter"
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
		if replace { // what was in the table before is gone
			s.Verb, s.Traits = "create-or-replace-table", gone|umpire.DataStore
		}
	case "function", "extension", "language", "trigger", "procedure", "event", "library":
		s.Verb = "create-" + k
		s.Traits = umpire.Mutate
		for i := range u {
			if u[i].kind == word && (strings.HasPrefix(u[i].low, "plpython") || strings.HasPrefix(u[i].low, "plperlu") || strings.HasPrefix(u[i].low, "plsh")) || u[i].is("soname") ||
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
		if s.Runs == "" {
			s.Runs = umpire.Hole
		}
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

// runs reads what executes text: DO, EXECUTE IMMEDIATE, sp_executesql, xp_cmdshell.
func (r *reader) runs(t []token) {
	for i := range t {
		if t[i].is("xp_cmdshell") {
			cmd := firstString(t[i:])
			if cmd == "" {
				cmd = umpire.Hole
			}
			r.add(Statement{Verb: "xp_cmdshell", Runs: cmd})
			return
		}
	}
	if t[0].is("call") {
		r.add(Statement{Verb: "call", Object: name(t[1:])})
		return
	}
	if t[0].is("do") {
		for i := range t {
			if t[i].kind == word && (strings.HasPrefix(t[i].low, "plpython") || strings.HasPrefix(t[i].low, "plperl") || strings.HasPrefix(t[i].low, "plsh")) {
				r.add(Statement{Verb: "do", Object: t[i].low, Traits: umpire.LoadsCode | umpire.UnseenCode})
				return
			}
		}
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

func (r *reader) set(t []token) {
	s := Statement{Verb: "set"}
	for i := 1; i < len(t); i++ {
		if t[i].is("global", "persist", "password") {
			s.Verb, s.Traits = "set-"+t[i].low, umpire.Mutate
			s.Object = name(t[i+1:])
			break
		}
		if t[i].kind == str && r.d.name == "mysql" { // set @q = 'drop ...'; prepare s from @q
			sub := reader{d: r.d, depth: r.depth}
			sub.text(t[i].text, false)
			for _, x := range sub.out {
				if x.Traits&umpire.Destroy != 0 {
					r.add(x)
				}
			}
		}
	}
	r.add(s)
}

func (r *reader) admin(t []token) {
	s := Statement{Verb: t[0].low, Object: name(t[1:]), Traits: umpire.Mutate}
	switch t[0].low {
	case "reset":
		if !(len(t) > 1 && t[1].is("master", "slave", "replica", "binary")) {
			s.Traits = 0
			break
		}
		s.Traits = gone | umpire.AuditTamper
	case "purge":
		s.Traits = gone | umpire.AuditTamper
	case "shutdown":
		s.Traits = umpire.Mutate | umpire.Bulk
	case "remove":
		s.Traits = gone | umpire.DataStore
	case "system":
		if len(t) > 1 && t[1].is("shutdown", "kill") {
			s.Verb, s.Traits = "shutdown", umpire.Mutate|umpire.Bulk
		}
	case "flush":
		s.Traits = 0
	}
	r.add(s)
}

// functions finds calls that reach out of the database, in whatever statement they are.
func (r *reader) functions(t []token) {
	for i := 0; i+1 < len(t); i++ {
		if t[i].kind != word || !t[i+1].p("(") {
			continue
		}
		end := i + 1 + parens(t[i+1:])
		arg := firstString(t[i+1 : end])
		f := t[i].low
		switch f {
		case "pg_read_file", "pg_read_binary_file", "load_file", "readfile", "lo_import", "pg_ls_dir", "read_csv", "read_csv_auto", "read_text", "read_blob", "read_json", "read_parquet", "openrowset":
			if arg != "" {
				r.add(Statement{Verb: "select", Object: f, Reads: []string{arg}})
			}
		case "lo_export", "writefile", "pg_file_write":
			for _, x := range t[i+1 : end] {
				if x.kind == str && strings.ContainsAny(x.text, "./") {
					r.add(Statement{Verb: "select", Object: f, Writes: []string{x.text}})
				}
			}
		case "sys_exec", "sys_eval", "do_system":
			if arg != "" {
				r.add(Statement{Verb: "select", Object: f, Runs: arg})
			}
		case "load_extension":
			r.add(Statement{Verb: "load", Object: arg, Traits: umpire.LoadsCode, Reads: fileOf(arg)})
		case "dblink_exec", "dblink", "query_to_xml", "exec_sql":
			for _, x := range t[i+1 : end] {
				if x.kind == str {
					r.text(x.text, false)
				}
			}
		case "drop_chunks", "pg_drop_replication_slot", "lo_unlink", "dropgeometrytable":
			r.add(Statement{Verb: "drop-" + strings.TrimPrefix(f, "drop_"), Object: arg, Traits: gone | umpire.DataStore})
		case "pg_terminate_backend":
			r.add(Statement{Verb: "kill", Object: "backend", Traits: umpire.Mutate})
		}
	}
}
