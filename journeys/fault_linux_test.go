//go:build amd64

package journeys

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/tools/faultos"
)

// user is one home folder with the programs in it.
type user struct {
	t                *testing.T
	home, shop, own  string
	stdout, stderror string // of the last run
}

func newUser(t *testing.T, root, bin, name string) *user {
	t.Helper()
	u := &user{t: t, home: filepath.Join(root, name)}
	u.shop, u.own = filepath.Join(u.home, "shop"), filepath.Join(u.home, ".local", "bin")
	for _, dir := range []string{u.shop, u.own, filepath.Join(u.home, ".claude")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, program := range []string{"umpire", "umpire-hook"} {
		if err := os.Link(filepath.Join(bin, program), filepath.Join(u.own, program)); err != nil {
			t.Fatal(err)
		}
	}
	u.put(u.settings(), theirs)
	return u
}

// theirs are settings as the user has them.
const theirs = "{\n  // what I may do\n  \"permissions\": {\"allow\": [\"Bash(ls)\"]}\n}\n"

func (u *user) settings() string { return filepath.Join(u.home, ".claude", "settings.json") }

func (u *user) put(path, text string) {
	u.t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		u.t.Fatal(err)
	}
}

func (u *user) has(path string) string {
	u.t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		u.t.Fatal(err)
	}
	return string(b)
}

// run runs one of the programs on a faulty system.
func (u *user) run(f faultos.Fault, input string, args ...string) faultos.ProgramResult {
	u.t.Helper()
	c := exec.CommandContext(u.t.Context(), filepath.Join(u.own, args[0]), args[1:]...)
	c.Dir = u.shop
	c.Env = []string{"HOME=" + u.home, "PATH=" + u.own + ":" + os.Getenv("PATH"), "LANG=C.UTF-8"}
	c.Stdin = strings.NewReader(input)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	f.Root = u.home
	r := faultos.Run(u.t, c, f)
	u.stdout, u.stderror = out.String(), errs.String()
	return r
}

// call has the hook judge a command, and returns the effect as Claude Code reads it.
func (u *user) call(f faultos.Fault, command string) (effect string, r faultos.ProgramResult) {
	u.t.Helper()
	payload, err := json.Marshal(map[string]any{"session_id": "s", "cwd": u.shop, "hook_event_name": "PreToolUse", "permission_mode": "default",
		"tool_name": "Bash", "tool_use_id": "t", "tool_input": map[string]string{"command": command}})
	if err != nil {
		u.t.Fatal(err)
	}
	r = u.run(f, string(payload), "umpire-hook", "claude")
	if r.Status == 2 {
		return "deny", r
	}
	var answer struct {
		HookSpecificOutput struct{ PermissionDecision string }
	}
	if u.stdout != "" {
		if err := json.Unmarshal([]byte(u.stdout), &answer); err != nil {
			u.t.Errorf("the hook answers %q: %v, want JSON", u.stdout, err)
		}
	}
	return answer.HookSpecificOutput.PermissionDecision, r
}

// The shortest journey, with the real programs: init, a call that is denied, one that is asked
// about, uninstall. Each call of the hook to the file system fails once, runs into a full disk, or
// is the last before a kill. The hook never says less than on a sound machine, and the log of what
// it said holds. Init is killed at every seventh of its calls, for internal/install tests each: the
// user's settings are theirs or those with the hook, and both commands work afterwards.
func TestShortestJourneyWithFaults(t *testing.T) {
	root, bin := build(t)
	sound := faultos.Fault{}
	rank := map[string]int{"": 0, "allow": 0, "ask": 1, "deny": 2}
	for _, c := range []struct{ command, effect string }{{"rm -rf ~", "deny"}, {"git push --force origin feature", "ask"}} {
		u := newUser(t, root, bin, c.effect)
		if r := u.run(sound, "", "umpire", "init", "--yes", "claude"); r.Status != 0 {
			t.Fatalf("init: %+v %s", r, u.stderror)
		}
		if effect, r := u.call(sound, c.command); effect != c.effect {
			t.Fatalf("%s: %q %+v %s, want %s", c.command, effect, r, u.stderror, c.effect)
		}
		for _, f := range []faultos.Fault{{Mode: faultos.Fail, Calls: faultos.Files}, {Mode: faultos.Full, Calls: faultos.Writes}, {Mode: faultos.Kill, Calls: faultos.Writes}} {
			for f.Nth = 1; ; f.Nth++ {
				effect, r := u.call(f, c.command)
				if r.What == "" {
					break
				}
				if r.Status >= 0 && rank[effect] < rank[c.effect] {
					t.Errorf("%s: %s at call %d (%s): the hook says %q %s, want %s", c.command, f.Mode, f.Nth, r.What, effect, u.stderror, c.effect)
				}
			}
			if r := u.run(sound, "", "umpire", "audit", "verify"); r.Status != 0 {
				t.Errorf("%s: after each call %s, the log does not hold: %s%s", c.command, f.Mode, u.stdout, u.stderror)
			}
		}
	}
	for n := 1; ; n += 7 {
		u := newUser(t, root, bin, fmt.Sprintf("init-%d", n))
		r := u.run(faultos.Fault{Nth: n, Mode: faultos.Kill, Calls: faultos.Writes}, "", "umpire", "init", "--yes", "claude")
		at := fmt.Sprintf("init killed at call %d (%s)", n, r.What)
		if now := u.has(u.settings()); now != theirs && !strings.Contains(now, "umpire-hook") {
			t.Errorf("%s: the settings are %q, want the user's or those with the hook", at, now)
		}
		for _, args := range [][]string{{"umpire", "init", "--yes", "claude"}, {"umpire", "uninstall", "--yes", "claude"}} {
			if r := u.run(sound, "", args...); r.Status != 0 {
				t.Errorf("%s: then %v: %+v %s%s, want success", at, args, r, u.stdout, u.stderror)
			}
		}
		if now := u.has(u.settings()); now != theirs {
			t.Errorf("%s: after uninstall the settings are %q, want the user's %q", at, now, theirs)
		}
		if r.What == "" {
			break
		}
	}
}

// A disk that hangs, such as a network file system that is gone, holds no hook up for longer
// than its client waits: what rules deny or ask about is not allowed.
func TestDiskHangs(t *testing.T) {
	root, bin := build(t)
	type fault struct {
		calls faultos.Calls
		nth   int
	}
	faults := []fault{{faultos.Writes, 1}, {faultos.Writes, 2}, {faultos.Writes, 3}, {faultos.Writes, 4}}
	for nth := 1; nth < 200; nth *= 2 {
		faults = append(faults, fault{faultos.Files, nth})
	}
	for _, f := range faults {
		name := fmt.Sprintf("%s-%d", f.calls, f.nth)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := newUser(t, root, bin, "hangs-"+name)
			if r := u.run(faultos.Fault{}, "", "umpire", "init", "--yes", "claude"); r.Status != 0 {
				t.Fatalf("init: %+v %s", r, u.stderror)
			}
			for _, command := range []string{"rm -rf ~", "git push --force origin feature"} {
				effect, r := u.call(faultos.Fault{Nth: f.nth, Mode: faultos.Hang, Calls: f.calls, Own: true}, command)
				if effect != "deny" && effect != "ask" {
					t.Errorf("%s: %s hangs: the hook says %q with %+v %s, want deny or ask", command, r.What, effect, r, u.stderror)
				}
			}
			if r := u.run(faultos.Fault{}, "", "umpire", "audit", "verify"); r.Status != 0 {
				t.Errorf("the log does not hold: %s%s", u.stdout, u.stderror)
			}
		})
	}
}
