package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/answer"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/terminal"
)

// An answer is taken back as a whole, and what is no answer says what it is.
func TestPolicyRevoke(t *testing.T) {
	dir := newProject(t)
	ownPolicy(t, "rules:\n  - id: mine\n    deny: exec(frob)\n")
	path := filepath.Join(os.Getenv("HOME"), ".config", "umpire", "policy.yaml")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	two := []policyfile.AllowRule{{Pattern: "exec(go test *)", Platform: "umpire", Reason: "x"}, {Pattern: "exec(make lint)", Platform: "umpire", Reason: "x"}}
	ids, err := policyfile.Add(path, two...)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := policyfile.Add(path, policyfile.AllowRule{Pattern: "exec(make build)", Platform: "umpire", Reason: "x"})
	if err != nil {
		t.Fatal(err)
	}
	near := ids[0][:len(ids[0])-1] + "z"
	for id, want := range map[string]string{
		"nosuch":       "there is no rule nosuch; umpire policy list shows all",
		near:           "did you mean " + ids[0] + "?",
		"privilege":    "privilege is a built-in rule: to turn it off",
		"mine":         "mine was written by hand: remove it from " + path,
		"\x1b[2J":      `"\x1b[2J" is not a rule ID`,
		"always-00000": "there is no rule always-00000",
	} {
		if out, exit := runUmpire(t, dir, "", "policy", "revoke", id); exit != cli.ExitFailure || !strings.Contains(out, want) {
			t.Errorf("revoke %q: got exit status %d, want %d with %q:\n%s", id, exit, cli.ExitFailure, want, out)
		}
	}
	out, exit := runUmpire(t, dir, "", "policy", "revoke", ids[1])
	if exit != 0 || !strings.Contains(out, "revoked "+ids[1]+" in "+path+": allow exec(make lint)\n") || !strings.Contains(out, "revoked "+ids[0]+" in "+path+": allow exec(go test *)\n") {
		t.Errorf("revoke of two rules: got exit status %d, want a line for each:\n%s", exit, out)
	}
	if out, exit := runUmpire(t, dir, "", "policy", "revoke", alone[0]); exit != 0 || strings.Count(out, "revoked") != 1 {
		t.Errorf("revoke of the last rule: got exit status %d, want one line:\n%s", exit, out)
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != string(before) {
		t.Errorf("left: %s, %v", now, err)
	}
}

// Each fault of a policy has a line of its own, and calls that were only observed ran.
func TestStatusOfFaults(t *testing.T) {
	dir := newProject(t)
	ownPolicy(t, "mode: observe\n")
	if out, exit := runUmpire(t, dir, "", "policy", "compile"); exit != 0 {
		t.Fatalf("policy compile: got exit status %d:\n%s", exit, out)
	}
	if out, exit := runUmpire(t, dir, "", "check", "rm -rf ~"); exit != cli.ExitDeny || !strings.Contains(out, "\nThe policy only observes (mode: observe): the call would run.\n") {
		t.Errorf("exit %d and %q, want %d and %q", exit, out, cli.ExitDeny, "\nThe policy only observes (mode: observe): the call would run.\n")
	}
	ownPolicy(t, "mode: observe\nrulez: []\ndefaultActoin: ask\n")
	_, state, err := answer.Questions()
	if err != nil {
		t.Fatal(err)
	}
	if err := audit.Append(state, &audit.Event{Kind: audit.Decision, Point: audit.Hook, Effect: "deny", Failure: "two faults:\none\ntwo", Data: map[string]string{"observed": "true"}}); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{nil, {"audit", "tail"}} {
		out, _ := runUmpire(t, dir, "", args...)
		if strings.Contains(out, `\n`) || args != nil && !strings.Contains(out, "only observed: it could run") {
			t.Errorf("umpire %q: %s", args, out)
		}
	}
	out, _ := runUmpire(t, dir, "", "status")
	if strings.Contains(out, `\n`) || !strings.Contains(out, "two faults:; one; two") || !strings.Contains(out, "\n             ") || strings.Count(out, "unknown key") != 2 {
		t.Errorf("faults: %s", out)
	}
	if !strings.Contains(out, "mode observe") || !strings.Contains(out, "1 allowed, 0 asked, 0 denied") || !strings.Contains(out, "would have denied 1 more call") {
		t.Errorf("status in mode observe: want 1 allowed, and 1 more that a rule would have denied:\n%s", out)
	}
}

// The log says which call an answer was for.
func TestAuditTailOfAnswers(t *testing.T) {
	dir := newProject(t)
	t.Chdir(dir)
	_, q := askedAbout(t, "make deploy \x1b[2J")
	if err := execute(t, &scripted{lines: []string{"y"}}, &bytes.Buffer{}, "approve", q.ID); err != nil {
		t.Fatal(err)
	}
	if out, exit := runUmpire(t, dir, "", "audit", "tail"); exit != 0 || !strings.Contains(out, "question "+q.ID+`: make deploy \x1b[2J  by `) {
		t.Errorf("audit tail: got exit status %d, want the question with its control characters escaped:\n%s", exit, out)
	}
}

// A person who revokes trust sees that it is done.
func TestTrustRevoked(t *testing.T) {
	dir := newProject(t)
	for _, args := range [][]string{{"trust", "--revoke"}, {"agent", "trust", "--revoke"}} {
		if out, exit := runUmpire(t, dir, "", args...); exit != 0 || !strings.Contains(out, " is not trusted\n") {
			t.Errorf("umpire %q: %d %q", args, exit, out)
		}
	}
}

// A person who loosens what umpire decides by is named in the audit log: an adversary may have got
// them to do it.
func TestChangesAreRecorded(t *testing.T) {
	dir := newProject(t)
	put(t, filepath.Join(dir, ".umpire.yaml"), "version: 1\nrules:\n  - allow: exec(make deploy)\n")
	rule := policyfile.AllowRule{Pattern: "exec(git tag *)", Platform: "umpire", Reason: "allowed by ada"}
	ids, err := policyfile.Add(filepath.Join(os.Getenv("HOME"), ".config", "umpire", "policy.yaml"), rule)
	if err != nil {
		t.Fatal(err)
	}
	hook := filepath.Join(t.TempDir(), "umpire-hook")
	put(t, hook, "")
	if err := os.Chmod(hook, 0o700); err != nil {
		t.Fatal(err)
	}
	recorded := func() (list []string) {
		_, state, err := answer.Questions()
		if err != nil {
			t.Fatal(err)
		}
		for r, err := range audit.Read(state, audit.Query{Kind: audit.Config}) {
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, fmt.Sprintf("%s +%s -%s", r.Data["what"], r.Data["added"], r.Data["removed"]))
			if r.By != terminal.UserName() || r.Data["path"] == "" {
				t.Errorf("%v by %q: want the person and the file", r.Data, r.By)
			}
		}
		return list
	}
	for i, tt := range []struct{ args, want string }{
		{"policy revoke " + ids[0], "policy + -" + ids[0]},
		{"trust --revoke", "trust + -trust"},
		{"agent trust --revoke", "trust + -trust"},
		{"init --yes --force --no-history --hook " + hook + " claude", "hooks +Claude Code -"},
		{"uninstall --yes claude", "hooks + -Claude Code"},
	} {
		out, _ := runUmpireBy(t, person(), dir, "", strings.Fields(tt.args)...)
		if got := recorded(); len(got) != i+1 || !strings.HasPrefix(got[i], tt.want) {
			t.Fatalf("umpire %s: %q is recorded, want %d events and %q last; printed:\n%s", tt.args, got, i+1, tt.want, out)
		}
	}
	if err := trust(t, dir, "y"); err != nil {
		t.Fatal(err)
	}
	n := len(recorded())
	if err := trust(t, dir, "n"); err != nil || len(recorded()) != n {
		t.Errorf("trusted again: %v and %d events, want no question and %d events", err, len(recorded()), n)
	}
}
