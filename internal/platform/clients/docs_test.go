package clients_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/platform/clients"
)

// The document has a row for every client, says who is asked, and its example is what
// the decoder takes.
func TestDocument(t *testing.T) {
	b, err := os.ReadFile("../../../docs/clients.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for _, c := range clients.All() {
		row := "| `" + c.Name + "` | "
		if !strings.Contains(text, row+c.Title) {
			t.Errorf("docs/clients.md does not say %q", row+c.Title)
		}
		if c.Name == "generic" {
			continue
		}
		cells := regexp.MustCompile("(?m)^\\| `"+c.Name+"` \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|$").FindAllStringSubmatch(text, -1)
		if len(cells) != 1 {
			t.Errorf("docs/clients.md has %d rows about the answers of %s", len(cells), c.Name)
			continue
		}
		e, err := c.Decode(shell(t, c))
		if err != nil {
			t.Fatal(err)
		}
		if asks := c.Asks(&e, func(string) string { return "" }); asks == strings.HasPrefix(cells[0][2], "no") {
			t.Errorf("docs/clients.md: %s asks: %v, not %q", c.Name, asks, cells[0][2])
		}
		rewrites := said(c.Encode(&e, replies[5].reply))
		if no := cells[0][3] == "no"; no != strings.Contains(rewrites, "another form") && c.Name != "cursor" {
			t.Errorf("docs/clients.md: a changed input for %s is %q, and it hears %s", c.Name, cells[0][3], rewrites)
		}
	}
	block := regexp.MustCompile("(?s)```json\n(.*?)```").FindStringSubmatch(text)
	if block == nil {
		t.Fatal("docs/clients.md has no example")
	}
	e, err := clients.Find("generic").Decode([]byte(block[1]))
	if err != nil || !e.Judged() || e.Action.ID != "t1" || e.Action.Principal.Parent == "" {
		t.Errorf("docs/clients.md: the example for generic reads as %+v, %v", e, err)
	}
}
