package code

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// vim reads ex commands: :!cmd, :r !cmd, :w file, :call system("..."), :source.
func (m *machine) vim(text string) {
	if !m.enter() {
		return
	}
	defer m.leave()
	inserting := false
	for line := range strings.SplitSeq(text, "\n") {
		if inserting {
			if inserting = line != "."; inserting {
				m.inserted += line + "\n"
			}
			continue
		}
		line = strings.TrimLeft(line, ": \t")
		if strings.Contains(text, "\n.\n") { // the text to insert follows, up to a line with a dot
			if anyof.Equal(strings.TrimLeft(line, "$.0123456789,"), "a", "i", "c", "append", "insert", "change") {
				inserting = true
				continue
			}
		}
		if line == "" || line[0] == '"' || !m.step() {
			continue
		}
		m.vimLine(line)
	}
}

// vimLine reads one ex command.
func (m *machine) vimLine(line string) {
	if cmd, ok := strings.CutPrefix(line, "!"); ok {
		m.shell(lit(cmd), value{})
		return
	}
	// An address comes first: %!sort, 1,5w x, .!sh
	line = strings.TrimLeft(line, "%.$0123456789,'<>;+- ")
	if cmd, ok := strings.CutPrefix(line, "!"); ok {
		m.shell(lit(cmd), m.stdin())
		return
	}
	n := nameEnd(line, 0)
	word := line[:n]
	rest := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line[n:]), "!"))
	bang := strings.HasPrefix(strings.TrimSpace(line[n:]), "!")
	more := func() {
		if i := strings.IndexByte(rest, '|'); i >= 0 {
			m.vim(rest[i+1:])
			rest = strings.TrimSpace(rest[:i])
		}
	}
	switch word {
	case "r", "read":
		if bang {
			m.shell(lit(rest), value{})
			return
		}
		more()
		if rest != "" {
			m.read(lit(rest))
		}
	case "w", "write", "wq", "x", "sav", "saveas", "up", "update", "wa", "wall", "wqa", "xa":
		if cmd, ok := strings.CutPrefix(strings.TrimSpace(line[n:]), "!"); ok && word == "w" && strings.HasPrefix(line[n:], " ") {
			m.shell(lit(cmd), unknown())
			return
		}
		more()
		m.vimWrite(rest)
	case "e", "edit", "tabe", "sp", "vs", "new", "split", "vsplit", "view":
		more()
		if rest != "" {
			m.read(lit(rest))
		}
	case "so", "source", "luafile", "pyfile", "py3file":
		more()
		m.vimSources(word, rest)
	case "py", "python", "py3", "python3", "pyx", "lua", "perl", "ruby":
		if strings.HasPrefix(word, "py") {
			word = "python"
		}
		m.embedded(word, rest)
	case "call", "echo", "echom", "let", "silent", "sil", "exe", "execute", "exec", "norm", "normal", "au", "autocmd", "bufdo", "windo", "argdo", "g", "v", "global", "vglobal", "tabdo", "verbose", "noautocmd", "keepjumps", "if", "sh", "terminal", "ter", "term", "delete", "cexpr", "lgetexpr", "put":
		m.vimScript(word, line[n:], rest)
	default:
		m.vimCalls(line)
		if _, after, ok := strings.Cut(line, "|"); ok {
			m.vim(after)
		}
	}
}

// vimSources runs a file of commands, or of a language that the command or the name of the file tells.
func (m *machine) vimSources(word, file string) {
	s := m.effect(Effect{Kind: Source, Arg: command.Lit(file)})
	switch {
	case !s.Seen || !m.enter():
		return
	case word == "luafile":
		m.embedded("lua", s.Text)
	case strings.HasSuffix(file, ".lua"): // of Neovim; Vim reads it as its own commands
		m.embedded("lua", s.Text)
		m.vim(s.Text)
	case strings.HasPrefix(word, "py"):
		m.embedded("python", s.Text)
	default:
		m.vim(s.Text)
	}
	m.leave()
}

// vimWrite reads the file that a buffer is written to or, after ">>", appended to.
func (m *machine) vimWrite(rest string) {
	if rest == "" {
		return
	}
	t := umpire.Truncate
	if f, ok := strings.CutPrefix(rest, ">>"); ok {
		rest, t = strings.TrimSpace(f), umpire.Append
	}
	text := unknown()
	if m.inserted != "" {
		text = lit(m.inserted)
	}
	m.write(lit(rest), text, t)
}

// vimScript reads a command whose arguments are other commands or expressions.
func (m *machine) vimScript(word, after, rest string) {
	switch word {
	case "silent", "sil", "bufdo", "windo", "argdo", "tabdo", "verbose", "noautocmd", "keepjumps":
		m.vim(strings.TrimPrefix(after, "!")) // silent! w, and silent !prog
		return
	case "g", "v", "global", "vglobal":
		if i := strings.LastIndexByte(rest, '/'); i >= 0 {
			m.vim(rest[i+1:])
		}
		return
	case "terminal", "ter", "term":
		if rest != "" {
			m.shell(lit(rest), value{})
		}
		return
	case "au", "autocmd":
		if f := strings.Fields(rest); len(f) > 2 {
			m.vim(strings.Join(f[2:], " "))
		}
		return
	}
	m.vimCalls(rest)
	if _, next, ok := strings.Cut(rest, "|"); ok && word != "norm" && word != "normal" {
		m.vim(next)
	}
	if word == "exe" || word == "execute" || word == "exec" {
		p := &parser{m: m, t: lex(m.languageOf("lua"), rest)}
		saved := m.l
		m.l = m.languageOf("perl")
		v := p.expression(0)
		m.l = saved
		if len(v.alts) > 0 {
			m.vim(v.text())
		}
	}
}

// vimFunctions are functions in Vim's expressions.
var vimFunctions = table{rows: []row{
	{"systemlist system job_start jobstart termopen term_start", shellsOrExecs, "0", "", 0},
	{"delete", vimDelete, "0", "1", 0},
	{"writefile", writes, "1", "0", umpire.Truncate},
	{"readfile", reads, "0", "", 0},
	{"luaeval", vimEmbedded, "0", "lua", 0},
	{"py3eval", vimEmbedded, "0", "python", 0},
	{"execute", runsVim, "0", "", 0},
}}

// vimCalls reads the calls in an expression, at any position, and ignores the rest of the language.
func (m *machine) vimCalls(expr string) {
	saved := m.l
	m.l = m.languageOf("vimscript")
	defer func() { m.l = saved }()
	for i := range m.tables.vim.rows {
		r := &m.tables.vim.rows[i]
		for name := range strings.FieldsSeq(r.names) {
			rest := expr
			for range 16 {
				before, after, ok := strings.Cut(rest, name+"(")
				if !ok {
					break
				}
				rest = after
				if before != "" && nameByte(before[len(before)-1]) {
					continue
				}
				p := &parser{m: m, t: lex(m.l, rest)}
				if args, _ := p.arguments(")"); len(args) > 0 {
					r.does(m, &call{ref: name, args: args}, r)
				}
			}
		}
	}
}

// vimDelete deletes a file, or a tree if the flags contain r.
func vimDelete(m *machine, c *call, r *row) (value, bool) {
	t := command.When(strings.Contains(c.get(r.second).text(), "r"), umpire.Recursive)
	return m.del(c.get(r.first), t), true
}

// vimEmbedded runs a text in the language that the row names.
func vimEmbedded(m *machine, c *call, r *row) (value, bool) {
	m.embedded(string(r.second), c.get(r.first).text())
	return unknown(), true
}

// runsVim runs commands of the editor.
func runsVim(m *machine, c *call, r *row) (value, bool) {
	for _, text := range c.get(r.first).all() {
		m.vim(text)
	}
	return unknown(), true
}

// embedded reads code in another language.
func (m *machine) embedded(lang, text string) {
	saved := m.l
	m.l = m.languageOf(lang)
	m.program(text)
	m.l = saved
}

// ed reads the commands of the editor: !cmd, r !cmd, w !cmd, w file.
func (m *machine) ed(text string) {
	input := false
	for line := range strings.SplitSeq(text, "\n") {
		if !m.step() {
			return
		}
		if input {
			input = line != "."
			continue
		}
		t := strings.TrimLeft(strings.TrimSpace(line), "0123456789,.$%;+- ")
		switch {
		case t == "":
		case t[0] == '!':
			m.shell(lit(t[1:]), value{})
		case t == "a" || t == "i" || t == "c":
			input = true
		case anyof.HasPrefix(t, "r ", "e "):
			m.edFile(strings.TrimSpace(t[1:]), false)
		case t[0] == 'w' || t[0] == 'W':
			m.edFile(strings.TrimSpace(strings.TrimPrefix(t[1:], "q")), true)
		}
	}
}

func (m *machine) edFile(arg string, write bool) {
	switch {
	case strings.HasPrefix(arg, "!"):
		m.shell(lit(arg[1:]), unknown())
	case arg == "":
	case write:
		m.write(lit(arg), unknown(), umpire.Truncate)
	default:
		m.read(lit(arg))
	}
}
