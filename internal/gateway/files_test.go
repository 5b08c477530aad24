package gateway

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/store"
)

type object = map[string]any

// put gives the project a file.
func (w *world) put(name, content string) {
	w.t.Helper()
	at := filepath.Join(w.g.root, name)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(content), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// has returns what a file of the project's has, or "none".
func (w *world) has(name string) string {
	w.t.Helper()
	data, err := os.ReadFile(filepath.Join(w.g.root, name))
	if os.IsNotExist(err) {
		return "none"
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

// change submits a set of changes.
func (w *world) change(changes ...object) object {
	w.t.Helper()
	status, out := w.call("agent", "POST", "/api/files", object{"changes": changes})
	if status != 201 {
		w.t.Fatalf("%v: %d %v", changes, status, out)
	}
	return out
}

func (w *world) approve(id any) (int, object) {
	return w.call("approver", "POST", "/api/queue/"+id.(string)+"/approve", nil)
}

// What is approved is what is written: once, whole, and by whatever way it was asked.
func TestFiles(t *testing.T) {
	w := newWorld(t, "")
	w.put("a.txt", "one\ntwo\n")
	w.put("gone", "x")
	w.put("run.sh", "echo\n")
	out := w.change(object{"op": "write", "path": "a.txt", "content": "one\n2\n"}, object{"op": "delete", "path": "gone"}, object{"op": "chmod", "path": "run.sh", "mode": "755"},
		object{"op": "write", "path": "new/bin", "base64": base64.StdEncoding.EncodeToString([]byte{0, 1, 2})})
	if out["status"] != "pending" || out["action"] != "change 4 files: a.txt gone run.sh new/bin" {
		t.Fatalf("%v", out)
	}
	id := out["id"].(string)
	_, shown := w.call("viewer", "GET", "/api/queue/"+id, nil)
	diff, _ := shown["metadata"].(object)["diff"].(string)
	for _, want := range []string{"-two\n+2\n", "delete gone\n", "chmod run.sh from 0644 to 0755", "write new/bin, a new file of 3 bytes", "no text"} {
		if !strings.Contains(diff, want) {
			t.Errorf("the person is not shown %q: %s", want, diff)
		}
	}
	if w.has("a.txt") != "one\ntwo\n" {
		t.Error("written before anybody approved it")
	}
	if _, got := w.call("agent", "GET", "/api/files/"+id, nil); got["status"] != "pending" {
		t.Errorf("%v", got)
	}
	if status, _ := w.call("other", "GET", "/api/files/"+id, nil); status != 404 {
		t.Errorf("another agent's: %d", status)
	}
	if status, got := w.approve(id); status != 200 || got["ok"] != true {
		t.Fatalf("%d %v", status, got)
	}
	w.until("files", id, "completed")
	if st, err := os.Stat(filepath.Join(w.g.root, "run.sh")); err != nil || st.Mode().Perm() != 0o755 || w.has("a.txt") != "one\n2\n" || w.has("gone") != "none" || w.has("new/bin") != "\x00\x01\x02" {
		t.Errorf("%v %v %q", st, err, w.has("a.txt"))
	}
	// The forms of the queue do the same.
	for _, tt := range []struct {
		meta object
		want string
	}{
		{object{"toolName": "Write", "targetFile": "a.txt", "writeContent": ""}, ""},
		{object{"toolName": "Write", "targetFile": "./x/../a.txt", "writeContent": "a $1 a"}, "a $1 a"},
		{object{"toolName": "Edit", "targetFile": "a.txt", "editContext": object{"old_string": "a", "new_string": "$&"}}, "$& $1 a"},
	} {
		out := w.ask("filesystem", "", tt.meta)
		if status, got := w.approve(out["id"]); status != 200 {
			t.Fatalf("%v: %d %v", tt.meta, status, got)
		}
		w.until("files", out["id"].(string), "completed")
		if got := w.has("a.txt"); got != tt.want {
			t.Errorf("%v: %q", tt.meta, got)
		}
	}
	// Denied: nothing happens.
	out = w.change(object{"op": "delete", "path": "a.txt"})
	w.call("approver", "POST", "/api/queue/"+out["id"].(string)+"/deny", nil)
	if _, got := w.call("agent", "GET", "/api/files/"+out["id"].(string), nil); got["status"] != "denied" || w.has("a.txt") == "none" {
		t.Errorf("%v", got)
	}
}

// An Edit is made on the file that it is bound to, although another writes the file in between.
func TestEditDuringAnotherWrite(t *testing.T) {
	for writes, want := range map[int]string{1: "other 1\nnew\n", 2: "other 2\nnew\n", 3: ""} {
		w := newWorld(t, "")
		w.put("a.txt", "one\nold\n")
		looks := 0
		w.g.step = func(at string) {
			if at == "files read" && looks < writes {
				looks++
				w.put("a.txt", fmt.Sprintf("other %d\nold\n", looks))
			}
		}
		status, out := w.call("agent", "POST", "/api/queue", object{"category": "filesystem", "metadata": object{"toolName": "Edit", "targetFile": "a.txt", "editContext": object{"old_string": "old", "new_string": "new"}}})
		if want == "" {
			if status != http.StatusConflict {
				t.Errorf("%d writes: got %d %v, want a conflict", writes, status, out)
			}
			continue
		}
		if status != http.StatusCreated {
			t.Fatalf("%d writes: got %d %v, want a request", writes, status, out)
		}
		if status, got := w.approve(out["id"]); status != http.StatusOK {
			t.Fatalf("%d writes: got %d %v", writes, status, got)
		}
		w.until("files", out["id"].(string), "completed")
		if got := w.has("a.txt"); got != want {
			t.Errorf("%d writes: a.txt is %q, want %q", writes, got, want)
		}
	}
}

func TestFilesRefused(t *testing.T) {
	w := newWorld(t, "")
	w.put("a", "x")
	if err := os.Symlink("/etc", filepath.Join(w.g.root, "etc")); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		change object
		status int
	}{
		"git":             {object{"op": "write", "path": ".GIT/hooks/pre-commit", "content": "x"}, 400},
		"umpire's":        {object{"op": "delete", "path": ".umpire.yaml"}, 400},
		"climbing":        {object{"op": "write", "path": "../x", "content": "x"}, 400},
		"through a link":  {object{"op": "write", "path": "etc/x", "content": "x"}, 409},
		"nothing to move": {object{"op": "move", "from": "no", "path": "b"}, 409},
		"onto another":    {object{"op": "mkdir", "path": "a"}, 409},
		"two contents":    {object{"op": "write", "path": "b", "content": "x", "base64": "eA=="}, 400},
		"no content":      {object{"op": "write", "path": "b"}, 400},
		"mode":            {object{"op": "chmod", "path": "a", "mode": "rwx"}, 400},
		"setuid":          {object{"op": "chmod", "path": "a", "mode": "4755"}, 400},
		"unknown field":   {object{"op": "write", "path": "b", "content": "x", "owner": "root"}, 400},
	} {
		if status, out := w.call("agent", "POST", "/api/files", object{"changes": []object{tt.change}}); status != tt.status {
			t.Errorf("%s: %d %v", name, status, out)
		}
	}
	if status, _ := w.call("agent", "POST", "/api/files", object{"changes": []object{}}); status != 400 {
		t.Errorf("no changes: %d", status)
	}
	if status, out := w.call("agent", "POST", "/api/queue", object{"category": "filesystem", "metadata": object{"toolName": "Edit", "targetFile": "a", "editContext": object{"old_string": "y", "new_string": "z"}}}); status != 409 {
		t.Errorf("a stale edit: %d %v", status, out)
	}
}

// A file that somebody changed since the question was asked is theirs.
func TestFileConflict(t *testing.T) {
	w := newWorld(t, "")
	w.put("a", "old")
	out := w.change(object{"op": "write", "path": "a", "content": "agent's"}, object{"op": "write", "path": "b", "content": "b"})
	id := out["id"].(string)
	w.put("a", "mine")
	if status, got := w.approve(id); status != 409 || got["ok"] != false || !strings.Contains(got["error"].(string), "changed after the request") {
		t.Errorf("%d %v", status, got)
	}
	if _, got := w.call("agent", "GET", "/api/queue/"+id, nil); got["status"] != "conflict" {
		t.Errorf("%v", got)
	}
	if status, got := w.approve(id); status != 200 || got["ok"] != false {
		t.Errorf("again: %d %v", status, got)
	}
	// Found when it is applied: bulk answers do not look before.
	out = w.change(object{"op": "write", "path": "a", "content": "agent's"})
	w.put("a", "mine again")
	if _, got := w.call("approver", "POST", "/api/queue/bulk", object{"category": "filesystem", "status": "approved"}); got["count"] != 1.0 {
		t.Errorf("%v", got)
	}
	if got := w.until("files", out["id"].(string), "conflict"); !strings.Contains(got["error"].(string), "a: it changed after the request") {
		t.Errorf("%v", got)
	}
	if w.has("a") != "mine again" || w.has("b") != "none" {
		t.Errorf("%q %q", w.has("a"), w.has("b"))
	}
}

// A newer question about one of its files ends an older one.
// Whoever says what they know of a file changes that one, and no other.
func TestFilesWas(t *testing.T) {
	w := newWorld(t, "")
	w.put("a", "one")
	const one = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed" // its SHA-256
	for _, tt := range []struct {
		name string
		c    object
		want int
	}{
		{"as known", object{"op": "write", "path": "a", "content": "x", "was": one}, 201},
		{"another", object{"op": "write", "path": "a", "content": "x", "was": strings.Repeat("0", 64)}, 409},
		{"thought absent", object{"op": "write", "path": "a", "content": "x", "was": "absent"}, 409},
		{"absent", object{"op": "write", "path": "b", "content": "x", "was": "absent"}, 201},
		{"gone", object{"op": "write", "path": "b", "content": "x", "was": one}, 409},
		{"moved as known", object{"op": "move", "from": "a", "path": "c", "was": one}, 201},
		{"moved another", object{"op": "move", "from": "a", "path": "c", "was": strings.Repeat("0", 64)}, 409},
		{"no sum", object{"op": "write", "path": "a", "content": "x", "was": "one"}, 400},
	} {
		if status, out := w.call("agent", "POST", "/api/files", object{"changes": []object{tt.c}}); status != tt.want {
			t.Errorf("%s: %d %v", tt.name, status, out)
		}
	}
}

// People, and what they run, are told of which project a gateway is; agents are not.
func TestProject(t *testing.T) {
	w := newWorld(t, "")
	if status, out := w.call("viewer", "GET", "/api/project", nil); status != 200 || out["root"] != w.g.root {
		t.Errorf("%d %v", status, out)
	}
	if status, _ := w.call("agent", "GET", "/api/project", nil); status == 200 {
		t.Errorf("an agent is told: %d", status)
	}
}

func TestFilesSupersede(t *testing.T) {
	w := newWorld(t, "")
	first := w.change(object{"op": "write", "path": "a", "content": "1"}, object{"op": "write", "path": "b", "content": "1"})
	other := w.change(object{"op": "write", "path": "c", "content": "1"})
	second := w.ask("filesystem", "", object{"toolName": "Write", "targetFile": "b", "writeContent": "2"})
	third := w.change(object{"op": "write", "path": "b", "content": "3"}, object{"op": "write", "path": "d", "content": "3"})
	for out, want := range map[*object]string{&first: "superseded", &second: "superseded", &third: "pending", &other: "pending"} {
		_, got := w.call("agent", "GET", "/api/queue/"+(*out)["id"].(string), nil)
		if got["status"] != want || want == "superseded" && got["resolvedBy"] != "auto" {
			t.Errorf("%v is %v, want %s", (*out)["action"], got, want)
		}
	}
	if status, got := w.approve(first["id"]); status != 200 || got["ok"] != false {
		t.Errorf("%d %v", status, got)
	}
	// Of a gateway whose clock is ahead: it is older all the same.
	ahead, err := w.s.Get(t.Context(), third["id"].(string))
	if err != nil {
		t.Fatal(err)
	}
	ahead.ID = approval.NewID(time.Now().Add(time.Hour))
	if _, _, err := w.s.Submit(t.Context(), ahead); err != nil {
		t.Fatal(err)
	}
	last := w.change(object{"op": "write", "path": "d", "content": "4"})
	for id, want := range map[string]approval.State{ahead.ID: approval.Superseded, last["id"].(string): approval.Pending} {
		if r, err := w.s.Get(t.Context(), id); err != nil || r.State != want {
			t.Errorf("%s is %s, want %s, %v", r.Action, r.State, want, err)
		}
	}
}

// What others obey is put to a person, whatever the mode; and what guards agents and
// umpire, whatever the rules.
func TestFilesOthersObey(t *testing.T) {
	w := newWorld(t, "modes: {filesystem: allow-all}\nrules:\n  - allow: [filesystem(.npmrc), filesystem(.mcp.json)]\n  - deny: filesystem(secrets/**)\n")
	for file, want := range map[string]string{"a.txt": "approved", ".claude/settings.json": "pending", ".mcp.json": "pending", ".npmrc": "approved", ".github/workflows/ci.yml": "pending", ".envrc": "pending", "secrets/a": "denied"} {
		for _, ask := range []func() object{
			func() object { return w.change(object{"op": "write", "path": file, "content": "x"}) },
			func() object {
				return w.ask("filesystem", "", object{"toolName": "Write", "targetFile": file, "writeContent": "y"})
			},
		} {
			out := ask()
			if out["status"] != want {
				t.Errorf("%s: %v, want %s", file, out, want)
			}
			if want == "approved" {
				w.until("files", out["id"].(string), "completed")
			}
		}
	}
	git(t, w.g.root, "init", "-q", "--bare", "--template=", ".bare") // as those have it who work in many trees
	// What becomes such a file by where it lies, or by what it stands for.
	for _, c := range []object{
		{"op": "link", "path": ".github", "target": "docs"}, {"op": "link", "path": ".vscode", "target": "docs"}, {"op": "link", "path": ".claude", "target": "docs"}, {"op": "link", "path": "sub/.idea", "target": "../docs"},
		{"op": "write", "path": ".bare/config", "content": "[core]"}, {"op": "write", "path": ".bare/hooks/pre-commit", "content": "#!/bin/sh"}, {"op": "link", "path": "out", "target": ".bare/hooks"}, {"op": "link", "path": "all", "target": ".bare"}, {"op": "link", "path": "sub/out", "target": "../.github/workflows"}, {"op": "write", "path": "docs/x/HEAD", "content": "ref: refs/heads/main"}, {"op": "link", "path": "docs/y/HEAD", "target": "../z"}, {"op": "write", "path": "fixtures/r.git/config", "content": "[core]"}, {"op": "write", "path": "fixtures/r.git/hooks/update", "content": "#!/bin/sh"},
		{"op": "chmod", "path": "a.txt", "mode": "777"}, {"op": "write", "path": "src/x.sh", "content": "x", "mode": "666"}, // a neighbour could change them
		{"op": "write", "path": ".exrc", "content": "x"}, {"op": "write", "path": "a.code-workspace", "content": "x"}, {"op": "write", "path": ".gitattributes", "content": "x"}, {"op": "write", "path": "sub/.dir-locals.el", "content": "x"}, {"op": "write", "path": ".cargo/config.toml", "content": "x"},
	} {
		if out := w.change(c); out["status"] != "pending" && out["status"] != "denied" {
			t.Errorf("%v: %v", c, out)
		}
	}
	for _, c := range []object{{"op": "chmod", "path": "a.txt", "mode": "755"}, {"op": "link", "path": "latest", "target": "docs"}, {"op": "mkdir", "path": ".github"}, {"op": "write", "path": "src/head", "content": "x"}, {"op": "write", "path": "x.git/README", "content": "x"}} {
		if out := w.change(c); out["status"] != "approved" {
			t.Errorf("%v: %v", c, out)
		}
	}
	w.put("plain", "x")
	if out := w.change(object{"op": "write", "path": "b.txt", "content": "x"}, object{"op": "move", "from": "plain", "path": ".mcp.json"}); out["status"] != "pending" {
		t.Errorf("moved there: %v", out)
	}
	if out := w.change(object{"op": "write", "path": "c.txt", "content": "x"}, object{"op": "link", "path": "secrets/l", "target": "../a"}); out["status"] != "denied" {
		t.Errorf("one of two is denied: %v", out)
	}
}

// A new folder replaces nothing, and a file may.
func TestFolderReplacesNoFile(t *testing.T) {
	root := t.TempDir()
	plan := &FilePlan{Tool: "Change", Changes: []host.Change{{Op: host.Mkdir, Path: "new"}, {Op: host.Write, Path: "f", Content: []byte("x")}}}
	ops := plan.operations(plan.action(root), operation.Env{})
	if len(ops) != 2 || ops[0].Traits&umpire.Truncate != 0 || ops[1].Traits&umpire.Truncate == 0 {
		t.Errorf("operations: got %v, want only the second to replace a file", ops)
	}
}

// A set that was being applied when its gateway died is ended by the next one.
func TestFilesAfterRestart(t *testing.T) {
	w := newWorld(t, "", func(o *Options) { o.Shared = true }) // the claim holds until its lease is over
	w.put("a", "old")
	out := w.change(object{"op": "write", "path": "a", "content": "new"}, object{"op": "write", "path": "b", "content": "new"})
	id := out["id"].(string)
	dead, err := New(t.Context(), Options{Store: w.s, Root: w.g.root, Layers: policyfile.Paths{User: w.policy}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = dead.Close(t.Context(), false) }()
	if claimed, err := dead.claim(t.Context(), id); !claimed || err != nil {
		t.Fatal(claimed, err)
	}
	if status, got := w.approve(id); status != 200 {
		t.Fatalf("%d %v", status, got)
	}
	err = w.s.Transact(t.Context(), func(tx *store.Tx) error { return tx.Put(leaseRecord, id, json.RawMessage(`{"node":"dead"}`)) })
	if err != nil {
		t.Fatal(err)
	}
	w.until("files", id, "completed")
	if w.has("a") != "new" || w.has("b") != "new" {
		t.Errorf("%q %q", w.has("a"), w.has("b"))
	}
}

// Asked for twice by one key it is one request, also when it is done already.
func TestFilesByKey(t *testing.T) {
	w := newWorld(t, "modes: {filesystem: allow-all}\n")
	w.put("a", "x")
	in := object{"changes": []object{{"op": "delete", "path": "a"}}, "key": "k"}
	_, first := w.call("agent", "POST", "/api/files", in)
	w.until("files", first["id"].(string), "completed")
	if status, again := w.call("agent", "POST", "/api/files", in); status != 201 || again["id"] != first["id"] {
		t.Errorf("%d %v", status, again)
	}
	if status, got := w.call("other", "POST", "/api/files", in); status != 409 {
		t.Errorf("another agent's key: %d %v", status, got)
	}
}

// Secrets and contents are not in what the queue tells everybody, and masked in the diff.
func TestFileSecretsAreMasked(t *testing.T) {
	w := newWorld(t, "")
	key := "AKIA" + "IOSFODNN7EXAMPLQ"
	out := w.change(object{"op": "write", "path": "a", "content": "key = " + key + "\u202e\n"})
	r, err := w.s.Get(t.Context(), out["id"].(string))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(r.Metadata), key) || !strings.Contains(string(r.Metadata), "[masked:") {
		t.Errorf("%s", r.Metadata)
	}
}

// A set whose files are all in place is completed, also where what it replaced could not be removed.
func TestChangesThatLeaveAFolder(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := &Gateway{root: root, leads: root, step: func(step string) {
		if step == "all made" {
			if err := os.Mkdir(filepath.Join(root, ".umpire-x", "in-the-way"), 0o700); err != nil {
				t.Error(err)
			}
		}
	}}
	plan := &FilePlan{Changes: []host.Change{{Op: host.Write, Path: "a", Content: []byte("new")}}}
	status, result := plan.carryOut(t.Context(), g, &approval.Request{ID: "x"})
	if data, err := os.ReadFile(filepath.Join(root, "a")); err != nil || string(data) != "new" || status != "completed" || !strings.Contains(result.Stderr, "all changes are made: remove .umpire-x") {
		t.Errorf("%s %q, %q %v", status, result.Stderr, data, err)
	}
}

// A folder that became a symbolic link since the request is a change, and no fault of the gateway.
func TestFolderThatBecameALink(t *testing.T) {
	w := newWorld(t, "")
	w.lay(map[string]string{"sub/a.txt": "a"})
	_, out := w.call("agent", "POST", "/api/files", object{"changes": []object{{"op": "write", "path": "sub/b.txt", "content": "b"}}})
	sub, other := filepath.Join(w.g.root, "sub"), t.TempDir()
	if err := errors.Join(os.Rename(sub, sub+".real"), os.Symlink(other, sub)); err != nil {
		t.Fatal(err)
	}
	status, said := w.call("approver", "POST", "/api/queue/"+out["id"].(string)+"/approve", object{"digest": out["digest"]})
	if list, err := os.ReadDir(other); status != http.StatusConflict || err != nil || len(list) > 0 {
		t.Errorf("%d %v, %v %v", status, said, list, err)
	}
}
