package snapshot_test

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/snapshot"
)

// A snapshot has bounds, and no byte of it can be missing.
func TestBounds(t *testing.T) {
	p := compiled(t, 2)
	for n, want := range map[int]bool{999: true, 1000: true, 1001: false} {
		s := snapshot.Snapshot{Policy: p, Sources: make([]snapshot.Source, n)}
		if got, err := snapshot.Decode(snapshot.Encode(&s)); (err == nil) != want || err == nil && len(got.Sources) != n || err != nil && !errors.Is(err, snapshot.ErrCorrupt) {
			t.Errorf("%d sources: got %v, want it read: %v", n, err, want)
		}
	}
	for n, want := range map[int]int{4095: 4095, 4096: 4096, 4097: 4096} {
		s := snapshot.Snapshot{Policy: p, Fault: strings.Repeat("x", n)}
		if got, err := snapshot.Decode(snapshot.Encode(&s)); err != nil || len(got.Fault) != want {
			t.Errorf("a fault of %d bytes: %v, kept %d bytes, want %d", n, err, len(got.Fault), want)
		}
	}
	for n, want := range map[int]bool{1<<20 - 100: true, 1 << 20: false} {
		s := snapshot.Snapshot{Policy: p, Build: strings.Repeat("x", n)}
		if _, err := snapshot.Decode(snapshot.Encode(&s)); (err == nil) != want || err != nil && !errors.Is(err, snapshot.ErrCorrupt) {
			t.Errorf("a build of %d bytes: got %v, want it read: %v", n, err, want)
		}
	}
	whole := snapshot.Encode(&snapshot.Snapshot{Policy: p, Build: "b", Written: time.Unix(1, 0), Sources: []snapshot.Source{{Path: "/x", Exists: true}}})
	for n := range whole {
		if s, err := snapshot.Decode(slices.Clip(whole[:n])); !errors.Is(err, snapshot.ErrCorrupt) {
			t.Errorf("the first %d of %d bytes: got %+v, %v, want ErrCorrupt", n, len(whole), s, err)
		}
	}
	head := len("umpsnap.") + 4 + sha256.Size // where the head begins
	size := int(binary.LittleEndian.Uint32(whole[8:]))
	for n := range size { // a head that is cut, with a checksum that is right
		sum := sha256.Sum256(whole[head : head+n])
		cut := slices.Concat(whole[:8], binary.LittleEndian.AppendUint32(nil, uint32(n)), sum[:], whole[head:head+n], whole[head+size:])
		if s, err := snapshot.Decode(cut); !errors.Is(err, snapshot.ErrCorrupt) {
			t.Errorf("the first %d of %d bytes of the head: got %+v, %v, want ErrCorrupt", n, size, s, err)
		}
	}
	long := append(slices.Clone(whole[head:head+size]), 0)
	sum := sha256.Sum256(long)
	if s, err := snapshot.Decode(slices.Concat(whole[:8], binary.LittleEndian.AppendUint32(nil, uint32(size+1)), sum[:], long, whole[head+size:])); !errors.Is(err, snapshot.ErrCorrupt) {
		t.Errorf("a head with a byte too many: got %+v, %v, want ErrCorrupt", s, err)
	}
	damaged := slices.Clone(whole)
	damaged[head] ^= 1
	path := filepath.Join(t.TempDir(), "s")
	if err := os.WriteFile(path, damaged, 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := snapshot.Open(path, "b", snapshot.Stat); !errors.Is(err, snapshot.ErrCorrupt) || !strings.HasPrefix(err.Error(), path) {
		t.Errorf("a damaged file: got %+v, %v, want ErrCorrupt and the file's name", s, err)
	}
}

// A source that changed shortly before the snapshot was written makes it stale: within 20 ms, or 2
// seconds where the time has no fraction.
func TestTicks(t *testing.T) {
	const ms = int64(time.Millisecond)
	for _, tt := range []struct {
		mod, change, written int64 // in milliseconds
		fresh                bool
	}{
		{0, 100_001, 100_020, false}, {0, 100_001, 100_021, true}, {0, 100_000, 101_999, false}, {0, 100_000, 102_000, true},
		{100_001, 0, 100_020, false}, {100_001, 0, 100_021, true}, {999_001, 100_001, 100_021, true}, {1, 100_001, 100_020, false},
	} {
		src := snapshot.Source{Path: "/x", Exists: true, Mod: tt.mod * ms, Change: tt.change * ms}
		for exists, want := range map[bool]bool{true: tt.fresh, false: true} {
			src.Exists = exists
			s := snapshot.Snapshot{Sources: []snapshot.Source{src}, Written: time.Unix(0, tt.written*ms)}
			if got := s.Fresh(func(string) snapshot.Source { return src }); got != want {
				t.Errorf("modified %d, changed %d, written %d, exists %v: fresh %v, want %v", tt.mod, tt.change, tt.written, exists, got, want)
			}
		}
	}
}

// Each layer counts: a file of it is a policy, belongs to the snapshot, and has it kept elsewhere.
func TestEveryLayerCounts(t *testing.T) {
	dir := t.TempDir()
	for i := range reflect.TypeFor[snapshot.Layers]().NumField() {
		name := reflect.TypeFor[snapshot.Layers]().Field(i).Name
		var l snapshot.Layers
		path := filepath.Join(dir, name)
		reflect.ValueOf(&l).Elem().Field(i).SetString(path)
		if !slices.Equal(l.Files(), []string{path}) || !slices.Equal(l.Watched(), l.Files()) {
			t.Errorf("%s: files %q, watched %q, want the one", name, l.Files(), l.Watched())
		}
		if !l.Empty() {
			t.Errorf("%s: not empty without a file", name)
		}
		if err := os.MkdirAll(filepath.Join(path, "a.yaml"), 0o700); err != nil {
			t.Fatal(err)
		}
		if got, want := l.Empty(), name == "Trust"; got != want { // a list of trusted files is no policy
			t.Errorf("%s: empty %v with a file, want %v", name, got, want)
		}
		if got, want := len(l.Watched()), map[bool]int{true: 2, false: 1}[name == "ManagedDir"]; got != want {
			t.Errorf("%s: watches %q, want %d", name, l.Watched(), want)
		}
		if err := (&snapshot.Snapshot{}).Of(l); !errors.Is(err, snapshot.ErrForeign) {
			t.Errorf("%s: got %v of a snapshot without it, want ErrForeign", name, err)
		}
		if err := (&snapshot.Snapshot{Sources: []snapshot.Source{{Path: path}}}).Of(l); err != nil {
			t.Errorf("%s: got %v of a snapshot with it, want none", name, err)
		}
		if moves := l.Name("/c", "/w") != (snapshot.Layers{}).Name("/c", "/w"); moves != (name == "User" || name == "Claimed") {
			t.Errorf("%s: has the snapshot kept elsewhere: %v", name, moves)
		}
	}
	if a, b := (snapshot.Layers{User: "u", Claimed: "c"}), (snapshot.Layers{User: "uc"}); a.Name("/c", "/w") == b.Name("/c", "/w") {
		t.Error("two files and one that is named like both share a snapshot")
	}
	if got := (snapshot.Layers{}).Files(); len(got) != 0 {
		t.Errorf("no layers: files %q, want none", got)
	}
}

// Nothing is written into a folder in which others can replace it.
func TestUnsafeFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		return
	}
	_, s := stored(t, 1)
	for mode, want := range map[os.FileMode]bool{0o700: true, 0o755: true, 0o770: false, 0o707: false} {
		dir := filepath.Join(t.TempDir(), "cache")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		if err := snapshot.Write(filepath.Join(dir, "s"), s); (err == nil) != want || err != nil && !errors.Is(err, snapshot.ErrUnsafe) {
			t.Errorf("mode %o: got %v, want it written: %v", mode, err, want)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := snapshot.Write(filepath.Join(file, "s"), s); err == nil {
		t.Error("written below a file")
	}
}

// The places of a policy are those that the documents name.
func TestPlacesOfLayers(t *testing.T) {
	if runtime.GOOS == "windows" {
		return
	}
	none := func(string) string { return "" }
	l := snapshot.DefaultLayers("/home/ada", "/srv/p", none)
	if want := (snapshot.Layers{Managed: "/etc/umpire/policy.yaml", ManagedDir: "/etc/umpire/policy.d", User: "/home/ada/.config/umpire/policy.yaml", Project: "/srv/p/.umpire.yaml", Trust: "/home/ada/.config/umpire/trust"}); l != want {
		t.Errorf("got %+v, want %+v", l, want)
	}
	if l := snapshot.DefaultLayers("", "", none); l.User+l.Trust+l.Project+l.Claimed != "" || l.Managed == "" {
		t.Errorf("without a home and a project: got %+v, want the administrator's layers alone", l)
	}
	if got := snapshot.CacheDir("/home/ada", "/srv/p", none); got != "/home/ada/.cache/umpire" {
		t.Errorf("the cache is %s", got)
	}
	for _, at := range []string{"/srv/p", "/srv/p/c", "/tmp", "/tmp/x", "/var/tmp/x", "/dev/shm/x", "/private/tmp/x", "/private/var/tmp/x"} {
		if got := snapshot.CacheDir("/home/ada", "/srv/p", func(string) string { return at }); got != "/home/ada/.cache/umpire" {
			t.Errorf("a cache that the environment has at %s is believed: %s", at, got)
		}
	}
	for _, at := range []string{"/srv/q", "/tmpx", "/home/ada/c"} {
		if got := snapshot.CacheDir("/home/ada", "/srv/p", func(string) string { return at }); got != at+"/umpire" {
			t.Errorf("a cache at %s: got %s", at, got)
		}
	}
}
