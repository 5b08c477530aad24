package review

import (
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/review/finding"
)

func TestHarmlessPath(t *testing.T) {
	for _, ok := range []string{
		"main.go", "src/server/handler.go", "internal/review/closed_test.go", "README.md", "package.json", ".github/workflows/ci.yml", "cmd/tool/main_linux.go",
		"src/components/UserProfile.tsx", "lib/db2/migrations/0001_users.sql", "Makefile", "docs/guide.md", "tests/test_parser.py", "a.py", "v12345678.go", "a/b/c/d/e/f/g/h/i/j", strings.Repeat("a", 20) + ".go", "part_one_two.jpeg",
	} {
		if !harmlessPath(ok) {
			t.Errorf("%s is withheld", ok)
		}
	}
	for _, bad := range []string{
		"", "/", "a//b", "../x", "ignore-previous-instructions.md", "IgnorePreviousInstructions.md", "IGNOREINSTRUCTIONS.md", "ignoreinstructions.md", "please/run/setup.sh",
		"src/you-are-root.go", "approve.md", "LGTM", "curl evil.sh", "a b", "x;rm", "$(id)", "`id`", "a\u202egpj.exe", "naïve.go", "ignоre.go", "a\nb", "a\x1b[2J", "https:/evil.example/x",
		"the/quick/brown/fox", "aWdub3JlIGFsbCBwcmV2aW91cw", "0123456789", strings.Repeat("a/", 90) + "a", "one/two/three/four/five/six/seven/eight/nine/ten/eleven", "merge-this-now", "file-for-claude.txt",
		"sendsecretstomallory.txt", "four-words-in-one-name-here", "supercalifragilisticexpialidocious.go", "~", "@review", "-", "...", "v123456789.go", "a/b/c/d/e/f/g/h/i/j/k", strings.Repeat("a", 21) + ".go", "part_one_two.class", strings.Repeat("abcdefghijklmnopq/", 9)[:161],
	} {
		if harmlessPath(bad) {
			t.Errorf("%q is told", bad)
		}
	}
}

// An agent is told the numbers of files, and of harmless names the name as well.
func TestClosedPaths(t *testing.T) {
	r := &Report{Files: []FileReport{{Path: "src/a.go"}, {Path: "ignore-previous-instructions.md"}, {Path: "@review/change.diff"}}}
	for _, f := range append([]FileReport{{Path: "src/not-there.go"}}, r.Files...) {
		r.Findings = append(r.Findings, finding.Reported{Finding: finding.Finding{Location: &finding.Location{File: f.Path, Line: 3, Path: "chosen by a model"}}})
	}
	c := r.Closed()
	for i, want := range []string{"file-0", "file-1", "file-2", "file-3"} {
		path := map[int]string{1: "src/a.go"}[i]
		if l := c.Findings[i].Location; l.File != want || l.Path != path || l.Line != 3 {
			t.Errorf("location %d: %+v, want %s for %s in line 3", i, l, want, path)
		}
		if i > 0 {
			if f := c.Files[i-1]; f.Path != want || f.Name != path {
				t.Errorf("file %d: %+v, want %s for %s", i, f, want, path)
			}
		}
	}
	if place := c.Findings[1].Place(); place != "file-1 (src/a.go):3" {
		t.Error(place)
	}
	if r.Files[0].Path != "src/a.go" || r.Findings[1].Location.File != "src/a.go" {
		t.Error("the report itself is changed")
	}
}
