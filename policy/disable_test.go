package policy_test

import (
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/policy"
)

// Nobody switches off a rule of somebody who has more to say, a locked rule needs the user, and
// what is not switched off is a warning. The columns are the layers of the file that disables,
// from the project to the administrator.
func TestWhoDisables(t *testing.T) {
	layers := []policy.Layer{policy.Project, policy.ProjectTrusted, policy.Builtin, policy.User, policy.Managed}
	for _, row := range []struct {
		rule   policy.Layer
		locked bool
		off    [5]bool
	}{
		{policy.Project, false, [5]bool{false, true, true, true, true}},
		{policy.ProjectTrusted, false, [5]bool{false, true, true, true, true}},
		{policy.Builtin, false, [5]bool{false, true, true, true, true}},
		{policy.Builtin, true, [5]bool{false, false, false, true, true}},
		{policy.User, false, [5]bool{false, false, false, true, true}},
		{policy.User, true, [5]bool{false, false, false, true, true}},
		{policy.Managed, false, [5]bool{false, false, false, false, true}},
		{policy.Managed, true, [5]bool{false, false, false, false, true}},
	} {
		for i, by := range layers {
			for _, observe := range []bool{false, true} {
				p := compile(t, policy.Source{Default: umpire.Allow,
					Rules:    []policy.Rule{{ID: "r", Effect: umpire.Deny, Layer: row.rule, Locked: row.locked, Match: []policy.Pattern{policy.MustParse("exec(rm)")}}},
					Disabled: []policy.Disable{{Rule: "r", Layer: by, Observe: observe}}})
				got := p.Decide(action(), []umpire.Operation{op(t, "exec(rm)")})
				if off := got.Effect == umpire.Allow; off != row.off[i] || off != (len(p.Warnings()) == 0) {
					t.Errorf("a rule of layer %s, locked %v, that %s disables (to observe: %v): %v, warnings %v", row.rule, row.locked, by, observe, got.Effect, p.Warnings())
				}
			}
		}
	}
}
