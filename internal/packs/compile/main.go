// Command compile turns the packs in the working directory into default.snapshot and
// parsed/packs.gob.
package main

import (
	"fmt"
	"os"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/packs/parsed"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/policy"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	packs, err := policyfile.ParsePacks(os.DirFS("."))
	if err != nil {
		return err
	}
	src := policy.Source{Default: umpire.Allow}
	for _, p := range packs {
		src.Rules = append(src.Rules, p.Rules...)
	}
	p, err := policy.Compile(src)
	if err != nil {
		return err
	}
	for _, w := range p.Warnings() {
		fmt.Fprintln(os.Stderr, w)
	}
	rules, err := parsed.Encode(packs)
	if err != nil {
		return err
	}
	if err := os.WriteFile("parsed/packs.gob", rules, 0o644); err != nil {
		return err
	}
	return os.WriteFile("default.snapshot", []byte(p.Bytes()), 0o644)
}
