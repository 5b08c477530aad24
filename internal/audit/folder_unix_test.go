//go:build unix

package audit

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A folder that others can write to is no place for a log, and one that is missing is made for its
// owner alone.
func TestFolderOfOthers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	if err := Append(dir, sample()); err != nil {
		t.Fatalf("append to a folder that is missing: %v", err)
	}
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder that was made: %v, %v, want mode 0700", info.Mode(), err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Append(filepath.Join(file, "c"), sample()); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("append below a file: got %v, want %v", err, syscall.ENOTDIR)
	}
	for _, mode := range []os.FileMode{0o720, 0o702} {
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatalf("chmod %o: %v", mode, err)
		}
		if err := Append(dir, sample()); err == nil || !strings.Contains(err.Error(), "others can write") {
			t.Errorf("mode %o: got %v, want that others can write to it", mode, err)
		}
	}
}
