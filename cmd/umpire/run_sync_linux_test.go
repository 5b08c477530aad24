package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/cmd/umpire/queue"
)

// syncWorld is a project with a gateway, and a program in a box.
type syncWorld struct {
	t         *testing.T
	ctx       context.Context //nolint:containedctx // one test's
	bin, dir  string
	env       []string
	at        map[string]string
	out       runOutput
	cmd       *exec.Cmd
	in        io.WriteCloser
	serveArgs []string
}

// runOutput is what a program has printed so far.
type runOutput struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (p *runOutput) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.b.Write(b)
}

func (p *runOutput) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.b.String()
}

func newSyncWorld(t *testing.T, policy string, files map[string]string, serve ...string) *syncWorld {
	t.Helper()
	w := &syncWorld{t: t, bin: program(t), dir: newProject(t), serveArgs: serve}
	files["../.config/umpire/policy.yaml"] = policy
	for name, text := range files {
		w.put(name, text)
	}
	var cancel context.CancelFunc
	w.ctx, cancel = context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	w.env = append(os.Environ(), "HOME="+filepath.Dir(w.dir))
	w.at = servedAt(w.ctx, t, w.bin, w.dir, w.env, serve...)
	w.env = append(w.env, "UMPIRE_SERVER=http://"+w.at["all"])
	return w
}

func (w *syncWorld) put(name, text string) {
	w.t.Helper()
	at := filepath.Join(w.dir, name)
	err := os.MkdirAll(filepath.Dir(at), 0o755)
	if err == nil {
		err = os.WriteFile(at, []byte(text), 0o644)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *syncWorld) has(name string) string {
	data, _ := os.ReadFile(filepath.Join(w.dir, name))
	return string(data)
}

// until waits until something holds.
func (w *syncWorld) until(what string, f func() bool) {
	w.t.Helper()
	for !f() {
		select {
		case <-w.ctx.Done():
			w.t.Fatalf("waited for %s; the run printed %s", what, &w.out)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// umpire runs a command to its end.
func (w *syncWorld) umpire(want int, args ...string) string {
	w.t.Helper()
	cmd := exec.CommandContext(w.ctx, w.bin, args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != want {
		w.t.Fatalf("umpire %v: want exit status %d: %v\n%s", args, want, err, out)
	}
	return string(out)
}

// approve approves a request as a script does: the very one that it looked at.
func (w *syncWorld) approve(want int, id string) {
	w.t.Helper()
	w.umpire(want, "queue", "approve", id, "--digest", digestOf(w.t, w.umpire(0, "queue", "show", id, "--json")))
}

// digestOf reads the digest of a request, as the gateway shows it.
func digestOf(t *testing.T, shown string) string {
	t.Helper()
	var q queue.Request
	if err := json.Unmarshal([]byte(shown), &q); err != nil || q.Digest == "" {
		t.Fatalf("question as JSON: want one with a digest: %v: %s", err, shown)
	}
	return q.Digest
}

// start starts a script in a box. It goes on by a line that is sent.
func (w *syncWorld) start(script string, flags ...string) {
	w.t.Helper()
	args := append(append([]string{"run", "--proxy", w.at["proxy"]}, flags...), "--", "bash", "-c", script)
	w.cmd = exec.CommandContext(w.ctx, w.bin, args...)
	w.cmd.Dir, w.cmd.Env, w.cmd.Stdout, w.cmd.Stderr = w.dir, w.env, &w.out, &w.out
	var err error
	if w.in, err = w.cmd.StdinPipe(); err == nil {
		err = w.cmd.Start()
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *syncWorld) send() {
	w.t.Helper()
	if _, err := io.WriteString(w.in, "go\n"); err != nil {
		w.t.Fatal(err)
	}
}

// step lets the script go on until it has printed a word. umpire stands still meanwhile: when
// it looks, all that the script does in between is there, and no file that is half written.
func (w *syncWorld) step(word string) {
	w.t.Helper()
	w.until("the script to be ready", func() bool { return strings.Contains(w.out.String(), "ready\n") })
	w.signal(syscall.SIGSTOP)
	w.send()
	w.until(word, func() bool { return strings.Contains(w.out.String(), word+"\n") })
	w.signal(syscall.SIGCONT)
}

func (w *syncWorld) signal(s syscall.Signal) {
	w.t.Helper()
	if err := w.cmd.Process.Signal(s); err != nil {
		w.t.Fatal(err)
	}
}

func (w *syncWorld) wait() string {
	w.t.Helper()
	if err := w.cmd.Wait(); err != nil {
		w.t.Fatalf("the run ended: %v: %s", err, &w.out)
	}
	return w.out.String()
}

// pending are the questions that wait, by their title.
func (w *syncWorld) pending() map[string]string {
	w.t.Helper()
	var doc struct {
		Pending []struct{ ID, Action string } `json:"pending"`
	}
	if err := json.Unmarshal([]byte(w.umpire(0, "queue", "--json")), &doc); err != nil {
		w.t.Fatal(err)
	}
	out := map[string]string{}
	for _, q := range doc.Pending {
		out[q.Action] = q.ID
	}
	return out
}

// While a program runs, what rules allow is in the project at once, what they leave open is
// a question, of which the newest counts, and what they deny stays out.
func TestRunApplyByRules(t *testing.T) {
	if !free(t) {
		return
	}
	w := newSyncWorld(t, "version: 1\nmodes: {filesystem: approve-each}\nrules:\n  - allow: [write(src/**), delete(src/**)]\n  - deny: write(no/**)\n  - allow: write(.github/**)\n",
		map[string]string{"src/a": "old\n", "src/b": "gone\n", "top": "old\n", "both": "old\n"})
	w.start(`echo ready; read x; echo new > src/a; rm src/b; mkdir -p src/new/deep; echo 1 > src/new/deep/c; mkdir no; echo no > no/x
echo one > top; echo box > both; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit; ln -s /etc/passwd src/out; mkfifo src/pipe; echo made
read x; cat src/a top; echo two > top; echo again > src/a; echo changed; read x; cat top; echo last > src/last; read x`, "--apply", "rules")
	w.step("made")
	w.until("what rules allow", func() bool { return w.has("src/a") == "new\n" && w.has("src/new/deep/c") == "1\n" })
	w.until("a deletion", func() bool { _, err := os.Lstat(filepath.Join(w.dir, "src/b")); return err != nil })
	w.until("questions", func() bool { p := w.pending(); return p["write top"] != "" && p["write both"] != "" })
	first := w.pending()["write top"]
	if out := w.umpire(0, "queue", "show", first); !strings.Contains(out, "-old\n+one\n") {
		t.Errorf("shown: %s", out)
	}
	w.put("both", "mine\n") // meanwhile
	w.approve(1, w.pending()["write both"])
	w.step("changed")
	w.until("a newer question", func() bool { id := w.pending()["write top"]; return id != "" && id != first })
	w.until("what is written again", func() bool { return w.has("src/a") == "again\n" })
	w.approve(1, first) // the older one is no question any more
	w.approve(0, w.pending()["write top"])
	w.until("what is approved", func() bool { return w.has("top") == "two\n" })
	w.send()
	w.until("what the box has", func() bool { return w.has("src/last") == "last\n" })
	w.send()
	out := w.wait()
	if !strings.Contains(out, "new\none\n") || !strings.Contains(out, "two\n") {
		t.Errorf("the box does not see its own: %s", out)
	}
	if !strings.Contains(out, "applied by your rules and answers, 1 refused, 0 waiting") {
		t.Errorf("told: %s", out)
	}
	if w.has("both") != "mine\n" || w.has("no/x") != "" || w.has(".git/hooks/pre-commit") != "" {
		t.Error("what was not let through is written")
	}
	for _, name := range []string{"src/out", "src/pipe"} {
		if _, err := os.Lstat(filepath.Join(w.dir, name)); err == nil {
			t.Errorf("%s is written", name)
		}
	}
	list := w.umpire(0, "changes")
	for _, want := range []string{"M  both  (conflict", "A  no/x", "src/pipe  (not written"} {
		if !strings.Contains(list, want) {
			t.Errorf("no %q in %s", want, list)
		}
	}
	if strings.Contains(list, "top") || strings.Contains(list, "src/a") || strings.Contains(list, "src/last") {
		t.Errorf("what is written is listed: %s", list)
	}
	// The three versions: before, the project's, and the program's.
	if out := w.umpire(0, "changes", "show", "both"); !strings.Contains(out, "changes in the project:") || !strings.Contains(out, "-old\n+mine\n") || !strings.Contains(out, "-old\n+box\n") {
		t.Errorf("conflict: %s", out)
	}
	if out := w.umpire(0, "token", "list"); strings.Contains(out, "run ") {
		t.Errorf("a token is left: %s", out)
	}
}

// Rules decide by what a change does: files that others obey are asked about although rules
// allow the folder.
func TestRunApplyAsksForWhatOthersObey(t *testing.T) {
	if !free(t) {
		return
	}
	w := newSyncWorld(t, "version: 1\nmodes: {filesystem: allow-all}\n", map[string]string{})
	w.start("echo ready; read x; mkdir -p .github/workflows .claude .husky; echo a > .github/workflows/ci.yml; echo b > .claude/settings.json; echo c > .npmrc; echo d > plain; echo e > .vscode-x; echo made; read x", "--apply", "rules")
	w.step("made")
	w.until("the plain file", func() bool { return w.has("plain") == "d\n" })
	w.until("questions", func() bool {
		p := w.pending()
		return p["write .github/workflows/ci.yml"] != "" && p["mkdir .husky"] != "" && p["write .npmrc"] != ""
	})
	if w.has(".github/workflows/ci.yml")+w.has(".claude/settings.json")+w.has(".npmrc") != "" {
		t.Error("written without a question")
	}
	w.send()
	if out := w.wait(); !strings.Contains(out, "2 changes applied by your rules and answers, 0 refused, 4 waiting") {
		t.Errorf("output: want 2 applied, 0 refused, 4 waiting:\n%s", out)
	}
	// The gateway goes on, and so do its questions.
	w.approve(0, w.pending()["write .npmrc"])
	w.until("what is approved later", func() bool { return w.has(".npmrc") == "c\n" })
	if out := w.umpire(0, "changes"); strings.Contains(out, ".npmrc") {
		t.Errorf("listed: %s", out)
	}
}

// A gateway of another project changes nothing here.
func TestRunApplyOfAnotherProject(t *testing.T) {
	if !free(t) {
		return
	}
	w := newSyncWorld(t, "version: 1\n", map[string]string{"other/.git/HEAD": "x"})
	w.dir = filepath.Join(w.dir, "other")
	if out := w.umpire(1, "run", "--proxy", w.at["proxy"], "--apply", "rules", "--", "true"); !strings.Contains(out, "another project") {
		t.Errorf("a proxy of another project: want a refusal:\n%s", out)
	}
	w.umpire(64, "run", "--apply", "perhaps", "--", "true")
}

// At the end of a run the person who started it is asked.
func TestRunOffersReview(t *testing.T) {
	if !free(t) {
		return
	}
	w := newSyncWorld(t, "version: 1\n", map[string]string{"a": "old\n"})
	cmd := exec.CommandContext(w.ctx, w.bin, "run", "--proxy", w.at["proxy"], "--", "bash", "-c", "echo new > a")
	cmd.Dir, cmd.Env = w.dir, w.env
	out := openConsole(t, cmd)
	out.expect("Review the changes now?")
	out.typed("y\n")
	out.expect("Apply this hunk?")
	out.typed("y\n")
	out.expect("1 change applied")
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if w.has("a") != "new\n" {
		t.Errorf("a: got %q, want %q", w.has("a"), "new\n")
	}
	w.umpire(0, "run", "--proxy", w.at["proxy"], "--apply", "never", "--", "bash", "-c", "echo newer > a")
	if w.has("a") != "new\n" {
		t.Errorf("a after the second run: got %q, want %q", w.has("a"), "new\n")
	}
}
