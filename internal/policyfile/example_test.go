package policyfile_test

import (
	"fmt"

	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/policy"
)

func ExampleParse() {
	_, err := policyfile.Parse("policy.yaml", []byte(`version: 1
defaultActoin: ask
rules:
  - deny: delete(~/notes/**)
    reason: notes are not yours to clean
  - deny: exec(git pus
`), policy.User)
	fmt.Println(err)
	// Output:
	// policy.yaml:2:1: unknown key "defaultActoin" in the policy; did you mean defaultAction?
	// policy.yaml:6:11: pattern "exec(git pus" is not of the form kind(pattern): write, for example, exec(npm test)
}
