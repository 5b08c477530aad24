package policy_test

import (
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/policy"
)

// The gravest reason comes first, whatever the rules are called: the strictest effect, then
// what is sure, then what would be lost.
func TestGravestFirst(t *testing.T) {
	rule := func(id, pattern string, effect umpire.Effect, traits umpire.Trait) policy.Rule {
		return policy.Rule{ID: id, Effect: effect, Match: []policy.Pattern{policy.MustParse(pattern)}, When: policy.Condition{Traits: traits}}
	}
	p, err := policy.Compile(policy.Source{Default: umpire.Allow, Rules: []policy.Rule{
		rule("a-ask", "write(@root)", umpire.Ask, 0),
		rule("b-plain", "write(*)", umpire.Deny, 0),
		rule("c-doubt", "write(/dev/sda1)", umpire.Deny, 0),
		rule("d-bomb", "write(*)", umpire.Deny, umpire.ResourceBomb),
		rule("e-system", "write(@system)", umpire.Deny, 0),
		rule("f-device", "write(@device)", umpire.Deny, 0),
		rule("g-privilege", "trait(privilege)", umpire.Deny, 0),
	}})
	if err != nil {
		t.Fatal(err)
	}
	ops := []umpire.Operation{
		{Kind: umpire.Exec, Resource: "sudo dd", Traits: umpire.Privilege},
		{Kind: umpire.Write, Resource: "/dev/sda" + umpire.Hole, Places: umpire.PlaceRoot | umpire.PlaceSystem | umpire.PlaceDevice, Traits: umpire.ResourceBomb | umpire.Unknown},
	}
	d := p.Decide(&umpire.Action{Tool: "Bash"}, ops)
	var got []string
	for _, r := range d.Reasons {
		got = append(got, r.Rule)
	}
	want := []string{"f-device", "e-system", "d-bomb", "g-privilege", "b-plain", "a-ask", "c-doubt"}
	if len(got) != len(want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}

// Among equals, what users wrote themselves comes before what a pack says, and is marked. A
// file of the project is nobody's own.
func TestOwnRulesFirst(t *testing.T) {
	rule := func(id, pattern string, layer policy.Layer) policy.Rule {
		return policy.Rule{ID: id, Effect: umpire.Ask, Layer: layer, Match: []policy.Pattern{policy.MustParse(pattern)}}
	}
	p, err := policy.Compile(policy.Source{Default: umpire.Allow, Rules: []policy.Rule{
		rule("a-pack", "write(/dev/sda1)", policy.Builtin), rule("b-mine", "write(*)", policy.User),
		rule("c-managed", "write(*)", policy.Managed), rule("d-project", "write(*)", policy.Project), rule("e-trusted", "write(*)", policy.ProjectTrusted),
	}})
	if err != nil {
		t.Fatal(err)
	}
	d := p.Decide(&umpire.Action{Tool: "Bash"}, []umpire.Operation{{Kind: umpire.Write, Resource: "/dev/sda1", Places: umpire.PlaceDevice}})
	var got string
	for _, r := range d.Reasons {
		got += " " + r.Rule
		if r.Own {
			got += "!"
		}
	}
	if want := " b-mine! c-managed! a-pack d-project e-trusted"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
