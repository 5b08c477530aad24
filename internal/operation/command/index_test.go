package command

import (
	"strings"
	"testing"
)

// Both ways of finding a Model find the same one.
func TestIndex(t *testing.T) {
	for name, want := range table() {
		lookups.Store(0)
		if got := index(name); got != want {
			t.Errorf("%q: the search finds %q, the table %q", name, got.Names, want.Names)
		}
	}
	lookups.Store(0)
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
	b.Run("search", func(b *testing.B) {
		for range b.N {
			lookups.Store(0)
			Lookup("rm")
		}
	})
	b.Run("table", func(b *testing.B) {
		lookups.Store(1000)
		for range b.N {
			Lookup("rm")
		}
	})
}

// A later family takes a name from an earlier one, silently. That is meant for these.
func TestNamesAreTakenOnce(t *testing.T) {
	meant := " astro rake medusa goose copilot amp "
	of := map[string]int{}
	for i, family := range families {
		for _, m := range family {
			for name := range strings.SplitSeq(m.Names, " ") {
				if j, taken := of[name]; taken && !strings.Contains(meant, " "+name+" ") {
					t.Errorf("%s is in families %d and %d", name, j, i)
				}
				of[name] = i
			}
		}
	}
}
