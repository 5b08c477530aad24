//go:build unix

package main

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// The adversary is whoever can put a pipe in the place of the cached policy. The user's rules
// stay in force, and nothing hangs.
func TestPipeInTheCache(t *testing.T) {
	w := newWorld(t)
	w.write(".config/umpire/policy.yaml", "version: 1\ndefaultAction: deny\nrules:\n  - deny: exec(ls)\n")
	w.bash("ls")
	names, err := filepath.Glob(filepath.Join(w.home, ".cache", "umpire", "*.snapshot"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		if err := errors.Join(os.Remove(name), syscall.Mkfifo(name, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if got := w.bash("ls"); got.effect != "deny" {
		t.Errorf("a pipe in the cache: %+v", got)
	}
}
