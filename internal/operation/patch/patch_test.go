package patch

import (
	"slices"
	"testing"
)

type file struct {
	verb                  Verb
	path, to, added, gone string
}

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []file
		whole      bool
	}{
		{"apply_patch", "*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** Update File: b.go\n*** Move to: c.go\n@@\n-x\n+y\n*** Delete File: ../d\n*** End Patch\n",
			[]file{{Add, "a.txt", "", "one\ntwo\n", ""}, {Move, "b.go", "c.go", "y\n", "x\n"}, {Delete, "../d", "", "", ""}}, true},
		{"git", "diff --git a/x.go b/x.go\nindex 1..2 100644\n--- a/x.go\n+++ b/x.go\n@@ -1,2 +1,2 @@\n a\n--- b\n++++ c\n",
			[]file{{Update, "x.go", "", "+++ c\n", "-- b\n"}}, true},
		{"git delete and add", "diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\ndiff --git a/y b/y\nnew file mode 100755\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+#!/bin/sh\n",
			[]file{{Delete, "x", "", "", "a\n"}, {Add, "y", "", "#!/bin/sh\n", ""}}, true},
		{"git rename", "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n", []file{{Move, "x", "y", "", ""}}, true},
		{"git quoted", "diff --git \"a/\\303\\251\" \"b/\\303\\251\"\n--- \"a/\\303\\251\"\n+++ \"b/\\303\\251\"\n@@ -0,0 +1 @@\n+x\n", []file{{Update, "é", "", "x\n", ""}}, true},
		{"plain", "--- /etc/hosts\t2026-01-01\n+++ /etc/hosts\t2026-01-02\n@@ -1 +1 @@\n-a\n+b\n--- two\n+++ two\n@@ -1 +1 @@\n-a\n+b\n",
			[]file{{Update, "/etc/hosts", "", "b\n", "a\n"}, {Update, "two", "", "b\n", "a\n"}}, true},
		{"no patch", "hello\n", nil, false},
		{"empty", "", nil, false},
	} {
		files, whole := Read(tt.text)
		var got []file
		for _, f := range files {
			got = append(got, file{f.Verb, f.Path, f.To, f.Added, f.Gone})
		}
		if !slices.Equal(got, tt.want) || whole != tt.whole {
			t.Errorf("%s: %+v %v,\nwant %+v %v", tt.name, got, whole, tt.want, tt.whole)
		}
	}
}

// A patch changes a part of a file. Lines around it and other lines stay.
func TestApply(t *testing.T) {
	const diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n@@ -5,2 +5,3 @@\n b\n+e\n \n"
	const before, after = "a\nb\nc\nd\nb\n\nz\n", "a\nB\nc\nd\nb\ne\n\nz\n"
	for name, text := range map[string]string{
		"unified":     diff,
		"apply_patch": "*** Begin Patch\n*** Update File: x\n@@\n a\n-b\n+B\n@@\n b\n+e\n \n*** End Patch\n",
	} {
		files, _ := Read(text)
		if len(files) != 1 {
			t.Fatalf("%s: %+v", name, files)
		}
		if got, ok := files[0].Apply(before, false); got != after || !ok {
			t.Errorf("%s: %q %v, want %q", name, got, ok, after)
		}
		if got, ok := files[0].Apply(after, true); got != before || !ok {
			t.Errorf("%s back: %q %v, want %q", name, got, ok, before)
		}
		if _, ok := files[0].Apply("other\n", false); ok {
			t.Errorf("%s fits another text", name)
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
