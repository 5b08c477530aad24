package nearest

import (
	"strings"
	"testing"
)

func TestWord(t *testing.T) {
	known := []string{"claude", "codex", "cline", "--json", "--jsonl", "--policy", "deny"}
	for s, want := range map[string]string{
		"cluade": "claude", "Claude": "claude", "claud": "claude", "claudee": "claude", "--jsno": "--json", "--polcy": "--policy", "denny": "deny",
		"aider": "", "": "", "x": "", "de": "", "claude-code": "", strings.Repeat("a", 100): "",
	} {
		if got := Word(s, known); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}
