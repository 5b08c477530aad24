package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// interpreterModels are the programs that run text: shells and scripting languages. Each
// takes it from an option, a file or its standard input, and in pipelines the last is
// how downloads get run.
var interpreterModels = []Model{
	{Names: "sh bash dash ash zsh ksh mksh oksh lksh pdksh yash rbash rzsh rksh posh bosh hush osh brush loksh nologin umpire-sh", Opts: "-o=_ -O=_ --rcfile,--init-file=_ --emulate=_ -n+inert --dump-strings --dump-po-strings", Style: Strict, Do: doShell},
	{Names: "fish", Opts: "-c,--command=_ -C,--init-command=_ -d,--debug=_ -o,--debug-output=w -f,--features=_ -n,--no-execute+inert --profile=w --profile-startup=w", Style: Strict, Do: doFish},
	{Names: "csh tcsh", Opts: "-n+inert", Style: Strict, Do: doShell},
	{Names: "nu nushell elvish xonsh", Opts: "-c,--commands=c -e,--execute=c --config=_ --env-config=_", Style: Strict, Do: doOtherShell},

	{Names: "python pypy pypy3 python3 ipython ipython3 bpython micropython circuitpython jython cpython py pythonw",
		Opts: "-c=_ -m=_ -W=_ -X=_ --check-hash-based-pycs=_", Style: Strict, Lang: "python", Do: doPython},
	{Names: "node nodejs electron", Opts: "-e,--eval=_ -p,--print=_ -r,--require=_ --import=_ --loader,--experimental-loader=_ -C,--conditions=_ --env-file=_ --inspect?=_ --inspect-brk?=_ -c,--check+inert --test --run=_ --title=_ --icu-data-dir=_ --openssl-config=_ --watch-path=_ --input-type=_",
		Style: Strict, Lang: "js", Do: doNode},
	{Names: "ts-node tsx esno jiti swc-node ts-node-dev tsimp", Opts: "-e,--eval=_ -p,--print=_ -r,--require=_ --import=_ -P,--project=_ --tsconfig=_ --loader=_", Style: Strict, Lang: "js", Do: doNode},
	{Names: "deno", Opts: "--config=_ -L,--log-level=_", Style: Strict, Lang: "js", Sub: []Model{
		{Names: "eval", Opts: "--ext=_ -p,--print --cert=_ -c,--config=_", Style: Strict, Lang: "js", Args: "e"},
		{Names: "run serve", Opts: "--ext=_ --cert=_ -c,--config=_ --import-map=_ --lock=_ --port=_ --host=_ --v8-flags?=_ --preload,--import=x", Style: Strict, Lang: "js", Do: doDenoRun},
		{Names: "test bench", Lang: "js"}, {Names: "check lint fmt info doc cache", Lang: "js"},
	}, Do: doStdinScript},
	{Names: "bun", Opts: "-e,--eval=e -p,--print=e -r,--preload,--require,--import=x --cwd=_ -c,--config?=_ --env-file=_ --port=_", Style: Strict, Lang: "js", Do: doBun},
	{Names: "perl perl5", Opts: "-e=_ -E=_ -I=_ -M=_ -m=_ -F=_ -x?=_ -i?=_ -l?=_ -0?=_ -C?=_ -D?=_ -d?=_ -V?=_ -c+inert -v+inert", Style: Strict, Lang: "perl", Do: doPerl},
	{Names: "ruby jruby rbx truffleruby mruby", Opts: "-e=_ -I=_ -r=_ -C=_ -E,--encoding=_ -F=_ -x?=_ -i?=_ -0?=_ -K?=_ -T?=_ -W?=_ -U -c+inert -v --external-encoding=_ --internal-encoding=_ --enable=_ --disable=_ --backtrace-limit=_", Style: Strict, Lang: "ruby", Do: doPerl},
	{Names: "irb pry", Opts: "-r=_ -I=_ -e,--exec=e", Style: Strict, Lang: "ruby", Do: doStdinScript},
	{Names: "php php-cli php-cgi php8 php7", Opts: "-r,--run=_ -R,--process-code=_ -B,--process-begin=_ -E,--process-end=_ -f,--file=_ -F,--process-file=_ -S,--server=_ -t,--docroot=_ -c,--php-ini=_ -d,--define=_ -z,--zend-extension=_ -l,--syntax-check+inert -m,--modules+inert -i,--info -v,--version+inert", Style: Strict, Lang: "php", Do: doPhp},
	{Names: "lua luajit lua5 luau texlua resty tarantool", Opts: "-e=e -l=_", Style: Strict, Lang: "lua", Do: doScriptFile},
	{Names: "Rscript", Opts: "-e=e --default-packages=_", Style: Strict, Lang: "r", Do: doScriptFile},
	{Names: "R", Opts: "-e=e -f,--file=x -g,--gui=_ -d,--debugger=_ --args", Lang: "r", Do: doR},
	{Names: "tclsh wish jimsh", Style: Strict, Do: doTclsh},
	{Names: "groovy", Opts: "-e=e -cp,-classpath,--classpath=_ -D=_ -c,--encoding=_ -p -n", Style: Strict, Lang: "groovy", Do: doScriptFile},
	{Names: "groovysh", Opts: "-e=e -cp=_", Style: Strict, Lang: "groovy", Do: doStdinScript},
	{Names: "scala amm scala-cli kotlin kotlinc clojure clj jjs nashorn lein", Opts: "-e,--eval=e -cp,-classpath,--class-path=_ -J=_ -script=x -m,--main=_ -i,--init=x", Style: Strict, Lang: "groovy", Do: doScriptFile},
	{Names: "java", Style: Strict | LongDash, Opts: "-jar=_ -cp,-classpath,--class-path=_ -p,--module-path=_ -m,--module=_ --add-modules=_ --add-opens=_ --add-exports=_ --add-reads=_ --patch-module=_ --source=_ --upgrade-module-path=_ --limit-modules=_", Lang: "java", Do: doJava},
	{Names: "jshell", Style: LongDash, Opts: "--class-path=_ --startup=x --execution=_ --feedback=_ -R=_ -C=_ --add-modules=_ --module-path=_", Lang: "java", Args: "x*", Do: doStdinScript},
	{Names: "osascript", Opts: "-e=_ -l=_ -s=_", Style: Strict, Lang: "applescript", Do: doOsascript},
	{Names: "ghc", Opts: "-e=e -o=_", Lang: "haskell"},
	{Names: "ghci runghc runhaskell stack-runghc", Opts: "-e=e", Style: Strict, Lang: "haskell", Do: doScriptFile},
	{Names: "swift", Opts: "-e=e -I=_ -F=_ -l=_", Lang: "swift", Style: Strict, Do: doScriptFile},
	{Names: "julia", Opts: "-e,--eval=e -E,--print=e -L,--load=x -p,--procs=_ -t,--threads=_ -J,--sysimage=_ --project?=_ -C=_", Style: Strict, Lang: "julia", Do: doScriptFile},
	{Names: "elixir iex", Opts: "-e,--eval=e --rpc-eval=_ -r=x -S=_ -pr=_ -pa=_ --sname=_ --name=_ --cookie=_", Style: Strict, Lang: "elixir", Do: doScriptFile},
	{Names: "erl", Style: LongDash, Opts: "-eval=e -s=_ -run=_ -name=_ -sname=_ -setcookie=_", Lang: "erlang"},
	{Names: "escript ocaml racket guile csi sbcl clisp ecl gosh chez scheme mit-scheme janet raku rakudo crystal-eval octave octave-cli matlab maxima gp sage fennel hy newlisp picolisp gforth io", Opts: "-e,--eval,-E=e -c=e -l,--load=x -f,--file=x --script?=x -x=_ -I=_ -L=_ -r=e", Style: Strict, Lang: "script", Do: doScriptFile},
	{Names: "dotnet-script dotnet-fsi csharprepl fsi", Opts: "-c=_ -d -i", Style: Strict, Lang: "csharp", Sub: []Model{{Names: "eval", Args: "e", Lang: "csharp"}}, Do: doScriptFile},
	{Names: "qjs quickjs d8 js jsc v8 rhino gjs seed njs txiki mujs duk hermes phantomjs casperjs", Opts: "-e,--eval,-c,--command=e -I,--include=x -f=x -m", Style: Strict, Lang: "js", Do: doScriptFile},
}

// clustered finds the text of -c where -o stands in front of other letters. bash takes the
// name of the option from the next word, and goes on with the letters: bash -oc pipefail
// TEXT. Others take the letters for the name.
func clustered(args []Word) (text Word, ok bool) {
	command, cluster := false, false
	for len(args) > 0 {
		t := args[0].Text
		if len(t) < 2 || t[0] != '-' && t[0] != '+' || t == "--" {
			break
		}
		if args = args[1:]; strings.HasPrefix(t, "--") {
			continue
		}
		for i, letter := range t[1:] {
			switch letter {
			case 'o', 'O':
				cluster = cluster || i+2 < len(t)
				if len(args) > 0 {
					args = args[1:]
				}
			case 'c':
				command = command || t[0] == '-'
			}
		}
	}
	if len(args) > 0 && (args[0].Text == "--" || args[0].Text == "-") {
		args = args[1:]
	}
	if !command || !cluster || len(args) == 0 {
		return Word{}, false
	}
	return args[0], true
}

// doShell reads what a shell runs: -c takes the first word after all options, wherever
// the letter stood among them.
func doShell(c *Call) {
	if c.Inert() && !c.Has("-c") {
		return
	}
	for _, w := range c.All("--rcfile") {
		c.RunFile("sh", w, Run{})
	}
	if text, ok := clustered(c.Args); ok {
		c.Shell(text, Run{Out: true, Via: c.Program + " -c"})
	}
	ws := c.Operands
	command := c.Has("-c")
	stdin := c.Has("-s")
	// Options that begin with + end the parsing of others here, not in a shell.
	for len(ws) > 0 && len(ws[0].Text) > 1 && (ws[0].Text[0] == '+' || ws[0].Text[0] == '-') && !c.Has("--") {
		t := ws[0].Text
		command = command || t[0] == '-' && t[1] != '-' && strings.Contains(t, "c")
		stdin = stdin || t[0] == '-' && t[1] != '-' && strings.Contains(t, "s")
		ws = ws[1:]
		if (t[1] == 'o' || t[1] == 'O') && len(t) == 2 && len(ws) > 0 {
			ws = ws[1:]
		}
	}
	if len(ws) > 0 && ws[0].Text == "-" && !c.Has("--") { // ends the options, as -- does
		ws = ws[1:]
	}
	switch {
	case command:
		if len(ws) == 0 {
			return
		}
		text := ws[0]
		args := ws[1:]
		if len(args) > 0 {
			// What follows the text becomes $0 first: sh -c '$0 -rf /' rm.
			if strings.Contains(text.Text, "$0") || strings.Contains(text.Text, "${0}") {
				zero := strings.TrimPrefix(Quote("", args[:1]), " ")
				text.Text = strings.NewReplacer("${0}", zero, `"$0"`, zero, "$0", zero).Replace(text.Text)
				text.Taint |= args[0].Taint
			}
			args = args[1:]
		}
		c.Code("sh", text, Run{Out: true, Args: args, Via: c.Program + " -c"})
	case len(ws) > 0 && !stdin:
		if ws[0].Text == "/dev/stdin" || ws[0].Text == "/proc/self/fd/0" || ws[0].Text == "/dev/fd/0" {
			stdinScript(c, "sh", ws[1:])
			return
		}
		c.RunFile("sh", ws[0], Run{Out: true, Args: ws[1:]})
	default:
		stdinScript(c, "sh", ws)
		if !c.Stdin.Seen {
			// What an unseen session prints is for whoever types into it.
			c.Out.Taint |= FromShell
		}
	}
}

// stdinScript runs standard input as code.
func stdinScript(c *Call, lang string, args []Word) {
	if c.Inert() {
		return
	}
	if !c.Stdin.Pipe && !c.Stdin.Seen && c.Stdin.Taint == 0 {
		c.Op(umpire.Exec, Quote(c.Program, c.Args), umpire.Interactive) // a terminal, or nothing
		return
	}
	c.Script(lang, c.Stdin, Run{Via: c.Program, Args: args, Out: true, Traits: c.Traits})
}

func doFish(c *Call) {
	for _, o := range []string{"-C", "-c"} {
		for _, w := range c.All(o) {
			c.Shell(w, Run{Out: true, Args: c.Operands})
		}
	}
	if c.Has("-c") || c.Inert() {
		return
	}
	if len(c.Operands) > 0 {
		c.RunFile("sh", c.Operands[0], Run{Out: true, Args: c.Operands[1:]})
		return
	}
	stdinScript(c, "sh", nil)
}

func doOtherShell(c *Call) {
	if c.Has("-c", "-e") {
		return
	}
	if len(c.Operands) > 0 {
		c.RunFile("sh", c.Operands[0], Run{Out: true, Args: c.Operands[1:]})
		return
	}
	stdinScript(c, "sh", nil)
}

// doScriptFile reads interpreters whose first operand is a script and who read their
// standard input without one.
func doScriptFile(c *Call) {
	lang := c.Model.Lang
	for i := range c.opts {
		if o, ok := c.Model.option(c.opts[i].raw); ok && o.role == 'e' && c.opts[i].has {
			return // operands are the code's arguments
		}
	}
	if len(c.Operands) > 0 && c.Operands[0].Text != "-" {
		if !c.Inert() {
			c.RunFile(lang, c.Operands[0], Run{Out: true, Args: c.Operands[1:]})
		}
		return
	}
	stdinScript(c, lang, nil)
}

// doStdinScript reads interpreters that have no script operand left.
func doStdinScript(c *Call) {
	if len(c.Operands) == 0 && !c.Has("-e", "-p", "-c") {
		stdinScript(c, c.Model.Lang, nil)
	}
}

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
	c.RunFile("python", ws[0], Run{Out: true, Args: ws[1:]})
	appScript(c, ws)
}

// pythonMode finds -c or -m, which end the options: the rest of the line is theirs.
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

// pythonModule reads python -m: some modules run code, serve files or are programs known
// by their own name.
func pythonModule(c *Call, m Word, args []Word) {
	operand := func() Word {
		if ws := skipOptions(args); len(ws) > 0 {
			return ws[0]
		}
		return Word{}
	}
	valueOf := func(names ...string) (Word, bool) {
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
	switch m.Text {
	case "http.server", "SimpleHTTPServer", "CGIHTTPServer", "pyftpdlib", "uploadserver", "twisted", "aiohttp.web", "smtpd", "aiosmtpd", "xmlrpc.server", "RangeHTTPServer", "livereload":
		addr, ok := valueOf("-b", "--bind", "-i", "--interface")
		if !ok {
			addr = Lit("0.0.0.0")
		}
		dir, ok := valueOf("-d", "--directory")
		if !ok {
			dir = Lit(".")
		}
		serve(c, addr, dir, m.Text == "uploadserver")
	case "timeit":
		for _, o := range []string{"-s", "--setup"} {
			if w, ok := valueOf(o); ok {
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
	case "pdb", "cProfile", "profile", "trace", "runpy", "bdb", "coverage", "memory_profiler", "line_profiler", "kernprof", "debugpy", "viztracer", "scalene", "pyinstrument":
		ws := args
		for i := 0; i < len(ws); i++ {
			t := ws[i].Text
			switch {
			case t == "-m" && i+1 < len(ws):
				pythonModule(c, ws[i+1], ws[i+2:])
				return
			case t == "-c" && m.Text == "pdb" && i+1 < len(ws):
				// A debugger command: ! and anything unknown is run as Python.
				c.Code("python", ws[i+1].With(strings.TrimLeft(ws[i+1].Text, "!")), Run{Out: true})
				i++
			case t == "-o" || t == "-s" || t == "-C" || t == "--listen" || t == "-f" || t == "--rcfile":
				i++
			case t == "run" && m.Text == "coverage":
			case !strings.HasPrefix(t, "-"):
				c.RunFile("python", ws[i], Run{Out: true, Args: ws[i+1:]})
				return
			}
		}
	case "code", "IPython", "ipykernel_launcher":
		if w, ok := valueOf("-c"); ok {
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
		if w := operand(); w.Text != "" {
			c.ReadFile(w)
		}
		c.SetOut(Unseen(t | c.Stdin.Taint | c.Out.Taint))
	case "json.tool", "tokenize", "ast", "tabnanny", "dis", "pyclbr", "pickletools", "py_compile", "compileall", "calendar", "this", "platform", "site", "sysconfig", "inspect":
		if w := operand(); w.Text != "" {
			c.ReadFile(w)
		} else if m.Text == "json.tool" {
			c.SetOut(Unseen(c.Stdin.Taint))
		}
	case "zipfile", "tarfile", "gzip":
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
	case "webbrowser":
		c.Net(operand(), 0, 0)
	case "telnetlib", "ftplib":
		c.Net(operand(), 0, 0)
	case "shutil", "os", "nt":
	case "pip", "pip3", "pipx", "poetry", "uv", "pytest", "black", "twine", "build", "virtualenv", "venv", "nox", "tox", "pre_commit", "awscli", "ansible", "flask", "django", "celery", "gunicorn", "uvicorn", "alembic", "invoke", "fabric", "conda", "httpie", "aider", "jupyter", "notebook", "sqlite3", "ensurepip", "easy_install", "setuptools", "hatch", "flit", "pdm", "keyring", "spacy", "nltk", "manage", "dotenv":
		name := strings.NewReplacer("awscli", "aws", "pre_commit", "pre-commit", "httpie", "http").Replace(m.Text)
		if c.Host.Model(name) != nil {
			c.Exec(append([]Word{m.With(name)}, args...), Run{Out: true})
		}
	default:
		if !m.Known() {
			c.Op(umpire.Exec, Quote("python -m", append([]Word{m}, args...)), umpire.UnseenCode)
			return
		}
		// A module of the project, if its file is at hand.
		f := m.With(strings.ReplaceAll(m.Text, ".", "/") + ".py")
		if s := c.File(f); s.Seen || s.Taint != 0 {
			c.RunFile("python", f, Run{Out: true, Args: args})
		}
	}
}

// serve records that a folder is offered to whoever connects.
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

func doNode(c *Call) {
	if c.Inert() {
		return
	}
	for _, o := range []string{"-r", "--import", "--loader"} {
		for _, w := range c.All(o) {
			if isPathWord(w.Text) {
				c.RunFile("js", w, Run{})
			} else if strings.HasPrefix(w.Text, "data:") {
				nodeData(c, w)
			}
		}
	}
	done := false
	for _, o := range []string{"-e", "-p"} {
		for _, w := range c.All(o) {
			if o == "-p" && w.Text == "e" && len(c.Operands) > 0 {
				w = c.Operands[0] // -pe is one option
			}
			c.Code("js", w, Run{Out: true, Args: c.Operands})
			done = true
		}
	}
	if done {
		return
	}
	if w, ok := c.Opt("--run"); ok {
		c.Exec(append(Lits("npm", "run"), w), Run{Out: true})
		return
	}
	ws := c.Operands
	switch {
	case len(ws) == 0 || ws[0].Text == "-" || ws[0].Text == "/dev/stdin":
		if !c.Has("--test") {
			stdinScript(c, "js", nil)
		}
	case ws[0].Text == "inspect" && len(ws) > 1:
		c.RunFile("js", ws[1], Run{Out: true, Args: ws[2:]})
	case strings.HasPrefix(ws[0].Text, "data:"):
		nodeData(c, ws[0])
	default:
		c.RunFile("js", ws[0], Run{Out: true, Args: ws[1:]})
	}
}

// nodeData runs a module that is its own URL: data:text/javascript,...
func nodeData(c *Call, w Word) {
	head, body, _ := strings.Cut(w.Text, ",")
	if strings.HasSuffix(head, ";base64") {
		w.Taint |= FromDecoder
	}
	c.Code("js", w.With(body), Run{Out: true})
}

func isPathWord(s string) bool {
	return strings.HasPrefix(s, ".") || strings.HasPrefix(s, "/") || strings.HasPrefix(s, "~")
}

// doDenoRun runs a script that may be a URL: deno fetches and runs it at once.
func doDenoRun(c *Call) {
	if len(c.Operands) == 0 || c.Inert() {
		return
	}
	w := c.Operands[0]
	switch {
	case strings.Contains(w.Text, "://") || strings.HasPrefix(w.Text, "npm:") || strings.HasPrefix(w.Text, "jsr:"):
		if strings.Contains(w.Text, "://") && !strings.HasPrefix(w.Text, "https://deno.land/") && !strings.HasPrefix(w.Text, "https://jsr.io/") {
			c.Net(w, 0, 0)
			c.Script("js", Unseen(FromNetwork), Run{Via: c.Program})
		}
	case w.Text == "-":
		stdinScript(c, "js", nil)
	default:
		c.RunFile("js", w, Run{Out: true, Args: c.Operands[1:]})
	}
}

// doBun reads what F2's package verbs leave of bun: scripts and code.
func doBun(c *Call) {
	if c.Has("-e", "-p") || c.Inert() {
		return
	}
	ws := c.Operands
	if len(ws) == 0 {
		stdinScript(c, "js", nil)
		return
	}
	switch ws[0].Text {
	case "-":
		stdinScript(c, "js", nil)
	case "run", "test", "x", "install", "i", "add", "a", "remove", "rm", "update", "link", "unlink", "pm", "create", "build", "init", "upgrade", "publish", "outdated", "patch", "exec", "repl", "why", "audit", "info":
		rest := skipOptions(ws[1:])
		switch {
		case ws[0].Text == "exec" && len(rest) > 0:
			c.Shell(rest[0], Run{Out: true})
		case ws[0].Text == "x" && len(rest) > 0:
			c.Exec(append(Lits("npx"), ws[1:]...), Run{Out: true})
		case ws[0].Text == "run" && len(rest) > 0 && (isPathWord(rest[0].Text) || scriptName(rest[0].Text)):
			c.RunFile("js", rest[0], Run{Out: true, Args: rest[1:]})
		case ws[0].Text == "run":
			c.Exec(append(Lits("npm", "run"), ws[1:]...), Run{Out: true})
		case ws[0].Text == "install" || ws[0].Text == "i" || ws[0].Text == "add" || ws[0].Text == "a" || ws[0].Text == "publish" || ws[0].Text == "remove" || ws[0].Text == "rm":
			c.Exec(append(Lits("npm"), ws...), Run{Out: true})
		}
	default:
		if isPathWord(ws[0].Text) || scriptName(ws[0].Text) {
			c.RunFile("js", ws[0], Run{Out: true, Args: ws[1:]})
		} else {
			c.Exec(append(Lits("npm", "run"), ws...), Run{Out: true})
		}
	}
}

func scriptName(s string) bool {
	for _, ext := range []string{".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".jsx", ".tsx"} {
		if strings.HasSuffix(s, ext) {
			return true
		}
	}
	return false
}

// doPerl reads perl and ruby, which share most letters: -e code, -n and -p loops over
// the operands' content, -i edits them in place.
// doOsascript joins the lines given by -e; -l JavaScript changes the language.
func doOsascript(c *Call) {
	lang := "applescript"
	if l, ok := c.Opt("-l"); ok && strings.EqualFold(l.Text, "JavaScript") {
		lang = "js"
	}
	var all Word
	for i, w := range c.All("-e") {
		if i > 0 {
			all.Text += "\n"
		}
		all.Text += w.Text
		all.Taint |= w.Taint
	}
	switch {
	case c.Has("-e"):
		c.Code(lang, all, Run{Out: true, Args: c.Operands})
	case len(c.Operands) > 0 && c.Operands[0].Text != "-":
		c.RunFile(lang, c.Operands[0], Run{Out: true, Args: c.Operands[1:]})
	default:
		stdinScript(c, lang, nil)
	}
}

// declusterPerl takes -l and -0 with their digits off the front of a cluster: in -lane
// and -0777pe more options follow, the code's among them.
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

func doPerl(c *Call) {
	lang := c.Model.Lang
	if args, ok := declusterPerl(c.Args); ok {
		c.opts = nil
		c.parse(c.Model, args, false)
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
			if isPathWord(w.Text) {
				c.RunFile(lang, w, Run{})
			} else if lang == "perl" && strings.ContainsAny(w.Text, ";(") {
				// -M takes more than a name: perl -M'Foo;system "x"' is a use statement, run.
				c.Code(lang, w, Run{})
			}
		}
	}
	ws := c.Operands
	if len(code) == 0 {
		if len(ws) == 0 || ws[0].Text == "-" {
			stdinScript(c, lang, nil)
			return
		}
		c.RunFile(lang, ws[0], Run{Out: true, Args: ws[1:]})
		appScript(c, ws)
		ws = ws[1:]
		if !c.Has("-n", "-p", "-i") {
			return
		}
	}
	var all Word
	for i, w := range code {
		if i > 0 {
			all.Text += "\n"
		}
		all.Text += w.Text
		all.Taint |= w.Taint
	}
	if len(code) > 0 {
		c.Code(lang, all, Run{Args: ws, Out: true})
	}
	if c.Has("-n", "-p", "-i") {
		for _, w := range ws {
			c.ReadFile(w)
			if c.Has("-i") {
				c.WriteFile(w, 0, Unseen(c.File(w).Taint))
			}
		}
		if len(ws) == 0 {
			c.Out.Taint |= c.Stdin.Taint
		}
	}
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
	stdinScript(c, "php", nil)
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

// doJava reads java Main.java, java -jar of what a download wrote, and agents.
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
	}
}

// javaTool hands well-known jars on to the Models of what they are.
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
