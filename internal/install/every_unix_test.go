//go:build !windows

package install

import (
	"os"
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
