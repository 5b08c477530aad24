package patch

import (
	"slices"
	"testing"
)

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []File
		whole      bool
	}{
		{"apply_patch", "*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** Update File: b.go\n*** Move to: c.go\n@@\n-x\n+y\n*** Delete File: ../d\n*** End Patch\n",
			[]File{{Add, "a.txt", "", "one\ntwo\n", ""}, {Move, "b.go", "c.go", "y\n", "x\n"}, {Delete, "../d", "", "", ""}}, true},
		{"git", "diff --git a/x.go b/x.go\nindex 1..2 100644\n--- a/x.go\n+++ b/x.go\n@@ -1,2 +1,2 @@\n a\n--- b\n++++ c\n",
			[]File{{Update, "x.go", "", "+++ c\n", "-- b\n"}}, true},
		{"git delete and add", "diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\ndiff --git a/y b/y\nnew file mode 100755\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+#!/bin/sh\n",
			[]File{{Delete, "x", "", "", "a\n"}, {Add, "y", "", "#!/bin/sh\n", ""}}, true},
		{"git rename", "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n", []File{{Move, "x", "y", "", ""}}, true},
		{"git quoted", "diff --git \"a/\\303\\251\" \"b/\\303\\251\"\n--- \"a/\\303\\251\"\n+++ \"b/\\303\\251\"\n@@ -0,0 +1 @@\n+x\n", []File{{Update, "é", "", "x\n", ""}}, true},
		{"plain", "--- /etc/hosts\t2026-01-01\n+++ /etc/hosts\t2026-01-02\n@@ -1 +1 @@\n-a\n+b\n--- two\n+++ two\n@@ -1 +1 @@\n-a\n+b\n",
			[]File{{Update, "/etc/hosts", "", "b\n", "a\n"}, {Update, "two", "", "b\n", "a\n"}}, true},
		{"no patch", "hello\n", nil, false},
		{"empty", "", nil, false},
	} {
		got, whole := Read(tt.text)
		if !slices.Equal(got, tt.want) || whole != tt.whole {
			t.Errorf("%s: %+v %v,\nwant %+v %v", tt.name, got, whole, tt.want, tt.whole)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("*** Begin Patch\n*** Add File: a\n+x\n")
	f.Add("diff --git a/x b/y\n--- a/x\n+++ b/y\n@@ -1,9 +1 @@\n")
	f.Add("--- \"\\1\n+++ \"\\")
	f.Fuzz(func(t *testing.T, text string) {
		files, _ := Read(text)
		for _, f := range files {
			if f.Path == "" {
				t.Errorf("a file without a path: %+v", files)
			}
		}
	})
}

// Names are as git reads them, and as its own quoting says.
func TestUnquote(t *testing.T) {
	for in, want := range map[string]string{
		`plain`: "plain", `"a b"`: "a b", `"a\"b\\c"`: `a"b\c`, `"a\tb\nc\rd\a\b\v\f"`: "a\tb\nc\rd\a\b\v\f", `"\303\251"`: "é",
		`"`: `"`, `"open`: `"open`, `"\9"`: "9", `"end\"`: `end\`,
	} {
		if got := Unquote(in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}
