//go:build unix

package file

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestOpenRefuses(t *testing.T) {
	dir := place(t)
	must(t, os.Mkdir(filepath.Join(dir, "folder"), 0o755))
	must(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	large, err := os.Create(filepath.Join(dir, "large"))
	must(t, err)
	must(t, large.Truncate(maxSize+1))
	must(t, large.Close())
	for path, want := range map[string]string{filepath.Join(dir, "folder"): "is a folder", filepath.Join(dir, "pipe"): "is not a regular file", "/dev/zero": "is not a regular file", filepath.Join(dir, "large"): "the limit is"} {
		f, err := Open(path)
		if err == nil {
			f.Close()
			t.Errorf("%s was opened", path)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	// A pipe that stands where a file was would have its reader wait for ever.
	info, err := os.Lstat(filepath.Join(dir, "large"))
	must(t, err)
	root, err := OpenDir(dir)
	must(t, err)
	defer root.Close()
	if h, err := OpenRegular(root, "pipe", info); err == nil {
		h.Close()
		t.Error("a pipe was opened for a file")
	}
}

func TestReadOnlyFileIsLeft(t *testing.T) {
	path := filepath.Join(place(t), "f")
	must(t, os.WriteFile(path, []byte("x"), 0o400))
	f, err := Open(path)
	must(t, err)
	defer f.Close()
	if err := f.Write([]byte("y")); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("Write: %v", err)
	}
}

// A second name of a file outside is not written through.
func TestHardLink(t *testing.T) {
	dir := place(t)
	must(t, os.WriteFile(filepath.Join(dir, "outside"), []byte("theirs"), 0o600))
	must(t, os.Link(filepath.Join(dir, "outside"), filepath.Join(dir, "inside")))
	f, err := Open(filepath.Join(dir, "inside"))
	must(t, err)
	defer f.Close()
	must(t, f.Write([]byte("mine")))
	if data, err := os.ReadFile(filepath.Join(dir, "outside")); err != nil || string(data) != "theirs" {
		t.Errorf("the other name has %q, %v", data, err)
	}
}
