package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/egress"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/secret"
	"github.com/umpire-dev/umpire/internal/store"
	"github.com/umpire-dev/umpire/internal/store/storetest"
)

// A stored rule or setting that is JSON and makes no sense is an error for whoever reads the rules
// again, and a gateway does not start with it. A gateway that runs keeps its last policy.
func TestEveryStoredRuleThatMakesNoSense(t *testing.T) {
	w := newWorld(t, "rules:\n  - deny: exec(zap)\n")
	ctx := t.Context()
	if _, err := w.g.AddRule(ctx, Rule{Effect: "deny", Text: "exec(make deploy)", By: "ada"}); err != nil {
		t.Fatal(err)
	}
	put := func(kind, body string) {
		t.Helper()
		var raw json.RawMessage
		if body != "" {
			raw = json.RawMessage(body)
		}
		if err := w.s.Transact(ctx, func(tx *store.Tx) error { return tx.Put(kind, "broken", raw) }); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ kind, body string }{
		{ruleRecord, `{}`},
		{ruleRecord, `["x"]`},
		{ruleRecord, `{"id":"broken","type":"deny","rule":"exec("}`},
		{ruleRecord, `{"id":"broken","type":"perhaps","rule":"exec(a)"}`},
		{ruleRecord, `{"id":"broken","type":"allow","rule":"exec(","session":"s","agent":"a"}`},
		{settingRecord, `{}`},
		{settingRecord, `["x"]`},
		{settingRecord, `{"path":"rules.deny","value":["exec("]}`},
		{settingRecord, `{"path":"categories.git.mode","value":"perhaps"}`},
		{settingRecord, `{"path":"categories.exec.mode","value":"allow-all"}`},
	} {
		put(c.kind, c.body)
		if err := w.g.Reload(ctx); err == nil {
			t.Errorf("%s %s: the rules are read again without an error", c.kind, c.body)
		}
		for _, command := range []string{"zap", "make deploy"} {
			if got := w.effect("exec", command); got != "deny" {
				t.Errorf("%s %s: %s gets %v, want deny as before", c.kind, c.body, command, got)
			}
		}
		g, err := New(ctx, Options{Store: w.s, Root: w.g.root, Layers: policyfile.Paths{User: w.policy}, Log: slog.New(slog.DiscardHandler)})
		if err == nil {
			t.Errorf("%s %s: a gateway starts without its rules", c.kind, c.body)
			_ = g.Close(ctx, false)
		}
		put(c.kind, "")
		if err := w.g.Reload(ctx); err != nil {
			t.Errorf("%s %s: after its removal: %v, want no error", c.kind, c.body, err)
		}
	}
}

// A login session that makes no sense opens nothing, and the claim of a dead gateway that makes no
// sense takes no other command with it.
func TestEveryClaimThatMakesNoSense(t *testing.T) {
	w := newWorld(t, "")
	ctx := t.Context()
	cookie := w.browser(ann)
	if _, err := w.g.Session(ctx, cookie); err != nil {
		t.Fatal(err)
	}
	db := w.open()
	for _, body := range []string{`["x"]`, `{"name":7}`} {
		if _, err := db.ExecContext(ctx, "update record set body = ? where kind = ?", body, sessionRecord); err != nil {
			t.Fatal(err)
		}
		if p, err := w.g.Session(ctx, cookie); err == nil || p.Name != "" {
			t.Errorf("session %s: it is opened for %q, want an error", body, p.Name)
		}
	}
	err := w.s.Transact(ctx, func(tx *store.Tx) error {
		return errors.Join(tx.Put(leaseRecord, "a-broken", json.RawMessage(`["x"]`)), tx.Put(leaseRecord, "b-nothing", json.RawMessage(`{"node":"dead"}`)),
			putExecution(tx, "c-dead", Execution{Status: "running", Node: "dead"}), tx.Put(leaseRecord, "c-dead", json.RawMessage(`{"node":"dead"}`)),
			putExecution(tx, "d-over", Execution{Status: "completed", Node: "dead"}), tx.Put(leaseRecord, "d-over", json.RawMessage(`{"node":"dead"}`)))
	})
	if err != nil {
		t.Fatal(err)
	}
	w.g.abandon(ctx)
	var left []string
	for _, r := range must(w.s.Records(ctx, leaseRecord)) {
		left = append(left, r.ID)
	}
	if strings.Join(left, " ") != "a-broken" {
		t.Errorf("the claims %q are left, want only the one that cannot be read", left)
	}
	for id, want := range map[string]string{"c-dead": "unknown", "d-over": "completed"} {
		if x, err := w.g.execution(ctx, id); err != nil || x.Status != want {
			t.Errorf("%s: %+v, %v, want %s", id, x, err, want)
		}
	}
}

// An approved proposal changes nothing once the setting is not what people saw, its value does not
// hold any more, or another gateway carries it out.
func TestEveryProposalThatFitsNoMore(t *testing.T) {
	w := newWorld(t, "")
	ctx := t.Context()
	w.settle("rules.deny", []string{"exec(make a)"})
	mine := Execution{Status: "running", Node: w.g.node}
	seen := func(path string) json.RawMessage { return must(w.g.settingNow(ctx, path)) }
	const mode = "categories.git.mode"
	for _, c := range []struct {
		name string
		x    Execution
		e    SettingPlan
		want error // any other error if nil
	}{
		{"no setting", mine, SettingPlan{"nope", json.RawMessage(`1`), json.RawMessage(`1`)}, nil},
		{"no mode", mine, SettingPlan{mode, json.RawMessage(`"perhaps"`), seen(mode)}, nil},
		{"another spelling", mine, SettingPlan{mode, json.RawMessage(` "deny-all"`), seen(mode)}, errStale},
		{"another mode", mine, SettingPlan{mode, json.RawMessage(`"deny-all"`), json.RawMessage(`"allow-all"`)}, errStale},
		{"another mode, not looked at", mine, SettingPlan{mode, json.RawMessage(`"deny-all"`), nil}, errStale},
		{"another list", mine, SettingPlan{"rules.deny", json.RawMessage(`["exec(make b)"]`), json.RawMessage(`["exec(make z)"]`)}, errStale},
		{"another gateway's", Execution{Status: "running", Node: "other"}, SettingPlan{mode, json.RawMessage(`"deny-all"`), seen(mode)}, errUnchanged},
		{"applied before", Execution{Status: "running", Node: w.g.node, Applied: true}, SettingPlan{mode, json.RawMessage(`"deny-all"`), seen(mode)}, errUnchanged},
		{"completed before", Execution{Status: "completed", Node: w.g.node, Completed: 1}, SettingPlan{mode, json.RawMessage(`"deny-all"`), seen(mode)}, errUnchanged},
	} {
		r := &approval.Request{ID: c.name, Operator: "ada"}
		if err := w.s.Transact(ctx, func(tx *store.Tx) error { return putExecution(tx, r.ID, c.x) }); err != nil {
			t.Fatal(err)
		}
		before := string(seen(mode)) + string(seen("rules.deny"))
		err := w.g.changeSetting(ctx, r, &c.e)
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if now := string(seen(mode)) + string(seen("rules.deny")); now != before {
			t.Errorf("%s: the settings are %s, want %s", c.name, now, before)
		}
	}
	w.g.Stop("the test begins the transaction itself")
	w.stopped()
	for _, text := range []string{`["exec(make z)"]`, `["exec(make a)","exec(make z)"]`} { // a rule that people saw was revoked in the meantime
		e := SettingPlan{"rules.deny", json.RawMessage(`[]`), json.RawMessage(text)}
		err := w.s.Transact(ctx, func(tx *store.Tx) error {
			return errors.Join(putExecution(tx, "revoked", mine), w.g.putSetting(tx, &approval.Request{ID: "revoked"}, &e, nil))
		})
		if !errors.Is(err, errStale) {
			t.Errorf("with %s: %v, want %v", text, err, errStale)
		}
	}
}

// Without an audit log, the proxy lets out nothing that rules allow. It stops what it would stop
// anyway, and the gateway's own log says what the audit log lacks.
func TestEveryDecisionWithoutAnAuditLog(t *testing.T) {
	var log logBuffer
	w := newWorld(t, "rules:\n  - allow: network(good.example)\n  - deny: network(bad.example)\n", func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	k := &gate{g: w.g, hold: time.Minute, held: map[string]*question{}}
	ctx := t.Context()
	c, err := k.Identify(ctx, "s", w.tokens["agent"])
	if err != nil {
		t.Fatal(err)
	}
	target := func(host string) egress.Target {
		return egress.Target{Method: http.MethodGet, Scheme: "http", Host: host, Port: "80", Path: "/"}
	}
	good, bad := target("good.example"), target("bad.example")
	if v, err := k.Judge(ctx, c, good); err != nil || !v.Allowed {
		t.Fatalf("with an audit log: %+v, %v, want it allowed", v, err)
	}
	if err := os.RemoveAll(w.g.audit); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(w.g.audit, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, d := range []struct {
		name string
		do   func()
		says []string
	}{
		{"an allowed request", func() {
			if v, err := k.Judge(ctx, c, good); err == nil || v.Allowed {
				t.Errorf("an allowed request goes out without a record: %+v, %v", v, err)
			}
		}, []string{"cannot write the audit log"}},
		{"a denied request", func() {
			if v, err := k.Judge(ctx, c, bad); err != nil || v.Allowed || v.Why == "" {
				t.Errorf("a denied request: %+v, %v, want a denial with a reason", v, err)
			}
		}, []string{"cannot write the audit log"}},
		{"a finding", func() { (&bodies{g: w.g}).note(c, &good, ruleInjection, "orders") }, []string{"cannot mark a session as tainted", "cannot write the audit log"}},
		{"a misuse", func() { w.g.recordMisuse(c, &good, &secret.MisuseError{Name: "key", Why: "another host"}) }, []string{"cannot write the audit log"}},
	} {
		before := len(log.String())
		d.do()
		for _, says := range d.says {
			if said := log.String()[before:]; !strings.Contains(said, says) {
				t.Errorf("%s: the log says %q, want %q", d.name, said, says)
			}
		}
	}
}

// A program that listens by a WebSocket hears of each request that is stored, or loses its
// connection: it never stays connected and ignorant while the database fails.
func TestEveryWebSocketOverAFaultyDatabase(t *testing.T) {
	w, f := faulty(t, "")
	agent := must(w.g.holder(t.Context(), w.tokens["agent"]))
	const rule = "exec(make x)"
	each(t, f, func(n int) string {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		w.g.known.Store(nil)
		f.Arm(n)
		var heard []string
		c, res, err := websocket.Dial(ctx, w.url+"/ws", &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + w.tokens["viewer"]}}})
		if res != nil && res.Body != nil {
			_ = res.Body.Close()
		}
		next := func(kind string) bool {
			for {
				_, data, err := c.Read(ctx)
				heard = append(heard, string(data))
				if err != nil || strings.Contains(string(data), `"type":"`+kind+`"`) {
					return err == nil
				}
			}
		}
		told := false
		if err == nil {
			if next("init") {
				if _, err = w.g.Submit(ctx, agent, Submission{Category: approval.Network, Action: "CONNECT h.example:443"}); err == nil {
					told = next("request")
				}
				if _, err := w.g.AddRule(ctx, Rule{Effect: "deny", Text: rule, By: "ada"}); told && err == nil {
					told = next("rules")
				}
			}
			_ = c.CloseNow()
		}
		at := f.What()
		f.Arm(0)
		if ctx.Err() != nil || at == "" && !told || strings.Contains(strings.Join(heard, "\n"), storetest.ErrFault.Error()) {
			t.Errorf("call %d (%s): %v, %v, heard %q, want the request and the rule, or a lost connection", n, at, err, ctx.Err(), heard)
		}
		for _, r := range must(w.s.List(t.Context(), approval.Filter{States: []approval.State{approval.Pending}})) {
			must(w.s.End(t.Context(), r.ID, approval.Denied, "the attempt is over"))
		}
		must(w.g.RemoveRule(t.Context(), "deny", rule, "ada"))
		return at
	})
}

// While git cannot say whether a gateway has the commit of a push, the gateway that has it can begin
// the push. In the end one of them begins it.
func TestCommitThatGitCannotLookFor(t *testing.T) {
	forge := newForge(t, "")
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	q := &PushPlan{Push: &host.Update{New: strings.Repeat("1", 40)}}
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	for rest, want := range map[string]bool{"exec " + git + ` "$@"`: false, "exit 128": true} {
		script := "#!/bin/sh\nif ! test -e " + dir + "/failed; then echo >" + dir + "/failed; exit 128; fi\n" + rest + "\n"
		if err := os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		if got := q.here(t.Context(), forge.g); got != want {
			t.Errorf("it fails, then %q: here %v, want %v", rest, got, want)
		}
		if err := os.Remove(filepath.Join(dir, "failed")); err != nil {
			t.Error(err)
		}
	}
}

// A push that rules allow is pushed, refused or asked about while one command of git fails at the
// gateway: its sender is told what happened, and nothing of the gateway's machine.
func TestEveryPushOverAFaultyGit(t *testing.T) {
	forge := newForge(t, "rules:\n  - allow: git(push *)\n")
	forge.g.holdFor = time.Minute
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write("git", strings.NewReplacer("GIT", git, "DIR", dir).Replace(`#!/bin/sh
case $1 in --git-dir=*/staging.git) ;; *) exec GIT "$@" ;; esac
echo >>DIR/count # two commands may run at once
count=0; while read -r _; do count=$((count + 1)); done <DIR/count
read -r nth <DIR/nth
case $count-$* in
"$nth"-*" push "*) exit 128 ;; # the remote may say why
"$nth"-*) echo 'fatal: /place/of/the/machine: Input/output error' >&2; exit 128 ;;
esac
exec GIT "$@"
`))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	ends := map[string]int{}
	for n, failed := 1, true; failed; n++ {
		write("count", "")
		write("nth", fmt.Sprintln(n))
		branch := fmt.Sprint("refs/heads/b", n)
		commit(t, forge.clone, "a", fmt.Sprintln(n))
		done := forge.push("HEAD:" + branch)
		var end pushEnd
		asked := false
		for waiting := true; waiting; {
			changed, stop := forge.s.Changed("")
			for _, r := range must(forge.s.List(t.Context(), approval.Filter{States: []approval.State{approval.Pending}})) {
				asked = true
				forge.call("approver", "POST", "/api/queue/"+r.ID+"/deny", nil)
			}
			select {
			case end = <-done:
				waiting = false
			case <-changed:
			}
			stop()
		}
		failed = len(must(os.ReadFile(filepath.Join(dir, "count")))) >= n
		write("nth", "0\n")
		there := forge.at(branch) != ""
		switch {
		case end.err == nil && there && !asked:
			ends["pushed"]++
		case end.err != nil && asked && !there:
			ends["asked"]++
		case end.err != nil && failed:
			ends["refused"]++
		default:
			t.Errorf("command %d: %v, at the remote %v, asked %v: %s", n, end.err, there, asked, end.out)
		}
		if strings.Contains(end.out, " yet") {
			t.Errorf("command %d: an approved push does not begin: %s", n, end.out)
		}
		if strings.Contains(end.out, "/place/of") || strings.Contains(end.out, dir) {
			t.Errorf("command %d: its sender learns of the machine: %s", n, end.out)
		}
		if n == 100 {
			t.Fatalf("push %d does not succeed: %s", n, end.out)
		}
	}
	if ends["pushed"] == 0 || ends["refused"] == 0 {
		t.Errorf("the pushes ended as %v, want some pushed and some refused", ends)
	}
}
