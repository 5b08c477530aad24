package command

import (
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
)

// A query carries what a person types, and no data: an agent that was told to can put a key
// into what it searches for.
func TestSearchRead(t *testing.T) {
	for query, plain := range map[string]bool{
		"go slices sort stable":                  true,
		"":                                       false,
		"why is " + umpire.Hole:                  false,
		"token ghp_" + strings.Repeat("aB3", 12): false,
		"c2VjcmV0IG9mIHRoZSB1c2VyIGlzIGhlcmUgYW5k":   false,
		strings.Repeat("word ", maxAddress/5):        true,
		strings.Repeat("word ", maxAddress/5) + "ab": false,
	} {
		if got := SearchRead(query) == umpire.PlainRead; got != plain {
			t.Errorf("a search for %.60q is a plain read: %v, want %v", query, got, plain)
		}
	}
}
