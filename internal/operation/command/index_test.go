package command

import (
	"strings"
	"testing"
)

// Every name of every Model is found, and nothing else.
func TestIndex(t *testing.T) {
	for _, family := range families {
		for i := range *family {
			for name := range strings.SplitSeq((*family)[i].Names, " ") {
				if got := index(name); got != &(*family)[i] {
					t.Errorf("%q is not found as %q", name, (*family)[i].Names)
				}
			}
		}
	}
	for _, name := range []string{"", " ", "no-such-program", "npm pnpm", "m"} {
		if got := index(name); got != nil && name != "m" {
			t.Errorf("%q is found as %q", name, got.Names)
		}
	}
	if len(families) == 0 {
		t.Error("there are no families")
	}
	for name, want := range map[string]string{"python3.12": "python3.12", "cmd2": "", "rm2": "", "node18": "node18"} {
		if got := Lookup(name); (got != nil) != (want != "") {
			t.Errorf("Lookup(%q) = %v", name, got)
		}
	}
}

func BenchmarkLookup(b *testing.B) {
	for range b.N {
		Lookup("rm")
	}
}
