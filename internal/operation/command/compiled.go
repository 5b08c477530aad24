package command

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// compiler describes programs that compile source files among their arguments into a program.
type compiler struct {
	programs string // names, with a hyphen before a verb: "go-build"
	lang     string
	endings  string
	out      string // options that name the result
	result   string // default name; * is the name of the first source
}

var compilers = [...]compiler{
	{"gcc g++ cc c++ clang clang++ tcc icc zig-cc zig-c++", "c", ".c .cc .cpp .cxx .m .mm", "-o --output", "a.out"},
	{"go-build", "go", ".go", "-o", "*"},
	{"rustc", "rust", ".rs", "-o", "*"},
	{"swiftc", "swift", ".swift", "-o", "*"},
	{"ghc", "haskell", ".hs", "-o", "*"},
	{"ocamlc ocamlopt ocamlfind", "ocaml", ".ml", "-o", "a.out"},
	{"nim-c nim-compile nim-cpp", "nim", ".nim", "-o --out", "*"},
	{"crystal-build", "crystal", ".cr", "-o --output", "*"},
	{"zig-build-exe", "zig", ".zig", "-femit-bin", "*"},
	{"dmd ldc2", "d", ".d", "-of", "*"},
	{"gdc", "d", ".d", "-o", "a.out"},
	{"fpc", "pascal", ".pas .pp", "-o", "*"},
	{"gfortran", "fortran", ".f .f90 .f95 .for", "-o", "a.out"},
	{"mcs csc", "csharp", ".cs", "-out", "*.exe"},
	{"javac", "java", ".java", "", "*"},
	{"scalac", "scala", ".scala", "", "*"},
	{"groovyc", "groovy", ".groovy", "", "*"},
}

// compiled begins the key under which a command line remembers a source of a compiled program. The
// absolute path of the program follows, or the name of a class: options of both the compiler and
// the interpreter decide where the file of a class is.
const compiled = "compiled "

// Compiles remembers the sources of the program that the call compiles, if any, and runs them if the
// compiler starts the result. A compiled program has no text to read, so an adversary compiles code
// that umpire would deny as a script.
func (c *Call) Compiles() {
	if c.Program == "ar" && len(c.Operands) > 1 { // a library of objects
		for _, w := range c.Operands {
			for _, source := range c.Defined(compiled + c.Absolute(w.Text)) {
				for _, lib := range c.Args {
					if path.Ext(lib.Text) == ".a" {
						c.Define(compiled+c.Absolute(lib.Text), source)
					}
				}
			}
		}
		return
	}
	verb := c.Program + "-" + c.Arg(0).Text
	for i := range compilers {
		k := &compilers[i]
		if !anyof.Listed(k.programs, c.Program) && !anyof.Listed(k.programs, verb) {
			continue
		}
		if k.lang == "c" {
			c.compilerStarts(c.Args, 0)
		}
		sources, result := k.arguments(c)
		for _, w := range sources {
			name := stem(w)
			switch {
			case k.lang == "c" && result == "" && c.Has("-c"): // an object that a later step links
				name = c.Absolute(name + ".o")
			case result == "" && k.out != "":
				name = c.Absolute(strings.Replace(k.result, "*", stem(sources[0]), 1))
			case k.out != "":
				name = c.Absolute(result)
			}
			names := []string{name}
			if streamed(w.Text) && result == "" { // compilers have names of their own for such a program
				for _, n := range [...]string{"a.out", "rust_out", "main", "stdin", "stdinfile"} {
					names = append(names, c.Absolute(n))
				}
			}
			for _, w := range k.source(c, w) {
				for _, name := range names {
					c.Define(compiled+name, w)
				}
			}
			if (c.Program == "tcc" || k.lang == "d") && c.Begins("-run") || k.lang == "nim" && (HasText(c.Args, "-r") || c.Begins("--run")) {
				c.runSources(name)
			}
		}
	}
}

// compilerStarts runs the program by which a compiler of C starts its parts. A file of arguments may name it.
func (c *Call) compilerStarts(args []Word, depth int) {
	for i, w := range args {
		file, ok := strings.CutPrefix(w.Text, "@")
		switch {
		case ok && depth < maxArgumentFiles:
			c.compilerStarts(Lits(strings.Fields(c.File(w.With(file)).Text)...), depth+1)
		case w.Text == "-wrapper" && i+1 < len(args):
			c.Exec(append(Lits(strings.Split(args[i+1].Text, ",")...), Lit("cc1")), Run{Traits: umpire.RunsProgram})
		}
	}
}

// maxArgumentFiles bounds files of arguments that name others.
const maxArgumentFiles = 4

// source returns a source as Define stores it: its language, a colon, and the absolute path of the
// file. An equals sign and the code follow the language instead if the compiler reads the code from
// its standard input. An object stands for the sources that it was compiled from.
func (k *compiler) source(c *Call, w Word) []Word {
	switch {
	case streamed(w.Text):
		in := c.Stdin
		if w.Text != "-" {
			in = c.File(w)
		}
		w = Word{Text: k.lang + "=" + in.Text, Taint: in.Taint}
		if !in.Seen {
			w.Text = k.lang + "?"
		}
	case path.Ext(w.Text) == ".o" || path.Ext(w.Text) == ".a":
		return c.Defined(compiled + c.Absolute(w.Text))
	default:
		w = w.With(k.lang + ":" + c.Absolute(w.Text))
	}
	return []Word{w}
}

// streamed reports whether a word stands for a stream: the standard input, or another descriptor, as
// a process substitution hands it over.
func streamed(text string) bool {
	return text == "-" || text == "/dev/stdin" || anyof.HasPrefix(text, "/dev/fd/", "/proc/self/fd/")
}

// arguments returns the sources of a call, and the path of the compiled program if an option names
// it. After -x, the endings of C sources do not matter.
func (k *compiler) arguments(c *Call) (sources []Word, result string) {
	anyEnding := k.lang == "c" && c.Begins("-x")
	for j, w := range c.Args {
		ext := path.Ext(w.Text)
		if ext != "" && anyof.Listed(k.endings, ext) || k.lang == "c" && (ext == ".o" || ext == ".a") || streamed(w.Text) ||
			anyEnding && j > 0 && !strings.HasPrefix(w.Text, "-") && !anyof.Equal(c.Args[j-1].Text, "-x", "-o", "-I", "-L", "-include") {
			sources = append(sources, w)
			continue
		}
		for _, o := range strings.Fields(k.out) {
			if v, ok := strings.CutPrefix(w.Text, o); ok && v != "" {
				result = strings.TrimLeft(v, "=:")
			} else if ok && j+1 < len(c.Args) {
				result = c.Args[j+1].Text
			}
		}
	}
	if k.lang == "go" && len(sources) == 0 && len(c.Args) > 1 { // the folder of a package
		if dir := c.Args[len(c.Args)-1]; strings.HasPrefix(dir.Text, ".") {
			sources = append(sources, dir)
		}
	}
	return sources, result
}

// RunCompiled reads the sources of a compiled program that the call starts by its path. If this
// command line did not compile it, RunCompiled reads a source with the same name beside it, which an
// earlier call may have compiled.
func (c *Call) RunCompiled(program Word) {
	abs, p := c.Path(program)
	if !program.Known() || c.runSources(abs) || p&(umpire.PlaceInWorkspace|umpire.PlaceTemp) == 0 || c.Host.File(program).Seen {
		return
	}
	if built, ok := strings.CutPrefix(path.Clean(program.Text), "target/"); ok { // where cargo builds
		name := path.Base(built)
		StartsFile(c, "rust", "src/main.rs", path.Join("src/bin", name+".rs"))
		return
	}
	dir, name := path.Split(path.Clean(program.Text))
	dirs := []string{path.Clean("./" + dir)}
	if anyof.Equal(path.Base(dirs[0]), "bin", "build", "out") {
		dirs = append(dirs, path.Dir(dirs[0]), path.Join(path.Dir(dirs[0]), "src"))
	}
	if name = strings.TrimSuffix(name, ".exe"); strings.Contains(name, ".") || name == "" {
		return
	}
	for i := range compilers {
		var beside []string
		for end := range strings.FieldsSeq(compilers[i].endings) {
			beside = append(beside, name+end)
		}
		for _, dir := range dirs {
			for _, n := range c.Present(dir, beside) {
				StartsFile(c, compilers[i].lang, path.Join(dir, n))
			}
		}
	}
}

// runSources runs the sources of a program that this command line compiled, and reports whether
// there are any. name is the path of the program or the name of its class.
func (c *Call) runSources(name string) bool {
	list := c.Defined(compiled + name)
	for _, w := range list[:min(len(list), 1)] { // javac also compiles the classes beside it
		if file, java := strings.CutPrefix(w.Text, "java:"); java {
			for _, n := range c.SomeNames(Lit(path.Dir(file))) {
				if other := path.Join(path.Dir(file), n); path.Ext(n) == ".java" && len(list) < MaxTestFiles {
					list = append(list, w.With("java:"+other))
				}
			}
		}
	}
	for _, w := range list {
		at := strings.IndexAny(w.Text, ":=?")
		lang, text := w.Text[:at], w.With(w.Text[at+1:])
		switch {
		case w.Text[at] == '=':
			c.Code(lang, text, Run{Out: true})
		case w.Text[at] == '?':
			c.Script(lang, Stream{Pipe: true, Taint: w.Taint}, Run{Via: c.Program})
		case lang == "go" && path.Ext(text.Text) != ".go":
			GoPackage(c, path.Clean(text.Text))
		default:
			c.RunFile(lang, text, Run{Via: c.Program, Out: true})
		}
	}
	return len(list) > 0
}

// Absolute returns the absolute path of a file name.
func (c *Call) Absolute(name string) string {
	abs, _ := c.Path(Lit(name))
	return abs
}

// stem returns the base name of a file without its ending.
func stem(w Word) string { return strings.TrimSuffix(path.Base(w.Text), path.Ext(w.Text)) }

// IsCompiler reports whether a program compiles sources.
func IsCompiler(program string) bool {
	return slices.ContainsFunc(compilers[:], func(k compiler) bool { return anyof.Listed(k.programs, program) })
}
