//go:build unix

package store

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe in place of a database would block whoever opens it.
func TestPipeInPlaceOfDatabase(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "gateway.db"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, reading := OpenReader(t.Context(), dir)
	_, err := Open(t.Context(), dir)
	for name, err := range map[string]error{"OpenReader": reading, "Open": err} {
		if err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("%s: got error %v, want one about a file that is not regular", name, err)
		}
	}
}
