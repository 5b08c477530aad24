//go:build amd64

package install

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/tools/faultos"
)

// errand is what a test binary does that faultos.RunErrand starts anew.
type errand struct {
	Home, Dir, Root, Hook string
	Agent                 string
	Remove                bool
}

func init() { faultos.Errand(errand.run) }

// run does what `umpire init` and `umpire uninstall` do for one agent.
func (e errand) run() error {
	env := Env{Home: e.Home, Dir: e.Dir, Root: e.Root, Hook: e.Hook}
	plan := func() ([]Change, error) { return Plan(env, e.Agent, User, Options{Trust: true}) }
	if e.Remove {
		plan = func() ([]Change, error) { return PlanRemove(env, e.Agent, User) }
	}
	changes, err := plan()
	if err != nil {
		return err
	}
	return Apply(env, changes)
}

// Each call to the file system that installing and removing make fails, runs into a full disk,
// is cut or is the last one before a kill. Settings are always what they were or what they are
// to be, an error leaves all files of an agent as they were and says what failed, and whatever
// happened, installing and removing again gives back what the user had.
func TestEveryCallFails(t *testing.T) {
	for _, s := range []struct {
		agent string
		files map[string]string
		modes []faultos.Mode
	}{
		{"codex", map[string]string{".codex/hooks.json": `{"hooks":{}}`, ".codex/config.toml": "model = \"a\" # mine\n"}, []faultos.Mode{faultos.Fail, faultos.Full, faultos.Torn, faultos.Kill}},
		{"gemini", nil, []faultos.Mode{faultos.Kill}},
	} {
		for _, removal := range []bool{false, true} {
			for _, mode := range s.modes {
				t.Run(fmt.Sprintf("%s/remove=%v/%s", s.agent, removal, mode), func(t *testing.T) {
					t.Parallel()
					everyCallFails(t, errand{Agent: s.agent, Remove: removal}, s.files, mode)
				})
			}
		}
	}
}

func everyCallFails(t *testing.T, e errand, files map[string]string, mode faultos.Mode) {
	for n := 1; ; n++ {
		env := machineFor(t)
		e.Home, e.Dir, e.Root, e.Hook = env.Home, env.Dir, env.Root, env.Hook
		for path, text := range files {
			put(t, filepath.Join(env.Home, path), text)
		}
		original := tree(t, env)
		if e.Remove {
			must(t, env, e.Agent, User, Options{Trust: true})
		}
		before := tree(t, env)
		calls := faultos.Writes
		if mode == faultos.Fail {
			calls = faultos.Files
		}
		r, said := faultos.RunErrand(t, e, faultos.Fault{Nth: n, Mode: mode, Calls: calls, Root: env.Home})
		at := fmt.Sprintf("call %d (%s)", n, r.What)
		now := tree(t, env)

		sound := e
		if err := sound.run(); err != nil {
			t.Fatalf("%s: the same again on a sound system: %v", at, err)
		}
		after := tree(t, env)
		leftOver := func(path string) bool { // by a kill, or a removal that failed
			return (r.Status < 0 || strings.HasPrefix(r.What, "remove")) && strings.Contains(filepath.Base(path), "umpire-")
		}
		for path, text := range now {
			if text != before[path] && text != after[path] && !leftOver(path) {
				t.Errorf("%s: %s is\n%s\nwant\n%s\nor\n%s", at, path, text, before[path], after[path])
			}
		}
		switch {
		case r.What == "" && (r.Status != 0 || n < 2):
			t.Fatalf("without a fault: status %d, %d calls, it says %s", r.Status, n-1, said)
		case r.What == "":
			return
		case r.Status == 0 && !maps.Equal(now, after):
			t.Errorf("%s: it reports success", at)
			sameTree(t, after, now)
		case r.Status > 1:
			t.Errorf("%s: it crashes: %s", at, said)
		case r.Status == 1:
			if !strings.Contains(said, "input/output error") && !strings.Contains(said, "no space left") {
				t.Errorf("%s: it says %q, want what failed", at, said)
			}
			if !strings.HasPrefix(r.What, "remove") {
				sameTree(t, before, now)
			} else if strings.Contains(r.What, "umpire-") && !strings.Contains(said, filepath.Base(r.What)) {
				t.Errorf("%s: it says %q, want the file that is left over", at, said)
			}
		}
		if !e.Remove {
			e.Remove = true
			err := e.run()
			e.Remove = false
			if err != nil {
				t.Fatalf("%s: remove on a sound system: %v", at, err)
			}
		}
		for path, text := range original {
			if got := tree(t, env)[path]; got != text {
				t.Errorf("%s: after a removal %s is\n%s\nwant what the user had\n%s", at, path, got, text)
			}
		}
		if t.Failed() {
			return
		}
	}
}
