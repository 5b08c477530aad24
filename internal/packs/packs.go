// Package packs holds the built-in rules: policy files, each rule with examples that it hits
// and misses, and their compiled snapshot.
package packs

import (
	"embed"

	"github.com/umpire-dev/umpire/policy"
)

//go:generate go run ./compile

// Sources are the packs in source form, one file each, NAME.yaml.
//
//go:embed *.yaml
var Sources embed.FS

//go:embed default.snapshot
var compiled string

// Default returns the policy in force without policy files: all packs, and Allow for calls that
// they do not settle. It is cheap, because it opens the compiled snapshot.
func Default() (*policy.Policy, error) { return policy.Open(compiled) }
