package gateway

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/store"
)

// testdata/requests-v5.db.gz holds open requests of every form, stored by the last program that had
// one struct for all categories. They expire in 2100.
func openOld(t *testing.T) *store.Store {
	t.Helper()
	packed, err := os.ReadFile("testdata/requests-v5.db.gz")
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	db, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "gateway.db"), db, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// Requests that an older program stored keep their digests, titles and meaning, and can be answered
// and carried out.
func TestOldRequests(t *testing.T) {
	old := openOld(t)
	w := newWorld(t, "", func(o *Options) { o.Store = old })
	if err := os.WriteFile(filepath.Join(w.g.root, "notes.txt"), []byte("one\ntwo\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"*gateway.NetworkPlan": 3, "*gateway.FilePlan": 4, "*gateway.PushPlan": 3, "*gateway.PackagePlan": 2, "*gateway.CommandPlan": 3, "*gateway.SettingPlan": 2, "*gateway.CallPlan": 3}
	got := map[string]int{}
	list, err := old.List(t.Context(), approval.Filter{Oldest: true, Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		plan, err := StoredPlan(&r)
		if err != nil {
			t.Errorf("%s: %v", r.Action, err)
			continue
		}
		got[reflect.TypeOf(plan).String()]++
		if plan.title() != r.Action || plan.category() != r.Category {
			t.Errorf("%s is %q of %s", r.Action, plan.title(), plan.category())
		}
		if !strings.Contains(string(r.Metadata), `"effective":`+string(encodePlan(plan))) {
			t.Errorf("%s is stored in another form: %s", r.Action, encodePlan(plan))
		}
		if d, ops, _ := w.g.decide(plan, Principal{Kind: Agent, ID: r.Agent}, r.Session); d.Effect.String() == "" || len(ops) == 0 {
			t.Errorf("%s: %v %v", r.Action, d, ops)
		}
		if _, err := w.g.Choices(&r); err != nil {
			t.Errorf("%s: %v", r.Action, err)
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	file := func(name string) string {
		b, err := os.ReadFile(filepath.Join(w.g.root, name))
		if err != nil {
			return err.Error()
		}
		return string(b)
	}
	for _, tt := range []struct{ action, status, name, content string }{
		{"echo hello > out.txt", "completed", "out.txt", "hello\n"},
		{"Edit notes.txt", "completed", "notes.txt", "1\ntwo\n"},
		{"Write new.txt", "completed", "new.txt", "hello <world> & \u2028 é\n"},
	} {
		i := slices.IndexFunc(list, func(r approval.Request) bool { return r.Action == tt.action })
		if status, out := w.call("approver", "POST", "/api/queue/"+list[i].ID+"/approve", map[string]any{"digest": list[i].Digest}); status != http.StatusOK || out["ok"] != true {
			t.Fatalf("%s: %d %v", tt.action, status, out)
		}
		x, err := w.g.waitExecution(t.Context(), list[i].ID)
		if err != nil || x.Status != tt.status || file(tt.name) != tt.content {
			t.Errorf("%s: %+v, %v: %q", tt.action, x, err, file(tt.name))
		}
	}
	// A script was bound to a file that this machine does not have.
	i := slices.IndexFunc(list, func(r approval.Request) bool { return r.Action == "sh check.sh" })
	if status, out := w.call("approver", "POST", "/api/queue/"+list[i].ID+"/approve", nil); status != http.StatusConflict {
		t.Errorf("%d %v", status, out)
	}
}

// A category takes its own fields only: one of another category would be shown and not judged.
func TestFieldsOfAnotherCategory(t *testing.T) {
	w := newWorld(t, "")
	type object = map[string]any
	for _, in := range []object{
		{"category": "network", "action": "CONNECT a.test:443", "metadata": object{"command": "rm -rf /"}},
		{"category": "git", "action": "push topic", "metadata": object{"targetFile": "x"}},
		{"category": "exec", "action": "make", "metadata": object{"manager": "npm"}},
		{"category": "packages", "metadata": object{"manager": "npm", "packages": []string{"left-pad"}, "command": "npm install left-pad"}},
		{"category": "filesystem", "action": "sync a", "metadata": object{"cwd": "sub"}},
		{"category": "sandbox", "metadata": object{"proposal": object{"path": "allowedEndpoints", "value": []string{"a.test"}}, "timeout": 5}},
	} {
		if status, out := w.call("agent", "POST", "/api/queue", in); status != http.StatusBadRequest {
			t.Errorf("%v: %d %v", in, status, out)
		}
		in["metadata"] = object{"extra": object{"note": 1}}
		if status, out := w.call("agent", "POST", "/api/queue", in); status == http.StatusBadRequest && strings.Contains(out["error"].(string), "extra") {
			t.Errorf("%v: %d %v", in, status, out)
		}
	}
}

// A name in a plan is one word, whatever is in it: no shell reads it.
func TestPlansAreNoShellText(t *testing.T) {
	w := newWorld(t, "")
	for branch, want := range map[string]string{"a$(id)": "push origin a$(id)", "a;b": "push origin a;b", "é": "push origin é"} {
		_, ops, _ := w.g.decide(&PushPlan{Branch: branch}, Principal{Kind: Agent, ID: "x"}, "")
		if len(ops) != 1 || ops[0].Resource != want {
			t.Errorf("%q: %v", branch, ops)
		}
	}
}
