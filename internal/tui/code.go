package tui

import (
	"path"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
)

// language describes the syntax to color: words, comments and strings. It is not a grammar; unknown
// syntax stays plain.
type language struct {
	words   string // separated by spaces
	comment []string
	open    string // start and end of a block comment
	close   string
	quotes  string
}

var (
	cLike  = language{words: " break case char class const continue default do double else enum extern false final float for goto if import include int interface long namespace new null nullptr package private protected public return short signed sizeof static struct super switch template this throw throws true try typedef union unsigned using var virtual void volatile while ", comment: []string{"//"}, open: "/*", close: "*/", quotes: `"'`}
	golang = language{words: " break case chan const continue default defer else fallthrough false for func go goto if import interface iota map nil package range return select struct switch true type var ", comment: []string{"//"}, open: "/*", close: "*/", quotes: "\"'`"}
	script = language{words: " as async await break case catch class const continue default delete do else enum export extends false finally for from function if implements import in instanceof interface let new null of private protected public readonly return static super switch this throw true try type typeof undefined var void while yield ", comment: []string{"//"}, open: "/*", close: "*/", quotes: "\"'`"}
	python = language{words: " False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield ", comment: []string{"#"}, quotes: `"'`}
	rust   = language{words: " as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while ", comment: []string{"//"}, open: "/*", close: "*/", quotes: `"`}
	shell  = language{words: " case do done elif else esac export fi for function if in local return select set then until while ", comment: []string{"#"}, quotes: `"'`}
	ruby   = language{words: " alias and begin break case class def do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield ", comment: []string{"#"}, quotes: `"'`}
	sql    = language{words: " add all alter and as asc begin by case commit create delete desc distinct drop else end exists foreign from group having in index inner insert into is join key left limit not null on or order primary references returning rollback select set table then union unique update values view when where with ", comment: []string{"--"}, open: "/*", close: "*/", quotes: `"'`}
	config = language{words: " false no null true yes ", comment: []string{"#"}, quotes: `"'`}
)

// languages are found by file extension, or by the word after a fence.
var languages = map[string]*language{
	"go": &golang, "golang": &golang,
	"c": &cLike, "h": &cLike, "cc": &cLike, "cpp": &cLike, "hpp": &cLike, "cs": &cLike, "java": &cLike, "kt": &cLike, "swift": &cLike, "php": &cLike, "scala": &cLike, "proto": &cLike,
	"js": &script, "mjs": &script, "cjs": &script, "jsx": &script, "ts": &script, "tsx": &script, "javascript": &script, "typescript": &script, "json": &script, "jsonc": &script,
	"py": &python, "python": &python, "rs": &rust, "rust": &rust, "rb": &ruby, "ruby": &ruby,
	"sh": &shell, "bash": &shell, "zsh": &shell, "shell": &shell, "mk": &shell, "dockerfile": &shell,
	"sql": &sql, "yaml": &config, "yml": &config, "toml": &config, "ini": &config, "conf": &config,
}

// languageOf returns a file's language, or nil.
func languageOf(file string) *language {
	base := strings.ToLower(path.Base(file))
	if ext := strings.TrimPrefix(path.Ext(base), "."); ext != "" {
		return languages[ext]
	}
	if base == "makefile" {
		return &shell
	}
	return languages[base]
}

// code draws clean code, indented, and breaks long lines.
func code(text, lang string, cells int) (out []string) {
	l := languages[strings.ToLower(lang)]
	within := false
	for line := range strings.Lines(text) {
		var spans []span
		spans, within = l.color(untab(strings.TrimSuffix(line, "\n")), 0, within)
		for _, w := range hardwrap(spans, cells-2) {
			out = append(out, "  "+draw(w))
		}
	}
	return out
}

// maxColored limits the length of a line to color, in bytes.
const maxColored = 2000

// color splits a line into spans with colors on top of a style. within reports whether the line
// begins, and then ends, in a block comment.
func (l *language) color(line string, base style, within bool) (out []span, still bool) {
	if l == nil || len(line) > maxColored {
		return []span{{line, base}}, within
	}
	from, i := 0, 0
	put := func(to int, st style) {
		if from < to {
			out = append(out, span{line[from:to], base | st})
		}
		from = to
	}
	for i < len(line) {
		if within {
			n := strings.Index(line[i:], l.close)
			if n < 0 {
				put(len(line), faint)
				return out, true
			}
			i += n + len(l.close)
			put(i, faint)
			within = false
			continue
		}
		rest := line[i:]
		c := rest[0]
		switch {
		case anyof.HasPrefix(rest, l.comment...) && (c != '#' || i == 0 || line[i-1] == ' '):
			put(i, 0)
			put(len(line), faint)
			return out, false
		case l.open != "" && strings.HasPrefix(rest, l.open):
			put(i, 0)
			i += len(l.open)
			within = true
		case strings.IndexByte(l.quotes, c) >= 0:
			put(i, 0)
			i += quoted(rest)
			put(i, literal(base, yellow))
		case letter(c):
			n := 1
			for n < len(rest) && (letter(rest[n]) || rest[n] >= '0' && rest[n] <= '9') {
				n++
			}
			word := rest[:n]
			if l == &sql {
				word = strings.ToLower(word)
			}
			if strings.Contains(l.words, " "+word+" ") {
				put(i, 0)
				put(i+n, bold)
			}
			i += n
		case c >= '0' && c <= '9':
			put(i, 0)
			for i < len(line) && (letter(line[i]) || line[i] >= '0' && line[i] <= '9' || line[i] == '.') {
				i++
			}
			put(i, literal(base, magenta))
		default:
			i++
		}
	}
	if within {
		put(len(line), faint)
	}
	put(len(line), 0)
	return out, within
}

// literal returns a color unless the line already has one with a meaning.
func literal(base, st style) style {
	if base&0xff != 0 {
		return 0
	}
	return st
}

// quoted returns the length of the string literal at the start of a text, or of the whole text if
// it does not end.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		}
	}
	return len(s)
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }
