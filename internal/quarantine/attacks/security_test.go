package attacks

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// SECURITY.md has every attack, and each says what is defended, what is not, and by which
// tests. A test that it names exists.
func TestSecurityPage(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	b, err := os.ReadFile(filepath.Join(root, "SECURITY.md"))
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func (Test[A-Za-z0-9_]+)\(t \*testing\.T\)`)
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range function.FindAllStringSubmatch(string(text), -1) {
			there[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	sections := regexp.MustCompile(`(?m)^### `).Split(string(b), -1)[1:]
	var have, want []string
	for n := 1; n <= 13; n++ {
		want = append(want, fmt.Sprintf("AS-%03d", n))
	}
	for _, s := range sections {
		id, _, _ := strings.Cut(s, ":")
		have = append(have, id)
		parts := regexp.MustCompile(`(?s)\n- Defended: (.+)\n- Not defended: (.+)\n- Tests: (.+)`).FindStringSubmatch(s)
		if parts == nil {
			t.Errorf("%s does not say what is defended, what is not, and by which tests", id)
			continue
		}
		tests := regexp.MustCompile("`(Test[A-Za-z0-9_]+)`").FindAllStringSubmatch(parts[3], -1)
		own := false
		for _, m := range tests {
			if !there[m[1]] {
				t.Errorf("%s names %s, which does not exist", id, m[1])
			}
			own = own || strings.HasPrefix(m[1], "Test"+strings.ReplaceAll(id, "-", ""))
		}
		if !own {
			t.Errorf("%s names no test of its own", id)
		}
	}
	if !slices.Equal(have, want) {
		t.Errorf("the page has %q, want %q", have, want)
	}
	for _, m := range regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(string(b), -1) {
		if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
			t.Errorf("a link leads nowhere: %v", err)
		}
	}
}
