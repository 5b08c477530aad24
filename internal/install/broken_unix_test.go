//go:build unix

package install

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Whatever became of a file of umpire's since it was installed, nothing is written over what
// cannot be read, the error names the file, and whoever looks is told.
func TestBrokenSinceInstalled(t *testing.T) {
	for _, a := range Agents() {
		env := machineFor(t)
		for _, s := range scopes(t, env, a) {
			paths := []string{recordPath(env, s)}
			for _, c := range must(t, env, a.Name, s, Options{AllEvents: true, Trust: true}) {
				paths = append(paths, c.Path)
			}
			for _, path := range paths {
				checkBroken(t, env, a.Name, s, path)
			}
			remove(t, env, a.Name, s)
		}
	}
}

func checkBroken(t *testing.T, env Env, agent string, s Scope, path string) {
	t.Helper()
	whole := get(t, path)
	data := strings.Contains(path, ".json") || strings.HasSuffix(path, ".toml") || strings.HasSuffix(path, ".yaml")
	for what, damage := range map[string]func() error{
		"cut":        func() error { return os.WriteFile(path, []byte(whole[:len(whole)/2]+"{[\""), 0o600) },
		"noise":      func() error { return os.WriteFile(path, []byte("\x00\xff = {{"), 0o600) },
		"a folder":   func() error { return os.Mkdir(path, 0o700) },
		"a pipe":     func() error { return syscall.Mkfifo(path, 0o600) }, // to which nobody writes
		"unreadable": func() error { return os.Symlink(filepath.Base(path), path) },
	} {
		if agent == "kiro" && what == "a folder" {
			continue // its agents are the files there are, and this one is gone
		}
		if err := os.Remove(path); err != nil {
			t.Fatalf("remove %s: %v", path, err)
		}
		if err := damage(); err != nil {
			t.Fatalf("make %s %s: %v", path, what, err)
		}
		before := tree(t, env)
		for how, plan := range map[string]func() ([]Change, error){
			"install": func() ([]Change, error) { return Plan(env, agent, s, Options{AllEvents: true, Trust: true}) },
			"remove":  func() ([]Change, error) { return PlanRemove(env, agent, s) },
		} {
			changes, err := plan()
			named := err != nil && strings.Contains(err.Error(), filepath.Base(path))
			if path == recordPath(env, s) && how == "install" && err == nil && len(changes) == 0 {
				continue // all is as it should be, and there is nothing to record
			}
			if (data || what == "a folder" || what == "a pipe" || what == "unreadable") && !named {
				t.Errorf("%s %s: %s with %s that is %s: got %d changes and %v, want an error that names it", agent, s, how, path, what, len(changes), err)
			}
		}
		sameTree(t, before, tree(t, env))
		st, err := Inspect(env, agent)
		if err != nil || len(st.Problems) == 0 {
			t.Errorf("%s %s: with %s that is %s: got no problem, %v", agent, s, path, what, err)
		}
		if err := os.RemoveAll(path); err != nil {
			t.Fatalf("remove %s: %v", path, err)
		}
		put(t, path, whole)
	}
}
