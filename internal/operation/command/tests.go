package command

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
)

// Bounds on the test files that one run of a test runner reads.
const (
	// Tests beyond these bounds are not read and lead to no question: every large project has more.
	MaxTestFolders = 48
	MaxTestFiles   = 96
	maxTestNames   = 8 << 10   // names in these folders: listing 48 folders of 1,000 files takes 30 ms
	maxTestText    = 512 << 10 // bytes of all files
	maxTestFile    = 32 << 10  // interpreted bytes of one file
	maxTestsRun    = 12        // interpreted files
)

// testSets lists the files that test runners find without being told to. A program with a verb is
// written program:verb. A file is interpreted if it contains one of the marks, which "|" separates:
// without them its tests cannot leave the project.
var testSets = [...]struct{ programs, lang, dirs, files, marks string }{
	{"go:test", "go", ".", "*_test.go", goMarks},
	{"pytest py.test", "python", ".", "conftest.py test_*.py *_test.py __init__*.py", pythonMarks},
	{"unittest", "python", ".", "test*.py __init__*.py", pythonMarks},
	{"jest vitest bun:test playwright:test deno:test node:test", "js", ".", "*.test.* *.spec.* *_test.*", jsMarks},
	{"mocha ava tap", "js", "test tests spec", "*.js *.cjs *.mjs *.ts *.mts", jsMarks},
	{"rspec", "ruby", "spec", "*_spec.rb", rubyMarks},
	{"rails:test minitest", "ruby", "test", "*_test.rb test_helper.rb", rubyMarks},
	{"phpunit pest", "php", "tests test", "*Test.php bootstrap.php", "exec(|system(|passthru(|proc_open|popen|unlink|file_|fopen|curl_|fsockopen|`|eval("},
	{"prove yath", "perl", "t", "*.t", perlMarks},
	{"bats", "sh", "test tests", "*.bats", "rm |curl |wget |ssh |nc |dd |base64|eval|crontab|~/|$HOME"},
	{"busted", "lua", "spec", "*_spec.lua", "os.execute|os.remove|io.popen|io.open|loadstring|dofile|socket|lfs"},
	{"mix:compile mix:test mix:run mix:release mix:docs mix:phx.server", "elixir", "lib", "*.ex", elixirMarks},
	{"mix:test", "elixir", "test", "*_test.exs test_helper.exs", elixirMarks},
	{"dotnet:test", "csharp", ".", "*Tests.cs *Test.cs", csMarks},
	{"dotnet:run", "csharp", ".", "*.cs", csMarks}, // the sources of a program, not tests
	{"swift:run", "swift", "Sources", "*.swift", swiftMarks},
	{"mvn:test mvnw:test mvn:verify mvnw:verify mvn:package mvnw:package gradle:test gradlew:test gradle:check gradlew:check gradle:build gradlew:build", "java", "src/test", "*Test.java Test*.java *Tests.java *IT.java", jvmMarks},
	{"gradle:test gradlew:test gradle:check gradlew:check gradle:build gradlew:build", "kotlin", "src/test", "*Test.kt *Spec.kt", jvmMarks},
	{"sbt:test", "scala", "src/test", "*Test.scala *Spec.scala *Suite.scala", jvmMarks},
	{"swift:test", "swift", "Tests", "*.swift", swiftMarks},
	{"dart:test flutter:test", "dart", "test", "*_test.dart", "Process.|File(|Directory(|HttpClient|http."},
	{"cargo:test cargo:t cargo:nextest", "rust", "tests src", "*.rs", rustMarks},
}

const (
	goMarks     = `"os/exec"|"syscall"|"net"|"net/http"|RemoveAll|os.Remove|UserHomeDir|WriteFile|OpenFile`
	pythonMarks = "subprocess|os.|from os|shutil|socket|urllib|requests|httpx|http.client|open(|exec(|eval(|__import__|importlib|pathlib|pty|ctypes"
	jsMarks     = "child_process|'fs|\"fs|node:|'net|\"net|'os|\"os|http|fetch(|eval(|Function(|Bun|'bun'|\"bun\"|Deno|execa|shelljs|axios|undici|zx"
	csMarks     = "Process.Start|Directory.Delete|File.Delete|File.Read|HttpClient|WebClient"
	swiftMarks  = "Process()|removeItem|contentsOf|URLSession"
	elixirMarks = "System.|File.|:os.|Port.|:httpc|Code."
	rustMarks   = "process::|Command::|fs::|net::|reqwest"
	jvmMarks    = "ProcessBuilder|getRuntime|sys.process|Files.|File(|HttpClient|URL(|Socket("
	perlMarks   = "system|exec|`|qx|unlink|rmtree|remove_tree|open|socket|LWP|HTTP::|IO::|eval"
	rubyMarks   = "system|exec|`|%x|spawn|popen|Open3|FileUtils|File.|IO.|Net::|Socket|URI|Dir.|eval|Kernel"
)

// LoadsTests reads the test files that the program finds and runs without being told to.
func (c *Call) LoadsTests() {
	verb, named := c.Verb(), c.Operands
	if c.Program == "node" && c.Has("--test") {
		verb = "test"
	}
	c.testsOf(c.Program, named)
	if len(named) > 0 && named[0].Text == verb {
		named = named[1:]
	}
	c.testsOf(c.Program+":"+verb, named)
}

// testsOf reads the test files that a runner finds for some operands.
func (c *Call) testsOf(runner string, named []Word) {
	for i := range testSets {
		if s := &testSets[i]; anyof.Listed(s.programs, runner) {
			if s.dirs == "lib" { // what the operands name, the compiler does not
				named = nil
			}
			c.testFiles(s.lang, s.lang == "rust", c.testFolders(s.lang, named, s.dirs), strings.Fields(s.files), strings.Split(s.marks, "|"))
		}
	}
}

// testFiles reads the matching files in the folders and below them, upper folders first. If inline is
// true, files in src contain tests after the code, as those of a crate do.
func (c *Call) testFiles(lang string, inline bool, dirs, files, marks []string) {
	text, read, run, listed := 0, 0, 0, 0
	for n := 0; n < len(dirs) && n < MaxTestFolders && listed < maxTestNames; n++ {
		dir := dirs[n]
		names := c.SomeNames(Lit(dir))
		if listed += len(names); len(names) == 0 {
			c.StartedFile(path.Join(dir, files[0])) // a folder that this call fetches has no names yet
		}
		for _, name := range files {
			if c.Wrote(Lit(path.Join(dir, name))) && !slices.Contains(names, name) {
				names = append(names[:len(names):len(names)], name)
			}
		}
		for _, name := range names {
			file := path.Join(dir, name)
			switch {
			case matchesAny(files, name):
				if read++; read > MaxTestFiles || text > maxTestText || run >= maxTestsRun {
					return
				}
				if slices.Contains(files, name) { // conftest.py
					StartsFile(c, lang, file)
					continue
				}
				f := Started{Stream: c.Host.Starts(Lit(file)), Call: c, Name: file, Own: c.Wrote(Lit(file))}
				if !f.Seen && f.Taint != 0 {
					f.RunUnseen()
				}
				if text += len(f.Text); !f.Seen || !anyof.Contains(f.Text, marks...) || inline && strings.HasPrefix(file, "src/") && !strings.Contains(f.Text, "test]") {
					continue
				}
				if run++; inline && strings.HasPrefix(file, "src/") {
					f.Text = f.Text[max(strings.Index(f.Text, "test]"), 0):]
				}
				if lang != "rust" { // Read takes excerpts of a long one
					f.Text = f.Text[:min(len(f.Text), maxTestFile)]
				}
				if path.Ext(name) == ".ex" {
					f.Text = compileTime(f.Text)
				}
				f.RunAs(lang, Run{Scan: true})
			case len(dirs) < MaxTestFolders && TestFolder(name) && strings.Count(file, "/") < 9:
				dirs = append(dirs, file)
			}
		}
	}
}

// compileTime returns the code of a module in Elixir that the compiler runs: the code outside of
// functions.
func compileTime(text string) string {
	var b strings.Builder
	ends := "" // the line that ends the function
	for line := range strings.Lines(text) {
		code := strings.TrimLeft(line, " ")
		switch {
		case ends != "":
			if strings.TrimRight(line, " \r\n") == ends {
				ends = ""
			}
		case !anyof.HasPrefix(code, "def ", "defp ", "defmacro ", "defmacrop "):
			b.WriteString(line)
		case strings.HasSuffix(strings.TrimRight(code, " \r\n"), " do"):
			ends = line[:len(line)-len(code)] + "end"
		}
	}
	return b.String()
}

// testFolders returns the folders that the operands name, or the usual ones.
func (c *Call) testFolders(lang string, named []Word, usual string) (dirs []string) {
	for _, w := range named {
		name, _, _ := strings.Cut(w.Text, "::")
		name = strings.TrimSuffix(name, "...")
		switch {
		case !w.Known() || lang == "js" && !strings.Contains(name, "/"): // in JavaScript, a pattern or the name of a project
			continue
		case path.Ext(name) != "" && !strings.HasSuffix(name, "."):
			name = path.Dir(name)
		}
		if name = path.Clean(name); len(dirs) < MaxTestFolders && (len(c.SomeNames(Lit(name))) > 0 || c.Host.Starts(Lit(path.Join(name, "*"))).Taint != 0) {
			dirs = append(dirs, name)
		}
	}
	if len(dirs) == 0 {
		return strings.Fields(usual)
	}
	return dirs
}

// TestFolder reports whether a folder of this name may contain tests.
func TestFolder(name string) bool {
	return !strings.Contains(name, ".") && !anyof.Listed("node_modules vendor testdata venv env dist build target coverage __pycache__ site-packages bower_components fixtures snapshots __snapshots__", name)
}

func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, _ := path.Match(p, name)
		return ok
	})
}
