package gateway

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
)

// lay writes files below the project's root.
func (w *world) lay(files map[string]string) {
	w.t.Helper()
	for name, text := range files {
		at := filepath.Join(w.g.root, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o755); err != nil { //nolint:gosec // scripts
			w.t.Fatal(err)
		}
	}
}

// The card shows what a command runs, and a file that was changed since does not run: neither
// if a person looks at the old one, nor between the answer and the beginning.
func TestScriptsAreBound(t *testing.T) {
	files := map[string]string{
		"build.sh": "#!/bin/sh\n./inner.sh\n", "inner.sh": "echo inner\n", "x.py": "print(1)\n", "y.py": "import os;import part\n", "z.py": "try: import part\nfinally: pass\n", "part.py": "print(2)\n", "i.py": "import importlib\nimportlib.import_module('part')\n", "j.py": "__import__(\"part\")\n", "Makefile": "include m.mk\ncheck:\n\t@sh inner.sh\n", "m.mk": "X=1\n",
		"package.json": `{"scripts":{"b":"node s.js"}}`, "s.js": "1\n", "sub/Makefile": "check:\n\techo sub\n", ".npmrc": "registry=http://127.0.0.1:1/\n", "parts/1": "echo part\n",
		"CMakeLists.txt": "add_subdirectory(lib)\n", "lib/CMakeLists.txt": "project(lib)\n", "Cargo.toml": "[workspace]\nmembers = [\"crates/*\"]\n", "crates/a/Cargo.toml": "[package]\nbuild = \"b.rs\"\n", "crates/a/b.rs": "fn main() {}\n",
		"pom.xml": "<project><modules><module>m</module></modules></project>\n", "m/pom.xml": "<project/>\n", "justfile": "mod tools\na:\n  echo a\n", "tools/justfile": "b:\n  echo b\n",
		"Taskfile.yml": "includes:\n  docs: ./docs\n", "docs/Taskfile.yml": "tasks:\n  d: echo d\n", "Foo/Bar.pm": "1;\n", "lib/foo.rb": "1\n", "gen.go": "package x\n\n//go:generate echo x\n",
	}
	for _, tt := range []struct{ command, cwd, file string }{
		{"./build.sh", "", "build.sh"}, {"./build.sh", "", "inner.sh"}, {"bash build.sh", "", "build.sh"}, {"python3 x.py", "", "x.py"}, {"python3 y.py", "", "part.py"}, {"python3 z.py", "", "part.py"}, {"python3 i.py", "", "part.py"}, {"python3 j.py", "", "part.py"}, {"sh < build.sh", "", "build.sh"},
		{"make check", "", "Makefile"}, {"make check", "", "m.mk"}, {"make check", "", "inner.sh"}, {"make check", "sub", "sub/Makefile"}, {"make -C sub check", "", "sub/Makefile"},
		{"cd sub && make check", "", "sub/Makefile"}, {"npm run b", "", "package.json"}, {"npm run b", "", "s.js"}, {"timeout 9 ./build.sh", "", "build.sh"}, {"", "", ".npmrc"},
		{"sh b*.sh", "", "build.sh"}, {"for f in b*.sh; do ./$f; done", "", "build.sh"}, {"cat b*.sh | sh", "", "build.sh"}, {"find . -name inner.sh -exec sh {} +", "", "inner.sh"},
		{"ls inner.sh | xargs sh", "", "inner.sh"}, {"run-parts parts", "", "parts/1"}, {"frobnicate < parts/1", "", "parts/1"}, {"cat inner.sh | frobnicate", "", "inner.sh"},
		{"mkdir out && cd out && cmake ..", "", "CMakeLists.txt"}, {"mkdir out && cd out && cmake ..", "", "lib/CMakeLists.txt"}, {"cargo build", "", "crates/a/Cargo.toml"}, {"cargo build", "", "crates/a/b.rs"},
		{"mvn test", "", "m/pom.xml"}, {"just a", "", "tools/justfile"}, {"perl -I. -MFoo::Bar -e 1", "", "Foo/Bar.pm"}, {"ruby -Ilib -r foo -e 1", "", "lib/foo.rb"}, {"task docs:d", "", "docs/Taskfile.yml"}, {"go generate ./...", "", "gen.go"},
		{"echo '#' >> build.sh; . ./build.sh", "", "build.sh"}, {"date | tee -a build.sh; sh build.sh", "", "build.sh"}, {"x=build; echo >> $x.sh; cat b*.sh | sh", "", "build.sh"},
	} {
		t.Run(strings.NewReplacer("/", "_", "*", "_").Replace(tt.command)+" "+filepath.Base(tt.file), func(t *testing.T) {
			w := newWorld(t, "")
			w.lay(files)
			kind, body := "exec", map[string]any{"command": tt.command, "cwd": tt.cwd}
			if tt.command == "" {
				kind, body = "packages", map[string]any{"manager": "npm", "packages": []string{"x"}}
			}
			status, req := w.call("agent", "POST", "/api/"+kind, body)
			if status != http.StatusCreated || req["status"] != "pending" {
				t.Fatalf("%d %v", status, req)
			}
			id := req["id"].(string)
			_, card := w.call("viewer", "GET", "/api/queue/"+id, nil)
			shown, _ := card["metadata"].(map[string]any)["diff"].(string)
			for _, line := range strings.Split(strings.TrimSpace(files[tt.file]), "\n") {
				if !strings.Contains(shown, line) {
					t.Errorf("%q of %s is not on the card:\n%s", line, tt.file, shown)
				}
			}
			w.lay(map[string]string{tt.file: "echo other\n"})
			if status, out := w.call("approver", "POST", "/api/queue/"+id+"/approve", map[string]any{"digest": req["digest"]}); status != http.StatusConflict || !strings.Contains(out["error"].(string), "changed after the request") {
				t.Errorf("approved with another %s: %d %v", tt.file, status, out)
			}
			w.until(kind, id, "conflict")
		})
	}
}

// Each program is bound to every file that the table lists for it, also in a parent folder.
func TestEveryBuildFileIsBound(t *testing.T) {
	w := newWorld(t, "")
	bound := func(command, dir string) []umpire.File {
		files, err := (&CommandPlan{Command: command, process: process{Dir: dir}}).scripts(w.g)
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	w.lay(map[string]string{"sub/x": ""})
	commands := map[string][]string{}
	for program := range buildFiles {
		commands[program] = []string{program, program + " build", "./" + program + " test"}
	}
	for command, names := range map[string]string{
		"node s.js": "package.json", "gradle build": "gradle.properties", "./gradlew build": "gradle.properties", "mvn test": ".mvn/extensions.xml", "tox": "setup.py", "pip install .": "setup.cfg", "pip install -e .": "setup.cfg",
		"uv sync": "setup.py", "uv run pytest": "setup.py", "buildah bud .": "Containerfile Dockerfile", "podman build .": "Containerfile Dockerfile", "nix-build": "default.nix flake.nix flake.lock", "nix build": "default.nix flake.nix flake.lock",
		"bundle install": ".bundle/config Gemfile", "bundle exec rake": ".bundle/config Gemfile", "go test ./...": "go.mod go.work", "go build": "go.mod go.work", "go vet ./...": "go.mod go.work", "go run .": "go.mod go.work", "mise run x": ".tool-versions",
	} {
		program := filepath.Base(strings.Fields(command)[0])
		commands[program] = append(commands[program], command)
		for name := range strings.FieldsSeq(names) {
			if !slices.Contains(buildFiles[program], name) {
				t.Errorf("%s does not list %s", program, name)
			}
		}
	}
	for program, names := range buildFiles {
		files := map[string]string{}
		for _, name := range names {
			files[name] = "x\n"
		}
		w.lay(files)
		for i, command := range commands[program] {
			got := bound(command, []string{"", "sub"}[i%2])
			for _, name := range names {
				if !slices.ContainsFunc(got, func(f umpire.File) bool { return f.Path == filepath.Join(w.g.root, name) }) {
					t.Errorf("%s is not bound to %s", command, name)
				}
			}
		}
		for _, name := range names {
			if err := os.RemoveAll(filepath.Join(w.g.root, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A file that does not exist is bound as well: make would run a GNUmakefile that appears.
func TestMissingScriptOnCard(t *testing.T) {
	w := newWorld(t, "")
	w.lay(map[string]string{"svc/a/Makefile": "check:\n\techo ok\n"})
	_, req := w.call("agent", "POST", "/api/exec", map[string]any{"command": "for d in svc/*; do make -C $d; done"})
	_, card := w.call("viewer", "GET", "/api/queue/"+req["id"].(string), nil)
	shown, _ := card["metadata"].(map[string]any)["diff"].(string)
	if want := "uses svc/*/GNUmakefile if it appears: it was missing at the request\n"; !strings.Contains(shown, want) {
		t.Errorf("card of make in svc/*: got %q, want %q in it", shown, want)
	}
}

// A number in a command is bound like any word that could name a file, but the card does not call it one.
func TestNumbersAreNoFilesOnCard(t *testing.T) {
	w := newWorld(t, "")
	for command, missing := range map[string]bool{"sleep 1": false, "sleep 1.5m": false, "seq 1 30": false, "sh run1": true, "sh 1x.sh": true} {
		_, req := w.call("agent", "POST", "/api/exec", map[string]any{"command": command})
		_, card := w.call("viewer", "GET", "/api/queue/"+req["id"].(string), nil)
		shown, _ := card["metadata"].(map[string]any)["diff"].(string)
		if strings.Contains(shown, "if it appears") != missing {
			t.Errorf("card of %s: got %q, want a missing file: %v", command, shown, missing)
		}
	}
}

// Build files in folders that a pattern names are bound like others. If only the run tells which one it
// is, or if there are too many, the card says so, and no rule lets it through again.
func TestBuildFilesChosenAtRunTime(t *testing.T) {
	many := map[string]string{}
	for i := range maxFolders + 1 {
		many[fmt.Sprintf("many/%d/Makefile", i)] = "all:\n\techo x\n"
	}
	for _, tt := range []struct {
		command string
		bound   bool
	}{
		{"for d in svc/*; do make -C $d; done", true}, {"for d in svc/*; do (cd $d && make); done", true}, {"for d in svc/*; do npm --prefix $d test; done", true}, {"make -C svc/a", true}, {"cd $D && ls", true},
		{"make -C $D", false}, {"cd $D && make", false}, {"make -f $F", false}, {"for d in many/*; do make -C $d; done", false},
		// The folder is a pattern for cd, is outside the project, or is spelled for an option of the shell.
		{"cd svc; for d in *; do (cd $d && npm test); done", true}, {"cd svc && for d in ?; do make -C $d; done", true}, {"for d in ../svc*; do make -C $d; done", true}, {"bash -O globstar -c 'for d in svc/**/; do make -C $d; done'", true},
		{"bash -O extglob -c 'make -C svc/!(b)'", false}, {"bash -O extglob -c 'cd svc/@(a|b) && make'", false}, {"zsh -c 'make -C svc/(a|b)'", false}, {"make -C svc/[[:alpha:]]", false},
		{"CDPATH=svc cd a; npm test", false}, {"CDPATH=svc; cd a; make", false}, {"cd nowhere; make", false}, {"mkdir -p made && cd made && make", true}, {"mkdir made; cd other; make", false}, {"mkdir made && tar xf x.tar -C made && cd made && make", false}, {"mkdir made && git clone https://git.example/x made && cd made && make", false},
		{"mkdir made && cp x.txt made/Makefile; cd made && make", false}, {"mkdir made; >made/Makefile; cd made; make", false}, {"mkdir made && cd made && cmake .. && make", false}, {"make -C svc/b/../a", false}, {"make -C 'svc'; cd svc/a; cd ..; make", true},
		// Another program chooses the folder.
		{"find svc -name Makefile -execdir make \\;", false}, {"find svc -type d -exec make -C {} \\;", false}, {"find svc -type d -execdir npm test \\;", false}, {"ls -d svc/* | xargs -n1 make -C", false}, {"git submodule foreach make", false}, {"npm test --workspaces", false}, {"pnpm -r test", false},
		// A script, or a recipe, runs the build program.
		{"sh svc.sh", true}, {"sh svc.txt", true}, {"make -C recipe", true}, {"make -C chosen", false},
		{"make -C inc/plain", true}, {"make -C inc/tab", true}, {"make -C inc/glob", true}, {"make -f inc/glob/Makefile", true}, {"make -C inc/wildcard", false}, {"make -C inc/variable", false}, {"make -C inc/eval", false},
	} {
		t.Run(strings.NewReplacer("/", "_", "*", "_").Replace(tt.command), func(t *testing.T) {
			w := newWorld(t, "defaultAction: ask\n")
			w.lay(map[string]string{"svc/a/Makefile": "all:\n\techo a\n", "svc/a/package.json": `{"scripts":{"test":"echo a"}}`, "svc/b/x": "", "../svc/Makefile": "all:\n\techo a\n", "svc/inc.mk": "x:\n", "inc/glob/svc.mk": "x:\n",
				"svc.sh": "for d in svc/*; do (cd $d && make); done\n", "svc.txt": "cd svc/a && make\n", "recipe/Makefile": "all:\n\tfor d in ../svc/*; do (cd $$d && $(MAKE)); done\n", "chosen/Makefile": "all:\n\t$(MAKE) -C $(X)\n",
				"inc/plain/Makefile": "-include ../../svc/inc.mk\n", "inc/tab/Makefile": "sinclude\t../../svc/inc.mk\n", "inc/glob/Makefile": "include *.mk ../../svc/*.mk\n", "inc/wildcard/Makefile": "include $(wildcard *.mk)\n", "inc/variable/Makefile": "include ${X}.mk\n", "inc/eval/Makefile": "$(eval include x.mk)\n"})
			if strings.Contains(tt.command, "many") {
				w.lay(many)
			}
			status, req := w.call("agent", "POST", "/api/exec", map[string]any{"command": tt.command})
			if status != http.StatusCreated || req["status"] != "pending" {
				t.Fatalf("%d %v", status, req)
			}
			id := req["id"].(string)
			_, card := w.call("viewer", "GET", "/api/queue/"+id, nil)
			if said := strings.Contains(fmt.Sprint(card), "not bound to their content"); said == tt.bound {
				t.Errorf("the card says that it is not bound: %v, want %v: %v", said, !tt.bound, card)
			}
			if !tt.bound {
				if status, out := w.call("approver", "POST", "/api/queue/"+id+"/approve", map[string]any{"digest": req["digest"], "scope": "session"}); status < 400 {
					t.Errorf("approved for the session: %d %v", status, out)
				}
				return
			}
			other := map[string]string{"svc/a/Makefile": "all:\n\techo other\n", "svc/a/package.json": `{"scripts":{"test":"echo other"}}`, "../svc/Makefile": "all:\n\techo other\n"}
			switch {
			case strings.Contains(tt.command, "-f inc"):
				other = map[string]string{"svc.mk": "y:\n"} // the pattern stands for files of the folder in which make runs
			case strings.Contains(tt.command, "inc"):
				other = map[string]string{"svc/inc.mk": "y:\n"}
			case !strings.Contains(tt.command, "svc") && !strings.Contains(tt.command, "recipe"):
				return
			}
			w.lay(other)
			if status, out := w.call("approver", "POST", "/api/queue/"+id+"/approve", map[string]any{"digest": req["digest"]}); status != http.StatusConflict {
				t.Errorf("approved with another build file: %d %v", status, out)
			}
		})
	}
}

// What a person approved is bound to each of many files, also to those that have the same size and time
// as before, and to what is in the folders when it starts.
func TestManyBuildFiles(t *testing.T) {
	const run = "for d in many/*; do make -C $d; done"
	for name, swap := range map[string]func(w *world) error{
		"the same size and time": func(w *world) error {
			at := filepath.Join(w.g.root, "many/m69/Makefile")
			info, err := os.Stat(at)
			return errors.Join(err, w.rewrite("many/m69/Makefile", "all:\n\techo y > out\n"), os.Chtimes(at, info.ModTime(), info.ModTime()))
		},
		"a folder that a link replaces": func(w *world) error {
			return errors.Join(os.Rename(filepath.Join(w.g.root, "many/m69"), filepath.Join(w.g.root, "old")), w.relink("many/m69", "../evil"))
		},
		"a new folder": func(w *world) error { return w.relink("many/z", "../evil") },
		"a link to a folder that leads elsewhere": func(w *world) error { return w.relink("many/link", "../evil") },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "defaultAction: ask\n")
			w.lay(map[string]string{"good/Makefile": "all:\n\techo x > out\n", "evil/Makefile": "all:\n\techo z > out\n"})
			for i := range 70 {
				w.lay(map[string]string{fmt.Sprintf("many/m%02d/Makefile", i): "all:\n\techo x > out\n"})
			}
			if err := w.relink("many/link", "../good"); err != nil {
				t.Fatal(err)
			}
			swapped := make(chan error, 1)
			w.g.step = func(at string) {
				if at == "begun" {
					swapped <- swap(w)
				}
			}
			_, req := w.call("agent", "POST", "/api/exec", map[string]any{"command": run})
			id := req["id"].(string)
			_, card := w.call("viewer", "GET", "/api/queue/"+id, nil)
			if strings.Contains(fmt.Sprint(card), "not bound to their content") {
				t.Fatalf("the card says that it is not bound: %v", card["description"])
			}
			if status, out := w.approve(id); out["ok"] != true {
				t.Fatalf("%d %v", status, out)
			}
			w.until("exec", id, "conflict")
			if err := <-swapped; err != nil {
				t.Fatal(err)
			}
			if _, err := os.Lstat(filepath.Join(w.g.root, "many/m00/out")); err == nil {
				t.Error("it ran")
			}
		})
	}
}

// A person who saw that all files are bound did not approve a run with more folders than are bound.
func TestMoreFoldersAfterTheAnswer(t *testing.T) {
	w := newWorld(t, "")
	w.lay(map[string]string{"many/0/Makefile": "all:\n\techo x\n"})
	c := &CommandPlan{Command: "for d in many/*; do make -C $d; done"}
	if _, err := w.g.bindScripts(c); err != nil || c.Unbound {
		t.Fatalf("bound: %v, error %v; want that it is", !c.Unbound, err)
	}
	for i := range maxFolders {
		w.lay(map[string]string{fmt.Sprintf("many/a%d/x", i): ""})
	}
	w.lay(map[string]string{"many/z/Makefile": "all:\n\techo z\n"}) // it is beyond the limit
	for range 2 {
		if w.g.scriptsHold(c) == nil {
			t.Error("it would run with a build file that nobody approved")
		}
	}
}

// Scripts outside the project that a pattern names are bound, and more of them than the limit are not.
func TestFoundScriptsAreBound(t *testing.T) {
	w := newWorld(t, "")
	w.lay(map[string]string{"../out/x.sh": "echo x\n"})
	c := &CommandPlan{Command: "for f in ../out/*.sh; do ./$f; done"}
	if _, err := w.g.bindScripts(c); err != nil || c.Unbound || len(c.Files) == 0 {
		t.Fatalf("bound: %v, files %v, error %v; want that it is", !c.Unbound, c.Files, err)
	}
	w.lay(map[string]string{"../out/x.sh": "echo y\n"})
	if w.g.scriptsHold(c) == nil {
		t.Error("another script would run")
	}
	for i := range maxFound + 1 {
		w.lay(map[string]string{fmt.Sprintf("parts/%d", i): ""})
	}
	c = &CommandPlan{Command: "run-parts parts"}
	if _, err := w.g.bindScripts(c); err != nil || !c.Unbound {
		t.Errorf("%d scripts are bound: %v, error %v; want that they are not", maxFound+1, !c.Unbound, err)
	}
}

// Files that are too large to bind are not taken for bound ones.
func TestTooLargeToBind(t *testing.T) {
	w := newWorld(t, "defaultAction: ask\n")
	w.lay(map[string]string{"x.sh": "echo x\n", "big": ""})
	if err := os.Truncate(filepath.Join(w.g.root, "big"), 100<<20); err != nil {
		t.Fatal(err)
	}
	c := &CommandPlan{Command: "frobnicate < big; sh x.sh"}
	if _, err := w.g.bindScripts(c); err != nil || !c.Unbound {
		t.Errorf("bound: %v, error %v; want that it is not", !c.Unbound, err)
	}
	if len(c.Files) == 0 || w.g.scriptsHold(c) != nil {
		t.Errorf("files %v, error %v; want that the small file is bound", c.Files, w.g.scriptsHold(c))
	}
	w.lay(map[string]string{"x.sh": "echo y\n"})
	if w.g.scriptsHold(c) == nil {
		t.Error("another x.sh would run")
	}
}

// Between the answer and the beginning files are looked at once more.
func TestScriptChangedAfterTheAnswer(t *testing.T) {
	w := newWorld(t, "")
	w.lay(map[string]string{"build.sh": "echo one\n"})
	c := &CommandPlan{Command: "sh build.sh"}
	if _, err := w.g.bindScripts(c); err != nil {
		t.Fatal(err)
	}
	if _, err := w.g.hostCommand(c); err != nil {
		t.Fatal(err)
	}
	w.lay(map[string]string{"build.sh": "echo two\n"})
	if _, err := w.g.hostCommand(c); err == nil {
		t.Error("it would run")
	}
}

// Rules speak about the project's own folder: in another one, a person looks at it.
func TestRulesHoldInTheRoot(t *testing.T) {
	w := newWorld(t, "rules:\n  - allow: exec(make check)\n")
	w.lay(map[string]string{"Makefile": "check:\n\t@cd sub && echo root\n", "sub/Makefile": "check:\n\t@echo sub\n"})
	for cwd, want := range map[string]string{"": "approved", ".": "approved", "sub": "pending", "sub/..": "approved"} {
		if _, out := w.call("agent", "POST", "/api/exec", map[string]any{"command": "make check", "cwd": cwd}); out["status"] != want {
			t.Errorf("in %q it is %v", cwd, out["status"])
		}
	}
	for command, want := range map[string]string{
		"cd sub && make check": "pending", "cd / && make check": "pending", `cd "$X"; make check`: "pending", "(cd sub; make check)": "pending", "pushd sub && make check": "pending",
		"make check; cd sub; make check": "pending", "MAKEFILES=x make check": "pending", "LD_PRELOAD=./x.so MAKEFILES=x make check": "pending", "export CC=./cc; make check": "pending", "HOME=sub make check": "pending", "CI=1 LC_ALL=C make check": "approved", "GNUMAKEFLAGS='--eval=$(shell id)' make check": "pending",
		"cd sub && cd .. && make check": "approved", "cd " + w.g.root + " && make check": "approved", "make check && cd sub": "approved",
	} {
		if _, out := w.call("agent", "POST", "/api/exec", map[string]any{"command": command}); out["status"] != want {
			t.Errorf("%s is %v, want %s", command, out["status"], want)
		}
	}
}

// What a command prints reaches an agent with secrets masked, as it comes and at the end.
func TestOutputIsMasked(t *testing.T) {
	w := newWorld(t, "")
	key := "AKIA2E0A8F3B244C" + "9986"
	w.lay(map[string]string{"p.sh": "printf AKIA2E0A; sleep 0.1; printf '8F3B244C%s\\n' 9986; printf '%s%s\\n' AKIA2E0A8F3B244C 9986 >&2\n"})
	_, req := w.call("agent", "POST", "/api/exec", map[string]any{"command": "sh p.sh"})
	id := req["id"].(string)
	w.call("approver", "POST", "/api/queue/"+id+"/approve", map[string]any{})
	live := httptest.NewRecorder()
	look := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1/api/exec/"+id+"/output", nil)
	look.Header.Set("Authorization", "Bearer "+w.tokens["agent"])
	w.g.AgentHandler().ServeHTTP(live, look)
	out := w.until("exec", id, "completed")
	for _, text := range []string{live.Body.String(), out["result"].(map[string]any)["stdout"].(string), out["result"].(map[string]any)["stderr"].(string)} {
		if strings.Contains(text, key) || !strings.Contains(text, "[masked:") {
			t.Errorf("it reads %s", text)
		}
	}
}

// What was judged last is what runs: a link or a file that is swapped between that and the
// start of the command ends the request, also where a rule allowed it and nobody was asked.
func TestSwappedBeforeTheStart(t *testing.T) {
	for name, c := range map[string]struct {
		command string
		approve bool
		swap    func(w *world) error
	}{
		"a link, allowed by a rule": {"wc -l notes/x > out", false, func(w *world) error { return w.relink("notes", "../secret") }},
		"a link, approved":          {"wc -c notes/x > out", true, func(w *world) error { return w.relink("notes", "../secret") }},
		"a script":                  {"sh build.sh > out", true, func(w *world) error { return w.rewrite("build.sh", "echo swapped\n") }},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "rules:\n  - allow: exec(wc -l notes/x)\n  - allow: read(**)\n  - allow: write(./out)\n")
			w.lay(map[string]string{"plain/x": "plain\n", "../secret/x": "secret\n", "build.sh": "echo built\n"})
			if err := w.relink("notes", "plain"); err != nil {
				t.Fatal(err)
			}
			swapped := make(chan error, 1)
			w.g.step = func(at string) {
				if at == "begun" {
					swapped <- c.swap(w)
				}
			}
			_, req := w.call("agent", "POST", "/api/exec", map[string]any{"command": c.command})
			id := req["id"].(string)
			if c.approve != (req["status"] == "pending") {
				t.Fatalf("%v", req)
			}
			if c.approve {
				if status, out := w.approve(id); out["ok"] != true {
					t.Fatalf("%d %v", status, out)
				}
			}
			w.until("exec", id, "conflict")
			if err := <-swapped; err != nil {
				t.Fatal(err)
			}
			if b, err := os.ReadFile(filepath.Join(w.g.root, "out")); err == nil {
				t.Errorf("it ran: %q", b)
			}
		})
	}
}

// A link that leads elsewhere since a person was asked is no longer what they are asked about.
func TestLinksAreBound(t *testing.T) {
	w := newWorld(t, "")
	w.lay(map[string]string{"one/x": "", "two/x": ""})
	if err := w.relink("old", "one"); err != nil {
		t.Fatal(err)
	}
	_, req := w.call("agent", "POST", "/api/exec", map[string]any{"command": "rm -rf old/*"})
	id := req["id"].(string)
	if err := w.relink("old", "two"); err != nil {
		t.Fatal(err)
	}
	if status, out := w.call("approver", "POST", "/api/queue/"+id+"/approve", map[string]any{"digest": req["digest"]}); status != http.StatusConflict {
		t.Errorf("%d %v", status, out)
	}
	w.until("exec", id, "conflict")
}

// relink puts a link below the project's root in the place of what lies there.
func (w *world) relink(name, target string) error {
	at := filepath.Join(w.g.root, name)
	if err := os.Remove(at); err != nil && !os.IsNotExist(err) {
		return err
	}
	return os.Symlink(target, at)
}

// rewrite puts another file below the project's root in the place of one.
func (w *world) rewrite(name, text string) error {
	return os.WriteFile(filepath.Join(w.g.root, name), []byte(text), 0o755) //nolint:gosec // a script
}

// What a command of a session downloaded is somebody else's code in the session's next one.
// Another agent's session of that name knows nothing of it.
func TestSessionsRememberDownloads(t *testing.T) {
	w := newWorld(t, "")
	run := func(who, session, command string) map[string]any {
		_, req := w.call(who, "POST", "/api/exec", map[string]any{"command": command, "session": session})
		return req
	}
	id := run("agent", "s", "curl -o i.sh http://127.0.0.1:1/i.sh || true")["id"].(string)
	if _, out := w.approve(id); out["ok"] != true {
		t.Fatal(out)
	}
	w.until("exec", id, "completed")
	w.lay(map[string]string{"i.sh": "echo hi\n"}) // what it would have brought
	for _, c := range []struct{ who, session, want string }{{"agent", "s", "denied"}, {"agent", "t", "pending"}, {"other", "s", "pending"}, {"agent", "", "pending"}} {
		if got := run(c.who, c.session, "sh i.sh"); got["status"] != c.want {
			t.Errorf("%s in session %q: %v, want %s", c.who, c.session, got, c.want)
		}
	}
}

// Commands that append to one log at the same time do not end in a conflict, and no one approved
// the text of a file that a command only appends to.
func TestAppendsAreNotBound(t *testing.T) {
	w := newWorld(t, "")
	w.lay(map[string]string{"log": "one\n"})
	p := &CommandPlan{Command: "date >> log; echo done | tee -a log"}
	if _, err := w.g.bindScripts(p); err != nil {
		t.Fatal(err)
	}
	w.g.decide(p, Principal{}, "")
	at, err := os.OpenFile(filepath.Join(w.g.root, "log"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, wrote := at.WriteString("two\n")
	if err := errors.Join(wrote, at.Close(), w.g.scriptsHold(p), p.seen.Hold()); err != nil {
		t.Error(err)
	}
}

// The project's folder that a link replaced is not the folder in which people approved something:
// nothing is written or run there, and nothing new is taken.
func TestProjectThatLeadsElsewhere(t *testing.T) {
	w := newWorld(t, "rules:\n  - allow: exec(pwd)\n  - allow: filesystem(a.txt)\n")
	file := object{"changes": []object{{"op": "write", "path": "b.txt", "content": "x"}}}
	_, write := w.call("agent", "POST", "/api/files", file)
	_, run := w.call("agent", "POST", "/api/exec", object{"command": "touch b.txt"})
	elsewhere := t.TempDir()
	if err := errors.Join(os.Rename(w.g.root, w.g.root+".real"), os.Symlink(elsewhere, w.g.root)); err != nil {
		t.Fatal(err)
	}
	for _, r := range []object{write, run} {
		if status, out := w.call("approver", "POST", "/api/queue/"+r["id"].(string)+"/approve", object{"digest": r["digest"]}); status != http.StatusConflict {
			t.Errorf("%v: %d %v", r["action"], status, out)
		}
	}
	file["changes"] = []object{{"op": "write", "path": "a.txt", "content": "x"}}
	if status, out := w.call("agent", "POST", "/api/files", file); status != http.StatusConflict {
		t.Errorf("a new change: %d %v", status, out)
	}
	_, out := w.call("agent", "POST", "/api/exec", object{"command": "pwd"})
	if _, out = w.call("agent", "GET", "/api/exec/"+out["id"].(string)+"?wait=1m", nil); out["status"] != "conflict" {
		t.Errorf("a command that a rule allows: %v", out)
	}
	if list, err := os.ReadDir(elsewhere); err != nil || len(list) > 0 {
		t.Error(list, err)
	}
}
