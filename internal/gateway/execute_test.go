package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/store"
)

// A command runs exactly when it is approved, by whatever way, and once.
func TestExecution(t *testing.T) {
	w := newWorld(t, "rules:\n  - allow: [exec(echo *), filesystem(count)]\n")
	status, out := w.call("agent", "POST", "/api/exec", map[string]any{"command": "make-nothing; echo $((6*7)); pwd", "reason": "to count"})
	if status != 201 || out["status"] != "pending" {
		t.Fatalf("%d %v", status, out)
	}
	id := out["id"].(string)
	if _, got := w.call("agent", "GET", "/api/exec/"+id, nil); got["status"] != "pending" || got["command"] != "make-nothing; echo $((6*7)); pwd" || got["timeout"] != 300000.0 {
		t.Errorf("%v", got)
	}
	if status, _ := w.call("other", "GET", "/api/exec/"+id, nil); status != 404 {
		t.Errorf("another agent's command: %d", status)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { w.call("approver", "POST", "/api/queue/"+id+"/approve", nil) })
	}
	wg.Wait()
	res := w.until("exec", id, "completed")["result"].(map[string]any)
	if res["stdout"] != "42\n"+w.g.root+"\n" || res["exitCode"] != 0.0 {
		t.Errorf("%v", res)
	}
	// Who waits is told when it is over, and not when it is approved.
	_, slow := w.call("agent", "POST", "/api/exec", map[string]any{"command": "make-nothing; echo done"})
	over := make(chan map[string]any, 1)
	go func() {
		_, got := w.call("agent", "GET", "/api/exec/"+slow["id"].(string)+"?wait=50s", nil)
		over <- got
	}()
	w.call("approver", "POST", "/api/queue/"+slow["id"].(string)+"/approve", nil)
	if got := <-over; got["status"] != "completed" {
		t.Errorf("%v", got)
	}
	if status, _ := w.call("agent", "GET", "/api/exec/"+id+"?wait=soon", nil); status != 400 {
		t.Errorf("a wait that is no duration: %d", status)
	}
	// A rule allows it: it runs without a person, once each time it is asked for.
	for range 3 {
		_, out := w.call("agent", "POST", "/api/exec", map[string]any{"command": "echo x >> count"})
		if res := w.until("exec", out["id"].(string), "completed")["result"].(map[string]any); res["exitCode"] != 0.0 {
			t.Errorf("%v", res)
		}
	}
	if data, err := os.ReadFile(filepath.Join(w.g.root, "count")); err != nil || string(data) != "x\nx\nx\n" {
		t.Errorf("it ran %q times, %v", data, err)
	}
	if _, out := w.call("agent", "POST", "/api/exec", map[string]any{"command": "rm -rf ~"}); out["status"] != "denied" {
		t.Errorf("%v", out)
	}
	if status, _ := w.call("agent", "POST", "/api/exec", map[string]any{"command": ""}); status != 400 {
		t.Errorf("an empty command: %d", status)
	}
}

// What was approved while nothing carried it out is carried out after a restart; what
// was running when the gateway died is not begun again.
func TestExecutionAfterRestart(t *testing.T) {
	w := newWorld(t, "")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	idle, err := New(t.Context(), Options{Store: w.s, Root: w.g.root, Layers: policyfile.Paths{User: w.policy}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = idle.Close(ctx, false) }()
	_, out := w.call("agent", "POST", "/api/exec", map[string]any{"command": "echo again"})
	id := out["id"].(string)
	// Another gateway has claimed it and died.
	idle.node = "dead"
	if claimed, err := idle.claim(t.Context(), id); !claimed || err != nil {
		t.Fatal(claimed, err)
	}
	if _, out := w.call("approver", "POST", "/api/queue/"+id+"/approve", nil); out["ok"] != true {
		t.Fatal(out)
	}
	if again := w.g.abandon(t.Context()); len(again) > 0 {
		t.Errorf("begun again: %v", again)
	}
	if res := w.until("exec", id, "unknown")["result"].(map[string]any); !strings.Contains(res["stderr"].(string), "unknown") || res["exitCode"] != float64(host.ExitUnknown) {
		t.Errorf("%v", res)
	}
}

// The answer to a claim or a takeover was lost, and nothing began. Who claimed it tries again and
// carries it out once. If nobody tries again, the next sweep continues or ends it.
func TestClaimWithoutAnAnswer(t *testing.T) {
	w := newWorld(t, "")
	claimed := func(id string, leased bool) {
		t.Helper()
		err := w.s.Transact(t.Context(), func(tx *store.Tx) error {
			err := putExecution(tx, id, Execution{Status: "running", Node: w.g.node})
			if leased {
				err = errors.Join(err, putLease(tx, id, w.g.node))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	approve := func(id string) {
		t.Helper()
		if status, out := w.approve(id); status != http.StatusOK {
			t.Fatal(status, out)
		}
	}
	command := func() string {
		_, out := w.call("agent", "POST", "/api/exec", map[string]any{"command": "echo x >> " + filepath.Join(w.g.root, "ran")})
		return out["id"].(string)
	}
	again := command()
	claimed(again, false) // without a lease: otherwise the sweep may be here before the next try
	approve(again)
	w.until("exec", again, "completed")
	if got := w.has("ran"); got != "x\n" {
		t.Errorf("it ran and wrote %q, want one line", got)
	}
	left := command()
	claimed(left, true)
	files := w.change(object{"op": "write", "path": "a", "content": "new"})["id"].(string)
	w.g.takeInHand(files)
	approve(files)
	claimed(files, true)
	w.g.inHand.Delete(files)
	w.becomes(left, "unknown")
	w.until("files", files, "completed")
	if got := w.has("ran"); got != "x\n" || w.has("a") != "new" {
		t.Errorf("the commands wrote %q and the change %q", got, w.has("a"))
	}
}

// A gateway that was paused before it began a command, such as by SIGSTOP, does not run it afterwards
// if another gateway ended it meanwhile: its agent may have asked again.
func TestPausedBeforeBegin(t *testing.T) {
	w := newWorld(t, "")
	other := must(New(t.Context(), Options{Store: w.s, Root: w.g.root, Layers: policyfile.Paths{User: w.policy}, Log: slog.New(slog.DiscardHandler)}))
	defer func() { _ = other.Close(t.Context(), false) }()
	over := make(chan struct{}, 1)
	w.g.step = func(at string) {
		switch at {
		case "judged":
			other.abandon(t.Context())
			over <- struct{}{}
		case "begun":
			t.Error("it began, although its agent was told that no one knows what it did")
		}
	}
	_, out := w.call("agent", "POST", "/api/exec", map[string]any{"command": "touch ran"})
	id := out["id"].(string)
	if _, out := w.call("approver", "POST", "/api/queue/"+id+"/approve", nil); out["ok"] != true {
		t.Fatal(out)
	}
	<-over
	w.until("exec", id, "unknown")
	eventually(t, func() (bool, string) { // the end of the gateway also ends the command
		_, busy := w.g.inHand.Load(id)
		return !busy, "the paused gateway does not give the command up"
	})
	_ = w.g.Close(t.Context(), false)
	w.stopped()
	if exists(filepath.Join(w.g.root, "ran")) {
		t.Error("it ran")
	}
}

func TestPackages(t *testing.T) {
	registry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"dist-tags":{"latest":"1.3.0"},"description":"pads"}`)
	}))
	defer registry.Close()
	w := newWorld(t, "", func(o *Options) {
		o.Lookup = &host.Registries{Bases: map[string]string{"npm": registry.URL}, Within: time.Minute}
	})
	status, out := w.call("agent", "POST", "/api/packages", map[string]any{"manager": "npm", "packages": []string{"left-pad@1.3.0"}})
	if status != 201 || out["status"] != "pending" || out["action"] != "npm install left-pad@1.3.0" {
		t.Fatalf("%d %v", status, out)
	}
	if _, got := w.call("agent", "GET", "/api/packages/"+out["id"].(string), nil); got["manager"] != "npm" || got["action"] != "install" {
		t.Errorf("%v", got)
	}
	r, err := w.s.Get(t.Context(), out["id"].(string))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(r.Metadata), "left-pad: latest 1.3.0; versions 0; pads") {
		t.Errorf("the person is not told what the registry says: %s", r.Metadata)
	}
	plan, err := StoredPlan(&r)
	if err != nil {
		t.Fatal(err)
	}
	c, err := w.g.hostCommand(plan.(program))
	if err != nil || strings.Join(c.Argv, " ") != "npm install --ignore-scripts --no-audit --no-fund -- left-pad@1.3.0" {
		t.Errorf("%v, %v", c.Argv, err)
	}
	if _, got := w.call("agent", "POST", "/api/packages", map[string]any{"manager": "npm", "packages": []string{"left-pad"}, "scripts": true}); got["status"] != "pending" || !strings.Contains(got["description"].(string), "may run their own scripts") || got["digest"] == out["digest"] {
		t.Errorf("%v", got)
	}
	if status, got := w.call("agent", "POST", "/api/packages", map[string]any{"manager": "npm", "packages": []string{"evil/repository"}}); status != 400 {
		t.Errorf("%d %v", status, got)
	}
	r.Metadata = json.RawMessage(strings.Replace(string(r.Metadata), "left-pad", "evil-pad", 2))
	if _, err := StoredPlan(&r); err == nil {
		t.Error("what is kept was changed, and runs")
	}
}
