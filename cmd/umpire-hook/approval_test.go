package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/question"
)

const askDeploy = "version: 1\nrules:\n  - ask: exec(make deploy)\n    reason: deploys\n"

// codex has Codex's hook judge a command in a session. Codex never asks.
func (w *world) codex(session, command string) said {
	w.t.Helper()
	in, err := json.Marshal(map[string]any{
		"hook_event_name": "PreToolUse", "session_id": session, "cwd": w.dir, "tool_name": "Bash", "tool_input": map[string]string{"command": command},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	cmd := w.command("codex")
	cmd.Stdin = strings.NewReader(string(in))
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.t.Fatal(err)
	}
	r := said{effect: "silent", exit: cmd.ProcessState.ExitCode()}
	if len(out) > 0 {
		var doc struct {
			Out struct {
				Decision string `json:"permissionDecision"`
				Reason   string `json:"permissionDecisionReason"`
			} `json:"hookSpecificOutput"`
		}
		if err := json.Unmarshal(out, &doc); err != nil {
			w.t.Fatalf("%v: %s", err, out)
		}
		r.effect, r.reason = doc.Out.Decision, doc.Out.Reason
	}
	return r
}

func (w *world) box() question.Box {
	return question.Open(filepath.Join(w.home, ".local", "state", "umpire", "questions"))
}

var questionID = regexp.MustCompile("`umpire approve ([a-z2-7]{8})`")

// settled answers the question of a denial, as the terminal would.
func (w *world) settled(r said, s question.State, note string) {
	w.t.Helper()
	id := questionID.FindStringSubmatch(r.reason)
	if r.effect != "deny" || id == nil {
		w.t.Fatalf("no denial with a question: %+v", r)
	}
	q, err := w.box().Find(id[1])
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.box().Answer(q, s, "someone", note); err != nil {
		w.t.Fatal(err)
	}
}

// What is approved passes once: the same call, in the same session.
func TestApprovedPassesOnce(t *testing.T) {
	w := newWorld(t)
	w.write(".config/umpire/policy.yaml", askDeploy)
	w.settled(w.codex("s", "make deploy"), question.Approved, "")
	for _, other := range [][2]string{{"t", "make deploy"}, {"s", "make deploy "}, {"s", "make deploy; make deploy"}} {
		if got := w.codex(other[0], other[1]); got.effect != "deny" {
			t.Errorf("%q: %+v", other, got)
		}
	}
	if got := w.codex("s", "make deploy"); got.effect != "silent" && got.effect != "allow" {
		t.Errorf("the approved call: %+v", got)
	}
	third := w.codex("s", "make deploy")
	if third.effect != "deny" || questionID.FindString(third.reason) == "" {
		t.Errorf("once more: %+v", third)
	}
	n := 0
	for _, e := range w.log() {
		if e.Kind == audit.Approval && e.Effect == "allow" && e.By == "someone" && e.Data["question"] != "" {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d approvals on record", n)
	}
	w.settled(third, question.Denied, "not today \x1b[2J")
	if got := w.codex("s", "make deploy"); got.effect != "deny" || !strings.Contains(got.reason, "A person denied this") || !strings.Contains(got.reason, `not today \x1b[2J`) || questionID.MatchString(got.reason) {
		t.Errorf("the denied call: %+v", got)
	}
}

// Of identical calls at once exactly one passes.
func TestApprovedRace(t *testing.T) {
	w := newWorld(t)
	w.write(".config/umpire/policy.yaml", askDeploy)
	w.settled(w.codex("s", "make deploy"), question.Approved, "")
	got := make([]said, 6)
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() { got[i] = w.codex("s", "make deploy") })
	}
	wg.Wait()
	passed := 0
	for _, r := range got {
		if r.effect != "deny" {
			passed++
		}
	}
	if passed != 1 {
		t.Errorf("%d passed: %+v", passed, got)
	}
}

// While a hook waits, an answer lets its call pass, or stops it; without one it is denied
// with the question's ID.
func TestWaitForPerson(t *testing.T) {
	for _, tt := range []struct {
		name  string
		state question.State
		want  string
	}{{"approved", question.Approved, "silent"}, {"denied", question.Denied, "deny"}, {"nobody", "", "deny"}} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			limit := "40s"
			if tt.state == "" {
				limit = "300ms"
			}
			w.write(".config/umpire/policy.yaml", askDeploy+"approval: {cannotAsk: wait, wait: "+limit+"}\n")
			w.codex("s", "ls") // compiles the policy
			done := make(chan said)
			go func() { done <- w.codex("s", "make deploy") }()
			if tt.state != "" {
				var list []question.Question
				for end := time.Now().Add(time.Minute); len(list) == 0 && time.Now().Before(end); {
					list, _ = w.box().List(question.Pending)
				}
				if len(list) != 1 {
					t.Fatal("no question")
				}
				if _, err := w.box().Answer(list[0], tt.state, "someone", ""); err != nil {
					t.Fatal(err)
				}
			}
			got := <-done
			if got.effect != tt.want && (tt.want != "silent" || got.effect != "allow") {
				t.Errorf("%+v", got)
			}
			if tt.state == "" && !questionID.MatchString(got.reason) {
				t.Errorf("no ID: %+v", got)
			}
			if tt.state == question.Approved {
				if again, _ := w.box().List(question.Used); len(again) != 1 {
					t.Errorf("the approval is not used: %v", again)
				}
			}
		})
	}
}

// A window asks meanwhile, if the policy wants it. Its text is the agent's.
func TestDesktop(t *testing.T) {
	for _, tt := range []struct {
		name, policy, script string
		want                 string
		asked                bool
	}{
		{"allowed", "desktop: true, wait: 40s", "exit 0", "silent", true},
		{"denied", "desktop: true, wait: 40s", "echo Deny; exit 1", "deny", true},
		// These end with the wait, within which the window must have been opened.
		{"closed", "desktop: true, wait: 3s", "exit 1", "deny", true},
		{"broken", "desktop: true, wait: 3s", "kill -9 $$", "deny", true},
		{"hangs", "desktop: true, wait: 3s", "exec sleep 60", "deny", true},
		{"not wanted", "wait: 400ms", "exit 0", "deny", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel() // most of it is waits
			w := newWorld(t)
			w.write(".config/umpire/policy.yaml", "version: 1\nrules:\n  - ask: exec(make *)\napproval: {cannotAsk: wait, "+tt.policy+"}\n")
			w.write("desktop/zenity", "#!/bin/sh\nprintf '%s\\n' \"$@\" > '"+w.home+"/seen'\n"+tt.script+"\n")
			if err := os.Chmod(filepath.Join(w.home, "desktop/zenity"), 0o755); err != nil {
				t.Fatal(err)
			}
			w.codex("s", "ls") // compiles the policy
			w.env = []string{"PATH=" + filepath.Join(w.home, "desktop") + ":" + os.Getenv("PATH"), "DISPLAY=:0"}
			got := w.codex("s", "make '<b>x</b>'")
			if got.effect != tt.want && (tt.want != "silent" || got.effect != "allow") {
				t.Errorf("%+v", got)
			}
			if tt.want == "deny" && strings.Contains(got.reason, "A person denied") != (tt.name == "denied") {
				t.Errorf("it says %s", got.reason)
			}
			seen, err := os.ReadFile(filepath.Join(w.home, "seen"))
			if (err == nil) != tt.asked || tt.asked && !strings.Contains(string(seen), "--no-markup") {
				t.Errorf("%s, %v", seen, err)
			}
		})
	}
}

// An approval is for the script that was shown, and not for another under its name, in the
// project or elsewhere.
func TestApprovalIsForTheScriptAsItWas(t *testing.T) {
	for name, tt := range map[string]struct{ file, command string }{
		"by an interpreter": {"proj/x.sh", "bash x.sh"},
		"by itself":         {"proj/x.sh", "./x.sh"},
		"sourced":           {"proj/sub/x.sh", "cd sub && . ./x.sh"},
		"out of its home":   {"tools/x.py", "python3 ~/tools/x.py"},
		"through a pipe":    {"proj/x.sh", "cat x.sh | sh"},
		"in another folder": {"tools/x.sh", "../tools/x.sh --fast"},
	} {
		w := newWorld(t)
		w.write(".config/umpire/policy.yaml", "version: 1\ndefaultAction: ask\npacks: []\n")
		for _, content := range []struct{ first, then string }{{"echo one\n", "echo two\n"}, {"", "echo two\n"}} {
			path := filepath.Join(w.home, tt.file)
			if content.first == "" {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			} else {
				w.write(tt.file, content.first)
			}
			asked := w.codex("s", tt.command)
			w.settled(asked, question.Approved, "")
			w.write(tt.file, content.then)
			if got := w.codex("s", tt.command); got.effect != "deny" || !questionID.MatchString(got.reason) {
				t.Errorf("%s: %q became %q, and the call passed: %+v", name, content.first, content.then, got)
			}
			if content.first != "" {
				w.write(tt.file, content.first)
			} else if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if got := w.codex("s", tt.command); got.effect == "deny" {
				t.Errorf("%s: %q is as it was, and the call did not pass: %+v", name, content.first, got)
			}
			w.write(tt.file, content.then)
		}
	}
}
