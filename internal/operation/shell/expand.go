package shell

import (
	"path"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/escape"
	"mvdan.cc/sh/v3/syntax"
)

// fields collects the words that one expansion yields.
type fields struct {
	out    []command.Word
	text   strings.Builder
	t      command.Taint
	glob   bool
	some   bool   // the current word exists, even if it is empty
	many   bool   // the current word may be several words, or none
	list   string // the names of a listing that the current word ends or goes on after
	filled bool   // the current word begins with a value that is not empty
}

func (f *fields) add(s string, quoted bool) {
	f.text.WriteString(s)
	if quoted || s != "" {
		f.some = true
	}
}

func (f *fields) end() {
	if f.some && len(f.out) < maxFields {
		w := f.word()
		w.Many = f.many || f.glob
		f.out = append(f.out, w)
		if f.list != "" && !w.Found { // $(find src)x: only the last name has the x
			f.out = append(f.out, command.OfText(command.Word{Text: f.list, Taint: f.t}))
		}
	}
	f.text.Reset()
	f.t, f.glob, f.some, f.many, f.filled, f.list = 0, false, false, false, false, ""
}

// word returns the current word.
func (f *fields) word() command.Word {
	return command.OfText(command.Word{Text: f.text.String(), Taint: f.t, Marks: command.Marks{Glob: f.glob, Filled: f.filled}})
}

// split adds an unquoted value and splits it at the characters of IFS. Any amount of white space is
// one separator; every other character of IFS is one each time.
func (f *fields) split(w command.Word, ifs string) {
	add := func(s string) {
		f.t |= w.Taint
		f.glob = f.glob || hasGlob(s)
		f.many = f.many || w.Many || strings.Contains(s, umpire.Hole)
		if strings.HasSuffix(s, command.ListMark) {
			f.list = s
		}
		f.add(s, false)
	}
	blanks := blanks(ifs)
	s := w.Listed()
	if rest := strings.TrimLeft(s, blanks); len(rest) < len(s) {
		f.end()
		s = rest
	}
	for s != "" {
		i := strings.IndexAny(s, ifs)
		if i < 0 {
			add(s)
			return
		}
		if i > 0 {
			add(s[:i])
		}
		gap := len(s[i:]) - len(strings.TrimLeft(s[i:], blanks))
		if i += gap; i < len(s) && strings.IndexByte(ifs, s[i]) >= 0 {
			f.some = true // these characters also end an empty word
			i++
		}
		f.end()
		s = strings.TrimLeft(s[i:], blanks)
	}
	f.t |= w.Taint
}

// expand expands words to the arguments of a program.
func (sh *shell) expand(words []*syntax.Word) []command.Word {
	var f fields
	for _, w := range words {
		if len(f.out) >= maxFields || !sh.step() {
			break
		}
		for _, b := range braces(w) {
			sh.word(&f, b)
		}
	}
	if len(f.out) >= maxFields { // the last words are unknown
		sh.exceeds("words")
	}
	return f.out
}

// word expands one word with splitting.
func (sh *shell) word(f *fields, w *syntax.Word) {
	if l, ok := w.Parts[0].(*syntax.Lit); ok {
		if name, _, ok := strings.Cut(l.Value, "="); ok && syntax.ValidName(strings.TrimSuffix(name, "+")) {
			sh.assignment(f, w, len(name)+1, false) // bash expands NAME=~ anywhere
			f.end()
			return
		}
	}
	for i, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok {
			s := l.Value
			if i == 0 {
				s = sh.tilde(f, s, len(w.Parts) == 1)
			}
			sh.literal(f, s)
			continue
		}
		sh.part(f, p, false)
	}
	f.end()
}

// literal adds unquoted text, in which backslashes quote and glob characters match files.
func (sh *shell) literal(f *fields, s string) {
	if !strings.Contains(s, `\`) {
		f.glob = f.glob || hasGlob(s)
		f.add(s, false)
		return
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\\' && i+1 < len(s) {
			i++
			if s[i] != '\n' {
				b.WriteByte(s[i])
			}
			continue
		}
		if c == '*' || c == '?' || c == '[' {
			f.glob = true
		}
		b.WriteByte(c)
	}
	f.add(b.String(), true)
}

// tilde expands a leading ~ and returns the rest of s.
func (sh *shell) tilde(f *fields, s string, whole bool) string {
	if !strings.HasPrefix(s, "~") {
		return s
	}
	head, rest, slash := strings.Cut(s[1:], "/")
	if !slash && !whole {
		return s // ~"x" is not expanded
	}
	var dir string
	switch {
	case head == "":
		w, ok := sh.get("HOME")
		if !ok {
			w.Text = umpire.Hole
		}
		dir = w.Text
	case head == "+":
		dir = sh.dir
	case head == "-":
		w, ok := sh.get("OLDPWD")
		if !ok {
			w.Text = umpire.Hole
		}
		dir = w.Text
	case head == "root":
		dir = "/root"
	case strings.ContainsAny(head, `\*?[`):
		return s
	default:
		dir = path.Join(path.Dir(sh.env.Map.Home), head)
		if sh.env.Map.Home == "" || sh.env.Map.Home == "/root" {
			dir = "/home/" + head
		}
	}
	f.add(dir, true)
	if slash {
		return "/" + rest
	}
	return ""
}

// value expands the value of an assignment, in which ~ also means a folder after a colon.
func (sh *shell) value(w *syntax.Word) command.Word {
	if w == nil {
		return command.Word{}
	}
	var f fields
	sh.assignment(&f, w, 0, true)
	return f.word()
}

// assignment expands a word whose value begins at index from. q is the quoting, as for part.
func (sh *shell) assignment(f *fields, w *syntax.Word, from int, q bool) {
	for i, p := range w.Parts {
		l, ok := p.(*syntax.Lit)
		if !ok {
			sh.part(f, p, q)
			continue
		}
		s := l.Value
		if i == 0 {
			sh.literal(f, s[:from])
			s = s[from:]
		}
		for first := i == 0; s != ""; first = true {
			end := strings.IndexByte(s, ':')
			last := end < 0
			if last {
				end = len(s)
			}
			part := s[:end]
			if first {
				part = sh.tilde(f, part, !last || i == len(w.Parts)-1)
			}
			sh.literal(f, part)
			if s = s[end:]; !last {
				f.add(":", false)
				s = s[1:]
			}
		}
	}
}

// one expands a word to a single value without splitting, such as the target of a redirection.
func (sh *shell) one(w *syntax.Word) command.Word {
	if w == nil {
		return command.Word{}
	}
	var f fields
	for i, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok {
			s := l.Value
			if i == 0 {
				s = sh.tilde(&f, s, len(w.Parts) == 1)
			}
			sh.literal(&f, s)
			continue
		}
		sh.part(&f, p, true)
	}
	return f.word()
}

// quoted expands the parts inside double quotes.
func (sh *shell) quoted(parts []syntax.WordPart) command.Word {
	var f fields
	sh.dquote(&f, parts)
	return f.word()
}

func (sh *shell) dquote(f *fields, parts []syntax.WordPart) {
	f.some = true
	for _, p := range parts {
		if l, ok := p.(*syntax.Lit); ok {
			f.add(unescapeDouble(l.Value), true)
			continue
		}
		sh.part(f, p, true)
	}
}

func unescapeDouble(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			switch s[i+1] {
			case '$', '`', '"', '\\':
				i++
			case '\n':
				i++
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// part expands any part of a word except a literal. q is true inside quotes and where words are not
// split.
func (sh *shell) part(f *fields, p syntax.WordPart, q bool) {
	if !sh.step() {
		return
	}
	put := func(w command.Word) {
		if len(w.Text) > maxValue {
			w.Text = umpire.Hole
		}
		if q {
			f.t |= w.Taint
			f.filled = f.filled || f.text.Len() == 0 && w.Filled
			f.add(w.Listed(), true)
			return
		}
		f.split(w, sh.separators())
	}
	switch p := p.(type) {
	case *syntax.Lit:
		sh.literal(f, p.Value)
	case *syntax.SglQuoted:
		s := p.Value
		if p.Dollar {
			s, _, _ = strings.Cut(ansi(s), "\x00") // a C string ends at a NUL
		}
		f.add(s, true)
	case *syntax.DblQuoted:
		sh.dquote(f, p.Parts)
	case *syntax.CmdSubst:
		put(sh.capture(p.Stmts))
	case *syntax.ProcSubst:
		f.add(sh.procSubst(p), true)
	case *syntax.ArithmExp:
		if n, ok := sh.arith(p.X); ok {
			put(command.Lit(strconv.Itoa(n)))
		} else {
			put(command.Lit(umpire.Hole))
		}
	case *syntax.ExtGlob:
		f.glob = true
		f.add(extGlob(p), false)
	case *syntax.BraceExp:
		f.add("{", false)
	case *syntax.ParamExp:
		sh.param(f, p, q, put)
	}
}

// extGlob returns text for an extended glob: the only alternative of @(x), or *. ?(x) and *(x) may
// be empty, +(x) may be xx, and in zsh *(x) is a * with conditions.
func extGlob(p *syntax.ExtGlob) string {
	if p.Op == syntax.GlobOne && !strings.ContainsAny(p.Pattern.Value, "|*?[") {
		return p.Pattern.Value
	}
	return "*"
}

// ansi decodes the escapes of $'...', printf %b and echo -e.
func ansi(s string) string { return command.Plain(escape.Of("shell").Decode(s)) }

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 32
	}
	return c
}
