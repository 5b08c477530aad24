package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A program in a box as people have it: its network is the proxy, its changes wait.
func TestRunAndChanges(t *testing.T) {
	if !free(t) {
		return
	}
	bin := program(t)
	dir := project(t)
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "reached") }))
	defer up.Close()
	policy := filepath.Join(filepath.Dir(dir), ".config", "umpire", "policy.yaml")
	for path, text := range map[string]string{policy: "version: 1\nrules:\n  - allow: network(127.0.0.1:*)\n  - deny: network(bad.example)\n", filepath.Join(dir, "a.txt"): "old\n", filepath.Join(dir, "gone"): "x\n", filepath.Join(filepath.Dir(dir), "secret"): "s\n"} {
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
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	env := append(os.Environ(), "HOME="+filepath.Dir(dir))
	gw := exec.CommandContext(ctx, bin, "serve", "--listen", "127.0.0.1:0", "--proxy", "127.0.0.1:0")
	gw.Dir, gw.Env = dir, env
	log, err := gw.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := gw.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = gw.Process.Signal(syscall.SIGTERM); _ = gw.Wait() }()
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
	umpire := func(want int, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(ctx, bin, args...)
		cmd.Dir, cmd.Env = dir, append(env, "UMPIRE_SERVER=http://"+at["all"])
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != want {
			t.Fatalf("%v: %v\n%s", args, err, out)
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
exit 5`
	out := umpire(5, "run", "--proxy", at["proxy"], "--", "bash", "-c", script, strings.TrimPrefix(up.URL, "http://"))
	if !strings.Contains(out, "reached") || !strings.Contains(out, "umpire denies this") || strings.Contains(out, "direct") || strings.Contains(out, "s\n\n") {
		t.Errorf("the program: %s", out)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "a.txt")); string(b) != "old\n" {
		t.Errorf("the project was changed: %s", b)
	}
	if out := umpire(0, "changes"); out != "M  a.txt\nA  d\nA  d/b.txt\nD  gone\n   and 1 paths in .git, which are not written\n" {
		t.Errorf("changes: %s", out)
	}
	if out := umpire(0, "changes", "show", "a.txt"); !strings.Contains(out, "-old\n+new\n") || strings.Contains(out, "b.txt") {
		t.Errorf("show: %s", out)
	}
	if err := os.WriteFile(filepath.Join(dir, "gone"), []byte("mine\n"), 0o644); err != nil { // meanwhile
		t.Fatal(err)
	}
	if out := umpire(0, "changes", "apply"); !strings.Contains(out, "gone stays as it is") || !strings.Contains(out, "3 changes written") {
		t.Errorf("apply: %s", out)
	}
	for name, want := range map[string]string{"a.txt": "new\n", "d/b.txt": "made\n", "gone": "mine\n"} {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != want {
			t.Errorf("%s: %q, %v", name, b, err)
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
