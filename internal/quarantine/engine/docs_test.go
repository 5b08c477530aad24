package engine

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// docs/review.md names every engine, and the package comment the files that a new one changes.
func TestReviewPage(t *testing.T) {
	b, err := os.ReadFile("../../../docs/review.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(b)
	var rows []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-zA-Z]+)` \\| ([^|]*)").FindAllStringSubmatch(page, -1) {
		rows = append(rows, m[1])
		for i := range clients {
			if clients[i].name != m[1] {
				continue
			}
			for _, p := range clients[i].protocols {
				if !strings.Contains(m[2], "`"+p+"`") {
					t.Errorf("%s speaks %s, and the page does not say so", m[1], p)
				}
			}
		}
	}
	want := append([]string{"builtin"}, Clients()...)
	slices.Sort(rows)
	slices.Sort(want)
	if !slices.Equal(rows, want) {
		t.Errorf("the page lists %q, there are %q", rows, want)
	}
	about, err := os.ReadFile("engine.go")
	if err != nil {
		t.Fatal(err)
	}
	for file, name := range map[string]string{"outlet.go": "func served(", "real_test.go": "func misuses(", "cline.go": "clineClient = client{"} {
		b, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(b), name) || !strings.Contains(string(about), file) {
			t.Errorf("%s: no %q, or the package comment does not name it: %v", file, name, err)
		}
	}
	script, err := os.ReadFile("../../../scripts/reviewed.sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Clients() {
		if !regexp.MustCompile(`(?m)^for name in .*\b` + name + `\b`).Match(script) {
			t.Errorf("make reviewed does not run %s", name)
		}
	}
}
