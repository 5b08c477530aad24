package policyfile

import (
	"cmp"
	"encoding/json"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/policy"
)

// ExampleAction returns the call of an example, made by the user dev in a project.
func ExampleAction(e policy.Example, platform string) *umpire.Action {
	a := &umpire.Action{Tool: e.Tool, Input: json.RawMessage(e.Input), Dir: e.Dir, Tainted: e.Tainted, Workspace: "/home/dev/proj", Home: "/home/dev", Temp: "/tmp",
		Principal: umpire.Principal{Platform: platform}}
	a.Dir = cmp.Or(a.Dir, a.Workspace)
	if e.Command != "" {
		a.Tool = "Bash"
		a.Input, _ = json.Marshal(map[string]string{"command": e.Command}) // a string always marshals
	}
	return a
}

// TryProgram runs the examples of a program with read, and calls wrong for each example that fails.
// A hit must do something besides running the program, and a miss must only read. It returns the
// number of examples.
func TryProgram(hits, misses []policy.Example, read func(*umpire.Action) []umpire.Operation, wrong func(e policy.Example, says string)) int {
	try := func(e policy.Example) (does, changes bool) {
		for _, o := range read(ExampleAction(e, "claude")) {
			if o.Kind != umpire.Exec && o.Traits&umpire.Inert == 0 {
				does, changes = true, changes || o.Kind != umpire.Read
			}
		}
		return does, changes
	}
	for _, e := range hits {
		if does, _ := try(e); !does {
			wrong(e, "does nothing on its hit")
		}
	}
	for _, e := range misses {
		if _, changes := try(e); changes {
			wrong(e, "does something on its miss")
		}
	}
	return len(hits) + len(misses)
}
