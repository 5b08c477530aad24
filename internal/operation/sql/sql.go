package sql

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// Statement is the effect of one statement on one object.
type Statement struct {
	Verb   string // "drop-table", "truncate", "delete", "update", "alter-drop", "grant", "select", "other", ...
	Object string // the table, schema, user, ...; umpire.Hole stands for unknown parts
	Traits umpire.Trait
	Runs   string   // a shell command that the statement runs
	Reads  []string // files that it reads, including scripts
	Writes []string // files that it writes
	Script bool     // Reads are scripts that the client runs
}

const (
	maxText       = 256 << 10
	maxDepth      = 12
	maxStatements = 500

	gone = umpire.Destroy | umpire.Irreversible
)

// Read returns the statements of a text for an engine: postgres, mysql, sqlite, mssql, oracle,
// cql, clickhouse, snowflake, bigquery, or "" if the engine is unknown.
func Read(engine, text string) []Statement {
	r := reader{d: dialectOf(strings.ToLower(engine))}
	if len(text) > maxText {
		text = text[:maxText]
		r.add(unread)
	}
	r.text(text, false)
	r.remade()
	return r.out
}

type reader struct {
	d     dialect
	out   []Statement
	depth int
}

func (r *reader) add(s Statement) { r.out = appendTo(r.out, s.marked()) }

// marked returns the statement with the trait Unknown if its object is not known.
func (s Statement) marked() Statement {
	if strings.Contains(s.Object, umpire.Hole) {
		s.Traits |= umpire.Unknown
	}
	return s
}

// unread stands for unread statements: a part of the text is known only at run time, or it is
// beyond a bound. An adversary may reach a bound to hide the rest.
var unread = Statement{Verb: "script", Object: umpire.Hole, Traits: umpire.UnseenCode | umpire.Unknown}

// appendTo adds a statement to a list, unless the list contains it; statements that destroy are
// always added, because their order counts. The last place is for unread statements.
func appendTo(list []Statement, s Statement) []Statement {
	if s.Traits&umpire.Destroy == 0 && slices.ContainsFunc(list, func(o Statement) bool {
		return o.Verb == s.Verb && o.Object == s.Object && o.Traits == s.Traits && o.Runs == s.Runs && o.Script == s.Script && slices.Equal(o.Reads, s.Reads) && slices.Equal(o.Writes, s.Writes)
	}) {
		return list
	}
	switch {
	case len(list) < maxStatements-1:
		return append(list, s)
	case len(list) == maxStatements-1:
		return append(list, unread)
	}
	return list
}

// text reads a script; block means that the script is the body of a procedure.
func (r *reader) text(text string, block bool) {
	if r.depth >= maxDepth {
		r.add(unread)
		return
	}
	r.depth++
	defer func() { r.depth-- }()
	toks := lex(r.d, text)
	if len(toks) >= maxTokens {
		r.add(unread)
	}
	var x transaction
	sure := !block && r.d.takesBack(text)
	for len(toks) > 0 {
		if toks[0].kind == client {
			r.client(toks[0].text)
			x = transaction{} // \i may read a file that commits
			toks = toks[1:]
			continue
		}
		n, next := r.split(toks, block)
		if n > 0 {
			r.statement(toks[:n])
			if sure {
				x.follow(r, toks[:n])
			}
		}
		toks = toks[next:]
	}
}

// split returns the end of the first statement and the start of the next.
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
		case r.d.name == "mysql" && delimiter(toks, i):
			return i, i + 2
		case t.p(";"):
			return i, i + 1 // even inside parentheses: an engine that rejects this has already run the statements before
		case depth > 0 || i == 0:
		case block && t.is("then", "else", "loop", "begin"):
			return i, i + 1
		case r.d.loose && t.is("drop", "truncate", "delete", "exec", "execute", "update", "insert", "begin", "else", "xp_cmdshell", "shutdown") && startsLoosely(toks, i):
			return i, i
		}
	}
	return len(toks), len(toks)
}

// startsLoosely reports whether the verb at i starts a new statement in a dialect without
// semicolons, as in "select 1 drop table x".
func startsLoosely(toks []token, i int) bool {
	prev := toks[i-1]
	return !prev.is("for", "after", "of", "on", "grant", "deny", "revoke", "then", "instead", "explain", "with", "alter", "add", "as") && !prev.p(",") && !prev.p(".") &&
		!(toks[0].is("alter", "grant", "deny", "revoke") && toks[i].is("drop", "delete", "update", "insert", "execute", "exec"))
}

// delimiter reports whether // or $$ is at i, the usual replacements for the semicolon in MySQL's
// client.
func delimiter(t []token, i int) bool {
	return i+1 < len(t) && (t[i].p("/") && t[i+1].p("/") || t[i].p("$") && t[i+1].p("$"))
}

// routine returns the length of a CREATE PROCEDURE ... BEGIN ... END; or 0. The semicolons inside
// do not end the statement.
func routine(toks []token) int {
	if len(toks) == 0 || !toks[0].is("create", "alter") {
		return 0
	}
	head := toks[:min(8, len(toks))]
	if end := slices.IndexFunc(head, func(t token) bool { return t.p(";") }); end >= 0 {
		head = head[:end]
	}
	kindAt := slices.IndexFunc(head, func(t token) bool {
		return t.is("procedure", "function", "trigger", "event", "package", "proc")
	})
	if kindAt < 0 {
		return 0
	}
	depth := 0
	for i := kindAt; i < len(toks); i++ {
		switch {
		case toks[i].p(";") && depth == 0:
			return i + 1
		case depth == 0 && (toks[i].kind == client || delimiter(toks, i)):
			return i
		case toks[i].is("begin", "case"):
			depth++
		case toks[i].is("end"):
			if i+1 < len(toks) && toks[i+1].is("if", "loop", "while", "repeat") {
				i++
				continue
			}
			if i+1 < len(toks) && toks[i+1].is("case") {
				i++
			}
			depth = max(0, depth-1)
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
	if t[0].kind == hole || t[0].kind == word && r.depth >= maxDepth {
		r.add(unread)
		return
	}
	if t[0].kind != word {
		return
	}
	r.depth++
	defer func() { r.depth-- }()
	switch t[0].low {
	case "with":
		r.nested(t[1:])
		r.statement(afterCTE(t))
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
		r.add(Statement{Verb: "vacuum", Writes: fileOf(firstString(t))})
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

// name returns the dotted name at the start of t.
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

// each adds a statement for every name in a list.
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

// parens returns the number of tokens in the parentheses that open at t[0].
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
	if i := slices.IndexFunc(t, func(t token) bool { return t.kind == str || t.kind == hole }); i >= 0 {
		return t[i].text // a Hole for an unknown part
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

// explain reads EXPLAIN, which runs the statement only with ANALYZE.
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

// index returns the index of a word outside parentheses, or -1.
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
	of := func(words ...string) bool { return len(t) > 1 && t[1].is(words...) }
	switch verb := t[0].low; {
	case verb == "purge", verb == "reset" && of("master", "slave", "replica", "binary"):
		s.Traits = gone | umpire.AuditTamper
	case verb == "shutdown", verb == "system" && of("shutdown", "kill"):
		s.Verb, s.Traits = "shutdown", umpire.Mutate|umpire.Bulk
	case verb == "remove":
		s.Traits = gone | umpire.DataStore
	case verb == "reset", verb == "flush":
		s.Traits = 0
	}
	r.add(s)
}

// functions finds calls in any statement that reach outside the database.
func (r *reader) functions(t []token) {
	for i := 0; i+1 < len(t); i++ {
		if name := t[i+1].text; r.d.files && (t[i].is("from", "join") || t[i].p(",")) && t[i+1].kind != punct && strings.ContainsAny(name, "/.") {
			r.add(Statement{Verb: "select", Object: name, Reads: []string{name}})
		}
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
		case "edit": // edit of sqlite3 starts an editor, which its second argument names
			for _, x := range t[i+1 : end] {
				if x.kind == str && x.text != arg {
					r.add(Statement{Verb: "select", Object: f, Runs: x.text})
				}
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
