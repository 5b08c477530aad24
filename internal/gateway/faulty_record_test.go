package gateway

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/store"
)

// A request whose stored plan is not what it was lets nothing run, and says so at every door.
func TestEveryDoorOverADamagedRequest(t *testing.T) {
	w := newWorld(t, "")
	admin := Principal{Kind: Operator, Name: "ada", Role: Admin}
	db := w.open()
	for name, damage := range map[string]string{
		"no object": `7`, "no plan": `{}`, "another plan": `{"effective":{"category":"exec","command":"touch ran"}}`,
		"an unknown category": `{"effective":{"category":"none"}}`, "a plan of other fields": `{"effective":{"category":"exec","command":7}}`,
	} {
		t.Run(name, func(t *testing.T) {
			id := fmt.Sprint(w.ask("exec", "touch asked", nil)["id"])
			if _, err := db.ExecContext(t.Context(), "update request set body = json_set(body, '$.metadata', json(?)) where id = ?", damage, id); err != nil {
				t.Fatal(err)
			}
			r, err := w.s.Get(t.Context(), id)
			if err != nil || string(r.Metadata) != damage {
				t.Fatal(string(r.Metadata), err)
			}
			if _, err := StoredPlan(&r); err == nil {
				t.Error("the plan is taken")
			}
			if c, err := w.g.Choices(&r); err == nil {
				t.Errorf("rules are offered: %+v", c)
			}
			for _, approve := range []bool{true, false} {
				if _, err := w.g.ruleOf(&r, admin, approve, approval.Always, ""); err == nil {
					t.Error("an answer would store a rule")
				}
			}
			if ok, err := w.g.Answer(t.Context(), admin, id, true, Reply{Scope: approval.Always}); ok || err == nil {
				t.Errorf("it is approved for always: %v", err)
			}
			if err := w.g.StopRequest(t.Context(), id, admin); err == nil {
				t.Error("it is stopped")
			}
			if status, out := w.hear("viewer", "GET", "/api/queue/"+id+"/whole", nil); status == 200 && strings.Contains(out, "this is all of it") {
				t.Errorf("all of it is shown: %s", out)
			}
			for _, effect := range []string{"allow", "deny"} {
				if err := w.g.settleByRules(t.Context(), effect); err != nil {
					t.Errorf("others wait for it: %v", err)
				}
			}
			w.call("approver", "POST", "/api/queue/"+id+"/approve", map[string]any{})
			if ran := w.has("ran") + w.has("asked"); ran != "nonenone" {
				t.Errorf("it ran: %s", ran)
			}
			w.call("approver", "POST", "/api/queue/"+id+"/deny", map[string]any{})
		})
	}
}

// The copy into the audit log stops at a file that is not what it was, and names it. It goes on, without
// a loss, when the file is good again.
func TestEveryFileOfTheCopy(t *testing.T) {
	w := newWorld(t, "")
	w.g.Stop("the test begins") // it would copy meanwhile
	w.stopped()
	ctx := t.Context()
	copied := filepath.Join(w.g.audit, "gateway.copied."+w.s.Name())
	good, err := w.g.newRecorder(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for more := true; more; {
		if more, err = good.step(ctx); err != nil {
			t.Fatal(err)
		}
	}
	folder := func(path string) error { return os.MkdirAll(filepath.Join(path, "x"), 0o700) }
	garbage := func(path string) error { return os.WriteFile(path, []byte("garbage\n"), 0o600) }
	for _, c := range []struct {
		name, path string
		damage     func(string) error
		verifies   bool // which does not need the file
	}{
		{"where the copy is, a folder", copied, folder, true},
		{"where the copy is, garbage", copied, garbage, true},
		{"the checkpoint, a folder", w.g.anchorPath(), folder, false},
		{"the checkpoint, garbage", w.g.anchorPath(), garbage, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := w.s.Transact(ctx, func(tx *store.Tx) error { return tx.Event("test", "", c.name, nil) }); err != nil {
				t.Fatal(err)
			}
			was, err := os.ReadFile(c.path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(c.path); err != nil {
				t.Fatal(err)
			}
			if err := c.damage(c.path); err != nil {
				t.Fatal(err)
			}
			r, err := w.g.newRecorder(ctx)
			if err == nil {
				_, err = r.step(ctx)
			}
			if err == nil || !strings.Contains(err.Error(), c.path) {
				t.Errorf("the copy goes on: %v", err)
			}
			if _, err := w.g.VerifyRecord(ctx); (err == nil) != c.verifies {
				t.Errorf("verify: %v", err)
			}
			if err := os.RemoveAll(c.path); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(c.path, was, 0o600); err != nil {
				t.Fatal(err)
			}
			if r, err = w.g.newRecorder(ctx); err == nil {
				_, err = r.step(ctx)
			}
			if err != nil {
				t.Errorf("it does not go on: %v", err)
			}
			if last := must(w.s.Head(ctx)); r.after != last {
				t.Errorf("it got to %d of %d", r.after, last)
			}
		})
	}
}
