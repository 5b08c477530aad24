package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/taint"
)

// beside puts the hook beside another umpire: a shell script. The policy is compiled by
// the real one.
func (w *world) beside(script string) {
	w.t.Helper()
	dir := filepath.Join(w.home, "bin")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		w.t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(programsDir(w.t), "umpire-hook"))
	if err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "umpire-hook"), data, 0o755); err != nil {
		w.t.Fatal(err)
	}
	text := "#!/bin/sh\nif [ \"$1\" = policy ]; then exec " + filepath.Join(programsDir(w.t), "umpire") + " \"$@\"; fi\n" + script + "\n"
	if err := os.WriteFile(filepath.Join(dir, "umpire"), []byte(text), 0o755); err != nil {
		w.t.Fatal(err)
	}
	w.bin = dir
}

const undecided = "curl -o page.html https://example.org/page"

// What takes longer is answered by umpire, and whatever it does instead of answering,
// what the rules said is said.
func TestHandOver(t *testing.T) {
	answer := `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"R"}}`
	for _, tt := range []struct {
		name, script, command, want string
		failed                      bool
	}{
		{"it denies", "cat >payload; echo '" + answer + "'; echo R >&2; exit 42", undecided, "deny", false},
		{"it says nothing", "cat >payload; exit 40", undecided, "silent", false},
		{"it leaves the payload unread", "exit 40", undecided, "silent", false},
		{"it fails after an answer", "echo '" + answer + "'; exit 1", undecided, "silent", true},
		{"it panics", "echo '" + answer + "'; echo panic: >&2; exit 2", undecided, "silent", true},
		{"it is killed", "kill -9 $$", undecided, "silent", true},
		{"it cannot start", "", undecided, "silent", true},
		{"it is not asked about what rules deny", "exit 40", "rm -rf ~", "deny", false},
		{"it is not asked about what is harmless", "kill -9 $$", "ls", "silent", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.write(".config/umpire/policy.yaml", "version: 1\njudge: {enabled: true}\n")
			w.beside(tt.script)
			if tt.script == "" {
				w.bash("ls") // compiles the policy
				if err := os.Remove(filepath.Join(w.bin, "umpire")); err != nil {
					t.Fatal(err)
				}
				if err := os.Remove(filepath.Join(w.home, ".local/state/umpire/audit.jsonl")); err != nil {
					t.Fatal(err)
				}
				if err := os.RemoveAll(filepath.Join(w.home, ".local/state/umpire")); err != nil {
					t.Fatal(err)
				}
			}
			got := w.bash(tt.command)
			if got.effect != tt.want {
				t.Errorf("got %+v, want %s", got, tt.want)
			}
			if strings.HasPrefix(tt.script, "cat >payload") {
				p, err := os.ReadFile(filepath.Join(w.dir, "payload"))
				if err != nil || string(p) != w.payload("t", tt.command) {
					t.Errorf("umpire got %q, %v", p, err)
				}
				return // the record is umpire's
			}
			if _, err := os.Stat(filepath.Join(w.home, ".local/state/umpire/audit.jsonl")); err != nil {
				return
			}
			if events := w.log(); len(events) != 1 || (events[0].Failure != "") != tt.failed {
				t.Errorf("the log has %+v", events)
			}
		})
	}
}

// A payload that is larger than a pipe's buffer reaches an umpire that reads late.
func TestHandOverLarge(t *testing.T) {
	w := newWorld(t)
	w.write(".config/umpire/policy.yaml", "version: 1\njudge: {enabled: true}\n")
	w.beside("yes no | head -c 100000 >&2; wc -c >size; exit 42")
	payload := strings.Replace(w.payload("t", undecided), `"command"`, `"description":"`+strings.Repeat("x", 1<<20)+`","command"`, 1)
	cmd := w.command("claude")
	cmd.Stdin = strings.NewReader(payload)
	_, err := cmd.Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 2 || len(exit.Stderr) == 0 {
		t.Fatal(err)
	}
	size, err := os.ReadFile(filepath.Join(w.dir, "size"))
	if err != nil || strings.TrimSpace(string(size)) == "0" {
		t.Errorf("umpire read %s bytes, %v", size, err)
	}
}

// An observed policy stops nothing, and records what it would have done.
func TestObserve(t *testing.T) {
	w := newWorld(t)
	w.write(".config/umpire/policy.yaml", "version: 1\nmode: observe\ndefaultAction: deny\nrules:\n  - ask: exec(make *)\n")
	for _, c := range []string{"rm -rf ~", "make x", "frob x"} {
		if got := w.bash(c); got.effect != "silent" {
			t.Errorf("%s: %+v", c, got)
		}
	}
	if got := w.ask(strings.NewReader("garbage")); got.effect != "silent" {
		t.Errorf("garbage: %+v", got)
	}
	events := w.log()
	if len(events) != 4 {
		t.Fatalf("%d events", len(events))
	}
	for i, want := range []string{"deny", "ask", "deny"} {
		if e := events[i]; e.Effect != want || e.Data["observed"] != "true" {
			t.Errorf("event %d: %s, data %v", i, e.Effect, e.Data)
		}
	}
}

// A project may end the observing, and not begin it.
func TestObserveLayers(t *testing.T) {
	w := newWorld(t)
	w.write("proj/.umpire.yaml", "version: 1\nmode: observe\n")
	if got := w.bash("rm -rf ~"); got.effect != "deny" {
		t.Errorf("a project's observe: %+v", got)
	}
	w.write(".config/umpire/policy.yaml", "version: 1\nmode: observe\n")
	w.write("proj/.umpire.yaml", "version: 1\nmode: enforce\n")
	if got := w.bash("rm -rf ~"); got.effect != "deny" {
		t.Errorf("a project's enforce: %+v", got)
	}
}

// Every event is answered as it should be, and leaves its line.
func TestEvents(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"SessionStart", "UserPromptSubmit", "PostToolUse", "SubagentStart", "SessionEnd", "Invented"} {
		p := `{"hook_event_name":"` + name + `","session_id":"s","cwd":"` + w.dir + `","prompt":"hello","agent_id":"a1","agent_type":"worker","new_field":1}`
		if got := w.ask(strings.NewReader(p)); got.effect != "silent" {
			t.Errorf("%s: %+v", name, got)
		}
	}
	events := w.log()
	if len(events) != 6 {
		t.Fatalf("%d events", len(events))
	}
	for i, e := range events {
		want := audit.Session
		if e.Data["event"] == "PostToolUse" {
			want = audit.Result
		}
		if e.Kind != want || e.Effect != "" || e.Principal.Agent != "a1" || e.Principal.Parent != "s" || e.Principal.Role != "worker" {
			t.Errorf("event %d: %+v", i, e.Event)
		}
		if strings.Contains(string(e.Params), "hello") || strings.Contains(e.Note, "hello") {
			t.Errorf("event %d has the prompt", i)
		}
	}
}

// A sub-agent is a principal of its own: rules may name it.
func TestSubAgent(t *testing.T) {
	w := newWorld(t)
	w.write(".config/umpire/policy.yaml", "version: 1\nrules:\n  - deny: exec(make *)\n    when: {agent: worker}\n    reason: workers do not build\n")
	payload := func(agent string) string {
		return `{"hook_event_name":"PreToolUse","session_id":"s","cwd":"` + w.dir + `","tool_name":"Bash","tool_input":{"command":"make x"}` + agent + `}`
	}
	if got := w.ask(strings.NewReader(payload(""))); got.effect != "silent" {
		t.Errorf("the main agent: %+v", got)
	}
	if got := w.ask(strings.NewReader(payload(`,"agent_id":"a1","agent_type":"worker"`))); got.effect != "deny" {
		t.Errorf("the sub-agent: %+v", got)
	}
}

// The log is bounded as the policy says.
func TestAuditBounds(t *testing.T) {
	w := newWorld(t)
	w.write(".config/umpire/policy.yaml", "version: 1\naudit: {maxSize: 1, keep: 1}\n")
	dir := filepath.Join(w.home, ".local", "state", "umpire")
	for range 4 {
		w.bash("ls")
		for range 1600 {
			if err := audit.Append(dir, &audit.Event{Kind: audit.Session, Note: strings.Repeat("x", 7000)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.bash("ls")
	names, err := filepath.Glob(filepath.Join(dir, "audit*.jsonl*"))
	if err != nil || len(names) != 2 {
		t.Errorf("%d files: %v %v", len(names), names, err)
	}
}

// A session that met content which tries to steer it is held to stricter rules, and no
// other session is.
func TestTaintedSession(t *testing.T) {
	w := newWorld(t)
	if got := w.bash("curl https://example.org/x"); got.effect != "silent" {
		t.Fatalf("before: %+v", got)
	}
	marks := taint.Open(filepath.Join(w.home, ".local", "state", "umpire", "taint"))
	if err := marks.Set(taint.Mark{Platform: "claude", Session: "s", Tool: "WebFetch"}); err != nil {
		t.Fatal(err)
	}
	if got := w.bash("curl https://example.org/x"); got.effect != "ask" || !strings.Contains(got.reason, "taint-network") {
		t.Errorf("after: %+v", got)
	}
	if got := w.bash("go test ./..."); got.effect != "silent" {
		t.Errorf("a harmless call: %+v", got)
	}
	other := strings.Replace(w.payload("t", "curl https://example.org/x"), `"s"`, `"s2"`, 1)
	if got := w.ask(strings.NewReader(other)); got.effect != "silent" {
		t.Errorf("another session: %+v", got)
	}
}
