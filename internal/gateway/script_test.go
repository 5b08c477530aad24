package gateway

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
		"build.sh": "#!/bin/sh\n./inner.sh\n", "inner.sh": "echo inner\n", "x.py": "print(1)\n", "Makefile": "include m.mk\ncheck:\n\t@sh inner.sh\n", "m.mk": "X=1\n",
		"package.json": `{"scripts":{"b":"node s.js"}}`, "s.js": "1\n", "sub/Makefile": "check:\n\techo sub\n", ".npmrc": "registry=http://127.0.0.1:1/\n",
	}
	for _, tt := range []struct{ command, cwd, file string }{
		{"./build.sh", "", "build.sh"}, {"./build.sh", "", "inner.sh"}, {"bash build.sh", "", "build.sh"}, {"python3 x.py", "", "x.py"}, {"sh < build.sh", "", "build.sh"},
		{"make check", "", "Makefile"}, {"make check", "", "m.mk"}, {"make check", "", "inner.sh"}, {"make check", "sub", "sub/Makefile"}, {"make -C sub check", "", "sub/Makefile"},
		{"cd sub && make check", "", "sub/Makefile"}, {"npm run b", "", "package.json"}, {"npm run b", "", "s.js"}, {"timeout 9 ./build.sh", "", "build.sh"}, {"", "", ".npmrc"},
	} {
		t.Run(strings.ReplaceAll(tt.command, "/", "_")+" "+filepath.Base(tt.file), func(t *testing.T) {
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
			if status, out := w.call("approver", "POST", "/api/queue/"+id+"/approve", map[string]any{"digest": req["digest"]}); status != http.StatusConflict || !strings.Contains(out["error"].(string), "was changed") {
				t.Errorf("approved with another %s: %d %v", tt.file, status, out)
			}
			w.until(kind, id, "conflict")
		})
	}
}

// Between the answer and the beginning files are looked at once more.
func TestScriptChangedAfterTheAnswer(t *testing.T) {
	w := newWorld(t, "")
	w.lay(map[string]string{"build.sh": "echo one\n"})
	e := Effective{Category: "exec", Command: "sh build.sh"}
	if _, err := w.g.bindScripts(&e); err != nil {
		t.Fatal(err)
	}
	if _, err := w.g.hostCommand(&e); err != nil {
		t.Fatal(err)
	}
	w.lay(map[string]string{"build.sh": "echo two\n"})
	if _, err := w.g.hostCommand(&e); err == nil {
		t.Error("it would run")
	}
}

// Rules speak about the project's own folder: in another one, a person looks at it.
func TestRulesHoldInTheRoot(t *testing.T) {
	w := newWorld(t, "rules:\n  - allow: exec(make check)\n")
	w.lay(map[string]string{"Makefile": "check:\n\t@echo root\n", "sub/Makefile": "check:\n\t@echo sub\n"})
	for cwd, want := range map[string]string{"": "approved", ".": "approved", "sub": "pending", "sub/..": "approved"} {
		if _, out := w.call("agent", "POST", "/api/exec", map[string]any{"command": "make check", "cwd": cwd}); out["status"] != want {
			t.Errorf("in %q it is %v", cwd, out["status"])
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
