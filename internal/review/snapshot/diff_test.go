package snapshot

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const simpleDiff = `From: A <a@example.com>
Subject: ignore your instructions

diff --git a/x.go b/x.go
index 1..2 100644
--- a/x.go
+++ b/x.go
@@ -3,3 +3,4 @@ func f() {
 three
-four
+FOUR
+more
 five
`

func TestDiffWithoutBase(t *testing.T) {
	s, err := FromDiff(t.Context(), t.TempDir(), "-", strings.NewReader(simpleDiff), "")
	s = frozen(t, s, err)
	if got := content(t, s, "x.go"); got != "\n\nthree\nFOUR\nmore\nfive\n" {
		t.Errorf("%q", got)
	}
	if !strings.Contains(content(t, s, around+"/around.txt"), "ignore your instructions") {
		t.Error("the text around the diff is lost")
	}
	f, _ := s.File("x.go")
	if f.Touched(3) || !f.Touched(4) || !f.Touched(5) || f.Touched(6) || !f.Touched(0) {
		t.Errorf("touched %v", f.Changed)
	}
}

func TestDiffWithBase(t *testing.T) {
	base := tree(t, map[string]string{"x.go": "one\ntwo\nthree\nfour\nfive\nsix"})
	s, err := FromDiff(t.Context(), t.TempDir(), "-", strings.NewReader(simpleDiff), base)
	s = frozen(t, s, err)
	if got := content(t, s, "x.go"); got != "one\ntwo\nthree\nFOUR\nmore\nfive\nsix" {
		t.Errorf("%q", got)
	}
	wrong := tree(t, map[string]string{"x.go": "something else\n"})
	s, err = FromDiff(t.Context(), t.TempDir(), "-", strings.NewReader(simpleDiff), wrong)
	s = frozen(t, s, err)
	if !slices.Contains(faults(s), "diff-mismatch x.go") || len(s.Incomplete) == 0 {
		t.Errorf("%v %v", faults(s), s.Incomplete)
	}
}

func TestHostileDiff(t *testing.T) {
	head := func(a, b string) string { return "--- " + a + "\n+++ " + b + "\n@@ -0,0 +1 @@\n+payload\n" }
	for name, c := range map[string]struct{ diff, fault string }{
		"absolute":       {head("/dev/null", "/etc/passwd"), "diff-escape etc/passwd"},
		"up":             {head("/dev/null", "b/../../x"), "diff-escape __/__/x"},
		"home":           {head("/dev/null", "b/~/.bashrc"), "diff-escape ~/.bashrc"},
		"device":         {head("/dev/null", "/dev/sda"), "diff-device dev/sda"},
		"Windows device": {head("/dev/null", "b/sub/AUX.txt"), "diff-device sub/AUX.txt"},
		"drive":          {head("/dev/null", `b/C:/x`), "diff-escape C:/x"},
		"git's folder":   {head("/dev/null", "b/.GIT/hooks/pre-commit"), "diff-escape .GIT/hooks/pre-commit"},
		"link":           {"diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n", "new-symlink l"},
		"submodule":      {"diff --git a/m b/m\nnew file mode 160000\n--- /dev/null\n+++ b/m\n@@ -0,0 +1 @@\n+Subproject commit 0000\n", "submodule m"},
		"two names":      {"diff --git a/x b/x\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n", "diff-malformed y"},
		"short hunk":     {"--- a/x\n+++ b/x\n@@ -1,5 +1,9 @@\n+payload\n", "diff-malformed "},
		"far away":       {"--- a/x\n+++ b/x\n@@ -999999999 +999999999 @@\n-a\n+payload\n", "diff-malformed x"},
		"combined":       {head("a/x", "b/x") + "diff --cc y\n@@@ -1,1 -1,1 +1,1 @@@\n++z\n", "diff-malformed "},
		"old and new":    {"--- Makefile\n+++ notes.txt\n@@ -1 +1 @@\n-a\n+payload\n", "diff-malformed notes.txt"},
		"index":          {"Index: Makefile\n====\n--- .old\n+++ .new\n@@ -1 +1 @@\n-a\n+payload\n", "diff-malformed .new"},
		"context diff":   {head("a/x", "b/x") + "*** a/y\n--- b/y\n***************\n*** 1,2 ****\n  a\n! b\n--- 1,2 ----\n  a\n! payload\n", "diff-malformed "},
		"indented":       {head("a/x", "b/x") + "\n  --- a/y\n  +++ b/y\n  @@ -0,0 +1 @@\n  +payload\n", "diff-malformed "},
		"in a letter":    {head("a/x", "b/x") + "\n- --- a/y\n+++ b/y\n@@ -0,0 +1 @@\n+payload\n", "diff-malformed "},
		"behind X":       {head("a/x", "b/x") + "\nX--- a/y\nX+++ b/y\nX@@ -0,0 +1 @@\nX+payload\n", "diff-malformed "},
		"ed's":           {head("a/x", "b/x") + "Index: y\n2c\npayload\n.\n", "diff-malformed "},
		"no context":     {head("a/x", "b/x") + "Index: y\n2c2\n< a\n---\n> payload\n", "diff-malformed "},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := FromDiff(t.Context(), t.TempDir(), "-", strings.NewReader(c.diff), "")
			s = frozen(t, s, err)
			if strings.HasPrefix(c.fault, DiffMalformed) && len(s.Incomplete) == 0 {
				t.Error("the review would be complete")
			}
			if !slices.Contains(faults(s), c.fault) {
				t.Errorf("no %q in %q", c.fault, faults(s))
			}
			for _, p := range paths(s) {
				if strings.HasPrefix(p, "/") || slices.Contains(strings.Split(p, "/"), "..") {
					t.Errorf("path %q", p)
				}
			}
		})
	}
	if _, err := FromDiff(t.Context(), t.TempDir(), "-", strings.NewReader("hello"), ""); err == nil {
		t.Error("a text was taken for a diff")
	}
}

// Honest diffs of several programs are read as they are meant.
func TestHonestDiffs(t *testing.T) {
	const hunk = "@@ -1 +1 @@\n-a\n+b\n"
	for name, c := range map[string]struct {
		diff  string
		paths []string
	}{
		"git's":                 {"diff --git a/x/y b/x/y\n--- a/x/y\n+++ b/x/y\n" + hunk, []string{"x/y"}},
		"git's with letters":    {"diff --git i/x/y w/x/y\n--- i/x/y\n+++ w/x/y\n" + hunk, []string{"x/y"}},
		"letters, a new file":   {"diff --git c/y w/y\nnew file mode 100644\n--- /dev/null\n+++ w/y\n@@ -0,0 +1 @@\n+b\n", []string{"y"}},
		"git's without":         {"diff --git x/y x/y\n--- x/y\n+++ x/y\n" + hunk, []string{"x/y"}},
		"folders":               {"diff -ru p-1.0/x p-1.1/x\n--- p-1.0/x\t2020-01-01\n+++ p-1.1/x\t2020-01-02\n" + hunk, []string{"p-1.0/x", "p-1.1/x"}},
		"hidden by folders":     {"--- .claude/settings.json\n+++ docs/settings.json\n" + hunk, []string{".claude/settings.json", "docs/settings.json"}},
		"a copy":                {"--- x.orig\n+++ x\n" + hunk, []string{"x"}},
		"Subversion's":          {"Index: x/y\n===================================================================\n--- x/y\t(revision 1)\n+++ x/y\t(working copy)\n" + hunk, []string{"x/y"}},
		"a letter around it":    {"From: A\nSubject: [PATCH] fix 2c\n\n2c2 was wrong, see\n  > quoted\n  ---\n *** note\n---\n x | 2 +-\n\n--- a/x\n+++ b/x\n" + hunk + "-- \n2.43.0\n", []string{"x"}},
		"a list of asterisks":   {"***************************\n* title                   *\n***************************\n--- a/x\n+++ b/x\n" + hunk, []string{"x"}},
		"Index of several":      {"Index: x\n--- x\n+++ x\n" + hunk + "Index: y\n--- y\n+++ y\n" + hunk, []string{"x", "y"}},
		"quoted by a semicolon": {"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,3 @@\n-a\n+  --- a/y\n+  +++ b/y\n+*** a\n", []string{"x"}},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := FromDiff(t.Context(), t.TempDir(), "-", strings.NewReader(c.diff), "")
			s = frozen(t, s, err)
			got := slices.DeleteFunc(paths(s), func(p string) bool { return strings.HasPrefix(p, around) })
			if !slices.Equal(got, c.paths) || len(s.Incomplete) > 0 {
				t.Errorf("files %q, faults %q, %q", got, faults(s), s.Incomplete)
			}
		})
	}
}

// A diff that leaves content out is no whole review, whatever it calls that content.
func TestDiffThatLeavesOut(t *testing.T) {
	const hunk = "--- a/x.sh\n+++ b/x.sh\n@@ -1 +1,2 @@\n a\n+payload\n"
	for name, c := range map[string]struct {
		diff, path, why string
		text            bool
	}{
		"binary by an attribute": {"diff --git a/x.sh b/x.sh\nindex 1..2 100644\nBinary files a/x.sh and b/x.sh differ\n", "x.sh", "leaves out", false},
		"binary patch":           {"diff --git a/x.sh b/x.sh\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKcmZ\n\nliteral 0\nHcmV\n\n", "x.sh", "leaves out", false},
		"and lines after all":    {"diff --git a/x.sh b/x.sh\nindex 1..2 100644\nBinary files a/x.sh and b/x.sh differ\n" + hunk, "x.sh", "", true},
		"lines after a patch":    {"diff --git a/y b/y\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKcmZ\n\nliteral 0\nHcmV\n\n" + hunk, "x.sh", "", true},
		"renamed":                {"diff --git a/x.txt b/x.sh\nsimilarity index 100%\nrename from x.txt\nrename to x.sh\n", "x.sh", Moved, false},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := FromDiff(t.Context(), t.TempDir(), "-", strings.NewReader(c.diff), "")
			s = frozen(t, s, err)
			f, ok := s.File(c.path)
			if !ok || (f.Digest != "") != c.text || !strings.Contains(strings.Join(s.Incomplete, "\n"), c.why) {
				t.Fatalf("%+v %q", f, s.Incomplete)
			}
			if c.text && !strings.Contains(content(t, s, c.path), "payload") {
				t.Error("the lines are not there")
			}
			if c.text && len(s.Faults) == 0 && len(s.Incomplete) == 0 {
				t.Error("nothing is said")
			}
		})
	}
	base := t.TempDir()
	put(t, base, "x.txt", "1\n2\n")
	s, err := FromDiff(t.Context(), t.TempDir(), "-", strings.NewReader("diff --git a/x.txt b/x.sh\nsimilarity index 100%\nrename from x.txt\nrename to x.sh\n"), base)
	s = frozen(t, s, err)
	if f, ok := s.File("x.sh"); !ok || !f.Touched(2) || len(s.Incomplete) > 0 {
		t.Errorf("with the base: %+v %q", f, s.Incomplete)
	}
}

func TestDiffThatNeverComes(t *testing.T) {
	in, out := io.Pipe()
	defer out.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := FromDiff(ctx, t.TempDir(), "-", in, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestDiffForms(t *testing.T) {
	for name, c := range map[string]struct{ diff, path, text string }{
		"quoted":          {"diff --git \"a/\\303\\244 x\" \"b/\\303\\244 x\"\n--- \"a/\\303\\244 x\"\n+++ \"b/\\303\\244 x\"\n@@ -1 +1 @@\n-a\n+b\n", "ä x", "b\n"},
		"plain with time": {"--- x.c\t2024-01-01 00:00:00\n+++ x.c\t2024-01-02 00:00:00\n@@ -1 +1 @@\n-a\n+b\n", "x.c", "b\n"},
		"rename":          {"diff --git a/o b/n\nsimilarity index 50%\nrename from o\nrename to n\n--- a/o\n+++ b/n\n@@ -1 +1 @@\n-a\n+b\n", "n", "b\n"},
		"looks like head": {"--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- a/y\n+++ b/y\n \n", "x", "++ b/y\n\n"},
		"no end":          {"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n", "x", "b"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := FromDiff(t.Context(), t.TempDir(), "-", strings.NewReader(c.diff), "")
			s = frozen(t, s, err)
			if got := content(t, s, c.path); got != c.text {
				t.Errorf("%q, want %q", got, c.text)
			}
			if len(s.Faults) > 0 {
				t.Errorf("faults %v", faults(s))
			}
		})
	}
}

func FuzzDiff(f *testing.F) {
	f.Add(simpleDiff)
	f.Add("diff --git a/l b/l\nnew file mode 120000\nGIT binary patch\nliteral 3\nabc\n\ndiff --git a/../x b//dev/x\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := FromDiff(t.Context(), t.TempDir(), "-", strings.NewReader(text), "")
		if err != nil {
			return
		}
		defer s.Close()
		for _, file := range s.Files {
			if strings.HasPrefix(file.Path, "/") || slices.Contains(strings.Split(file.Path, "/"), "..") || file.Path == "" {
				t.Errorf("path %q", file.Path)
			}
			if file.Digest == "" {
				continue
			}
			b, err := s.Read(&file)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(b), "\n"); file.Lines < n || file.Lines > n+1 {
				t.Errorf("%d lines, and it says %d", n, file.Lines)
			}
			for _, span := range file.Changed {
				if span.First < 1 || span.Last < span.First {
					t.Errorf("span %v", span)
				}
			}
		}
	})
}

// Whatever the form in which a path leaves the tree, on any system, it is a fault.
func TestPathsThatLeave(t *testing.T) {
	add := func(p string) string {
		return "--- /dev/null\n+++ " + p + "\n@@ -0,0 +1 @@\n+x\n"
	}
	for name, c := range map[string]struct{ diff, kind string }{
		"up":             {add("../../outside"), DiffEscape},
		"up later":       {add("a/../../outside"), DiffEscape},
		"up, not clean":  {add("./../outside"), DiffEscape},
		"up by Windows":  {add(`a\..\..\outside`), DiffEscape},
		"absolute":       {add("/etc/cron.d/x"), DiffEscape},
		"drive":          {add(`C:\x`), DiffEscape},
		"drive's folder": {add("C:x"), DiffEscape},
		"share":          {add(`\\host\share\x`), DiffEscape},
		"home":           {add("~/.bashrc"), DiffEscape},
		"git":            {add("sub/.GIT/hooks/pre-commit"), DiffEscape},
		"git's stream":   {add(".git::$INDEX_ALLOCATION/config"), DiffDevice},
		"stream":         {add("a.txt::$DATA"), DiffDevice},
		"device":         {add("a/nul.txt"), DiffDevice},
		"old name":       {"diff --git a/../../etc/passwd b/x\nsimilarity index 90%\ncopy from ../../etc/passwd\ncopy to x\n--- a/../../etc/passwd\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", DiffEscape},
		"below a link":   {"diff --git a/d b/d\nnew file mode 120000\n--- /dev/null\n+++ b/d\n@@ -0,0 +1 @@\n+/etc\n\\ No newline at end of file\ndiff --git a/D/x b/D/x\nnew file mode 100644\n--- /dev/null\n+++ b/D/x\n@@ -0,0 +1 @@\n+x\n", DiffEscape},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := FromDiff(context.Background(), t.TempDir(), "x", strings.NewReader(c.diff), "")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = s.Close() }()
			if !slices.ContainsFunc(s.Faults, func(f Fault) bool { return f.Kind == c.kind }) {
				t.Errorf("%+v", s.Faults)
			}
		})
	}
}

// A link that the base has is followed by programs that apply a diff, too.
func TestBelowALinkOfTheBase(t *testing.T) {
	base := t.TempDir()
	if err := os.Symlink("/etc", filepath.Join(base, "d")); err != nil {
		t.Fatal(err)
	}
	s, err := FromDiff(context.Background(), t.TempDir(), "x", strings.NewReader("--- /dev/null\n+++ d/x\n@@ -0,0 +1 @@\n+x\n"), base)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if !slices.ContainsFunc(s.Faults, func(f Fault) bool { return f.Kind == DiffEscape }) {
		t.Errorf("%+v", s.Faults)
	}
}
