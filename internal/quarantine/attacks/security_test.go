package attacks

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// SECURITY.md has a row for every attack, with what is defended and what is not. A test of this
// package is named after each row.
func TestSecurityPage(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	b, err := os.ReadFile(filepath.Join(root, "SECURITY.md"))
	if err != nil {
		t.Fatal(err)
	}
	tests := ""
	for _, name := range []string{"answers_test.go", "attacks_test.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tests += string(text)
	}
	var have, want []string
	for n := 1; n <= 13; n++ {
		want = append(want, fmt.Sprintf("AS-%03d", n))
	}
	for _, row := range regexp.MustCompile(`(?m)^\| (AS-\d+): [^|]+ \| [^|]{20,} \| [^|]{20,} \|$`).FindAllStringSubmatch(string(b), -1) {
		have = append(have, row[1])
		if !strings.Contains(tests, "func Test"+strings.ReplaceAll(row[1], "-", "")) {
			t.Errorf("no test is named after %s", row[1])
		}
	}
	if !slices.Equal(have, want) {
		t.Errorf("the page has %q, want %q", have, want)
	}
}
