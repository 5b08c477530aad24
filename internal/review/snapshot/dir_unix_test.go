//go:build unix

package snapshot

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func TestHostileTree(t *testing.T) {
	outside := tree(t, map[string]string{"secret": "the secret"})
	dir := tree(t, map[string]string{"a": "a", "real/x": "x", "swap": "swap", "swapdir/y": "y"})
	for name, text := range map[string]string{"abs": filepath.Join(outside, "secret"), "up": "../../../etc/passwd", "loop": "loop", "dirlink": outside, "proc": "/proc/self/environ"} {
		if err := os.Symlink(text, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "a"), 0o755|os.ModeSetuid); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(dir, "real/x"), filepath.Join(dir, "hard")); err != nil {
		t.Fatal(err)
	}
	deep := dir
	for range maxDepth + 3 {
		deep = filepath.Join(deep, "d")
	}
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	swap := func(p string) {
		if p != "swap" { // between the look and the open, a link takes its place
			return
		}
		if err := os.Remove(filepath.Join(dir, "swap")); err != nil {
			t.Error(err)
		}
		if err := os.Symlink(filepath.Join(outside, "secret"), filepath.Join(dir, "swap")); err != nil {
			t.Error(err)
		}
	}
	s, err := fromDir(t.Context(), t.TempDir(), dir, func(w *walker) { w.step = swap })
	s = frozen(t, s, err)
	if content(t, s, "abs") != filepath.Join(outside, "secret") || content(t, s, "up") != "../../../etc/passwd" || content(t, s, "loop") != "loop" {
		t.Error("a link is not its text")
	}
	if f, _ := s.File("abs"); f.Kind != Symlink {
		t.Errorf("%+v", f)
	}
	if content(t, s, "hard") != "x" {
		t.Error("a hard link is no file")
	}
	for _, want := range []string{"special-file fifo", "set-id a"} {
		if !slices.Contains(faults(s), want) {
			t.Errorf("no fault %q in %v", want, faults(s))
		}
	}
	if !slices.ContainsFunc(faults(s), func(f string) bool { return strings.HasPrefix(f, TooDeep+" d/d/") }) {
		t.Errorf("%v", faults(s))
	}
	if f, ok := s.File("swap"); !ok || f.Digest != "" {
		t.Errorf("what was put in place of a file was read: %+v", f)
	}
	for _, f := range s.Files {
		if f.Digest != "" && strings.Contains(content(t, s, f.Path), "the secret") {
			t.Errorf("%s has what lies outside", f.Path)
		}
	}
	if _, err := FromPath(t.Context(), t.TempDir(), filepath.Join(dir, "fifo")); err == nil {
		t.Error("a FIFO was taken as a target")
	}
}

func TestFIFOInPlaceOfFile(t *testing.T) {
	dir := tree(t, map[string]string{"a": "a", "b": "b"})
	s, err := fromDir(t.Context(), t.TempDir(), dir, func(w *walker) {
		w.step = func(p string) {
			if p == "a" {
				_ = os.Remove(filepath.Join(dir, "a"))
				if err := syscall.Mkfifo(filepath.Join(dir, "a"), 0o600); err != nil {
					t.Error(err)
				}
			}
		}
	})
	s = frozen(t, s, err) // that it returns at all is the point
	if f, _ := s.File("a"); f == nil || f.Digest != "" {
		t.Errorf("%+v", f)
	}
	if content(t, s, "b") != "b" {
		t.Error("the rest was not read")
	}
}
