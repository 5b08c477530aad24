//go:build !windows

package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// An agent without settings for a scope is refused, and the error names the commands that work.
func TestScopesThatDoNotExist(t *testing.T) {
	commands := map[Scope]string{User: "umpire init ", Project: "umpire init --project ", Managed: "umpire init --managed "}
	refused := 0
	for _, a := range Agents() {
		env := machineFor(t)
		before := tree(t, env)
		for scope := User; scope <= Managed; scope++ {
			if a.Has(scope) && a.Name != "kiro" {
				continue
			}
			refused++
			changes, err := Plan(env, a.Name, scope, Options{})
			if !errors.Is(err, ErrUnsupported) || len(changes) > 0 {
				t.Errorf("%s %s: got %+v, %v, want %v", a.Name, scope, changes, err, ErrUnsupported)
				continue
			}
			if a.Name == "kiro" && scope != Managed {
				if want := filepath.Join(choose(scope, env.Home, env.Dir, ""), ".kiro", "agents"); !strings.Contains(err.Error(), want+";") {
					t.Errorf("kiro %s: got %v, want the folder %s", scope, err, want)
				}
				continue
			}
			words := strings.Split(err.Error()[strings.LastIndex(err.Error(), ": ")+2:], ", ")
			for s, command := range commands {
				if got := slices.Contains(words, command+a.Name); got != a.Has(s) {
					t.Errorf("%s %s: %v names the command for %s: %v, want %v", a.Name, scope, err, s, got, a.Has(s))
				}
			}
		}
		sameTree(t, before, tree(t, env))
	}
	if refused == 0 {
		t.Error("no agent lacks a scope")
	}
	var s Scope
	if err := s.UnmarshalText([]byte("everywhere")); err == nil || s != User {
		t.Errorf("an unknown scope is %s, %v", s, err)
	}
}

// Variables that move an agent's settings move umpire's hook along. A relative path does not: its
// meaning depends on the folder that the agent starts in.
func TestVariablesThatMoveSettings(t *testing.T) {
	walked := 0
	for _, a := range Agents() {
		env := machineFor(t)
		scopes(t, env, a)
		asked := map[string]string{}
		env.Getenv = func(name string) string {
			if _, ok := asked[name]; !ok {
				asked[name] = ""
			}
			return asked[name]
		}
		paths := func() (list []string) {
			for _, tt := range a.targets(env) {
				list = append(list, tt.path)
			}
			for _, tt := range a.files(&a, env, User, Options{Trust: true}) {
				list = append(list, tt.path)
			}
			return list
		}
		home := paths()
		delete(asked, "") // of agents without a variable
		for name := range asked {
			if name == "XDG_STATE_HOME" { // moves umpire's own folder
				continue
			}
			value := filepath.Join(env.Root, "elsewhere")
			asked[name] = value
			moved := paths()
			if !slices.ContainsFunc(moved, func(p string) bool { return strings.HasPrefix(p, value+"/") }) {
				t.Errorf("%s: with %s=%s the settings are %v", a.Name, name, value, moved)
			}
			for _, relative := range []string{"elsewhere", "./elsewhere", "~/elsewhere"} {
				asked[name] = relative
				if got := paths(); !slices.Equal(got, home) {
					t.Errorf("%s: with %s=%s the settings are %v, want %v", a.Name, name, relative, got, home)
				}
			}
			asked[name] = ""
			walked++
		}
	}
	if walked < 5 {
		t.Errorf("%d variables were walked", walked)
	}
	for _, tt := range []struct{ xdg, want string }{{"", "/h/.local/state/umpire"}, {"/x", "/x/umpire"}, {"x", "/h/.local/state/umpire"}} {
		env := Env{Home: "/h", Getenv: func(name string) string {
			if name == "XDG_STATE_HOME" {
				return tt.xdg
			}
			return ""
		}}
		if got := stateDir(env, User); got != tt.want {
			t.Errorf("the state with XDG_STATE_HOME=%q is in %s, want %s", tt.xdg, got, tt.want)
		}
	}
}

// However often the hooks are installed in other forms, a removal restores the user's bytes.
func TestInstalledAgainRestores(t *testing.T) {
	for _, a := range Agents() {
		for _, scope := range scopes(t, machineFor(t), a) {
			env := machineFor(t)
			scopes(t, env, a)
			for _, tt := range a.files(&a, env, scope, Options{}) {
				switch tt.form.(type) {
				case *settings:
					put(t, tt.path, "// mine\n{ }  \n")
				case *hookTables:
					put(t, tt.path, "  # mine")
				}
			}
			before := tree(t, env)
			must(t, env, a.Name, scope, Options{})
			must(t, env, a.Name, scope, Options{AllEvents: true, Trust: true})
			env.Hook = filepath.Join(filepath.Dir(env.Hook), "new place", "umpire-hook")
			if changes := must(t, env, a.Name, scope, Options{AllEvents: true, Trust: true}); len(changes) == 0 {
				t.Errorf("%s %s: the moved program changes nothing", a.Name, scope)
			}
			remove(t, env, a.Name, scope)
			sameTree(t, before, tree(t, env))
			if rec, err := loadRecord(env, scope); err != nil || len(rec.Installs) != 0 {
				t.Errorf("%s %s: still recorded is %+v, %v", a.Name, scope, rec, err)
			}
		}
	}
}

// A file that umpire created goes with its last hook, also if an editor changed its end.
func TestCreatedFileGoes(t *testing.T) {
	for _, a := range Agents() {
		for _, scope := range scopes(t, machineFor(t), a) {
			if a.Name == "gemini" && scope == Managed { // what switches hooks on stays
				continue
			}
			env := machineFor(t)
			scopes(t, env, a)
			var made []string
			for _, tt := range a.files(&a, env, scope, Options{}) {
				_, whole := tt.form.(*script)
				if _, err := os.Stat(tt.path); !whole && errors.Is(err, fs.ErrNotExist) {
					made = append(made, tt.path)
				}
			}
			must(t, env, a.Name, scope, Options{})
			for _, path := range made {
				if _, err := os.Stat(path); err == nil {
					put(t, path, get(t, path)+"\n")
				}
			}
			remove(t, env, a.Name, scope)
			for _, path := range made {
				if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s %s: %s is left: %v\n%s", a.Name, scope, path, err, get(t, path))
				}
			}
		}
	}
}

// A file that a person edits after the installation loses umpire's hooks and nothing else: those of
// a program that has moved as it is installed again, and all as it is removed.
func TestEditedAfterInstallation(t *testing.T) {
	for _, a := range Agents() {
		for _, scope := range scopes(t, machineFor(t), a) {
			env := machineFor(t)
			scopes(t, env, a)
			var edited []string
			for _, tt := range a.files(&a, env, scope, Options{}) {
				switch tt.form.(type) {
				case *settings:
					put(t, tt.path, "{\"theirs\": true}\n")
				case *hookTables:
					put(t, tt.path, "theirs = true\n")
				default:
					continue
				}
				edited = append(edited, tt.path)
			}
			must(t, env, a.Name, scope, Options{})
			for _, path := range edited {
				put(t, path, get(t, path)+"\n")
			}
			lacks := func(when, text string) {
				t.Helper()
				for _, path := range edited {
					if got := get(t, path); strings.Contains(got, text) || !strings.Contains(got, "theirs") {
						t.Errorf("%s %s: %s, %s has %q or lacks what is theirs:\n%s", a.Name, scope, when, path, text, got)
					}
				}
			}
			moved := env
			moved.Hook = filepath.Join(filepath.Dir(env.Hook), "new place", "umpire-hook")
			must(t, moved, a.Name, scope, Options{})
			lacks("installed again", env.Hook)
			remove(t, moved, a.Name, scope)
			lacks("removed", "umpire-hook")
		}
	}
}
