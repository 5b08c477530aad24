package queue

import (
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/gateway"
)

// A name of several credentials, and one that is another's ID, revoke nothing by accident.
func TestTokenID(t *testing.T) {
	tokens := []gateway.Token{{ID: "a1", Name: "builder"}, {ID: "b2", Name: "twice"}, {ID: "c3", Name: "twice"}, {ID: "d4", Name: "a1"}}
	for arg, want := range map[string]string{"builder": "a1", "c3": "c3", "a1": "a1", "twice": "b2 c3", "nobody": "token list", "": "token list"} {
		id, err := tokenID(tokens, arg)
		if err != nil && !strings.Contains(err.Error(), want) || err == nil && id != want {
			t.Errorf("%q: %q, %v; want %q", arg, id, err, want)
		}
	}
}
