package snapshot

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A diff fits its working tree however git was asked for it.
func TestDiffsOfAWorkingTree(t *testing.T) {
	dir, git := repository(t)
	long := strings.Repeat("line\n", 20)
	put(t, dir, "changed", "head\n"+long+"old\n"+long+"tail\n")
	put(t, dir, "moved", long+"stays\n")
	put(t, dir, "moved-and-changed", long+"before\n"+long)
	put(t, dir, "mode", "#!/bin/sh\n")
	put(t, dir, "no-end", long+"last")
	put(t, dir, "crlf", "one\r\ntwo\r\nthree\r\n")
	put(t, dir, "sub/below", long+"x\n"+long)
	put(t, dir, "gone", "x\n")
	put(t, dir, "picture", "\x89PNG\x00old")
	git("add", ".")
	git("commit", "-qm", "first")
	git("checkout", "-qb", "work")
	put(t, dir, "changed", "head\n"+long+"new\nmore\n"+long+"tail\n")
	git("mv", "moved", "moved-to")
	git("mv", "moved-and-changed", "changed-to")
	put(t, dir, "changed-to", long+"after\n"+long)
	if err := os.Chmod(filepath.Join(dir, "mode"), 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "no-end", long+"last\nand more")
	put(t, dir, "crlf", "one\r\nTWO\r\nthree\r\n")
	put(t, dir, "sub/below", long+"y\n"+long)
	put(t, dir, "added", "new\n")
	put(t, dir, "empty", "")
	git("rm", "-q", "gone")
	git("add", "-A")

	diffs := func(when string, list ...[]string) {
		t.Helper()
		for _, args := range list {
			cmd := exec.Command("git", append([]string{"diff", "--no-color", "--no-ext-diff"}, args...)...)
			cmd.Dir, cmd.Env = dir, gitEnvironment(dir)
			diff, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			for _, base := range []string{dir, filepath.Join(dir, "sub")} {
				s, err := FromDiff(t.Context(), t.TempDir(), "-", strings.NewReader(string(diff)), base)
				s = frozen(t, s, err)
				if got := faults(s); slices.ContainsFunc(got, func(f string) bool { return strings.HasPrefix(f, "diff-") }) || len(s.Incomplete) > 0 {
					t.Errorf("%s, git diff %v for %s: %v %v", when, args, filepath.Base(base), got, s.Incomplete)
				}
				for name, want := range map[string]string{
					"changed": "head\n" + long + "new\nmore\n" + long + "tail\n", "moved-to": long + "stays\n", "changed-to": long + "after\n" + long,
					"no-end": long + "last\nand more", "crlf": "one\r\nTWO\r\nthree\r\n", "sub/below": long + "y\n" + long, "added": "new\n", "mode": "#!/bin/sh\n",
				} {
					if got := content(t, s, name); got != want {
						t.Errorf("%s, git diff %v: %s is %q", when, args, name, got)
					}
				}
				if f, _ := s.File("changed"); f.Touched(21) || !f.Touched(22) || !f.Touched(23) || f.Touched(24) {
					t.Errorf("%s, git diff %v: touched %v", when, args, f.Changed)
				}
			}
		}
	}
	diffs("staged", []string{"main"}, []string{"HEAD"}, []string{"--cached"}, []string{"-M", "main"}, []string{"--no-renames", "main"}, []string{"-U0", "main"}, []string{"-U99", "main"}, []string{"--full-index", "main"})
	git("commit", "-qm", "second")
	diffs("committed", []string{"main"}, []string{"main...HEAD"}, []string{"main", "HEAD"}, []string{"--merge-base", "main"})
	// More work, not staged, moves the lines of the tree away from those of the diff.
	put(t, dir, "changed", "above\nhead\n"+long+"newer still\nmore\n"+long+"tail\n")
	diffs("committed, and changed since", []string{"main...HEAD"}, []string{"--cached", "main"})
	git("reset", "-q", "--soft", "main")
	diffs("staged, and changed since", []string{"--cached"})
	git("reset", "-q", "--hard", "main")
	s, err := FromDiff(t.Context(), t.TempDir(), "-", strings.NewReader("--- a/changed\n+++ b/changed\n@@ -1 +1 @@\n-nothing of the kind\n+x\n"), dir)
	s = frozen(t, s, err)
	if !slices.Contains(s.Incomplete, unfit) {
		t.Errorf("what fits nothing is taken: %v", s.Incomplete)
	}
}

// Lines that repeat fit before and after the change. The hash tells which; it makes nothing
// fit that does not.
func TestDiffThatFitsBothWays(t *testing.T) {
	dir, git := repository(t)
	put(t, dir, "a", strings.Repeat("x\n", 30))
	git("add", ".")
	git("commit", "-qm", "first")
	after := strings.Repeat("x\n", 31)
	put(t, dir, "a", after)
	diff := git("diff", "--no-ext-diff") + "\n"
	s, err := FromDiff(t.Context(), t.TempDir(), "-", strings.NewReader(diff), dir)
	s = frozen(t, s, err)
	if got := content(t, s, "a"); got != after || len(s.Incomplete) > 0 {
		t.Errorf("%d bytes of %d, %v", len(got), len(after), s.Incomplete)
	}
	forged := strings.Replace(diff, "+x\n", "+evil\n", 1)
	s, err = FromDiff(t.Context(), t.TempDir(), "-", strings.NewReader(forged), dir)
	s = frozen(t, s, err)
	if got := content(t, s, "a"); !strings.Contains(got, "evil") {
		t.Errorf("a forged hash hides what the diff adds: %q", got)
	}
}

// A base that ends before a hunk does, at any of its lines, fits neither the state before the change
// nor the state after it: the snapshot has the added lines of the diff, and says so.
func TestDiffPastTheEndOfTheBase(t *testing.T) {
	const diff = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,3 +1,5 @@\n 1\n 2\n-3\n+three\n+4\n+5\n"
	lines := []string{"1\n", "2\n", "three\n", "4\n", "5\n"}
	for n := range lines {
		dir := tree(t, map[string]string{"a": strings.Join(lines[:n], "")})
		s, err := FromDiff(t.Context(), t.TempDir(), "-", strings.NewReader(diff), dir)
		s = frozen(t, s, err)
		if got := content(t, s, "a"); !strings.Contains(got, "three\n4\n5\n") || !slices.Contains(faults(s), DiffMismatch+" a") {
			t.Errorf("with %d of %d lines: got %q, faults %q; want the added lines, and %s", n, len(lines), got, faults(s), DiffMismatch)
		}
	}
}

// A change of a binary file stays named: its content is not in the diff, and the hashes in
// it are anybody's words.
func TestBinaryOfAWorkingTree(t *testing.T) {
	dir, git := repository(t)
	put(t, dir, "picture", "\x89PNG\x00old")
	git("add", ".")
	git("commit", "-qm", "first")
	put(t, dir, "picture", "\x89PNG\x00new")
	s, err := FromDiff(t.Context(), t.TempDir(), "-", strings.NewReader(git("diff", "--no-ext-diff")+"\n"), dir)
	s = frozen(t, s, err)
	if f, ok := s.File("picture"); !ok || !f.Binary || len(s.Incomplete) != 1 {
		t.Errorf("%+v %v", f, s.Incomplete)
	}
}

// A base that is no working tree is compared as it is, and a name never leaves it.
func TestBaseKeepsToItself(t *testing.T) {
	dir := tree(t, map[string]string{"in/a": "x\n", "out": "secret\n"})
	b, err := openBase(t.Context(), filepath.Join(dir, "in"))
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	for _, name := range []string{"../out", "/etc/hostname", "a/../../out"} {
		if text, err := original(b.roots[0], name); err == nil || errors.Is(err, os.ErrNotExist) && text != "" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if b.source(1) != nil && b.git == nil {
		t.Error("there is more than the directory")
	}
}
