// Package clients lists the coding agents that umpire speaks with.
package clients

import (
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/platform/claude"
	"github.com/umpire-dev/umpire/internal/platform/codex"
)

// All returns every client, those that were observed first.
func All() []*platform.Client {
	return []*platform.Client{claude.Client, codex.Client}
}

// Find returns the client of that name, or nil.
func Find(name string) *platform.Client {
	for _, c := range All() {
		if c.Name == name {
			return c
		}
	}
	return nil
}
