//go:build amd64

package atomicfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/internal/tools/faultos"
)

// errand writes a file, in a test binary that is started anew.
type errand struct {
	Path, How string
}

func init() { faultos.Errand(errand.run) }

func (e errand) run() error {
	return map[string]func(string, []byte, fs.FileMode) error{
		"Write": atomicfile.Write, "WriteNoSync": atomicfile.WriteNoSync, "Create": atomicfile.Create,
	}[e.How](e.Path, []byte(newText), 0o640)
}

const oldText, newText = "what was there\n", "what is there now, and is longer\n"

// Each call to the file system fails, runs into a full disk, is cut or is the last one before a
// kill. The file has the old or the new content, never another; success means the new one, and
// an error says what failed and leaves nothing behind.
func TestEveryCallFails(t *testing.T) {
	for _, how := range []string{"Write", "WriteNoSync", "Create"} {
		for _, mode := range []faultos.Mode{faultos.Fail, faultos.Full, faultos.Torn, faultos.Kill} {
			t.Run(fmt.Sprintf("%s/%s", how, mode), func(t *testing.T) {
				for n := 1; ; n++ {
					dir := t.TempDir()
					path := filepath.Join(dir, "x")
					old := ""
					if how != "Create" {
						old = oldText
						if err := os.WriteFile(path, []byte(old), 0o600); err != nil {
							t.Fatal(err)
						}
					}
					r, said := faultos.RunErrand(t, errand{path, how}, faultos.Fault{Nth: n, Mode: mode, Calls: faultos.Writes, Root: dir})
					at := fmt.Sprintf("call %d (%s)", n, r.What)
					got, err := os.ReadFile(path)
					if err != nil && (old != "" || !errors.Is(err, fs.ErrNotExist)) {
						t.Fatal(err)
					}
					if text := string(got); text != newText && text != old || r.Status == 0 && text != newText {
						t.Errorf("%s: status %d, the file holds %q", at, r.Status, text)
					}
					if r.Status > 0 && !strings.Contains(said, "input/output error") && !strings.Contains(said, "no space left") {
						t.Errorf("%s: it says %q, want what failed", at, said)
					}
					if info, err := os.Stat(path); err == nil && string(got) == newText && info.Mode() != 0o640 {
						t.Errorf("%s: mode %v, want the one that was asked for", at, info.Mode())
					}
					list, err := os.ReadDir(dir)
					if err != nil {
						t.Fatal(err)
					}
					removed := strings.HasPrefix(r.What, "remove ")
					for _, e := range list {
						if e.Name() != "x" && r.Status >= 0 && !removed {
							t.Errorf("%s: %s is left behind", at, e.Name())
						}
					}
					if r.What == "" {
						if n == 1 {
							t.Error("no call was counted")
						}
						return
					}
				}
			})
		}
	}
}

// A small file is read whole up to its bound, and beyond it the error says so.
func TestReadSmall(t *testing.T) {
	const most = 1 << 20
	path := filepath.Join(t.TempDir(), "x")
	for size, fits := range map[int]bool{0: true, 1: true, most - 1: true, most: true, most + 1: false, 2 * most: false} {
		data := bytes.Repeat([]byte("x"), size)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := atomicfile.ReadSmall(path)
		if (err == nil) != fits || fits && !bytes.Equal(got, data) {
			t.Errorf("%d bytes: read %d, %v", size, len(got), err)
		}
	}
	for _, path := range []string{filepath.Join(t.TempDir(), "none"), t.TempDir()} {
		if _, err := atomicfile.ReadSmall(path); err == nil {
			t.Errorf("%s is read without an error", path)
		}
	}
	if _, err := atomicfile.ReadSmall("/dev/zero"); err == nil {
		t.Error("a device without an end is read")
	}
}

// A name that is there stays as it is, whatever it is.
func TestCreateKeepsWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	for name, place := range map[string]func() error{
		"a file":            func() error { return os.WriteFile(path, []byte(oldText), 0o600) },
		"a folder":          func() error { return os.Mkdir(path, 0o700) },
		"a link to nowhere": func() error { return os.Symlink(filepath.Join(dir, "none"), path) },
	} {
		if err := place(); err != nil {
			t.Fatal(err)
		}
		before, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		err = atomicfile.Create(path, []byte(newText), 0o600)
		after, lost := os.Lstat(path)
		if !errors.Is(err, fs.ErrExist) || lost != nil || !os.SameFile(before, after) {
			t.Errorf("%s: %v; want fs.ErrExist, and the same as before", name, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}
