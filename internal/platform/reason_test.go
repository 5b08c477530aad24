package platform

import (
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
)

func TestReason(t *testing.T) {
	ops := []umpire.Operation{{Kind: umpire.Delete, Resource: "/home/dev\x1b[2J"}}
	got := Reason(umpire.Decision{Effect: umpire.Deny, Reasons: []umpire.Reason{
		{Rule: "delete-home", Effect: umpire.Deny, Text: "empties the home folder", Suggest: "name what is to go.", Op: 0},
		{Rule: "other", Effect: umpire.Ask, Text: "not said", Op: -1},
	}}, ops)
	want := `umpire denies this: empties the home folder (rule delete-home, delete(/home/dev\x1b[2J)). Instead: name what is to go.`
	if got != want {
		t.Errorf("Reason =\n%s\nwant\n%s", got, want)
	}
	if got := Reason(umpire.Decision{Effect: umpire.Ask}, nil); !strings.Contains(got, "default") {
		t.Errorf("without reasons: %s", got)
	}
	var many umpire.Decision
	for range 50 {
		many.Reasons = append(many.Reasons, umpire.Reason{Text: strings.Repeat("x", 500), Suggest: strings.Repeat("y", 500), Op: -1})
	}
	if n := len(Reason(many, nil)); n > 4*maxReason {
		t.Errorf("%d bytes", n)
	}
}

// A reason names the place in a file that has what is stopped, without what would steer
// a terminal.
func TestReasonNamesOrigin(t *testing.T) {
	d := umpire.Decision{Effect: umpire.Deny, Reasons: []umpire.Reason{{Rule: "r", Effect: umpire.Deny, Text: "deletes a home folder", Op: 0}}}
	got := Reason(d, []umpire.Operation{{Kind: umpire.Delete, Resource: "/home/dev", Origin: "`make x`, Make\x1b[2Jfile:12"}})
	if want := "delete(/home/dev), from `make x`, Make\\x1b[2Jfile:12)"; !strings.Contains(got, want) {
		t.Errorf("%q lacks %q", got, want)
	}
}
