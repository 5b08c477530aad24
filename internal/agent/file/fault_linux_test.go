//go:build amd64

package file

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/umpire-dev/umpire/internal/tools/faultos"
)

// errand changes one file, in a process of its own.
type errand struct{ Path, Do string }

func init() { faultos.Errand(errand.run) }

func (e errand) run() error {
	f, err := Open(e.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	switch e.Do {
	case "remove":
		return f.Remove()
	case "restore":
		return f.Restore([]byte("new"), 0o640)
	}
	return f.Write([]byte("new"))
}

// Each call to the file system fails, runs into a full disk, or is the last before a kill. The file
// is what it was or what it is to be, success means the latter, and an error leaves nothing behind.
func TestEveryCallFails(t *testing.T) {
	for _, tt := range []struct{ do, path, old string }{{"write", "a/b/f", ""}, {"restore", "f", ""}, {"write", "f", "old"}, {"remove", "f", "old"}} {
		for _, mode := range []faultos.Mode{faultos.Fail, faultos.Full, faultos.Kill} {
			t.Run(fmt.Sprintf("%s %q/%s", tt.do, tt.old, mode), func(t *testing.T) {
				for n := 1; !t.Failed(); n++ {
					dir := place(t)
					path := filepath.Join(dir, tt.path)
					if tt.old != "" {
						must(t, os.WriteFile(path, []byte(tt.old), 0o600))
					}
					calls := faultos.Files
					if mode != faultos.Fail {
						calls = faultos.Writes
					}
					r, said := faultos.RunErrand(t, errand{path, tt.do}, faultos.Fault{Nth: n, Mode: mode, Calls: calls, Root: dir})
					at := fmt.Sprintf("call %d (%s)", n, r.What)
					data, err := os.ReadFile(path)
					if err != nil && !os.IsNotExist(err) {
						t.Fatal(err)
					}
					want := []byte("new")
					if tt.do == "remove" {
						want = nil
					}
					if done := bytes.Equal(data, want); !done && (r.Status == 0 || string(data) != tt.old) {
						t.Errorf("%s: status %d and the file has %q, want %q or %q", at, r.Status, data, want, tt.old)
					}
					if r.Status == 1 && strings.TrimSpace(said) == "" || r.Status > 1 {
						t.Errorf("%s: status %d, it says %q", at, r.Status, said)
					}
					left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".umpire-*"))
					if err != nil || len(left) > 0 && r.Status >= 0 && !strings.HasPrefix(r.What, "remove") {
						t.Errorf("%s: status %d, left behind is %v, %v", at, r.Status, left, err)
					}
					if r.What == "" {
						if r.Status != 0 || n < 2 && mode != faultos.Full {
							t.Errorf("without a fault: status %d after %d calls: %s", r.Status, n-1, said)
						}
						return
					}
				}
			})
		}
	}
}

// Without openat2, too, no link in a path is followed.
func TestOpenByName(t *testing.T) {
	dir := place(t)
	must(t, os.MkdirAll(filepath.Join(dir, "real", "sub"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	must(t, os.Symlink("real", filepath.Join(dir, "link")))
	must(t, os.Symlink("sub", filepath.Join(dir, "real", "last")))
	for path, ok := range map[string]bool{"": true, "real": true, "real/sub": true, "real//sub/": true, "link": false, "link/sub": false, "real/last": false, "file": false, "none": false} {
		fd, err := openByName(filepath.Join(dir, "/") + "/" + path)
		if (err == nil) != ok {
			t.Errorf("%q: got %v, want success: %v", path, err, ok)
		}
		if err != nil {
			continue
		}
		got, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd))
		if want := filepath.Join(dir, path); err != nil || got != want {
			t.Errorf("%q: got %q, %v, want %s", path, got, err, want)
		}
		must(t, unix.Close(fd))
	}
}
