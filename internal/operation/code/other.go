package code

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

func luaCall(m *machine, c *call) (value, bool) {
	name := c.method()
	switch c.ref {
	case "expand", "fnamemodify", "glob", "vim.fn.expand":
		return m.expandUser(m.expandVars(c.arg(0))), true
	case "os.execute", "vim.fn.system", "vim.fn.systemlist", "vim.cmd.terminal":
		return m.shell(c.arg(0), value{}), true
	case "io.popen":
		return m.shell(c.arg(0), value{}), true
	case "vim.cmd", "vim.api.nvim_command", "vim.api.nvim_exec":
		for _, a := range c.arg(0).all() {
			m.vim(a)
		}
		return unknown(), true
	case "vim.loop.spawn", "vim.system":
		return m.exec([]value{c.arg(0)}, value{}), true
	case "os.remove", "lfs.rmdir":
		return m.del(c.arg(0), 0), true
	case "os.rename":
		return m.rename(c.arg(0), c.arg(1)), true
	case "os.getenv":
		return m.getenv(c.arg(0).text()), true
	case "io.open":
		return m.open(c.arg(0), c.arg(1).text(), false), true
	case "io.lines", "io.input":
		return m.read(c.arg(0)), true
	case "io.output":
		return m.open(c.arg(0), "w", false), true
	case "io.read":
		return m.stdin(), true
	case "print", "io.write":
		v := lit("")
		for _, a := range c.args {
			v = concat(v, a)
		}
		m.print(v, c.ref == "print")
		return unknown(), true
	case "load", "loadstring", "dostring":
		v := c.arg(0)
		if v.fn != nil {
			return v, true
		}
		if v.known() && v.taint&(command.FromDecoder|command.FromNetwork) == 0 {
			return value{fn: &function{toks: lex(m.l, v.text())}}, true
		}
		m.eval(v)
		return unknown(), true
	case "dofile", "loadfile":
		m.source(c.arg(0))
		return unknown(), true
	case "assert", "pcall", "xpcall", "ipairs", "pairs", "coroutine.wrap", "select", "tostring":
		f := c.arg(0)
		if strings.HasSuffix(c.ref, "pcall") && (f.fn != nil || f.ref != "") {
			return m.call(f, c.args[1:], value{}), true
		}
		if c.ref == "ipairs" || c.ref == "pairs" {
			if f.seq {
				var rows []value
				for _, x := range f.list {
					rows = append(rows, listOf([]value{unknown(), x}))
				}
				return listOf(rows), true
			}
		}
		return f, true
	case "require":
		return value{ref: c.arg(0).text()}, true
	case "string.char":
		return chars(c.args), true
	case "string.rep", "string.reverse", "string.lower", "string.upper", "string.sub", "string.gsub":
		d := *c
		d.recv = c.arg(0)
		d.args = c.args[min(1, len(c.args)):]
		d.ref = "." + name
		if name == "sub" {
			return value{taint: d.recv.taint}, true
		}
		return m.text(&d)
	case "table.concat":
		return m.text(&call{ref: ".join", recv: c.arg(0), args: append(c.args[min(1, len(c.args)):], lit(""))[:1]})
	case "socket.tcp", "socket.connect", "socket.http.request", "http.request", "socket.udp":
		if strings.HasSuffix(c.ref, "request") {
			return m.net(c.arg(0), c.arg(1), 0), true
		}
		if len(c.args) > 1 {
			return m.connect(listOf(c.args[:2])), true
		}
		return value{ref: refSock}, true
	}
	switch c.recv.ref {
	case refFile:
		return m.fileMethod(c, name), true
	case refProc:
		return m.procMethod(c, name)
	case refSock:
		return m.sockMethod(c, name), true
	}
	return value{}, false
}

func rCall(m *machine, c *call) (value, bool) {
	switch c.ref {
	case "system", "shell", "base.system", "pipe":
		return m.shell(c.arg(0, "command"), value{}), true
	case "system2", "processx.run", "sys.exec_wait":
		args := []value{c.arg(0, "command")}
		if a := c.arg(1, "args"); !a.isNil() {
			text := concat(concat(args[0], lit(" ")), a)
			return m.shell(text, value{}), true
		}
		return m.exec(args, value{}), true
	case "unlink", "file.remove", "fs.file_delete", "fs.dir_delete":
		t := umpire.Trait(0)
		if c.arg(1, "recursive").truthy() || c.ref == "fs.dir_delete" {
			t = umpire.Recursive
		}
		return m.del(c.arg(0), t), true
	case "eval", "evalq", "source", "parse":
		if c.ref == "source" {
			m.source(c.arg(0))
			return unknown(), true
		}
		if c.ref == "parse" {
			v := c.option("text")
			v.ref = refCode
			return v, true
		}
		if c.arg(0).ref == refCode {
			return m.eval(c.arg(0)), true
		}
		return unknown(), true
	case "file.rename":
		return m.rename(c.arg(0), c.arg(1)), true
	case "writeLines", "write", "write.csv", "saveRDS", "cat", "sink", "dput":
		f := c.option("file", "con")
		if f.isNil() && c.ref != "cat" {
			f = c.arg(1)
		}
		if c.ref == "sink" {
			f = c.arg(0)
		}
		if f.isNil() || len(f.alts) == 0 {
			m.print(c.arg(0), true)
			return unknown(), true
		}
		return m.write(f, c.arg(0), umpire.Truncate), true
	case "readLines", "read.csv", "readRDS", "scan", "readr.read_file", "file", "url", "read.table":
		p := c.arg(0)
		if strings.Contains(p.text(), "://") {
			v := m.net(p, value{}, 0)
			return value{taint: v.taint}, true
		}
		return m.read(p), true
	case "download.file":
		v := m.net(c.arg(0, "url"), value{}, umpire.Download)
		return m.write(c.arg(1, "destfile"), v, 0), true
	case "file.path":
		return joinPath(c.args...), true
	case "path.expand", "normalizePath":
		return m.expandUser(c.arg(0)), true
	case "paste0":
		v := lit("")
		for _, a := range c.args {
			v = concat(v, a)
		}
		return v, true
	case "paste":
		v := lit("")
		for i, a := range c.args {
			if i > 0 {
				v = concat(v, lit(" "))
			}
			v = concat(v, a)
		}
		return v, true
	case "c", "list":
		return listOf(c.args), true
	case "Sys.getenv":
		if len(c.args) == 0 {
			return value{ref: refEnv}, true
		}
		return m.getenv(c.arg(0).text()), true
	case "setwd":
		m.effect(Effect{Kind: Chdir, Arg: c.arg(0).word()})
		return unknown(), true
	case "print":
		m.print(c.arg(0), true)
		return unknown(), true
	case "file.copy":
		v := m.read(c.arg(0))
		return m.write(c.arg(1), v, umpire.Overwrite), true
	}
	return value{}, false
}

func groovyCall(m *machine, c *call) (value, bool) {
	name := c.method()
	switch {
	case name == "execute" && (len(c.recv.alts) > 0 || c.recv.seq):
		if c.recv.seq {
			return m.exec([]value{c.recv}, value{}), true
		}
		if t := strings.ToLower(c.recv.text()); strings.HasPrefix(t, "select") || strings.HasPrefix(t, "drop ") {
			return value{}, false
		}
		return m.shell(c.recv, value{}), true
	case strings.HasSuffix(c.ref, "getRuntime().exec"), c.ref == "Runtime.runtime.exec":
		if c.arg(0).seq {
			return m.exec(c.args[:1], value{}), true
		}
		return m.shell(c.arg(0), value{}), true
	case c.ref == "Socket" || strings.HasSuffix(c.ref, ".Socket"):
		return m.connect(listOf(c.args)), true
	case c.ref == "ProcessBuilder" || strings.HasSuffix(c.ref, ".ProcessBuilder"):
		return m.exec(c.args, value{}), true
	case c.ref == "File" || strings.HasSuffix(c.ref, ".File") || c.ref == "Paths.get" || c.ref == "Path.of":
		v := joinPath(c.args...)
		v.ref = refPath
		return v, true
	case c.recv.ref == refPath:
		switch name {
		case "deleteDir", "deleteRecursively", "deleteOnExit", "delete":
			t := umpire.Recursive
			if name == "delete" || name == "deleteOnExit" {
				t = 0
			}
			return m.del(c.recv, t), true
		case "setText", "append", "write":
			return m.write(c.recv, c.arg(0), umpire.Truncate), true
		}
		return m.pathMethod(c, name)
	case c.ref == "Files.delete" || c.ref == "Files.deleteIfExists":
		return m.del(c.arg(0), 0), true
	case c.ref == "FileUtils.deleteDirectory":
		return m.del(c.arg(0), umpire.Recursive), true
	case c.ref == "println" || c.ref == "print" || c.ref == "System.out.println":
		m.print(c.arg(0), true)
		return unknown(), true
	case c.ref == "System.getenv":
		if len(c.args) == 0 {
			return value{ref: refEnv}, true
		}
		return m.getenv(c.arg(0).text()), true
	case c.ref == "System.getProperty":
		if c.arg(0).text() == "user.home" {
			return m.home(), true
		}
		return unknown(), true
	case c.ref == "evaluate" || c.ref == "Eval.me" || strings.HasSuffix(c.ref, "GroovyShell().evaluate"):
		return m.eval(c.arg(0)), true
	case c.recv.ref == refProc:
		return m.procMethod(c, name)
	}
	return value{}, false
}

// vim reads ex commands: :!cmd, :r !cmd, :w file, :call system("..."), :source.
func (m *machine) vim(text string) {
	if !m.enter() {
		return
	}
	defer m.leave()
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimLeft(line, ": \t")
		if line == "" || line[0] == '"' || !m.step() {
			continue
		}
		m.vimLine(line)
	}
}

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
	n := 0
	for n < len(line) && nameByte(line[n]) {
		n++
	}
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
		if rest != "" {
			t := umpire.Truncate
			if f, ok := strings.CutPrefix(rest, ">>"); ok {
				rest, t = strings.TrimSpace(f), umpire.Append
			}
			m.write(lit(rest), unknown(), t)
		}
	case "e", "edit", "tabe", "sp", "vs", "new", "split", "vsplit", "view":
		more()
		if rest != "" {
			m.read(lit(rest))
		}
	case "so", "source", "luafile", "pyfile", "py3file":
		more()
		m.effect(Effect{Kind: Source, Arg: command.Lit(rest)})
	case "py", "python", "py3", "python3", "pyx", "lua", "perl", "ruby":
		lang := map[bool]string{true: "python"}[strings.HasPrefix(word, "py")]
		if lang == "" {
			lang = word
		}
		m.embedded(lang, rest)
	case "call", "echo", "echom", "let", "silent", "sil", "exe", "execute", "exec", "norm", "normal", "au", "autocmd", "bufdo", "windo", "argdo", "g", "v", "global", "vglobal", "tabdo", "verbose", "noautocmd", "keepjumps", "if", "sh", "terminal", "ter", "term", "delete", "cexpr", "lgetexpr", "put":
		switch word {
		case "silent", "sil", "bufdo", "windo", "argdo", "tabdo", "verbose", "noautocmd", "keepjumps":
			m.vim(rest)
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
		if word == "exe" || word == "execute" || word == "exec" {
			p := &parser{m: m, t: lex(languageOf("lua"), rest)}
			saved := m.l
			m.l = languageOf("perl")
			v := p.expression(0)
			m.l = saved
			if len(v.alts) > 0 {
				m.vim(v.text())
			}
		}
	default:
		m.vimCalls(line)
		if i := strings.IndexByte(line, '|'); i >= 0 {
			m.vim(line[i+1:])
		}
	}
}

// vimCalls finds system(), delete(), writefile() and their kin in an expression.
func (m *machine) vimCalls(expr string) {
	for _, f := range []string{"systemlist(", "system(", "job_start(", "jobstart(", "termopen(", "delete(", "writefile(", "readfile(", "term_start(", "luaeval(", "py3eval(", "execute("} {
		rest := expr
		for n := 0; n < 16; n++ {
			i := strings.Index(rest, f)
			if i < 0 {
				break
			}
			before := i > 0 && nameByte(rest[i-1])
			rest = rest[i+len(f):]
			if before {
				continue
			}
			saved := m.l
			m.l = languageOf("lua")
			p := &parser{m: m, t: lex(languageOf("lua"), rest)}
			args, _ := p.arguments(")")
			m.l = saved
			if len(args) == 0 {
				continue
			}
			switch f {
			case "delete(":
				t := umpire.Trait(0)
				if len(args) > 1 && strings.Contains(args[1].text(), "r") {
					t = umpire.Recursive
				}
				m.del(m.expandUser(args[0]), t)
			case "writefile(":
				if len(args) > 1 {
					m.write(m.expandUser(args[1]), args[0], umpire.Truncate)
				}
			case "readfile(":
				m.read(m.expandUser(args[0]))
			case "luaeval(":
				m.embedded("lua", args[0].text())
			case "py3eval(":
				m.embedded("python", args[0].text())
			case "execute(":
				m.vim(args[0].text())
			default:
				if args[0].seq {
					m.exec(args[:1], value{})
				} else {
					m.shell(args[0], value{})
				}
			}
		}
	}
}

// embedded reads code of another language inside.
func (m *machine) embedded(lang, text string) {
	saved := m.l
	m.l = languageOf(lang)
	m.program(text)
	m.l = saved
}

// ed reads the editor's commands: !cmd, r !cmd, w !cmd, w file.
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
		case (t[0] == 'r' || t[0] == 'e') && len(t) > 1 && t[1] == ' ':
			m.edFile(strings.TrimSpace(t[1:]), false)
		case (t[0] == 'w' || t[0] == 'W') && len(t) > 1:
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

// applescript finds do shell script, and the verbs by which other applications delete or
// send.
func (m *machine) applescript(text string) {
	toks := lex(m.l, text)
	p := &parser{m: m, t: toks}
	vars := map[string]value{}
	for p.i = 0; p.i < len(toks); p.i++ {
		if !m.step() {
			return
		}
		t := toks[p.i]
		next := func(n int, words ...string) bool {
			for k, w := range words {
				if p.i+n+k >= len(toks) || !strings.EqualFold(toks[p.i+n+k].text, w) || toks[p.i+n+k].kind != tName {
					return false
				}
			}
			return true
		}
		switch {
		case t.kind == tName && strings.EqualFold(t.text, "set") && p.i+3 < len(toks) && strings.EqualFold(toks[p.i+2].text, "to"):
			name := toks[p.i+1].text
			if toks[p.i+3].kind == tName && strings.EqualFold(toks[p.i+3].text, "do") {
				break
			}
			at := p.i + 3
			v, end := m.appleText(toks, at, vars)
			vars[name] = v
			p.i = max(p.i, end-1)
		case next(0, "do", "shell", "script"):
			v, end := m.appleText(toks, p.i+3, vars)
			tr := umpire.Trait(0)
			for j := end; j < len(toks) && toks[j].kind != tLine; j++ {
				if strings.EqualFold(toks[j].text, "administrator") {
					tr = umpire.Privilege
				}
			}
			for _, w := range v.words() {
				m.effect(Effect{Kind: Shell, Arg: w, Traits: tr})
			}
			p.i = max(p.i, end-1)
		case next(0, "do", "script"):
			v, _ := m.appleText(toks, p.i+2, vars)
			m.shell(v, value{})
		case t.kind == tName && (strings.EqualFold(t.text, "delete") || next(0, "empty", "trash") || next(0, "empty", "the", "trash")):
			arg := value{}
			for j := p.i + 1; j < len(toks) && toks[j].kind != tLine; j++ {
				if toks[j].kind == tString {
					arg = p.string(toks[j])
				}
			}
			if !strings.EqualFold(t.text, "delete") {
				arg = lit("~/.Trash/*")
			}
			m.del(arg.mapText(hfsPath), umpire.Recursive)
		case next(0, "run", "script"):
			v, _ := m.appleText(toks, p.i+2, vars)
			if v.known() && m.enter() {
				m.applescript(v.text())
				m.leave()
			} else {
				m.eval(v)
			}
		case next(0, "shut", "down"), next(0, "restart"), next(0, "log", "out"):
			m.shell(lit("shutdown now"), value{})
		}
	}
}

// hfsPath turns Macintosh HD:Users:x into a path.
func hfsPath(s string) string {
	if strings.Contains(s, ":") && !strings.Contains(s, "/") {
		if i := strings.IndexByte(s, ':'); i >= 0 {
			return "/" + strings.ReplaceAll(s[i+1:], ":", "/")
		}
	}
	return s
}

// appleText reads "a" & b & quoted form of c.
func (m *machine) appleText(toks []token, i int, vars map[string]value) (value, int) {
	p := &parser{m: m}
	out := lit("")
	for i < len(toks) {
		t := toks[i]
		switch {
		case t.kind == tString:
			out = concat(out, p.string(t))
		case t.kind == tName && (strings.EqualFold(t.text, "quoted") || strings.EqualFold(t.text, "form") || strings.EqualFold(t.text, "of")):
			i++
			continue
		case t.kind == tName:
			v, ok := vars[t.text]
			if !ok {
				v = unknown()
			}
			out = concat(out, v)
		case t.kind == tOp && t.text == "(":
			i++
			continue
		default:
			return out, i
		}
		i++
		if i < len(toks) && toks[i].kind == tOp && toks[i].text == ")" {
			i++
		}
		if i >= len(toks) || toks[i].kind != tOp || toks[i].text != "&" {
			return out, i
		}
		i++
	}
	return out, i
}
