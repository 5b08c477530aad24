package sql

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/escape"
)

type kind uint8

const (
	word   kind = iota // keyword or bare identifier, lower-case in low
	ident              // quoted identifier
	str                // string literal
	number             //
	punct              // one character, or a comparison
	hole               // an unknown part
	client             // a line for the client program, not for the engine
)

type token struct {
	kind kind
	text string
	low  string // lower-case text of a word
}

func (t token) is(words ...string) bool {
	return t.kind == word && slices.Contains(words, t.low)
}

func (t token) p(s string) bool { return t.kind == punct && t.text == s }

// dialect has the differences between engines that matter to the lexer.
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
	host       bool // sqlplus commands: host, !, @file, spool
	files      bool // the name of a table may be a file
	loose      bool // statements need no semicolon between them
}

// dialectOf returns the dialect of an engine. For an unknown engine it combines the dialects.
func dialectOf(engine string) dialect {
	d := dialect{name: engine}
	switch engine {
	case "mysql", "mariadb", "tidb", "singlestore":
		d.name, d.hash, d.dashSpace, d.backslash, d.dquoteText, d.bang, d.meta = "mysql", true, true, true, true, true, true
	case "sqlite", "duckdb", "sqlite3", "libsql":
		d.name, d.brackets, d.dot = "sqlite", true, true
		d.dollar, d.files = engine == "duckdb", engine == "duckdb"
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
		// The dialect is unknown: a statement that one engine runs must not hide in text that
		// another engine skips.
		d.nested, d.dollar, d.meta, d.bang, d.dot = true, true, true, true, true
	}
	return d
}

const maxTokens = 80000

// lexer is the state of splitting a text into tokens.
type lexer struct {
	d   dialect
	s   string
	i   int
	out []token
}

// lex splits a text into at most maxTokens tokens, without comments.
func lex(d dialect, s string) []token {
	l := lexer{d: d, s: s}
	bol := true
	for l.i < len(s) && len(l.out) < maxTokens {
		switch s[l.i] {
		case '\n':
			bol = true
			l.i++
			continue
		case ' ', '\t', '\r', '\f', '\v':
			l.i++
			continue
		}
		first := bol
		bol = false
		if first {
			if n := clientLine(d, s[l.i:]); n > 0 {
				l.add(client, strings.TrimSpace(s[l.i:l.i+n]), n)
				continue
			}
		}
		if !l.unknown() && !l.comment() && !l.quote() {
			l.plain()
		}
	}
	return l.out
}

// add appends a token that is n bytes long in the text.
func (l *lexer) add(k kind, text string, n int) {
	t := token{kind: k, text: text}
	if k == word {
		t.low = strings.ToLower(text)
	}
	l.out = append(l.out, t)
	l.i += n
}

// has reports whether the rest of the text begins with prefix.
func (l *lexer) has(prefix string) bool { return strings.HasPrefix(l.s[l.i:], prefix) }

// run returns from plus the number of bytes of a class that follow at that offset.
func (l *lexer) run(from int, of func(byte) bool) int {
	for l.i+from < len(l.s) && of(l.s[l.i+from]) {
		from++
	}
	return from
}

// unknown reads an unknown part, including the rest of a word that it begins.
func (l *lexer) unknown() bool {
	if !l.has(umpire.Hole) {
		return false
	}
	l.add(hole, umpire.Hole, l.run(len(umpire.Hole), wordByte))
	return true
}

// comment skips a comment. Of a MySQL executable comment it skips only the delimiters.
func (l *lexer) comment() bool {
	d, s, i := l.d, l.s, l.i
	switch {
	case l.has("--") && (!d.dashSpace || i+2 >= len(s) || s[i+2] <= ' '), s[i] == '#' && d.hash:
		l.i = lineEnd(s, i)
	case d.bang && (l.has("/*!") || l.has("/*M!")):
		n := 3
		if s[i+2] == 'M' {
			n++
		}
		l.i += l.run(n, func(c byte) bool { return c >= '0' && c <= '9' }) // the end of such a comment is skipped below
	case l.has("/*"):
		l.i = blockEnd(s, i+2, d.nested)
	case l.has("*/") && d.bang:
		l.i += 2
	default:
		return false
	}
	return true
}

// quote reads a quoted string or name.
func (l *lexer) quote() bool {
	d, rest := l.d, l.s[l.i:]
	unicode := l.unicode(rest)
	switch {
	case unicode != nil: // its escapes cannot quote the end of the text
		kind := str
		if rest[0] == '"' {
			kind = ident
		}
		text, n := quoted(rest, rest[0], nil)
		l.add(kind, unicode.Decode(text), n)
	case rest[0] == '\'':
		text, n := quoted(rest, '\'', l.prefix())
		l.add(str, text, n)
	case rest[0] == '"' && d.dquoteText:
		text, n := quoted(rest, '"', d.escapes())
		l.add(str, text, n)
	case rest[0] == '"':
		text, n := quoted(rest, '"', nil)
		l.add(ident, text, n)
	case rest[0] == '`':
		text, n := quoted(rest, '`', nil)
		l.add(ident, text, n)
	case rest[0] == '[' && d.brackets:
		if j := strings.IndexByte(rest, ']'); j > 0 {
			l.add(ident, rest[1:j], j+1)
		} else {
			l.add(punct, "[", 1)
		}
	case rest[0] == '$' && d.dollar:
		if text, n := dollarQuoted(rest); n > 0 {
			l.add(str, text, n)
		} else {
			l.add(hole, umpire.Hole, l.run(1, wordByte)) // $1 is a parameter
		}
	default:
		return false
	}
	return true
}

// prefix drops the letter before a string, as in E'..' or N'..', and returns the escapes of the
// string.
func (l *lexer) prefix() *escape.Syntax {
	n := len(l.out)
	if n == 0 || l.out[n-1].kind != word || !wordByte(l.s[l.i-1]) || len(l.out[n-1].text) != 1 || strings.IndexByte("enbxru", l.out[n-1].low[0]) < 0 {
		return l.d.escapes()
	}
	l.out = l.out[:n-1]
	if strings.EqualFold(l.s[l.i-1:l.i], "e") {
		return escape.Of("sql")
	}
	return l.d.escapes()
}

// escapes returns the escapes of every string of the dialect.
func (d *dialect) escapes() *escape.Syntax {
	if !d.backslash {
		return nil
	}
	return escape.Of("sql")
}

// unicode drops the U& before a quoted text, as in U&'d\0061ta', and returns the escapes of the
// text, which UESCAPE '!' after it may give another mark. It returns nil without a U&.
func (l *lexer) unicode(rest string) *escape.Syntax {
	if l.d.backslash || rest[0] != '\'' && rest[0] != '"' || l.i < 2 || !strings.EqualFold(l.s[l.i-2:l.i], "u&") || len(l.out) < 2 {
		return nil
	}
	l.out = l.out[:len(l.out)-2]
	x := *escape.Of("sql unicode")
	_, n := quoted(rest, rest[0], nil)
	if after := strings.Fields(rest[n:]); len(after) > 1 && strings.EqualFold(after[0], "uescape") && len(after[1]) > 2 {
		x.Mark = after[1][1]
	}
	return &x
}

// plain reads a word, a number, a client command or an operator.
func (l *lexer) plain() {
	rest := l.s[l.i:]
	switch c := rest[0]; {
	case c == '\\' && l.d.meta:
		n := metaEnd(l.s, l.i) - l.i
		l.add(client, strings.TrimSpace(rest[:n]), n)
	case c >= '0' && c <= '9':
		n := l.run(1, func(c byte) bool { return wordByte(c) || c == '.' })
		l.add(number, rest[:n], n)
	case wordByte(c) || c == '@':
		n := 1
		for n < len(rest) && (wordByte(rest[n]) || rest[n] == '@' || rest[n] == '$') && !strings.HasPrefix(rest[n:], umpire.Hole) {
			n++
		}
		l.add(word, rest[:n], n)
	default:
		n := 1
		if len(rest) > 1 && strings.Contains("<= >= <> != == || ::", rest[:2]) && rest[1] != ' ' && c != ' ' {
			n = 2
		}
		l.add(punct, rest[:n], n)
	}
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

// quoted returns the text of the literal that starts at s[0], and its length.
func quoted(s string, q byte, escapes *escape.Syntax) (text string, n int) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case escapes != nil && c == escapes.Quotes() && i+1 < len(s):
			text, length := escapes.Next(s[i+1:])
			b.WriteString(text)
			i += length
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

// metaEnd returns the end of a backslash command: \! and \copy take the rest of the line, and other
// commands end where the next begins.
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

// clientLine returns the length of a line that the client program executes, or 0.
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
