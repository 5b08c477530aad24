package enforce_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/enforce"
	"github.com/umpire-dev/umpire/hooks"
	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/policy"
)

func (u user) effect(e *enforce.Enforcer, command string) umpire.Effect {
	u.t.Helper()
	d, _, err := e.Decide(shell(hooks.NewRun("ada", ""), command))
	if err != nil {
		u.t.Fatal(err)
	}
	return d.Effect
}

func (u user) allow(e *enforce.Enforcer, id, pattern string) {
	u.t.Helper()
	p, err := policy.ParsePattern(pattern)
	if err == nil {
		err = e.Allow(policy.Rule{ID: id, Effect: umpire.Allow, Match: []policy.Pattern{p}, Layer: policy.Builtin})
	}
	if err != nil {
		u.t.Fatal(err)
	}
}

// Every change of a policy file counts from the next decision on, whatever was allowed for
// the session before.
func TestChangeCountsAtOnce(t *testing.T) {
	const old, deny = "version: 1\ndefaultAction: ask\nrules:\n  - ask: exec(make other)\n", "  - deny: exec(zap it)\n"
	for _, session := range []bool{false, true} {
		for _, tt := range []struct {
			name   string
			before string
			change func(u user) error
			want   umpire.Effect
		}{
			{"a rule is added", old, func(u user) error { return os.WriteFile(u.file, []byte(old+deny), 0o600) }, umpire.Deny},
			{"a file comes to be", "", func(u user) error { u.write("rules:\n" + deny); return nil }, umpire.Deny},
			{"a file is replaced", old, func(u user) error {
				next := u.file + ".new"
				if err := os.WriteFile(next, []byte(old+deny), 0o600); err != nil {
					return err
				}
				return os.Rename(next, u.file)
			}, umpire.Deny},
			{"a project's file comes to be", old, func(u user) error {
				return os.WriteFile(u.layers.Project, []byte("version: 1\nrules:\n"+deny), 0o600)
			}, umpire.Deny},
			{"a rule is removed", old + deny, func(u user) error { return os.WriteFile(u.file, []byte(old), 0o600) }, umpire.Ask},
			{"all files are removed", old + deny, func(u user) error { return os.Remove(u.file) }, umpire.Allow},
			{"a project's file is trusted", old, func(u user) error {
				text := []byte("version: 1\nrules:\n  - allow: exec(zap it)\n")
				if err := os.WriteFile(u.layers.Project, text, 0o600); err != nil {
					return err
				}
				return policyfile.Trust(u.layers.Trust, u.layers.Project, text)
			}, umpire.Allow},
		} {
			name := tt.name
			if session {
				name += ", with something allowed for the session"
			}
			t.Run(name, func(t *testing.T) {
				u := newUser(t, strings.TrimPrefix(tt.before, "version: 1\n"))
				e := u.mustOpen()
				if session {
					u.allow(e, "session-1", "exec(frob)")
				}
				u.effect(e, "zap it")
				if err := tt.change(u); err != nil {
					t.Fatal(err)
				}
				if got := u.effect(e, "zap it"); got != tt.want {
					t.Errorf("the next decision is %v, want %v", got, tt.want)
				}
				if got := u.effect(e, "frob"); session && got != umpire.Allow {
					t.Errorf("what was allowed for the session is now %v", got)
				}
			})
		}
	}
}

// What a person allowed for good in one agent counts in another at once, and neither loses
// what the other wrote. A rule that is revoked allows no more.
func TestAlwaysOfTwoAgents(t *testing.T) {
	u := newUser(t, "defaultAction: ask\n")
	agents := []*enforce.Enforcer{u.mustOpen(), u.mustOpen()}
	commands := []string{"frob", "hack", "munge", "tweak", "patch-it", "grind"}
	var ids [6]string
	var all sync.WaitGroup
	for i, c := range commands {
		u.effect(agents[i%2], c)
		all.Go(func() {
			got, err := policyfile.Add(u.file, policyfile.AllowRule{Pattern: "exec(" + c + ")", Platform: "mine", Reason: "a test"})
			if err != nil || len(got) != 1 {
				t.Errorf("records %v, error %v; want one", got, err)
				return
			}
			ids[i] = got[0]
		})
	}
	all.Wait()
	for i, c := range commands {
		for j, e := range agents {
			if got := u.effect(e, c); got != umpire.Allow {
				t.Errorf("agent %d, %s: %v, want it allowed", j, c, got)
			}
		}
		if _, err := policyfile.Revoke(u.file, ids[i]); err != nil {
			t.Fatal(err)
		}
		for j, e := range agents {
			if got := u.effect(e, c); got != umpire.Ask {
				t.Errorf("agent %d, %s is revoked: %v", j, c, got)
			}
		}
	}
}

// A file that breaks leaves the last good policy in force. The log has the fault once, the
// record has it with each decision, and the corrected file counts at once.
func TestFaultKeepsLastPolicy(t *testing.T) {
	u := newUser(t, "rules:\n  - deny: exec(zap it)\n")
	var log strings.Builder
	state := filepath.Join(filepath.Dir(u.dir), "state")
	e, err := enforce.Open(enforce.Options{Platform: "mine", Dir: u.dir, State: state, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	u.allow(e, "session-1", "exec(frob)")
	u.write("ruls: []\n")
	for range 3 {
		j, err := e.Authorize(shell(hooks.NewRun("ada", ""), "zap it"), umpire.Allow)
		if err != nil || j.Effect != umpire.Deny {
			t.Fatalf("judgement %+v, error %v; want a denial", j, err)
		}
	}
	if n := strings.Count(log.String(), "last good policy"); n != 1 || !strings.Contains(log.String(), "policy.yaml") {
		t.Errorf("the log has it %d times: %s", n, &log)
	}
	for rec, err := range audit.Read(state, audit.Query{}) {
		if err != nil || !strings.Contains(rec.Failure, "last good policy") {
			t.Errorf("event %+v, error %v; want a failure that names the last good policy", rec.Event, err)
		}
	}
	u.write("rules:\n  - ask: exec(zap it)\n")
	if got := u.effect(e, "zap it"); got != umpire.Ask {
		t.Errorf("the corrected file: %v", got)
	}
	u.write("ruls: []\n")
	u.effect(e, "zap it")
	if n := strings.Count(log.String(), "last good policy"); n != 2 {
		t.Errorf("the same fault, later: told %d times", n)
	}
}

// A policy that was named and is gone does not give way to the built-in one.
func TestNamedPolicyIsGone(t *testing.T) {
	u := newUser(t, "")
	file := filepath.Join(t.TempDir(), "own.yaml")
	if err := os.WriteFile(file, []byte("version: 1\nrules:\n  - deny: exec(zap it)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := enforce.Open(enforce.Options{Dir: u.dir, Policy: file, State: t.TempDir(), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if got := u.effect(e, "zap it"); got != umpire.Deny {
		t.Errorf("the new rule gives %v, want a denial", got)
	}
}

// Rules of the session that do not fit the changed files are forgotten, and the files hold.
func TestSessionRuleWhoseIDIsTaken(t *testing.T) {
	u := newUser(t, "defaultAction: ask\n")
	e, err := enforce.Open(enforce.Options{Platform: "mine", Dir: u.dir, State: t.TempDir(), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	u.allow(e, "mine-1", "exec(frob)")
	u.write("defaultAction: ask\nrules:\n  - id: mine-1\n    deny: exec(zap it)\n")
	for command, want := range map[string]umpire.Effect{"zap it": umpire.Deny, "frob": umpire.Ask} {
		if got := u.effect(e, command); got != want {
			t.Errorf("%s: %v, want %v", command, got, want)
		}
	}
}

// Decisions and changes at the same time: no decision is made by anything but one of the
// policies.
func TestChangesWhileJudging(t *testing.T) {
	u := newUser(t, "rules:\n  - deny: exec(zap it)\n")
	e := u.mustOpen()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 20 {
				if got := u.effect(e, "zap it"); got != umpire.Deny {
					t.Errorf("the rule gives %v, want a denial", got)
				}
			}
		})
	}
	all.Go(func() {
		for range 10 {
			// A file that is half written is another policy.
			if err := atomicfile.Write(u.file, []byte("version: 1\nrules:\n  - deny: exec(zap it)\n  - ask: exec(make other)\n"), 0o600); err != nil {
				t.Error(err)
			}
			u.allow(e, "s", "exec(frob)")
			e.ResetAllowed()
		}
	})
	all.Wait()
}
