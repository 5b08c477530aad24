// Code generated from programs/interpreter.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var interpreterModels = []Model{
	{Names: "python python3 py pythonw pypy pypy3 ipython ipython3 bpython micropython circuitpython jython cpython", Opts: "-c=_ -m=_ -W=_ -X=_ --check-hash-based-pycs=_ -b -B -d -E -h -i -I -O -P -q -s -S -u -v -V -x -R -t", Style: Strict, Lang: "python", Do: doPython},
	{Names: "node nodejs electron", Opts: "-e,--eval=_ -p,--print=_ -r,--require=_ --import=_ --loader,--experimental-loader=_ -C,--conditions=_ --env-file=_ --inspect?=_ --inspect-brk?=_ -c,--check+inert --test --run=_ --title=_ --icu-data-dir=_ --openssl-config=_ --watch-path=_ --input-type=_ -i,--interactive -v,--version -h,--help --watch --no-warnings --no-deprecation --trace-warnings --trace-deprecation --trace-uncaught --throw-deprecation --pending-deprecation --enable-source-maps --expose-gc --harmony --preserve-symlinks --experimental-modules --experimental-vm-modules --experimental-strip-types --experimental-transform-types --experimental-test-coverage --experimental-json-modules --experimental-sqlite --test-only --prof --cpu-prof --heap-prof --abort-on-uncaught-exception --force-color --no-experimental-fetch --no-experimental-strip-types --test-update-snapshots", Style: Strict, Lang: "js", Do: doNode},
	{Names: "ts-node tsx esno jiti swc-node ts-node-dev tsimp", Opts: "-e,--eval=_ -p,--print=_ -r,--require=_ --import=_ -P,--project=_ --tsconfig=_ --loader=_", Style: Strict, Lang: "js", Do: doNode},
	{Names: "deno", Opts: "--config=_ -L,--log-level=_", Style: Strict, Lang: "js", Sub: interpreterCommands1, Do: doStdinScript},
	{Names: "bun", Opts: "-e,--eval=e -p,--print=e -r,--preload,--require,--import=x --cwd=_ -c,--config?=_ --env-file=_ --port=_ --filter,-F=_ --elide-lines=_ --define,-d=_ --loader,-l=_ --tsconfig-override=_ --conditions=_ --main-fields=_ --inspect?=_ --watch --hot --bun,-b --silent --smol --if-present --install=_ -i --no-install --prefer-offline --prefer-latest", Style: Strict, Lang: "js", Do: doBun},
	{Names: "perl perl5", Opts: "-e=_ -E=_ -I=_ -M=_ -m=_ -F=_ -x?=_ -i?=_ -l?=_ -0?=_ -C?=_ -D?=_ -d?=_ -V?=_ -c+inert -v+inert -a -f -h -n -p -s -S -t -T -u -U -w -W -X", Style: Strict, Lang: "perl", Do: doPerl},
	{Names: "ruby jruby rbx truffleruby mruby", Opts: "-e=_ -I=_ -r=_ -C=_ -E,--encoding=_ -F=_ -x?=_ -i?=_ -0?=_ -K?=_ -T?=_ -W?=_ -U -c+inert -v --external-encoding=_ --internal-encoding=_ --enable=_ --disable=_ --backtrace-limit=_ -a -d -h -l -n -p -s -S -w --jit --yjit --verbose --version --debug", Style: Strict, Lang: "ruby", Do: doPerl},
	{Names: "irb pry", Opts: "-r=_ -I=_ -e,--exec=e", Style: Strict, Lang: "ruby", Do: doStdinScript},
	{Names: "php php-cli php-cgi php8 php7", Opts: "-r,--run=_ -R,--process-code=_ -B,--process-begin=_ -E,--process-end=_ -f,--file=_ -F,--process-file=_ -S,--server=_ -t,--docroot=_ -c,--php-ini=_ -d,--define=_ -z,--zend-extension=_ -l,--syntax-check+inert -m,--modules+inert -i,--info -v,--version+inert", Style: Strict, Lang: "php", Do: doPhp},
	{Names: "lua lua5 luajit luau texlua resty tarantool", Opts: "-e=e -l=_ -i -v -E -W", Style: Strict, Lang: "lua", Do: doScriptFile},
	{Names: "Rscript", Opts: "-e=e --default-packages=_ --vanilla --verbose --no-save --no-restore --no-environ --no-site-file --no-init-file --slave --quiet", Style: Strict, Lang: "r", Do: doScriptFile},
	{Names: "R", Opts: "-e=e -f,--file=x -g,--gui=_ -d,--debugger=_ --args", Lang: "r", Do: doR},
	{Names: "tclsh wish jimsh", Style: Strict, Do: doTclsh},
	{Names: "groovy", Opts: "-e=e -cp,-classpath,--classpath=_ -D=_ -c,--encoding=_ -p -n", Style: Strict, Lang: "groovy", Do: doScriptFile},
	{Names: "groovysh", Opts: "-e=e -cp=_", Style: Strict, Lang: "groovy", Do: doStdinScript},
	{Names: "scala amm scala-cli", Opts: "-e,--eval,-c,--code,-execute-snippet,--execute-script-snippet=e -cp,-classpath,--class-path=_ -J=_ -i,--init=x", Style: Strict, Lang: "scala", Do: doScriptFile},
	{Names: "kotlin kotlinc jjs nashorn", Opts: "-e,--eval=e -cp,-classpath,--class-path=_ -J=_ -script=x -m,--main=_ -i,--init=x", Style: Strict, Lang: "groovy", Do: doScriptFile},
	{Names: "java", Opts: "-jar=_ -cp,-classpath,--class-path=_ -p,--module-path=_ -m,--module=_ --add-modules=_ --add-opens=_ --add-exports=_ --add-reads=_ --patch-module=_ --source=_ --upgrade-module-path=_ --limit-modules=_", Style: Strict | LongDash, Lang: "java", Do: doJava},
	{Names: "jshell", Opts: "--class-path=_ --startup=x --execution=_ --feedback=_ -R=_ -C=_ --add-modules=_ --module-path=_", Args: "x*", Style: LongDash, Lang: "java", Do: doStdinScript},
	{Names: "osascript", Opts: "-e=_ -l=_ -s=_", Style: Strict, Lang: "applescript", Do: doOsascript},
	{Names: "ghc", Opts: "-e=e -o=_", Lang: "haskell"},
	{Names: "ghci runghc runhaskell stack-runghc", Opts: "-e=e", Style: Strict, Lang: "haskell", Do: doScriptFile},
	{Names: "julia", Opts: "-e,--eval=e -E,--print=e -L,--load=x -p,--procs=_ -t,--threads=_ -J,--sysimage=_ --project?=_ -C=_", Style: Strict, Lang: "julia", Do: doScriptFile},
	{Names: "elixir iex", Opts: "-e,--eval=e --rpc-eval=_ -r=x -S=_ -pr=_ -pa=_ --sname=_ --name=_ --cookie=_", Style: Strict, Lang: "elixir", Do: doScriptFile},
	{Names: "erl", Opts: "-eval=e -s=_ -run=_ -name=_ -sname=_ -setcookie=_", Style: LongDash, Lang: "erlang"},
	{Names: "clojure clj babashka racket guile csi sbcl clisp ecl gosh chez scheme mit-scheme janet hy newlisp fennel", Opts: "-e,--eval,-E=e -c=e -l,--load=x -f,--file=x --script?=x -x=_ -I=_ -L=_ -r=e", Style: Strict, Lang: "lisp", Do: doScriptFile},
	{Names: "crystal", Lang: "ruby", Sub: interpreterCommands2},
	{Names: "escript ocaml raku rakudo octave octave-cli gnuplot bpftrace rdmd matlab maxima gp sage picolisp gforth io", Opts: "-e,--eval,-E,--batch-string,-batch=e -c=e -l,--load=x -f,--file=x --script?=x -x=_ -I=_ -L=_ -r=e", Style: Strict, Lang: "script", Do: doScriptFile},
	{Names: "dotnet-script dotnet-fsi csharprepl fsi", Opts: "-c=_ -d -i", Style: Strict, Lang: "csharp", Sub: interpreterCommands3, Do: doScriptFile},
	{Names: "qjs quickjs d8 js gjs jsc v8 rhino seed njs txiki mujs duk hermes phantomjs casperjs", Opts: "-e,--eval,-c,--command=e -I,--include=x -f=x -m", Style: Strict, Lang: "js", Do: doScriptFile},
}

var interpreterCommands1 = []Model{
	{Names: "eval", Opts: "--ext=_ -p,--print --cert=_ -c,--config=_", Args: "e", Style: Strict, Lang: "js"},
	{Names: "run serve", Opts: "--ext=_ --cert=_ -c,--config=_ --import-map=_ --lock=_ --port=_ --host=_ --v8-flags?=_ --preload,--import=x", Style: Strict, Lang: "js", Do: doDenoRun},
	{Names: "task", Style: Strict, Do: doDenoTask},
	{Names: "test bench", Lang: "js"},
	{Names: "check lint fmt info doc cache", Lang: "js"},
}

var interpreterCommands2 = []Model{
	{Names: "eval", Args: "e*", Lang: "ruby"},
	{Names: "run", Args: "x", Lang: "ruby"},
}

var interpreterCommands3 = []Model{
	{Names: "eval", Args: "e", Lang: "csharp"},
}
