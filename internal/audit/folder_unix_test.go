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

// Each call on a descriptor that the system refuses returns the error: a log that is not written
// must not pass for one that is.
func TestCallsThatTheSystemRefuses(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(name, []byte("ab"), 0o600); err != nil {
		t.Fatal(err)
	}
	readOnly, err := openFile(name, syscall.O_RDONLY)
	if err != nil {
		t.Fatal(err)
	}
	defer readOnly.Close()
	none := file{-1}
	for call, err := range map[string]error{
		"write to a file open for reading": second(readOnly.WriteAt([]byte("c"), 0)),
		"truncate a file open for reading": readOnly.truncate(0),
		"read after the end":               second(readOnly.ReadAt(make([]byte, 3), 0)),
		"read without a file":              second(none.ReadAt(make([]byte, 1), 0)),
		"write without a file":             second(none.WriteAt([]byte("c"), 0)),
		"truncate without a file":          none.truncate(0),
		"sync without a file":              none.sync(),
		"lock without a file":              second(none.tryLock()),
		"size without a file":              second(none.size()),
		"close without a file":             none.Close(),
		"open a folder":                    second(openFile(filepath.Dir(name), syscall.O_RDONLY)),
		"open what is not there":           second(openFile(name+"2", syscall.O_RDONLY)),
	} {
		if err == nil {
			t.Errorf("%s: got no error, want one", call)
		}
	}
	if none.isAt(name) {
		t.Error("no file counts as the file at a path")
	}
}

func second[T any](_ T, err error) error { return err }
