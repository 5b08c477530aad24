package policyfile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/policyfile"
)

// The adversary is a project file made to spoil the layers above it: it takes their
// rules' IDs, fills all the room, or is no YAML that could be read.
func TestHostileProjectFile(t *testing.T) {
	var full strings.Builder
	full.WriteString("rules:\n")
	for i := range 840 {
		fmt.Fprintf(&full, "  - deny: exec(x%d {%s})\n", i, strings.Repeat("a,", 119)+"b")
	}
	for name, text := range map[string]string{
		"id of a pack": "rules: [{id: core-wipe, ask: exec(x)}]\n",
		"id of a user": "rules: [{id: mine, ask: exec(x)}]\n",
		"patterns":     full.String(),
		"deep":         "rules: " + strings.Repeat("[", 50_000),
		"question":     "rules: [{ask: exec(*)}]\n",
	} {
		p := layers(t, map[string]string{"user/policy.yaml": "defaultAction: deny\nrules: [{id: mine, deny: exec(mine)}]\n", "work/.umpire.yaml": text})
		c, _, err := policyfile.Compile(p, packs(t))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, word := range []string{"mine", "wipe", "other"} {
			if d := c.Decide(&umpire.Action{Workspace: "/w", Home: "/h"}, []umpire.Operation{{Kind: umpire.Exec, Resource: word}}); d.Effect != umpire.Deny {
				t.Errorf("%s: exec(%s) is %s", name, word, d.Effect)
			}
		}
	}
}
