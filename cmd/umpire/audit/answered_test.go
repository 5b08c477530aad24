package audit

import (
	"testing"

	"github.com/umpire-dev/umpire/internal/audit"
)

// A line about a change says what was done: a rule that was added does not read like one that
// was removed.
func TestAnsweredSaysTheVerb(t *testing.T) {
	for _, tt := range []struct {
		kind audit.EventKind
		data map[string]string
		want string
	}{
		{audit.Config, map[string]string{"what": "rules", "added": "allow network(x.test)", "request": "ce69"}, "rules  added allow network(x.test)  by ada"},
		{audit.Config, map[string]string{"what": "rules", "removed": "allow network(x.test)", "request": "ce69"}, "rules  removed allow network(x.test)  by ada"},
		{audit.Config, map[string]string{"what": "token", "made": "b686", "kind": "agent", "name": "builder", "request": "b686ff"}, "token  made b686  agent  builder  by ada"},
		{audit.Config, map[string]string{"what": "token", "revoked": "b686", "request": "b686ff"}, "token  revoked b686  by ada"},
		{audit.Approval, map[string]string{"request": "req-1", "action": "make x", "status": "approved"}, "request req-1: make x  approved  by ada"},
	} {
		r := audit.Record{Event: audit.Event{Kind: tt.kind, By: "ada", Data: tt.data}}
		if got := answered(r); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.data, got, tt.want)
		}
	}
}
