package gateway

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What differs in the workspace is asked about, file by file, and written as it was asked.
func TestSyncFiles(t *testing.T) {
	work := t.TempDir()
	w := newWorld(t, "rules:\n  - allow: write(**/free.txt)\n  - deny: write(**/never.txt)\n", func(o *Options) { o.Workspace = work })
	w.put("same.txt", "same")
	w.put("old.txt", "old")
	for name, text := range map[string]string{"same.txt": "same", "old.txt": "new", "d/made.txt": "made", "free.txt": "free", "never.txt": "x", ".git/config": "x", "node_modules/x/y": "x", "bin": "\x00\xff"} {
		at := filepath.Join(work, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(work, "link")); err != nil {
		t.Fatal(err)
	}
	status, out := w.call("agent", "GET", "/api/sync/files", nil)
	files := map[string]float64{}
	for _, f := range out["files"].([]any) {
		files[f.(object)["path"].(string)] = f.(object)["size"].(float64)
	}
	if status != 200 || len(files) != 5 || files["old.txt"] != 3 || files["d/made.txt"] != 4 {
		t.Errorf("%d %v", status, files)
	}
	type answer struct {
		status int
		out    object
	}
	done := make(chan answer, 1)
	go func() {
		status, out := w.call("agent", "POST", "/api/sync/files", object{"paths": []string{"old.txt", "d/made.txt", "free.txt", "never.txt"}, "reason": "finished"})
		done <- answer{status, out}
	}()
	old, made := w.asking("write old.txt"), w.asking("write d/made.txt")
	// What is written is what was asked about, whatever the workspace has by now.
	if err := os.WriteFile(filepath.Join(work, "old.txt"), []byte("later"), 0o644); err != nil {
		t.Fatal(err)
	}
	w.approve(old)
	w.call("approver", "POST", "/api/queue/"+made+"/deny", nil)
	got := <-done
	results, _ := got.out["results"].(object)
	if got.status != 200 || len(results) != 4 || results["old.txt"] != true || results["d/made.txt"] != false || results["free.txt"] != true || results["never.txt"] != false {
		t.Errorf("%d %v", got.status, got.out)
	}
	if w.has("old.txt") != "new" || w.has("d/made.txt") != "none" || w.has("free.txt") != "free" || w.has("never.txt") != "none" {
		t.Errorf("%q %q %q %q", w.has("old.txt"), w.has("d/made.txt"), w.has("free.txt"), w.has("never.txt"))
	}
	for _, bad := range []string{"../x", "/etc/passwd", ".git/config", "link", "absent"} {
		if status, out := w.call("agent", "POST", "/api/sync/files", object{"paths": []string{bad}}); status != 400 {
			t.Errorf("%s: %d %v", bad, status, out)
		}
	}
	if status, _ := newWorld(t, "").call("agent", "GET", "/api/sync/files", nil); status != 404 {
		t.Errorf("without a workspace: %d", status)
	}
}

// A file that the workspace has no longer is deleted as it would be written: a person answers, deny
// rules hold, and the answer is to the file as it was.
func TestSyncDeletions(t *testing.T) {
	work := t.TempDir()
	w := newWorld(t, "rules:\n  - deny: delete(**/never.txt)\n", func(o *Options) { o.Workspace = work })
	for _, name := range []string{"gone.txt", "moved.txt", "never.txt", "kept.txt", ".git/config"} {
		w.put(name, "text")
	}
	if err := os.WriteFile(filepath.Join(work, "kept.txt"), []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, out := w.call("agent", "GET", "/api/sync/files", nil)
	listed := map[string]bool{}
	for _, f := range out["files"].([]any) {
		listed[f.(object)["path"].(string)] = f.(object)["deleted"] == true
	}
	if len(listed) != 3 || !listed["gone.txt"] || !listed["moved.txt"] || !listed["never.txt"] {
		t.Errorf("%v", out)
	}
	// Nobody named them.
	if status, out := w.call("agent", "POST", "/api/sync/files", object{}); status != 200 || len(out["results"].(object)) != 0 {
		t.Errorf("%d %v", status, out)
	}
	done := make(chan object, 1)
	go func() {
		_, out := w.call("agent", "POST", "/api/sync/files", object{"paths": []string{"gone.txt", "moved.txt", "never.txt"}})
		done <- out
	}()
	gone, moved := w.asking("delete gone.txt"), w.asking("delete moved.txt")
	w.put("moved.txt", "a person wrote this meanwhile")
	w.approve(gone)
	if status, out := w.call("approver", "POST", "/api/queue/"+moved+"/approve", nil); status != 409 {
		t.Errorf("%d %v", status, out)
	}
	results := (<-done)["results"].(object)
	if results["gone.txt"] != true || results["moved.txt"] != false || results["never.txt"] != false {
		t.Errorf("%v", results)
	}
	if w.has("gone.txt") != "none" || w.has("moved.txt") != "a person wrote this meanwhile" || w.has("never.txt") != "text" || w.has("kept.txt") != "text" {
		t.Error("other files were deleted")
	}
	for _, bad := range []string{"../proj/kept.txt", ".git/config", "."} {
		if status, out := w.call("agent", "POST", "/api/sync/files", object{"paths": []string{bad}}); status != 400 {
			t.Errorf("%s: %d %v", bad, status, out)
		}
	}
}

// asking returns the ID of the request with that action, when it is there.
func (w *world) asking(action string) string {
	w.t.Helper()
	late := time.After(time.Minute)
	for {
		changed, stop := w.s.Changed("")
		list, err := w.g.pending(w.t.Context())
		if err != nil {
			w.t.Fatal(err)
		}
		for _, r := range list {
			if r.Action == action {
				stop()
				return r.ID
			}
		}
		select {
		case <-changed:
		case <-late:
			w.t.Fatal("nobody asks for " + action)
		}
		stop()
	}
}

func TestSyncGit(t *testing.T) {
	f := newForge(t, "")
	if _, out := f.call("agent", "GET", "/api/sync/git", nil); len(out["branches"].([]any)) != 0 {
		t.Errorf("%v", out)
	}
	commit(t, f.clone, "a", "a")
	commit(t, f.clone, "b", "b")
	pushed := f.push("HEAD:refs/heads/feature/x")
	r := f.open()
	_, out := f.call("agent", "GET", "/api/sync/git", nil)
	if b := out["branches"].([]any); len(b) != 1 || b[0].(object)["branch"] != "feature/x" || b[0].(object)["commits"] != 2.0 {
		t.Errorf("%v", out)
	}
	if _, out := f.call("other", "GET", "/api/sync/git", nil); len(out["branches"].([]any)) != 0 {
		t.Errorf("another agent sees %v", out)
	}
	done := make(chan object, 1)
	go func() {
		_, out := f.call("agent", "POST", "/api/sync/git", object{"branch": "feature/x"})
		done <- out
	}()
	f.approve(r.ID)
	if end := <-pushed; end.err != nil {
		t.Errorf("%v\n%s", end.err, end.out)
	}
	if out := <-done; out["approved"] != true {
		t.Errorf("%v", out)
	}
	commit(t, f.clone, "c", "c")
	pushed = f.push("HEAD:refs/heads/feature/x")
	f.call("approver", "POST", "/api/queue/"+f.open().ID+"/deny", nil)
	if end := <-pushed; end.err == nil {
		t.Error("a denied push went through")
	}
	if _, out := f.call("agent", "POST", "/api/sync/git", object{"branch": "feature/x"}); out["approved"] != false {
		t.Errorf("the last push was denied: %v", out)
	}
	if status, _ := f.call("agent", "POST", "/api/sync/git", object{"branch": "none"}); status != 404 {
		t.Errorf("status is %d, want %d", status, 404)
	}
	if status, _ := newWorld(t, "").call("agent", "GET", "/api/sync/git", nil); status != 404 {
		t.Errorf("without a repository: %d", status)
	}
}

// A link in place of the workspace leads to files that no agent may read.
func TestWorkspaceThatLeadsElsewhere(t *testing.T) {
	work, other := filepath.Join(t.TempDir(), "work"), t.TempDir()
	if err := errors.Join(os.Mkdir(work, 0o755), os.WriteFile(filepath.Join(other, "key"), []byte("x"), 0o600)); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, "modes: {filesystem: allow-all}\n", func(o *Options) { o.Workspace = work })
	if err := errors.Join(os.Remove(work), os.Symlink(other, work)); err != nil {
		t.Fatal(err)
	}
	if status, out := w.call("agent", "POST", "/api/sync/files", object{"paths": []string{"key"}}); status != http.StatusConflict || w.has("key") != "none" {
		t.Errorf("%d %v", status, out)
	}
	if status, out := w.call("agent", "GET", "/api/sync/files", nil); status != http.StatusConflict {
		t.Errorf("%d %v", status, out)
	}
}
