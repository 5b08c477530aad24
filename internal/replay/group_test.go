package replay_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/replay"
	"github.com/umpire-dev/umpire/internal/transcript"
	"github.com/umpire-dev/umpire/policy"
)

// Calls that only the default stops are grouped by what no rule settles.
func TestGroupsOfTheDefault(t *testing.T) {
	settled, err := policy.ParsePattern("exec(ls *)")
	if err != nil {
		t.Fatal(err)
	}
	p, err := policy.Compile(policy.Source{Default: umpire.Ask, Rules: []policy.Rule{{ID: "looks", Effect: umpire.Allow, Match: []policy.Pattern{settled}, Layer: policy.User}}})
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]string{
		"frob --all":            "defaultAction exec(frob *)",
		"frob":                  "defaultAction exec(frob)",
		"ls src && frob x":      "defaultAction exec(frob *)",
		"git push origin topic": "defaultAction exec(git *)",
		"frob\x1b[2Jx":          "defaultAction exec(",
		"TOKEN=ghp_" + strings.Repeat("a1B2", 9) + " x": "defaultAction exec(",
	} {
		input, err := json.Marshal(map[string]string{"command": command})
		if err != nil {
			t.Fatal(err)
		}
		a := umpire.Action{Tool: "Bash", Input: input, Dir: "/home/dev/proj", Workspace: "/home/dev/proj", Home: "/home/dev"}
		ops := operation.Read(&a, operation.Env{})
		j := &replay.Judged{Call: &transcript.Call{Action: a}, Ops: ops, Decision: p.Decide(&a, ops), Policy: p}
		got, _ := replay.FirstRule(j)
		if !strings.HasPrefix(got, want) || strings.Contains(got, "a1B2a1B2") || strings.Contains(got, "\x1b") {
			t.Errorf("%q: got %q, want %q", command, got, want)
		}
	}
}
