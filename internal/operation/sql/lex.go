package sql

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

type kind uint8

const (
	word   kind = iota // keyword or bare identifier, lower-case in low
	ident              // quoted identifier
	str                // string literal
	number             //
	punct              // one character, or a comparison
	hole               // a part that is not known
	client             // a line for the client program, not for the engine
)

type token struct {
	kind kind
	text string
	low  string // lower case, for words
	bol  bool   // first on its line
}

func (t token) is(words ...string) bool {
	if t.kind != word {
		return false
	}
	for _, w := range words {
		if t.low == w {
			return true
		}
	}
	return false
}

func (t token) p(s string) bool { return t.kind == punct && t.text == s }

// dialect is what differs between engines before the first word is read.
type dialect struct {
	name       string
	hash       bool // # starts a comment
	dashSpace  bool // -- needs a space after it to start a comment
	nested     bool // block comments nest
	backslash  bool // \ escapes in every string
	dquoteText bool // "..." is a string
	brackets   bool // [name] is an identifier
	dollar     bool // $tag$...$tag$ is a string
	bang       bool // /*! ... */ runs
	meta       bool // \command
	dot        bool // .command
	colon      bool // :command and !!command
	host       bool // sqlplus: host, !, @file, spool
	loose      bool // statements need no semicolon between them
}

func dialectOf(engine string) dialect {
	d := dialect{name: engine}
	switch engine {
	case "mysql", "mariadb", "tidb", "singlestore":
		d.name, d.hash, d.dashSpace, d.backslash, d.dquoteText, d.bang, d.meta = "mysql", true, true, true, true, true, true
	case "sqlite", "duckdb", "sqlite3", "libsql":
		d.name, d.brackets, d.dot = "sqlite", true, true
		d.dollar = engine == "duckdb"
	case "mssql", "sqlserver", "tsql", "sqlcmd":
		d.name, d.brackets, d.nested, d.colon, d.loose = "mssql", true, true, true, true
	case "oracle", "sqlplus", "plsql":
		d.name, d.host = "oracle", true
	case "cql", "cassandra", "scylla":
		d.name, d.dollar = "cql", true
	case "clickhouse", "bigquery", "spark", "hive", "databricks":
		d.hash = engine == "bigquery"
		d.backslash, d.dquoteText = true, engine != "clickhouse"
	case "snowflake":
		d.backslash, d.dollar = true, true
	case "postgres", "postgresql", "psql", "redshift", "cockroach", "timescale":
		d.name, d.nested, d.dollar, d.meta = "postgres", true, true, true
	default:
		// Not told which: what some engine would run must not hide in what another
		// one skips.
		d.nested, d.dollar, d.meta, d.bang, d.dot = true, true, true, true, true
	}
	return d
}

const maxTokens = 80000

func lex(d dialect, s string) (out []token) {
	bol := true
	for i := 0; i < len(s) && len(out) < maxTokens; {
		c := s[i]
		first := bol
		if c == '\n' {
			bol = true
			i++
			continue
		}
		if c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' {
			i++
			continue
		}
		bol = false
		add := func(k kind, text string) {
			t := token{kind: k, text: text, bol: first}
			if k == word {
				t.low = strings.ToLower(text)
			}
			out = append(out, t)
		}
		if first {
			if n := clientLine(d, s[i:]); n > 0 {
				add(client, strings.TrimSpace(s[i:i+n]))
				i += n
				continue
			}
		}
		switch {
		case strings.HasPrefix(s[i:], umpire.Hole):
			add(hole, umpire.Hole)
			i += len(umpire.Hole)
			// The name goes on: an unknown part within a word.
			for i < len(s) && wordByte(s[i]) {
				i++
			}
		case c == '-' && i+1 < len(s) && s[i+1] == '-' && (!d.dashSpace || i+2 >= len(s) || s[i+2] <= ' '),
			c == '#' && d.hash:
			i = lineEnd(s, i)
		case c == '/' && i+1 < len(s) && s[i+1] == '*':
			if d.bang && (strings.HasPrefix(s[i+2:], "!") || strings.HasPrefix(s[i+2:], "M!")) {
				i += 3
				if s[i-1] == 'M' {
					i++
				}
				for i < len(s) && s[i] >= '0' && s[i] <= '9' {
					i++
				}
				continue // the end of such a comment is skipped as */ below
			}
			i = blockEnd(s, i+2, d.nested)
		case c == '*' && i+1 < len(s) && s[i+1] == '/' && d.bang:
			i += 2
		case c == '\'':
			escapes := d.backslash
			if n := len(out); n > 0 && out[n-1].kind == word && i > 0 && wordByte(s[i-1]) && len(out[n-1].text) == 1 {
				switch out[n-1].low { // E'..' N'..' B'..' X'..' R'..'
				case "e":
					escapes = true
					out = out[:n-1]
				case "n", "b", "x", "r", "u":
					out = out[:n-1]
				}
			}
			text, n := quoted(s[i:], '\'', escapes)
			add(str, text)
			i += n
		case c == '"':
			text, n := quoted(s[i:], '"', d.backslash && d.dquoteText)
			if d.dquoteText {
				add(str, text)
			} else {
				add(ident, text)
			}
			i += n
		case c == '`':
			text, n := quoted(s[i:], '`', false)
			add(ident, text)
			i += n
		case c == '[' && d.brackets:
			if j := strings.IndexByte(s[i:], ']'); j > 0 {
				add(ident, s[i+1:i+j])
				i += j + 1
				continue
			}
			add(punct, "[")
			i++
		case c == '$' && d.dollar:
			if text, n := dollarQuoted(s[i:]); n > 0 {
				add(str, text)
				i += n
				continue
			}
			j := i + 1
			for j < len(s) && wordByte(s[j]) {
				j++
			}
			add(hole, umpire.Hole) // $1: a parameter
			i = j
		case c == '\\' && d.meta:
			j := metaEnd(s, i)
			add(client, strings.TrimSpace(s[i:j]))
			i = j
		case c >= '0' && c <= '9':
			j := i
			for j < len(s) && (wordByte(s[j]) || s[j] == '.') {
				j++
			}
			add(number, s[i:j])
			i = j
		case wordByte(c) || c == '@':
			j := i + 1
			for j < len(s) && (wordByte(s[j]) || s[j] == '@' || s[j] == '$') && !strings.HasPrefix(s[j:], umpire.Hole) {
				j++
			}
			add(word, s[i:j])
			i = j
		default:
			n := 1
			if i+1 < len(s) && strings.Contains("<= >= <> != == || ::", s[i:i+2]) && s[i+1] != ' ' && c != ' ' {
				n = 2
			}
			add(punct, s[i:i+n])
			i += n
		}
	}
	return out
}

func wordByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

func lineEnd(s string, i int) int {
	if j := strings.IndexByte(s[i:], '\n'); j >= 0 {
		return i + j
	}
	return len(s)
}

func blockEnd(s string, i int, nested bool) int {
	depth := 1
	for ; i+1 < len(s); i++ {
		switch {
		case s[i] == '*' && s[i+1] == '/':
			if depth--; depth == 0 {
				return i + 2
			}
			i++
		case nested && s[i] == '/' && s[i+1] == '*':
			depth++
			i++
		}
	}
	return len(s)
}

// quoted reads a literal that starts at s[0] and tells how long it is.
func quoted(s string, q byte, escapes bool) (text string, n int) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && escapes && i+1 < len(s):
			i++
			switch s[i] {
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			default:
				b.WriteByte(s[i])
			}
		case c == q && i+1 < len(s) && s[i+1] == q:
			b.WriteByte(q)
			i++
		case c == q:
			return b.String(), i + 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), len(s)
}

func dollarQuoted(s string) (string, int) {
	j := 1
	for j < len(s) && wordByte(s[j]) {
		j++
	}
	if j >= len(s) || s[j] != '$' || j > 1 && s[1] >= '0' && s[1] <= '9' {
		return "", 0
	}
	tag := s[:j+1]
	end := strings.Index(s[j+1:], tag)
	if end < 0 {
		return s[j+1:], len(s)
	}
	return s[j+1 : j+1+end], j + 1 + end + len(tag)
}

// metaEnd finds the end of a backslash command: \! and \copy take the rest of the line,
// others end where the next begins.
func metaEnd(s string, i int) int {
	end := lineEnd(s, i)
	line := s[i:end]
	for _, whole := range []string{`\!`, `\copy`, `\o`, `\g`, `\i`, `\w`, `\T`, `\P`, `\.`} {
		if strings.HasPrefix(line, whole) {
			return end
		}
	}
	if j := strings.IndexByte(line[1:], '\\'); j > 0 {
		return i + 1 + j
	}
	if len(line) >= 2 && (line[1] == 'G' || line[1] == ';') {
		return i + 2
	}
	return end
}

// clientLine tells how long a line is that the client program takes for itself.
func clientLine(d dialect, s string) int {
	end := lineEnd(s, 0)
	line := strings.ToLower(s[:end])
	first, _, _ := strings.Cut(line, " ")
	switch {
	case d.dot && line[0] == '.' && len(line) > 1 && wordByte(line[1]):
		return end
	case d.colon && (line[0] == ':' || strings.HasPrefix(line, "!!")):
		return end
	case d.host && (line[0] == '!' || line[0] == '@' || first == "host" || first == "spool" || first == "start"):
		return end
	case d.name == "mysql" && (first == "system" || first == "source" || first == "tee" || first == "pager" || first == "delimiter"):
		return end
	case d.loose && strings.TrimSpace(strings.TrimRight(line, ";")) == "go":
		return end
	}
	return 0
}
