package gateway

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The calls that touch folders of the gateway's machine are made while one of these folders is
// gone, or is a file. A call that needs the folder fails, says so without a path of the machine, and
// runs and writes nothing. Afterwards it says what it said before.
func TestEveryCallOnABrokenHost(t *testing.T) {
	work := t.TempDir()
	f := newForge(t, "rules:\n  - allow: exec(sh x.sh)\n", func(o *Options) { o.Workspace = work })
	f.lay(map[string]string{"x.sh": "echo x\n", ".npmrc": "x=1\n"})
	if err := os.WriteFile(filepath.Join(work, "made.txt"), []byte("made"), 0o600); err != nil {
		t.Fatal(err)
	}
	commit(t, f.clone, "x.txt", "x")
	pushed := f.push("HEAD:refs/heads/feature")
	push := f.open()
	post := func(path string, body object) string {
		status, out := f.call("agent", "POST", path, body)
		if status != http.StatusCreated {
			t.Fatal(path, status, out)
		}
		return fmt.Sprint(out["id"])
	}
	file := object{"changes": []object{{"op": "write", "path": "y.txt", "content": "y"}}}
	edit := object{"category": "filesystem", "action": "Edit x.sh", "metadata": object{"toolName": "Edit", "targetFile": "x.sh", "editContext": object{"old_string": "echo", "new_string": "printf"}}}
	run, install := object{"command": "sh ./x.sh"}, object{"manager": "npm", "packages": []string{"x"}}
	var files, edits, runs string
	ask := func() {
		files, edits, runs = post("/api/files", file), post("/api/queue", edit), post("/api/exec", run)
	}
	ask()
	folders := map[string]string{"root": f.g.root, "workspace": work, "staging": filepath.Join(filepath.Dir(f.remote), "staging.git"), "audit": f.g.audit}
	needs := func(names ...string) map[string]bool {
		m := map[string]bool{}
		for _, n := range names {
			m[n] = true
		}
		return m
	}
	calls := []struct {
		who, method, path string
		body              any
		needs             map[string]bool
	}{
		{"agent", "GET", "/api/sync/files", nil, needs("root", "workspace")},
		{"agent", "POST", "/api/files", file, needs("root")},
		{"agent", "POST", "/api/queue", edit, needs("root")},
		{"agent", "POST", "/api/packages", install, nil},
		{"agent", "GET", "/api/queue/" + files, nil, nil},
		{"agent", "GET", gitPath + "/info/refs?service=git-receive-pack", nil, needs("staging")},
		{"viewer", "GET", "/api/queue/" + files + "/whole", nil, nil},
		{"viewer", "GET", "/api/queue/" + runs + "/whole", nil, nil},
		{"viewer", "GET", "/api/queue/" + push.ID + "/whole", nil, nil},
		{"viewer", "GET", "/api/queue/" + runs + "/rule", nil, nil},
		{"viewer", "GET", "/api/audit", nil, nil},
		{"viewer", "GET", "/api/project", nil, nil},
	}
	for name, folder := range folders {
		for how, replace := range map[string]func() error{
			"gone": func() error { return nil },
			"file": func() error { return os.WriteFile(folder, nil, 0o600) },
		} {
			t.Run(name+" "+how, func(t *testing.T) {
				var want []int
				for _, c := range calls {
					status, _ := f.hear(c.who, c.method, c.path, c.body)
					want = append(want, status)
				}
				ask()
				if err := os.Rename(folder, folder+".away"); err != nil {
					t.Fatal(err)
				}
				if err := replace(); err != nil {
					t.Fatal(err)
				}
				for _, c := range calls {
					status, said := f.hear(c.who, c.method, c.path, c.body)
					if c.needs[name] && status < 400 {
						t.Errorf("%s %s: %d %.200s", c.method, c.path, status, said)
					}
					if status >= 400 && strings.Contains(said, filepath.Dir(folder)) {
						t.Errorf("%s %s names a folder of the machine: %.200s", c.method, c.path, said)
					}
				}
				for _, id := range map[string][]string{"root": {files, edits, runs}}[name] {
					if _, said := f.hear("approver", "POST", "/api/queue/"+id+"/approve", object{}); strings.Contains(said, `"ok":true`) {
						t.Errorf("it is approved: %.200s", said)
					}
				}
				if how != "gone" {
					if err := os.Remove(folder); err != nil {
						t.Error(err)
					}
				}
				if err := os.RemoveAll(folder); err != nil { // an audit log that was begun anew
					t.Error(err)
				}
				if err := os.Rename(folder+".away", folder); err != nil {
					t.Fatal(err)
				}
				for i, c := range calls {
					if status, said := f.hear(c.who, c.method, c.path, c.body); status != want[i] {
						t.Errorf("afterwards, %s %s: %d, not %d: %.200s", c.method, c.path, status, want[i], said)
					}
				}
			})
		}
	}
	if f.has("y.txt") != "none" || !strings.HasPrefix(f.has("x.sh"), "echo") {
		t.Error("a file was written")
	}
	f.hear("approver", "POST", "/api/queue/"+push.ID+"/deny", object{})
	<-pushed
}
