//go:build !windows

package authority

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Where others can write there is no CA, and nobody waits for what is no file.
func TestOthers(t *testing.T) {
	open := t.TempDir()
	if err := os.Chmod(open, 0o770); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(open, false); err == nil || !strings.Contains(err.Error(), "chmod 700") {
		t.Errorf("made where others write: %v", err)
	}
	c := create(t)
	if err := os.Chmod(c.dir, 0o702); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(c.dir); err == nil || !strings.Contains(err.Error(), "rotate") {
		t.Errorf("loaded where others write: %v", err)
	}
	c = create(t)
	key := filepath.Join(c.dir, keyFile)
	if err := errors.Join(os.Remove(key), syscall.Mkfifo(key, 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(c.dir); err == nil || !strings.Contains(err.Error(), "rotate") {
		t.Errorf("a pipe: %v", err)
	}
}
