package web

import (
	"fmt"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
)

// An agent chooses the lines of a file: one that looks like the head of a difference begins no
// other file, and no line is lost.
func TestSections(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string // title +added -removed, lines
	}{
		{"one file", "write a.go\n--- a/a.go\n+++ b/a.go\n@@ -1,2 +1,3 @@\n x\n-y\n+z\n+w\n", []string{" +0 -0 1", "a.go +2 -1 7"}},
		{"two files", "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\nwrite b\n--- /dev/null\n+++ b/b\n@@ -0,0 +1 @@\n+x\n", []string{"a +1 -1 5", " +0 -0 1", "b +1 -0 4"}},
		{"deleted", "--- a/a\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-x\n-y\n\\ No newline at end of file\n", []string{"a +0 -2 6"}},
		{"a line that looks like a file", "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n--- a/other\n-x\n+++ b/other\n+@@ -9 +9 @@\n@@ -9 +9 @@\n-u\n+v\n", []string{"a +3 -3 10"}},
		{"a hunk that promises less", "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n+z\n", []string{"a +1 -1 5", " +0 -0 1"}},
		{"no difference", "review: high: x\nno text: 3 bytes become 4\n", []string{" +0 -0 2"}},
		{"empty", "", []string{" +0 -0 1"}},
	} {
		var got []string
		var lines []string
		for _, s := range sections(c.text) {
			got = append(got, fmt.Sprintf("%s +%d -%d %d", s.Title, s.Added, s.Removed, len(s.Lines)))
			for _, l := range s.Lines {
				lines = append(lines, l.Text)
			}
		}
		if strings.Join(got, "|") != strings.Join(c.want, "|") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if all := strings.Join(lines, "\n"); all != strings.TrimSuffix(c.text, "\n") {
			t.Errorf("%s: lines are lost: %q", c.name, all)
		}
	}
}

func FuzzSections(f *testing.F) {
	f.Add("--- a/a\n+++ b/a\n@@ -1,2 +1,3 @@\n x\n-y\n+z\n+w\n")
	f.Fuzz(func(t *testing.T, text string) {
		var lines []string
		for _, s := range sections(text) {
			for _, l := range s.Lines {
				lines = append(lines, l.Text)
			}
		}
		if all := strings.Join(lines, "\n"); all != strings.TrimSuffix(text, "\n") {
			t.Errorf("%q became %q", text, all)
		}
	})
}

// Each risk is of a trait that reading knows, and grave ones come first.
func TestTree(t *testing.T) {
	ops := []operation{{Kind: "exec", Resource: "rm -rf build"}, {Kind: "delete", Resource: "/p/build", Traits: "recursive,force"}, {Kind: "exec", Resource: "sh", Traits: "remote-code,described"}}
	got := tree(ops)
	if len(got) != 2 || got[0].Program.Resource != "rm -rf build" || len(got[0].Does) != 1 || len(got[1].Does) != 0 {
		t.Errorf("%+v", got)
	}
	var words []string
	for _, r := range allRisks(ops) {
		words = append(words, r.Words)
	}
	if strings.Join(words, "; ") != "runs code from the network; affects a whole folder; skips confirmation" {
		t.Errorf("%q", words)
	}
	for _, r := range risks {
		if _, err := umpire.ParseTrait(r.Trait); err != nil {
			t.Error(err)
		}
	}
	if got = tree(ops[1:2]); len(got) != 1 || got[0].Program != nil || len(got[0].Does) != 1 {
		t.Errorf("without a program: %+v", got)
	}
}
