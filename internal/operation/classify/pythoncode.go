package classify

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// inlinePython reports whether Python code on the command line, or on standard input, does no more
// than a script of the project may: it computes, imports modules of the project and libraries, and
// umpire sees its reads, writes and programs as separate operations. The agent could put the same
// code into a file and run that. So the adversary here is not the project's modules, but code that
// hides its effect.
func (c Call) inlinePython() bool {
	if !c.Known() {
		return false
	}
	args := c.Args
	for len(args) > 0 && (args[0].Text == "-u" || args[0].Text == "-B" || args[0].Text == "-q" || args[0].Text == "-I") {
		args = args[1:]
	}
	if len(args) > 0 {
		switch args[0].Text {
		case "-c":
			return len(args) > 1 && c.plainPython(args[1].Text)
		case "-V", "--version":
			return len(args) == 1
		case "-":
		default:
			return false
		}
	}
	return c.Stdin.Seen && c.Stdin.Taint == 0 && c.plainPython(c.Stdin.Text)
}

// plainPython reports whether a program's tokens are harmless. It returns false at the first token
// that could reach further than umpire's reader of Python follows, even under another name.
func (c Call) plainPython(text string) bool {
	ts, ok := lexPython(text, 0)
	p := &pyScan{c: c, ts: append(ts, pyToken{'l', "\n"}, pyToken{'l', "\n"}, pyToken{'l', "\n"})}
	if !ok {
		return false
	}
	for i := 0; i < len(ts); i++ {
		switch ts[i].kind {
		case 's':
			opened := p.at(i-1) == "(" && (p.at(i-2) == "open" || p.at(i-2) == "Path") // the reader of Python records it
			if !opened && c.farText(ts[i].text) {
				return false
			}
		case 'n':
			if ts[i].text == "import" || ts[i].text == "from" && p.fromImport(i) {
				if i = p.imports(i); i < 0 {
					return false
				}
				continue
			}
			if !p.name(i) {
				return false
			}
		}
	}
	return true
}

// farText reports whether a text in a program is a path to a place outside of the project. A
// library could open it unseen by the reader of Python.
func (c Call) farText(t string) bool {
	if t == "" || t[0] != '/' && t[0] != '~' && !strings.HasPrefix(t, "..") || strings.ContainsAny(t, "\n") {
		return false
	}
	_, p := c.Path(command.Lit(t))
	if p&(umpire.PlaceWorkspace|umpire.PlaceInWorkspace|umpire.PlaceTemp|umpire.PlaceWorktree|umpire.PlaceNull) != 0 && p&(umpire.PlaceGitDir|umpire.PlaceEnvFile|umpire.PlaceCredentials) == 0 {
		return false
	}
	return t[0] == '~' || t != "/" && p&(umpire.PlaceSystem|umpire.PlaceInHome|umpire.PlaceHome|umpire.PlaceCredentials|umpire.PlacePrivate|umpire.PlaceGitDir|umpire.PlaceEnvFile|umpire.PlaceProc|umpire.PlaceSocket) != 0
}

// pyScan checks the tokens of one program.
type pyScan struct {
	c  Call
	ts []pyToken
}

// at returns the text of token i, or "" if it is a string literal or does not exist.
func (p *pyScan) at(i int) string {
	if i < 0 || i >= len(p.ts) || p.ts[i].kind == 's' {
		return ""
	}
	return p.ts[i].text
}

// fromImport reports whether the "from" at i begins an import.
func (p *pyScan) fromImport(i int) bool {
	return i == 0 || p.ts[i-1].kind == 'l' || p.at(i-1) == ":"
}

// imports reads "import a, b as c" and "from a import b". It returns the index of the statement's
// last token, or -1 if a module reaches further than the reader of Python follows.
func (p *pyScan) imports(i int) int {
	from := p.at(i) == "from"
	i++
	for p.ts[i].kind != 'l' || i+1 < len(p.ts) && p.open(i) {
		if p.ts[i].kind == 'l' {
			i++
			continue
		}
		start := i
		var mod strings.Builder
		for p.ts[i].kind == 'n' && p.at(i) != "import" && p.at(i) != "as" || p.at(i) == "." {
			mod.WriteString(p.at(i))
			i++
		}
		if i == start {
			return -1
		}
		top, _, _ := strings.Cut(strings.TrimLeft(mod.String(), "."), ".")
		sort := command.ModuleSort(mod.String())
		if sort == "" {
			sort = command.ModuleSort(top)
		}
		if sort == "far" || strings.HasPrefix(top, "_") && top != "__future__" {
			return -1
		}
		if from {
			if p.at(i) != "import" {
				return -1
			}
			for i++; p.ts[i].kind != 'l' || p.open(i); i++ {
				switch t := p.at(i); {
				case t == "*" && sort != "":
					return -1
				case p.ts[i].kind != 'n':
				case sort == "followed" && (!anyof.Listed(pythonFollowed, top+"."+t) || acts(top, t)) || command.ModuleSort(t) == "far" || reachingName(t), command.ModuleSort(t) == "followed":
					return -1
				case p.at(i-1) == "as" && (command.ModuleSort(t) != "" || reachingName(t)):
					return -1
				}
			}
			return i
		}
		if p.at(i) == "as" {
			if sort == "followed" || command.ModuleSort(p.at(i+1)) != "" || reachingName(p.at(i+1)) {
				return -1
			}
			i += 2
		}
		switch p.at(i) {
		case ",":
			i++
		case "\n":
			return i
		default:
			return -1
		}
	}
	return i
}

// open reports whether the import continues at i because of an open parenthesis before it.
func (p *pyScan) open(i int) bool {
	n := 0
	for j := i - 1; j >= 0 && p.at(j) != "import"; j-- {
		switch p.at(j) {
		case "(":
			n++
		case ")":
			n--
		}
	}
	return n > 0
}

// name reports whether the name at i is harmless in its context.
func (p *pyScan) name(i int) bool {
	t, next := p.at(i), p.at(i+1)
	member := p.at(i-1) == "."
	if strings.HasPrefix(t, "__") {
		switch t {
		case "__name__", "__version__", "__file__", "__doc__", "__init__", "__len__", "__path__", "__all__", "__annotations__", "__str__", "__repr__", "__enter__", "__exit__", "__eq__", "__iter__", "__next__", "__module__", "__qualname__", "__wrapped__":
			return true
		case "__class__":
			return p.at(i+1) == "." && (p.at(i+2) == "__name__" || p.at(i+2) == "__module__")
		}
		return false
	}
	if member && t[0] == '_' {
		bare := strings.TrimLeft(t, "_")
		return bare != "" && command.ModuleSort(bare) == "" && !reachingName(bare) && bare != "getframe" && bare != "exit" && bare != "current_frames"
	}
	// An argument such as shell=True or executable= makes a harmless call start another program.
	if keyword := next == "=" && p.at(i+2) != "=" && (p.at(i-1) == "(" || p.at(i-1) == ","); keyword {
		return (t != "env" || !p.has("subprocess")) && t != "shell" && t != "executable" && t != "preexec_fn" && t != "opener" || t == "shell" && p.at(i+2) == "False"
	}
	if sort := command.ModuleSort(t); sort == "far" || sort == "followed" {
		switch {
		case member:
			return sort == "far" && (t == "code" || t == "http" || t == "signal" || t == "email" || t == "stat" || t == "site" || t == "test" || t == "profile" || t == "trace" || t == "docker" || t == "redis") || t == "stat" || t == "glob"
		case sort == "far":
			return true // a variable of that name, because the module was not imported
		case next == "." && anyof.Listed(pythonFollowed, t+"."+p.at(i+2)):
			return (p.at(i+2) != "environ" || p.setsEnviron(i)) && (!acts(t, p.at(i+2)) || p.at(i+3) == "(")
		case t == "sys" && next == "." && p.at(i+2) == "path":
			return p.addsPath(i) || p.at(i-2) == "print" && p.at(i-1) == "(" && p.at(i+3) == ")"
		}
		return false
	}
	switch t {
	case "environ":
		return p.at(i-2) == "os" && member // the check of "os" has covered it
	case "getattr", "hasattr":
		return p.plainAttribute(i)
	case "open":
		if member {
			return p.openMode(i, true)
		}
		return p.openMode(i, false)
	case "compile":
		return member && p.at(i-2) == "re"
	case "replace": // with one argument, the method of a path moves a file
		return !member || !p.has("pathlib") || p.commas(i+1) > 0
	}
	if reachingName(t) {
		// The reader of Python follows these methods of a path that the program made itself.
		return member && (t == "write_text" || t == "write_bytes" || t == "touch" || t == "mkdir") && p.has("pathlib") && p.pathBefore(i-1)
	}
	return true
}

// acts reports whether a function of a followed module has an effect. The code must call such a
// function where it names it, so that the reader of Python sees the call.
func acts(module, name string) bool {
	return module == "subprocess" && name[0] >= 'a' || module == "shutil" && strings.HasPrefix(name, "copy") || module == "os" && (name == "makedirs" || name == "mkdir")
}

func (p *pyScan) has(name string) bool {
	for i := range p.ts {
		if p.at(i) == name {
			return true
		}
	}
	return false
}

// commas counts the commas of the argument list that begins at i.
func (p *pyScan) commas(i int) int {
	if p.at(i) != "(" {
		return 0
	}
	depth, n := 0, 0
	for ; i < len(p.ts); i++ {
		switch p.at(i) {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				return n
			}
		case ",":
			if depth == 1 {
				n++
			}
		}
	}
	return 0
}

// plainAttribute reports whether the getattr or hasattr at i names a harmless member in a literal.
func (p *pyScan) plainAttribute(i int) bool {
	if p.at(i+1) != "(" {
		return false
	}
	depth := 0
	for j := i + 1; j+1 < len(p.ts); j++ {
		switch p.at(j) {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case ",":
			if depth == 1 {
				name := p.ts[j+1]
				return name.kind == 's' && nameLen(name.text) == len(name.text) && name.text != "" && name.text[0] != '_' && !reachingName(name.text) && command.ModuleSort(name.text) == "" && (p.at(j+2) == ")" || p.at(j+2) == ",")
			}
		}
		if depth == 0 {
			return false
		}
	}
	return false
}

// openMode reports whether the open at i is called directly and with a literal mode, so that the
// reader of Python knows what it writes. A method named open must only read, because its object is
// unknown.
func (p *pyScan) openMode(i int, member bool) bool {
	if p.at(i+1) != "(" {
		return false
	}
	depth, arg := 0, 0
	if member {
		arg = 1 // its path precedes it
	}
	for j := i + 1; j < len(p.ts); j++ {
		switch p.at(j) {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				return true
			}
		case "*":
			return false
		case ",":
			if depth == 1 {
				arg++
			}
		}
		if depth != 1 || p.at(j) != "(" && p.at(j) != "," {
			continue
		}
		k := j + 1
		switch {
		case p.at(k) == ")":
			continue
		case p.ts[k].kind == 'n' && p.at(k+1) == "=":
			if n := p.at(k); n != "mode" {
				if n != "encoding" && n != "errors" && n != "newline" && n != "file" {
					return false
				}
				continue
			}
			k += 2
		case arg != 1:
			continue
		}
		if p.ts[k].kind != 's' || p.at(k+1) != ")" && p.at(k+1) != "," || strings.Trim(p.ts[k].text, "rwaxbt+") != "" || member && strings.Trim(p.ts[k].text, "rbt") != "" {
			return false
		}
	}
	return false
}

// pathBefore reports whether the dot at i follows a path that the program made, by Path(...) or
// with /, or a variable to which it assigns nothing but Paths.
func (p *pyScan) pathBefore(i int) bool {
	switch j := i - 1; {
	case p.at(j) == ")": // Path("a").write_text
		depth := 0
		for ; j >= 0; j-- {
			switch p.at(j) {
			case ")":
				depth++
			case "(":
				depth--
			}
			if depth == 0 {
				break
			}
		}
		return p.at(j-1) == "Path" || p.at(j-1) == "" || j > 0 && p.ts[j-1].kind != 'n' && p.madeWithin(j, i)
	case j >= 0 && p.ts[j].kind == 'n' && p.at(j-1) != ".":
		made := false
		for k := range p.ts {
			if p.at(k) == p.at(j) && p.at(k+1) == "=" && p.at(k+2) != "=" {
				if made = p.madeLine(k + 2); !made {
					return false
				}
			}
		}
		return made
	}
	return false
}

func (p *pyScan) madeWithin(from, to int) bool {
	for k := from; k < to; k++ {
		if p.at(k) == "Path" {
			return true
		}
	}
	return false
}

func (p *pyScan) madeLine(k int) bool {
	return p.at(k) == "Path" || p.at(k) == "pathlib" && p.at(k+2) == "Path"
}

// setsEnviron reports whether the code sets a variable in os.environ that does not influence which
// programs run.
func (p *pyScan) setsEnviron(i int) bool {
	var name int
	switch {
	case p.at(i+3) == "[" && p.at(i+5) == "]" && p.at(i+6) == "=" && p.at(i+7) != "=":
		name = i + 4
	case p.at(i+3) == "." && p.at(i+4) == "setdefault" && p.at(i+5) == "(":
		name = i + 6
	default:
		return false
	}
	return p.ts[name].kind == 's' && !command.Influential(p.ts[name].text, true)
}

// addsPath reports whether the code adds a folder of the project to sys.path.
func (p *pyScan) addsPath(i int) bool {
	k := i + 6
	switch p.at(i + 4) {
	case "insert":
		k = i + 8
	case "append":
	default:
		return false
	}
	if p.at(i+3) != "." || p.at(i+5) != "(" || k+1 >= len(p.ts) || p.ts[k].kind != 's' || p.at(k+1) != ")" {
		return false
	}
	return p.c.ownFolder(p.ts[k].text)
}

// reachingName reports whether a method of this name, on any object, may run code or programs,
// change files or inspect modules.
func reachingName(t string) bool {
	return anyof.Equal(t, "eval", "exec", "compile", "setattr", "delattr", "globals", "locals", "vars", "input", "breakpoint", "help", "f_globals", "f_builtins", "f_locals", "gi_frame", "cr_frame", "tb_frame", "modules",
		"write_text", "write_bytes", "unlink", "rmdir", "rename", "renames", "rmtree", "touch", "symlink_to", "hardlink_to", "link_to", "chmod", "lchmod", "chown", "truncate", "remove_tree", "mkfifo", "utime", "copytree", "unpack_archive", "make_archive",
		"system", "popen", "spawn", "fork", "kill", "killpg", "environ", "environb", "getenv", "putenv", "execv", "execve", "execvp", "execl", "execlp", "settrace", "setprofile", "load_module", "exec_module", "fdopen", "methodcaller", "attrgetter", "partial", "partialmethod", "meta_path", "path_hooks", "addaudithook", "excepthook", "displayhook", "get_type_hints", "ForwardRef", "urlopen", "urlretrieve", "create_subprocess_shell", "create_subprocess_exec", "exec_command", "extractall", "extract", "load_extension", "enable_load_extension", "executescript", "dictConfig", "fileConfig", "FileHandler", "HTTPHandler", "SocketHandler", "SMTPHandler", "testfile")
}

// pythonFollowed lists members of modules: those whose calls the reader of Python turns into
// operations, and those that have no effect.
const pythonFollowed = `os.path os.listdir os.getcwd os.walk os.stat os.sep os.makedirs os.mkdir os.scandir os.cpu_count os.getpid os.linesep os.name os.fspath os.readlink os.access os.environ os.pathsep
	sys.argv sys.exit sys.version sys.version_info sys.stdin sys.stdout sys.stderr sys.executable sys.platform sys.maxsize sys.getsizeof sys.byteorder sys.getrecursionlimit sys.setrecursionlimit sys.exc_info sys.float_info sys.prefix sys.implementation sys.getdefaultencoding
	subprocess.run subprocess.check_output subprocess.check_call subprocess.call subprocess.PIPE subprocess.STDOUT subprocess.DEVNULL subprocess.CalledProcessError subprocess.TimeoutExpired subprocess.SubprocessError subprocess.CompletedProcess
	pathlib.Path pathlib.PurePath pathlib.PosixPath glob.glob glob.iglob shutil.which shutil.get_terminal_size shutil.disk_usage shutil.copy shutil.copyfile shutil.copy2
	io.StringIO io.BytesIO io.TextIOWrapper tempfile.mkdtemp tempfile.mktemp tempfile.TemporaryDirectory tempfile.NamedTemporaryFile tempfile.gettempdir`
