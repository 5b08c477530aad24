package command

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// doKill reads kill [-SIGNAL | -s SIGNAL] PID... The first word with a dash is a signal. A later
// one is a process group, and -1 means every process.
func doKill(c *Call) {
	if c.asksIfAlive() {
		return
	}
	args := c.Args
	if len(args) > 0 {
		switch t := args[0].Text; {
		case t == "-l" || t == "-L" || t == "--list" || t == "--table" || t == "--help" || t == "-V":
			return
		case t == "-s" || t == "-n" || t == "--signal" || t == "-q" || t == "--timeout":
			args = args[min(2, len(args)):]
		case t == "-1" && len(args) == 1: // a signal without a process
			return
		case len(t) > 1 && t[0] == '-' && t != "--":
			args = args[1:]
		}
	}
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	for _, w := range args {
		switch w.Text {
		case "-1":
			sys(c, "process kill-all", umpire.Bulk|umpire.Irreversible)
		case "1":
			if len(c.Args) == 2 && anyof.Equal(c.Args[0].Text, "-HUP", "-USR1", "-USR2", "-WINCH") { // the first program loads its settings anew
				continue
			}
			sys(c, "process kill-init", umpire.Irreversible)
		}
	}
	var of Taint
	for _, w := range args {
		of |= w.Taint
	}
	if of&OfUmpire != 0 { // the output of pgrep or a similar program
		sys(c, "process kill-name", umpire.SelfTamper, Lit("umpire"))
	}
	sys(c, "process kill", processTraits(of), args...)
}

// asksIfAlive reports whether the signal is 0, which only asks whether a process exists. It returns
// false if the call names any other signal.
func (c *Call) asksIfAlive() bool {
	zero := false
	for i, w := range c.Args {
		name, value, joined := strings.Cut(w.Text, "=")
		switch {
		case w.Text == "-0" || w.Text == "-s0" || w.Text == "-n0":
			zero = true
			continue
		case !anyof.Equal(name, "-s", "-n", "--signal", "-SIGNAL"):
			if len(w.Text) > 1 && w.Text[0] == '-' && !anyof.Equal(w.Text, "-f", "-x", "-q", "-v", "--", "--full", "--exact", "--quiet", "-u", "-P", "-i") {
				return false
			}
			continue
		case !joined && i+1 < len(c.Args):
			value = c.Args[i+1].Text
		}
		if value != "0" {
			return false
		}
		zero = true
	}
	return zero
}

func doPkill(c *Call) {
	if c.Program == "taskkill" { // with a process ID it works like kill
		if len(c.Args) == 1 && c.Args[0].Text == "/?" {
			return
		}
		line := strings.ToLower(joined(c.Args).Text)
		if strings.Contains(line, "/pid") && !strings.Contains(line, "/im") && !strings.Contains(line, "*") {
			sys(c, "process kill", 0, c.Operands...)
			return
		}
	}
	if c.Has("-l") || c.asksIfAlive() {
		return
	}
	t := umpire.Trait(0)
	if _, ok := c.Opt("-u"); ok && len(c.Operands) == 0 {
		t |= umpire.Bulk
	}
	for _, w := range c.Operands {
		t |= processTraits(processOf(w.Text) | w.Taint)
	}
	if c.Has("-f") && t == 0 && len(c.Operands) == 1 && strings.Contains(strings.TrimSpace(c.Operands[0].Text), " ") && !anyShell(c.Operands[0].Text) {
		sys(c, "process kill", umpire.Filtered, c.Operands...) // exactly one command line with its arguments
		return
	}
	if c.Program == "pkill" && c.Has("-f") && t == 0 && len(c.Operands) == 1 && ownProcess(c.Operands[0]) {
		sys(c, "process kill", umpire.Filtered, c.Operands...)
		return
	}
	if t == 0 && len(c.Operands) > 0 && !slices.ContainsFunc(c.Operands, func(w Word) bool { return !anyof.Listed(toolProcesses, w.Text) }) {
		sys(c, "process kill", umpire.Filtered, c.Operands...)
		return
	}
	if c.Program == "killall5" {
		t |= umpire.Bulk
	}
	sys(c, "process kill-name", t, c.Operands...)
}

// toolProcesses lists developers' programs that contain no unsaved work: simulators, and servers
// for editors and builds. They start again when they are needed.
const toolProcesses = "Simulator com.apple.CoreSimulator.CoreSimulatorService SourceKitService sourcekit-lsp XCBBuildService swift-frontend adb emulator gopls tsserver rust-analyzer pyright pylsp clangd jdtls kotlin-language-server watchman metro dart dartvm esbuild turbo chromedriver geckodriver msedgedriver Xvfb gradle GradleDaemon sbt-launch webpack vite storybook ts-node nodemon dlv"

// ownProcess reports whether the pattern of pkill -f matches a script or server of the project: a
// script's file, a path, or a compound name. A name that the desktop, the system or every project
// shares does not count.
func ownProcess(w Word) bool {
	if !w.Known() {
		return false
	}
	low := strings.ToLower(w.Text)
	for _, s := range []string{"agent", "daemon", "umpire", "docker", "chrome", "firefox", "code", "cursor", "gnome", "kde", "plasma", "xdg", "dbus", "systemd", "ssh", "gpg", "login", "shell", "terminal", "display", "network", "desktop", "claude", "codex", "gemini", "opencode", "language", "lsp", "mcp"} {
		if strings.Contains(low, s) {
			return false
		}
	}
	if ownServer(w.Text) {
		return true
	}
	for part := range strings.FieldsFuncSeq(w.Text, func(r rune) bool { return strings.ContainsRune(".*?+[]()|^$\\ ", r) && r != '.' }) {
		part = strings.Trim(part, ".")
		if scriptFile(part) || compound(part) {
			return true
		}
	}
	return false
}

// anyShell reports whether a command line matches any shell that runs a command.
func anyShell(line string) bool {
	for f := range strings.FieldsSeq(line) {
		if f[0] != '-' && !anyof.Listed("sh bash zsh dash fish sudo env", path.Base(f)) {
			return false
		}
	}
	return true
}

// ownServer reports whether a pattern is the relative path of a program, or the name of a
// development server, which keeps no data.
func ownServer(s string) bool {
	if anyof.Listed("vite vitest webpack nodemon storybook uvicorn gunicorn streamlit gradio esbuild parcel rollup turbopack mkdocs hugo jekyll", s) {
		return true
	}
	s, here := strings.CutPrefix(s, "./")
	dir, name := path.Split(s)
	return len(dir) > 2 && len(name) > 2 && !path.IsAbs(s) && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./") == "" && !strings.Contains(s, "..") &&
		(here || !anyof.Listed("bin sbin usr lib opt etc home Users Applications System Library snap", dir[:strings.IndexByte(dir, '/')]))
}

// scriptFile reports whether a word is the name of a script or program file.
func scriptFile(s string) bool {
	i := strings.LastIndexByte(s, '.')
	if i < 3 {
		return false
	}
	return anyof.Equal(strings.ToLower(s[i+1:]), "js", "mjs", "cjs", "ts", "tsx", "py", "r", "rb", "sh", "pl", "php", "jar", "go", "lua", "exs", "ps1", "dll")
}

// compound reports whether a word consists of several, like the names of a project's programs and
// scripts: api-server, devServer, start:test.
func compound(s string) bool {
	words := 1
	for i := 1; i+1 < len(s); i++ {
		switch c := s[i]; {
		case c == '-' || c == '_' || c == ':':
			words++
		case c >= 'A' && c <= 'Z' && s[i-1] >= 'a' && s[i-1] <= 'z':
			words++
		}
	}
	return words > 1 && len(s) >= 7
}

// doFuser reads fuser, which shows the processes that use files and ports, and kills them with -k.
// Many programs that are not the caller's use a mounted file system or a system folder.
func doFuser(c *Call) {
	if !c.Has("-k") {
		doPgrep(c)
		return
	}
	t := umpire.Trait(0)
	for _, w := range c.Operands {
		_, p := c.Path(w)
		if c.Has("-m") || !w.Known() || p&(umpire.PlaceRoot|umpire.PlaceHome|umpire.PlaceParent|umpire.PlaceSystem) != 0 && strings.Contains(w.Text, "/") && !portName(w.Text) {
			t |= umpire.Bulk
		}
	}
	sys(c, "process kill", t, c.Operands...)
}

// doStarted reads programs that keep others running, such as pm2 and pueue. A word with spaces in
// it is shell text. Any other word is a program, and the words after it are its arguments.
func doStarted(c *Call) {
	ws := c.Operands
	switch verb := c.Arg(0).Text; {
	case c.Program == "sbatch":
		if w, ok := c.Opt("--wrap"); ok {
			c.Shell(w, Run{})
			return
		}
		if len(ws) > 0 {
			c.RunFile("sh", ws[0], Run{Args: ws[1:]})
		}
		return
	case c.Program == "condor_run":
	case c.Program == "circusctl" && verb == "add":
		ws = ws[min(2, len(ws)):]
	case verb == "start" && c.Program == "pm2", verb == "add":
		ws = ws[1:]
	default:
		c.Undescribed(2)
		return
	}
	if len(ws) > 0 && strings.Contains(ws[0].Text, " ") || c.Program == "pueue" {
		c.Shell(joined(ws), Run{})
		return
	}
	c.Exec(slices.Clone(ws), Run{}) // without the options of pm2, which may follow the program
}

// doSpool reads programs that remove messages and print jobs from their queues.
func doSpool(c *Call) {
	all := slices.ContainsFunc(c.Operands, func(w Word) bool { return strings.EqualFold(w.Text, "all") || w.Text == "-" })
	switch c.Program {
	case "postsuper":
		if !c.Has("-d") {
			return
		}
		w, _ := c.Opt("-d")
		all = all || strings.EqualFold(w.Text, "all")
	case "lpadmin":
		if !c.Has("-x") {
			if c.Has("-p", "-d", "-u") {
				sys(c, "setting lpadmin", umpire.Mutate, c.Operands...)
			}
			return
		}
	case "cancel", "lprm":
		all = all || c.Has("-a", "-u")
		if !all { // one of the user's own jobs
			return
		}
	}
	t := umpire.Destroy | umpire.Mutate
	if all {
		t |= umpire.Bulk
	}
	c.infra("delete", []string{"queue"}, c.Operands, t)
}

// portName reports whether a word is a port in fuser's notation: 3000/tcp.
func portName(s string) bool {
	return strings.HasSuffix(s, "/tcp") || strings.HasSuffix(s, "/udp") || strings.HasSuffix(s, "/sctp")
}
