package sandbox

import (
	"os"
	"strings"
	"testing"
)

// The profile of macOS says what the box of Linux does, as far as it can. It was read by
// people, and not run.
func TestSeatbelt(t *testing.T) {
	c := &Config{
		Dir: "/Users/dev/proj", Home: "/Users/dev", State: "/Users/dev/.local/state/umpire/runs/1", Args: []string{"claude"},
		ReadOnly: []string{"/usr/local/lib/claude", "/Users/dev/a \"quoted\" \\ path\n(allow default)"}, Writable: []string{"/Users/dev/.claude/projects"},
		Shown:  []Mount{{From: "/Users/dev/.claude/settings.json", To: "/Users/dev/.claude/settings.json"}, {From: "/Users/dev/.config/umpire/policy.yaml", To: "/Users/dev/.config/umpire/policy.yaml"}, {From: "/Users/dev/.local/state/umpire/runs/1/record", To: "/Users/dev/.local/state/umpire", Writable: true}},
		Copied: []Mount{{From: "/Users/dev/.claude.json", To: "/Users/dev/.claude.json"}},
		Hidden: []string{"/Users/dev/.config/umpire/gateway.token"}, Own: []string{"/Users/dev/.config/umpire", "/Users/dev/.local/state/umpire", "/Users/dev/.cache/umpire"},
		Gates: map[string]string{"127.0.0.1:3701": "/tmp/s", "127.0.0.1:3700": "/tmp/t"},
	}
	got := Seatbelt(c)
	const name = "testdata/seatbelt.sb"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	depth, inText := 0, false
	for i := 0; i < len(got); i++ {
		switch c := got[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case c == '\n' && inText:
			t.Fatal("a text goes over a line")
		case !inText && c == '(':
			depth++
		case !inText && c == ')':
			depth--
		}
	}
	if depth != 0 || inText {
		t.Errorf("brackets: %d", depth)
	}
	if !strings.HasPrefix(got, "(version 1)\n(deny default)\n") || strings.Contains(got, "\n(allow default)") {
		t.Error("it allows all")
	}
}
