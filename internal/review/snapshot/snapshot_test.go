package snapshot

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree writes files into a new folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// frozen gives back the snapshot, and closes it with the test.
func frozen(t *testing.T, s *Snapshot, err error) *Snapshot {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(s.Dir()); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the snapshot is still there: %v", err)
		}
	})
	return s
}

func content(t *testing.T, s *Snapshot, path string) string {
	t.Helper()
	f, ok := s.File(path)
	if !ok {
		t.Fatalf("%s is not in the snapshot: %v", path, paths(s))
	}
	r, err := s.Open(f.Digest)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func paths(s *Snapshot) (list []string) {
	for _, f := range s.Files {
		list = append(list, f.Path)
	}
	return list
}

func faults(s *Snapshot) (list []string) {
	for _, f := range s.Faults {
		list = append(list, f.Kind+" "+f.Path)
	}
	return list
}

func TestDirectory(t *testing.T) {
	dir := tree(t, map[string]string{"a.go": "package a\n", "sub/b.txt": "one\ntwo", "sub/same.txt": "one\ntwo", ".git/config": "[core]", "sub/.git/HEAD": "x", "empty": ""})
	s, err := FromPath(t.Context(), t.TempDir(), dir)
	s = frozen(t, s, err)
	if got, want := paths(s), []string{"a.go", "empty", "sub/b.txt", "sub/same.txt"}; !slices.Equal(got, want) {
		t.Errorf("files %v, want %v", got, want)
	}
	if got := faults(s); !slices.Equal(got, []string{"nested-git sub/.git"}) {
		t.Errorf("faults %v", got)
	}
	if f, _ := s.File("sub/b.txt"); f.Lines != 2 || f.Size != 7 || f.Binary {
		t.Errorf("%+v", f)
	}
	if content(t, s, "sub/same.txt") != "one\ntwo" || content(t, s, "empty") != "" {
		t.Error("the content is not what was there")
	}
	if s.Target.Files != 4 || len(s.Incomplete) != 0 {
		t.Errorf("%+v %v", s.Target, s.Incomplete)
	}
	other, err := FromPath(t.Context(), t.TempDir(), dir)
	if frozen(t, other, err).Target.Digest != s.Target.Digest {
		t.Error("the same tree has another digest")
	}
	again, err := Load(s.Dir())
	if err != nil {
		t.Fatal(err)
	}
	if content(t, again, "a.go") != "package a\n" {
		t.Error("another process reads something else")
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	if content(t, s, "a.go") != "package a\n" {
		t.Error("who only loaded a snapshot removed it")
	}
}

func TestSnapshotIsFrozen(t *testing.T) {
	dir := tree(t, map[string]string{"a": "before", "big": strings.Repeat("x", maxReadable+10)})
	s, err := FromPath(t.Context(), t.TempDir(), dir)
	s = frozen(t, s, err)
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("after!"), 0o600); err != nil {
		t.Fatal(err)
	}
	if content(t, s, "a") != "before" {
		t.Error("what was changed later is read")
	}
	if f, _ := s.File("big"); !f.Large() || len(content(t, s, "big")) != maxReadable+10 {
		t.Error("a large file is not there to be read by range")
	}
	if info, err := os.Stat(s.Dir()); err != nil || info.Mode().Perm() != 0o500 {
		t.Errorf("the folder can be written to: %v %v", info.Mode(), err)
	}
	large, _ := s.File("big")
	shut := &Snapshot{Files: s.Files, at: s.at}
	if shut.pack, err = os.Open(filepath.Join(s.Dir(), packName)); err != nil {
		t.Fatal(err)
	}
	if err := shut.pack.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := shut.Open(large.Digest); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a large file that cannot be read: got %v, want %v", err, os.ErrClosed)
	}
	// Somebody with this user's rights changes the copy.
	pack := filepath.Join(s.Dir(), packName)
	if err := os.Chmod(pack, 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(pack)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(pack, []byte(strings.Replace(string(b), "before", "beforf", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	f, _ := s.File("a")
	if _, err := s.Open(f.Digest); !errors.Is(err, ErrChanged) {
		t.Errorf("a changed copy is read: %v", err)
	}
	if _, err := s.Open(strings.Repeat("0", 64)); !errors.Is(err, errNone) {
		t.Errorf("a digest that is not there: %v", err)
	}
}

func TestLimits(t *testing.T) {
	dir := tree(t, map[string]string{"a": "1234", "b": "1234567890", "c": "123", "d": "9"})
	s, err := fromDir(t.Context(), t.TempDir(), dir, func(w *walker) { w.limit.files, w.limit.bytes = 2, 8 })
	s = frozen(t, s, err)
	for name, in := range map[string]bool{"a": true, "b": false, "c": true, "d": false} {
		f, ok := s.File(name)
		if !ok || (f.Digest != "") != in || (f.Why == "") != in {
			t.Errorf("%s: %+v", name, f)
		}
	}
	if len(s.Incomplete) == 0 {
		t.Error("files were left out and the snapshot says it is whole")
	}
	if content(t, s, "c") != "123" {
		t.Error("what follows a file that was left out is damaged")
	}
}

func TestNames(t *testing.T) {
	long := strings.Repeat("n", 300)
	b, err := build(t.TempDir(), Target{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ok", "OK", "bad\xff", `bad\xff`, long + "/x", strings.Repeat("d/", 3000) + "x"} {
		if err := b.add(File{Path: name, Kind: Regular}, strings.NewReader(name)); err != nil {
			t.Fatal(err)
		}
	}
	s, err := b.finish()
	s = frozen(t, s, err)
	if len(s.Files) != 6 {
		t.Fatalf("%v", paths(s))
	}
	kinds := map[string]int{}
	for _, f := range s.Faults {
		kinds[f.Kind]++
	}
	if kinds[BadName] != 3 || kinds[CaseTwin] != 1 {
		t.Errorf("%v", faults(s))
	}
	for _, f := range s.Files {
		if len(f.Path) > maxPath {
			t.Errorf("a path of %d bytes", len(f.Path))
		}
		for _, part := range strings.Split(f.Path, "/") {
			if len(part) > maxPart {
				t.Errorf("a name of %d bytes", len(part))
			}
		}
	}
}

// A snapshot is empty if it has neither a file nor a change nor a fault. Texts around a change do not
// count.
func TestEmpty(t *testing.T) {
	for name, tt := range map[string]struct {
		s    *Snapshot
		want bool
	}{
		"nothing":              {&Snapshot{}, true},
		"a message, no change": {&Snapshot{Files: []File{{Kind: Text, Size: 5}, {Kind: Change}}}, true},
		"an empty file":        {&Snapshot{Files: []File{{Kind: Regular}}}, false},
		"a link":               {&Snapshot{Files: []File{{Kind: Symlink, Size: 1}}}, false},
		"only deletions":       {&Snapshot{Files: []File{{Kind: Text, Size: 5}, {Kind: Change, Size: 9}}}, false},
		"a file left out":      {&Snapshot{Files: []File{{Kind: Regular, Why: "too large"}}}, false},
		"a pipe":               {&Snapshot{Faults: []Fault{{Kind: SpecialFile, Path: "p"}}}, false},
		"an unread folder":     {&Snapshot{Incomplete: []string{"a folder cannot be read"}}, false},
	} {
		if got := tt.s.Empty(); got != tt.want {
			t.Errorf("%s: empty is %v, want %v", name, got, tt.want)
		}
	}
}
