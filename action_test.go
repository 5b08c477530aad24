package umpire_test

import (
	"testing"

	"github.com/umpire-dev/umpire"
)

func TestDecisionAdd(t *testing.T) {
	d := umpire.Decision{Effect: umpire.Ask, Reasons: []umpire.Reason{{Rule: "ask", Effect: umpire.Ask}, {Rule: "allow", Effect: umpire.Allow}}}
	for _, add := range []struct {
		reason umpire.Reason
		effect umpire.Effect
		order  string
	}{
		{umpire.Reason{Rule: "fine", Effect: umpire.Allow}, umpire.Ask, "ask fine allow "},
		{umpire.Reason{Rule: "grave", Effect: umpire.Deny}, umpire.Deny, "grave ask fine allow "},
		{umpire.Reason{Rule: "late", Effect: umpire.Ask}, umpire.Deny, "grave late ask fine allow "},
	} {
		d.Add(add.reason)
		order := ""
		for _, r := range d.Reasons {
			order += r.Rule + " "
		}
		if d.Effect != add.effect || order != add.order {
			t.Errorf("after %s: %s by %s, want %s by %s", add.reason.Rule, d.Effect, order, add.effect, add.order)
		}
	}
}
