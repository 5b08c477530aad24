package demo

import (
	"strings"
	"testing"
)

// A rule's ID can be copied from the demo: no line breaks in it.
func TestIDsStayWhole(t *testing.T) {
	text := strings.Repeat("word ", 12) + "rule delete-home-tree-outside)."
	if got := wrapped(text); !strings.Contains(got, "delete-home-tree-outside).") || !strings.Contains(got, "\n") {
		t.Errorf("wrapped: got %q, want the name whole, and more than one line", got)
	}
}
