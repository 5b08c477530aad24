//go:build !windows

package install

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

// Every agent, in every scope, on a machine where it has no settings yet: what is written
// is found again, written once, and gone without a trace afterwards.
func TestEveryAgent(t *testing.T) {
	for _, a := range Agents() {
		for _, o := range []Options{{}, {AllEvents: true, Trust: true}} {
			env := machineFor(t)
			for _, s := range scopes(t, env, a) {
				before := tree(t, env)
				if changes := must(t, env, a.Name, s, o); len(changes) == 0 {
					t.Errorf("%s %s: nothing is written", a.Name, s)
				}
				if again, err := Plan(env, a.Name, s, o); err != nil || len(again) != 0 {
					t.Errorf("%s %s: a second run would change %d files: %v", a.Name, s, len(again), err)
				}
				if again, err := Plan(env, a.Name, s, Options{}); err != nil || len(again) != 0 {
					t.Errorf("%s %s: a run for less would change %d files: %v", a.Name, s, len(again), err)
				}
				st, err := Inspect(env, a.Name)
				if err != nil {
					t.Fatal(err)
				}
				calls := 0
				for _, f := range st.Files {
					for _, e := range f.Ours {
						if !strings.Contains(e.Command, "umpire-") || f.Scope != s {
							t.Errorf("%s: the hook %+v in %s, want umpire's in scope %s", a.Name, e, f.Path, s)
						}
						calls++
					}
					if len(f.Foreign) > 0 {
						t.Errorf("%s %s: %s has foreign hooks %+v", a.Name, s, f.Path, f.Foreign)
					}
				}
				trusted := a.Name != "codex" || o.Trust || s == Managed
				if st.Installed != trusted || calls == 0 || trusted && len(st.Problems) > 0 {
					t.Errorf("%s %s: status %+v, want it installed: %t", a.Name, s, st, trusted)
				}
				if report := SessionReport(env, a.Name); trusted && report != "" {
					t.Errorf("%s %s: a session would be told %s", a.Name, s, report)
				}
				remove(t, env, a.Name, s)
				sameTree(t, before, tree(t, env))
				if again, err := PlanRemove(env, a.Name, s); err != nil || len(again) != 0 {
					t.Errorf("%s %s: a second removal would change %d files: %v", a.Name, s, len(again), err)
				}
				if _, err := os.Stat(recordPath(env, s)); err == nil {
					t.Errorf("%s %s: the record is left over", a.Name, s)
				}
			}
		}
	}
}

// An installation for calls only removes what one for all events added, and nothing else.
func TestFewerEvents(t *testing.T) {
	for _, a := range Agents() {
		for _, s := range scopes(t, machineFor(t), a) {
			env := machineFor(t)
			scopes(t, env, a)
			before := tree(t, env)
			must(t, env, a.Name, s, Options{})
			calls := contents(t, a.files(&a, env, s, Options{AllEvents: true}))
			must(t, env, a.Name, s, Options{AllEvents: true})
			all := contents(t, a.files(&a, env, s, Options{AllEvents: true}))
			if changes := must(t, env, a.Name, s, Options{OnlyCalls: true}); len(changes) == 0 && !reflect.DeepEqual(all, calls) {
				t.Errorf("%s %s: fewer events change nothing", a.Name, s)
			}
			if got := contents(t, a.files(&a, env, s, Options{AllEvents: true})); !reflect.DeepEqual(got, calls) {
				t.Errorf("%s %s: got %q, want what an installation for calls writes: %q", a.Name, s, got, calls)
			}
			if again, err := Plan(env, a.Name, s, Options{OnlyCalls: true}); err != nil || len(again) != 0 {
				t.Errorf("%s %s: a second run would change %d files: %v", a.Name, s, len(again), err)
			}
			remove(t, env, a.Name, s)
			sameTree(t, before, tree(t, env))
		}
	}
}

// contents returns the content of each file that exists. The order of tables does not matter.
func contents(t *testing.T, targets []target) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, f := range targets {
		data, err := read(f.path)
		if err != nil {
			t.Fatal(err)
		}
		if data != nil {
			out[f.path] = string(data)
		}
		if _, toml := f.form.(*hookTables); toml && data != nil {
			m, err := parseTOML(data)
			if err != nil {
				t.Fatal(err)
			}
			out[f.path] = fmt.Sprint(m)
		}
	}
	return out
}
