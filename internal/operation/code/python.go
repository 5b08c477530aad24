package code

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

func pythonCall(m *machine, c *call) (value, bool) {
	name := c.method()
	switch c.ref {
	case "print", "sys.stdout.write", "sys.stdout.buffer.write", "pprint.pprint", "pprint", "os.write":
		args := c.args
		if c.ref == "os.write" && len(args) > 1 {
			args = args[1:]
		}
		if f := c.option("file"); c.ref == "print" && f.ref != "" {
			if f.ref == refFile || f.ref == refProc || f.ref == refSock {
				m.writeTo(f, listOf(args))
			}
			return unknown(), true
		}
		v := lit("")
		for i, a := range args {
			if i > 0 {
				v = concat(v, lit(" "))
			}
			if a.ref == refEnv {
				m.print(a, false)
			}
			v = concat(v, a)
		}
		m.print(v, c.ref == "print")
		return unknown(), true
	case "getattr":
		if len(c.args) > 1 {
			return m.member(c.args[0], c.args[1].text()), true
		}
	case "__import__", "importlib.import_module", "import_module", "importlib.__import__":
		return value{ref: m.canonical(c.arg(0, "name").text())}, true
	case "globals", "locals", "vars", "dir":
		if len(c.args) > 0 {
			return c.args[0], true
		}
		return value{ref: "globals()"}, true
	case "exec", "eval", "execfile":
		if c.ref == "execfile" {
			m.source(c.arg(0))
			return unknown(), true
		}
		return m.eval(c.arg(0)), true
	case "compile", "codeop.compile_command":
		v := c.arg(0)
		v.ref = refCode
		return v, true
	case "timeit.timeit", "timeit.repeat", "timeit", "timeit.Timer", "pdb.run", "cProfile.run", "profile.run", "trace.Trace().run", "doctest.debug_src", "code.interact", "bdb.Bdb().run":
		for _, a := range []value{c.option("setup"), c.arg(0, "stmt")} {
			if len(a.alts) > 0 || a.fn != nil {
				m.eval(a)
			}
		}
		return unknown(), true
	case "runpy.run_path":
		m.source(c.arg(0))
		return unknown(), true
	case "input", "raw_input":
		return m.stdin(), true
	case "open", "io.open", "codecs.open", "os.open", "os.fdopen", "gzip.open", "bz2.open", "lzma.open", "aiofiles.open", "tarfile.open", "zipfile.ZipFile", "builtins.open":
		return m.open(c.arg(0, "file", "name"), c.arg(1, "mode").text(), c.ref == "os.open"), true
	case "os.system", "subprocess.getoutput", "subprocess.getstatusoutput", "commands.getoutput", "commands.getstatusoutput", "os.popen", "asyncio.create_subprocess_shell", "popen2.popen2", "os.popen2", "os.popen3":
		return m.shell(c.arg(0, "cmd", "command"), value{}), true
	case "subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output", "subprocess.Popen", "sh.Command", "sarge.run", "invoke.run", "delegator.run", "pexpect.spawn", "pexpect.run", "pexpect.runu", "pexpect.spawnu", "ptyprocess.PtyProcess.spawn", "ptyprocess.PtyProcessUnicode.spawn", "winpty.PtyProcess.spawn":
		return m.subprocess(c), true
	case "asyncio.create_subprocess_exec", "os.execl", "os.execlp", "os.execle", "os.execlpe":
		args := c.args
		if strings.HasPrefix(c.ref, "os.") && len(args) > 1 {
			args = append([]value{args[0]}, args[2:]...)
			if strings.HasSuffix(c.ref, "e") && len(args) > 1 {
				args = args[:len(args)-1]
			}
		}
		return m.exec(args, value{}), true
	case "os.execv", "os.execve", "os.execvp", "os.execvpe", "os.posix_spawn", "os.posix_spawnp":
		return m.execv(c.args, 0), true
	case "os.spawnv", "os.spawnve", "os.spawnvp", "os.spawnvpe":
		return m.execv(c.args, 1), true
	case "os.spawnl", "os.spawnlp", "os.spawnle", "os.spawnlpe":
		if len(c.args) > 3 {
			return m.exec(append([]value{c.args[1]}, c.args[3:]...), value{}), true
		}
		return m.exec(c.args[min(1, len(c.args)):], value{}), true
	case "pty.spawn":
		if m.socket != "" {
			m.effect(Effect{Kind: ReverseShell, Arg: command.Lit(m.socket)})
		}
		return m.exec(c.args, value{}), true
	case "os.dup2":
		if m.socket != "" {
			m.netfd = true
		}
		return unknown(), true
	case "os.fork", "os.forkpty":
		return m.fork(), true
	case "os.remove", "os.unlink", "os.rmdir", "os.removedirs":
		return m.del(c.arg(0, "path"), 0), true
	case "shutil.rmtree", "send2trash.send2trash", "distutils.dir_util.remove_tree", "remove_tree":
		return m.del(c.arg(0, "path"), umpire.Recursive), true
	case "os.rename", "os.replace", "os.renames", "shutil.move":
		return m.rename(c.arg(0, "src"), c.arg(1, "dst")), true
	case "shutil.copy", "shutil.copyfile", "shutil.copy2", "shutil.copytree", "os.link", "os.symlink":
		data := m.read(c.arg(0, "src"))
		m.write(c.arg(1, "dst"), value{taint: data.taint, alts: data.alts}, umpire.Overwrite)
		if strings.HasPrefix(c.ref, "os.") {
			m.link(c.arg(1, "dst"), c.arg(0, "src"))
		}
		return unknown(), true
	case "shutil.copyfileobj":
		if len(c.args) > 1 {
			src := m.dispatch(&call{ref: member(c.args[0], "read"), recv: c.args[0]})
			m.writeTo(c.args[1], src)
		}
		return unknown(), true
	case "os.truncate":
		return m.write(c.arg(0), lit(""), umpire.Truncate), true
	case "os.chmod", "os.lchmod", "os.chown", "os.lchown", "shutil.chown":
		return m.chmod(c.arg(0, "path"), c.arg(1, "mode"), strings.Contains(c.ref, "chown")), true
	case "os.mkdir", "os.makedirs", "os.mkfifo", "os.mknod":
		return m.write(c.arg(0), unknown(), 0), true
	case "os.chdir":
		m.effect(Effect{Kind: Chdir, Arg: c.arg(0).path().word()})
		return unknown(), true
	case "os.kill", "os.killpg":
		return m.signal(c.arg(0), c.arg(1)), true
	case "os.getenv", "os.getenvb", "os.environ.get":
		return either(m.getenv(c.arg(0).text()), c.arg(1)), true
	case "os.path.join", "posixpath.join", "ntpath.join":
		return joinPath(c.args...), true
	case "os.path.expanduser":
		return m.expandUser(c.arg(0)), true
	case "os.path.expandvars":
		return m.expandVars(c.arg(0)), true
	case "os.path.abspath", "os.path.realpath", "os.path.normpath", "os.fspath", "os.path.normcase":
		return c.arg(0), true
	case "os.path.dirname":
		return c.arg(0).mapText(dirOf), true
	case "os.path.basename":
		return c.arg(0).mapText(baseOf), true
	case "tempfile.mkdtemp", "tempfile.mktemp", "tempfile.TemporaryDirectory", "tempfile.NamedTemporaryFile", "tempfile.gettempdir", "mkdtemp", "TemporaryDirectory":
		if name == "gettempdir" {
			return lit("/tmp"), true
		}
		v := lit("/tmp/tmp.XXXXXXXX") // unknown, and new: it holds what this program puts there
		if name == "NamedTemporaryFile" {
			return value{ref: refFile, recv: &v}, true
		}
		return v, true
	case "os.getcwd":
		return lit("."), true
	case "os.path.exists", "os.path.isfile", "os.path.isdir", "os.stat", "len", "os.path.getsize", "isinstance", "type", "id", "hash", "int", "float":
		return value{alts: nil}, true
	case "os.listdir":
		return value{taint: c.arg(0).taint}, true
	case "os.walk", "os.fwalk", "os.scandir":
		dir := joinPath(c.arg(0), lit(umpire.Hole))
		if c.ref == "os.scandir" {
			dir.ref = refPath
			return dir, true
		}
		return listOf([]value{listOf([]value{dir, unknown(), unknown()})}), true
	case "glob.glob", "glob.iglob":
		return listOf([]value{c.arg(0, "pathname")}), true
	case "Path.home", "pathlib.Path.home":
		v := m.home()
		v.ref = refPath
		return v, true
	case "Path.cwd", "pathlib.Path.cwd":
		return value{alts: []string{"."}, ref: refPath}, true
	case "Path", "pathlib.Path", "pathlib.PosixPath", "PosixPath", "pathlib.PurePath":
		v := joinPath(c.args...)
		if len(c.args) == 0 {
			v = lit(".")
		}
		v.ref = refPath
		return v, true
	case "socket.create_connection":
		return m.connect(c.arg(0)), true
	case "socket.socket", "ssl.wrap_socket", "asyncio.open_connection":
		if c.ref == "asyncio.open_connection" {
			return m.connect(listOf(c.args)), true
		}
		return value{ref: refSock}, true
	case "urllib.request.urlretrieve", "urllib.urlretrieve", "wget.download", "urlretrieve":
		v := m.net(c.arg(0), value{}, umpire.Download)
		if len(c.args) > 1 {
			m.write(c.args[1], v, 0)
		}
		return v, true
	case "urllib.request.Request", "urllib2.Request", "Request":
		v := value{ref: "$request", alts: c.arg(0, "url").alts, taint: c.arg(0).taint}
		if d := c.arg(1, "data"); !d.isNil() {
			v.recv = &d
		}
		return v, true
	case "urllib.request.urlopen", "urllib.urlopen", "urllib2.urlopen", "urlopen":
		u := c.arg(0, "url")
		d := c.arg(1, "data")
		if u.ref == "$request" && u.recv != nil {
			d = *u.recv
		}
		u.ref = ""
		return m.net(u, d, 0), true
	case "http.client.HTTPConnection", "http.client.HTTPSConnection", "httplib.HTTPSConnection", "HTTPConnection", "HTTPSConnection", "ftplib.FTP", "smtplib.SMTP", "smtplib.SMTP_SSL", "telnetlib.Telnet", "paramiko.SSHClient().connect", "imaplib.IMAP4_SSL", "xmlrpc.client.ServerProxy", "websocket.create_connection", "websockets.connect":
		host := c.arg(0)
		if p := c.arg(1, "port"); !p.isNil() {
			host = concat(concat(host, lit(":")), p)
		}
		m.net(host, value{}, 0)
		return value{ref: refNet, alts: host.alts, recv: &host, taint: command.FromNetwork}, true
	case "http.server.HTTPServer", "HTTPServer", "http.server.test", "socketserver.TCPServer", "http.server.ThreadingHTTPServer":
		m.effect(Effect{Kind: Listen})
		return unknown(), true
	case "webbrowser.open", "os.startfile":
		m.effect(Effect{Kind: Browse, Arg: c.arg(0).word()})
		return unknown(), true
	case "marshal.loads", "pickle.loads", "cPickle.loads", "dill.loads", "marshal.load", "pickle.load", "cloudpickle.loads":
		v := c.arg(0)
		if strings.HasPrefix(c.ref, "marshal") {
			return value{taint: v.taint | command.FromDecoder}, true
		}
		if v.taint&(command.FromNetwork|command.FromDecoder) != 0 {
			m.effect(Effect{Kind: Eval, Arg: v.word()})
		}
		return value{taint: v.taint}, true
	case "ctypes.CDLL", "ctypes.cdll.LoadLibrary", "ctypes.PyDLL", "CDLL":
		return value{ref: "libc"}, true
	case "libc.system", "ctypes.CDLL().system":
		return m.shell(c.arg(0), value{}), true
	case "libc.unlink", "libc.remove", "libc.rmdir":
		return m.del(c.arg(0), 0), true
	case "codecs.decode", "codecs.encode":
		codec := strings.ToLower(c.arg(1, "encoding").text())
		switch {
		case strings.Contains(codec, "13"):
			return c.arg(0).mapText(rot13), true
		case strings.Contains(codec, "base64"):
			return decode(c.arg(0), "base64"), true
		case strings.Contains(codec, "hex"):
			return decode(c.arg(0), "hex"), true
		}
		return c.arg(0), true
	case "bytes.fromhex", "bytearray.fromhex":
		return decode(c.arg(0), "hex"), true
	case "threading.Thread", "multiprocessing.Process", "threading.Timer", "atexit.register", "concurrent.futures.ThreadPoolExecutor().submit", "signal.signal", "asyncio.run":
		f, args := c.option("target", "function"), c.option("args")
		if f.isNil() {
			for i, a := range c.args {
				if a.fn != nil || strings.Contains(a.ref, ".") {
					f, args = a, listOf(c.args[i+1:])
					break
				}
			}
		}
		if f.fn != nil || f.ref != "" && !strings.HasPrefix(f.ref, "$") {
			list := args.items()
			if args.isNil() {
				list = nil
			} else if len(list) == 1 && list[0].seq {
				list = list[0].list
			}
			if c.ref == "threading.Thread" || c.ref == "multiprocessing.Process" || f.fn != nil || len(list) > 0 {
				return m.call(f, list, value{}), true
			}
		}
		return unknown(), true
	case "sys.exit", "exit", "quit", "time.sleep":
		return unknown(), true
	case "sqlite3.connect":
		file := c.arg(0)
		return value{ref: refSQLite, recv: &file}, true
	}
	if c.recv.ref == refSQLite && c.method() == "cursor" {
		return c.recv, true
	}
	r := c.recv
	switch r.ref {
	case refPath:
		return m.pathMethod(c, name)
	case refFile:
		return m.fileMethod(c, name), true
	case refSock:
		return m.sockMethod(c, name), true
	case refProc:
		return m.procMethod(c, name)
	case refIn:
		if strings.HasPrefix(name, "read") {
			return m.stdin(), true
		}
		return m.stdin(), true
	case refNet:
		return m.netMethod(c, name)
	}
	root, _, _ := strings.Cut(c.ref, ".")
	switch root {
	case "requests", "httpx", "aiohttp", "urllib3", "session", "Session", "http", "requests_html":
		switch name {
		case "get", "head", "options", "stream":
			d := c.option("params", "data", "json")
			if h := authentic(c.option("headers", "cookies", "auth")); d.isNil() && h.taint != 0 {
				d = h
			}
			return m.net(c.arg(0, "url"), d, 0), true
		case "post", "put", "patch", "delete", "request":
			u, d := c.arg(0, "url"), c.arg(1, "data", "json", "files", "content", "body")
			if name == "request" {
				u, d = c.arg(1, "url"), c.option("data", "json", "files", "fields", "body")
			}
			return m.net(u, d, methodTraits(name)), true
		}
	case "shutil", "os":
		// Aliases that were not seen still end in these names.
		if name == "rmtree" {
			return m.del(c.arg(0), umpire.Recursive), true
		}
	case "operator":
		if name == "attrgetter" || name == "methodcaller" {
			return unknown(), false
		}
	}
	switch name {
	case "rmtree":
		if len(c.args) > 0 {
			return m.del(c.arg(0), umpire.Recursive), true
		}
	case "mkdir", "exists", "is_file", "is_dir", "startswith", "endswith":
		return unknown(), true
	}
	return value{}, false
}

func methodTraits(name string) umpire.Trait {
	switch name {
	case "post", "put", "patch":
		return umpire.Upload
	}
	return 0
}

// subprocess reads subprocess.run and its kin.
func (m *machine) subprocess(c *call) value {
	cmd := c.arg(0, "args")
	stdin := c.option("input")
	if s := c.option("stdin"); s.ref == refSock || strings.Contains(s.ref, "fileno") && m.socket != "" || m.netfd {
		m.effect(Effect{Kind: ReverseShell, Arg: command.Lit(m.socket)})
	} else if s.ref == refFile && s.recv != nil {
		stdin = m.read(*s.recv)
	} else if strings.Contains(s.ref, refProc) && s.recv != nil {
		stdin = value{alts: s.alts, taint: s.taint}
	}
	if !stdin.isNil() && len(stdin.alts) == 0 && stdin.taint == 0 {
		stdin = unknown()
	}
	sh := c.option("shell").truthy()
	if strings.HasPrefix(c.ref, "pexpect") || strings.HasPrefix(c.ref, "invoke") || strings.HasPrefix(c.ref, "sarge") || strings.HasPrefix(c.ref, "delegator") {
		sh = true
	}
	if d := c.option("cwd"); !d.isNil() && d.ref != "None" && len(d.alts) > 0 {
		m.effect(Effect{Kind: Chdir, Arg: d.path().word()})
	}
	if !cmd.seq && !sh && len(cmd.alts) > 0 {
		return m.exec([]value{cmd}, stdin)
	}
	return m.run([]value{cmd}, sh, stdin)
}

// execv runs (path, [argv0, arg, ...]) found at position i.
func (m *machine) execv(args []value, i int) value {
	if len(args) <= i {
		return unknown()
	}
	v := []value{args[i]}
	if len(args) > i+1 {
		if l := args[i+1]; l.seq && len(l.list) > 0 {
			v = append(v, l.list[1:]...)
		} else if !l.seq {
			v = append(v, l)
		}
	}
	return m.exec(v, value{})
}

// open opens a file in a C-like mode.
func (m *machine) open(path value, mode string, flags bool) value {
	if path.ref == refFile || path.ref == refNet || path.ref == refSock {
		return path
	}
	if flags {
		f := value{ref: refFile}
		p := path.path()
		f.recv = &p
		return f
	}
	p := path.path()
	f := value{ref: refFile, recv: &p}
	switch {
	case strings.ContainsAny(mode, "wx>") && !strings.HasPrefix(mode, ">>") && mode != umpire.Hole:
		// With the data, once it is written; what is only opened is empty.
		m.write(p, lit(""), umpire.Truncate)
	case strings.HasPrefix(mode, "a"), strings.HasPrefix(mode, ">>"):
		m.write(p, lit(""), umpire.Append)
	case strings.Contains(mode, "+"):
		m.write(p, lit(""), 0)
	default:
		r := m.read(p)
		f.taint = r.taint
		f.alts = r.alts
	}
	return f
}

func (m *machine) fileMethod(c *call, name string) value {
	f := c.recv
	switch name {
	case "write", "writelines", "puts", "print", "printf", "writestr", "writeSync", "end", "push", "syswrite", "add", "format":
		data := c.arg(0)
		m.write(f, data, 0)
		return unknown()
	case "truncate":
		m.write(f, lit(""), umpire.Truncate)
		return unknown()
	case "close", "flush", "seek", "fileno", "lock":
		return unknown()
	}
	if strings.HasPrefix(name, "read") || name == "lines" || name == "splitlines" || name == "gets" || name == "each_line" || name == "each" {
		return value{alts: f.alts, taint: f.taint}
	}
	return value{alts: f.alts, taint: f.taint, ref: refFile, recv: f.recv}
}

func (m *machine) pathMethod(c *call, name string) (value, bool) {
	p := c.recv
	switch name {
	case "unlink", "rmdir", "delete", "rmtree", "rm_rf", "rm", "delete_if_exists":
		t := umpire.Trait(0)
		if name == "rmtree" || name == "rm_rf" {
			t = umpire.Recursive
		}
		return m.del(p, t), true
	case "write_text", "write_bytes", "write", "binwrite", "setText":
		m.write(p, c.arg(0), umpire.Truncate)
		return unknown(), true
	case "symlink_to", "link_to", "hardlink_to":
		m.link(p, c.arg(0))
		return m.write(p, unknown(), 0), true
	case "touch", "mkdir", "mkpath":
		return m.write(p, unknown(), 0), true
	case "chmod", "lchmod":
		return m.chmod(p, c.arg(0), false), true
	case "read_text", "read_bytes", "read", "readlines", "binread", "getText":
		return m.read(p), true
	case "rename", "replace", "move":
		if len(c.args) > 1 {
			return value{}, false
		}
		m.del(p, umpire.Recursive)
		m.write(c.arg(0), unknown(), umpire.Overwrite)
		return unknown(), true
	case "open":
		return m.open(p, c.arg(0, "mode").text(), false), true
	case "glob", "rglob", "iterdir", "children", "each_child", "listFiles":
		pat := c.arg(0)
		if len(pat.alts) == 0 {
			pat = lit("*")
		}
		if name == "rglob" {
			pat = concat(lit("**/"), pat)
		}
		v := joinPath(p, pat)
		v.ref = refPath
		return v, true
	case "expanduser":
		return m.expandUser(p), true
	case "joinpath", "join", "with_name", "resolve", "absolute", "with_suffix", "relative_to", "expand_path", "realpath":
		if name == "with_name" {
			p = p.mapText(dirOf)
		}
		v := p
		if name == "joinpath" || name == "join" || name == "with_name" {
			v = joinPath(append([]value{p}, c.args...)...)
		}
		v.ref = refPath
		return v, true
	case "exists", "is_file", "is_dir", "stat", "is_symlink":
		return unknown(), true
	}
	return value{}, false
}

func (m *machine) sockMethod(c *call, name string) value {
	switch name {
	case "connect", "connect_ex", "createConnection":
		a := c.arg(0)
		if len(c.args) > 1 {
			a = listOf(c.args)
		}
		return m.connect(a)
	case "bind", "listen":
		m.effect(Effect{Kind: Listen})
		return unknown()
	case "accept":
		m.socket = "a peer"
		return listOf([]value{{ref: refSock, taint: command.FromNetwork}, unknown()})
	case "send", "sendall", "sendto", "write", "puts", "print", "end", "syswrite":
		d := c.arg(0)
		if m.socket != "" && d.taint != 0 || d.ref == refEnv {
			m.net(lit(m.socket), d, 0)
		}
		return unknown()
	case "fileno":
		return value{ref: refSock}
	case "recv", "read", "gets", "recvfrom", "makefile", "receive":
		return value{taint: command.FromNetwork}
	case "pipe", "on", "stdin":
		for _, a := range c.args {
			if strings.HasPrefix(a.ref, refProc) {
				m.effect(Effect{Kind: ReverseShell, Arg: command.Lit(m.socket)})
			}
			if a.fn != nil {
				m.apply(a.fn, []value{{taint: command.FromNetwork}})
			}
		}
		return c.recv
	}
	return c.recv
}

func (m *machine) procMethod(c *call, name string) (value, bool) {
	p := c.recv
	switch name {
	case "communicate", "write", "puts", "print", "end", "sendline":
		if d := c.arg(0, "input"); !d.isNil() && p.recv != nil {
			m.feed(*p.recv, d)
		}
		if name == "communicate" {
			return listOf([]value{{alts: p.alts, taint: p.taint}, unknown()}), true
		}
		return value{alts: p.alts, taint: p.taint}, true
	case "read", "readlines", "readline", "gets", "lines", "each_line", "output", "getText", "text":
		return value{alts: p.alts, taint: p.taint}, true
	case "pipe":
		if m.socket != "" {
			m.effect(Effect{Kind: ReverseShell, Arg: command.Lit(m.socket)})
		}
		return p, true
	case "on", "wait", "poll", "kill", "terminate", "close", "waitFor", "unref", "value", "waitForOrKill", "consumeProcessOutput", "quiet", "nothrow":
		return p, true
	}
	return value{}, false
}

func (m *machine) netMethod(c *call, name string) (value, bool) {
	n := c.recv
	switch name {
	case "request", "putrequest", "sendmail", "send_message", "storbinary", "stor", "send":
		var d value
		for i, a := range c.args {
			if i > 0 || name != "request" {
				if a.taint != 0 || a.ref == refEnv {
					d = a
				}
			}
		}
		if v := c.option("body"); !v.isNil() {
			d = v
		}
		if n.recv != nil && (!d.isNil() || name == "sendmail" || name == "send_message") {
			m.net(*n.recv, either(d, unknown()), 0)
		}
		return value{ref: refNet, taint: command.FromNetwork}, true
	case "read", "text", "json", "content", "decode", "body", "getText", "readlines", "iter_content", "decoded_content", "buffer", "arrayBuffer", "readAll", "blob", "to_s":
		return value{taint: n.taint | command.FromNetwork, ref: elementRef("")}, true
	}
	return value{}, false
}

// chmod changes permissions or owners.
func (m *machine) chmod(path, mode value, owner bool) value {
	t := umpire.Permissions
	if owner {
		t = umpire.Ownership
	} else if n, err := atoi(strings.Replace(octal(mode), "0o", "0", 1)); err == nil {
		if n&0o002 != 0 {
			t |= umpire.WorldWritable | umpire.Loosened
		}
		if n&0o6000 != 0 {
			t |= umpire.Setuid
		}
	}
	for _, x := range path.items() {
		for _, w := range x.path().words() {
			m.effect(Effect{Kind: Write, Arg: w, Traits: t})
		}
	}
	return unknown()
}

func octal(mode value) string {
	s := mode.text()
	if !mode.isNumber() && len(s) >= 3 && len(s) <= 4 && strings.Trim(s, "01234567") == "" {
		return "0" + s
	}
	return s
}
