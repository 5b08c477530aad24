package command

import (
	"strings"
	"testing"
)

// Every name of every description is found, and nothing else.
func TestIndex(t *testing.T) {
	found := 0
	eachRow(func(m *Model) {
		for name := range strings.SplitSeq(m.Names, " ") {
			found++
			if got := Index(name); got == nil || got.Names != m.Names || got.Opts != m.Opts || got.commands != m.commands {
				t.Errorf("%q is not found as %q", name, m.Names)
			}
		}
	})
	if found < 2000 {
		t.Errorf("only %d names", found)
	}
	for _, name := range []string{"", " ", "\t", "no-such-program", "npm pnpm", "\x00", "~", "m"} {
		if got := Index(name); got != nil && name != "m" {
			t.Errorf("%q is found as %q", name, got.Names)
		}
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
