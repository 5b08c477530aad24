//go:build unix

package live

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/live/livetest"
	"github.com/umpire-dev/umpire/internal/tools/programs"
)

func TestMain(m *testing.M) {
	livetest.Play()
	os.Exit(programs.Run(m))
}

// hookCommand is how a client calls umpire-hook, which has umpire beside it.
func hookCommand(t *testing.T) string {
	t.Helper()
	return filepath.Join(programs.Dir(t), "umpire-hook") + " claude"
}

// fakeTrial is a trial of a client of that manner. The user's cache folder is a new one.
func fakeTrial(t *testing.T, m livetest.Behavior, hook string) (*Trial, string) {
	t.Helper()
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	bin, err := livetest.Program(t.TempDir(), m)
	must(t, err)
	return &Trial{Client: Find("claude"), Bin: bin, Path: os.Getenv("PATH"), Limit: time.Minute, Install: func(p Place) error {
		b, err := json.Marshal(object{"hooks": object{"PreToolUse": []object{{"hooks": []object{{"type": "command", "command": hook}}}}}})
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(p.Home, ".claude", "settings.json"), b, 0o600)
	}}, cache
}

func TestTrial(t *testing.T) {
	for _, tt := range []struct {
		name   string
		manner livetest.Behavior
		hook   string
		want   Outcome
		says   string
	}{
		{"all is well", livetest.ObeysHooks, hookCommand(t), Passed, ""},
		{"no hook is called", livetest.IgnoresHooks, hookCommand(t), NotCalled, "the destructive call ran"},
		{"no hook is there", livetest.ObeysHooks, "/nonexistent/umpire-hook claude", NotCalled, "the destructive call ran"},
		{"the hook is called and not obeyed", livetest.RunsEverything, hookCommand(t), Ran, "umpire said deny"},
		{"another hook denies everything", livetest.ObeysHooks, "echo no >&2; exit 2", NotCalled, "refused"},
		{"the client runs nothing", livetest.RunsNothing, hookCommand(t), Blocked, "umpire said allow"},
		{"the client runs nothing and calls nobody", livetest.CallsNothing, hookCommand(t), NotCalled, "refused"},
		{"the client does not start", livetest.Broken, hookCommand(t), NotStarted, "please log in"},
		{"the client makes no call", livetest.Idle, hookCommand(t), Idle, ""},
		{"the client has another tool", livetest.UnknownTool, hookCommand(t), Idle, "Telegraph"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			trial, cache := fakeTrial(t, tt.manner, tt.hook)
			r := trial.Run(t.Context())
			if r.Result != tt.want || !strings.Contains(r.Detail, tt.says) {
				t.Errorf("%+v", r)
			}
			if strings.ContainsAny(r.Detail+r.Told, "\x1b\n") || strings.Contains(r.Detail, "aB3dE5gH") {
				t.Errorf("it says %q", r.Detail)
			}
			left, err := os.ReadDir(cache)
			must(t, err)
			if len(left) > 0 {
				t.Errorf("%s was left behind", left[0].Name())
			}
		})
	}
}

// What clients did is worth more than what they say, and a call that umpire did not hear
// of proves nothing, whoever stopped it.
func TestJudge(t *testing.T) {
	both := Transcript{Requests: 3, Asked: 2, Results: []string{"", "refused"}}
	for _, tt := range []struct {
		name string
		w    observation
		want Outcome
	}{
		{"as it should be", observation{transcript: both, harmless: true, harmlessCall: "allow", destroyCall: "deny"}, Passed},
		{"it asked, and was told to ask", observation{transcript: both, harmless: true, harmlessCall: "allow", destroyCall: "ask"}, Passed},
		{"it did not end, and did all else", observation{transcript: both, harmless: true, harmlessCall: "allow", destroyCall: "deny", ended: errLimit}, Passed},
		{"only the harmless call came to umpire", observation{transcript: both, harmless: true, harmlessCall: "allow"}, NotCalled},
		{"only the destructive call came to umpire", observation{transcript: both, harmless: true, destroyCall: "deny"}, NotCalled},
		{"umpire let it pass, and the client did not run it", observation{transcript: both, harmless: true, harmlessCall: "allow", destroyCall: "allow"}, NotCalled},
		{"it was destroyed all the same", observation{transcript: both, harmless: true, destroyed: true, harmlessCall: "allow", destroyCall: "deny"}, Ran},
		{"it was destroyed and nobody was asked", observation{transcript: both, destroyed: true}, NotCalled},
		{"it made one call only", observation{transcript: Transcript{Requests: 2, Asked: 1}, harmless: true, harmlessCall: "allow"}, Idle},
		{"the box did not hold what it did", observation{transcript: both, harmless: true, leaked: true, harmlessCall: "allow", destroyCall: "deny"}, Leaked},
		{"nothing was ever said", observation{}, NotStarted},
	} {
		if got, _ := tt.w.judge(); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// ofHome lists the processes that have that home, and the word in their command line.
func ofHome(t *testing.T, home, word string) (dirs []string) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*")
	must(t, err)
	for _, dir := range all {
		env, _ := os.ReadFile(filepath.Join(dir, "environ")) // of others, or gone
		line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		if strings.Contains(string(env), "HOME="+home+"\x00") && strings.Contains(string(line), word) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// A client that does not end is ended, with the daemon that it left in a session of its
// own. What it did before counts.
func TestEndlessClient(t *testing.T) {
	trial, _ := fakeTrial(t, livetest.Endless, hookCommand(t))
	ctx, limit := context.WithCancelCause(t.Context())
	var home string
	var watch sync.WaitGroup
	install := trial.Install
	trial.Install = func(p Place) error {
		home = p.Home
		watch.Go(func() {
			again := time.NewTicker(10 * time.Millisecond) // no event reports that a process begins
			defer again.Stop()
			for {
				select {
				case <-ctx.Done():
					return
				case <-again.C:
					if len(ofHome(t, p.Home, "daemon")) > 0 { // the last process that the client starts
						limit(errLimit)
					}
				}
			}
		})
		return install(p)
	}
	r := trial.Run(ctx)
	limit(nil)
	watch.Wait()
	if r.Result != Passed || !strings.Contains(r.Detail, "did not end") {
		t.Errorf("%+v", r)
	}
	if left := ofHome(t, home, ""); len(left) > 0 {
		t.Errorf("%s still runs", left)
	}
}

// A client has no longer than its limit.
func TestLimit(t *testing.T) {
	trial, _ := fakeTrial(t, livetest.Endless, hookCommand(t))
	trial.Limit = time.Millisecond
	if r := trial.Run(t.Context()); r.Result == Passed || r.Took > DefaultLimit/2 {
		t.Errorf("%+v", r)
	}
}

func TestInterrupted(t *testing.T) {
	trial, cache := fakeTrial(t, livetest.Endless, hookCommand(t))
	ctx, cancel := context.WithCancel(t.Context())
	install := trial.Install
	trial.Install = func(p Place) error { cancel(); return install(p) }
	if r := trial.Run(ctx); r.Result == Passed || r.Took > trial.Limit/2 {
		t.Errorf("%+v", r)
	}
	if left, _ := os.ReadDir(cache); len(left) > 0 {
		t.Errorf("%s was left behind", left[0].Name())
	}
}

// Nothing of the user's gets into the session.
func TestEnvironment(t *testing.T) {
	t.Setenv("ANTHROPIC_AUTH_TOKEN", "real")
	for _, c := range Clients() {
		p := Place{Root: "/r", Home: "/r/user", Project: "/r/user/project", Temp: "/r/tmp"}
		env := strings.Join(c.environ(p, "http://127.0.0.1:1", "/bin"), "\n")
		if strings.Contains(env, "real") || !strings.Contains(env, "\nHOME=/r/user\n") || !strings.Contains(env, "PATH=/bin\n") {
			t.Errorf("%s: %s", c.Name, env)
		}
		if call := c.shell("id"); len(call) == 0 || len(c.args(p, "x")) == 0 || c.Title == "" {
			t.Errorf("%s cannot be started", c.Name)
		}
	}
}

func TestLocate(t *testing.T) {
	dir := t.TempDir()
	pkg := filepath.Join(dir, "node_modules", "@anthropic-ai", "claude-code")
	must(t, os.MkdirAll(filepath.Join(pkg, "bin"), 0o755))
	must(t, os.WriteFile(filepath.Join(pkg, "package.json"), []byte(`{"version":"9.8.7"}`), 0o644))
	program := filepath.Join(pkg, "bin", "cli.js")
	must(t, os.WriteFile(program, nil, 0o755))
	bin := filepath.Join(dir, "bin")
	must(t, os.MkdirAll(filepath.Join(bin, "codex"), 0o755))
	must(t, os.Symlink(program, filepath.Join(bin, "claude")))
	must(t, os.WriteFile(filepath.Join(bin, "gemini"), nil, 0o644))
	path := "relative:" + t.TempDir() + ":" + bin

	if got, err := Find("claude").Locate(path, ""); err != nil || got != filepath.Join(bin, "claude") {
		t.Errorf("%s, %v", got, err)
	}
	if got := Version(filepath.Join(bin, "claude")); got != "9.8.7" {
		t.Errorf("version %q", got)
	}
	for name, named := range map[string]string{"codex": "", "gemini": "", "qwen": "", "claude": filepath.Join(bin, "gemini"), "pi": filepath.Join(bin, "none")} {
		if got, err := Find(name).Locate(path, named); err == nil {
			t.Errorf("%s is at %s", name, got)
		}
	}
}

func TestQuote(t *testing.T) {
	for _, s := range []string{"/a/b.txt", "/home/a user/it's", "", "$(x)"} {
		out, err := exec.Command("/bin/sh", "-c", "printf %s "+quote(s)).Output()
		if err != nil || string(out) != s {
			t.Errorf("%q is %q to a shell, %v", quote(s), out, err)
		}
	}
}
