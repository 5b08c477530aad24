package command

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// doOsascript runs the lines of -e as one script, or else a file or the standard input. -l
// JavaScript changes the language.
func doOsascript(c *Call) {
	lang := "applescript"
	l, ok := c.Opt("-l")
	if ok && strings.EqualFold(l.Text, "JavaScript") {
		lang = "js"
	}
	all := Join(c.All("-e"), "\n")
	switch {
	case c.Has("-e"):
		c.Code(lang, all, Run{Out: true, Args: c.Operands})
		if strings.Contains(strings.ToLower(all.Text), "hidden answer") { // a dialog for a password
			c.SetOut(Unseen(FromSecret))
		}
	case len(c.Operands) > 0 && c.Operands[0].Text != "-":
		if !ok && strings.HasSuffix(c.Operands[0].Text, ".js") { // a text is AppleScript, whatever its name, in older versions
			c.RunFile("js", c.Operands[0], Run{Out: true, Args: c.Operands[1:]})
		}
		c.RunFile(lang, c.Operands[0], Run{Out: true, Args: c.Operands[1:]})
	default:
		stdinScript(c, lang, c.Operands)
	}
}

// declusterPerl splits the letters at the front of a cluster of options, each with its digits, off
// the rest: in -lane and -0777pe, the e for the code follows. changed is false if nothing was
// split.
func declusterPerl(args []Word) (out []Word, changed bool) {
	for i, w := range args {
		t := w.Text
		if t == "--" || len(t) < 2 || t[0] != '-' {
			return append(out, args[i:]...), changed
		}
		for len(t) > 2 && t[0] == '-' && strings.IndexByte("l0anpswWtTuUXf", t[1]) >= 0 {
			n := 2
			for (t[1] == 'l' || t[1] == '0') && n < len(t) && (t[n] >= '0' && t[n] <= '9' || t[n] == 'x') {
				n++
			}
			if n >= len(t) {
				break
			}
			out, changed = append(out, w.With(t[:n])), true
			t = "-" + t[n:]
		}
		out = append(out, w.With(t))
		if last := t[len(t)-1]; (last == 'e' || last == 'E') && len(t) == 2 && i+1 < len(args) {
			out = append(out, args[i+1])
			rest, more := declusterPerl(args[i+2:])
			return append(out, rest...), changed || more
		}
	}
	return out, changed
}

// doPerl reads perl and ruby, which share most options: -e is code, -n and -p loop over the content
// of the operands, -i edits them in place.
func doPerl(c *Call) {
	lang := c.Model.Lang
	if args, ok := declusterPerl(c.Args); ok {
		c.opts = nil
		c.parse(c.Model, args)
	}
	code := append(c.All("-e"), c.All("-E")...)
	if lang == "ruby" {
		code = c.All("-e")
	}
	if c.Inert() && len(code) == 0 {
		return
	}
	if w, ok := c.Opt("-C"); ok && lang == "ruby" {
		c.Chdir(w)
	}
	for _, o := range []string{"-M", "-m", "-r"} {
		for _, w := range c.All(o) {
			dirs := moduleFolders(c)
			if isPathWord(w.Text) {
				c.RunFile(lang, w, Run{})
				dirs = []string{""} // -r./x loads x.rb
			} else if lang == "perl" && strings.ContainsAny(w.Text, ";(") {
				// perl runs -M as a use statement, which can hold code: -M'Foo;system "x"'.
				c.Code(lang, w, Run{})
			}
			name, _, _ := strings.Cut(strings.TrimPrefix(w.Text, "-"), "=") // -MFoo::Bar=a,b
			for _, dir := range dirs {
				StartsFile(c, lang, path.Join(dir, strings.ReplaceAll(name, "::", "/")+map[string]string{"perl": ".pm", "ruby": ".rb"}[lang]))
			}
		}
	}
	ws := c.Operands
	var folders []Word
	if dirs := moduleFolders(c); len(dirs) > 0 { // the variable has the same effect
		folders = Lits(map[string]string{"perl": "PERL5LIB=", "ruby": "RUBYLIB="}[lang] + strings.Join(dirs, ":"))
	}
	if len(code) == 0 {
		if len(ws) == 0 || ws[0].Text == "-" {
			stdinScript(c, lang, c.Operands)
			return
		}
		c.RunFile(lang, ws[0], Run{Out: true, Args: ws[1:], Env: folders})
		appScript(c, ws)
		ws = ws[1:]
		if !c.Has("-n", "-p", "-i") {
			return
		}
	}
	all := Join(code, "\n")
	if r, _ := c.Opt("-r"); r.Text == "un" && all.Text == "httpd" { // ruby -run -e httpd DIR
		c.Exec(append(Lits("serve"), ws...), Run{})
	}
	if len(code) > 0 {
		c.Code(lang, all, Run{Args: ws, Out: true})
	}
	if c.Has("-n", "-p", "-i") {
		for _, w := range ws { // perl runs a name that ends in | as a program
			if cmd, ok := strings.CutSuffix(strings.TrimSpace(w.Text), "|"); ok && lang == "perl" {
				c.Shell(w.With(cmd), Run{})
			}
		}
		for _, w := range ws {
			c.ReadFile(w)
			if c.Has("-i") {
				c.WriteFile(w, 0, Unseen(c.File(w).Taint))
			}
		}
		if len(ws) == 0 {
			c.Out.Taint |= c.Stdin.Taint
		}
		if len(ws) == 0 && c.Has("-p") && c.Stdin.Pipe { // prints each line as the code left it; without code, that is the input
			s := Unseen(c.Out.Taint)
			if len(all.Text) <= 1 {
				s = c.Stdin
			}
			c.SetOut(s)
		}
	}
}

// moduleFolders returns the folders of the options -I of perl and ruby.
func moduleFolders(c *Call) (dirs []string) {
	for i, w := range c.Args {
		if dir, ok := strings.CutPrefix(w.Text, "-I"); ok && dir == "" && i+1 < len(c.Args) {
			dirs = append(dirs, c.Args[i+1].Text)
		} else if ok {
			dirs = append(dirs, dir)
		}
	}
	if w, ok := c.Var(map[string]string{"perl": "PERL5LIB", "ruby": "RUBYLIB"}[c.Model.Lang]); ok && w.Text != "" {
		dirs = append(dirs, strings.Split(w.Text, ":")...)
	}
	return dirs
}

func doPhp(c *Call) {
	if c.Inert() {
		return
	}
	if addr, ok := c.Opt("-S"); ok {
		dir, ok := c.Opt("-t")
		if !ok {
			dir = Lit(".")
		}
		host, _, _ := strings.Cut(addr.Text, ":")
		serve(c, addr.With(host), dir, false)
		return
	}
	ran := false
	for _, o := range []string{"-r", "-B", "-R", "-E"} {
		for _, w := range c.All(o) {
			c.Code("php", w, Run{Out: true, Args: c.Operands})
			ran = true
		}
	}
	for _, o := range []string{"-f", "-F"} {
		for _, w := range c.All(o) {
			c.RunFile("php", w, Run{Out: true, Args: c.Operands})
			ran = true
		}
	}
	for _, w := range c.All("-d") {
		if f, ok := strings.CutPrefix(w.Text, "auto_prepend_file="); ok {
			c.RunFile("php", w.With(f), Run{})
		}
	}
	if ran || c.Has("-i") {
		return
	}
	if len(c.Operands) > 0 && c.Operands[0].Text != "-" {
		c.RunFile("php", c.Operands[0], Run{Out: true, Args: c.Operands[1:]})
		appScript(c, c.Operands)
		return
	}
	stdinScript(c, "php", c.Operands)
}

func doR(c *Call) {
	if c.Has("-e", "-f") {
		return
	}
	ws := c.Operands
	if len(ws) > 2 && ws[0].Text == "CMD" && ws[1].Text == "BATCH" {
		if fs := skipOptions(ws[2:]); len(fs) > 0 {
			c.RunFile("r", fs[0], Run{})
		}
		return
	}
	if len(ws) == 0 {
		stdinScript(c, "r", nil)
	}
}

func doTclsh(c *Call) {
	if len(c.Operands) > 0 && c.Operands[0].Text != "-" {
		c.ReadFile(c.Operands[0])
		tclStream(c, c.File(c.Operands[0]))
		return
	}
	tclStream(c, c.Stdin)
}

// doJava reads agents and error commands in the options of java, and then the jar, source file or
// class that it runs.
func doJava(c *Call) {
	if c.Inert() {
		return
	}
	for _, w := range c.Args {
		if a, ok := strings.CutPrefix(w.Text, "-javaagent:"); ok {
			a, _, _ = strings.Cut(a, "=")
			c.RunFile("java", w.With(a), Run{})
		}
		if v, ok := strings.CutPrefix(w.Text, "-XX:OnOutOfMemoryError="); ok {
			c.Shell(w.With(v), Run{Traits: umpire.RunsProgram})
		}
		if v, ok := strings.CutPrefix(w.Text, "-XX:OnError="); ok {
			c.Shell(w.With(v), Run{Traits: umpire.RunsProgram})
		}
	}
	if jar, ok := c.Opt("-jar"); ok {
		if s := c.File(jar); s.Taint&(FromNetwork|FromDecoder) != 0 {
			c.Script("java", Stream{Taint: s.Taint, Pipe: true}, Run{Via: c.Program})
		}
		javaTool(c, jar)
		return
	}
	if len(c.Operands) > 0 && strings.HasSuffix(c.Operands[0].Text, ".java") {
		c.RunFile("java", c.Operands[0], Run{Out: true, Args: c.Operands[1:]})
	} else if len(c.Operands) > 0 {
		c.runSources(c.Operands[0].Text)
	}
}

// javaTool runs well-known jars as the programs that have the same command line.
func javaTool(c *Call, jar Word) {
	name := jar.Text[strings.LastIndexAny(jar.Text, `/\`)+1:]
	name = strings.TrimSuffix(name, ".jar")
	switch {
	case strings.HasPrefix(name, "bfg"):
		c.Exec(append(Lits("bfg"), c.Operands...), Run{Out: true})
	case strings.HasPrefix(name, "jenkins-cli"):
		c.Exec(append(Lits("jenkins-cli"), c.Args[slices.IndexFunc(c.Args, func(w Word) bool { return w.Text == jar.Text })+1:]...), Run{Out: true})
	}
}

// doRunParts runs every program in a folder.
func doRunParts(c *Call) {
	if c.Inert() || len(c.Operands) == 0 {
		return
	}
	dir := c.Operands[0]
	names := c.Names(dir)
	for _, name := range c.AtMost(names) {
		c.Exec([]Word{dir.With(path.Join(dir.Text, name))}, Run{Via: c.Program})
	}
	if len(names) == 0 {
		c.Op(umpire.Exec, Quote(c.Program, c.Operands), umpire.UnseenCode)
	}
}

// doGdb reads the commands of a debugger, which can run a shell, and the program that it starts.
func doGdb(c *Call) {
	init := ".gdbinit"
	if strings.Contains(c.Program, "lldb") {
		init = ".lldbinit"
	}
	if f, ok := c.StartedFile(init); ok && !c.Has("-n", "-nx", "--no-lldbinit") {
		for line := range strings.Lines(f.Text) {
			gdbCommand(c, Word{Text: strings.TrimSpace(line), Taint: f.Taint})
		}
	}
	if c.Stdin.Pipe && c.Stdin.Seen {
		for line := range strings.Lines(c.Stdin.Text) {
			gdbCommand(c, Word{Text: strings.TrimSpace(line), Taint: c.Stdin.Taint})
		}
	}
	ws := c.Operands
	for i := 0; i < len(ws); i++ {
		t := ws[i].Text
		if !strings.HasPrefix(t, "-") {
			return // the program is only loaded; gdb runs it on request
		}
		name, value, attached := strings.Cut(strings.TrimLeft(t, "-"), "=")
		next := func() Word {
			if attached {
				return ws[i].With(value)
			}
			if i++; i < len(ws) {
				return ws[i]
			}
			return Word{}
		}
		if name == "b" && strings.Contains(c.Program, "lldb") {
			continue // a flag in lldb; in gdb it takes a baud rate
		}
		switch name {
		case "ex", "eval-command", "iex", "init-eval-command", "o", "one-line", "O", "one-line-before-file":
			gdbCommand(c, next())
		case "x", "command", "ix", "init-command", "s", "source":
			f := next()
			c.ReadFile(f)
			s := c.File(f)
			if !s.Seen && s.Taint != 0 {
				c.Script("gdb", s, Run{})
			}
			if s.Seen {
				for line := range strings.SplitSeq(s.Text, "\n") {
					gdbCommand(c, Word{Text: line, Taint: s.Taint})
				}
			}
		case "args", "":
			c.Exec(ws[i+1:], Run{})
			return
		case "p", "pid":
			c.role('A', next())
		case "c", "core", "cd", "d", "directory", "e", "exec", "tty", "b", "l", "data-directory", "symbols", "se", "n", "attach-name", "interpreter", "i":
			next()
		}
	}
}

func gdbCommand(c *Call, w Word) {
	text := strings.TrimSpace(w.Text)
	cmd, rest, _ := strings.Cut(text, " ")
	switch {
	case strings.HasPrefix(text, "!"):
		c.Shell(w.With(text[1:]), Run{})
	case cmd == "shell" || cmd == "make" || cmd == "platform":
		c.Shell(w.With(strings.TrimPrefix(rest, "shell ")), Run{})
	case cmd == "python" || cmd == "py" || cmd == "python-interactive" || cmd == "pi" || cmd == "script":
		c.Code("python", w.With(rest), Run{})
	case cmd == "command" && strings.HasPrefix(rest, "script import "):
		c.RunFile("python", w.With(strings.TrimSpace(rest[len("script import "):])), Run{})
	case cmd == "source":
		c.RunFile("python", w.With(rest), Run{})
	case cmd == "call" || cmd == "print" || cmd == "p" || cmd == "expr" || cmd == "expression":
		if _, after, ok := strings.Cut(rest, "system("); ok {
			arg := after
			arg, _, _ = strings.Cut(strings.TrimLeft(arg, `" `), `"`)
			c.Shell(w.With(arg), Run{})
		}
	case cmd == "pipe" || cmd == "|":
		if _, sh, ok := strings.Cut(rest, "|"); ok {
			c.Shell(w.With(sh), Run{})
		}
	}
}
