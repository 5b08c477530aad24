package queue

import (
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/gateway"
)

// People see when a rule ends, and the deny rules first.
func TestRulesAreListed(t *testing.T) {
	end := time.Date(2030, 1, 2, 3, 4, 5, 0, time.Local)
	l := storedRules{Stored: []gateway.Rule{
		{Effect: "deny", Text: "exec(d)", Session: "s", Agent: "a", ID: "7"}, {Effect: "allow", Text: "exec(b)\nwrite(c)", Expires: end}, {Effect: "deny", Text: "exec(a)"},
	}}
	var b strings.Builder
	l.print(&b)
	if want := "deny   exec(a)\nallow  exec(b)\n  and  write(c)\n       until 2030-01-02 03:04:05\ndeny   exec(d)\n       only for session s of agent a; rule ID 7\n"; b.String() != want {
		t.Errorf("%s, want\n%s", b.String(), want)
	}
}
