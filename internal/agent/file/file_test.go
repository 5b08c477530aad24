package file

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// place is a folder of the test's own, by its real name.
func place(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestWrite(t *testing.T) {
	dir := place(t)
	path := filepath.Join(dir, "a", "b", "c.txt")
	f, err := Open(path)
	must(t, err)
	defer f.Close()
	if f.Exists || f.Sum() != "" {
		t.Error("a file is there that is not")
	}
	must(t, f.Write([]byte("one")))
	must(t, os.Chmod(path, 0o750))
	g, err := Open(path)
	must(t, err)
	defer g.Close()
	if string(g.Data) != "one" || !g.Exists || g.Mode != 0o750 {
		t.Errorf("read %q, %v", g.Data, g.Mode)
	}
	must(t, g.Write([]byte("two")))
	must(t, g.Write([]byte("three"))) // by the same handle
	data, err := os.ReadFile(path)
	must(t, err)
	fi, err := os.Stat(path)
	must(t, err)
	if string(data) != "three" || fi.Mode().Perm() != 0o750 {
		t.Errorf("wrote %q, %v", data, fi.Mode())
	}
	if err := f.Write([]byte("late")); !errors.Is(err, errChanged) {
		t.Errorf("a file that was changed meanwhile was written: %v", err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	must(t, err)
	if len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
	must(t, g.Remove())
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Error("it was not removed")
	}
}

func TestWriteRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(t *testing.T, dir string)
	}{
		{"other content", func(t *testing.T, dir string) { must(t, os.WriteFile(filepath.Join(dir, "f"), []byte("other"), 0o600)) }},
		{"another file", func(t *testing.T, dir string) {
			must(t, os.WriteFile(filepath.Join(dir, "g"), []byte("text"), 0o600))
			must(t, os.Rename(filepath.Join(dir, "g"), filepath.Join(dir, "f")))
		}},
		{"a link", func(t *testing.T, dir string) {
			must(t, os.WriteFile(filepath.Join(dir, "g"), []byte("text"), 0o600))
			must(t, os.Remove(filepath.Join(dir, "f")))
			must(t, os.Symlink("g", filepath.Join(dir, "f")))
		}},
		{"nothing", func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, "f"))) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := place(t)
			must(t, os.WriteFile(filepath.Join(dir, "f"), []byte("text"), 0o600))
			f, err := Open(filepath.Join(dir, "f"))
			must(t, err)
			defer f.Close()
			c.change(t, dir)
			if err := f.Write([]byte("mine")); !errors.Is(err, errChanged) {
				t.Errorf("Write: %v", err)
			}
			for _, name := range []string{"f", "g"} {
				if data, _ := os.ReadFile(filepath.Join(dir, name)); string(data) == "mine" {
					t.Errorf("%s was written", name)
				}
			}
		})
	}
}

// Somebody makes the file, or the folder that it was to be in, between question and answer.
func TestNewFileIsNotReplaced(t *testing.T) {
	dir := place(t)
	for _, name := range []string{"f", "sub/f"} {
		f, err := Open(filepath.Join(dir, name))
		must(t, err)
		must(t, os.MkdirAll(filepath.Dir(f.Path), 0o755))
		must(t, os.WriteFile(f.Path, []byte("theirs"), 0o600))
		if err := f.Write([]byte("mine")); !errors.Is(err, errChanged) {
			t.Errorf("%s: %v", name, err)
		}
		f.Close()
	}
}

func TestOpenFollowsNoLink(t *testing.T) {
	dir := place(t)
	must(t, os.Mkdir(filepath.Join(dir, "real"), 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "real", "f"), []byte("secret"), 0o600))
	must(t, os.Symlink("real", filepath.Join(dir, "folder")))
	must(t, os.Symlink("real/f", filepath.Join(dir, "link")))
	for _, name := range []string{"folder/f", "link", "folder/new"} {
		f, err := Open(filepath.Join(dir, name))
		if err == nil {
			t.Errorf("%s was opened: %q", name, f.Data)
			f.Close()
		}
		real, err := Resolve(dir, name)
		must(t, err)
		if want := filepath.Join(dir, "real"); filepath.Dir(real) != want {
			t.Errorf("%s leads to %s", name, real)
		}
		if f, err := Open(real); err != nil {
			t.Errorf("%s: %v", real, err)
		} else {
			f.Close()
		}
	}
}

func TestResolve(t *testing.T) {
	dir := place(t)
	must(t, os.MkdirAll(filepath.Join(dir, "a/b"), 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	for to, name := range map[string]string{"a/b": "rel", filepath.Join(dir, "a"): "abs", "gone/x": "dangling", "loop": "loop", "../" + filepath.Base(dir) + "/a": "up"} {
		must(t, os.Symlink(to, filepath.Join(dir, name)))
	}
	for _, c := range []struct{ path, want, err string }{
		{"x", "x", ""},
		{"a/../x", "x", ""},
		{"rel/new/x", "a/b/new/x", ""},
		{"abs/b", "a/b", ""},
		{"up/b/.", "a/b", ""},
		{"dangling", "gone/x", ""},
		{"dangling/y", "gone/x/y", ""},
		{"loop", "", "links"},
		{"file/x", "", "not a folder"},
		{"", "", "empty"},
		{"a\x00b", "", "zero byte"},
	} {
		got, err := Resolve(dir, c.path)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q: %v", c.path, err)
			}
			continue
		}
		if err != nil || got != filepath.Join(dir, c.want) {
			t.Errorf("%q leads to %q, %v", c.path, got, err)
		}
	}
}

func TestWithin(t *testing.T) {
	dir := place(t)
	must(t, os.MkdirAll(filepath.Join(dir, "own", "sub"), 0o755))
	must(t, os.Symlink("own", filepath.Join(dir, "other")))
	places := []string{filepath.Join(dir, "other"), filepath.Join(dir, "later")}
	for path, want := range map[string]bool{"own": true, "own/sub/x": true, "OWN/x": true, "ownish": false, "later/x": true, "x": false, ".": false} {
		if got := Within(filepath.Join(dir, path), places); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

func FuzzResolve(f *testing.F) {
	for _, s := range []string{"a", "../x", "l/../y", "/", "l/l/l", "a//b/./c"} {
		f.Add(s)
	}
	dir := f.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "a"), 0o755), os.Symlink("a/..", filepath.Join(dir, "l"))); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, path string) {
		got, err := Resolve(dir, path)
		if err != nil {
			return
		}
		if again, err := Resolve("", got); err != nil || again != got {
			t.Errorf("%q leads to %q, and that to %q, %v", path, got, again, err)
		}
	})
}
