package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/egress"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/store"
	"github.com/umpire-dev/umpire/internal/store/storetest"
)

// each makes an attempt while the nth call to the database fails, and those after it as rest says,
// with n = 1, 2, 3 and so on until the attempt ends before a call failed. Then it does so while the JSON of
// the nth row that is read is cut.
func each(t *testing.T, f *storetest.Faults, attempt func(n int) (at string)) {
	t.Helper()
	defer func() { f.Damage = false }()
	for _, f.Rest = range []int{0, 8, -1} {
		if f.Damage = f.Rest < 0; f.Damage {
			f.Rest = 0
		}
		for n := 1; attempt(n) != ""; n++ {
			if n == 500 {
				t.Fatal("it does not succeed")
			}
		}
		if t.Failed() {
			return
		}
	}
}

// A gateway that cannot read its database does not start, says so, and is started later.
func TestEveryStartOverAFaultyDatabase(t *testing.T) {
	w, f := faulty(t, "")
	w.settle("rules.deny", []string{"exec(make a)"})
	if _, err := w.g.AddRule(t.Context(), Rule{Effect: "deny", Text: "exec(make deploy)", By: "ada"}); err != nil {
		t.Fatal(err)
	}
	want := len(w.g.book.Load().rules)
	w.g.Stop("the test begins") // it would read meanwhile
	w.stopped()
	each(t, f, func(n int) string {
		o := Options{Store: w.s, Root: w.g.root, Layers: policyfile.Paths{User: w.policy}, Log: slog.New(slog.DiscardHandler)}
		f.Arm(n)
		g, err := New(t.Context(), o)
		at := f.What()
		f.Arm(0)
		switch {
		case err == nil:
			if err := g.Close(t.Context(), false); err != nil {
				t.Error(err)
			}
			if rules := g.book.Load().rules; len(rules) != want || at != "" {
				t.Errorf("call %d (%s): it starts with %d rules", n, at, len(rules))
			}
		case at == "" || !f.Damage && !errors.Is(err, storetest.ErrFault) && !errors.Is(err, approval.ErrUnavailable):
			t.Errorf("call %d (%s): %v", n, at, err)
		}
		return at
	})
}

// A call of a tool of MCP over a failing database lets nothing happen: the client is told of a
// failure or of a denial.
func TestEveryToolOverAFaultyDatabase(t *testing.T) {
	var skew atomic.Int64 // sessions are begun often
	w, f := faulty(t, "rules:\n  - deny: network(*.bad.example)\n", func(o *Options) { o.Now = func() time.Time { return time.Now().Add(time.Duration(skew.Load())) } })
	for _, c := range []struct {
		tool string
		args map[string]any
		good string
	}{
		{"check", map[string]any{"category": "exec", "action": "make x"}, `"effect":"ask"`},
		{"request_network", map[string]any{"url": "https://x.bad.example/"}, `"status":"denied"`},
		{"request_permission", map[string]any{"category": "network", "action": "CONNECT x.bad.example:443"}, `"status":"denied"`},
		{"permission", map[string]any{"tool_name": "Bash", "input": map[string]any{"command": "rm -rf ~"}, "tool_use_id": "t0"}, `"behavior":"deny"`},
	} {
		t.Run(c.tool, func(t *testing.T) {
			each(t, f, func(n int) string {
				skew.Add(int64(time.Second))
				s, _ := w.mcp("agent") // a client that fails may give its session up
				w.g.known.Store(nil)
				f.Arm(n)
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				got := <-use(ctx, s, c.tool, c.args)
				cancel()
				at := f.What()
				f.Arm(0)
				_ = s.Close() // it may be gone
				failed := got.err != nil || got.failed || strings.Contains(got.text, `"behavior":"deny"`)
				if at == "" && !strings.Contains(got.text, c.good) || at != "" && !failed && !strings.Contains(got.text, c.good) || strings.Contains(got.text, storetest.ErrFault.Error()) {
					t.Errorf("call %d (%s): %+v", n, at, got)
				}
				return at
			})
		})
	}
}

// The proxy lets nothing out that nobody approved while the database fails.
func TestEveryTargetOverAFaultyDatabase(t *testing.T) {
	w, f := faulty(t, "")
	k := &gate{g: w.g, hold: time.Minute, held: map[string]*question{}}
	hosts := 0 // an approval that a fault kept from its asker is valid for the next one who asks the same
	for _, verb := range []string{"deny", "approve"} {
		each(t, f, func(n int) string {
			hosts++
			w.g.known.Store(nil)
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			done := make(chan egress.Decision, 1)
			f.Arm(n)
			go func() {
				var v egress.Decision
				c, err := k.Identify(ctx, "s", w.tokens["agent"])
				if err == nil {
					v, err = k.Judge(ctx, c, egress.Target{Method: http.MethodConnect, Host: fmt.Sprintf("h%d-%s.example", hosts, verb), Port: "443"})
				}
				if v.Allowed && err != nil {
					t.Errorf("allowed, with %v", err)
				}
				done <- v
			}()
			var v egress.Decision
			approved := false
			var answers []int
			for waiting := true; waiting; {
				changed, stop := w.s.Changed("")
				list, err := w.s.List(ctx, approval.Filter{States: []approval.State{approval.Pending}})
				if err == nil && len(list) > 0 {
					status, _ := w.hear("approver", http.MethodPost, "/api/queue/"+list[0].ID+"/"+verb, nil)
					answers = append(answers, status)
					approved = approved || status/100 == 2 && verb == "approve"
				}
				select {
				case v = <-done:
					waiting = false
				case <-changed:
				case <-time.After(50 * time.Millisecond): // a look that failed
				}
				stop()
			}
			at := f.What()
			f.Arm(0)
			if v.Allowed && !approved {
				t.Errorf("call %d (%s): allowed by nobody, whose answers got %v: %+v", n, at, answers, v)
			}
			if at == "" && v.Allowed != (verb == "approve") {
				t.Errorf("without a fault: %+v", v)
			}
			for _, r := range must(w.s.List(t.Context(), approval.Filter{States: []approval.State{approval.Pending}})) {
				w.call("approver", "POST", "/api/queue/"+r.ID+"/deny", nil) // what a failure left open
			}
			return at
		})
	}
}

// A command that was approved runs once and its result is kept, whatever call to the database
// fails on the way; its answer is in the audit log once.
func TestEveryRunOverAFaultyDatabase(t *testing.T) {
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer receiver.Close()
	w, f := faulty(t, "", func(o *Options) { o.Webhooks = []Webhook{{URL: receiver.URL, pause: time.Millisecond}} })
	const runs = 30
	for n := 1; n <= runs; n++ {
		ran := filepath.Join(w.g.root, fmt.Sprint("ran", n))
		_, out := w.call("agent", "POST", "/api/exec", map[string]any{"command": "echo x >>" + ran})
		id := fmt.Sprint(out["id"])
		f.Arm(n)
		if status, _ := w.hear("approver", "POST", "/api/queue/"+id+"/approve", nil); status/100 != 2 {
			f.Arm(0)
			if status, said := w.hear("approver", "POST", "/api/queue/"+id+"/approve", nil); status/100 != 2 {
				t.Fatalf("call %d: %d %s", n, status, said)
			}
		}
		eventually(t, func() (bool, string) {
			_, out := w.call("agent", "GET", "/api/exec/"+id+"?wait=5s", nil)
			return out["status"] == "completed", fmt.Sprintf("call %d: %v", n, out)
		})
		f.Arm(0)
		if text, err := os.ReadFile(ran); err != nil || string(text) != "x\n" {
			t.Errorf("call %d: the command left %q, %v, want one line", n, text, err)
		}
	}
	lines := map[string]int{}
	for _, l := range w.lines(runs) {
		lines[l.Data["request"]]++
	}
	for id, n := range lines {
		if n != 1 {
			t.Errorf("the answer to %s is in the audit log %d times, want once", id, n)
		}
	}
	if len(lines) != runs {
		t.Errorf("%d answers are in the audit log, want %d", len(lines), runs)
	}
	if _, err := w.s.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

// A push over a failing database reaches the remote only once a person has approved it, and its
// sender is not told what ails the database.
func TestEveryPushOverAFaultyDatabase(t *testing.T) {
	f := &storetest.Faults{}
	forge := newForge(t, "", through(t, f))
	forge.s = forge.g.store
	forge.g.holdFor = 100 * time.Millisecond
	before := forge.at("main")
	commit(t, forge.clone, "a", "a\n")
	each(t, f, func(n int) string {
		forge.g.known.Store(nil)
		f.Arm(n)
		end := <-forge.push("HEAD:main")
		at := f.What()
		f.Arm(0)
		if end.err == nil || forge.at("main") != before {
			t.Errorf("call %d (%s): pushed without an answer: %s", n, at, end.out)
		}
		if strings.Contains(end.out, storetest.ErrFault.Error()) {
			t.Errorf("call %d (%s): %s", n, at, end.out)
		}
		return at
	})
}

// An approved change of the configuration is in force exactly if its execution is completed, whatever
// call to the database fails on the way, or has its answer lost.
func TestEveryProposalOverAFaultyDatabase(t *testing.T) {
	w, f := faulty(t, "")
	for n := 1; ; n++ {
		f.After = n%2 == 0
		mode := []string{"allow-all", "deny-all"}[n%2]
		text := fmt.Sprintf("exec(make x%d-%v)", n, f.After)
		body := map[string]any{"path": "categories.git.mode", "value": mode, "reason": "r"}
		if n%3 > 0 { // it replaces the whole list
			body = map[string]any{"path": "rules.deny", "value": []string{text}, "reason": "r"}
		}
		status, out := w.call("agent", "POST", "/api/config/propose", body)
		if status == http.StatusConflict {
			continue // it has that value
		}
		id := fmt.Sprint(out["id"])
		f.Arm(n)
		at := ""
		if status, _ := w.hear("admin", "POST", "/api/queue/"+id+"/approve", nil); status/100 != 2 {
			at = f.What()
			f.Arm(0)
			if status, said := w.hear("admin", "POST", "/api/queue/"+id+"/approve", nil); status/100 != 2 {
				t.Fatalf("call %d: %d %s", n, status, said)
			}
		}
		eventually(t, func() (bool, string) {
			_, out = w.call("agent", "GET", "/api/config/propose/"+id+"?wait=5s", nil)
			return out["completedAt"] != nil || out["status"] == "completed" || out["status"] == "failed" || out["status"] == "conflict", fmt.Sprintf("call %d: %v", n, out)
		})
		at += f.What()
		f.Arm(0)
		w.g.known.Store(nil)
		now := string(must(w.g.settingNow(t.Context(), fmt.Sprint(body["path"]))))
		want := must(newSetting(fmt.Sprint(body["path"]), must(json.Marshal(body["value"]))))
		if (now == string(want.Value)) != (out["status"] == "completed") || strings.Contains(fmt.Sprint(out), storetest.ErrFault.Error()) {
			t.Errorf("after %v, call %d (%s): %v, and the setting is %s", f.After, n, at, out, now)
		}
		if at == "" || n == 300 {
			break
		}
	}
	if _, err := w.s.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

// What people and programs do without REST either does all of it or says that it failed, whatever call to
// the database fails or whatever the database holds in place of a record.
func TestEveryDoorOverAFaultyDatabase(t *testing.T) {
	var skew atomic.Int64
	w, f := faulty(t, "", func(o *Options) { o.Now = func() time.Time { return time.Now().Add(time.Duration(skew.Load())) } })
	ctx, admin := t.Context(), Principal{Kind: Operator, Name: "ada", Role: Admin}
	agent := must(w.g.holder(ctx, w.tokens["agent"]))
	person := Person{Issuer: "https://i.example", Subject: "ada", Role: Admin, Until: time.Now().Add(100 * time.Hour)}
	ask := func(host string) string {
		return must(w.g.Submit(ctx, agent, Submission{Category: approval.Network, Action: "CONNECT " + host + ":443"})).ID
	}
	var o Opened
	var id, code, hash string
	clean := func() {
		for _, r := range must(w.s.Records(ctx, leaseRecord)) { // what runs takes the places of the next
			if err := w.g.StopRequest(ctx, r.ID, admin); err != nil && !errors.As(err, new(fault)) {
				t.Fatal(err)
			}
		}
		if err := w.g.dropSessions(ctx, "", func(session) bool { return true }); err != nil { // each row that is read is a call
			t.Fatal(err)
		}
		for _, r := range must(w.s.List(ctx, approval.Filter{States: []approval.State{approval.Pending}})) {
			w.call("approver", "POST", "/api/queue/"+r.ID+"/deny", nil)
		}
		for _, r := range must(w.s.Records(ctx, tokenRecord)) {
			var tok Token
			if json.Unmarshal(r.Body, &tok) == nil && tok.Name == "short" {
				if err := w.g.revoke(ctx, r.ID[:12], "ada", false); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for _, c := range []struct {
		name   string
		before func()
		do     func(n int) error
		done   func() bool // reports whether the effect is there
	}{
		{"names", func() {}, func(int) error { _, err := w.g.AgentNames(ctx); return err }, nil},
		{"tokens", func() {}, func(int) error { _, err := w.g.Tokens(ctx); return err }, nil},
		{"browsers", func() { w.browser(ann) }, func(int) error { _, err := w.g.Browsers(ctx, admin); return err }, nil},
		{"read again", func() {}, func(int) error { return w.g.Reload(ctx) }, nil},
		{"all rules", func() {}, func(int) error { _, err := w.g.Rules(ctx); return err }, nil},
		{"log in by a link", func() {
			code = must(w.g.NewLogin(ctx, must(w.g.holder(ctx, w.tokens["admin"]))))
			o = Opened{}
		}, func(int) (err error) { o, err = w.g.Login(ctx, code); return err }, func() bool { _, err := w.g.Session(ctx, o.Cookie); return err == nil }},
		{"log in by a provider", func() { o = Opened{} }, func(n int) (err error) {
			o, err = w.g.OpenSession(ctx, person, fmt.Sprint(n, f.Rest, f.Damage))
			return err
		}, func() bool { _, err := w.g.Session(ctx, o.Cookie); return err == nil }},
		{"go on without scripts", func() { o = w.opened(ann) }, func(int) error { return w.g.Unlock(ctx, o.Cookie) }, func() bool { p, err := w.g.Session(ctx, o.Cookie); return err == nil && !p.Keyed() }},
		{"end a browser", func() { o = w.opened(ann) }, func(int) error { return w.g.EndBrowser(ctx, admin, BrowserID(o.Cookie)) }, func() bool { _, err := w.g.Session(ctx, o.Cookie); return err != nil }},
		{"a token that is over", func() {
			secret, tok, err := w.g.NewToken(ctx, Token{Kind: Agent, Name: "short", Expires: time.Now().Add(time.Minute)})
			if err != nil {
				t.Fatal(err)
			}
			code, hash = secret, tok.ID
			skew.Store(int64(time.Hour))
		}, func(int) error {
			p, err := w.g.holder(ctx, code)
			if p.ID == hash {
				t.Error("a token that is over is good")
			}
			if errors.Is(err, errNobody) {
				err = nil
			}
			return err
		}, nil},
		{"what people see", func() { id = ask("see.example") }, func(int) error {
			r, err := w.s.Get(ctx, id)
			if err == nil {
				_, err = w.g.forPeople(ctx, r)
			}
			return err
		}, nil},
		{"what became of it", func() { id = must(w.g.Submit(ctx, agent, Submission{Category: approval.Exec, Action: "true"})).ID }, func(int) error {
			r, err := w.s.Get(ctx, id)
			if err == nil {
				_, err = w.g.Outcome(ctx, &r)
			}
			return err
		}, nil},
		{"stop what runs", func() { id = w.approved("sleep 300") }, func(int) error { return w.g.StopRequest(ctx, id, admin) }, func() bool {
			x, err := w.g.execution(ctx, id)
			return err == nil && x.Stopped == admin.Name
		}},
		{"revoke an agent that runs", func() {
			secret, tok, err := w.g.NewToken(ctx, Token{Kind: Agent, Name: "short"})
			if err != nil {
				t.Fatal(err)
			}
			w.tokens["short"], hash = secret, tok.ID
			id = must(w.g.Submit(ctx, must(w.g.holder(ctx, secret)), Submission{Category: approval.Exec, Action: "sleep 300"})).ID
			if _, err := w.g.Answer(ctx, admin, id, true, Reply{}); err != nil {
				t.Fatal(err)
			}
		}, func(int) error {
			err := w.g.Revoke(ctx, hash, "ada")
			x, unread := w.g.execution(context.WithoutCancel(ctx), id)
			if err == nil && unread == nil && x.Stopped != "ada" {
				t.Errorf("it is revoked and its command goes on: %+v", x)
			}
			return err
		}, nil},
		{"have a rule answer what waits", func() {
			id = ask("many.example")
			if _, err := w.g.RemoveRule(ctx, "deny", "network(many.example)", "ada"); err != nil {
				t.Fatal(err)
			}
		}, func(int) error {
			return w.g.settleByRules(ctx, "deny")
		}, nil},
		{"set a setting back", func() {
			if _, err := w.g.ResetSetting(ctx, "categories.git.mode", "ada"); err != nil {
				t.Fatal(err)
			}
			w.settle("categories.git.mode", "deny-all")
		}, func(int) error {
			_, err := w.g.ResetSetting(ctx, "categories.git.mode", "ada")
			return err
		}, func() bool {
			now, err := w.g.settingNow(ctx, "categories.git.mode")
			return err == nil && string(now) == `"approve-each"`
		}},
		{"end what a dead gateway ran", func() {
			id = "dead"
			err := w.s.Transact(ctx, func(tx *store.Tx) error {
				return errors.Join(putExecution(tx, id, Execution{Status: "running", Node: "dead"}), putLease(tx, id, "dead"))
			})
			if err != nil {
				t.Fatal(err)
			}
		}, func(int) error { w.g.abandon(ctx); return nil }, func() bool {
			w.g.abandon(ctx) // the next look ends what this one could not
			x, err := w.g.execution(ctx, id)
			return err == nil && x.Status == "unknown"
		}},
		{"look at a login", func() { o = w.opened(ann) }, func(int) error { _, err := w.g.Session(ctx, o.Cookie); return err }, nil},
		{"look at a login that is over", func() { o = w.opened(ann) }, func(int) error {
			skew.Store(int64(1000 * time.Hour))
			_, err := w.g.Session(ctx, o.Cookie)
			if err == nil {
				t.Error("a login that is over opens a session")
			}
			if errors.Is(err, ErrNoSession) {
				err = nil
			}
			return err
		}, nil},
		{"hold a webhook", func() {}, func(int) error { _, err := w.g.holdHook(ctx, "h", 7); return err }, nil},
		{"read a webhook's place", func() { must(w.g.holdHook(ctx, "h", must(w.s.Head(ctx)))) }, func(int) error {
			_, err := w.g.tellHook(ctx, Webhook{URL: "http://127.0.0.1:1"}, "h", http.DefaultClient)
			return err
		}, nil},
		{"start to copy the record", func() {}, func(int) error {
			r, err := w.g.newRecorder(ctx)
			if err == nil {
				_, err = r.step(ctx)
			}
			return err
		}, nil},
		{"approve for always", func() { id = ask("always.example") }, func(int) error {
			_, err := w.g.Answer(ctx, admin, id, true, Reply{Scope: approval.Always})
			return err
		}, func() bool {
			r := must(w.s.Get(ctx, id))
			for _, rule := range must(w.g.Rules(ctx)) {
				if strings.Contains(rule.Text, "always.example") {
					if _, err := w.g.RemoveRule(ctx, rule.Effect, rule.Text, "ada"); err != nil {
						t.Fatal(err)
					}
				}
			}
			return r.State == approval.Approved
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			each(t, f, func(n int) string {
				skew.Store(0)
				clean()
				c.before()
				w.g.known.Store(nil)
				f.Arm(n)
				err := c.do(n)
				at := f.What()
				f.Arm(0)
				skew.Store(0)
				w.g.known.Store(nil)
				if at == "" && err != nil {
					t.Errorf("without a fault: %v", err)
				}
				if c.done == nil {
					return at
				}
				var stored storedError
				if done := c.done(); done != (err == nil) && (!done || !errors.As(err, &stored) && c.name != "end a browser") {
					t.Errorf("call %d (%s): %v, and it is done: %v", n, at, err, done)
				}
				return at
			})
		})
	}
}
