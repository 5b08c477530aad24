package guard_test

import (
	"context"
	"fmt"
	"log"

	"github.com/umpire-dev/umpire/guard"
)

// Patterns checks answers for names that must not leave the company.
func ExamplePatterns() {
	stage, err := guard.Patterns([]guard.Rule{{
		ID: "codename", Action: guard.RuleMask, Literals: []string{"bluebird"}, Replacement: "[PROJECT]",
	}})
	if err != nil {
		log.Fatal(err)
	}
	out := guard.NewOutput([]guard.OutputStage{stage})
	res := out.Check(context.Background(), "The bluebird ships in May.", guard.Answer{})
	fmt.Println(res.Verdict, res.Text)
	// Output: modify The [PROJECT] ships in May.
}

// PII masks personal data in answers. With a Vault, the program can restore it.
func ExamplePII() {
	stage, err := guard.PII(guard.PIIOptions{Kinds: []string{"email", "iban"}})
	if err != nil {
		log.Fatal(err)
	}
	out := guard.NewOutput([]guard.OutputStage{stage})
	res := out.Check(context.Background(), "Write to jane@example.com.", guard.Answer{})
	fmt.Println(res.Verdict, res.Text)
	// Output: modify Write to [EMAIL].
}

// Rules change while the program runs. A rule that fails its samples changes nothing.
func ExampleNewRules() {
	rules, err := guard.NewRules(nil, func(set guard.RuleSet) {
		fmt.Printf("version %d: %s by %s\n", set.Version, set.Change, set.By)
	})
	if err != nil {
		log.Fatal(err)
	}
	out := guard.NewOutput([]guard.OutputStage{rules.Stage()})

	rule := guard.Rule{ID: "ticket", Action: guard.RuleReject, Pattern: `INC-\d+`}
	tests, err := rules.Test(rule, []string{"see INC-42", "see the manual"})
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range tests {
		fmt.Println(t.Sample, t.Matches)
	}
	if _, err := rules.Put("ada", rules.Current().Version, rule); err != nil {
		log.Fatal(err)
	}
	fmt.Println(out.Check(context.Background(), "It is INC-42.", guard.Answer{}).Verdict)
	// Output:
	// see INC-42 true
	// see the manual false
	// version 1: put ticket by ada
	// reject
}
