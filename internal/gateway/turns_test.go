package gateway

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/store"
)

const untilGo = "while [ ! -e go ]; do sleep 0.2; done"

// goOn lets the commands untilGo end.
func (w *world) goOn() {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.g.root, "go"), nil, 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// One agent's programs, however many and long, keep no other agent's from running.
func TestAgentsDoNotWaitForEachOther(t *testing.T) {
	w := newWorld(t, "")
	ids := make([]string, maxRunning+2)
	for i := range ids {
		ids[i] = w.approved(untilGo)
	}
	_, req := w.call("other", "POST", "/api/exec", object{"command": "echo other"})
	id := req["id"].(string)
	w.approve(id)
	if _, out := w.call("other", "GET", "/api/exec/"+id+"?wait=20s", nil); out["status"] != "completed" {
		t.Errorf("the other agent's command is %v", out["status"])
	}
	eventually(t, func() (bool, string) {
		running, waiting := 0, 0
		for _, id := range ids {
			switch _, out := w.call("agent", "GET", "/api/exec/"+id, nil); out["status"] {
			case "running":
				running++
			case "approved":
				waiting++
			}
		}
		return running == maxRunning && waiting == 2, fmt.Sprintf("%d run and %d wait, want %d and 2", running, waiting, maxRunning)
	})
	w.goOn()
	for _, id := range ids {
		w.until("exec", id, "completed")
	}
}

// A request that waits for its turn here, and that a dead gateway had claimed, ends at the next
// sweep, not when its turn comes.
func TestClaimOfTheDeadDuringTheWait(t *testing.T) {
	w := newWorld(t, "")
	for range maxRunning {
		w.becomes(w.approved(untilGo), "running")
	}
	id := w.approved("echo x")
	eventually(t, func() (bool, string) { return w.g.running.waiting(w.agentID()) == 1, "the last one does not wait" })
	err := w.s.Transact(t.Context(), func(tx *store.Tx) error {
		return errors.Join(putExecution(tx, id, Execution{Status: "running", Node: "dead"}), putLease(tx, id, "dead"))
	})
	if err != nil {
		t.Fatal(err)
	}
	w.g.abandon(t.Context())
	if _, out := w.call("agent", "GET", "/api/exec/"+id, nil); out["status"] != "unknown" {
		t.Errorf("the command that the dead gateway claimed is %v, want unknown", out["status"])
	}
	w.goOn()
}

// One agent's package managers wait for each other before they wait for those of others.
func TestInstallsOfAgentsTakeTurns(t *testing.T) {
	w := newWorld(t, "")
	leave, err := w.g.installs.enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	for range 3 {
		_, req := w.call("agent", "POST", "/api/packages", object{"manager": "npm", "packages": []string{"x"}})
		w.approve(req["id"].(string))
	}
	eventually(t, func() (bool, string) {
		return w.g.installing.waiting(w.agentID()) == 2, "they do not wait for each other"
	})
}

// agentID names the agent as requests do.
func (w *world) agentID() string {
	w.t.Helper()
	list, err := w.s.List(w.t.Context(), approval.Filter{Limit: 1, Oldest: true})
	if err != nil || len(list) == 0 {
		w.t.Fatal(list, err)
	}
	return list[0].Agent
}

// taken counts the places of the agent that programs have.
func (w *world) taken() int {
	agent := w.agentID()
	w.g.running.mu.Lock()
	defer w.g.running.mu.Unlock()
	if own := w.g.running.of[agent]; own != nil {
		return len(own.one)
	}
	return 0
}

// What rules allow piles up no further than what waits for people.
func TestAllowedRequestsAreBounded(t *testing.T) {
	w := newWorld(t, "rules: [{allow: exec(sleep *)}]\n", func(o *Options) { o.Waiting = 2 })
	command := object{"command": "sleep 50"}
	var ids []string
	ask := func() int {
		status, out := w.call("agent", "POST", "/api/exec", command)
		if id, ok := out["id"].(string); ok {
			ids = append(ids, id)
		}
		return status
	}
	for range maxRunning + 2 {
		if status := ask(); status != http.StatusCreated {
			t.Fatalf("status is %v, want %v", status, http.StatusCreated)
		}
	}
	eventually(t, func() (bool, string) { return w.g.running.waiting(w.agentID()) == 2, "none waits for its turn" })
	if status := ask(); status != http.StatusTooManyRequests {
		t.Errorf("one more is answered %d", status)
	}
	if status, _ := w.call("other", "POST", "/api/exec", command); status != http.StatusCreated {
		t.Errorf("another agent's is answered %d", status)
	}
	for _, id := range ids {
		w.call("approver", "POST", "/api/queue/"+id+"/stop", nil)
	}
}

// An approval does not outlive its request: a gateway that was away for days begins nothing old.
func TestOldApprovalDoesNotRun(t *testing.T) {
	w := newWorld(t, "")
	for range maxRunning {
		w.approved(untilGo)
	}
	eventually(t, func() (bool, string) { return w.taken() == maxRunning, "a place is free" })
	id := w.approved("touch ran")
	eventually(t, func() (bool, string) { return w.g.running.waiting(w.agentID()) == 1, "it does not wait for its turn" })
	r, err := w.s.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	r.Expires = time.Now().Add(-time.Second)
	if ok, err := w.g.claim(t.Context(), id); !ok || err != nil {
		t.Fatal(ok, err)
	}
	w.g.carryOut(t.Context(), r, false)
	if out := w.until("exec", id, "failed"); !strings.Contains(out["result"].(map[string]any)["stderr"].(string), "expired") {
		t.Error(out)
	}
	w.goOn()
}

// Who may look no longer hears nothing more of an output that never stops.
func TestOutputEndsWithItsCredential(t *testing.T) {
	w := newWorld(t, "")
	live := w.g.live.add("x")
	live.write("stdout", []byte("more\n"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	rec := httptest.NewRecorder()
	w.g.follow(ctx, rec, "x")
	if rec.Body.Len() > 0 {
		t.Errorf("it heard %s", rec.Body)
	}
}
