package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/hook"
	"github.com/umpire-dev/umpire/internal/platform/clients"
	"github.com/umpire-dev/umpire/internal/tools/programs"
)

// programsDir is the folder of both programs, as users have them: side by side.
func programsDir(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("UMPIRE_PROGRAMS"); dir != "" { // built where the tests were
		return dir
	}
	return programs.Dir(t)
}

func TestMain(m *testing.M) { os.Exit(programs.Run(m)) }

// world is a home with a project in it.
type world struct {
	t         *testing.T
	home, dir string
	bin       string   // where the programs are, if not where programs puts them
	env       []string // more variables of the hook
}

func newWorld(t *testing.T) *world {
	t.Helper()
	home := t.TempDir()
	dir := filepath.Join(home, "proj")
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	return &world{t: t, home: home, dir: dir}
}

func (w *world) write(name, text string) {
	w.t.Helper()
	p := filepath.Join(w.home, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) command(args ...string) *exec.Cmd {
	dir := w.bin
	if dir == "" {
		dir = programsDir(w.t)
	}
	cmd := exec.Command(filepath.Join(dir, "umpire-hook"), args...)
	cmd.Env = append([]string{"HOME=" + w.home, "PATH=" + os.Getenv("PATH")}, w.env...)
	cmd.Dir = w.dir
	return cmd
}

type said struct {
	effect, reason, stderr string
	exit                   int
}

// ask gives the hook a payload and checks that it answers in the client's words only.
func (w *world) ask(payload io.Reader) said {
	w.t.Helper()
	cmd := w.command("claude")
	cmd.Stdin = payload
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.t.Fatal(err)
	}
	s := said{effect: "silent", stderr: errs.String(), exit: cmd.ProcessState.ExitCode()}
	if out.Len() > 0 {
		var doc struct {
			Out struct {
				Event    string `json:"hookEventName"`
				Decision string `json:"permissionDecision"`
				Reason   string `json:"permissionDecisionReason"`
			} `json:"hookSpecificOutput"`
		}
		dec := json.NewDecoder(&out)
		dec.DisallowUnknownFields()
		if err := dec.Decode(&doc); err != nil || dec.More() || doc.Out.Event != "PreToolUse" {
			w.t.Fatalf("not the one document: %v", err)
		}
		s.effect, s.reason = doc.Out.Decision, doc.Out.Reason
	}
	want := 0
	if s.effect == "deny" {
		want = 2
	}
	warned := strings.HasPrefix(s.stderr, "umpire: this call runs") && strings.Count(s.stderr, "\n") == 1
	if s.exit != want || (s.stderr != "") != (want == 2) && !warned {
		w.t.Fatalf("exit %d with stderr %q on %s", s.exit, s.stderr, s.effect)
	}
	return s
}

func (w *world) payload(id, command string) string {
	b, err := json.Marshal(map[string]any{"session_id": "s", "cwd": w.dir, "hook_event_name": "PreToolUse", "tool_name": "Bash",
		"tool_input": map[string]string{"command": command}, "tool_use_id": id})
	if err != nil {
		w.t.Fatal(err)
	}
	return string(b)
}

func (w *world) bash(command string) said {
	w.t.Helper()
	return w.ask(strings.NewReader(w.payload("t", command)))
}

// log reads the audit log, which must verify.
func (w *world) log() []audit.Record {
	w.t.Helper()
	dir := filepath.Join(w.home, ".local", "state", "umpire")
	if r, err := audit.Verify(dir); err != nil || !r.OK() {
		w.t.Fatalf("the log does not verify: %v %v", err, r.Faults)
	}
	var out []audit.Record
	for e, err := range audit.Read(dir, audit.Query{}) {
		if err != nil {
			w.t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

func TestAnswers(t *testing.T) {
	w := newWorld(t)
	for command, want := range map[string]string{
		"ls -la":                    "silent",
		"rm -rf ~":                  "deny",
		"rm -rf build":              "silent",
		"sudo systemctl stop nginx": "ask",
	} {
		if got := w.bash(command); got.effect != want {
			t.Errorf("%s: %s (%s), want %s", command, got.effect, got.reason, want)
		}
	}
	if n := len(w.log()); n != 4 {
		t.Errorf("%d lines in the log, want 4", n)
	}
}

func TestReasonHelps(t *testing.T) {
	w := newWorld(t)
	got := w.bash("git push --force origin main")
	for _, part := range []string{"umpire denies", "git-push-force-protected", "Instead:"} {
		if !strings.Contains(got.reason, part) || !strings.Contains(got.stderr, part) {
			t.Errorf("the reason %q lacks %q", got.reason, part)
		}
	}
}

func TestPolicyFiles(t *testing.T) {
	w := newWorld(t)
	const user = ".config/umpire/policy.yaml"
	w.write(user, "version: 1\nrules:\n  - deny: exec(ls)\n")
	if got := w.bash("ls"); got.effect != "deny" {
		t.Fatalf("a new policy: %+v", got)
	}
	w.write(user, "version: 1\nrules:\n  - ask: exec(ls)\n")
	if got := w.bash("ls"); got.effect != "ask" {
		t.Errorf("a changed policy: %+v", got)
	}
	w.write(user, "version: 1\nrules:\n  - ask: exec(ls\n")
	if got := w.bash("ls"); got.effect != "ask" {
		t.Errorf("a broken policy does not leave the last good one in force: %+v", got)
	}
	// Nor in a workspace in which there never was a good one.
	elsewhere := strings.Replace(w.payload("t", "ls"), w.dir, filepath.Join(w.home, "new"), 1)
	if got := w.ask(strings.NewReader(elsewhere)); got.effect != "ask" {
		t.Errorf("a broken policy in a new workspace: %+v", got)
	}
	events := w.log()
	if last := events[len(events)-1]; !strings.Contains(last.Failure, "policy.yaml") {
		t.Errorf("the log does not say that the policy is broken: %q", last.Failure)
	}
	w.write(user, "version: 1\nautoApprove: true\nrules:\n  - allow: exec(ls)\n")
	if got := w.bash("ls"); got.effect != "allow" {
		t.Errorf("autoApprove: %+v", got)
	}
	if got := w.bash("pwd"); got.effect != "silent" {
		t.Errorf("autoApprove speaks for the default: %+v", got)
	}
	// A project can tighten, and not loosen.
	w.write("proj/.umpire.yaml", "version: 1\nrules:\n  - deny: exec(date)\n  - allow: exec(sudo *)\n  - allow: delete(~)\n")
	if got := w.bash("date"); got.effect != "deny" {
		t.Errorf("a project's deny: %+v", got)
	}
	if got := w.bash("rm -rf ~"); got.effect != "deny" {
		t.Errorf("a project's allow: %+v", got)
	}
}

// A payload without a call is answered by defaultAction, and the log says so. What may
// have been a call asks at least.
func TestFailures(t *testing.T) {
	huge := `{"hook_event_name":"PreToolUse","cwd":"/w","tool_name":"Bash","tool_input":{"command":"` + strings.Repeat("x", hook.MaxPayload) + `"}}`
	for _, tt := range []struct {
		name, payload string
		call          bool
	}{
		{"empty", "", false},
		{"a text", `"rm -rf ~"`, false},
		{"an array", `[1,2,3]`, false},
		{"no call", `{"cwd":"/w"}`, false},
		{"no tool", `{"hook_event_name":"PreToolUse","cwd":"/w"}`, true},
		{"garbage", "\x00\xff not JSON", true},
		{"cut off", `{"hook_event_name":"PreToolUse","cwd":"/w"`, true},
		{"huge", huge, true},
		{"huge behind an event", `{"hook_event_name":"Stop"}` + strings.Repeat(" ", hook.MaxPayload) + `{"tool_name":"Bash","tool_input":{"command":"ls"}}`, true},
		{"deep", strings.Repeat("[", 200000), true},
	} {
		for _, action := range []string{"allow", "ask", "deny"} {
			w := newWorld(t)
			w.write(".config/umpire/policy.yaml", "version: 1\ndefaultAction: "+action+"\n")
			effect := action
			if action == "allow" && tt.call {
				effect = "ask"
			}
			said := effect
			if effect == "allow" {
				said = "silent"
			}
			got := w.ask(strings.NewReader(tt.payload))
			if got.effect != said {
				t.Errorf("%s with defaultAction %s: %+v", tt.name, action, got)
			}
			passes := effect == "allow"
			if strings.Contains(got.stderr, "runs unjudged") != passes {
				t.Errorf("%s with defaultAction %s: standard error has %q", tt.name, action, got.stderr)
			}
			if events := w.log(); len(events) != 1 || events[0].Failure == "" || events[0].Effect != effect || (events[0].Data[audit.Unjudged] != "") != passes {
				t.Errorf("%s with defaultAction %s: the log has %+v", tt.name, action, events)
			}
		}
	}
}

// A payload that some byte has broken is no way past the rules: under every client's name
// it is denied if the call that is left in it is, and asks or is denied otherwise.
func TestDamagedPayloads(t *testing.T) {
	const (
		denied = `{"tool_name":"Bash","tool_input":{"command":"rm -rf ~"},"cwd":"/w"}`
		fine   = `{"tool_name":"Bash","tool_input":{"command":"ls"},"cwd":"/w"}`
	)
	u16 := []byte{0xff, 0xfe}
	for _, c := range []byte(denied) {
		u16 = append(u16, c, 0)
	}
	for _, tt := range []struct {
		name, payload, want string
	}{
		{"cut", `{"tool_name":"Bash","tool_input":{"command":"rm -rf ~"},`, "deny"},
		{"cut in the command", `{"tool_name":"Bash","tool_input":{"command":"rm -rf ~`, "deny"},
		{"cut in a document in a text", `{"tool_name":"Bash","tool_input":"{\"command\":\"rm -rf ~`, "deny"},
		{"a document in a text, cut", `{"tool_name":"Bash","tool_input":"{\"command\":\"rm -rf ~"}`, "deny"},
		{"without its first byte", denied[1:], "deny"},
		{"a quote lost", strings.Replace(denied, `Bash"`, `Bash?`, 1), "deny"},
		{"a colon lost", strings.Replace(denied, `input":`, `input"?`, 1), "deny"},
		{"a comma lost", strings.Replace(denied, `,`, `;`, 1), "deny"},
		{"not UTF-8", strings.Replace(denied, "Bash", "Bash\xff", 1), "deny"},
		{"UTF-16", string(u16), "deny"},
		{"NUL in front", "\x00" + denied, "deny"},
		{"NUL in a text", strings.Replace(denied, "rm -rf ~", "rm -rf ~ \x00", 1), "deny"},
		{"garbage in front", "warning: x\n" + denied, "deny"},
		{"garbage behind", denied + "]}garbage", "deny"},
		{"a call behind a call", fine + denied, "deny"},
		{"a call behind an event", `{"hook_event_name":"Stop"}` + denied, "deny"},
		{"the command twice", `{"tool_name":"Bash","tool_input":{"command":"rm -rf ~","command":"ls"},"cwd":"/w"}`, "deny"},
		{"the command three times", `{"tool_name":"Bash","tool_input":{"command":"ls","command":"rm -rf ~","command":"ls"},"cwd":"/w"}`, "deny"},
		{"the command twice, one escaped", `{"tool_name":"Bash","tool_input":{"command":"rm -rf ~","comm\u0061nd":"ls"},"cwd":"/w"}`, "deny"},
		{"the event twice", `{"hook_event_name":"PreToolUse","hook_event_name":"Stop",` + denied[1:], "deny"},
		{"nested too deep", `{"x":` + strings.Repeat(`[{"a":`, 20000) + strings.Repeat("}]", 20000) + `,` + denied[1:], "deny"},
		{"harmless, cut", fine[:len(fine)-1], "ask"},
		{"harmless, not UTF-8", strings.Replace(fine, "ls", "ls \xff", 1), "ask"},
		{"harmless, twice", strings.Replace(fine, `"cwd"`, `"tool_name":"Bash","cwd"`, 1), "ask"},
		{"harmless, and more", fine + "x", "ask"},
	} {
		w := newWorld(t)
		if got := w.ask(strings.NewReader(tt.payload)); got.effect != tt.want {
			t.Errorf("%s: %+v", tt.name, got)
		}
		if e := w.log()[0]; e.Failure == "" || e.Data["damage"] == "" {
			t.Errorf("%s: the log has %+v", tt.name, e)
		}
	}
	// No question waits for a person to approve a call that nobody knows.
	w := newWorld(t)
	for _, c := range clients.All() {
		for _, payload := range []string{denied[:len(denied)-1], fine[:len(fine)-1], fine[:20], "\xff"} {
			cmd := w.command(c.Name)
			cmd.Stdin = strings.NewReader(payload)
			out, err := cmd.Output()
			if cmd.ProcessState.ExitCode() == 0 && !strings.Contains(string(out), "umpire ") {
				t.Errorf("%s lets %q pass: %q, %v", c.Name, payload, out, err)
			}
		}
	}
	if found, _ := filepath.Glob(filepath.Join(w.home, ".local/state/umpire/questions/*")); len(found) > 0 {
		t.Errorf("questions: %q", found)
	}
}

// A damaged prompt is stopped where prompts are looked at: what follows the damage is not seen.
func TestDamagedPrompt(t *testing.T) {
	w := newWorld(t)
	for _, guard := range []bool{false, true} {
		w.write(".config/umpire/policy.yaml", fmt.Sprintf("version: 1\nguard:\n  prompts: %v\n", guard))
		cmd := w.command("claude")
		cmd.Stdin = strings.NewReader(`{"hook_event_name":"UserPromptSubmit","session_id":"s","cwd":"` + w.dir + `","prompt":"hello`)
		out, err := cmd.Output()
		if stopped := strings.Contains(string(out), "could not judge this prompt"); stopped != guard {
			t.Errorf("guard %v: %s, %v", guard, out, err)
		}
	}
}

// A broken event that is no call stops nothing.
func TestDamagedEventsPass(t *testing.T) {
	w := newWorld(t)
	for _, payload := range []string{
		`{"hook_event_name":"SessionStart","cwd":"` + w.dir + `"`,
		`{"hook_event_name":"Stop","cwd":"/w"}}`,
		`{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf ~"},"tool_response":{"stdout":"\xff`,
		`{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":{"stdout":"` + strings.Repeat("x", hook.MaxPayload) + `"}}`,
	} {
		if got := w.ask(strings.NewReader(payload)); got.effect != "silent" || got.stderr != "" {
			t.Errorf("%.80s: %+v", payload, got)
		}
	}
}

// What a user's broken policy leaves unjudged is told as well, and what the last good one
// still judges is not.
func TestBrokenPolicyIsTold(t *testing.T) {
	w := newWorld(t)
	const user = ".config/umpire/policy.yaml"
	w.write(user, "version: 1\nrulez: []\nmodus: x\n")
	got := w.bash("ls")
	if got.effect != "silent" || !strings.Contains(got.stderr, "not in force") || !strings.Contains(got.stderr, "(and 1 more)") || strings.Contains(got.stderr, `\n`) {
		t.Errorf("%+v", got)
	}
	if events := w.log(); events[len(events)-1].Data[audit.Unjudged] == "" {
		t.Errorf("the log has %+v", events)
	}
	w.write(user, "version: 1\nrules:\n  - ask: exec(ls)\n")
	if got := w.bash("pwd"); got.stderr != "" {
		t.Errorf("%+v", got)
	}
	w.write(user, "version: 1\nrulez: []\n")
	if got := w.bash("pwd"); got.effect != "silent" || got.stderr != "" {
		t.Errorf("%+v", got)
	}
}

// The least that a payload can be is judged under every client's name.
func TestLeastPayload(t *testing.T) {
	w := newWorld(t)
	for _, c := range clients.All() {
		cmd := w.command(c.Name)
		cmd.Stdin = strings.NewReader(`{"tool_name":"Bash","tool_input":{"command":"rm -rf /"},"cwd":"` + w.dir + `"}`)
		var out, errs strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &errs
		err := cmd.Run()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		if !strings.Contains(errs.String(), "umpire denies this") || cmd.ProcessState.ExitCode() == 0 && out.Len() == 0 {
			t.Errorf("%s: exit %d, %q, %q", c.Name, cmd.ProcessState.ExitCode(), out.String(), errs.String())
		}
	}
	for _, e := range w.log() {
		if e.Effect != "deny" || e.Failure != "" || e.Data["lacks"] == "" {
			t.Errorf("%+v", e)
		}
	}
}

func TestOtherEventsPass(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"PostToolUse", "SessionStart", "Stop", "Invented"} {
		if got := w.ask(strings.NewReader(`{"hook_event_name":"` + name + `","cwd":"` + w.dir + `"}`)); got.effect != "silent" {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestUsage(t *testing.T) {
	w := newWorld(t)
	for _, tt := range []struct {
		args []string
		exit int
	}{{nil, 2}, {[]string{"claude", "more"}, 2}, {[]string{"--client=claude"}, 2}, {[]string{""}, 2}} {
		cmd := w.command(tt.args...)
		var errs strings.Builder
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err == nil || cmd.ProcessState.ExitCode() != tt.exit || len(out) != 0 || !strings.Contains(errs.String(), "usage: umpire-hook CLIENT") {
			t.Errorf("%q: exit %d, %q", tt.args, cmd.ProcessState.ExitCode(), out)
		}
	}
	if out, err := w.command("--help").Output(); err != nil || !strings.Contains(string(out), "Clients: claude") {
		t.Errorf("--help: %v, %q", err, out)
	}
	if out, err := w.command("--version").Output(); err != nil || !strings.HasPrefix(string(out), "umpire version ") {
		t.Errorf("--version: %v, %q", err, out)
	}
}

// Chaos: 64 hooks at once, 800 calls, every eighth killed in the middle. Nothing that was
// acknowledged is lost or recorded twice, no call hangs, and the chain verifies. What needs more
// writes than calls is for internal/audit to test.
func TestChaos(t *testing.T) {
	const calls, atOnce = 800, 64
	w := newWorld(t)
	program := w.command("claude").Path
	type result struct {
		id   string
		done bool
	}
	jobs := make(chan int)
	results := make(chan result, calls)
	var wg sync.WaitGroup
	for range atOnce {
		wg.Go(func() {
			for i := range jobs {
				id := fmt.Sprintf("call-%05d", i)
				cmd := exec.Command(program, "claude")
				cmd.Env, cmd.Dir = []string{"HOME=" + w.home}, w.dir
				cmd.Stdin = strings.NewReader(w.payload(id, "rm -rf build && echo "+id))
				start := time.Now()
				if err := cmd.Start(); err != nil {
					t.Error(err)
					continue
				}
				if i%8 == 0 {
					// At some moment of its short life; which one is not for us to choose.
					timer := time.AfterFunc(time.Duration(i%9)*time.Millisecond, func() { _ = cmd.Process.Signal(syscall.SIGKILL) })
					err := cmd.Wait()
					timer.Stop()
					results <- result{id, err == nil}
					continue
				}
				if err := cmd.Wait(); err != nil {
					t.Errorf("%s: %v", id, err)
				}
				if took := time.Since(start); took > hook.RulesTime+time.Minute {
					t.Errorf("%s took %s", id, took)
				}
				results <- result{id, true}
			}
		})
	}
	for i := range calls {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
	close(results)
	// Lines that waited for the lock too long lie aside until the next appends, which each take some.
	for spills := 1; spills > 0; {
		w.bash("ls")
		r, err := audit.Verify(filepath.Join(w.home, ".local", "state", "umpire"))
		if err != nil {
			t.Fatal(err)
		}
		spills = r.Spills
	}
	seen := map[string]int{}
	for _, e := range w.log() {
		seen[e.Action]++
	}
	killed := 0
	for r := range results {
		if !r.done {
			killed++
		}
		if n := seen[r.id]; n > 1 || r.done && n != 1 {
			t.Errorf("%s (acknowledged: %v) is in the log %d times", r.id, r.done, n)
		}
	}
	if killed == 0 {
		t.Error("no call was killed: this test looked at nothing")
	}
	t.Logf("%d calls, %d killed", calls, killed)
}

// The adversary is whoever can put a file in the place of the cache's folder.
func TestSpoiledCache(t *testing.T) {
	w := newWorld(t)
	w.write(".config/umpire/policy.yaml", "version: 1\ndefaultAction: deny\nrules:\n  - deny: exec(ls)\n")
	w.write(".cache", "a file")
	if got := w.bash("ls"); got.effect != "deny" {
		t.Errorf("no folder for the cache: %+v", got)
	}
}

// A denial is also said by the exit status, to a client that closed its pipes, and so is a
// question: without its document, it would be silence, which lets the call run.
func TestClosedPipes(t *testing.T) {
	w := newWorld(t)
	for _, command := range []string{"rm -rf ~", "sudo id"} {
		cmd := w.command("claude")
		cmd.Stdin = strings.NewReader(w.payload("t", command))
		r, wr, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		defer wr.Close()
		cmd.Stdout, cmd.Stderr = wr, wr
		var exit *exec.ExitError
		if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != 2 {
			t.Errorf("%s: %v, want exit status 2", command, err)
		}
	}
}

// What is stopped and cannot be recorded says so; what passes is not held up by it.
func TestUnrecorded(t *testing.T) {
	w := newWorld(t)
	w.write(".local/state/umpire", "no folder")
	for _, command := range []string{"rm -rf ~", "systemctl stop nginx"} {
		if s := w.bash(command); s.effect == "silent" || !strings.Contains(s.reason, "not in the audit log") || !strings.Contains(s.reason, "umpire doctor") {
			t.Errorf("%s: %+v", command, s)
		}
	}
	if s := w.bash("ls"); s.effect != "silent" || !strings.Contains(s.stderr, "not in the audit log") {
		t.Errorf("%+v", s)
	}
}
