package decision_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/decision"
	"github.com/umpire-dev/umpire/policy"
)

// machine is a machine that exists in this example only.
type machine map[string]string

func (machine) Home() string                 { return "/home/dev" }
func (machine) Workspace(string) string      { return "/home/dev/shop" }
func (machine) Getenv(string) (string, bool) { return "", false }
func (m machine) ReadFile(path string) ([]byte, error) {
	text, ok := m[path]
	if !ok {
		return nil, errors.New("no such file")
	}
	return []byte(text), nil
}

// A service decides about the calls of agents that run elsewhere: it gives the files of
// that machine that a call would run.
func ExampleNew() {
	src, err := decision.Load("policy.yaml", []byte(`version: 1
defaultAction: allow
rules:
  - deny: exec(shopctl tenant delete *)
    reason: tenants are deleted by hand
`))
	if err != nil {
		log.Fatal(err)
	}
	p, err := policy.Compile(src)
	if err != nil {
		log.Fatal(err)
	}
	point := decision.New(p, machine{"/home/dev/shop/clean.sh": "rm -rf build ~/.ssh\n"})

	for _, command := range []string{"go test ./...", "sudo shopctl tenant delete acme", "./clean.sh"} {
		input, _ := json.Marshal(map[string]string{"command": command})
		res, err := point.Decide(context.Background(), umpire.Action{Tool: "Bash", Input: input, Dir: "/home/dev/shop"})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(command+":", res.Effect)
		if res.Effect != umpire.Allow {
			r := res.Reasons[0]
			fmt.Println(" ", res.Operations[r.Op], "-", r.Text)
		}
	}
	// Output:
	// go test ./...: allow
	// sudo shopctl tenant delete acme: deny
	//   exec(shopctl tenant delete acme) - tenants are deleted by hand
	// ./clean.sh: deny
	//   delete(/home/dev/.ssh) - overwrites or removes keys and credentials
}

// A build server applies the policy files that are in force in a project. An untrusted project
// can only tighten the policy.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "shop")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	text := "version: 1\nrules:\n  - deny: exec(shopctl tenant delete *)\n    reason: two people delete tenants\n"
	if err := os.WriteFile(filepath.Join(dir, ".umpire.yaml"), []byte(text), 0o600); err != nil {
		log.Fatal(err)
	}

	point, err := decision.Open(dir)
	if err != nil {
		log.Fatal(err) // every fault of the policy files, with its place
	}
	input := json.RawMessage(`{"command":"shopctl tenant delete acme"}`)
	res, err := point.Decide(context.Background(), umpire.Action{Tool: "Bash", Input: input})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Effect, "-", res.Reasons[0].Text)
	// Output: deny - two people delete tenants
}
