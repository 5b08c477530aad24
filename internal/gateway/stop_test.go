package gateway

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/store"
)

// approved asks for a command and approves it.
func (w *world) approved(command string) (id string) {
	w.t.Helper()
	_, req := w.call("agent", "POST", "/api/exec", map[string]any{"command": command})
	id = req["id"].(string)
	if status, out := w.call("approver", "POST", "/api/queue/"+id+"/approve", map[string]any{}); out["ok"] != true {
		w.t.Fatalf("%d %v", status, out)
	}
	return id
}

// A person stops what runs, with its processes; a viewer and an agent do not.
func TestStopRequest(t *testing.T) {
	w := newWorld(t, "")
	pids := filepath.Join(w.g.root, "pids")
	id := w.approved("sleep 300 & echo $! $$ > pids; wait")
	var own, child int
	eventually(t, func() (bool, string) {
		data, _ := os.ReadFile(pids)
		n, _ := fmt.Sscan(string(data), &child, &own)
		return n == 2, "it does not run"
	})
	for who, want := range map[string]int{"viewer": http.StatusForbidden, "agent": http.StatusNotFound} {
		if status, _ := w.call(who, "POST", "/api/queue/"+id+"/stop", nil); status != want {
			t.Errorf("%s: %d", who, status)
		}
	}
	if status, out := w.call("approver", "POST", "/api/queue/"+id+"/stop", nil); status != http.StatusOK {
		t.Fatalf("%d %v", status, out)
	}
	out := w.until("exec", id, "failed")
	result := out["result"].(map[string]any)
	if text, _ := result["stderr"].(string); !strings.Contains(text, "stopped by ann") || result["exitCode"] != 137.0 { // not 124: no time was over
		t.Errorf("%v", out)
	}
	_, history := w.call("viewer", "GET", "/api/history?limit=1", nil)
	if ran := history["requests"].([]any)[0].(map[string]any)["execution"]; !reflect.DeepEqual(ran, map[string]any{"status": "failed", "exitCode": 137.0, "stoppedBy": "ann"}) {
		t.Errorf("the history tells of the execution: %v", ran)
	}
	eventually(t, func() (bool, string) {
		shell, err := os.FindProcess(own)
		return err != nil || errors.Is(shell.Signal(syscall.Signal(0)), os.ErrProcessDone), "its shell still runs"
	})
	if status, _ := w.call("approver", "POST", "/api/queue/"+id+"/stop", nil); status != http.StatusConflict {
		t.Errorf("once more: %d", status)
	}
}

// An agent whose token a person revokes, or whose token expires, does no more: what runs for it ends, and what waits for its turn does
// not begin, however many other requests the agent puts before and beside it.
func TestRevokedRunsNoMore(t *testing.T) {
	w := newWorld(t, "")
	t.Run("revoked", func(t *testing.T) {
		w.runsNoMore(t, "the agent's token was revoked", func() {
			if status, out := w.call("admin", "DELETE", "/api/tokens/"+hashToken(w.tokens["agent"])[:12], nil); status != http.StatusOK {
				t.Fatalf("%d %v", status, out)
			}
		})
	})
	w.tokens["agent"] = w.tokens["other"]
	t.Run("expired", func(t *testing.T) {
		w.runsNoMore(t, "the agent's token was revoked", func() {
			if err := w.g.endToken(t.Context(), hashToken(w.tokens["agent"]), "", "ended"); err != nil {
				t.Fatal(err)
			}
		})
	})
}

// runsNoMore checks that none of an agent's commands runs after end, and that each tells why.
func (w *world) runsNoMore(t *testing.T, why string, end func()) {
	t.Helper()
	dir := filepath.Base(t.Name())
	w.lay(map[string]string{dir + "/x": ""})
	began := func() int { return len(must(filepath.Glob(filepath.Join(w.g.root, dir, "ran*")))) }
	var all []string
	for n := range maxRunning + 2 {
		all = append(all, w.approved(fmt.Sprintf("touch %s/ran%d; sleep 300", dir, n)))
	}
	eventually(t, func() (bool, string) { return began() == maxRunning, fmt.Sprint(began(), " run") })
	agent := hashToken(w.tokens["agent"])[:12]
	w.fill(agent, 1001, approval.Approved)
	w.fill(agent, 640, approval.Pending)
	before := w.commits()
	end()
	for _, id := range all {
		eventually(t, func() (bool, string) {
			x, err := w.g.execution(t.Context(), id)
			return err == nil && x.Status == "failed" && x.Stopped != "" && x.Completed > 0 && strings.Contains(x.Result.Stderr, "stopped by "+x.Stopped+", because "+why), fmt.Sprintf("%+v %v", x, err)
		})
	}
	eventually(t, func() (bool, string) {
		list, err := w.s.List(t.Context(), approval.Filter{Agent: agent, States: []approval.State{approval.Pending}})
		return err == nil && len(list) == 0, fmt.Sprint(len(list), " wait, ", err)
	})
	if n := w.commits() - before; n >= 640 {
		t.Errorf("640 questions ended in %d commits", n)
	}
	if n := began(); n != maxRunning {
		t.Errorf("%d began, of which %d after their agent was revoked", n, n-maxRunning)
	}
}

// fill stores n requests of an agent for the network.
func (w *world) fill(agent string, n int, state approval.State) {
	w.t.Helper()
	now, plan := time.Now(), &NetworkPlan{Method: "CONNECT", Host: "a.example", Port: "443"}
	_, err := approval.Together(make([]int, n), func(int) (bool, error) {
		_, _, err := w.s.Submit(w.t.Context(), approval.Request{ID: approval.NewID(now), Agent: agent, Category: approval.Network, Action: "CONNECT a.example:443", Digest: digestOf(plan), State: state,
			Created: now, Expires: now.Add(time.Hour), Metadata: encode(storedMetadata{encodePlan(plan), false})})
		return true, err
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// commits counts the transactions that wrote events.
func (w *world) commits() (n int) {
	w.t.Helper()
	if err := w.database().QueryRowContext(w.t.Context(), "SELECT count(*) FROM checkpoint").Scan(&n); err != nil {
		w.t.Fatal(err)
	}
	return n
}

// What a person stopped while it waited for its turn does not begin, not even for a moment.
func TestStoppedDoesNotBegin(t *testing.T) {
	w := newWorld(t, "", func(o *Options) { o.AuditDir = "" })
	for i := range 20 {
		ran := filepath.Join(w.g.root, fmt.Sprint("ran", i))
		_, req := w.call("agent", "POST", "/api/exec", map[string]any{"command": "touch " + ran})
		id := req["id"].(string)
		w.g.takeInHand(id) // before the gateway's own loop has it
		if ok, err := w.g.claim(t.Context(), id); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if _, out := w.call("approver", "POST", "/api/queue/"+id+"/approve", nil); out["ok"] != true {
			t.Fatal(out)
		}
		if status, out := w.call("approver", "POST", "/api/queue/"+id+"/stop", nil); status != http.StatusOK {
			t.Fatal(status, out)
		}
		r, err := w.s.Get(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		w.g.carryOut(t.Context(), r, false)
		if _, err := os.Stat(ran); err == nil {
			t.Fatalf("command %d began", i)
		}
		if out := w.until("exec", id, "failed"); !strings.Contains(out["result"].(map[string]any)["stderr"].(string), "stopped by ann") {
			t.Errorf("%v", out)
		}
	}
}

// What another gateway ended as unknown stays so.
func TestFinalStatesAreFinal(t *testing.T) {
	w := newWorld(t, "")
	id := w.ask("network", "GET https://x.test/", nil)["id"].(string)
	r, err := w.s.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	x := Execution{Status: "unknown", Node: w.g.node, Started: 1, Completed: 2}
	err = w.s.Transact(t.Context(), func(tx *store.Tx) error { return putExecution(tx, r.ID, x) })
	if err != nil {
		t.Fatal(err)
	}
	w.g.finish(t.Context(), r, "completed", host.CommandResult{Stdout: "late"})
	if x, err := w.g.execution(t.Context(), r.ID); err != nil || x.Status != "unknown" {
		t.Errorf("it is %v %v", x, err)
	}
}

// Nothing runs that cannot be recorded.
func TestNothingRunsUnrecorded(t *testing.T) {
	w := newWorld(t, "")
	w.call("viewer", "GET", "/api/queue", nil)
	w.g.journal.mu.Lock()
	w.g.journal.dir, w.g.journal.log = filepath.Join(w.g.root, "file", "audit"), nil // below a file there is no folder
	w.g.journal.mu.Unlock()
	if err := os.WriteFile(filepath.Join(w.g.root, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	id := w.approved("touch ran")
	out := w.until("exec", id, "failed")
	if _, err := os.Lstat(filepath.Join(w.g.root, "ran")); err == nil || !strings.Contains(fmt.Sprint(out["result"]), "record") {
		t.Errorf("it ran: %v", out)
	}
}

// Two package managers never run in one project at a time.
func TestInstallsRunOneByOne(t *testing.T) {
	w := newWorld(t, "")
	leave, err := w.g.installs.enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, req := w.call("agent", "POST", "/api/packages", map[string]any{"manager": "npm", "packages": []string{"x"}})
	id := req["id"].(string)
	w.call("approver", "POST", "/api/queue/"+id+"/approve", nil)
	eventually(t, func() (bool, string) {
		x, err := w.g.execution(t.Context(), id)
		return err == nil && x.Status == "running", fmt.Sprint(x, err)
	})
	if w.g.live.get(id) != nil {
		t.Error("it runs beside another")
	}
	w.call("approver", "POST", "/api/queue/"+id+"/stop", nil) // and is stopped while it waits
	w.until("packages", id, "failed")
	leave()
}

// One agent's flood keeps no other out, and ends no other's question.
func TestFair(t *testing.T) {
	w := newWorld(t, "", func(o *Options) { o.Waiting = 20 })
	full := 0
	for i := range 30 {
		status, out := w.call("agent", "POST", "/api/exec", map[string]any{"command": fmt.Sprint("make ", i)})
		if status == http.StatusTooManyRequests && strings.Contains(out["error"].(string), "wait") {
			full++
		}
	}
	if full != 10 {
		t.Errorf("%d were too many", full)
	}
	status, req := w.call("other", "POST", "/api/exec", map[string]any{"command": "make other"})
	if status != http.StatusCreated {
		t.Fatalf("%d %v", status, req)
	}
	_, queue := w.call("viewer", "GET", "/api/queue?limit=2", nil)
	data, _ := json.Marshal(queue["pending"])
	var list []struct{ ID string }
	if err := json.Unmarshal(data, &list); err != nil || len(list) != 2 || list[1].ID != req["id"] {
		t.Errorf("%v %s", err, data)
	}
	ids := map[string]bool{}
	for skip := 0.0; ; {
		_, page := w.call("viewer", "GET", fmt.Sprintf("/api/queue?limit=4&skip=%v", skip), nil)
		for _, r := range page["pending"].([]any) {
			ids[r.(map[string]any)["id"].(string)] = true
		}
		next, more := page["next"].(float64)
		if skip = next; !more {
			break
		}
	}
	if len(ids) != 21 {
		t.Errorf("the pages have %d requests", len(ids))
	}
	if status, out := w.call("viewer", "GET", "/api/queue?limit=1001", nil); status != http.StatusBadRequest {
		t.Errorf("a page without end: %d %v", status, out)
	}
	counts, _ := json.Marshal(queue["waiting"])
	if !strings.Contains(string(counts), ":20") || !strings.Contains(string(counts), ":1") {
		t.Errorf("%s", counts)
	}
	w = newWorld(t, "")
	change := map[string]any{"changes": []map[string]any{{"op": "write", "path": "a.txt", "content": "x"}}}
	_, first := w.call("agent", "POST", "/api/files", change)
	_, _ = w.call("other", "POST", "/api/files", change)
	if _, out := w.call("viewer", "GET", "/api/queue/"+first["id"].(string), nil); out["status"] != "pending" {
		t.Errorf("another agent ended it: %v", out["status"])
	}
	if _, third := w.call("agent", "POST", "/api/files", change); third["status"] != "pending" {
		t.Errorf("%v", third)
	}
	if _, out := w.call("viewer", "GET", "/api/queue/"+first["id"].(string), nil); out["status"] != "superseded" {
		t.Errorf("its own agent did not end it: %v", out["status"])
	}
}
