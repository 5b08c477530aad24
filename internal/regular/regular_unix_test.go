//go:build unix

package regular_test

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/umpire-dev/umpire/internal/regular"
)

// Whatever stands in place of a file is an error, and reading it ends: nobody writes to this pipe,
// and the device never ends.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for path, err := range map[string]error{
		at("empty"): os.WriteFile(at("empty"), nil, 0o600),
		at("full"):  os.WriteFile(at("full"), []byte("12345678"), 0o600),
		at("large"): os.WriteFile(at("large"), []byte("123456789"), 0o600),
		at("link"):  os.Symlink("full", at("link")),
		at("lost"):  os.Symlink("none", at("lost")),
		at("pipe"):  syscall.Mkfifo(at("pipe"), 0o600),
	} {
		if err != nil {
			t.Fatalf("make %s: %v", path, err)
		}
	}
	l, err := net.Listen("unix", at("sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for path, want := range map[string]struct {
		text string
		err  error
	}{
		at("empty"): {}, at("full"): {text: "12345678"}, at("link"): {text: "12345678"},
		at("large"): {err: regular.ErrLarge}, at("none"): {err: fs.ErrNotExist}, at("lost"): {err: fs.ErrNotExist},
		at("pipe"): {err: regular.ErrOther}, at("sock"): {err: regular.ErrOther}, dir: {err: regular.ErrOther}, "/dev/zero": {err: regular.ErrOther},
	} {
		got, err := regular.Read(path, 8)
		if !errors.Is(err, want.err) || (err == nil) != (want.err == nil) || err == nil && (got == nil || string(got) != want.text) {
			t.Errorf("%s: got %q, %v, want %q, %v", path, got, err, want.text, want.err)
		}
		if err != nil && !strings.Contains(err.Error(), path) {
			t.Errorf("%s: the error %q does not name the file", path, err)
		}
	}
}

// A file that is opened in a folder is checked as well, and is closed if it is of another kind.
func TestOpened(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := root.WriteFile("file", []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, info, err := regular.Opened(root.OpenFile("file", regular.Flags, 0))
	if err != nil || info.Size() != 3 {
		t.Fatalf("a file: got %v, %v, want its 3 bytes", info, err)
	}
	if err := f.Close(); err != nil {
		t.Errorf("a file: got %v, want it open", err)
	}
	folder, err := root.OpenFile(".", regular.Flags, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := regular.Opened(folder, nil); !errors.Is(err, regular.ErrOther) {
		t.Errorf("a folder: got %v, want %v", err, regular.ErrOther)
	}
	if err := folder.Close(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("close the folder again: got %v, want %v", err, os.ErrClosed)
	}
}
