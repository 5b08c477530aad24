package gateway

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/internal/policyfile"
)

// clock is a clock that a test sets forward.
type clock struct{ ahead atomic.Int64 }

func (c *clock) now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

func (w *world) write(text string) {
	w.t.Helper()
	if err := atomicfile.Write(w.policy, []byte("version: 1\n"+text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) effect(category, action string) any {
	w.t.Helper()
	_, out := w.call("viewer", "POST", "/api/check", map[string]any{"category": category, "action": action})
	return out["effect"]
}

// A rule with an end ends when it says so, for every door and whatever else is wrong.
func TestRuleEnds(t *testing.T) {
	for _, broken := range []bool{false, true} {
		var c clock
		w := newWorld(t, "modes: {filesystem: allow-all}\n", func(o *Options) { o.Now = c.now })
		p := &gate{g: w.g, hold: time.Minute, held: map[string]*question{}}
		proxied := func() string {
			return p.decide(NetworkPlan{Method: "GET", Scheme: "http", Host: "h.test", Port: "80", Path: "/"}, Principal{Kind: Agent, ID: "x"}, "").d.Effect.String()
		}
		for _, r := range []map[string]any{
			{"type": "allow", "rule": "network(h.test)", "expiresIn": 60_000}, {"type": "deny", "rule": "filesystem(x)", "expiresIn": 120_000},
			{"type": "allow", "rule": "network(g.test)", "expiresIn": 180_000},
		} {
			if status, out := w.call("admin", "POST", "/api/rules", r); status != 200 {
				t.Fatal(out)
			}
		}
		if broken { // what has an end ends all the same
			w.write("ruls: []\n")
		}
		for i, step := range []struct {
			pass           time.Duration
			host, file, up string
		}{{0, "allow", "deny", "allow"}, {61 * time.Second, "ask", "deny", "allow"}, {60 * time.Second, "ask", "allow", "allow"}, {60 * time.Second, "ask", "allow", "ask"}} {
			c.ahead.Add(int64(step.pass))
			_, fs := w.call("viewer", "POST", "/api/check", map[string]any{"category": "filesystem", "action": "write x", "metadata": map[string]any{"toolName": "Write", "targetFile": "x", "writeContent": "y"}})
			got := []any{w.effect("network", "GET http://h.test/"), proxied(), fs["effect"], w.effect("network", "GET http://g.test/")}
			for j, want := range []string{step.host, step.host, step.file, step.up} {
				if got[j] != want {
					t.Errorf("broken %v, step %d: %d is %v, want %s", broken, i, j, got[j], want)
				}
			}
		}
	}
}

// A rule that ended, or has an end, can be stored again: the newest word counts.
func TestRuleIsStoredAgain(t *testing.T) {
	var c clock
	w := newWorld(t, "", func(o *Options) { o.Now = c.now })
	for i, step := range []struct {
		in    map[string]any
		pass  time.Duration
		added bool
		want  string
	}{
		{map[string]any{"expiresIn": 60_000}, 0, true, "allow"},
		{nil, 61 * time.Second, false, "ask"},
		{map[string]any{"expiresIn": 60_000}, 0, true, "allow"},
		{map[string]any{}, 0, true, "allow"},
		{map[string]any{}, 61 * time.Second, false, "allow"},
	} {
		if step.in != nil {
			step.in["type"], step.in["rule"] = "allow", "network(h.test)"
			if status, out := w.call("admin", "POST", "/api/rules", step.in); status != 200 || out["added"] != step.added {
				t.Errorf("step %d: %d %v", i, status, out)
			}
		}
		c.ahead.Add(int64(step.pass))
		if got := w.effect("network", "GET http://h.test/"); got != step.want {
			t.Errorf("step %d: %v, want %s", i, got, step.want)
		}
	}
}

// A changed policy file counts with the very next question, and a broken one keeps no stored
// rule from counting.
func TestFileCountsAtOnce(t *testing.T) {
	var dir string
	w := newWorld(t, "", func(o *Options) {
		dir = filepath.Join(t.TempDir(), "policy.d")
		o.Layers.ManagedDir = dir
	})
	managed := filepath.Join(dir, "a.yaml")
	if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(managed, []byte("version: 1\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	check := func(what, want string) {
		t.Helper()
		if got := w.effect("network", "GET http://h.test/"); got != want {
			t.Errorf("%s: %v, want %s", what, got, want)
		}
	}
	for range 3 {
		check("at first", "ask")
		w.write("rules:\n  - deny: network(h.test)\n")
		check("a rule in the user's file", "deny")
		w.write("rules:\n  - allow: network(h.test)\n")
		check("another one", "allow")
		// The folder is as it was: only the file in it changes.
		if err := os.WriteFile(managed, []byte("version: 1\nrules:\n  - deny: network(h.test)\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		check("a rule in a file of the folder", "deny")
		if err := os.WriteFile(managed, []byte("version: 1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		check("that is gone", "allow")
		w.write("rul: 1\n")
		check("a fault", "allow")
		if status, out := w.call("admin", "POST", "/api/rules", map[string]any{"type": "deny", "rule": "network(h.test)"}); status != 200 {
			t.Errorf("beside a fault no rule can be stored: %v", out)
		}
		check("a stored rule beside the fault", "deny")
		w.call("admin", "DELETE", "/api/rules", map[string]any{"type": "deny", "rule": "network(h.test)"})
		check("it is removed beside the fault", "allow")
		w.write("")
	}
}

// What forbids a request since it was asked counts when it is approved, by whatever way.
func TestForbiddenMeanwhile(t *testing.T) {
	for name, forbid := range map[string]func(w *world){
		"a stored rule": func(w *world) {
			w.call("admin", "POST", "/api/rules", map[string]any{"type": "deny", "rule": "network(h.test)"})
		},
		"a rule of the file": func(w *world) { w.write("rules:\n  - deny: network(h.test)\n") },
		"a mode":             func(w *world) { w.write("modes: {network: deny-all}\n") },
	} {
		for how, body := range map[string]map[string]any{
			"once": nil, "for the session": {"scope": "session"}, "always": {"alwaysAllow": true}, "in bulk": {"category": "network", "status": "approved"},
		} {
			t.Run(name+", approved "+how, func(t *testing.T) {
				w := newWorld(t, "")
				_, out := w.call("agent", "POST", "/api/queue", map[string]any{"category": "network", "action": "GET http://h.test/", "session": "s"})
				id := out["id"].(string)
				forbid(w)
				if how == "in bulk" {
					if status, out := w.call("admin", "POST", "/api/queue/bulk", body); status != 200 || out["count"] != 0.0 {
						t.Errorf("%d %v", status, out)
					}
				} else if status, out := w.call("admin", "POST", "/api/queue/"+id+"/approve", body); status != 409 || out["ok"] != false || !strings.Contains(out["error"].(string), "denied by now") {
					t.Errorf("%d %v", status, out)
				}
				r, err := w.s.Get(t.Context(), id)
				if err != nil || r.State != approval.Denied || r.ResolvedBy != approval.ByAuto || r.Note == "" {
					t.Errorf("%+v, %v", r, err)
				}
				if rules, err := w.g.Rules(t.Context()); err != nil || len(rules) > 1 || len(rules) == 1 && rules[0].Effect != "deny" {
					t.Errorf("the answer made a rule: %+v, %v", rules, err)
				}
			})
		}
	}
}

// What was approved is judged again before it is carried out. A rule that approved it must
// still allow it; a person's approval outweighs what would be asked.
func TestForbiddenBeforeExecution(t *testing.T) {
	for name, tt := range map[string]struct {
		policy string
		before func(w *world, c *clock)
		person bool
		ran    bool
	}{
		"approved by a person":                  {"", nil, true, true},
		"and denied since":                      {"", func(w *world, _ *clock) { w.write("rules:\n  - deny: exec(touch *)\n") }, true, false},
		"allowed by a rule":                     {"rules:\n  - allow: [exec(touch *), filesystem(ran)]\n", nil, false, true},
		"by a rule that is gone":                {"rules:\n  - allow: [exec(touch *), filesystem(ran)]\n", func(w *world, _ *clock) { w.write("") }, false, false},
		"by a stored rule":                      {"stored", nil, false, true},
		"by a stored rule that ended":           {"stored", func(_ *world, c *clock) { c.ahead.Add(int64(time.Hour)) }, false, false},
		"by a person, and a rule asks by now":   {"", func(w *world, _ *clock) { w.write("rules:\n  - ask: exec(touch *)\n") }, true, true},
		"by a person, and the policy is broken": {"", func(w *world, _ *clock) { w.write("ruls: 1\n") }, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			var c clock
			w := newWorld(t, "")
			// A gateway that does not carry anything out yet.
			g, err := New(t.Context(), Options{Store: w.s, Root: w.g.root, Layers: policyfile.Paths{User: w.policy}, Log: slog.New(slog.DiscardHandler), Now: c.now})
			if err != nil {
				t.Fatal(err)
			}
			w.g.Stop("the test's own goes on")
			w.stopped()
			if tt.policy == "stored" {
				for _, text := range []string{"exec(touch ran)", "filesystem(ran)"} {
					if _, err := g.AddRule(t.Context(), Rule{Effect: "allow", Text: text, By: "ada", Expires: c.now().Add(time.Minute)}); err != nil {
						t.Fatal(err)
					}
				}
			} else {
				w.write(tt.policy)
			}
			in := execIn{commandIn: commandIn{Command: "touch ran"}}
			s, err := in.submission()
			if err != nil {
				t.Fatal(err)
			}
			r, err := g.Submit(t.Context(), Principal{Kind: Agent, ID: "a", Name: "a"}, s)
			if err == nil && tt.person {
				_, err = g.Answer(t.Context(), Principal{Kind: Operator, Name: "ada", Role: Admin}, r.ID, true, Reply{})
			}
			if err == nil {
				r, err = w.s.Get(t.Context(), r.ID)
			}
			if err != nil || r.State != approval.Approved {
				t.Fatalf("%+v, %v", r, err)
			}
			if tt.before != nil {
				tt.before(w, &c)
			}
			ctx, cancel := context.WithCancel(t.Context())
			var all sync.WaitGroup
			all.Go(func() { g.Execute(ctx) })
			x, err := g.waitExecution(ctx, r.ID)
			cancel()
			all.Wait()
			if err != nil {
				t.Fatal(err)
			}
			_, missing := os.Stat(filepath.Join(g.root, "ran"))
			if ran := missing == nil; ran != tt.ran || (x.Status == "completed") != tt.ran || !tt.ran && x.Result.Stderr == "" {
				t.Errorf("it ran: %v; %+v", ran, x)
			}
		})
	}
}
