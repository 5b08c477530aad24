package policy_test

import (
	"fmt"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/policy"
)

func Example() {
	p, err := policy.Compile(policy.Source{
		Default: umpire.Allow,
		Rules: []policy.Rule{{
			ID:      "notes",
			Effect:  umpire.Deny,
			Match:   []policy.Pattern{policy.MustParse("delete(/home/dev/notes/**)")},
			Reason:  "the notes are private",
			Suggest: "do not change the notes",
			Layer:   policy.User,
		}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	call := &umpire.Action{Tool: "Bash", Dir: "/home/dev", Workspace: "/home/dev", Home: "/home/dev"}
	d := p.Decide(call, []umpire.Operation{{Kind: umpire.Delete, Resource: "/home/dev/notes/today"}})
	fmt.Println(d.Effect, d.Reasons[0].Text)
	// Output: deny the notes are private
}
