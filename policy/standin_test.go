package policy_test

import (
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/policy"
)

// What a pack allows takes the place of the default, and of nothing else: it is no
// permission, answers no question, and leaves what the user set for a kind as it is.
func TestPackAllowStandsInForTheDefault(t *testing.T) {
	pack := func(id, s string) policy.Rule {
		r := rule(t, id, s)
		r.Layer, r.Pack, r.Certain = policy.Builtin, "safe", true
		return r
	}
	user := func(id, s string) policy.Rule { r := rule(t, id, s); r.Layer = policy.User; return r }
	safe := pack("safe", "allow exec(ls *)")
	for name, c := range map[string]struct {
		rules    []policy.Rule
		def      umpire.Effect
		modes    map[umpire.Kind]policy.Mode
		disabled []policy.Disable
		ops      []string
		effect   umpire.Effect
		safe     bool
		explicit bool
	}{
		"under deny":                 {def: umpire.Deny, ops: []string{"exec(ls -l)"}, effect: umpire.Allow, safe: true},
		"under ask":                  {def: umpire.Ask, ops: []string{"exec(ls -l)"}, effect: umpire.Allow, safe: true},
		"under allow":                {def: umpire.Allow, ops: []string{"exec(ls -l)"}, effect: umpire.Allow, safe: true},
		"one operation is not":       {def: umpire.Deny, ops: []string{"exec(ls -l)", "exec(rm x)"}, effect: umpire.Deny},
		"not one is":                 {def: umpire.Allow, ops: []string{"exec(rm x)"}, effect: umpire.Allow},
		"a deny":                     {rules: []policy.Rule{pack("d", "deny exec(ls *)")}, def: umpire.Allow, ops: []string{"exec(ls -l)"}, effect: umpire.Deny, explicit: true},
		"an ask of a pack":           {rules: []policy.Rule{pack("q", "ask exec(ls *)")}, def: umpire.Allow, ops: []string{"exec(ls -l)"}, effect: umpire.Ask, explicit: true},
		"an ask of the user's":       {rules: []policy.Rule{user("q", "ask exec(ls *)")}, def: umpire.Allow, ops: []string{"exec(ls -l)"}, effect: umpire.Ask, explicit: true},
		"an ask about another":       {rules: []policy.Rule{pack("q", "ask exec(rm *)")}, def: umpire.Deny, ops: []string{"exec(ls -l)", "exec(rm x)"}, effect: umpire.Ask, explicit: true},
		"an allow of the user's":     {rules: []policy.Rule{user("a", "allow exec(ls *)")}, def: umpire.Deny, ops: []string{"exec(ls -l)"}, effect: umpire.Allow, explicit: true},
		"the rest is the user's":     {rules: []policy.Rule{user("a", "allow exec(rm *)")}, def: umpire.Deny, ops: []string{"exec(ls -l)", "exec(rm x)"}, effect: umpire.Allow, safe: true},
		"a mode that asks":           {modes: map[umpire.Kind]policy.Mode{umpire.Exec: policy.ApproveEach}, def: umpire.Allow, ops: []string{"exec(ls -l)"}, effect: umpire.Ask},
		"a mode that denies":         {modes: map[umpire.Kind]policy.Mode{umpire.Exec: policy.DenyAll}, def: umpire.Allow, ops: []string{"exec(ls -l)"}, effect: umpire.Deny},
		"a mode of another kind":     {modes: map[umpire.Kind]policy.Mode{umpire.Git: policy.DenyAll}, def: umpire.Ask, ops: []string{"exec(ls -l)"}, effect: umpire.Allow, safe: true},
		"disabled":                   {disabled: []policy.Disable{{Rule: "safe", Layer: policy.User}}, def: umpire.Deny, ops: []string{"exec(ls -l)"}, effect: umpire.Deny},
		"disabled by a project":      {disabled: []policy.Disable{{Rule: "safe", Layer: policy.Project}}, def: umpire.Deny, ops: []string{"exec(ls -l)"}, effect: umpire.Allow, safe: true},
		"nothing at all":             {def: umpire.Deny, effect: umpire.Deny},
		"a doubt beside it":          {rules: []policy.Rule{user("q", "ask exec(ls -l x)")}, def: umpire.Deny, ops: []string{"exec(ls -l ⟨?⟩)"}, effect: umpire.Deny, explicit: true},
		"the name of the tool alone": {rules: []policy.Rule{pack("t", "allow tool(Bash)")}, def: umpire.Deny, ops: []string{"git(push)"}, effect: umpire.Deny},
	} {
		t.Run(name, func(t *testing.T) {
			p := compile(t, policy.Source{Default: c.def, Rules: append([]policy.Rule{safe}, c.rules...), Modes: c.modes, Disabled: c.disabled, Judge: policy.Judge{Scope: policy.ScopeAll}})
			var ops []umpire.Operation
			for _, s := range c.ops {
				ops = append(ops, op(t, s))
			}
			d := p.Decide(action(), ops)
			if d.Effect != c.effect || d.Safe != c.safe || d.Explicit != c.explicit {
				t.Errorf("decision %v, want %v, safe: %t, explicit: %t", d, c.effect, c.safe, c.explicit)
			}
			if asks := p.AsksJudge(d, ops); asks != (!c.safe && !c.explicit) {
				t.Errorf("the judge is asked: %v", asks)
			}
			for _, r := range d.Reasons {
				if r.Rule == "safe" && (c.def == umpire.Allow || c.modes[umpire.Exec] != policy.ModeUnset) {
					t.Error("it is a reason where it changes nothing")
				}
			}
		})
	}
}

// The traits that the reading gives to few programs stand for their names.
func TestAllowAllProgramsWithATrait(t *testing.T) {
	for _, c := range []struct {
		traits umpire.Trait
		rule   string
		stays  bool
	}{
		{umpire.Described, "allow exec(*)", true},
		{umpire.ProjectCode, "allow exec(*)", true},
		{umpire.Described, "allow tool(*)", true},
		{umpire.Described, "allow packages(*)", false},
		{umpire.Recursive, "allow exec(*)", false},
		{0, "allow exec(*)", false},
	} {
		r := rule(t, "x", c.rule)
		r.Layer, r.When.Traits = policy.User, c.traits
		p := compile(t, policy.Source{Rules: []policy.Rule{r}})
		if (p.Len() == 1) != c.stays || (len(p.Warnings()) == 0) != c.stays {
			t.Errorf("%s with %v: %d rules, %v", c.rule, c.traits, p.Len(), p.Warnings())
		}
	}
}

// echo runs no program, so that a rule for the tool covers it.
func TestToolRuleCoversAnIdleLine(t *testing.T) {
	r := rule(t, "x", "allow tool(Bash)")
	r.Layer = policy.User
	modes := compile(t, policy.Source{Default: umpire.Allow, Modes: map[umpire.Kind]policy.Mode{umpire.Exec: policy.DenyAll}})
	if d := modes.Decide(action(), []umpire.Operation{{Kind: umpire.Exec, Resource: "echo", Traits: umpire.Described}}); d.Effect != umpire.Allow {
		t.Errorf("the mode for programs: %v", d)
	}
	p := compile(t, policy.Source{Rules: []policy.Rule{r}})
	for _, c := range []struct {
		op   umpire.Operation
		want umpire.Effect
	}{
		{umpire.Operation{Kind: umpire.Exec, Resource: "echo", Traits: umpire.Described}, umpire.Allow},
		{umpire.Operation{Kind: umpire.Exec, Resource: "ls -l", Traits: umpire.Described}, umpire.Deny},
		{umpire.Operation{Kind: umpire.Exec, Resource: "frobnicate"}, umpire.Deny},
	} {
		if d := p.Decide(action(), []umpire.Operation{c.op}); d.Effect != c.want {
			t.Errorf("%v: %v, want %v", c.op, d, c.want)
		}
	}
}

// A path is known for sure to lie in a place only if the unknown part of it cannot lead
// out again, as what find prints cannot.
func TestFoundIsSure(t *testing.T) {
	r := rule(t, "x", "allow read(@in-workspace)")
	r.Layer = policy.User
	p := compile(t, policy.Source{Rules: []policy.Rule{r}})
	o := umpire.Operation{Kind: umpire.Read, Resource: "/home/dev/proj/⟨?⟩/*.go", Places: umpire.PlaceInWorkspace, Traits: umpire.Unknown}
	if d := p.Decide(action(), []umpire.Operation{o}); d.Effect != umpire.Deny {
		t.Error(d)
	}
	o.Traits |= umpire.Found
	if d := p.Decide(action(), []umpire.Operation{o}); d.Effect != umpire.Allow {
		t.Error(d)
	}
}
