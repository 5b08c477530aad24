// Company describes a company's command-line tool, so that rules can match its effects, and decides
// on calls of it.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/decision"
	"github.com/umpire-dev/umpire/policy"
	"github.com/umpire-dev/umpire/reader"
)

const rules = `version: 1
defaultAction: allow
programs:
  - names: acmectl
    commands:
      - {names: tenant delete, effects: destroys-data}
      - {names: tenant list}
    hits: [acmectl tenant delete t-1]
    misses: [acmectl tenant list]
rules:
  - deny: "infra(acmectl tenant delete eu-*)"
    reason: two people delete tenants in the EU
`

func main() {
	source, err := decision.Load("policy.yaml", []byte(rules))
	if err != nil {
		log.Fatal(err)
	}
	compiled, err := policy.Compile(source)
	if err != nil {
		log.Fatal(err)
	}
	point := decision.New(compiled, reader.Local())
	for _, command := range []string{"acmectl tenant list", "cd /tmp && sudo acmectl tenant delete eu-7"} {
		input, err := json.Marshal(map[string]string{"command": command})
		if err != nil {
			log.Fatal(err)
		}
		result, err := point.Decide(context.Background(), umpire.Action{Tool: "Bash", Input: input, Dir: "/srv/shop"})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(result.Effect, command)
		for _, reason := range result.Reasons {
			fmt.Println("  " + reason.Text)
		}
	}
}
