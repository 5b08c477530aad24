package code

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/escape"
)

type tkind uint8

const (
	tEnd tkind = iota
	tName
	tString
	tCommand // a string that a shell runs: `...`, %x(), qx{}
	tWords   // qw(), %w[]
	tNumber
	tRegexp
	tOp
	tLine // end of a line
	tHole
)

// part is a part of an interpolated string.
type part struct {
	text string
	code bool // text is an expression
}

type token struct {
	kind  tkind
	text  string
	parts []part
	col   int  // column of the first token of a line
	first bool // first token of its line
	space bool // preceded by white space
	sigil byte // in Perl: @x is a list, %x a dictionary
}

// op reports whether the token is one of these operators or brackets.
//
//go:noinline
func (t token) op(texts ...string) bool { return t.kind == tOp && slices.Contains(texts, t.text) }

// name reports whether the token is one of these words.
//
//go:noinline
func (t token) name(words ...string) bool { return t.kind == tName && slices.Contains(words, t.text) }

// nameFold reports whether the token is this word in any case.
func (t token) nameFold(word string) bool { return t.kind == tName && strings.EqualFold(t.text, word) }

// nesting is 1 for a bracket that opens, -1 for one that closes, and 0 for any other token.
func (t token) nesting() int {
	if t.kind == tOp && len(t.text) == 1 {
		switch t.text[0] {
		case '(', '[', '{':
			return 1
		case ')', ']', '}':
			return -1
		}
	}
	return 0
}

const maxTokens = 40000

type lexer struct {
	l    *language
	s    string
	i    int
	line int // start of the current line
	out  []token
	docs []*doc // here-documents that begin on this line
}

type doc struct {
	index  int // index of the token that it becomes
	tag    string
	indent bool
	raw    bool
	cmd    bool
}

func lex(l *language, s string) []token {
	if l.is("js", "groovy") {
		s = escape.Identifiers(s)
	}
	x := &lexer{l: l, s: s}
	for x.i < len(x.s) && len(x.out) < maxTokens {
		if !x.next() {
			break
		}
	}
	return x.out
}

func (x *lexer) add(t token) { x.out = append(x.out, t) }

func (x *lexer) last() token {
	if len(x.out) == 0 {
		return token{kind: tLine}
	}
	return x.out[len(x.out)-1]
}

// operand reports whether the previous token ends a value, so that / divides, % is an operator and
// << shifts.
func (x *lexer) operand() bool {
	t := x.last()
	switch t.kind {
	case tName:
		return !anyof.Equal(t.text, "return", "typeof", "in", "of", "and", "or", "not", "if", "unless", "while", "until", "when", "case", "print", "split", "grep", "map", "else", "puts", "new", "join", "then", "do", "exec", "system", "eval", "await", "match", "say", "push", "printf", "raise")
	case tString, tNumber, tRegexp, tWords, tCommand, tHole:
		return true
	case tOp:
		return t.nesting() < 0
	}
	return false
}

func (x *lexer) next() bool {
	s := x.s
	start := x.i
	first := len(x.out) == 0 || x.last().kind == tLine
	for x.i < len(s) && (s[x.i] == ' ' || s[x.i] == '\t' || s[x.i] == '\r' || s[x.i] == '\f') {
		x.i++
	}
	if x.i >= len(s) {
		return false
	}
	n := len(x.out)
	space := x.i > start || first
	col := x.i - x.line
	ok := x.one()
	if len(x.out) > n {
		x.out[n].first, x.out[n].col, x.out[n].space = first, col, space
	}
	return ok
}

// one reads one token, comment or marker at the position. It returns false at the end of the
// program text.
func (x *lexer) one() bool {
	if done, more := x.skipped(); done {
		return more
	}
	if x.str() {
		return true
	}
	s, l, i := x.s, x.l, x.i
	c := s[i]
	switch {
	case c == '<' && l.is("perl") && !(x.operand() && x.last().kind != tName):
		x.angle()
	case c >= '0' && c <= '9':
		x.number()
	case nameByte(c) || c == '$' && l.is("js"):
		x.word()
	case l.sigils != "" && strings.IndexByte(l.sigils, c) >= 0 && i+1 < len(s) && (nameByte(s[i+1]) || s[i+1] == '{' || s[i+1] == '$' || s[i+1] == '@' || c == '$' && (strings.IndexByte("!@_&0/,;", s[i+1]) >= 0 || s[i+1] == '#' && l.is("perl"))) && !((c == '%' || c == '&') && x.operand() && !(l.is("perl") && x.last().kind == tName && x.last().sigil == 0) && l.name != "ruby"):
		x.sigil()
	default:
		x.operator()
	}
	return true
}

// skipped skips text that is neither an operand nor an operator: ends of lines, comments, holes,
// and markers around code. It reports whether it skipped anything, and whether the program text
// continues.
func (x *lexer) skipped() (done, more bool) {
	s, l := x.s, x.l
	c, rest := s[x.i], s[x.i:]
	switch {
	case c == '\n':
		return true, x.newline()
	case c == '\\' && len(rest) > 1 && rest[1] == '\n':
		x.i += 2
		x.line = x.i
	case strings.HasPrefix(rest, umpire.Hole):
		x.i += len(umpire.Hole)
		x.add(token{kind: tHole, text: umpire.Hole})
	case c == '#' && l.hash, c == '/' && strings.HasPrefix(rest, "//") && l.slashes, c == '-' && strings.HasPrefix(rest, "--") && l.dashes:
		x.comment()
	case c == '/' && strings.HasPrefix(rest, "/*") && l.slashes:
		if j := strings.Index(rest[2:], "*/"); j >= 0 {
			x.i += j + 4
		} else {
			x.i = len(s)
		}
	case l.is("perl", "ruby", "php") && (strings.HasPrefix(rest, "__END__") || strings.HasPrefix(rest, "__DATA__")):
		return true, false
	case l.is("php") && strings.HasPrefix(rest, "<?php"):
		x.i += 5
	case l.is("php") && strings.HasPrefix(rest, "<?="):
		x.i += 3
	case l.is("php") && strings.HasPrefix(rest, "?>"):
		x.i += 2
		if j := strings.Index(s[x.i:], "<?"); j >= 0 {
			x.i += j
		} else {
			x.i = len(s)
		}
	default:
		return false, true
	}
	return true, true
}

// newline reads the end of a line, the here-documents after it, and documentation of Perl and
// Ruby, which starts at the beginning of a line.
func (x *lexer) newline() bool {
	s, l := x.s, x.l
	x.i++
	x.line = x.i
	x.add(token{kind: tLine, text: "\n"})
	x.bodies()
	if l.is("perl", "ruby") && x.i < len(s) && s[x.i] == '=' && (strings.HasPrefix(s[x.i:], "=pod") || strings.HasPrefix(s[x.i:], "=begin") || strings.HasPrefix(s[x.i:], "=head")) {
		end := strings.Index(s[x.i:], "\n=cut")
		if l.name == "ruby" {
			end = strings.Index(s[x.i:], "\n=end")
		}
		if end < 0 {
			return false
		}
		x.i += end + 5
	}
	return true
}

// comment skips a comment to the end of its line, or a long comment of Lua. An attribute of PHP,
// #[...], is not a comment.
func (x *lexer) comment() {
	l, rest := x.l, x.s[x.i:]
	if l.is("php") && strings.HasPrefix(rest, "#[") {
		x.i += 2
		return
	}
	if l.dashes && strings.HasPrefix(rest, "--[") {
		if n := longBracket(rest[2:]); n > 0 {
			x.i += 2 + n
			return
		}
	}
	end := strings.IndexByte(rest, '\n')
	if j := strings.Index(rest, "=#"); l.hashes && strings.HasPrefix(rest, "#=") && j >= 0 {
		end = j + 2
	}
	if end < 0 {
		end = len(rest)
	}
	x.i += end
}

// angle reads a read operator of Perl, <STDIN>, <$fh> or </home/*>, or otherwise the operator <.
func (x *lexer) angle() {
	s, i := x.s, x.i
	j := i + 1
	for j < len(s) && strings.IndexByte(" <>=;\n\t", s[j]) < 0 {
		j++
	}
	if j < len(s) && s[j] == '>' {
		x.i = j + 1
		x.add(token{kind: tOp, text: "<"})
		x.add(token{kind: tName, text: s[i+1 : j]})
		x.add(token{kind: tOp, text: ">"})
		return
	}
	x.i++
	x.add(token{kind: tOp, text: "<"})
}

func (x *lexer) number() {
	s, i := x.s, x.i
	j := i
	for j < len(s) && (nameByte(s[j]) || s[j] == '.' && j+1 < len(s) && s[j+1] >= '0' && s[j+1] <= '9') {
		j++
	}
	x.i = j
	x.add(token{kind: tNumber, text: s[i:j]})
}

// word reads a name, with the characters that the language allows in names.
func (x *lexer) word() {
	s, l, i := x.s, x.l, x.i
	j := i
	for j < len(s) && (nameByte(s[j]) || s[j] == '$' && l.is("js")) && !strings.HasPrefix(s[j:], umpire.Hole) {
		j++
	}
	if l.is("ruby") && j < len(s) && (s[j] == '?' || s[j] == '!') && !strings.HasPrefix(s[j:], "!=") {
		j++
	}
	if l.is("perl") {
		for j+2 < len(s) && s[j] == ':' && s[j+1] == ':' && nameByte(s[j+2]) {
			j = nameEnd(s, j+2)
		}
	}
	if l.is("r") {
		for j < len(s) && (s[j] == '.' || nameByte(s[j])) {
			j++
		}
	}
	x.i = j
	x.add(token{kind: tName, text: s[i:j]})
}

// operator reads the longest operator at the position, or one character.
func (x *lexer) operator() {
	rest := x.s[x.i:]
	n := 1
	if x.l.is("r") && strings.HasPrefix(rest, "<-") {
		x.i += 2
		x.add(token{kind: tOp, text: "="})
		return
	}
	for _, op := range operators {
		if strings.HasPrefix(rest, op) {
			n = len(op)
			break
		}
	}
	x.i += n
	x.add(token{kind: tOp, text: rest[:n]})
}

// operators of all languages, longest first.
var operators = [...]string{
	">>>=", "...", "===", "!==", "**=", "<=>", "&&=", "||=", "??=", ">>>", "//=", "<<=", ">>=", "?->",
	"=>", "->", "::", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "+=", "-=", "*=", "/=", ".=", "%=", "|=", "&=", "^=", "++", "--", "**", "<<", ">>", "=~", "!~", "..", ":=", "|&", "//",
}

func nameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

// nameEnd returns the index after the name that begins at i.
func nameEnd(s string, i int) int {
	for i < len(s) && nameByte(s[i]) {
		i++
	}
	return i
}

// sigil reads $x, @x, %x, @@x; ${x} and @{...} leave their braces to the parser.
func (x *lexer) sigil() {
	s, i := x.s, x.i
	j := i + 1
	if s[j] == '#' && x.l.is("perl") { // $#x, the last index of @x
		j++
	}
	for j < len(s) && (s[j] == '@' || s[j] == '$') && x.l.name == "ruby" {
		j++
	}
	if j < len(s) && !nameByte(s[j]) && s[j] != '{' && s[j] != '$' && s[j] != '@' {
		x.i = j + 1
		x.add(token{kind: tName, text: s[i : j+1]})
		return
	}
	if j < len(s) && s[j] == '{' { // ${x}, @{$x}, ${\ ...}
		k := nameEnd(s, j+1)
		if k < len(s) && s[k] == '}' && k > j+1 {
			x.i = k + 1
			x.add(token{kind: tName, text: "$" + s[j+1:k]})
			return
		}
		x.i = j // the sigil has no effect; the expression after it is evaluated
		return
	}
	if j+1 < len(s) && s[j] == '$' && x.l.is("php") && nameByte(s[j+1]) { // $$x may be any variable
		j++
	}
	if j < len(s) && (s[j] == '$' || s[j] == '@') {
		x.i = j // $$x, @$x
		return
	}
	for j < len(s) && (nameByte(s[j]) || x.l.name == "perl" && s[j] == ':' && j+2 < len(s) && s[j+1] == ':' && nameByte(s[j+2])) {
		if s[j] == ':' {
			j++
		}
		j++
	}
	x.i = j
	name := s[i:j]
	if x.l.is("perl") { // $x[0] and @x count as one variable
		name = "$" + strings.TrimPrefix(strings.TrimPrefix(s[i+1:j], "main::"), "CORE::")
	}
	x.add(token{kind: tName, text: name, sigil: s[i]})
}

func longBracket(s string) int {
	if len(s) < 2 || s[0] != '[' {
		return 0
	}
	j := 1
	for j < len(s) && s[j] == '=' {
		j++
	}
	if j >= len(s) || s[j] != '[' {
		return 0
	}
	end := strings.Index(s, "]"+s[1:j]+"]")
	if end < 0 {
		return len(s)
	}
	return end + j + 1
}
