//go:build unix

package agent

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/umpire-dev/umpire/internal/regular"
)

// TestSettingsAreAFile: a pipe in place of agent.json is an error, and does not block the agent.
func TestSettingsAreAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agent.json")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatalf("cannot make a pipe: %v", err)
	}
	if _, err := readConfig(path); !errors.Is(err, regular.ErrOther) {
		t.Errorf("readConfig of a pipe: %v; want %v", err, regular.ErrOther)
	}
}
