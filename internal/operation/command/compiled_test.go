package command_test

import (
	"path"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/shell"
)

// sources has code that deletes /srv/marker, by the ending of its file. Others call system.
var sources = map[string]string{
	".go": "import \"os/exec\"\npackage main\nfunc init() { exec.Command(\"rm\", \"-r\", \"/srv/marker\").Run() }", ".hs": `main = callCommand "rm -r /srv/marker"`, ".nim": `exec "rm -r /srv/marker"`, ".ml": `let _ = Sys.command "rm -r /srv/marker"`,
	".rs": `fn main() { std::fs::remove_dir_all("/srv/marker").unwrap(); }`, ".java": `class a { void main() { Runtime.getRuntime().exec("rm -r /srv/marker"); } }`,
	".scala": `val x = Process("rm -r /srv/marker").!`, ".groovy": `"rm -r /srv/marker".execute()`, ".cs": `class A { void Main() { Process.Start("rm", "-r /srv/marker"); } }`,
	".c": `int main() { char *a[] = {"rm", "-r", "/srv/marker", 0}; execv("/bin/rm", a); }`, ".cc": `int main() { execl("/bin/rm", "rm", "-r", "/srv/marker", 0); }`,
}

// A program that a call compiles and starts is read by its sources, whatever names the result.
// Without the compiler's call, a source beside the program counts.
func TestCompiledProgramsRun(t *testing.T) {
	read := func(files map[string]string, text string) bool {
		env := readingEnv
		env.ReadFile = func(name string) ([]byte, bool) {
			text, ok := files[strings.TrimPrefix(name, env.Map.Workspace+"/")]
			return []byte(text), ok
		}
		env.ReadDir = func(dir string) (names []string) {
			for name := range files {
				if rest, ok := strings.CutPrefix(path.Join(env.Map.Workspace, name), dir+"/"); ok {
					first, _, _ := strings.Cut(rest, "/")
					names = append(names, first)
				}
			}
			return names
		}
		return does(shell.Read(text, env), "delete(/srv/marker)")
	}
	for _, row := range command.Compilers() {
		for compiler := range strings.FieldsSeq(row[0]) {
			compiler = strings.Replace(compiler, "-", " ", 1)
			for end := range strings.FieldsSeq(row[1]) {
				code, ok := sources[end]
				if !ok {
					code = `int main() { system("rm -r /srv/marker"); }`
				}
				source := map[string]string{"sub/a" + end: code}
				lines := []string{compiler + " sub/a" + end + " && ./" + strings.Replace(row[3], "*", "a", 1)}
				for out := range strings.FieldsSeq(row[2]) {
					lines = append(lines, compiler+" "+out+" bin/x sub/a"+end+" && bin/x", compiler+" sub/a"+end+" "+out+"=bin/x; cd bin; ./x 1")
				}
				if row[2] == "" {
					lines = []string{compiler + " -d out sub/a" + end + " && java -cp out a"}
				} else {
					lines = append(lines, "sub/a", "cd sub; ./a")
				}
				for _, line := range lines {
					if !read(source, line) {
						t.Errorf("%s\n\twith %s: is not read by its source", line, code)
					}
				}
				for _, harmless := range []string{compiler + " sub/a" + end, compiler + " sub/a" + end + " && ./other", "cat sub/a"} {
					if read(source, harmless) {
						t.Errorf("%s: is read as if it ran %s", harmless, code)
					}
				}
			}
		}
	}
	for name, c := range map[string]struct{ file, line string }{
		"cargo":         {"src/main.rs", "cargo build --release && target/release/app"},
		"cargo bin":     {"src/bin/app.rs", "target/debug/app"},
		"go package":    {"main.go", "go build -o app . && ./app"},
		"go command":    {"cmd/app/main.go", "go build -o bin/app ./cmd/app; bin/app"},
		"a moved one":   {"a.c", "gcc a.c -o b; mv b c; ./c"},
		"a copied one":  {"a.c", "gcc a.c -o b; cp b /tmp/c; /tmp/c"},
		"by a variable": {"a.c", "out=b; gcc a.c -o $out; ./$out"},
	} {
		t.Run(name, func(t *testing.T) {
			if !read(map[string]string{c.file: sources[path.Ext(c.file)]}, c.line) {
				t.Errorf("%s: is not read by %s", c.line, c.file)
			}
		})
	}
	if own := `int run(char *s) { return 0; } int main() { run("rm -r /srv/marker"); }`; read(map[string]string{"a.c": own}, "gcc a.c && ./a.out") {
		t.Errorf("%s: a function of the program counts as one of libc", own)
	}
}
