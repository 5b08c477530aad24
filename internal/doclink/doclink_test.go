package doclink_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/doclink"
)

func TestEveryNameHasASection(t *testing.T) {
	page, err := os.ReadFile("../../docs/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	var headings, names []string
	for _, m := range regexp.MustCompile(`(?m)^## (.*)$`).FindAllStringSubmatch(string(page), -1) {
		headings = append(headings, m[1])
	}
	for _, n := range doclink.Names {
		names = append(names, string(n))
		if want := "https://umpire-dev.github.io/umpire/docs/errors#" + string(n); n.URL() != want {
			t.Errorf("%s: %s", n, n.URL())
		}
	}
	if !slices.Equal(headings, names) {
		t.Errorf("docs/errors.md has sections %q, and the names are %q", headings, names)
	}
	source, err := os.ReadFile("doclink.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), ` Name = "`); n != len(names) {
		t.Errorf("%d names, and %d of them are listed", n, len(names))
	}
}

func TestOf(t *testing.T) {
	err := doclink.Wrap(fmt.Errorf("x: %w", fs.ErrNotExist), doclink.Key)
	if err.Error() != "x: file does not exist" || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if got := doclink.Of(fmt.Errorf("y: %w", err)); got != doclink.Key.URL() {
		t.Errorf("%q", got)
	}
	if got := doclink.Of(fs.ErrExist); got != "" || doclink.Wrap(nil, doclink.Key) != nil {
		t.Errorf("%q", got)
	}
}
