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
	{Names: "sh bash dash ash zsh ksh mksh oksh lksh pdksh yash rbash rzsh rksh posh bosh hush osh brush loksh nologin umpire-sh", Opts: "-o=_ -O=_ --rcfile,--init-file=_ --emulate=_ -n+inert --dump-strings --dump-po-strings -a -b -c -e -f -h -i -k -l,--login -m -p -r,--restricted -s -t -u -v,--verbose -x -B -C -D -E -F -G -H -I -P -T -X -Y --norc --noprofile --posix --noediting --debugger --wordexp --no-rcs", Style: Strict, Do: doShell},
	{Names: "fish", Opts: "-c,--command=_ -C,--init-command=_ -d,--debug=_ -o,--debug-output=w -f,--features=_ -n,--no-execute+inert --profile=w --profile-startup=w", Style: Strict, Do: doFish},
	{Names: "csh tcsh", Opts: "-n+inert", Style: Strict, Do: doShell},
	{Names: "nu nushell elvish xonsh", Opts: "-c,--commands=c -e,--execute=c --config=_ --env-config=_", Style: Strict, Do: doOtherShell},

	{Names: "python pypy pypy3 python3 ipython ipython3 bpython micropython circuitpython jython cpython py pythonw",
		Opts: "-c=_ -m=_ -W=_ -X=_ --check-hash-based-pycs=_ -b -B -d -E -h -i -I -O -P -q -s -S -u -v -V -x -R -t", Style: Strict, Lang: "python", Do: doPython},
	{Names: "node nodejs electron", Opts: "-e,--eval=_ -p,--print=_ -r,--require=_ --import=_ --loader,--experimental-loader=_ -C,--conditions=_ --env-file=_ --inspect?=_ --inspect-brk?=_ -c,--check+inert --test --run=_ --title=_ --icu-data-dir=_ --openssl-config=_ --watch-path=_ --input-type=_ -i,--interactive -v,--version -h,--help --watch --no-warnings --no-deprecation --trace-warnings --trace-deprecation --trace-uncaught --throw-deprecation --pending-deprecation --enable-source-maps --expose-gc --harmony --preserve-symlinks --experimental-modules --experimental-vm-modules --experimental-strip-types --experimental-transform-types --experimental-test-coverage --experimental-json-modules --experimental-sqlite --test-only --prof --cpu-prof --heap-prof --abort-on-uncaught-exception --force-color --no-experimental-fetch --no-experimental-strip-types --test-update-snapshots",
		Style: Strict, Lang: "js", Do: doNode},
	{Names: "ts-node tsx esno jiti swc-node ts-node-dev tsimp", Opts: "-e,--eval=_ -p,--print=_ -r,--require=_ --import=_ -P,--project=_ --tsconfig=_ --loader=_", Style: Strict, Lang: "js", Do: doNode},
	{Names: "deno", Opts: "--config=_ -L,--log-level=_", Style: Strict, Lang: "js", Sub: []Model{
		{Names: "eval", Opts: "--ext=_ -p,--print --cert=_ -c,--config=_", Style: Strict, Lang: "js", Args: "e"},
		{Names: "run serve", Opts: "--ext=_ --cert=_ -c,--config=_ --import-map=_ --lock=_ --port=_ --host=_ --v8-flags?=_ --preload,--import=x", Style: Strict, Lang: "js", Do: doDenoRun},
		{Names: "task", Style: Strict, Do: doDenoTask},
		{Names: "test bench", Lang: "js"}, {Names: "check lint fmt info doc cache", Lang: "js"},
	}, Do: doStdinScript},
	{Names: "bun", Opts: "-e,--eval=e -p,--print=e -r,--preload,--require,--import=x --cwd=_ -c,--config?=_ --env-file=_ --port=_ --filter,-F=_ --elide-lines=_ --define,-d=_ --loader,-l=_ --tsconfig-override=_ --conditions=_ --main-fields=_ --inspect?=_ --watch --hot --bun,-b --silent --smol --if-present --install=_ -i --no-install --prefer-offline --prefer-latest", Style: Strict, Lang: "js", Do: doBun},
	{Names: "perl perl5", Opts: "-e=_ -E=_ -I=_ -M=_ -m=_ -F=_ -x?=_ -i?=_ -l?=_ -0?=_ -C?=_ -D?=_ -d?=_ -V?=_ -c+inert -v+inert -a -f -h -n -p -s -S -t -T -u -U -w -W -X", Style: Strict, Lang: "perl", Do: doPerl},
	{Names: "ruby jruby rbx truffleruby mruby", Opts: "-e=_ -I=_ -r=_ -C=_ -E,--encoding=_ -F=_ -x?=_ -i?=_ -0?=_ -K?=_ -T?=_ -W?=_ -U -c+inert -v --external-encoding=_ --internal-encoding=_ --enable=_ --disable=_ --backtrace-limit=_ -a -d -h -l -n -p -s -S -w --jit --yjit --verbose --version --debug", Style: Strict, Lang: "ruby", Do: doPerl},
	{Names: "irb pry", Opts: "-r=_ -I=_ -e,--exec=e", Style: Strict, Lang: "ruby", Do: doStdinScript},
	{Names: "php php-cli php-cgi php8 php7", Opts: "-r,--run=_ -R,--process-code=_ -B,--process-begin=_ -E,--process-end=_ -f,--file=_ -F,--process-file=_ -S,--server=_ -t,--docroot=_ -c,--php-ini=_ -d,--define=_ -z,--zend-extension=_ -l,--syntax-check+inert -m,--modules+inert -i,--info -v,--version+inert", Style: Strict, Lang: "php", Do: doPhp},
	{Names: "lua luajit lua5 luau texlua resty tarantool", Opts: "-e=e -l=_ -i -v -E -W", Style: Strict, Lang: "lua", Do: doScriptFile},
	{Names: "Rscript", Opts: "-e=e --default-packages=_ --vanilla --verbose --no-save --no-restore --no-environ --no-site-file --no-init-file --slave --quiet", Style: Strict, Lang: "r", Do: doScriptFile},
	{Names: "R", Opts: "-e=e -f,--file=x -g,--gui=_ -d,--debugger=_ --args", Lang: "r", Do: doR},
	{Names: "tclsh wish jimsh", Style: Strict, Do: doTclsh},
	{Names: "groovy", Opts: "-e=e -cp,-classpath,--classpath=_ -D=_ -c,--encoding=_ -p -n", Style: Strict, Lang: "groovy", Do: doScriptFile},
	{Names: "groovysh", Opts: "-e=e -cp=_", Style: Strict, Lang: "groovy", Do: doStdinScript},
	{Names: "scala amm scala-cli", Opts: "-e,--eval,-c,--code,-execute-snippet,--execute-script-snippet=e -cp,-classpath,--class-path=_ -J=_ -i,--init=x", Style: Strict, Lang: "scala", Do: doScriptFile},
	{Names: "kotlin kotlinc jjs nashorn", Opts: "-e,--eval=e -cp,-classpath,--class-path=_ -J=_ -script=x -m,--main=_ -i,--init=x", Style: Strict, Lang: "groovy", Do: doScriptFile},
	{Names: "java", Style: Strict | LongDash, Opts: "-jar=_ -cp,-classpath,--class-path=_ -p,--module-path=_ -m,--module=_ --add-modules=_ --add-opens=_ --add-exports=_ --add-reads=_ --patch-module=_ --source=_ --upgrade-module-path=_ --limit-modules=_", Lang: "java", Do: doJava},
	{Names: "jshell", Style: LongDash, Opts: "--class-path=_ --startup=x --execution=_ --feedback=_ -R=_ -C=_ --add-modules=_ --module-path=_", Lang: "java", Args: "x*", Do: doStdinScript},
	{Names: "osascript", Opts: "-e=_ -l=_ -s=_", Style: Strict, Lang: "applescript", Do: doOsascript},
	{Names: "ghc", Opts: "-e=e -o=_", Lang: "haskell"},
	{Names: "ghci runghc runhaskell stack-runghc", Opts: "-e=e", Style: Strict, Lang: "haskell", Do: doScriptFile},
	{Names: "julia", Opts: "-e,--eval=e -E,--print=e -L,--load=x -p,--procs=_ -t,--threads=_ -J,--sysimage=_ --project?=_ -C=_", Style: Strict, Lang: "julia", Do: doScriptFile},
	{Names: "elixir iex", Opts: "-e,--eval=e --rpc-eval=_ -r=x -S=_ -pr=_ -pa=_ --sname=_ --name=_ --cookie=_", Style: Strict, Lang: "elixir", Do: doScriptFile},
	{Names: "erl", Style: LongDash, Opts: "-eval=e -s=_ -run=_ -name=_ -sname=_ -setcookie=_", Lang: "erlang"},
	{Names: "clojure clj babashka racket guile csi sbcl clisp ecl gosh chez scheme mit-scheme janet hy newlisp fennel", Opts: "-e,--eval,-E=e -c=e -l,--load=x -f,--file=x --script?=x -x=_ -I=_ -L=_ -r=e", Style: Strict, Lang: "lisp", Do: doScriptFile},
	{Names: "crystal", Lang: "ruby", Sub: []Model{{Names: "eval", Args: "e*", Lang: "ruby"}, {Names: "run", Args: "x", Lang: "ruby"}}},
	{Names: "escript ocaml raku rakudo octave octave-cli gnuplot bpftrace rdmd matlab maxima gp sage picolisp gforth io", Opts: "-e,--eval,-E,--batch-string,-batch=e -c=e -l,--load=x -f,--file=x --script?=x -x=_ -I=_ -L=_ -r=e", Style: Strict, Lang: "script", Do: doScriptFile},
	{Names: "dotnet-script dotnet-fsi csharprepl fsi", Opts: "-c=_ -d -i", Style: Strict, Lang: "csharp", Sub: []Model{{Names: "eval", Args: "e", Lang: "csharp"}}, Do: doScriptFile},
	{Names: "qjs quickjs d8 js jsc v8 rhino gjs seed njs txiki mujs duk hermes phantomjs casperjs", Opts: "-e,--eval,-c,--command=e -I,--include=x -f=x -m", Style: Strict, Lang: "js", Do: doScriptFile},
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
