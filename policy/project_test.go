package policy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/policy"
)

// The adversary is an agent that writes its project's policy file: a question there
// must not stand in for the denial that the user's default or mode is.
func TestProjectQuestionIsNoAnswer(t *testing.T) {
	ask := func(l policy.Layer) policy.Rule {
		return policy.Rule{ID: "theirs", Effect: umpire.Ask, Layer: l, Match: []policy.Pattern{policy.MustParse("exec(*)"), policy.MustParse("network(*)"), policy.MustParse("tool(*)")}}
	}
	for _, src := range []policy.Source{
		{Default: umpire.Deny},
		{Default: umpire.Allow, Modes: map[umpire.Kind]policy.Mode{umpire.Network: policy.DenyAll}},
	} {
		for layer, want := range map[policy.Layer]umpire.Effect{policy.Project: umpire.Deny, policy.ProjectTrusted: umpire.Ask} {
			src.Rules = []policy.Rule{ask(layer)}
			if got := compile(t, src).Decide(action(), []umpire.Operation{op(t, "network(evil.example)")}); got.Effect != want {
				t.Errorf("layer %d, %+v: %s, want %s", layer, src, got.Effect, want)
			}
		}
	}
}

// The adversary writes a policy file that takes the name of a built-in rule, or all the
// room, so that the whole policy does not compile and the user's own rules are gone.
func TestProjectCannotSpoilThePolicy(t *testing.T) {
	mine := policy.Rule{ID: "mine", Effect: umpire.Deny, Layer: policy.User, Match: []policy.Pattern{policy.MustParse("exec(mine)")}}
	word := "{" + strings.Repeat("a,", 119) + "b}"
	for name, theirs := range map[string]func(i int) policy.Rule{
		"name": func(int) policy.Rule {
			return policy.Rule{ID: "mine", Effect: umpire.Ask, Match: []policy.Pattern{policy.MustParse("exec(x)")}}
		},
		"patterns": func(i int) policy.Rule {
			return policy.Rule{ID: fmt.Sprint("r-", i), Effect: umpire.Ask, Match: []policy.Pattern{policy.MustParse("exec(x" + word + ")")}}
		},
	} {
		var rules []policy.Rule
		for i := range 900 {
			rules = append(rules, theirs(i))
		}
		for _, rules := range [][]policy.Rule{slices.Concat(rules, []policy.Rule{mine}), append([]policy.Rule{mine}, rules...)} {
			p, err := policy.Compile(policy.Source{Default: umpire.Allow, Rules: rules})
			if err != nil {
				t.Errorf("%s: error %v, want none", name, err)
				continue
			}
			if got := p.Decide(action(), []umpire.Operation{op(t, "exec(mine)")}); got.Effect != umpire.Deny || len(p.Warnings()) == 0 {
				t.Errorf("%s: %s, warnings %v; want a denial and a warning", name, got.Effect, p.Warnings())
			}
		}
	}
}
