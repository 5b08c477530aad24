package snapshot_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/policy"
)

func compiled(t testing.TB, n int) *policy.Policy {
	t.Helper()
	src := policy.Source{Default: umpire.Allow}
	for i := range n {
		src.Rules = append(src.Rules, policy.Rule{ID: fmt.Sprintf("r-%d", i), Layer: policy.User,
			Match: []policy.Pattern{policy.MustParse(fmt.Sprintf("exec(prog-%d *)", i))}, Reason: "because"})
	}
	p, err := policy.Compile(src)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func stored(t testing.TB, n int) (path string, s *snapshot.Snapshot) {
	t.Helper()
	dir := t.TempDir()
	src := filepath.Join(dir, "policy.yaml")
	if err := os.WriteFile(src, []byte("version: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sources := snapshot.StatAll([]string{src, filepath.Join(dir, "absent.yaml")})
	s = &snapshot.Snapshot{Policy: compiled(t, n), Build: "b1", Written: time.Now().Add(time.Hour), Sources: sources}
	path = snapshot.Path(filepath.Join(dir, "cache"), "/work", src)
	if err := snapshot.Write(path, s); err != nil {
		t.Fatal(err)
	}
	return path, s
}

func TestOpen(t *testing.T) {
	for _, n := range []int{1, 5000} { // read and mapped
		path, want := stored(t, n)
		s, err := snapshot.Open(path, "b1", snapshot.Stat)
		if err != nil {
			t.Fatal(err)
		}
		if s.Policy.Hash() != want.Policy.Hash() || len(s.Sources) != 2 || !s.Written.Equal(want.Written) {
			t.Errorf("got %+v, want %+v", s, want)
		}
		a := &umpire.Action{}
		if d := s.Policy.Decide(a, []umpire.Operation{{Kind: umpire.Exec, Resource: "prog-0 x"}}); d.Effect != umpire.Deny || !d.Explicit {
			t.Errorf("got %v, want deny", d)
		}
	}
}

// A process that lives long opens a new snapshot after every change. Were each mapped
// for ever, some day no memory could be had.
func TestOpenManyTimes(t *testing.T) {
	path, _ := stored(t, 5000)
	lines := func() int {
		b, err := os.ReadFile("/proc/self/maps")
		if err != nil {
			return 0 // not Linux: then it is enough that nothing fails
		}
		return bytes.Count(b, []byte("\n"))
	}
	before := lines()
	for range 200 {
		if _, err := snapshot.Open(path, "b1", snapshot.Stat); err != nil {
			t.Fatal(err)
		}
	}
	if n := lines() - before; n > 100 {
		t.Errorf("%d mappings are left", n)
	}
}

func TestStale(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(t *testing.T, s *snapshot.Snapshot)
	}{
		{"changed", func(t *testing.T, s *snapshot.Snapshot) {
			if err := os.WriteFile(s.Sources[0].Path, []byte("version: 1\nrules: []\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}},
		{"changed, with its old size and time", func(t *testing.T, s *snapshot.Snapshot) {
			if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
				return
			}
			tmp := s.Sources[0].Path + ".new" // another inode
			if err := os.WriteFile(tmp, []byte("version: 2\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			old := time.Unix(0, s.Sources[0].Mod)
			if err := errors.Join(os.Chtimes(tmp, old, old), os.Rename(tmp, s.Sources[0].Path)); err != nil {
				t.Fatal(err)
			}
		}},
		{"removed", func(t *testing.T, s *snapshot.Snapshot) {
			if err := os.Remove(s.Sources[0].Path); err != nil {
				t.Fatal(err)
			}
		}},
		{"came to be", func(t *testing.T, s *snapshot.Snapshot) {
			if err := os.WriteFile(s.Sources[1].Path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path, s := stored(t, 1)
			tc.change(t, s)
			if _, err := snapshot.Open(path, "b1", snapshot.Stat); !errors.Is(err, snapshot.ErrStale) {
				t.Errorf("got %v, want ErrStale", err)
			}
		})
	}
	path, _ := stored(t, 1)
	if _, err := snapshot.Open(path, "b2", snapshot.Stat); !errors.Is(err, snapshot.ErrStale) {
		t.Errorf("of another build: got %v, want ErrStale", err)
	}
}

// A file that could not be looked at may have become readable since.
func TestUnreadableIsNotAbsent(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	below := filepath.Join(file, "policy.yaml")
	was := snapshot.Stat(below)
	if was != snapshot.Stat(below) || was.Path != below {
		t.Errorf("the same fault looks different: %+v", was)
	}
	s := snapshot.Snapshot{Sources: []snapshot.Source{was}, Written: time.Now()}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if s.Fresh(snapshot.Stat) {
		t.Error("a file that is absent now is taken for one that could not be looked at")
	}
}

// A change within the clock tick in which the snapshot was written would not show.
func TestRacy(t *testing.T) {
	_, s := stored(t, 1)
	s.Written = time.Unix(0, max(s.Sources[0].Mod, s.Sources[0].Change))
	if s.Fresh(snapshot.Stat) {
		t.Error("a snapshot written in the same tick is taken for fresh")
	}
}

// A file whose time was set to the future was not changed then: it would make every call
// compile the policy anew.
func TestFutureTime(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		return
	}
	_, s := stored(t, 1)
	later := time.Now().Add(time.Hour).Truncate(time.Second)
	if err := os.Chtimes(s.Sources[0].Path, later, later); err != nil {
		t.Fatal(err)
	}
	s.Sources[0] = snapshot.Stat(s.Sources[0].Path)
	s.Written = time.Unix(0, s.Sources[0].Change).Add(time.Second)
	if !s.Fresh(snapshot.Stat) {
		t.Error("a file whose time is in the future is taken for one that just changed")
	}
}

func TestUnsafe(t *testing.T) {
	if runtime.GOOS == "windows" {
		return
	}
	path, _ := stored(t, 1)
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode is %v, %v", info.Mode(), err)
	}
	for _, mode := range []os.FileMode{0o620, 0o602} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := snapshot.Open(path, "b1", snapshot.Stat); !errors.Is(err, snapshot.ErrUnsafe) {
			t.Errorf("mode %o: got %v, want ErrUnsafe", mode, err)
		}
	}
	if _, err := snapshot.Open(filepath.Dir(path), "b1", snapshot.Stat); !errors.Is(err, snapshot.ErrUnsafe) {
		t.Errorf("a folder: got %v, want ErrUnsafe", err)
	}
	if _, err := snapshot.Open(path+"x", "b1", snapshot.Stat); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want ErrNotExist", err)
	}
}

func TestPath(t *testing.T) {
	a, b := snapshot.Path("/c", "/w", "/u"), snapshot.Path("/c", "/w/", "u")
	if a == b || filepath.Dir(a) != filepath.Clean("/c") {
		t.Errorf("got %s and %s", a, b)
	}
}

func FuzzDecode(f *testing.F) {
	s := &snapshot.Snapshot{Policy: compiled(f, 3), Build: "b", Written: time.Unix(1, 0), Sources: []snapshot.Source{{Path: "/x", Exists: true, Size: 3}}}
	good := snapshot.Encode(s)
	f.Add(good, 0, byte(0))
	f.Add(good[:50], 3, byte(1))
	f.Fuzz(func(t *testing.T, b []byte, at int, flip byte) {
		_, _ = snapshot.Decode(b)
		if at < 0 || at >= len(good) || flip == 0 {
			return
		}
		bad := append([]byte(nil), good...)
		bad[at] ^= flip
		s, err := snapshot.Decode(bad)
		if err != nil {
			return
		}
		d := s.Policy.Decide(&umpire.Action{}, []umpire.Operation{{Kind: umpire.Exec, Resource: "prog-1 x"}})
		if d.Effect != umpire.Deny {
			t.Fatalf("damage at byte %d made the decision %v", at, d)
		}
	})
}

// What the hook sees is the first opens of a process, which map: -benchtime 10x. With
// more, the large one is read.
func BenchmarkOpen(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			path, _ := stored(b, n)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := snapshot.Open(path, "b1", snapshot.Stat); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
