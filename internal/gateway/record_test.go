package gateway

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/store"
)

// lines returns what the audit log says of answers, once it says at least so many.
func (w *world) lines(n int) []audit.Record {
	w.t.Helper()
	var got []audit.Record
	eventually(w.t, func() (bool, string) {
		var err error
		if got, err = audit.Last(w.g.audit, audit.Query{Kind: audit.Approval}, 1000); err != nil && !audit.IsMissing(err) {
			w.t.Fatal(err)
		}
		return len(got) >= n, fmt.Sprintf("the audit log has %d answers, and not %d", len(got), n)
	})
	return got
}

// Every way to settle a request is one line of the audit log, also after a crash between the
// store and the log.
func TestEveryAnswerIsALine(t *testing.T) {
	w := newWorld(t, "")
	id := func(r map[string]any) string { return r["id"].(string) }
	write := map[string]any{"toolName": "Write", "targetFile": "a.txt", "writeContent": "x"}
	want := map[string]string{}
	want[id(w.ask("filesystem", "Write a.txt", write))] = "superseded"
	want[id(w.ask("filesystem", "Write a.txt", write))] = "approved"
	a, b := w.ask("network", "CONNECT a.example:443", nil), w.ask("network", "CONNECT b.example:443", nil)
	want[id(a)], want[id(b)] = "denied", "denied"
	c := w.ask("exec", "make x", nil)
	want[id(c)] = "cancelled"
	d := w.ask("git", "push x", nil)
	want[id(d)] = "approved"
	w.call("approver", "POST", "/api/queue/bulk", map[string]any{"category": "filesystem", "status": "approved"})
	w.call("approver", "POST", "/api/queue/bulk", map[string]any{"category": "network", "status": "denied"})
	w.call("agent", "DELETE", "/api/queue/"+id(c), nil)
	w.call("approver", "POST", "/api/queue/"+id(d)+"/approve", map[string]any{"note": "go"})
	check := func() {
		t.Helper()
		got := map[string]string{}
		for _, l := range w.lines(len(want)) {
			r := l.Data["request"]
			if got[r] != "" {
				t.Errorf("%s is there twice", r)
			}
			got[r] = l.Data["status"]
			if r == id(d) && (l.By != "ann" || l.Note != "go" || l.Effect != "allow" || l.Data["action"] != "push x") {
				t.Errorf("%s", l.Raw)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v\nand not\n%v", got, want)
		}
	}
	check()
	// Another gateway with the same folder does not write it a second time, and takes over.
	ctx, cancel := context.WithCancel(t.Context())
	second, err := New(ctx, Options{Store: w.s, Root: w.g.root, Layers: policyfile.Paths{User: w.policy}, AuditDir: w.g.audit, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = second.Close(context.WithoutCancel(ctx), false) }()
	defer cancel()
	if err := second.copyWhile(ctx); err == nil || !strings.Contains(err.Error(), "another gateway") {
		t.Errorf("%v", err)
	}
	w.g.Stop("test")
	marks, err := filepath.Glob(filepath.Join(w.g.audit, "gateway.copied.*"))
	if err != nil || len(marks) != 1 {
		t.Fatal(marks, err)
	}
	// It was killed after the log was written and before the mark was.
	done := make(chan struct{})
	go func() {
		defer close(done)
		for err := errOther; err != nil && ctx.Err() == nil; { // until the first one let go
			if err := os.WriteFile(marks[0], []byte("2\n"), 0o600); err != nil {
				t.Error(err)
			}
			err = second.copyWhile(ctx)
		}
	}()
	e := w.ask("git", "push y", nil)
	want[id(e)] = "denied"
	w.call("approver", "POST", "/api/queue/"+id(e)+"/deny", nil)
	check()
	cancel()
	<-done
}

// A gateway keeps a checkpoint beside its audit log. It tells when the database is set back, also
// after the gateway went on with that.
func TestDatabaseSetBack(t *testing.T) {
	w := newWorld(t, "")
	answer := func(action string) {
		t.Helper()
		r := w.ask("network", action, nil)
		w.call("approver", "POST", "/api/queue/"+r["id"].(string)+"/deny", nil)
	}
	answer("CONNECT a.example:443")
	w.lines(1)
	eventually(t, func() (bool, string) {
		head, err := w.s.Anchor(t.Context(), store.Anchor{})
		if err != nil {
			t.Fatal(err)
		}
		kept, err := w.g.anchor()
		return err == nil && kept == head, fmt.Sprintf("%v is kept, and not %v: %v", kept, head, err)
	})
	if _, err := w.g.VerifyRecord(t.Context()); err != nil {
		t.Error(err)
	}
	kept, _ := w.g.anchor()
	db, err := sql.Open("sqlite", filepath.Join(filepath.Dir(w.g.audit), "db", "gateway.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for _, text := range []string{
		"DELETE FROM event WHERE n > (SELECT n FROM checkpoint WHERE id = 3)", "DELETE FROM checkpoint WHERE id > 3",
	} {
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.g.VerifyRecord(t.Context()); err == nil || !strings.Contains(err.Error(), "reset to an older state") {
		t.Errorf("%v", err)
	}
	r := &recorder{g: w.g}
	if err := r.anchor(t.Context()); err != nil || !r.told {
		t.Errorf("told %v, %v", r.told, err)
	}
	if now, err := w.g.anchor(); err != nil || now != kept {
		t.Errorf("%v is kept, and not %v: %v", now, kept, err)
	}
}

// Two different people, for a category that wants them; a rule is neither of them, and one of
// them makes none.
func TestTwoPeople(t *testing.T) {
	w := newWorld(t, "", func(o *Options) { o.Needs = map[approval.Category]int{approval.Network: 2} })
	r := w.ask("network", "CONNECT a.example:443", nil)
	approve := "/api/queue/" + r["id"].(string) + "/approve"
	if status, out := w.call("admin", "POST", approve, map[string]any{"scope": "always"}); status != 400 {
		t.Errorf("%d %v", status, out)
	}
	if status, out := w.call("admin", "POST", approve, nil); status != 200 || out["ok"] != true {
		t.Errorf("%d %v", status, out)
	}
	if status, out := w.call("admin", "POST", approve, nil); status != 409 {
		t.Errorf("the same person again: %d %v", status, out)
	}
	if status, _ := w.call("admin", "POST", "/api/rules", map[string]any{"type": "allow", "rule": "network(a.example)"}); status != 200 {
		t.Errorf("status is %v, want %v", status, 200)
	}
	// The rule speaks for what comes later. A request that waits for people waits on.
	if err := w.g.settleByRules(t.Context(), "allow"); err != nil {
		t.Error(err)
	}
	if got, err := w.s.Get(t.Context(), r["id"].(string)); err != nil || got.State != approval.Pending || len(got.Votes) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	if status, out := w.call("approver", "POST", approve, nil); status != 200 || out["ok"] != true {
		t.Errorf("%d %v", status, out)
	}
	if got, err := w.s.Get(t.Context(), r["id"].(string)); err != nil || got.State != approval.Approved || len(got.Votes) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}

// A lease outside of its bounds is the asker's fault, as is a note that is too long.
func TestBounds(t *testing.T) {
	w := newWorld(t, "")
	in := map[string]any{"category": "network", "action": "CONNECT a.example:443", "lease": 5}
	if status, out := w.call("agent", "POST", "/api/queue", in); status != 400 {
		t.Errorf("%d %v", status, out)
	}
	in["lease"] = 60_000
	_, out := w.call("agent", "POST", "/api/queue", in)
	if r, err := w.s.Get(t.Context(), out["id"].(string)); err != nil || r.Lease != time.Minute {
		t.Errorf("%+v, %v", r, err)
	}
	if status, _ := w.call("approver", "POST", "/api/queue/"+out["id"].(string)+"/deny", map[string]any{"note": strings.Repeat("x", approval.MaxText+1)}); status != 400 {
		t.Errorf("status is %v, want %v", status, 400)
	}
	in["reason"] = strings.Repeat("x", approval.MaxText+1)
	if status, _ := w.call("agent", "POST", "/api/queue", in); status != 400 {
		t.Errorf("status is %v, want %v", status, 400)
	}
}

// A database that was set back to an older state is reported at the start, and its new events, which
// have old numbers, are copied.
func TestOlderDatabase(t *testing.T) {
	w := newWorld(t, "", func(o *Options) { o.AuditDir = "" })
	var log bytes.Buffer
	dir := t.TempDir()
	g, err := New(t.Context(), Options{Store: w.s, Root: w.g.root, Layers: policyfile.Paths{User: w.policy}, AuditDir: dir, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = g.Close(context.WithoutCancel(t.Context()), false) }()
	for file, text := range map[string]string{"gateway.copied.": "1000000\n", "gateway.checkpoint.": "1000000:" + strings.Repeat("ab", 32) + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, file+w.s.Name()), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, err := g.newRecorder(t.Context())
	if head := must(w.s.Head(t.Context())); err != nil || r.after != head {
		t.Errorf("%v: copies from %d, want %d", err, r.after, head)
	}
	if !strings.Contains(log.String(), "lacks events that this gateway has seen") {
		t.Errorf("it is not reported: %s", &log)
	}
}
