package agent

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// A text that is too long keeps its ends, whole characters only, and says how much is missing.
func TestClip(t *testing.T) {
	for _, s := range []string{strings.Repeat("a", 60), strings.Repeat("é", 30), strings.Repeat("€", 20), strings.Repeat("😀", 15)} {
		for n := range len(s) + 2 {
			got := Clip(s, n)
			if n >= len(s) {
				if got != s {
					t.Errorf("Clip(%q, %d) = %q, want the whole text", s, n, got)
				}
				continue
			}
			head, rest, _ := strings.Cut(got, "\n")
			gap, tail, _ := strings.Cut(rest, "\n")
			if !utf8.ValidString(got) || !strings.HasPrefix(s, head) || !strings.HasSuffix(s, tail) || gap != fmt.Sprintf("[%d bytes left out]", len(s)-len(head)-len(tail)) ||
				len(head) > n*2/3 || len(head) <= n*2/3-4 || len(tail) > n/3 || len(tail) <= n/3-4 {
				t.Errorf("Clip(%q, %d) = %q, want two thirds of the start and one third of the end", s, n, got)
			}
		}
	}
}
