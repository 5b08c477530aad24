package code

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// pythonCalls are functions of the standard library and of popular packages.
var pythonCalls = table{rows: []row{
	// Output and input.
	{"print", pythonPrint, "", "", 0},
	{"sys.stdout.write sys.stdout.buffer.write pprint.pprint pprint", prints, "0..", " ", 0},
	{"os.write", pythonWrite, "0", "1", 0},
	{"input raw_input", fromLine, "", "", 0},
	{"fileinput.input", fromLines, "0 files", "", 0},
	// Code, and names that are looked up at run time.
	{"dict OrderedDict collections.OrderedDict types.SimpleNamespace SimpleNamespace argparse.Namespace", pythonDict, "0", "", 0},
	{"shlex.join", pythonJoins, "0 split_command", "", 0},
	{"shlex.split", pythonSplits, "0 s", "", 0},
	{"getattr", looksUp, "0", "1", 0},
	{"__import__ importlib.import_module import_module importlib.__import__", imports, "0 name", "", 0},
	{"globals locals vars dir", pythonNames, "0", "", 0},
	{"exec eval code.InteractiveConsole().push code.InteractiveInterpreter().runsource code.InteractiveConsole().runsource", evaluates, "0", "", 0},
	{"json.load json.loads simplejson.load simplejson.loads ujson.load ujson.loads orjson.loads json5.load json5.loads", parsesData, "0 fp s", "", 0},
	{"tomllib.load tomllib.loads tomli.load tomli.loads toml.load toml.loads", parsesData, "0 fp f s", "toml", 0},
	{"yaml.load yaml.safe_load yaml.full_load yaml.unsafe_load", parsesData, "0 stream", "yaml", 0},
	{"operator.attrgetter", pythonGetter, "0", "", 0},
	{"operator.methodcaller", pythonCaller, "0", "1..", 0},
	{"functools.reduce reduce", pythonReduces, "0 function", "1 iterable", 0},
	{"functools.partial", pythonPartial, "0", "1..", 0},
	{"execfile runpy.run_path", sources, "0 path_name filename", "", 0},
	{"compile codeop.compile_command", compiles, "0 source", "", 0},
	{"timeit.timeit timeit.repeat timeit timeit.Timer pdb.run cProfile.run profile.run trace.Trace().run doctest.debug_src code.interact bdb.Bdb().run", pythonTimes, "0 stmt", "1 setup", 0},
	{"pickle.loads cPickle.loads dill.loads pickle.load cloudpickle.loads", unserializes, "0", "", 0},
	{"marshal.loads marshal.load", textUndecoded, "0", "", 0},
	{"threading.Thread multiprocessing.Process threading.Timer atexit.register concurrent.futures.ThreadPoolExecutor().submit signal.signal asyncio.run", pythonCalledLater, "- target function", "- args", 0},
	{"ctypes.CDLL ctypes.cdll.LoadLibrary ctypes.PyDLL CDLL", pythonLibrary, "", "", 0},
	// Commands.
	{"os.system subprocess.getoutput subprocess.getstatusoutput commands.getoutput commands.getstatusoutput os.popen asyncio.create_subprocess_shell popen2.popen2 os.popen2 os.popen3 libc.system", shells, "0 cmd command", "", 0},
	{"subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen sh.Command ptyprocess.PtyProcess.spawn ptyprocess.PtyProcessUnicode.spawn winpty.PtyProcess.spawn", pythonSubprocess, "0 args", "", 0},
	{"sarge.run invoke.run delegator.run pexpect.spawn pexpect.run pexpect.runu pexpect.spawnu", pythonSubprocess, "0 args command cmd", "shell", 0},
	{"asyncio.create_subprocess_exec", execs, "0.. program", "", 0},
	{"os.execl os.execlp", execsRest, "0 file", "2..", 0},
	{"os.execle os.execlpe", pythonExecEnv, "0 file", "2..", 0},
	{"os.execv os.execve os.execvp os.execvpe os.posix_spawn os.posix_spawnp", execsVector, "0 file path", "1 args argv", 0},
	{"os.spawnv os.spawnve os.spawnvp os.spawnvpe", execsVector, "1 file path", "2 args argv", 0},
	{"os.spawnl os.spawnlp os.spawnle os.spawnlpe", execsRest, "1 file", "3..", 0},
	{"pty.spawn", pythonPty, "0.. argv", "", 0},
	{"os.dup2", pythonDup, "", "", 0},
	{"os.fork os.forkpty", forks, "", "", 0},
	{"os.kill os.killpg", signals, "0", "1", 0},
	{"webbrowser.open os.startfile", browses, "0 url path filepath", "", 0},
	// Files.
	{"open io.open codecs.open os.fdopen gzip.open bz2.open lzma.open aiofiles.open tarfile.open zipfile.ZipFile builtins.open", opens, "0 file name", "1 mode", 0},
	{"os.open", pythonOpenFlags, "0 path", "1 flags", 0},
	{"os.remove os.unlink os.rmdir os.removedirs libc.unlink libc.remove libc.rmdir", removes, "0 path name", "", 0},
	{"shutil.rmtree send2trash.send2trash distutils.dir_util.remove_tree remove_tree shutil/rmtree os/rmtree", removes, "0 path", "", umpire.Recursive},
	{"*/rmtree", pythonRmtree, "0 path", "", umpire.Recursive},
	{"os.rename os.replace os.renames shutil.move", renames, "0 src", "1 dst", 0},
	{"shutil.copy shutil.copyfile shutil.copy2 shutil.copytree", copies, "0 src", "1 dst", 0},
	{"shutil.unpack_archive", unpacks, "0 filename", "1 extract_dir", 0},
	{"shutil.make_archive", pythonPacks, "0 base_name", "2 root_dir", 0},
	{"os.link os.symlink", links, "0 src", "1 dst", 0},
	{"shutil.copyfileobj", pythonPour, "0 fsrc", "1 fdst", 0},
	{"os.truncate", empties, "0 path", "", 0},
	{"os.chmod os.lchmod", changesMode, "0 path", "1 mode", 0},
	{"os.chown os.lchown shutil.chown", changesMode, "0 path", "", umpire.Ownership},
	{"os.mkdir os.makedirs os.mkfifo os.mknod", writes, "0 path name", "", 0},
	{"os.chdir", changesFolder, "0 path", "", 0},
	// Paths.
	{"os.path.join posixpath.join ntpath.join", joinsPath, "0..", "", 0},
	{"Path pathlib.Path pathlib.PosixPath PosixPath pathlib.PurePath", joinsPathObject, "0..", "", 0},
	{"Path.home pathlib.Path.home", pythonHome, "", "", 0},
	{"Path.cwd pathlib.Path.cwd", joinsPathObject, "0..", "", 0},
	{"os.path.expanduser", expandsHome, "0 path", "", 0},
	{"os.path.expandvars", expandsVariables, "0 path", "", 0},
	{"os.path.abspath os.path.realpath os.path.normpath os.fspath os.path.normcase", yieldsArgument, "0 path filename s", "", 0},
	{"os.path.dirname", folderOf, "0 p", "", 0},
	{"os.path.basename", fileNameOf, "0 p", "", 0},
	{"tempfile.mkdtemp tempfile.mktemp tempfile.TemporaryDirectory mkdtemp TemporaryDirectory", yieldsText, "/tmp/tmp.XXXXXXXX", "", 0}, // new, so it contains only data of this program
	{"tempfile.NamedTemporaryFile", pythonTemporary, "/tmp/tmp.XXXXXXXX", "", 0},
	{"tempfile.gettempdir", yieldsText, "/tmp", "", 0},
	{"os.getcwd", yieldsText, ".", "", 0},
	{"site.getsitepackages site.getusersitepackages sysconfig.get_path distutils.sysconfig.get_python_lib", pythonPackages, "", "", 0},
	{"os.listdir", yieldsNames, "0 path", "", 0},
	{"os.walk os.fwalk", pythonWalk, "0 top", "", 0},
	{"os.scandir", yieldsEntries, "0 path", "", 0},
	{"glob.glob glob.iglob", yieldsList, "0 pathname", "", 0},
	{"os.getenv os.getenvb os.environ.get", fromEnvironment, "0 key", "1 default", 0},
	{"os.putenv", setsEnvironment, "0", "1", 0},
	{"dotenv.dotenv_values dotenv_values dotenv.main.dotenv_values", loadsEnvironment, "0 dotenv_path", "", 0},
	{"decouple.config", fromEnvironment, "0 option", "1 default", 0},
	// The network.
	{"socket.create_connection", connects, "0 address", "", 0},
	{"asyncio.open_connection", connects, "0.. host port", "", 0},
	{"socket.socket ssl.wrap_socket", newSocket, "", "", 0},
	{"urllib.request.urlretrieve urllib.urlretrieve wget.download urlretrieve", downloads, "0 url", "1 filename out", 0},
	{"urllib.request.Request urllib2.Request Request", makesRequest, "0 url", "1 data", 0},
	{"urllib.request.urlopen urllib.urlopen urllib2.urlopen urlopen", pythonURLOpen, "0 url", "1 data", 0},
	{"http.client.HTTPConnection http.client.HTTPSConnection httplib.HTTPSConnection HTTPConnection HTTPSConnection ftplib.FTP smtplib.SMTP smtplib.SMTP_SSL telnetlib.Telnet paramiko.SSHClient().connect imaplib.IMAP4_SSL xmlrpc.client.ServerProxy websocket.create_connection websockets.connect", pythonClient, "0 host hostname uri url", "1 port", 0},
	{"http.server.HTTPServer HTTPServer http.server.test socketserver.TCPServer http.server.ThreadingHTTPServer", listens, "", "", 0},
	{"requests/get requests/head requests/options httpx/get httpx/head httpx/options aiohttp/get aiohttp/head aiohttp/options urllib3/get urllib3/head session/get session/head session/options Session/get Session/head Session/options http/get http/head http/options requests_html/get requests_html/head requests_html/options", requests, "0 url", "- params data json", 0},
	{"requests/* httpx/* aiohttp/* urllib3/* session/* Session/* http/* requests_html/*", requests, "0 url", "1 data json files content body", 0},
	{"sqlite3.connect", pythonSQLite, "0 database", "", 0},
	{"sqlite3/cursor", yieldsArgument, ".", "", 0},
	// Text, and calls without a known result.
	{"codecs.decode codecs.encode", pythonCodec, "0 obj", "1 encoding", 0},
	{"bytes.fromhex bytearray.fromhex", decodes, "0", "hex", 0},
	{"os.path.exists os.path.isfile os.path.isdir os.stat len os.path.getsize isinstance type id hash int float sys.exit exit quit time.sleep */mkdir */exists */is_file */is_dir */startswith */endswith", yieldsNothing, "", "", 0},
}}

// pythonPrint prints to standard output, or to the file in its option file.
func pythonPrint(m *machine, c *call, _ *row) (value, bool) {
	switch f := c.option("file"); f.ref {
	case "":
		m.printAll(c.args, " ", true)
	case refFile, refProc, refSock:
		m.writeTo(f, listOf(c.args))
	}
	return unknown(), true
}

// pythonWrite reads os.write. Its first argument is a descriptor from os.open or a connection, or
// else standard output.
func pythonWrite(m *machine, c *call, r *row) (value, bool) {
	if fd := c.get(r.first); fd.ref == refFile || fd.ref == refSock {
		return writesTo(m, c, r)
	}
	m.printAll(c.args[min(1, len(c.args)):], " ", false)
	return unknown(), true
}

// pythonNames returns the definitions in which globals()["os"] is looked up.
func pythonNames(_ *machine, c *call, r *row) (value, bool) {
	if len(c.args) > 0 {
		return c.get(r.first), true
	}
	return value{ref: "globals()"}, true
}

// pythonDict returns a dictionary with the entries of another one and the arguments that are passed
// by name.
func pythonDict(m *machine, c *call, r *row) (value, bool) {
	v := value{seq: true, keys: []string{}}
	if from := c.get(r.first); from.ref == refEnv {
		return from, true
	}
	if _, more := c.kw.get(spread); more || c.has(r.first) && c.get(r.first).keys == nil {
		return unknown(), true
	}
	for _, from := range []value{c.get(r.first), c.kw} {
		for i, k := range from.keys {
			v = v.with(k, from.list[i])
		}
	}
	return v, true
}

// pythonJoins quotes and joins the words of a command.
func pythonJoins(_ *machine, c *call, r *row) (value, bool) {
	v := c.get(r.first)
	if !v.seq || len(v.list) == 0 {
		return value{taint: v.taint}, true
	}
	var words []command.Word
	for _, x := range v.list {
		words = append(words, x.word())
	}
	return value{alts: []string{command.Quote(words[0].Text, words[1:])}, taint: v.taint}, true
}

// pythonSplits returns the words of a command line.
func pythonSplits(_ *machine, c *call, r *row) (value, bool) {
	v := c.get(r.first)
	if !v.known() || strings.ContainsAny(v.text(), "'\"\\#") {
		return value{taint: v.taint}, true
	}
	var words []value
	for w := range strings.FieldsSeq(v.text()) {
		words = append(words, lit(w))
	}
	return listOf(words), true
}

// pythonTimes runs code in texts, in order: the setup, then the statement.
func pythonTimes(m *machine, c *call, r *row) (value, bool) {
	for _, code := range []value{c.get(r.second), c.get(r.first)} {
		if len(code.alts) > 0 || code.fn != nil {
			m.eval(code)
		}
	}
	return unknown(), true
}

// pythonCalledLater makes the call that a thread, a timer or an exit handler makes later.
func pythonCalledLater(m *machine, c *call, r *row) (value, bool) {
	f, args := c.get(r.first), c.get(r.second)
	if f.isNil() {
		for i, a := range c.args {
			if a.fn != nil || strings.Contains(a.ref, ".") {
				f, args = a, listOf(c.args[i+1:])
				break
			}
		}
	}
	if f.fn == nil && (f.ref == "" || strings.HasPrefix(f.ref, "$")) {
		return unknown(), true
	}
	list := args.items()
	if args.isNil() {
		list = nil
	} else if len(list) == 1 && list[0].seq {
		list = list[0].list
	}
	if c.ref == "threading.Thread" || c.ref == "multiprocessing.Process" || f.fn != nil || len(list) > 0 {
		return m.call(f, list, value{}), true
	}
	return unknown(), true
}

func pythonLibrary(*machine, *call, *row) (value, bool) { return value{ref: "libc"}, true }

// pythonSubprocess runs a vector or, if the row or an option says so, a text in a shell. The options
// determine its standard input and its folder.
func pythonSubprocess(m *machine, c *call, r *row) (value, bool) {
	cmd, shell := c.get(r.first), r.second == "shell" || c.option("shell").truthy()
	stdin := c.option("input")
	switch s := c.option("stdin"); {
	case s.ref == refSock || strings.Contains(s.ref, "fileno") && m.socket != "" || m.netfd:
		m.effect(Effect{Kind: ReverseShell, Arg: command.Lit(m.socket)})
	case s.ref == refFile && s.recv != nil:
		stdin = m.read(*s.recv)
	case strings.HasPrefix(s.ref, refProc): // p.stdout of another process
		stdin = (&call{recv: s}).output()
	}
	if !stdin.isNil() && len(stdin.alts) == 0 && stdin.taint == 0 {
		stdin = unknown()
	}
	m.optionsOfCommand(c)
	if !cmd.seq && !shell && len(cmd.alts) > 0 {
		return m.exec([]value{cmd}, stdin), true
	}
	return m.run([]value{cmd}, shell, stdin), true
}

// pythonExecEnv is execsRest for functions whose last argument is an environment.
func pythonExecEnv(m *machine, c *call, r *row) (value, bool) {
	return execsRest(m, &call{args: c.args[:max(0, len(c.args)-1)], kw: c.kw}, r)
}

// pythonPty starts a program on a new terminal. With an open connection, this completes the
// best-known reverse shell.
func pythonPty(m *machine, c *call, r *row) (value, bool) {
	if m.socket != "" {
		m.effect(Effect{Kind: ReverseShell, Arg: command.Lit(m.socket)})
	}
	return execs(m, c, r)
}

// pythonDup makes a descriptor standard input or output. It matters only with an open connection:
// the next shell obeys the peer.
func pythonDup(m *machine, _ *call, _ *row) (value, bool) {
	m.netfd = m.netfd || m.socket != ""
	return unknown(), true
}

// pythonOpenFlags reads os.open. With unknown flags, the effect shows when the program writes to
// the file.
func pythonOpenFlags(m *machine, c *call, r *row) (value, bool) {
	flags := c.get(r.second)
	switch {
	case strings.Contains(flags.ref, "O_TRUNC"):
		return m.open(c.get(r.first), "w"), true
	case strings.Contains(flags.ref, "O_WRONLY"), strings.Contains(flags.ref, "O_RDWR"), strings.Contains(flags.ref, "O_CREAT"), strings.Contains(flags.ref, "O_APPEND"):
		return m.open(c.get(r.first), "a"), true
	}
	return m.open(c.get(r.first), "r"), true
}

// pythonRmtree reads rmtree of a module that the program did not import. Without arguments it is a
// method of a path, which another row describes.
func pythonRmtree(m *machine, c *call, r *row) (value, bool) {
	if len(c.args) == 0 {
		return value{}, false
	}
	return removes(m, c, r)
}

// pythonPacks reads make_archive, which packs a whole folder.
func pythonPacks(m *machine, c *call, r *row) (value, bool) {
	folder := lit(".")
	if c.has(r.second) {
		folder = c.get(r.second)
	}
	name := concat(concat(c.get(r.first), lit(".")), c.arg(1, "format"))
	return m.write(name, m.read(folder), umpire.Truncate), true
}

// pythonPour copies one open file to another.
func pythonPour(m *machine, c *call, r *row) (value, bool) {
	if from := c.get(r.first); c.has(r.second) {
		m.writeTo(c.get(r.second), m.dispatch(&call{ref: member(from, "read"), recv: from}))
	}
	return unknown(), true
}

func pythonHome(m *machine, _ *call, _ *row) (value, bool) { return pathObject(m.home()), true }

// pythonPackages returns the folder of installed packages. Each start of Python runs its .pth files.
func pythonPackages(*machine, *call, *row) (value, bool) {
	return listOf([]value{lit("/usr/lib/python3/dist-packages")}), true
}

func pythonTemporary(_ *machine, _ *call, r *row) (value, bool) {
	path := lit(string(r.first))
	return value{ref: refFile, recv: &path}, true
}

// pythonWalk returns one row (folder, folders, files) of unknown names below a folder.
func pythonWalk(_ *machine, c *call, r *row) (value, bool) {
	name := lit(command.Entry)
	names := listOf([]value{name})
	return listOf([]value{listOf([]value{joinPath(c.get(r.first), name), names, names})}), true
}

// pythonURLOpen makes a request to a URL, or one that makesRequest returned.
func pythonURLOpen(m *machine, c *call, r *row) (value, bool) {
	return requests(m, &call{ref: "get", args: []value{c.get(r.first), c.get(r.second)}}, &row{first: "0", second: "1"})
}

// pythonClient returns a client for one host. Its methods send and receive.
func pythonClient(m *machine, c *call, r *row) (value, bool) {
	host := c.get(r.first)
	if port := c.get(r.second); !port.isNil() {
		host = concat(concat(host, lit(":")), port)
	}
	m.net(host, value{}, 0)
	return value{ref: refNet, alts: host.alts, recv: &host, taint: command.FromNetwork}, true
}

func pythonSQLite(_ *machine, c *call, r *row) (value, bool) {
	file := c.get(r.first)
	return value{ref: refSQLite, recv: &file}, true
}

// pythonCodec decodes encodings that hide text.
func pythonCodec(_ *machine, c *call, r *row) (value, bool) {
	v, _ := decoded(c.get(r.first), c.get(r.second).text())
	return v, true
}

// pythonGetter returns a function that returns a member of its argument.
func pythonGetter(m *machine, c *call, r *row) (value, bool) {
	return value{ref: "operator.attrgetter()", list: []value{c.get(r.first)}}, true
}

// pythonCaller returns a function that calls a method of its argument.
func pythonCaller(m *machine, c *call, r *row) (value, bool) {
	return value{ref: "operator.methodcaller()", list: append([]value{c.get(r.first)}, c.all(r.second)...)}, true
}

// member returns the member of the argument of a function that attrgetter or methodcaller made.
func (v value) member(m *machine, args []value) value {
	x := args[0]
	for name := range strings.SplitSeq(v.list[0].text(), ".") {
		x = m.member(x, name)
	}
	if v.ref == "operator.methodcaller()" {
		return m.call(x, v.list[1:], value{})
	}
	return x
}

// pythonReduces calls a function with each element of a list, and with the result of the call before.
func pythonReduces(m *machine, c *call, r *row) (value, bool) {
	f, list := c.get(r.first), c.get(r.second)
	v := c.arg(2, "initial")
	items := list.items()
	if len(items) > maxItems {
		items = []value{list.each()}
	}
	if len(c.args) < 3 && len(items) > 1 {
		v, items = items[0], items[1:]
	}
	for _, x := range items {
		v = m.call(f, []value{v, x}, value{})
	}
	return v, true
}

// pythonPartial calls the function at once: code that binds arguments intends to call it.
func pythonPartial(m *machine, c *call, r *row) (value, bool) {
	f, args := c.get(r.first), c.all(r.second)
	m.call(f, args, c.kw)
	if len(args) > 0 {
		return unknown(), true
	}
	return f, true
}
