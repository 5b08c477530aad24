package command

import (
	"path"
	"strings"

	"github.com/umpire-dev/umpire"
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
	{"gcc g++ cc c++ clang clang++ tcc icc", "c", ".c .cc .cpp .cxx .m .mm", "-o --output", "a.out"},
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

// Compiles remembers the sources of the program that the call compiles, if any. A compiled program
// has no text to read, so an adversary compiles code that umpire would deny as a script.
func (c *Call) Compiles() {
	verb := c.Program + "-" + c.Arg(0).Text
	for i := range compilers {
		k := &compilers[i]
		if !hasWord(k.programs, c.Program) && !hasWord(k.programs, verb) {
			continue
		}
		sources, result := k.arguments(c)
		for _, w := range sources {
			name := stem(w)
			if k.out != "" {
				name = c.absolute(result)
			}
			c.Define(compiled+name, w.With(c.absolute(w.Text)))
		}
	}
}

// arguments returns the sources of a call and the path of the compiled program.
func (k *compiler) arguments(c *Call) (sources []Word, result string) {
	for j, w := range c.Args {
		if ext := path.Ext(w.Text); ext != "" && hasWord(k.endings, ext) {
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
	if result == "" && len(sources) > 0 {
		result = strings.Replace(k.result, "*", stem(sources[0]), 1)
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
		startsFile(c, "rust", "src/main.rs", path.Join("src/bin", name+".rs"))
		return
	}
	dir, name := path.Split(path.Clean(program.Text))
	if name = strings.TrimSuffix(name, ".exe"); strings.Contains(name, ".") || name == "" {
		return
	}
	for i := range compilers {
		var beside []string
		for end := range strings.FieldsSeq(compilers[i].endings) {
			beside = append(beside, name+end)
		}
		for _, n := range c.present(path.Clean("./"+dir), beside) {
			startsFile(c, compilers[i].lang, path.Join(dir, n))
		}
	}
}

// runSources runs the sources of a program that this command line compiled, and reports whether
// there are any. name is the path of the program or the name of its class.
func (c *Call) runSources(name string) bool {
	list := c.Defined(compiled + name)
	for _, w := range list {
		lang := "go"
		for i := range compilers {
			if hasWord(compilers[i].endings, path.Ext(w.Text)) {
				lang = compilers[i].lang
			}
		}
		if path.Ext(w.Text) == "" || strings.HasSuffix(w.Text, ".") {
			goPackage(c, path.Clean(w.Text))
			continue
		}
		c.RunFile(lang, w, Run{Via: c.Program, Out: true})
	}
	return len(list) > 0
}

// absolute returns the absolute path of a file name.
func (c *Call) absolute(name string) string {
	abs, _ := c.Path(Lit(name))
	return abs
}

// stem returns the base name of a file without its ending.
func stem(w Word) string { return strings.TrimSuffix(path.Base(w.Text), path.Ext(w.Text)) }
