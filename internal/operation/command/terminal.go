package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// doScript reads both forms: script -c COMMAND [FILE], and BSD's script FILE COMMAND...
func doScript(c *Call) {
	if len(c.Operands) > 0 {
		c.WriteFile(c.Operands[0], umpire.Truncate, Unseen(0))
	}
	if w, ok := c.Opt("-c"); ok {
		c.Shell(w, Run{Out: true})
		return
	}
	if len(c.Operands) > 1 {
		// The words after the file are options for util-linux's script, and a command for BSD's.
		for i, w := range c.Operands[1:] {
			if t := w.Text; t == "--command" || len(t) > 1 && t[0] == '-' && t[1] != '-' && strings.HasSuffix(t, "c") {
				c.Shell(joined(c.Operands[min(i+2, len(c.Operands)):]), Run{Out: true})
				return
			} else if text, ok := strings.CutPrefix(t, "--command="); ok {
				c.Shell(w.With(text), Run{Out: true})
				return
			} else if !strings.HasPrefix(t, "-") {
				c.Exec(c.Operands[i+1:], Run{Out: true})
				return
			}
		}
	}
	stdinShell(c, Run{Out: true})
}

// doExpect reads the programs that an expect script starts and the lines that it types.
func doExpect(c *Call) {
	for _, w := range c.All("-c") {
		tcl(c, w)
	}
	f, ok := c.Opt("-f")
	if !ok && len(c.Operands) > 0 {
		f, ok = c.Operands[0], true
	}
	if ok && f.Text != "-" {
		c.ReadFile(f)
		tclStream(c, c.File(f))
		return
	}
	if !c.Has("-c") {
		tclStream(c, c.Stdin)
	}
}

func tclStream(c *Call, s Stream) {
	if !s.Seen {
		if s.Pipe || s.Taint != 0 {
			c.Script("tcl", s, Run{Via: c.Program})
		}
		return
	}
	tcl(c, Word{Text: s.Text, Taint: s.Taint})
}

// tcl reads the commands of a Tcl script that start programs or remove files. It does not expand
// words in braces or quotes.
func tcl(c *Call, w Word) {
	if w.Taint&(FromNetwork|FromDecoder) != 0 {
		c.Script("tcl", Stream{Text: w.Text, Seen: true, Pipe: true, Taint: w.Taint}, Run{Via: c.Program})
	}
	text := w.Text
	if len(text) > maxTcl {
		text = text[:maxTcl]
		c.Script("tcl", Stream{Pipe: true}, Run{Via: c.Program}) // the rest is not shown
	}
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == ';' }) {
		line = strings.Trim(line, " \t{}[]")
		if i := strings.Index(line, "[exec "); i > 0 {
			line = strings.Trim(line[i:], "[]{} ")
		}
		line = strings.TrimPrefix(line, "eval ")
		if _, piped, ok := strings.Cut(line, "open \"|"); ok {
			line = "exec " + strings.TrimRight(piped, "\" rwa+")
		}
		cmd, rest, _ := strings.Cut(line, " ")
		rest = strings.TrimSpace(rest)
		switch cmd {
		case "spawn", "exec", "system", "exp_spawn", "overlay":
			for _, o := range []string{"-noecho ", "-ignorestderr ", "-nottycopy ", "-keepnewline ", "-- "} {
				rest = strings.TrimPrefix(rest, o)
			}
			if n := strings.Count(rest, "{") - strings.Count(rest, "}"); n > 0 { // trimmed above
				rest += strings.Repeat("}", n)
			}
			if inner := strings.Trim(rest, `"`); cmd == "system" && len(inner) == len(rest)-2 {
				rest = inner // one word, which the shell splits
			}
			rest = strings.NewReplacer("{", "'", "}", "'").Replace(rest)
			c.Shell(w.With(rest), Run{Out: true})
		case "file":
			if rest, ok := strings.CutPrefix(rest, "delete"); ok {
				rest = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(rest), "-force"))
				for f := range strings.FieldsSeq(strings.TrimPrefix(rest, "--")) {
					c.Delete(w.With(strings.Trim(f, "\"{}")), umpire.Recursive|umpire.Force)
				}
			}
		case "send", "exp_send":
			// The script types this into the program that it spawned, which often is a shell.
			if t := strings.Trim(strings.TrimPrefix(rest, "-- "), "\"{}"); strings.Contains(text, "spawn") && strings.HasSuffix(t, `\r`) {
				c.Shell(w.With(strings.TrimSuffix(t, `\r`)), Run{})
			}
		}
	}
}

const maxTcl = 64 << 10 // bytes of a script that are read

// doTmux reads the commands of tmux that start programs or type into one. The word \; or ";"
// separates commands.
func doTmux(c *Call) {
	if w, ok := c.Opt("-f"); ok && w.Known() {
		tmuxFile(c, w.Text)
	}
	for _, w := range c.Operands { // a format runs what #( ) holds
		for _, part := range strings.Split(w.Text, "#(")[1:] {
			text, _, _ := strings.Cut(part, ")")
			c.Shell(w.With(text), Run{Via: "tmux"})
		}
	}
	for ws := c.Operands; len(ws) > 0; {
		n := 0
		for n < len(ws) && ws[n].Text != ";" && ws[n].Text != `\;` && !strings.HasSuffix(ws[n].Text, ";") {
			n++
		}
		cmd := ws[:n]
		if n < len(ws) && len(ws[n].Text) > 1 && ws[n].Text != `\;` {
			cmd = append(cmd[:n:n], ws[n].With(strings.TrimSuffix(ws[n].Text, ";")))
		}
		tmuxCommand(c, cmd)
		ws = ws[min(n+1, len(ws)):]
	}
}

// tmuxFile runs the commands in tmux's configuration that start programs.
func tmuxFile(c *Call, name string) {
	f, _ := c.StartedFile(name)
	n := 0
	for line := range strings.Lines(f.Text) {
		n++
		line = strings.TrimSpace(line)
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case anyof.Listed("run-shell run if-shell if new-session new new-window neww split-window splitw respawn-pane respawnp pipe-pane pipep display-popup popup source-file source", word):
			f.Run(n, "tmux "+line, Run{})
		case strings.HasPrefix(word, "set"):
			if _, text, ok := strings.Cut(rest, "default-command "); ok {
				f.Run(n, "eval "+text, Run{})
			}
			for _, part := range strings.Split(rest, "#(")[1:] {
				text, _, _ := strings.Cut(part, ")")
				f.Run(n, text, Run{})
			}
		}
	}
}

// tmuxCommand reads one command of tmux, whose name may be abbreviated.
func tmuxCommand(c *Call, ws []Word) {
	if len(ws) == 0 {
		return
	}
	name := ws[0].Text
	is := func(full, alias string) bool {
		return name == alias || len(name) > 3 && strings.HasPrefix(full, name)
	}
	switch {
	case anyof.Equal(name, "display", "display-message", "set", "set-option", "setw"):
		for _, w := range ws[1:] {
			for _, part := range strings.Split(w.Text, "#(")[1:] {
				c.Shell(w.With(strings.TrimSuffix(part, ")")), Run{})
			}
		}
	case is("new-session", "new"), is("new-window", "neww"), is("split-window", "splitw"), is("respawn-pane", "respawnp"), is("respawn-window", "respawnw"), is("display-popup", "popup"):
		shellOperands(c, ws[1:], "cefFnstxylpwhTb")
	case is("source-file", "source"):
		for _, w := range operandsOf(ws[1:], "t") {
			tmuxFile(c, w.Text)
		}
	case is("run-shell", "run"), is("pipe-pane", "pipep"):
		shellOperands(c, ws[1:], "tdc")
	case is("if-shell", "if"):
		ops := operandsOf(ws[1:], "t")
		for i, w := range ops {
			if i == 0 && !hasFlag(ws[1:], 'F') {
				c.Shell(w, Run{})
			} else if i > 0 {
				tmuxCommand(c, SplitWords(w))
			}
		}
	case is("bind-key", "bind"):
		if ops := operandsOf(ws[1:], "TN"); len(ops) > 1 {
			tmuxCommand(c, nestedCommand(ops[1:]))
		}
	case is("set-hook", "set-hook"):
		if ops := operandsOf(ws[1:], "tB"); len(ops) > 1 {
			tmuxCommand(c, nestedCommand(ops[1:]))
		}
	case is("send-keys", "send"):
		var typed Word
		for _, w := range operandsOf(ws[1:], "tNc") {
			switch w.Text {
			case "Enter", "C-m", "KPEnter", "C-j", "Return":
				typed.Text += "\n"
			case "Space":
				typed.Text += " "
			default:
				typed.Text += w.Text
				typed.Taint |= w.Taint
			}
		}
		c.Shell(typed, Run{})
	case is("set-buffer", "setb"): // pasted text counts as typed
		typed(c, operandsOf(ws[1:], "bnt"))
	case is("kill-server", "kill-server"):
		if _, own := c.Opt("-L"); own {
			sys(c, "process kill", 0, Lit("tmux"))
			return
		}
		sys(c, "process kill-name", 0, Lit("tmux")) // all sessions, and their programs
	}
}

// nestedCommand returns the words of a tmux command, which may all be in one word.
func nestedCommand(ws []Word) []Word {
	if len(ws) == 1 {
		return SplitWords(ws[0])
	}
	return ws
}

// hasFlag reports whether a letter is among the leading short options.
func hasFlag(ws []Word, letter byte) bool {
	for _, w := range ws {
		if len(w.Text) < 2 || w.Text[0] != '-' {
			return false
		}
		if strings.IndexByte(w.Text, letter) > 0 {
			return true
		}
	}
	return false
}

// operandsOf returns the words after the short options. Those in valued take a value.
func operandsOf(ws []Word, valued string) []Word {
	for i := 0; i < len(ws); i++ {
		t := ws[i].Text
		if t == "--" {
			return ws[i+1:]
		}
		if len(t) < 2 || t[0] != '-' {
			return ws[i:]
		}
		if j := strings.IndexAny(t[1:], valued); j >= 0 && j+2 == len(t) {
			i++
		}
	}
	return nil
}

func shellOperands(c *Call, ws []Word, valued string) {
	command := operandsOf(ws, valued)
	options := ws[:len(ws)-len(command)]
	run := Run{}
	for i, w := range options[:max(len(options)-1, 0)] {
		if len(w.Text) > 1 && w.Text[0] == '-' && strings.HasSuffix(w.Text, "c") {
			run.Dir = &options[i+1]
		}
	}
	switch {
	case len(command) == 1:
		c.Shell(command[0], run)
	case len(command) > 1:
		c.Exec(command, run)
	}
}

func doScreen(c *Call) {
	ws := c.Operands
	if w, ok := c.Opt("-c"); ok && w.Known() {
		screenFile(c, w.Text, map[string]bool{})
	}
	lists := slices.ContainsFunc(c.Args, func(w Word) bool { return anyof.Equal(w.Text, "-ls", "-list") }) // no cluster
	if w, ok := c.Opt("-s"); ok && !lists {
		c.Shell(w, Run{Traits: When(!PlainShell(strings.TrimPrefix(w.Text, "-")), umpire.RunsProgram)})
	}
	if !c.Has("-X") {
		c.Exec(ws, Run{})
		return
	}
	if len(ws) > 1 {
		switch ws[0].Text {
		case "stuff":
			w := ws[1]
			w.Text = strings.NewReplacer(`\n`, "\n", "^M", "\n", `\r`, "\n", `\015`, "\n", `\012`, "\n").Replace(w.Text)
			c.Shell(w, Run{})
		case "exec", "screen":
			c.Exec(ws[1:], Run{})
		}
	}
}

// screenFile runs the commands in screen's configuration that start programs.
func screenFile(c *Call, name string, done map[string]bool) {
	f, ok := c.StartedFile(name)
	if !ok || done[name] {
		return
	}
	if len(done) > MaxIncludes {
		c.Beyond(name)
		return
	}
	done[name] = true
	n := 0
	for line := range strings.Lines(f.Text) {
		n++
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if anyof.Equal(word, "screen", "exec", "shell", "source", "backtick") {
			words := SplitWords(Lit(rest))
			for len(words) > 0 && (strings.HasPrefix(words[0].Text, "-") || strings.Trim(words[0].Text, "0123456789.!|:") == "") {
				skip := 1
				if anyof.Listed("-t -T -h -s", words[0].Text) {
					skip = 2
				}
				words = words[min(skip, len(words)):]
			}
			if word == "source" && len(words) > 0 {
				screenFile(c, words[0].Text, done)
				continue
			}
			f.Run(n, strings.TrimSpace(Quote("", words)), Run{})
		}
	}
}

// doMacros reads the shell commands in texts for m4, syscmd(...), and for dc, lines with "!".
func doMacros(c *Call) {
	texts := c.All("-e")
	for _, w := range append(c.All("-f"), c.Operands...) {
		if s := c.File(w); s.Seen {
			texts = append(texts, Word{Text: s.Text, Taint: s.Taint})
		}
	}
	if c.Stdin.Seen {
		texts = append(texts, Word{Text: c.Stdin.Text, Taint: c.Stdin.Taint})
	} else if c.Stdin.Taint&(FromNetwork|FromDecoder) != 0 {
		c.Script(c.Program, c.Stdin, Run{Via: c.Program})
	}
	for _, w := range texts {
		text := w.Text[:min(len(w.Text), maxTcl)]
		if c.Program == "dc" {
			for line := range strings.Lines(text) {
				if _, cmd, ok := strings.Cut(line, "!"); ok && cmd != "" && !strings.ContainsAny(cmd[:1], "<>=") {
					c.Shell(w.With(cmd), Run{Out: true})
				}
			}
			continue
		}
		for _, part := range strings.Split(text, "syscmd(")[1:] {
			part, _, _ = strings.Cut(part, ")")
			c.Shell(w.With(strings.Trim(part, "`' \t")), Run{Out: true})
		}
	}
}

// doTerminalWindow reads the command that a terminal runs in its window: the words after -e, -x or
// --.
func doTerminalWindow(c *Call) {
	for i, w := range c.Operands {
		name, value, attached := strings.Cut(w.Text, "=")
		rest := c.Operands[i+1:]
		switch name {
		case "--help", "--version":
			return
		case "--command", "--execute", "-e", "-x", "-exec", "--":
			if attached {
				c.Shell(w.With(value), Run{})
				return
			}
			// Some terminals take words here, and others one shell text. A word with a space is shell
			// text, because it cannot be a program's name.
			if len(rest) > 0 && strings.ContainsAny(rest[0].Text, " \t") {
				c.Shell(rest[0], Run{})
				return
			}
			c.Exec(rest, Run{})
			return
		}
	}
	if len(c.Operands) > 0 && !strings.HasPrefix(c.Operands[0].Text, "-") {
		c.Exec(c.Operands, Run{})
	}
}

// doKitty reads kitty [OPTIONS] COMMAND, and kitty @ with text typed into a window or a program
// started in one.
func doKitty(c *Call) {
	ws := c.Operands
	if len(ws) > 1 && (ws[0].Text == "@" || ws[0].Text == "+kitten" && ws[1].Text == "@") {
		ws = ws[1:]
		if ws[0].Text == "@" {
			ws = ws[1:]
		}
		remoteWindow(c, ws)
		return
	}
	for len(ws) > 0 && strings.HasPrefix(ws[0].Text, "-") {
		valued := !strings.Contains(ws[0].Text, "=") && ws[0].Text != "-1" && ws[0].Text != "--single-instance" && ws[0].Text != "--hold" && ws[0].Text != "-e" && ws[0].Text != "--detach"
		if ws = ws[1:]; valued && len(ws) > 0 {
			ws = ws[1:]
		}
	}
	c.Exec(ws, Run{})
}

func doWezterm(c *Call) {
	ws := c.Operands
	if len(ws) > 0 && ws[0].Text == "cli" {
		ws = ws[1:]
	}
	if len(ws) > 1 && ws[0].Text == "-e" {
		c.Exec(ws[1:], Run{})
		return
	}
	remoteWindow(c, ws)
}

// remoteWindow reads a command to a running terminal.
func remoteWindow(c *Call, ws []Word) {
	if len(ws) == 0 {
		return
	}
	verb, rest := ws[0].Text, ws[1:]
	switch verb {
	case "send-text", "send-key", "write-chars":
		typed(c, plain(rest))
	case "spawn", "launch", "start", "new-window", "run", "split-pane":
		for i, w := range rest {
			if w.Text == "--" {
				c.Exec(rest[i+1:], Run{})
				return
			}
		}
		if rest = plain(rest); len(rest) > 0 {
			c.Exec(rest, Run{})
		}
	}
}

// plain removes leading options, and probably their values. A value that stays becomes a word of
// the command.
func plain(ws []Word) []Word {
	for len(ws) > 0 && strings.HasPrefix(ws[0].Text, "-") {
		end := ws[0].Text == "--"
		valued := !end && !strings.Contains(ws[0].Text, "=") && ws[0].Text != "--no-paste"
		ws = ws[1:]
		if end {
			break
		}
		if valued && len(ws) > 1 && !strings.ContainsAny(ws[0].Text, " \t") {
			ws = ws[1:]
		}
	}
	return ws
}

// typed runs words that a call types into a terminal, because a shell often runs there.
func typed(c *Call, ws []Word) {
	w := joined(ws)
	w.Text = strings.NewReplacer(`\n`, "\n", `\r`, "\n", `\x0d`, "\n").Replace(w.Text)
	if strings.TrimSpace(w.Text) != "" {
		c.Shell(w, Run{})
	}
}

// doTyped reads programs that type for their user.
func doTyped(c *Call) {
	ws := c.Operands
	switch c.Program {
	case "xdotool", "ydotool":
		for i, w := range ws {
			if w.Text == "exec" && c.Program == "xdotool" { // at the end of a chain of commands
				rest := ws[i+1:]
				for len(rest) > 0 && strings.HasPrefix(rest[0].Text, "-") {
					skip := 1
					if rest[0].Text != "--sync" { // --args and --terminator take a value
						skip = 2
					}
					rest = rest[min(len(rest), skip):]
				}
				c.Exec(rest, Run{})
			}
		}
		for len(ws) > 0 && ws[0].Text != "type" {
			ws = ws[1:]
		}
		if len(ws) == 0 {
			return
		}
		ws = ws[1:]
	case "dotool":
		if c.Stdin.Seen {
			for line := range strings.Lines(c.Stdin.Text) {
				if text, ok := strings.CutPrefix(line, "type "); ok {
					c.Shell(Word{Text: text, Taint: c.Stdin.Taint}, Run{})
				}
			}
		}
		return
	}
	typed(c, plain(ws))
}

// doEmpty reads empty -f [OPTIONS] COMMAND, a small relative of expect.
func doEmpty(c *Call) {
	ws := c.Operands
	fork := false
	for len(ws) > 0 && strings.HasPrefix(ws[0].Text, "-") {
		o := ws[0].Text
		fork = fork || strings.HasPrefix(o, "-f")
		ws = ws[1:]
		if len(ws) > 0 && (o == "-i" || o == "-o" || o == "-p" || o == "-L" || o == "-t") {
			ws = ws[1:]
		}
	}
	if fork {
		c.Exec(ws, Run{})
	}
}

// session describes a call that opens a session for typed commands: at most so many operands, and
// none of some options.
type session struct {
	program  string
	operands int
	unless   string // separated by spaces
}

const (
	databaseModes = "-c --command -f --file -e --execute --eval -l --list -V --version --help"
	debuggerModes = "-batch --batch -b --version --help"
	editorModes   = "-es -Es --batch --version --help"
)

// sessions lists programs, apart from shells and interpreters, in which a person can type code to
// run. It is a slice, because a map would have to be built at each start of the hook.
var sessions = []session{
	{"sudo", 0, "-l -v -k -K -e -V --list --validate --edit"},
	{"doas", 0, "-L -C"},
	{"su", 2, "-c --command"},
	{"ssh", 1, "-N -O -G -Q -V -f -W"},
	{"mosh", 1, ""},
	{"telnet", 2, ""},
	{"tmux", 0, "-V -C"},
	{"screen", 0, "-ls -list -wipe -X -Q -v"},
	{"script", 1, "-c --command"},
	{"chroot", 1, ""},
	{"unshare", 0, ""},
	{"nsenter", 0, ""},
	{"nix-shell", 9, "--run --command"},
	{"pwsh", 0, "-c -Command -f -File -EncodedCommand -e -ec -Version -Help"},
	{"psql", 2, databaseModes},
	{"mysql", 1, databaseModes},
	{"mariadb", 1, databaseModes},
	{"sqlite3", 1, ""},
	{"redis-cli", 0, ""},
	{"mongo", 1, databaseModes},
	{"mongosh", 1, databaseModes},
	{"duckdb", 1, databaseModes},
	{"sqlplus", 1, ""},
	{"cqlsh", 2, databaseModes},
	{"gdb", 2, debuggerModes},
	{"lldb", 2, debuggerModes},
	{"vi", 99, editorModes},
	{"vim", 99, editorModes},
	{"nvim", 99, editorModes},
	{"emacs", 99, editorModes},
}

// Opens reports whether the call opens, or might open, a session that runs text that is typed
// later.
func (c *Call) Opens() bool {
	if c.Inert() || c.Stdin.Pipe || c.Stdin.Seen || c.Stdin.Taint != 0 {
		return false
	}
	if i := slices.IndexFunc(sessions, func(s session) bool { return s.program == c.Program }); i >= 0 {
		s := &sessions[i]
		unless := strings.Fields(s.unless)
		said := func(w Word) bool { return slices.Contains(unless, w.Text) }
		return len(c.Operands) <= s.operands && !c.Has(unless...) && !slices.ContainsFunc(c.Args, said)
	}
	if strings.HasPrefix(c.Program, "python") {
		mode, module, _ := pythonMode(c.Args)
		return mode == 'm' && (module.Text == "pdb" || module.Text == "asyncio") ||
			slices.ContainsFunc(c.Args, func(w Word) bool { return w.Text == "-i" })
	}
	return false
}
