package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/cmd/umpire/status"
	"github.com/umpire-dev/umpire/internal/answer"
	"github.com/umpire-dev/umpire/internal/audit"
)

func TestStatus(t *testing.T) {
	dir := newProject(t)
	t.Chdir(dir)
	if out, exit := runUmpire(t, dir, "", "status"); exit != 0 || !strings.Contains(out, "0 since") || !strings.Contains(out, "mode enforce") {
		t.Errorf("nothing yet: %d %s", exit, out)
	}
	policyDir := filepath.Join(os.Getenv("HOME"), ".config", "umpire")
	if err := os.MkdirAll(policyDir, 0o700); err != nil {
		t.Fatal(err)
	}
	policyFile := filepath.Join(policyDir, "policy.yaml")
	write := func(text string) {
		if err := os.WriteFile(policyFile, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("version: 1\nautoApprove: true\nrules:\n  - id: new-rule\n    deny: exec(ls *)\n    observe: true\n")
	_, stateDir, err := answer.Questions()
	if err != nil {
		t.Fatal(err)
	}
	event := func(effect string, f func(*audit.Event)) {
		e := audit.Event{Kind: audit.Decision, Point: audit.Hook, Principal: umpire.Principal{Platform: "codex"}, Effect: effect, Explicit: true}
		if f != nil {
			f(&e)
		}
		if err := audit.Append(stateDir, &e); err != nil {
			t.Fatal(err)
		}
	}
	because := func(rs ...umpire.Reason) func(*audit.Event) { return func(e *audit.Event) { e.Reasons = rs } }
	observed := func(rs ...umpire.Reason) func(*audit.Event) {
		return func(e *audit.Event) { e.Reasons, e.Data = rs, map[string]string{"observed": "true"} }
	}
	event("deny", func(e *audit.Event) { e.Time = time.Now().Add(-3 * time.Hour) }) // too old
	event("allow", nil)
	event("deny", because(umpire.Reason{Rule: "r", Effect: umpire.Deny}))
	event("allow", because(umpire.Reason{Rule: "new-rule", Effect: umpire.Allow, Would: "deny"}))
	event("deny", because(umpire.Reason{Rule: "r", Effect: umpire.Deny}, umpire.Reason{Rule: "new-rule", Effect: umpire.Allow, Would: "deny"}))
	event("ask", observed(umpire.Reason{Rule: "a", Effect: umpire.Ask}))
	event("deny", observed(umpire.Reason{Rule: "d", Effect: umpire.Deny}, umpire.Reason{Rule: "d", Effect: umpire.Deny}))
	event("allow", func(e *audit.Event) {
		e.Explicit, e.Failure = false, "broken \x1b[2J"
		e.Data = map[string]string{"judge": "x", "judge_cents": "0.5", "judge_effect": "allow", "judge_cached": "true"}
	})
	for _, point := range []string{"terminal", "desktop", audit.Hook} {
		event("allow", func(e *audit.Event) { e.Kind, e.Point = audit.Approval, point })
	}
	askedAbout(t, "make deploy")

	out, exit := runUmpire(t, dir, "", "status", "--json", "--since", "1h")
	var s status.State
	if err := json.Unmarshal([]byte(out), &s); err != nil || exit != 0 {
		t.Fatalf("status --json: got exit status %d, %v: %s", exit, err, out)
	}
	got := fmt.Sprint(s.Calls.Total, s.Calls.Effects["allow"], s.Calls.Effects["ask"], s.Calls.Effects["deny"], s.Calls.Failures, "; ",
		s.Observed.Calls, s.Observed.Deny, s.Observed.Ask, s.Observed.Rules, "; ", s.Questions, "; ", s.Judge.Calls, s.Judge.Cached, s.Judge.Cents, s.Judge.Opined["allow"])
	if want := "7 5 0 2 1; 2 2 1 [{new-rule deny 2} {a ask 1} {d deny 1}]; {1 2 0 2}; 1 1 0.5 1"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(s.Policy.Files) != 1 || s.Policy.Files[0].Rules != 1 || s.Policy.Rules < 100 {
		t.Errorf("policy: got %+v, want one file with one rule, and 100 rules or more", s.Policy)
	}
	out, exit = runUmpire(t, dir, "", "status", "--since", "1h")
	for _, part := range []string{"7 since", "1 more", "new-rule would deny 2", "1 pending, 2 approved", "policy.yaml (user, 1 rule)", `\x1b[2J`, "0.50 cents", "1 allow, 0 ask, 0 deny, 0 unclear"} {
		if part = strings.Replace(part, "1 more", "denied 2 more", 1); exit != 0 || !strings.Contains(out, part) || strings.Contains(out, "\x1b") {
			t.Errorf("no %q in %s", part, out)
		}
	}
	if out, exit := runUmpire(t, dir, "", "status", "--since", "-1h"); exit != cli.ExitUsage {
		t.Errorf("status --since -1h: got exit status %d, want %d:\n%s", exit, cli.ExitUsage, out)
	}
	write("version: 1\nbad: x\n")
	if out, exit := runUmpire(t, dir, "", "status"); exit != 0 || !strings.Contains(out, "FAULTY") {
		t.Errorf("exit %d and %q, want %d and %q", exit, out, 0, "FAULTY")
	}
}

// Calls that ran because something failed stand apart from other failures, with the last
// one's time and cause.
func TestStatusUnjudged(t *testing.T) {
	dir := newProject(t)
	t.Chdir(dir)
	_, stateDir, err := answer.Questions()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []audit.Event{
		{Effect: "allow", Failure: "first", Data: map[string]string{audit.Unjudged: "first"}},
		{Effect: "allow", Failure: "no JSON\x1b[2J", Data: map[string]string{audit.Unjudged: "no JSON\x1b[2J"}},
		{Effect: "deny", Failure: "policy.yaml:7"},
	} {
		e.Kind, e.Point = audit.Decision, audit.Hook
		if err := audit.Append(stateDir, &e); err != nil {
			t.Fatal(err)
		}
	}
	out, exit := runUmpire(t, dir, "", "status")
	for _, part := range []string{"UNCHECKED  2 calls ran without a complete check since ", `no JSON\x1b[2J`, "umpire audit search --failed", "failures   3, the last at ", "policy.yaml:7"} {
		if exit != 0 || !strings.Contains(out, part) {
			t.Errorf("no %q in %s", part, out)
		}
	}
	if out, exit := runUmpire(t, dir, "", "audit", "search", "--failed"); exit != 0 || strings.Count(out, "\n") < 3 || !strings.Contains(out, "policy.yaml:7") {
		t.Errorf("audit search --failed: got exit status %d, want 3 lines or more with policy.yaml:7:\n%s", exit, out)
	}
	if out, exit := runUmpire(t, dir, "", "audit", "search", "--failed", "--effect", "deny"); exit != 0 || strings.Contains(out, "first") {
		t.Errorf("audit search --failed --effect deny: got exit status %d, want no event of the first session:\n%s", exit, out)
	}
}

// A rule that is only observed says so in a field, not only in words.
func TestObservedReason(t *testing.T) {
	dir := newProject(t)
	if err := os.WriteFile(filepath.Join(dir, ".umpire.yaml"), []byte("version: 1\nrules:\n  - id: new-rule\n    deny: exec(make *)\n    observe: true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, exit := runUmpire(t, dir, "", "check", "--json", "make x"); exit != 0 || !strings.Contains(out, `"would": "deny"`) {
		t.Errorf("exit %d and %q, want %d and %q", exit, out, 0, `"would": "deny"`)
	}
}

// A policy of the project that is left out is not passed over in silence.
func TestStatusWarns(t *testing.T) {
	dir := newProject(t)
	if err := os.WriteFile(filepath.Join(dir, ".umpire.yaml"), []byte("version: 1\nrules:\n  - ask: exec(make\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, exit := runUmpire(t, dir, "", "status"); exit != 0 || !strings.Contains(out, "1 warning: run `umpire policy check`") {
		t.Errorf("exit %d and %q, want %d and %q", exit, out, 0, "1 warning: run `umpire policy check`")
	}
}

// In the home folder, Claude Code's settings are also those that Copilot reads of a project. That
// does not make Copilot an agent of this machine.
func TestStatusAtHome(t *testing.T) {
	dir := newProject(t)
	home := os.Getenv("HOME")
	settings := filepath.Join(home, ".claude", "settings.json")
	if err := os.MkdirAll(filepath.Dir(settings), 0o700); err != nil {
		t.Fatal(err)
	}
	hook := `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"/opt/umpire/umpire-hook claude"}]}]}}`
	if err := os.WriteFile(settings, []byte(hook), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(home)
	t.Setenv("PATH", dir)
	if out, exit := runUmpire(t, home, "", "status"); exit != 0 || !strings.Contains(out, "Claude Code") || strings.Contains(out, "Copilot") {
		t.Errorf("got exit %d, want 0, Claude Code and no Copilot:\n%s", exit, out)
	}
}

// Status names the agents with the most calls, and how many it leaves out.
func TestStatusOfManyAgents(t *testing.T) {
	dir := newProject(t)
	_, state, err := answer.Questions()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 13 {
		for range 1 + i/12 {
			if err := audit.Append(state, &audit.Event{Kind: audit.Decision, Point: audit.Hook, Principal: umpire.Principal{Platform: fmt.Sprintf("agent-%02d", i)}, Effect: "allow"}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if out, exit := runUmpire(t, dir, "", "status"); exit != 0 || !strings.Contains(out, " denied\n           2 by agent-12\n           1 by agent-00\n") || !strings.Contains(out, "           and by 3 more agents: umpire status --json lists all\n") {
		t.Errorf("exit status %d, want agent-12 first and 3 left out:\n%s", exit, out)
	}
}
