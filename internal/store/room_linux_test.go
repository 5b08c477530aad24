package store

import (
	"errors"
	"os"
	"testing"

	"github.com/umpire-dev/umpire/internal/approval"
)

// A full disk makes the gateway not ready before a request fails: the journal of SQLite still has room
// for a small change then.
func TestFullDiskIsNotReady(t *testing.T) {
	s := opened(t, t.TempDir())
	submitted(t, s, asked("first"))
	if err := s.Healthy(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/full", s.room); err != nil {
		t.Fatal(err)
	}
	if err := s.Healthy(t.Context()); !errors.Is(err, approval.ErrUnavailable) {
		t.Errorf("ready on a full disk: %v", err)
	}
	if err := s.Healthy(t.Context()); err != nil {
		t.Errorf("not ready again: %v", err)
	}
	if _, err := os.Lstat(s.room); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file stays: %v", err)
	}
}
