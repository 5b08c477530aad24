package classify

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// Traits returns the traits of the program as a whole: Described if the operations of the call are
// all that it does, ProjectCode if it runs code of the project, or 0. Allow rules build on these
// traits, so only programs that someone checked option by option have them. own says that the
// program's file is in the workspace.
func (c Call) Traits(own bool) umpire.Trait {
	switch {
	case own:
		if c.Program != "git" && (c.ProjectCode() || c.Described()) || command.IsScript(c.Program) && c.OwnScript() { // a binary may be a copy of a program that runs its arguments
			return umpire.ProjectCode
		}
	case c.Described():
		return umpire.Described
	case c.ProjectCode():
		return umpire.ProjectCode
	}
	return 0
}

// OwnScript reports whether the call starts a script of the workspace as one of the project's own
// tasks: its name suggests nothing beyond the project, and its arguments are known and stay in the
// project. Callers must know that its text was read.
func (c Call) OwnScript() bool {
	return ownTask(c.Program) && c.Known() && c.inProject() && !c.outside()
}

// Described reports whether the operations of the call are all that the program does. If an unknown
// value could be an option, it is true only if every option is harmless.
func (c Call) Described() bool {
	if c.showsMore() {
		return c.Known() && c.randomBytes()
	}
	if len(c.Args) == 1 && c.AsksAboutItself() && command.Lookup(c.Program) != nil { // a dry run may still run code
		return true
	}
	switch c.Program {
	case "ps":
		return !psEnvironment(c.Args)
	case "mkdir", "gmkdir": // a new folder is not an operation
		return c.makesPlainFolders()
	case "rm", "grm": // temporary folders also hold the files of other programs
		return !c.removesAllTemporary()
	case "journalctl", "ss", "dpkg", "dpkg-query", "iptables", "ip6tables", "fdisk", "service":
		return c.Known() && c.describedStatus()
	case "dig", "host", "nslookup":
		return c.Known() && !c.Has("-f", "-k", "-b", "-y", "-l") && !slices.ContainsFunc(c.Args, func(w command.Word) bool {
			return strings.EqualFold(w.Text, "any") || strings.Contains(strings.ToLower(w.Text), "xfr") // all records
		})
	case "split", "gsplit": // no program obeys files with the names of its parts
		return c.Known() && c.inProject() && !c.Begins("--fi") && !c.Begins("--ad") && (len(c.Operands) < 2 || !strings.ContainsAny(c.Operands[1].Text, "/~$") && c.Operands[1].Text[0] != '.')
	case "plutil":
		return c.Known() && c.Has("-p", "-lint") && !c.Has("-o", "-e", "-convert", "-replace", "-insert", "-remove")
	case "kubectl", "oc":
		return c.Known() && !c.outside() && c.describedCluster()
	case "jq":
		return c.plainQuery()
	case "ln", "gln": // a link gives a file a second name, which rules would see instead
		return c.Known() && c.inProject() && !c.outside()
	case "hostname":
		return len(c.Args) == 0 || len(c.Operands) == 0 && !c.Has("-F", "--file", "-b", "--boot") && c.sureOptions()
	case "ifconfig":
		return len(c.Args) == 0 || len(c.Args) == 1 && c.sureOptions()
	case "env", "printenv": // the shell adds whether it shows the environment
		return c.sureOptions()
	case "awk", "gawk", "mawk", "nawk":
		return c.sureOptions() && !c.Has("-f", "-l", "-o", "-p", "-d", "-D", "-i", "-E", "-e") && c.Arg(0).Known() && !strings.Contains(c.Arg(0).Text, "@")
	case "sed", "gsed":
		return c.sureOptions() && command.PlainSed(c.Call)
	case "gzip", "bzip2", "xz", "zstd", "gunzip", "bunzip2", "unxz", "unzstd":
		return c.Has("-c", "-l", "-t") && c.Known() || len(c.Operands) == 0 || c.describedTool()
	case "unzip", "zipinfo":
		return c.Known() && (c.Program == "zipinfo" || c.Has("-l", "-v", "-t", "-Z"))
	case "rpm":
		return c.Known() && c.Has("-q", "--query") && !c.Has("-e", "-U", "-F", "--eval", "-E", "--define", "-D", "--pipe", "--root")
	case "less", "more":
		return c.Known() && !c.Has("-o", "-O", "-k", "--log-file", "--LOG-FILE", "--lesskey-file", "--lesskey-src", "--lesskey-content", "-t", "-T") && !c.Begins("+") // a command that the pager runs at start: +!rm
	case "git":
		return c.describedGit(umpire.PlaceWorkspace)
	case "curl":
		return c.describedRequest()
	case "npm", "pnpm", "yarn", "bun":
		return c.describedPackages()
	case "uv": // installs the project itself, or what it locks
		if c.Known() && c.inProject() && !c.outside() && (c.FirstArg() == "sync" && c.plainRestore() || len(c.Args) == 4 && anyof.Equal(c.Args[2].Text, "-e", "--editable") && phrased(c.plainWords(), "pip install .")) {
			return true
		}
	case "rtk": // runs the command and shortens its output
		if anyof.Equal(c.Arg(0).Text, "git", "ls", "grep", "find", "cargo", "go", "npm", "pnpm", "yarn", "bun", "npx", "tsc", "eslint", "vitest", "jest", "pytest", "ruff", "gh", "docker", "make") {
			return true
		}
	case "go":
		return c.describedGo()
	case "powershell", "pwsh":
		i := slices.IndexFunc(c.Args, func(w command.Word) bool {
			return !anyof.Equal(strings.ToLower(w.Text), "-noprofile", "-nologo", "-noninteractive")
		})
		return i >= 0 && c.Known() && anyof.Equal(strings.ToLower(c.Args[i].Text), "-c", "-command")
	case "bash", "sh", "zsh", "dash":
		return c.Has("-c") && c.Known() && !c.Has("-i", "--rcfile", "--init-file")
	case "gh":
		return c.Known() && describedForge(c)
	case "docker", "podman":
		return c.Known() && !c.Has("-H", "--host", "-c", "--context", "--config", "--url", "--connection") && describedEngine(c)
	case "docker-compose":
		return c.Known() && describedEngine(c)
	}
	n := c.claims()
	return n.complete(c) || n.looks(c) || c.describedClient() || c.describedTool()
}

// describedStatus reports whether a program that manages part of the machine only shows its state.
func (c Call) describedStatus() bool {
	first := c.FirstArg()
	if slices.ContainsFunc(c.Args, func(w command.Word) bool { return strings.Contains(w.Text, "/") && !strings.HasPrefix(w.Text, "/dev/") }) {
		return false // may name a file
	}
	switch c.Program {
	case "journalctl":
		return !c.Has("-i", "--file", "-D", "--directory", "--root", "--image", "-M", "--machine", "--cursor-file", "--vacuum-size", "--vacuum-time", "--vacuum-files", "--rotate", "--flush", "--sync", "--relinquish-var", "--smart-relinquish-var", "--update-catalog", "--setup-keys", "--force") && c.sureOptions()
	case "ss":
		return !c.Has("-K", "-D", "-F") && c.sureOptions()
	case "dpkg", "dpkg-query":
		return anyof.Equal(first, "-l", "-L", "-s", "-S", "--list", "--listfiles", "--status", "--search", "--print-architecture") && !slices.ContainsFunc(c.Args[1:], func(w command.Word) bool { return strings.HasPrefix(w.Text, "-") })
	case "iptables", "ip6tables":
		lists := false
		for _, w := range c.Args { // -Z empties the counters; -A and similar options change the rules
			if o, ok := strings.CutPrefix(w.Text, "-"); ok && strings.Trim(o, "LSnvxt") != "" && w.Text != "--line-numbers" {
				return false
			} else if ok {
				lists = lists || strings.ContainsAny(o, "LS")
			}
		}
		return lists
	case "fdisk":
		return anyof.Equal(first, "-l", "--list") && !slices.ContainsFunc(c.Args[1:], func(w command.Word) bool { return strings.HasPrefix(w.Text, "-") })
	default: // service
		return len(c.Args) == 2 && c.Args[1].Text == "status" || len(c.Args) == 1 && first == "--status-all"
	}
}

// showsMore reports whether the program shows content that no operation names, such as a key in the
// environment, or reads a device that never ends.
func (c Call) showsMore() bool {
	if slices.ContainsFunc(c.Args, func(w command.Word) bool {
		return w.Text == "/dev/zero" || w.Text == "/dev/random" || w.Text == "/dev/urandom"
	}) { // never end
		return true
	}
	// The program reads the paths in such a list, and no operation names them.
	return c.printsKey() || c.readsHidden() || c.showsAll() || c.Has("--files0-from", "--files-from")
}

// plainQuery reports whether the arguments of jq let it read only its input and the named files.
func (c Call) plainQuery() bool {
	// a filter can read the environment and load other filters
	return !slices.ContainsFunc(c.Args, func(w command.Word) bool {
		t := w.Text
		return anyof.Contains(t, "env", "ENV", "import", "include") || t == "-L" || t == "-f" || t == "--from-file"
	})
}

// removesAllTemporary reports whether an operand such as /tmp/* matches everything in a temporary
// folder.
func (c Call) removesAllTemporary() bool {
	return slices.ContainsFunc(c.Operands, func(w command.Word) bool {
		abs, p := c.Path(w)
		return w.Glob && p&umpire.PlaceTemp != 0 && strings.Trim(path.Base(abs), "*?.[]!") == "" && strings.Count(abs, "/") <= 3
	})
}

// makesPlainFolders reports whether no new folder outside of the workspace is at a place that a
// program obeys. An empty folder loses nothing anywhere else.
func (c Call) makesPlainFolders() bool {
	return !slices.ContainsFunc(c.Operands, func(w command.Word) bool {
		_, p := c.Path(w)
		return p&(umpire.PlaceInWorkspace|umpire.PlaceWorkspace|umpire.PlaceTemp) == 0 && p&(umpire.PlaceSystem|umpire.PlaceStartup|umpire.PlaceLogin|umpire.PlaceJobs|umpire.PlaceLoader|umpire.PlaceCredentials|umpire.PlaceUmpire|umpire.PlaceGitDir|umpire.PlaceGitHooks|umpire.PlaceSocket) != 0
	})
}

// printsKey reports whether an argument or the input carries a credential from the environment,
// which the program may show.
func (c Call) printsKey() bool {
	if c.Program == "test" || c.Program == "[" || c.Program == "curl" && c.asksHere() {
		return false
	}
	if slices.ContainsFunc(c.Args, func(w command.Word) bool { return w.Taint&(command.FromKey|command.FromLikelyKey) != 0 }) {
		return true
	}
	return c.Stdin.Taint&(command.FromKey|command.FromLikelyKey) != 0
}

// asksHere reports whether curl sends requests only to this machine. The value of a header or of
// the data may be unknown, everything else must be known.
func (c Call) asksHere() bool {
	if len(c.Operands) == 0 || c.Has("-L", "--location", "-v", "--verbose", "--trace", "-i", "--include") {
		return false
	}
	for _, w := range c.Operands {
		host, _, _ := strings.Cut(strings.TrimPrefix(w.Text, "http://"), "/")
		host, _, _ = strings.Cut(host, ":")
		if host != "localhost" && host != "127.0.0.1" || !w.Known() || w.Glob {
			return false
		}
	}
	for i, w := range c.Args {
		if w.Known() && !w.Bare {
			continue
		}
		if w.Many || i == 0 || !anyof.Equal(c.Args[i-1].Text, "-H", "--header", "-d", "--data", "--data-raw") || strings.HasPrefix(w.Text, umpire.Hole) {
			return false
		}
	}
	return true
}

// readsHidden reports whether a pattern among the arguments may expand to .env, and the program
// shows the content of its operands.
func (c Call) readsHidden() bool {
	if anyof.Equal(c.Program, "ls", "dir", "vdir", "du", "stat", "find", "gfind", "tree", "realpath", "readlink", "basename", "dirname", "exa", "eza", "lsd", "fd", "fdfind", "git") {
		return false
	}
	for _, w := range c.Args {
		if !w.Glob && !w.Found {
			continue
		}
		name := path.Base(w.Text)
		if w.Found && strings.Trim(name, "*") == "" { // all files below a folder
			continue
		}
		if ok, err := path.Match(name, ".env"); name != "*" && (ok || err != nil) {
			return w.Found || name[0] == '.' // * matches hidden files in find, but not in a shell
		}
	}
	return false
}

// psEnvironment reports whether ps shows the environment of processes: an e among its BSD options,
// which have no dash.
func psEnvironment(args []command.Word) bool {
	for i, w := range args {
		if w.Text == "" || w.Text[0] == '-' || !strings.Contains(w.Text, "e") || strings.Trim(w.Text, "aAcefghjklLmnNoOpqrStTuUvwxXZ") != "" {
			continue
		}
		if i > 0 && len(args[i-1].Text) > 1 && args[i-1].Text[0] == '-' {
			if p := args[i-1].Text; p[1] != '-' && strings.ContainsRune("uUCoOpgGtsqk", rune(p[len(p)-1])) || slices.Contains([]string{"--user", "--User", "--group", "--Group", "--format", "--sort"}, p) {
				continue // the value of an option: ps -u dave
			}
		}
		return true
	}
	return false
}

// sendsText reports whether an argument has several lines, as the content of a file does. A query
// to a server would carry it away.
func (c Call) sendsText() bool {
	return slices.ContainsFunc(c.Args, func(w command.Word) bool { return strings.Contains(w.Text, "\n") })
}

// sureOptions reports whether no argument could be an unknown option. An unknown word could be one
// only if its beginning is unknown and it is before "--".
func (c Call) sureOptions() bool {
	find := c.Program == "find" || c.Program == "gfind"
	for i, w := range c.Args {
		if w.Text == "--" && !find {
			return true
		}
		switch {
		case w.Bare:
			return false
		case find && i > 0 && !w.Many && findValue(c.Args[i-1].Text): // find reads any word here as a value
		case w.Found && !w.Glob: // find prints names with their folder, so none begins with a dash
		case find && !w.Many && strings.Contains(strings.ReplaceAll(w.Text, umpire.Hole, ""), "/"): // no test or action of find has a slash
		case strings.HasPrefix(w.Text, umpire.Hole), strings.HasPrefix(w.Text, "-") && !w.Known(), w.Many && !w.Glob:
			return false
		case w.Glob && c.GlobOption(w.Text):
			return false
		}
	}
	return true
}

// findValue reports whether find reads the word after a test or action as its value.
func findValue(test string) bool {
	return anyof.Equal(test, "-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex", "-lname", "-ilname", "-newer", "-anewer", "-cnewer", "-newermt", "-newerct", "-newerat", "-mtime", "-mmin", "-ctime", "-cmin", "-atime", "-amin", "-size", "-type", "-xtype", "-maxdepth", "-mindepth", "-user", "-group", "-perm", "-printf")
}

// showsAll reports whether the program prints the content of all files below a folder of the
// project, including hidden ones: .env may be among them.
func (c Call) showsAll() bool {
	name := c.Program
	if m := command.Index(name); m != nil { // ggrep is described as grep
		name, _, _ = strings.Cut(m.Names, " ")
	}
	switch name {
	case "cat", "tac", "nl", "head", "tail", "strings", "base64", "base32", "xxd", "od", "hexdump", "hd", "less", "more":
		for _, w := range c.Operands { // the folder that find prints stands for everything below it
			if _, p := c.Path(w); p&umpire.PlaceWorkspace != 0 && !strings.HasPrefix(w.Text, "-") && strings.Trim(w.Text, "*") == w.Text {
				return true
			}
		}
	case "grep", "rg", "ag":
		all := c.Has("-r", "-R", "--recursive", "--dereference-recursive", "--hidden", "-u", "-uu", "-uuu", "-.", "--unrestricted", "--no-ignore", "-a")
		if name != "grep" {
			all = c.Has("--hidden", "-uu", "-uuu", "-.") || slices.ContainsFunc(c.Args, func(w command.Word) bool { return w.Text == "-uu" || w.Text == "-uuu" })
		}
		quiet := c.Has("-l", "-c", "-q", "-L", "--files-with-matches", "--count", "--quiet", "--files", "--silent", "--files-without-match")
		for _, w := range c.Args {
			if _, v, ok := strings.Cut(w.Text, "="); ok && strings.HasPrefix(w.Text, "--include") && strings.Contains(v, ".env") {
				return true
			}
			all = all || len(w.Text) > 1 && w.Text[0] == '-' && w.Text[1] != '-' && strings.ContainsAny(w.Text, "rR") && strings.HasSuffix(c.Program, "grep")
		}
		if !all || quiet {
			return false
		}
		pattern := c.Arg(0).Text
		if e := c.All("-e"); len(e) > 0 {
			pattern = e[0].Text
		}
		hidden := name != "grep" // rg and ag read hidden files only on request
		return strings.Trim(pattern, ".*^$ +?()[]=\\sS") == "" || hidden && anyof.Contains(strings.ToLower(pattern), "password", "passwd", "secret", "token", "api_key", "apikey", "api-key", "private", "credential", "aws_", "akia")
	}
	return false
}

// describedPackages reports whether a package manager of Node does only what its operations say: it
// shows packages, or installs them without running a script by name.
func (c Call) describedPackages() bool {
	if !c.Known() || !c.inProject() || c.outside() || c.sendsText() {
		return false
	}
	switch c.Arg(0).Text {
	case "ls", "list", "ll", "la", "view", "show", "info", "outdated", "why", "explain", "root", "prefix", "bin", "ping", "search", "audit":
		return c.Arg(1).Text != "fix"
	case "config", "c":
		return c.Arg(1).Text == "get" || c.Arg(1).Text == "list" || c.Arg(1).Text == "ls"
	case "ci", "install", "i":
		return len(c.Operands) > 1 || c.plainRestore() // the operation packages(...) covers the named ones
	case "add", "remove", "uninstall", "rm", "update", "up":
		return len(c.Operands) > 1
	}
	return false
}

// plainRestore reports whether an installation has no operands and its options change only how it
// proceeds, not its source, its target or the code that runs.
func (c Call) plainRestore() bool {
	for _, w := range c.Args {
		switch w.Text {
		case c.FirstArg(): // the verb
		case "--frozen-lockfile", "--immutable", "--frozen", "--locked", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", "-s", "-q", "--quiet", "--prefer-offline", "--offline", "--legacy-peer-deps", "--production", "--prod", "--omit=dev", "--omit=optional", "--include=dev", "--no-progress", "--no-save", "--dev", "--no-dev", "--all-extras", "--all-groups", "--verbose", "-v", "--no-root", "--no-interaction", "--no-scripts", "--prefer-dist", "--local":
		default:
			return false
		}
	}
	return true
}

// describedGo reports whether a sub-command of go does only what its operations say. No option may
// name a program, or files outside of the project.
func (c Call) describedGo() bool {
	if !c.Known() {
		return false
	}
	switch c.Arg(0).Text {
	case "version", "env", "help", "doc", "list", "fmt", "get", "install", "bug":
		return c.inProject() && !c.outside() && !c.Has("-w", "-u", "-toolexec", "-exec", "-vettool", "-modfile", "-overlay") || c.Arg(0).Text == "version" && len(c.Args) == 1
	case "mod":
		if anyof.Equal(c.Arg(1).Text, "graph", "why", "verify", "tidy", "download", "edit", "vendor") {
			return c.inProject() && !c.outside() && !c.Has("-C", "-modfile", "-overlay", "-toolexec")
		}
	}
	return false
}

// inProject reports whether the program starts in the workspace or in another working tree of the
// project. The settings and build files that it finds there decide what it runs.
func (c Call) inProject() bool { return c.ownFolder(".") }

// ownFolder reports whether a folder belongs to the project or to a working tree of it, and is not
// a .git folder. An empty name is the folder of the call.
func (c Call) ownFolder(dir string) bool {
	dir = cmp.Or(dir, ".")
	_, p := c.Path(command.Lit(dir))
	_, q := c.Path(command.Lit(dir + "/x")) // the root of a working tree has no such place, but the files in it do
	return (p&(umpire.PlaceWorkspace|umpire.PlaceInWorkspace)|q&umpire.PlaceWorktree) != 0 && p&umpire.PlaceGitDir == 0
}

// projectFolder reports whether a folder is another project of the user. Its git settings are the
// user's own, since agents cannot write there without a question.
func (c Call) projectFolder(dir command.Word) bool {
	_, p := c.Path(dir.With(dir.Text + "/x.md"))
	return p&umpire.PlaceSource != 0 && p&umpire.PlaceTemp == 0
}

// outside reports whether an argument names a URL or a path outside of the workspace: a build file,
// settings, a plug-in or a folder of someone else. Reports in temporary folders do not count.
func (c Call) outside() bool {
	data := false // the arguments of a script of the project
	for i, w := range c.Args {
		t := w.Text
		if strings.Contains(t, "://") || strings.Contains(t, "git@") {
			return true
		}
		if _, v, _ := strings.Cut(t, "="); data && (c.temporary(t) || c.temporary(v)) {
			continue
		}
		data = data || interprets(c.Program) && (c.Arg(0).Text == t || c.Arg(0).Text == "run" && c.Arg(1).Text == t) && command.IsScript(t) && !c.elsewhere(t)
		if name, v, ok := strings.Cut(t, "="); ok && reportOption(name) && c.temporary(v) || i > 0 && reportOption(c.Args[i-1].Text) && c.temporary(t) {
			continue
		}
		if c.elsewhere(t) {
			return true
		}
		if _, v, ok := strings.Cut(t, "="); ok && c.elsewhere(v) {
			return true
		}
		if len(t) > 2 && t[0] == '-' {
			if c.elsewhere(t[2:]) {
				return true
			}
			if i := strings.IndexByte(t, '/'); i > 0 && c.elsewhere(t[i:]) && (t[i-1] < 'a' || t[i-1] > 'z') {
				return true
			}
		}
	}
	return false
}

// reportOption reports whether an option names the file for a report or a result.
func reportOption(name string) bool {
	return anyof.Equal(name, "-o", "--out", "--output", "--output-file", "--outfile", "--outdir", "--outDir", "--out-dir", "--report", "--report-file", "--junitxml", "--junit-xml", "-coverprofile", "--coverprofile", "-cpuprofile", "-memprofile", "--json-report-file", "--log-file", "--tsBuildInfoFile", "--coverageDirectory", "--cov-report", "--screenshot")
}

// temporary reports whether a path is in a temporary folder, at a place that no program obeys.
func (c Call) temporary(t string) bool {
	_, p := c.Path(command.Lit(t))
	return p&umpire.PlaceTemp != 0 && p&(umpire.PlaceStartup|umpire.PlaceJobs|umpire.PlaceLoader|umpire.PlaceGitDir|umpire.PlaceSocket) == 0
}

// elsewhere reports whether a text could be a path that leads out of the workspace.
func (c Call) elsewhere(t string) bool {
	if t == "" || !(t[0] == '/' || t[0] == '~' || strings.HasPrefix(t, "..") || strings.Contains(t, "/..") || strings.Contains(t, `:\`)) {
		return false
	}
	if strings.HasPrefix(t, "...") && !strings.Contains(t, "/..") {
		return false // a package pattern of Go
	}
	_, p := c.Path(command.Lit(t))
	return p&(umpire.PlaceWorkspace|umpire.PlaceInWorkspace|umpire.PlaceNull) == 0 && !c.ownFolder(t) || p&umpire.PlaceGitDir != 0
}
