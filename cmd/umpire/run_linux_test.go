package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/cmd/umpire/run"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/box"
	"github.com/umpire-dev/umpire/internal/gatewayclient"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/sandbox"
	"github.com/umpire-dev/umpire/internal/shim"
)

// A program in a box as people have it: its network is the proxy, its changes wait.
func TestRunAndChanges(t *testing.T) {
	if !free(t) {
		return
	}
	bin := program(t)
	dir := newProject(t)
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "reached") }))
	defer up.Close()
	policy := filepath.Join(filepath.Dir(dir), ".config", "umpire", "policy.yaml")
	for path, text := range map[string]string{policy: "version: 1\nrules:\n  - allow: network(127.0.0.1:*)\n  - deny: network(bad.example)\n", filepath.Join(dir, "a.txt"): "old\n", filepath.Join(dir, "gone"): "x\n", filepath.Join(dir, "old", "a"): "x\n", filepath.Join(dir, "nest", ".git", "config"): "x\n", filepath.Join(filepath.Dir(dir), "secret"): "s\n"} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-time.Hour) // from before the run
	for _, name := range []string{"a.txt", "gone"} {
		if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	env := append(os.Environ(), "HOME="+filepath.Dir(dir))
	at := servedAt(ctx, t, bin, dir, env)
	umpire := func(want int, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(ctx, bin, args...)
		cmd.Dir, cmd.Env = dir, append(env, "UMPIRE_SERVER=http://"+at["all"])
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != want {
			t.Fatalf("umpire %v: want exit status %d: %v\n%s", args, want, err, out)
		}
		return string(out)
	}
	const script = `
get() {
	exec 3<>/dev/tcp/127.0.0.1/3701
	printf 'GET http://%s/ HTTP/1.1\r\nHost: %s\r\nConnection: close\r\nProxy-Authorization: Basic %s\r\n\r\n' "$1" "$1" "$(printf 's:%s' "$UMPIRE_TOKEN" | base64 -w0)" >&3
	cat <&3
}
get "$0"; echo
get bad.example; echo
(exec 3<>/dev/tcp/${0/:/\/}) 2>/dev/null && echo direct
cat ~/secret 2>/dev/null
echo new > a.txt; rm gone; mkdir d; echo made > d/b.txt; echo hook > .git/config
rm -r old nest; ln -s ../../secret out; echo x > 'b\c'
mkdir -p .github/workflows; echo ci > .github/workflows/ci.yml; echo words > AGENTS.md
ls -A ~/.local/state/umpire ~/.config/umpire 2>/dev/null
exit 5`
	out := umpire(5, "run", "--proxy", at["proxy"], "--read-only", filepath.Dir(dir)+"/.local", "--read-only", policy, "--", "bash", "-c", script, strings.TrimPrefix(up.URL, "http://"))
	if !strings.Contains(out, "reached") || !strings.Contains(out, "umpire denies this") || strings.Contains(out, "direct") || strings.Contains(out, "operator.token") || strings.Contains(out, "policy.yaml") || strings.Contains(out, "s\n\n") {
		t.Errorf("the program: %s", out)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "a.txt")); string(b) != "old\n" {
		t.Errorf("the project was changed: %s", b)
	}
	if out := strings.ReplaceAll(umpire(0, "changes"), run.SensitiveText, "OBEYED"); out != "A  .github/\nA  .github/workflows/  (OBEYED)\nA  .github/workflows/ci.yml  (OBEYED)\nA  AGENTS.md  (OBEYED)\nM  a.txt\nA  b\\c  (not written: its name is a path on other systems)\nA  d/\nA  d/b.txt\nD  gone\nD  nest  (not written: it holds a file of git or umpire)  and 2 paths in it\nD  old  and 1 path in it\nA  out -> ../../secret  (not written: it leads out of the project)\n   and 1 path in .git, which umpire does not write\n" {
		t.Errorf("changes: %s", out)
	}
	if out := umpire(0, "changes", "show", "a.txt"); !strings.Contains(out, "-old\n+new\n") || strings.Contains(out, "b.txt") {
		t.Errorf("show: %s", out)
	}
	if err := os.WriteFile(filepath.Join(dir, "gone"), []byte("mine\n"), 0o644); err != nil { // meanwhile
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "old", "mine"), []byte("mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	locks, err := filepath.Glob(filepath.Join(filepath.Dir(dir), ".local", "state", "umpire", "runs", "*", "lock"))
	if err != nil || len(locks) != 1 {
		t.Fatalf("locks: got %q, %v, want one", locks, err)
	}
	lock, err := os.Open(locks[0])
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil { // as if the program still ran
		t.Fatal(err)
	}
	for _, command := range []string{"apply", "discard"} {
		if out := umpire(1, "changes", command); !strings.Contains(out, "still running") {
			t.Errorf("%s while the program runs: %s", command, out)
		}
	}
	lock.Close()
	if out := umpire(1, "changes", "apply"); !strings.Contains(out, "gone was not changed") || !strings.Contains(out, "7 changes applied") ||
		!strings.Contains(out, "old was not changed") || !strings.Contains(out, "nest was not changed") || !strings.Contains(out, "out was not changed") {
		t.Errorf("apply: %s", out)
	}
	for name, want := range map[string]string{"a.txt": "new\n", "d/b.txt": "made\n", "gone": "mine\n", "old/a": "x\n", "old/mine": "mine\n", "nest/.git/config": "x\n"} {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != want {
			t.Errorf("%s: got %q, %v, want %q", name, b, err, want)
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, ".git", "config")); err == nil {
		t.Error("git's own file was written")
	}
	umpire(1, "changes", "show", "nowhere")
	umpire(0, "changes", "discard")
	umpire(1, "changes")
	if out := umpire(0, "token", "list"); strings.Contains(out, "run ") {
		t.Errorf("the run's token is left: %s", out)
	}
}

// servedAt starts a gateway that ends with the test, and returns its addresses.
func servedAt(ctx context.Context, t *testing.T, bin, dir string, env []string, more ...string) map[string]string {
	t.Helper()
	gw := exec.CommandContext(ctx, bin, append([]string{"serve", "--listen", "127.0.0.1:0", "--proxy", "127.0.0.1:0"}, more...)...)
	gw.Dir, gw.Env = dir, env
	log, err := gw.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := gw.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = gw.Process.Signal(syscall.SIGTERM); _ = gw.Wait() })
	at := map[string]string{}
	lines := bufio.NewScanner(log)
	for len(at) < 2 && lines.Scan() {
		if m := regexp.MustCompile(`side=(\w+) address=(127\.0\.0\.1:\d+)`).FindStringSubmatch(lines.Text()); m != nil {
			at[m[1]] = m[2]
		}
	}
	go func() {
		for lines.Scan() { // else it would wait for somebody to read
		}
	}()
	return at
}

// A signal that ends a run ends its token too, and says where its changes are.
func TestRunEndedBySignal(t *testing.T) {
	if !free(t) {
		return
	}
	bin, dir := program(t), newProject(t)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	env := append(os.Environ(), "HOME="+filepath.Dir(dir))
	at := servedAt(ctx, t, bin, dir, env)
	env = append(env, "UMPIRE_SERVER=http://"+at["all"])
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP) // nohup has the tests ignore one, and programs inherit that
	defer signal.Stop(caught)
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		cmd := exec.CommandContext(ctx, bin, "run", "--proxy", at["proxy"], "--", "bash", "-c", "echo begun; exec sleep 1000")
		cmd.Dir, cmd.Env = dir, env
		var said bytes.Buffer
		cmd.Stderr = &said
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "begun\n" {
			t.Fatalf("it began with %q, %v", line, err)
		}
		if err := cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // its status is below
		if got := cmd.ProcessState.ExitCode(); got != 128+int(s) || !strings.Contains(said.String(), s.String()) {
			t.Errorf("%v: exit status %d, want %d: %s", s, got, 128+int(s), &said)
		}
		list := exec.CommandContext(ctx, bin, "token", "list")
		list.Dir, list.Env = dir, env
		if tokens, err := list.CombinedOutput(); err != nil || strings.Contains(string(tokens), "run ") {
			t.Errorf("%v: the run's token is left, or %v: %s", s, err, tokens)
		}
	}
}

// An agent's hook decides in the box as outside, by the same policy, which nothing in the
// box can change; what it wrote down is in the user's record.
func TestRunProfile(t *testing.T) {
	if !free(t) {
		return
	}
	bin := program(t)
	dir := newProject(t)
	home := filepath.Dir(dir)
	tools := t.TempDir()
	writePrograms(t, map[string]string{
		home + "/.config/umpire/policy.yaml":   "version: 1\nrules:\n  - deny: exec(frobnicate)\n    id: mine\n",
		home + "/.config/umpire/gateway.token": "hidden-token\n",
		home + "/.claude/settings.json":        "{}\n",
		home + "/.claude/history.jsonl":        "other projects\n",
		home + "/.claude.json":                 "kept\n",
		tools + "/claude":                      "#!/bin/bash\nexec bash \"$@\"\n",
	})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	env := append(os.Environ(), "HOME="+home, "PATH="+tools+":"+os.Getenv("PATH"), "ANTHROPIC_API_KEY=a-key", "OTHER_KEY=another")
	at := servedAt(ctx, t, bin, dir, env)
	const script = `
for f in ~/.config/umpire/x.yaml ~/.config/umpire/policy.yaml ~/.cache/umpire/x ~/.local/state/umpire/believed/x ~/.claude/settings.json; do
	echo x 2>/dev/null >> $f && echo "wrote $f"
done
cat ~/.config/umpire/gateway.token ~/.claude/history.jsonl 2>/dev/null
echo more >> ~/.claude.json && cat ~/.claude.json
mkdir ~/.claude/projects && echo "session kept, key $ANTHROPIC_API_KEY$OTHER_KEY"
for word in frobnicate true; do
	echo "{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s\",\"cwd\":\"$PWD\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"$word --all\"}}" | "$0-hook" claude
	echo "$word: $?"
done`
	cmd := exec.CommandContext(ctx, bin, "run", "--proxy", at["proxy"], "--", "claude", "-c", script, bin)
	cmd.Dir, cmd.Env = dir, append(env, "UMPIRE_SERVER=http://"+at["all"])
	all, err := cmd.CombinedOutput()
	out := string(all)
	if err != nil {
		t.Fatalf("the command ended: %v\n%s", err, out)
	}
	for _, want := range []string{"umpire: run ", "allowedEndpoints: [api.anthropic.com]", "kept\nmore\n", "session kept, key a-key\n", "; rule mine)", "frobnicate: 2\n", "true: 0\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q", want)
		}
	}
	for _, no := range []string{"wrote", "hidden-token", "other projects"} {
		if strings.Contains(out, no) {
			t.Errorf("there is %q", no)
		}
	}
	if t.Failed() {
		t.Log(out)
	}
	if b, _ := os.ReadFile(home + "/.claude.json"); string(b) != "kept\n" {
		t.Errorf("the file that was copied: %s", b)
	}
	n := 0
	for r, err := range audit.Read(home+"/.local/state/umpire", audit.Query{Kind: audit.Decision, Text: "frobnicate"}) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; r.Effect != "deny" || r.Data["run"] == "" {
			t.Errorf("recorded: %s of %s", r.Effect, r.Data["run"])
		}
	}
	if n != 1 {
		t.Errorf("%d decisions recorded, want 1", n)
	}
}

// A policy that is written for the first time while a box runs is seen by the hook in it: the
// folder is shown as it is, also where there was none.
func TestRunShowsThePolicyFolder(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, k := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(k, "")
	}
	dir := filepath.Join(home, "proj")
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	r := &box.Run{ID: "x"}
	r.Config.State, r.Config.Home, r.Config.Dir = filepath.Join(home, "run"), home, dir
	at := project.Project{Dir: dir, Workspace: dir, Home: home}
	if err := errors.Join(box.UseProfile(r, sandbox.FindProfile("claude"), at), box.ReadyHook(t.Context(), r, at)); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(home, ".config", "umpire")
	for _, m := range r.Config.Shown {
		if info, err := os.Stat(m.From); m.To == config && (m.Writable || err != nil || !info.IsDir() || strings.HasPrefix(m.From, r.Config.State)) {
			t.Errorf("shown is %+v, %v", m, err)
		}
	}
	if err := os.WriteFile(filepath.Join(config, "policy.yaml"), []byte("version: 1\n"), 0o600); err != nil {
		t.Error(err)
	}
}

// The record of a run lies where the program could write: what is no file is not read.
func TestKeepRecordReadsFiles(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	r := &box.Run{ID: "x"}
	r.Config.State = t.TempDir()
	record := filepath.Join(r.Config.State, "record")
	if err := os.Mkdir(record, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(record, "audit.jsonl"), 0o600); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- box.KeepRecord(r) }()
	select {
	case err := <-done:
		if err == nil || !strings.Contains(err.Error(), "is not a file") {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it waits for a pipe")
	}
}

// A gateway that is only busy is not taken for none.
func TestAlive(t *testing.T) {
	busy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		time.Sleep(2 * time.Second) // the pause is what is tested
	}))
	defer busy.Close()
	if !gatewayclient.Alive(t.Context(), busy.URL) {
		t.Error("it is taken for none")
	}
	if gatewayclient.Alive(t.Context(), "http://127.0.0.1:1") {
		t.Error("there is none")
	}
}

// A run that does not start leaves nothing behind.
func TestRunThatDoesNotStart(t *testing.T) {
	bin := program(t)
	dir := newProject(t)
	home := filepath.Dir(dir)
	prog := filepath.Join(dir, "prog")
	if err := os.WriteFile(prog, []byte("#!/no/such/program\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "HOME="+home)
	at := servedAt(t.Context(), t, bin, dir, env)
	for _, args := range [][]string{
		{"run", "--server", "http://" + at["all"], "--proxy", at["proxy"], "--", prog},
		{"run", "--server", "http://127.0.0.1:1", "--", "true"},
	} {
		cmd := exec.CommandContext(t.Context(), bin, args...)
		cmd.Dir, cmd.Env = dir, env
		if out, err := cmd.CombinedOutput(); err == nil {
			t.Errorf("umpire %v: want a failure:\n%s", args, out)
		}
		if left, _ := filepath.Glob(filepath.Join(home, ".local/state/umpire/runs/*")); len(left) > 0 {
			t.Errorf("%v leaves %v", args, left)
		}
	}
}

// A question of the hook in a box is answered at the gateway, and what the box was refused
// is said and recorded.
func TestRunQuestionAndReport(t *testing.T) {
	if !free(t) {
		return
	}
	bin := program(t)
	dir := newProject(t)
	home := filepath.Dir(dir)
	tools := t.TempDir()
	writePrograms(t, map[string]string{
		home + "/.config/umpire/policy.yaml": "version: 1\napproval: {cannotAsk: wait}\nrules:\n  - ask: exec(frobnicate)\n    id: mine\n",
		tools + "/codex":                     "#!/bin/bash\nexec bash \"$@\"\n",
	})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	env := append(os.Environ(), "HOME="+home, "PATH="+tools+":"+os.Getenv("PATH"))
	at := servedAt(ctx, t, bin, dir, env)
	env = append(env, "UMPIRE_SERVER=http://"+at["all"])
	umpire := func(args ...string) string {
		cmd := exec.CommandContext(ctx, bin, args...)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%v: got error %v:\n%s", args, err, out)
		}
		return string(out)
	}
	const script = `
mkdir -p ~/.local/state/umpire/questions/pending
mkfifo ~/.local/state/umpire/questions/pending/aaaaaaaa.json
ln -s /etc/passwd ~/.local/state/umpire/questions/pending/bbbbbbbb.json
unshare -Ur true; curl -sS -m 20 http://169.254.169.254/latest/ || true
echo "{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s\",\"cwd\":\"$PWD\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"frobnicate --all\"}}" | "$0-hook" codex
echo "the hook: $?"`
	done := make(chan string)
	go func() {
		done <- umpire("run", "--proxy", at["proxy"], "--", "codex", "-c", "unset http_proxy HTTP_PROXY ALL_PROXY;"+script, bin)
	}()
	var id string
	for id == "" && ctx.Err() == nil {
		if m := regexp.MustCompile(`(req-\d+)\s.*frobnicate`).FindStringSubmatch(umpire("queue")); m != nil {
			id = m[1]
		}
	}
	umpire("approve", id, "--digest", digestOf(t, umpire("queue", "show", id, "--json")))
	out := <-done
	for _, want := range []string{"the hook: 0\n", "network-metadata", "umpire: refused in the sandbox: unshare (by unshare)", "umpire: refused in the sandbox: tcp 169.254.169.254:80: umpire denies this"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
	if got := umpire("audit", "search", "--effect", "deny", "--text", "unshare (by unshare)"); !strings.Contains(got, "unshare") {
		t.Errorf("recorded: %s", got)
	}
	if own := umpire("approve"); strings.Contains(own, "frobnicate") {
		t.Errorf("it is among the questions of this machine: %s", own)
	}
}

// A program that cannot be run has the status that a shell would give it.
func TestNotRun(t *testing.T) {
	home, dir := agentHome(t, "")
	put(t, filepath.Join(dir, "plain"), "text")
	put(t, filepath.Join(dir, "garbage"), "\x00\x01")
	put(t, filepath.Join(dir, "script"), "#!/no/such/program\n")
	for _, name := range []string{"garbage", "script"} {
		if err := os.Chmod(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	at := servedAt(t.Context(), t, program(t), dir, []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")})
	for _, c := range []struct {
		program string
		status  int
		says    string
	}{
		{"/no/such", shim.ExitNotFound, "/no/such: no such file"},
		{"no-such-program", shim.ExitNotFound, "not found in $PATH"},
		{"no\x1b[2Jprogram", shim.ExitNotFound, `no\x1b[2Jprogram`},
		{"./plain", shim.ExitNotRun, "permission denied"},
		{"./.", shim.ExitNotRun, "is a directory"},
		{"./garbage", shim.ExitNotRun, "exec format error"},
		{"./script", shim.ExitNotFound, "check the interpreter"},
	} {
		for _, command := range [][]string{{"run", "--profile", "none", "--server", "http://" + at["all"], "--proxy", at["proxy"], "--"}, {"exec", "--"}} {
			_, errs, status := calledIn(t, home, dir, "", append(command, c.program)...)
			if status != c.status || !strings.Contains(errs, c.says) || strings.Contains(errs, "\x1b") {
				t.Errorf("%s %q: status %d, want %d: %q", command[0], c.program, status, c.status, errs)
			}
		}
	}
}

// writePrograms writes executable files by path, with their folders.
func writePrograms(t *testing.T, files map[string]string) {
	t.Helper()
	for path, text := range files {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}
