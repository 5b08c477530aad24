package command

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

func doPython(c *Call) {
	if c.Inert() {
		return
	}
	switch mode, value, rest := pythonMode(c.Args); mode {
	case 'c':
		c.Code("python", value, Run{Out: true, Args: rest})
		return
	case 'm':
		pythonModule(c, value, rest)
		return
	}
	ws := c.Operands
	if len(ws) == 0 || ws[0].Text == "-" {
		stdinScript(c, "python", ws)
		return
	}
	if ws[0].Text == "/dev/stdin" {
		stdinScript(c, "python", ws[1:])
		return
	}
	if f := ws[0].With(path.Join(ws[0].Text, "__main__.py")); c.Exists(f) { // a folder
		ws = append([]Word{f}, ws[1:]...)
	}
	c.RunFile("python", ws[0], Run{Out: true, Args: ws[1:]})
	appScript(c, ws)
	if c.Has("-i") && c.Stdin.Pipe {
		stdinScript(c, "python", nil)
	}
}

// pythonMode finds -c or -m. It returns the letter, its value, and the words after it, which are
// arguments of that code.
func pythonMode(args []Word) (mode byte, value Word, rest []Word) {
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		if len(t) < 2 || t[0] != '-' {
			return 0, Word{}, nil
		}
		if t[1] == '-' {
			continue
		}
	letters:
		for j := 1; j < len(t); j++ {
			switch t[j] {
			case 'c', 'm':
				if j+1 < len(t) {
					return t[j], args[i].With(t[j+1:]), args[i+1:]
				}
				if i+1 < len(args) {
					return t[j], args[i+1], args[i+2:]
				}
				return 0, Word{}, nil
			case 'W', 'X':
				if j+1 == len(t) {
					i++
				}
				break letters
			}
		}
	}
	return 0, Word{}, nil
}

// pythonModule reads python -m. Some modules run code, serve files, or are programs that have a
// description under their own name.
func pythonModule(c *Call, m Word, args []Word) {
	shadow := shadowed(c, m)
	if shadow { // Python searches the call's folder before its library
		unknownModule(c, m, args)
	}
	switch m.Text {
	case "http.server", "SimpleHTTPServer", "CGIHTTPServer", "pyftpdlib", "uploadserver", "twisted", "aiohttp.web", "smtpd", "aiosmtpd", "xmlrpc.server", "RangeHTTPServer", "livereload":
		pythonServer(c, m, args)
	case "timeit":
		pythonTimeit(c, args)
	case "pdb", "cProfile", "profile", "trace", "runpy", "bdb", "coverage", "memory_profiler", "line_profiler", "kernprof", "debugpy", "viztracer", "scalene", "pyinstrument", "memray":
		pythonTool(c, m, args)
	case "code", "IPython", "ipykernel_launcher", "asyncio", "bpython", "ptpython", "pyrepl":
		if w, ok := valueIn(args, "-c"); ok {
			c.Code("python", w, Run{Out: true})
			return
		}
		stdinScript(c, "python", nil)
	case "base64", "quopri", "uu":
		t := Taint(0)
		if slices.ContainsFunc(args, func(w Word) bool {
			return strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "--") && strings.ContainsAny(w.Text, "du")
		}) {
			t = FromDecoder
		}
		if w := operandIn(args); w.Text != "" {
			c.ReadFile(w)
		}
		c.SetOut(Unseen(t | c.Stdin.Taint | c.Out.Taint))
	case "json.tool":
		if ws := skipOptions(args); len(ws) > 1 {
			c.WriteFile(ws[1], umpire.Truncate, Unseen(0))
		}
		fallthrough
	case "tokenize", "ast", "tabnanny", "dis", "pyclbr", "pickletools", "py_compile", "compileall", "calendar", "this", "platform", "site", "sysconfig", "inspect":
		if w := operandIn(args); w.Text != "" {
			c.ReadFile(w)
		} else if m.Text == "json.tool" {
			c.SetOut(Unseen(c.Stdin.Taint))
		}
	case "zipfile", "tarfile", "gzip":
		pythonArchive(c, args)
	case "webbrowser":
		c.Exec(append(Lits("xdg-open"), skipOptions(args)...), Run{})
	case "telnetlib", "ftplib":
		c.Net(operandIn(args), 0, 0)
	case "build":
		dir := operandIn(args)
		if dir.Text == "" {
			dir = Lit(".")
		}
		BuildsPackage(c, dir.Text)
	case "shutil", "os", "nt":
	case "unittest":
		c.testsOf(m.Text, skipOptions(args))
	case "pip", "pip3", "pipx", "poetry", "uv", "pytest", "black", "twine", "virtualenv", "venv", "nox", "tox", "pre_commit", "awscli", "ansible", "flask", "django", "celery", "gunicorn", "uvicorn", "alembic", "invoke", "fabric", "conda", "httpie", "aider", "jupyter", "notebook", "sqlite3", "ensurepip", "easy_install", "setuptools", "hatch", "flit", "pdm", "keyring", "spacy", "nltk", "manage", "dotenv":
		name := strings.NewReplacer("awscli", "aws", "pre_commit", "pre-commit", "httpie", "http", "django", "django-admin").Replace(m.Text)
		if c.Host.Model(name) != nil {
			c.Exec(append([]Word{m.With(name)}, args...), Run{Out: true})
		}
	default:
		if !shadow {
			unknownModule(c, m, args)
		}
	}
}

// shadowed reports whether a file in the folder of the call replaces a known module of the library.
func shadowed(c *Call, m Word) bool {
	top, _, _ := strings.Cut(m.Text, ".")
	return m.Known() && len(c.Present(".", []string{top, top + ".py"})) > 0 && !c.Has("-I", "-P")
}

// unknownModule reads a module without a description: the project's, if its file exists.
func unknownModule(c *Call, m Word, args []Word) {
	if !m.Known() {
		c.Op(umpire.Exec, Quote("python -m", append([]Word{m}, args...)), umpire.UnseenCode)
		return
	}
	name := strings.ReplaceAll(m.Text, ".", "/")
	for dir := name; dir != "." && dir != "/"; dir = path.Dir(dir) { // Python first runs the packages around the module
		StartsFile(c, "python", path.Join(dir, "__init__.py"))
	}
	f := m.With(name + ".py")
	if main := m.With(name + "/__main__.py"); c.Exists(main) {
		f = main
	}
	if s := c.File(f); s.Seen || s.Taint != 0 {
		c.RunFile("python", f, Run{Out: true, Args: args})
	}
}

// pythonArchive reads a module that packs and unpacks files.
func pythonArchive(c *Call, args []Word) {
	for i, w := range args {
		switch w.Text {
		case "-e", "--extract":
			if i+2 < len(args) {
				c.WriteFile(args[i+2], umpire.Recursive, Unseen(0))
			}
		case "-c", "--create":
			for _, f := range args[min(i+2, len(args)):] {
				c.ReadFile(f)
			}
			if i+1 < len(args) {
				c.WriteFile(args[i+1], umpire.Truncate, Unseen(c.Out.Taint))
			}
		}
	}
}

// doPythonTool reads a Python profiler that runs under its own name.
func doPythonTool(c *Call) {
	if !c.Inert() && (anyof.Listed("scalene pyinstrument viztracer", c.Program) || c.Verb() == "run") {
		pythonTool(c, Lit(c.Program), c.Args)
	}
}

// pythonTool reads a debugger or profiler, which runs a script or module of its arguments.
func pythonTool(c *Call, m Word, args []Word) {
	ws := args
	for i := 0; i < len(ws); i++ {
		t := ws[i].Text
		switch {
		case t == "-m" && i+1 < len(ws):
			pythonModule(c, ws[i+1], ws[i+2:])
			return
		case t == "-c" && m.Text == "pdb" && i+1 < len(ws):
			// A debugger command: pdb runs text after "!", and anything unknown, as Python.
			c.Code("python", ws[i+1].With(strings.TrimLeft(ws[i+1].Text, "!")), Run{Out: true})
			i++
		case t == "-o" || t == "-s" || t == "-C" || t == "--listen" || t == "-f" || t == "--rcfile":
			i++
		case t == "run" && (m.Text == "coverage" || m.Text == "memray"):
		case !strings.HasPrefix(t, "-"):
			c.RunFile("python", ws[i], Run{Out: true, Args: ws[i+1:]})
			if m.Text == "pdb" && c.Stdin.Pipe { // its commands are Python
				stdinScript(c, "python", nil)
			}
			return
		}
	}
}

// pythonTimeit reads the statements that timeit measures.
func pythonTimeit(c *Call, args []Word) {
	for _, o := range []string{"-s", "--setup"} {
		if w, ok := valueIn(args, o); ok {
			c.Code("python", w, Run{Out: true})
		}
	}
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		if t == "-n" || t == "-r" || t == "-s" || t == "-u" || t == "--number" || t == "--repeat" || t == "--setup" || t == "--unit" {
			i++
			continue
		}
		if !strings.HasPrefix(t, "-") {
			c.Code("python", args[i], Run{Out: true})
		}
	}
}

// pythonServer reads a module that offers a folder to the network.
func pythonServer(c *Call, m Word, args []Word) {
	addr, bound := valueIn(args, "-b", "--bind", "-i", "--interface")
	if !bound {
		addr = Lit("0.0.0.0")
	}
	dir, ok := valueIn(args, "-d", "--directory")
	if !ok {
		dir = Lit(".")
	}
	if (m.Text == "http.server" || m.Text == "RangeHTTPServer" || m.Text == "livereload") && !bound && c.ownPages(dir) {
		return
	}
	serve(c, addr, dir, m.Text == "uploadserver")
}

// operandIn returns the first word that is not an option, or an empty one.
func operandIn(args []Word) Word {
	if ws := skipOptions(args); len(ws) > 0 {
		return ws[0]
	}
	return Word{}
}

// valueIn returns the value of the first of these options, in a separate word or after "=".
func valueIn(args []Word, names ...string) (Word, bool) {
	for i, w := range args {
		for _, n := range names {
			if w.Text == n && i+1 < len(args) {
				return args[i+1], true
			}
			if v, ok := strings.CutPrefix(w.Text, n+"="); ok {
				return w.With(v), true
			}
		}
	}
	return Word{}, false
}

// ownPages reports whether a folder is part of the project or temporary. Developers look at such
// pages in a browser every day, as with the servers of frameworks.
func (c *Call) ownPages(dir Word) bool {
	_, p := c.Path(dir)
	return dir.Known() && p&(umpire.PlaceWorkspace|umpire.PlaceInWorkspace|umpire.PlaceTemp) != 0 &&
		p&(umpire.PlaceRoot|umpire.PlaceSystem|umpire.PlaceHome|umpire.PlaceParent|umpire.PlaceCredentials) == 0
}

// doServe reads a server of a folder's files.
func doServe(c *Call) {
	addr, bound := c.Opt("--host")
	if bound = bound && !digits(addr.Text); !bound { // a port alone selects no address
		addr = Lit("0.0.0.0")
	}
	dir := c.Arg(0)
	if d, ok := c.Opt("--root"); ok || dir.Text == "" {
		dir = d.With(cmp.Or(d.Text, "."))
	}
	if !c.Inert() && (bound || !c.ownPages(dir)) {
		serve(c, addr, dir, false)
	}
}

// serve records that a program offers a folder to anyone who connects.
func serve(c *Call, addr, dir Word, writable bool) {
	_, p := c.Path(dir)
	t := umpire.Listen
	local := addr.Text == "127.0.0.1" || addr.Text == "localhost" || addr.Text == "::1"
	if !local && p&(umpire.PlaceRoot|umpire.PlaceSystem|umpire.PlaceHome|umpire.PlaceParent|umpire.PlaceCredentials) != 0 {
		t |= umpire.Exfiltration | umpire.HostAccess
	}
	if writable {
		t |= umpire.HostAccess
	}
	c.Emit(umpire.Operation{Kind: umpire.Network, Resource: addr.Text, Traits: t | c.Traits})
}

// FoldersAbove returns the folders of the workspace above the call's folder.
func FoldersAbove(c *Call) (dirs []string) {
	for up := ".."; len(dirs) < maxFoldersUp; up = "../" + up {
		if abs, p := c.Path(Lit(up)); p&(umpire.PlaceWorkspace|umpire.PlaceInWorkspace) == 0 || abs == "/" {
			break
		}
		dirs = append(dirs, up)
	}
	return dirs
}

// Modules that only compute, those whose calls the reader of Python follows, and those that reach
// beyond it: other hosts, processes, other code. An unlisted module is the project's or a library,
// which a test may import as well.
const (
	pythonComputes = `json re math cmath collections datetime itertools statistics string textwrap random time pprint csv hashlib hmac base64 binascii decimal fractions numbers
	ast tomllib struct typing difflib unicodedata copy heapq bisect enum dataclasses html uuid zlib calendar platform shlex fnmatch configparser zoneinfo ipaddress secrets array __future__ plistlib colorsys operator functools
	argparse abc contextlib warnings logging inspect traceback types weakref queue threading concurrent zipfile tarfile gzip bz2 lzma xml locale gettext getpass keyword token tokenize stringprep unittest asyncio contextvars graphlib reprlib sqlite3 mimetypes email.message quopri errno gc dis symtable urllib.parse`
	pythonOpen = `os sys subprocess pathlib glob shutil io tempfile`
	pythonFar  = `builtins importlib imp runpy pkgutil zipimport ctypes cffi _ctypes pty tty code codeop pdb bdb trace profile cProfile pickle marshal shelve dill cloudpickle joblib codecs posix nt socket socketserver ssl select selectors asyncore smtplib poplib imaplib nntplib telnetlib ftplib http urllib urllib2 urllib3 xmlrpc webbrowser antigravity wsgiref cgi
	multiprocessing signal resource fcntl mmap site sitecustomize usercustomize venv ensurepip pip setuptools distutils pkg_resources zipapp test idlelib turtledemo sched faulthandler atexit readline rlcompleter cmd email sysconfig tracemalloc
	requests httpx aiohttp websockets websocket pycurl httplib2 paramiko fabric invoke sh plumbum pexpect ptyprocess sarge delegator boto3 botocore aioboto3 google azure kubernetes docker openstack libcloud digitalocean hcloud pulumi ansible salt
	psycopg psycopg2 asyncpg pymysql MySQLdb mysql pymongo motor redis cassandra neo4j elasticsearch opensearchpy sqlalchemy pyodbc cx_Oracle oracledb snowflake clickhouse_driver influxdb pika kafka celery_once nats stomp
	slack_sdk slack slack_bolt discord telegram telebot twilio sendgrid stripe tweepy praw github gitlab jira notion_client linear openai anthropic smbclient pysftp scp ldap3 pywinrm impacket scapy nmap shodan selenium mechanize keyring dotenv environs pynput pyautogui pyperclip psutil win32api winreg wget send2trash git dulwich hvac`
)

// ModuleSort returns "computes", "followed" or "far" for a listed module, and "" for any other.
func ModuleSort(name string) string {
	switch {
	case anyof.Listed(pythonComputes, name):
		return "computes"
	case anyof.Listed(pythonOpen, name):
		return "followed"
	case anyof.Listed(pythonFar, name):
		return "far"
	}
	return ""
}
