package command

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

func doUpload(c *Call) {
	if v := c.Arg(0).Text; v == "upload" || v == "publish" {
		Packages(c, "publish", WordsAfter(c, 1), umpire.Upload|umpire.Mutate)
	}
}

func doInstallOnly(c *Call) { Packages(c, "install", c.Operands, 0) }

// cargoWatch reads cargo watch, which runs commands when files change.
func cargoWatch(c *Call) {
	for i, w := range c.Args {
		name, text, _ := ValueAt(c.Args, i)
		switch name {
		case "-s", "--shell":
			c.Shell(w.With(text), Run{Out: true})
		case "-x", "--exec":
			c.Exec(append(Lits("cargo"), SplitWords(w.With(text))...), Run{Out: true})
		case "--":
			c.Exec(c.Args[i+1:], Run{Out: true})
			return
		}
	}
}

func doCargo(c *Call) {
	ops := c.Operands
	if len(ops) > 0 && strings.HasPrefix(ops[0].Text, "+") {
		ops = ops[1:]
	}
	if len(ops) == 0 {
		return
	}
	for _, w := range c.All("--config") {
		k, v, _ := strings.Cut(w.Text, "=")
		if strings.Contains(k, "runner") || strings.Contains(k, "linker") || strings.Contains(k, "rustc-wrapper") || strings.Contains(k, "credential") {
			c.Shell(w.With(strings.Trim(v, ` "'[]`)), Run{Traits: umpire.RunsProgram})
		}
	}
	cargoAlias(c, ops[0].Text, c.Following())
	switch ops[0].Text {
	case "run", "r", "test", "t", "bench": // these pass --help to the program
	default:
		if HasText(c.Args, "--help") {
			return
		}
	}
	switch ops[0].Text {
	case "build", "b", "run", "r", "test", "t", "check", "c", "clippy", "bench", "doc", "d", "rustc", "nextest", "package", "fix", "fetch", "vendor", "update":
		c.fetchesElsewhere()
		cargoBuilds(c)
		if ops[0].Text[0] == 'r' {
			cargoRuns(c)
		}
	case "watch":
		cargoWatch(c)
	case "install", "binstall", "add":
		t := fromRegistry(c, "--index")
		for _, w := range c.All("--git") {
			t |= umpire.UntrustedSource | PackageSource(c, w)
		}
		Packages(c, "install", ops[1:], t)
	case "uninstall", "remove", "rm":
		Packages(c, "remove", ops[1:], 0)
	case "publish":
		Packages(c, "publish", ops[1:], umpire.Upload|umpire.Mutate)
	case "yank":
		Packages(c, "unpublish", ops[1:], umpire.Destroy|umpire.Irreversible)
	case "owner":
		if len(c.Args) > 1 && !HasText(c.Args, "--list") && !HasText(c.Args, "-l") {
			Packages(c, "owner", ops[1:], umpire.Mutate)
		}
	}
}

// cargoRuns runs the program of this package, or of the workspace member that the call names.
func cargoRuns(c *Call) {
	dirs := []string{"."}
	if w, ok := ConfigValue(c, "--manifest-path"); ok {
		dirs = []string{path.Dir(w)}
	} else if name, ok := ConfigValue(c, "-p", "--package"); ok {
		if f, ok := c.StartedFile("Cargo.toml"); ok {
			for _, dir := range Below(c, ".", f.Tree(datafile.TOML).Get("workspace", "members").Texts()) {
				if path.Base(dir) == name {
					dirs = append(dirs, dir)
				} else if m, ok := c.StartedFile(path.Join(dir, "Cargo.toml")); ok && m.Tree(datafile.TOML).Str("package", "name") == name {
					dirs = append(dirs, dir)
				}
			}
		}
	}
	for _, dir := range dirs {
		folders, file := []string{path.Join(dir, "src")}, path.Join(dir, "src/main.rs")
		if c.Wrote(Lit(file)) {
			StartsFile(c, "rust", file)
		}
		if name, ok := ConfigValue(c, "--bin", "--example"); ok {
			StartsFile(c, "rust", path.Join(dir, "src/bin", name+".rs"), path.Join(dir, "examples", name+".rs"))
			folders = append(folders, path.Join(dir, "src/bin", name))
		}
		c.testFiles("rust", false, folders, []string{"*.rs"}, strings.Split(rustMarks, "|"))
	}
}

// cargoBuilds runs the build scripts of a package, of its workspace's members and of its path
// dependencies.
func cargoBuilds(c *Call) {
	done := map[string]bool{}
	var build func(dir string)
	build = func(dir string) {
		if done[dir] {
			return
		}
		if len(done) > MaxFolders {
			c.Beyond(dir)
			return
		}
		done[dir] = true
		script := "build.rs"
		f, ok := c.StartedFile(path.Join(dir, "Cargo.toml"))
		if ok {
			t := f.Tree(datafile.TOML)
			script = cmp.Or(t.Str("package", "build"), script)
			if lib := t.Get("lib"); lib.Str("proc-macro") == "true" { // the compiler runs it
				StartsFile(c, "rust", path.Join(dir, cmp.Or(lib.Str("path"), "src/lib.rs")))
			}
			for _, member := range Below(c, dir, t.Get("workspace", "members").Texts()) {
				build(member)
			}
			for _, key := range [...]string{"dependencies", "build-dependencies", "dev-dependencies"} {
				t.Get(key).Each(func(_ string, v *datafile.Value) {
					if at := v.Str("path"); at != "" {
						build(path.Join(dir, at))
					}
				})
			}
		}
		StartsFile(c, "rust", path.Join(dir, script))
	}
	if w, ok := ConfigValue(c, "--manifest-path"); ok {
		build(path.Dir(w))
		return
	}
	build(".")
}

// goProgram is the text of all files of a Go program: a function gets its arguments from another file.
type goProgram struct {
	file  Started
	text  strings.Builder
	files int
}

// maxGoProgram is the length of the longest program that is read as one text.
const maxGoProgram = 48 << 10

func (p *goProgram) add(f Started) {
	if p.file.Text == "" || f.Own {
		p.file = f
	}
	p.text.WriteString(f.Text + "\n")
	p.files++
}

// run runs the program if it has several files.
func (p *goProgram) run(c *Call) {
	if p.files > 1 && p.text.Len() < maxGoProgram && anyof.Contains(p.text.String(), strings.Split(goMarks, "|")...) {
		p.file.Text = p.text.String()
		p.file.RunAs("go", Run{Scan: !p.file.Own, Args: WordsAfter(c, 2)})
	}
}

// GoPackage runs the files of a Go program and of the packages of its module that it imports, each
// alone and then as one program. It skips files that, by their goMarks, start no programs, remove
// nothing and send nothing.
func GoPackage(c *Call, dir string) {
	var program goProgram
	defer program.run(c)
	module, marks, read := "", strings.Split(goMarks, "|"), 0
	if f, ok := c.StartedFile("go.mod"); ok {
		line, _, _ := strings.Cut(f.Text, "\n")
		module = strings.TrimSpace(strings.TrimPrefix(line, "module "))
	}
	dirs := []string{dir}
	for i := 0; i < len(dirs) && i < MaxTestFolders; i++ {
		names := c.Names(Lit(dirs[i]))
		if len(names) == 0 {
			names = []string{"main.go"}
		}
		for _, n := range names {
			if !strings.HasSuffix(n, ".go") || strings.HasSuffix(n, "_test.go") {
				continue
			}
			if read++; read > MaxTestFiles {
				return
			}
			f := c.SourceFile(path.Join(dirs[i], n))
			for rest := f.Text; module != ""; {
				var ok bool
				if _, rest, ok = strings.Cut(rest, `"`+module+"/"); !ok {
					break
				}
				if below, _, ok := strings.Cut(rest, `"`); ok && len(dirs) < MaxTestFolders && !slices.Contains(dirs, below) {
					dirs = append(dirs, below)
				}
			}
			program.add(f)
			if anyof.Contains(f.Text, marks...) {
				f.RunAs("go", Run{Scan: !f.Own, Args: WordsAfter(c, 2)})
			}
		}
	}
}

// goModules records the modules that go fetches. The path of a module begins with its host.
func goModules(c *Call, verb string, paths []Word, t umpire.Trait) {
	for _, w := range paths {
		if !strings.Contains(w.Text, "://") {
			c.address(w)
		}
	}
	Packages(c, verb, paths, t)
}

func doGo(c *Call) {
	verb, args := c.Arg(0).Text, WordsAfter(c, 1)
	for _, o := range [...]string{"-exec", "-toolexec", "-vettool"} {
		if w, ok := c.Opt(o); ok { // go adds the program or the package that it built
			c.Shell(w.With(w.Text+" ./a.out"), Run{Out: true})
		}
	}
	switch verb {
	case "install", "get":
		goModules(c, "install", args, 0)
	case "clean":
		if c.Has("-i") {
			Packages(c, "remove", args, 0)
		}
	case "run":
		if len(args) > 0 && strings.Contains(args[0].Text, "@") {
			goModules(c, "run", args[:1], c.registries())
		}
		var program goProgram
		for _, w := range args {
			if w.Text == "/dev/stdin" {
				stdinScript(c, "go", nil)
			} else if w.Text != "-" && streamed(w.Text) {
				c.RunFile("go", w, Run{Out: true})
			}
			if !strings.HasSuffix(w.Text, ".go") {
				break
			}
			if f, ok := c.StartedFile(w.Text); ok {
				f.RunAs("go", Run{})
				program.add(f)
			}
		}
		program.run(c)
		if dir := c.Arg(1); dir.Known() && anyof.HasPrefix(dir.Text, ".", "/") && !strings.HasSuffix(dir.Text, ".go") {
			GoPackage(c, path.Clean(dir.Text))
		}
	case "test":
		for _, w := range args {
			if strings.HasSuffix(w.Text, ".go") {
				StartsFile(c, "go", w.Text)
			}
		}
	case "env":
		for _, w := range args {
			k, v, ok := strings.Cut(w.Text, "=")
			if !ok {
				continue
			}
			if anyof.Equal(k, "GOPROXY", "GOSUMDB", "GONOSUMDB", "GOINSECURE", "GOFLAGS", "CC", "CXX", "GOPRIVATE", "GONOSUMCHECK") {
				if v != "direct" && !strings.Contains(v, "proxy.golang.org") || k != "GOPROXY" {
					Packages(c, "config", args, umpire.UntrustedSource|umpire.Mutate)
				}
			}
		}
	}
}

func doGem(c *Call) {
	verb, args := c.Arg(0).Text, WordsAfter(c, 1)
	switch verb {
	case "install", "update", "fetch", "i":
		Packages(c, "install", args, fromRegistry(c, "-s"))
	case "build":
		for _, w := range args {
			StartsFile(c, "ruby", w.Text)
		}
	case "uninstall":
		Packages(c, "remove", args, 0)
	case "push":
		Packages(c, "publish", args, umpire.Upload|umpire.Mutate)
	case "yank":
		Packages(c, "unpublish", args, umpire.Destroy|umpire.Irreversible)
	case "owner":
		Packages(c, "owner", args, umpire.Mutate)
	case "sources":
		if len(args) > 0 || c.Has("-a", "--add") {
			Packages(c, "config", args, umpire.UntrustedSource|umpire.Mutate)
		}
	}
}

func doComposer(c *Call) {
	verb, args := c.Arg(0).Text, WordsAfter(c, 1)
	switch verb {
	case "require", "install", "update", "create-project":
		Packages(c, "install", args, fromRegistry(c, "--repository"))
		if !c.Has("--no-scripts") {
			PackageScripts(c, "composer.json", nil, "pre-"+verb+"-cmd", "pre-autoload-dump", "post-autoload-dump", "post-"+verb+"-cmd")
		}
	case "remove":
		Packages(c, "remove", args, 0)
	case "dump-autoload", "dumpautoload":
		PackageScripts(c, "composer.json", nil, "pre-autoload-dump", "post-autoload-dump")
	case "exec":
		c.Exec(args, Run{Out: true})
	case "run", "run-script":
		if len(args) > 0 {
			PackageScripts(c, "composer.json", afterDashes(args[1:]), args[0].Text)
		}
	case "global":
		c.Exec(append(Lits("composer"), args...), Run{Traits: umpire.Global})
	case "config":
		if strings.Contains(Quote("", args), "://") {
			Packages(c, "config", args, umpire.UntrustedSource|umpire.Mutate)
		}
		if len(args) > 1 && strings.HasPrefix(args[0].Text, "scripts.") {
			defineScripts(c, "composer.json", []Word{args[1].With(args[0].Text + "=" + args[1].Text)})
		}
	default:
		PackageScripts(c, "composer.json", afterDashes(args), verb)
	}
}

func doDotnet(c *Call) {
	verb, next := c.Arg(0).Text, c.Arg(1).Text
	switch {
	case verb == "script" && next == "eval":
		c.Code("csharp", c.Arg(2), Run{Out: true})
	case (verb == "fsi" || verb == "script") && anyof.Equal(path.Ext(next), ".fsx", ".csx", ".fs") && !c.Inert():
		c.RunFile("csharp", c.Operands[1], Run{Out: true, Args: c.Operands[2:]})
	case verb == "nuget" && next == "push", verb == "push":
		Packages(c, "publish", WordsAfter(c, 2), umpire.Upload|umpire.Mutate)
	case verb == "nuget" && next == "delete", verb == "delete" && c.Program == "nuget":
		Packages(c, "unpublish", WordsAfter(c, 2), umpire.Destroy|umpire.Irreversible)
	case verb == "add" || verb == "tool" && next == "install" || verb == "install":
		Packages(c, "install", WordsAfter(c, 2), fromRegistry(c, "-s"))
	case verb == "nuget" && next == "add", verb == "sources":
		Packages(c, "config", WordsAfter(c, 1), umpire.UntrustedSource|umpire.Mutate)
	case verb == "ef" && next == "database":
		switch verb, to := c.Arg(2).Text, c.Arg(3).Text; {
		case verb == "drop":
			c.Op(umpire.Database, Quote("drop-database", WordsAfter(c, 3)), umpire.DataStore|umpire.Irreversible|umpire.Destroy)
		case verb == "update" && to == "0":
			c.schema("update", false)
		case verb == "update" && to != "":
			c.undo("update", "")
		}
	}
}

// doPSPackage reads the cmdlets of PowerShellGet and PackageManagement.
func doPSPackage(c *Call) {
	if c.Inert() {
		return
	}
	verb, _, _ := strings.Cut(c.Program, "-")
	names := append(c.All("-Name"), c.Operands...)
	switch t := fromRegistry(c, "-Source", "-SourceLocation", "-Location", "-Uri"); verb {
	case "register", "set":
		Packages(c, "config", names, t|umpire.UntrustedSource|umpire.Mutate)
	default:
		Packages(c, "install", names, t)
	}
}

func doHex(c *Call) {
	v, n := c.Arg(0).Text, 1
	if v == "hex" { // rebar3 hex publish
		v, n = c.Arg(1).Text, 2
	}
	switch v {
	case "hex.publish", "publish":
		if slices.ContainsFunc(c.Args, func(w Word) bool { return w.Text == "--dry-run" }) {
			return
		}
		Packages(c, "publish", WordsAfter(c, n), umpire.Upload|umpire.Mutate)
	case "hex.retire", "retire":
		Packages(c, "unpublish", WordsAfter(c, n), umpire.Destroy|umpire.Irreversible)
	case "ecto.drop", "ecto.reset", "ecto.rollback":
		t := umpire.DataStore | umpire.Irreversible | umpire.Destroy
		if v == "ecto.rollback" {
			t = umpire.Mutate
		}
		c.Op(umpire.Database, "drop-database "+v, t)
	case "archive.install", "escript.install":
		Packages(c, "install", WordsAfter(c, n), 0)
	}
}
