package grant_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/grant"
	"github.com/umpire-dev/umpire/internal/tools/filled"
	"github.com/umpire-dev/umpire/policy"
)

// request is a call of tool t with operations of its own, which a policy of rules decides.
func request(t *testing.T, a *umpire.Action, ops []umpire.Operation, rules ...policy.Rule) *grant.PendingCall {
	t.Helper()
	p, err := policy.Compile(policy.Source{Default: umpire.Ask, Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	return &grant.PendingCall{Action: a, Operations: ops, Decision: p.Decide(a, ops), Policy: p, Passing: grant.Riskier}
}

// rule makes a rule of a pattern.
func rule(t *testing.T, id string, e umpire.Effect, l policy.Layer, pattern string) policy.Rule {
	t.Helper()
	p, err := policy.ParsePattern(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return policy.Rule{ID: id, Effect: e, Layer: l, Match: []policy.Pattern{p}, Reason: "of " + id}
}

// What a person is told of each call about which no longer answer is on offer, or none that is
// kept for good.
func TestWhyNot(t *testing.T) {
	run := umpire.Operation{Kind: umpire.Exec, Resource: "make a"}
	with := func(traits umpire.Trait) umpire.Operation { o := run; o.Traits = traits; return o }
	many := func(n int) (ops []umpire.Operation) {
		for i := range n {
			ops = append(ops, umpire.Operation{Kind: umpire.Exec, Resource: "make " + strings.Repeat("x", i+1)})
		}
		return ops
	}
	locked := rule(t, "locked", umpire.Ask, policy.Builtin, "exec(make *)")
	locked.Locked = true
	would := rule(t, "would", umpire.Ask, policy.User, "exec(make *)")
	would.Observe = true
	for _, tt := range []struct {
		name          string
		tainted       bool
		ops           []umpire.Operation
		rules         []policy.Rule
		none, notKept string
	}{
		{"plain", false, []umpire.Operation{run}, nil, "", ""},
		{"tainted", true, []umpire.Operation{run}, nil, "", "the session met text that tries to steer the agent"},
		{"a hole", false, []umpire.Operation{{Kind: umpire.Exec, Resource: "make " + umpire.Hole}}, nil, "only the shell will know all of what it does", "only the shell will know all of what it does"},
		{"a secret", false, []umpire.Operation{{Kind: umpire.Exec, Resource: "make [masked:token]"}}, nil, "it has a secret in it", "it has a secret in it"},
		{"a line break", false, []umpire.Operation{{Kind: umpire.Exec, Resource: "make\na"}}, nil, "no rule can name exec of that form", "no rule can name exec of that form"},
		{"a grave one among others", false, []umpire.Operation{run, with(umpire.Payment)}, nil, "umpire asks about each call marked payment", "umpire asks about each call marked payment"},
		{"riskier", false, []umpire.Operation{run, with(umpire.Force)}, nil, "", "it cannot be stored because of force"},
		{"from the network", false, []umpire.Operation{with(umpire.FromNetwork)}, nil, "", "its data comes from the network"},
		{"in part from the network", false, []umpire.Operation{with(umpire.FromNetwork), run}, nil, "", ""},
		{"inert beside it", false, []umpire.Operation{with(umpire.Inert | umpire.Payment), run}, nil, "", ""},
		{"as much as there may be", false, many(40), nil, "", ""},
		{"one more", false, many(41), nil, "it does 41 things, and a lasting answer covers at most 40", "it does 41 things, and a lasting answer covers at most 40"},
		{"denied", false, []umpire.Operation{run}, []policy.Rule{rule(t, "d", umpire.Deny, policy.User, "exec(make *)")}, "a rule denies it, or may", "a rule denies it, or may"},
		{"a built-in rule asks", false, []umpire.Operation{run}, []policy.Rule{rule(t, "b", umpire.Ask, policy.Builtin, "exec(make *)")}, "", ""},
		{"a locked rule asks", false, []umpire.Operation{run}, []policy.Rule{locked}, "", "the rule locked is locked"},
		{"a user's rule asks", false, []umpire.Operation{run}, []policy.Rule{rule(t, "u", umpire.Ask, policy.User, "exec(make *)")}, "", "the rule u of the user policy asks each time"},
		{"an observed rule would ask", false, []umpire.Operation{run}, []policy.Rule{would}, "", ""},
		{"a rule of the text asks", false, []umpire.Operation{run}, []policy.Rule{rule(t, "t", umpire.Ask, policy.Builtin, "text(/make/)")}, "", "the rule t is about the text of the call"},
		{"nothing but the words of a script", false, []umpire.Operation{{Kind: umpire.Exec, Resource: "make", Traits: umpire.Described}}, nil, "no rule can name what it does", "no rule can name what it does"},
		{"a rule allows", false, []umpire.Operation{run}, []policy.Rule{rule(t, "a", umpire.Allow, policy.User, "exec(make *)")}, "", ""},
	} {
		r := request(t, &umpire.Action{Tool: "bash", Tainted: tt.tainted, Input: json.RawMessage(`{"command":"make a"}`)}, tt.ops, tt.rules...)
		o := r.Offer()
		if o.None != tt.none || o.NotKept != tt.notKept || (len(o.Choices) == 0) != (tt.none != "") {
			t.Errorf("%s: offers %d grants, none because %q, not kept because %q; want %q, %q", tt.name, len(o.Choices), o.None, o.NotKept, tt.none, tt.notKept)
		}
		for _, c := range o.Choices {
			if c.Tainted != tt.tainted || !c.Covers(r.Action, r.Operations) {
				t.Errorf("%s: the grant %+v does not cover its own call", tt.name, c)
			}
		}
	}
}

// A grant never covers the same operation with a trait that makes it worse. The list has the
// traits that come from the words of its pattern, so that someone decides about each new one.
func TestWorseTraits(t *testing.T) {
	const harmless = umpire.Described | umpire.Overwrite | umpire.PlainRead | umpire.Filtered | umpire.Mutate | umpire.DataStore | umpire.NoWhere | umpire.ResourceBomb |
		umpire.PlainHTTP | umpire.RawIP | umpire.Metadata | umpire.Download | umpire.NestedAgent | umpire.Message | umpire.WholeTree | umpire.Uncommitted | umpire.ProjectCode | umpire.Found
	op := umpire.Operation{Kind: umpire.Exec, Resource: "make a"}
	a := &umpire.Action{Tool: "bash"}
	r := request(t, a, []umpire.Operation{op})
	g := r.Offer().Choices[0]
	for bit := range 64 {
		trait := umpire.Trait(1) << bit
		if trait.String() == "" || trait == umpire.Inert {
			continue
		}
		worse := op
		worse.Traits = trait
		covered := g.Covers(a, []umpire.Operation{worse})
		if covered != (harmless&trait != 0) {
			t.Errorf("with %s, the grant covers it: %v", trait, covered)
		}
		if none := request(t, a, []umpire.Operation{worse}).Offer().None; (none != "") != (grant.Grave&trait != 0) {
			t.Errorf("an answer about %s: %q", trait, none)
		}
	}
}

// Parts of the same pattern are one, which excludes what all of them exclude.
func TestPartsOfOnePattern(t *testing.T) {
	one, two := umpire.Operation{Kind: umpire.Exec, Resource: "make a"}, umpire.Operation{Kind: umpire.Exec, Resource: "make a", Traits: umpire.Force | umpire.FromNetwork}
	r := request(t, &umpire.Action{Tool: "bash"}, []umpire.Operation{one, two})
	g := r.Offer().Choices[0]
	if len(g.Parts) != 1 || g.Parts[0].Clean || g.Parts[0].Without&umpire.Force != 0 || g.Parts[0].Without&umpire.Remote == 0 {
		t.Errorf("parts %+v, want one without the trait that both lack", g.Parts)
	}
}

// Nobody can answer for longer about a call of which nothing is known.
func TestNothingKnown(t *testing.T) {
	a := &umpire.Action{Tool: "db"}
	r := request(t, a, nil)
	if o := r.Offer(); len(o.Choices) > 0 || o.None == "" {
		t.Errorf("offers %d grants, none because %q", len(o.Choices), o.None)
	}
	if list, sure := r.Denials(); sure || len(list) > 0 {
		t.Errorf("denials %q, sure: %v; want none", list, sure)
	}
	s, err := grant.NewSession(grant.Grant{Parts: []grant.Part{{Pattern: "tool(db)"}}})
	if err != nil {
		t.Fatal(err)
	}
	if id, ok := s.Covers(a, nil, func([]umpire.Operation) umpire.Decision { return umpire.Decision{Effect: umpire.Ask} }); ok {
		t.Errorf("%q covers it", id)
	}
}

// What a person wrote denies a call if one line does; a line that is no pattern denies nothing.
func TestDenies(t *testing.T) {
	a, ops := &umpire.Action{Tool: "bash"}, []umpire.Operation{{Kind: umpire.Exec, Resource: "make a"}}
	for text, want := range map[string]bool{
		"exec(make a)": true, "exec(x)\n  exec(make *)\n": true, "exec(x)": false, "": false, "make a": false, "exec(make a": false, "exec()": false, "\n\nexec(make a)": true,
	} {
		if got := grant.Denies(text, a, ops); got != want {
			t.Errorf("%q denies the call: %v, want %v", text, got, want)
		}
	}
}

// Every field of a grant is kept but its ID, and those that are empty take no room.
func TestRoundTrip(t *testing.T) {
	g := filled.Value[grant.Grant]()
	data, err := json.Marshal(g)
	if err != nil {
		t.Fatal(err)
	}
	var got grant.Grant
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if g.ID = ""; !reflect.DeepEqual(got, g) {
		t.Errorf("%s\nis read as %+v\nwant       %+v", data, got, g)
	}
	if data, err := json.Marshal(grant.Grant{Parts: []grant.Part{{Pattern: "exec(a)"}}}); err != nil || string(data) != `{"parts":[{"pattern":"exec(a)"}]}` {
		t.Errorf("a grant of one pattern is written as %s, %v", data, err)
	}
}

// A merged grant holds in a tainted session only if both answers were given in one.
func TestMergeOfInputs(t *testing.T) {
	for _, input := range []string{"", "x"} {
		g := grant.Grant{Input: input, Tainted: true}
		g.Merge(&grant.Grant{Input: "y"})
		if g.Tainted {
			t.Errorf("the first is for the input %q: the merged grant holds in a tainted session", input)
		}
	}
}

// Broken grants are refused, not passed over.
func TestBrokenGrants(t *testing.T) {
	for _, pattern := range []string{"", "exec(", "make a", "exec(*)"} {
		g := grant.Grant{Parts: []grant.Part{{Pattern: "exec(make a)"}, {Pattern: pattern}}}
		if _, err := grant.NewSession(g); err == nil {
			t.Errorf("a session has a grant of %q", pattern)
		}
		if g.Covers(&umpire.Action{Tool: "bash"}, []umpire.Operation{{Kind: umpire.Exec, Resource: "make a"}}) {
			t.Errorf("a grant with %q covers a call", pattern)
		}
	}
	for _, pattern := range []string{"", "exec(", "make a", "exec(make a"} {
		if grant.Denies(pattern, &umpire.Action{Tool: "bash"}, []umpire.Operation{{Kind: umpire.Exec, Resource: "make a"}}) {
			t.Errorf("%q denies a call", pattern)
		}
	}
	both := grant.Grant{ID: "one", Parts: []grant.Part{{Pattern: "exec(make a)"}}}
	if s, err := grant.NewSession(both, both); err == nil {
		t.Errorf("a session has two grants of one name: %+v", s)
	}
}

// A session covers a call in its own state only: an answer of a clean session ends where the
// session is tainted, and an answer about what a rule asked is for that operation and tool.
func TestSessionCovers(t *testing.T) {
	run, other := umpire.Operation{Kind: umpire.Exec, Resource: "make a"}, umpire.Operation{Kind: umpire.Exec, Resource: "make b"}
	inert := umpire.Operation{Kind: umpire.Exec, Resource: "true", Traits: umpire.Inert}
	silent := umpire.Decision{Effect: umpire.Ask}
	rule := umpire.Decision{Effect: umpire.Ask, Explicit: true}
	pattern := grant.Grant{Parts: []grant.Part{{Pattern: "exec(make a)"}}}
	clean := grant.Grant{Parts: []grant.Part{{Pattern: "exec(make a)", Clean: true}}}
	lasting := grant.Grant{Parts: []grant.Part{{Pattern: "exec(make a)"}}, Tainted: true}
	of := func(tools ...string) grant.Grant {
		return grant.Grant{ID: "of", Tools: tools, Operations: []umpire.Operation{run}}
	}
	for _, tt := range []struct {
		name   string
		grants []grant.Grant
		ops    []umpire.Operation
		says   umpire.Decision
		clean  string // the grant that covers the call in a clean session
		taint  string // the same in a tainted one
	}{
		{"no grants", nil, []umpire.Operation{run}, silent, "", ""},
		{"a pattern", []grant.Grant{pattern}, []umpire.Operation{run}, silent, "grant-1", ""},
		{"a clean pattern", []grant.Grant{clean}, []umpire.Operation{run}, silent, "grant-1", ""},
		{"a pattern of a tainted session", []grant.Grant{lasting}, []umpire.Operation{run}, silent, "grant-1", "grant-1"},
		{"the second", []grant.Grant{{Parts: []grant.Part{{Pattern: "exec(make c)"}}}, lasting}, []umpire.Operation{run}, silent, "grant-2", "grant-2"},
		{"the second and the third operation are others", []grant.Grant{lasting}, []umpire.Operation{run, other, other}, silent, "", ""},
		{"the first is another operation", []grant.Grant{lasting}, []umpire.Operation{other, run}, silent, "", ""},
		{"an inert one beside it", []grant.Grant{lasting}, []umpire.Operation{inert, run}, silent, "grant-1", "grant-1"},
		{"a file by its path", []grant.Grant{lasting}, []umpire.Operation{{Kind: umpire.Exec, Resource: "make a"}, run}, silent, "grant-1", "grant-1"},
		{"a pattern answers no rule", []grant.Grant{lasting}, []umpire.Operation{run}, rule, "", ""},
		{"the operation answers a rule", []grant.Grant{of()}, []umpire.Operation{run}, rule, "of", ""},
		{"for its tool", []grant.Grant{of("bash", "sh")}, []umpire.Operation{run}, rule, "of", ""},
		{"for another tool", []grant.Grant{of("sh")}, []umpire.Operation{run}, rule, "", ""},
		{"a rule denies", []grant.Grant{of(), lasting}, []umpire.Operation{run}, umpire.Decision{Effect: umpire.Deny, Explicit: true}, "", ""},
		{"a rule allows: no answer is needed", []grant.Grant{of(), lasting}, []umpire.Operation{run}, umpire.Decision{Effect: umpire.Allow, Explicit: true}, "", ""},
	} {
		s, err := grant.NewSession(tt.grants...)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		for i, want := range []string{tt.clean, tt.taint} {
			a := &umpire.Action{Tool: "bash", Tainted: i == 1}
			if id, ok := s.Covers(a, tt.ops, func([]umpire.Operation) umpire.Decision { return tt.says }); id != want && ok || ok != (want != "") {
				t.Errorf("%s, tainted %v: got %q, %v, want %q", tt.name, a.Tainted, id, ok, want)
			}
		}
	}
}

// A reason whose rule the policy lacks, such as that of a broken policy, is told as it is.
func TestReasonWithoutARule(t *testing.T) {
	r := request(t, &umpire.Action{Tool: "bash"}, []umpire.Operation{{Kind: umpire.Exec, Resource: "make a"}})
	r.Decision = umpire.Decision{Effect: umpire.Ask, Reasons: []umpire.Reason{{Rule: "gone", Text: "it is broken", Effect: umpire.Ask}}}
	if got, want := r.Offer().NotKept, "umpire asks each time: it is broken"; got != want {
		t.Errorf("not kept because %q, want %q", got, want)
	}
}

// A call of which an operation has no pattern of its own that covers it is not on offer.
func TestPatternThatDoesNotCover(t *testing.T) {
	r := request(t, &umpire.Action{Tool: "bash"}, []umpire.Operation{{Kind: umpire.Exec, Resource: "make a"}})
	r.Narrow = func(umpire.Operation) string { return "exec(make b)" }
	if o := r.Offer(); len(o.Choices) > 0 || o.None != "no rule can be written that covers all of it" {
		t.Errorf("offers %d grants, none because %q", len(o.Choices), o.None)
	}
	r.Wider = func(umpire.Operation) []string { return []string{"exec(make *)", "exec(**)"} }
	if o := r.Offer(); len(o.Choices) != 2 && len(o.Choices) != 1 || o.None != "" || o.Choices[0].String() != "exec(make *)" {
		t.Errorf("offers %+v, none because %q; want the wider pattern", o.Choices, o.None)
	}
	if list, _ := r.Denials(); len(list) != 0 && list[0] == "exec(make b)" {
		t.Errorf("%q is on offer to deny a call that it does not deny", list)
	}
	r.Narrow = nil
	if list, sure := r.Denials(); !sure || strings.Join(list, " ") != "exec(make a) exec(make *)" && strings.Join(list, " ") != "exec(make a) exec(make *) exec(**)" {
		t.Errorf("denials %q, sure %v; want the exact pattern and the wider ones", list, sure)
	}
}

// Each wider choice covers the call and a sibling: a choice that reads as wider and answers no other
// call is not offered.
func TestWiderChoicesCoverSiblings(t *testing.T) {
	op := func(k umpire.Kind, resource string) umpire.Operation {
		return umpire.Operation{Kind: k, Resource: resource}
	}
	file := func(k umpire.Kind, path string) umpire.Operation {
		return umpire.Operation{Kind: k, Resource: path, Places: umpire.PlaceInWorkspace}
	}
	for name, tt := range map[string]struct {
		ops, sibling []umpire.Operation
		choices      int
	}{
		"a program":                   {[]umpire.Operation{op(umpire.Exec, "make lint a")}, []umpire.Operation{op(umpire.Exec, "make lint b")}, 2},
		"a program of one word":       {[]umpire.Operation{op(umpire.Exec, "make")}, nil, 1},
		"git, named by its operation": {[]umpire.Operation{op(umpire.Exec, "git tag v2"), op(umpire.Git, "tag v2")}, nil, 1},
		"git, with more words":        {[]umpire.Operation{op(umpire.Exec, "git push origin a"), op(umpire.Git, "push origin a")}, []umpire.Operation{op(umpire.Exec, "git push origin b"), op(umpire.Git, "push origin b")}, 2},
		"one package":                 {[]umpire.Operation{op(umpire.Exec, "npm install a"), op(umpire.Packages, "npm install a")}, nil, 1},
		"infrastructure":              {[]umpire.Operation{op(umpire.Exec, "kubectl get pod a"), op(umpire.Infra, "kubectl get pod")}, []umpire.Operation{op(umpire.Exec, "kubectl get pod b"), op(umpire.Infra, "kubectl get pod")}, 2},
		"a database":                  {[]umpire.Operation{op(umpire.Database, "psql select a")}, []umpire.Operation{op(umpire.Database, "psql select b")}, 2},
		"a system":                    {[]umpire.Operation{op(umpire.System, "systemctl restart a b")}, []umpire.Operation{op(umpire.System, "systemctl restart a c")}, 2},
		"a host":                      {[]umpire.Operation{op(umpire.Network, "GET example.com/a")}, []umpire.Operation{op(umpire.Network, "GET example.com/b")}, 2},
		"a command beside another":    {[]umpire.Operation{op(umpire.Exec, "npm test"), op(umpire.Exec, "make lint a")}, []umpire.Operation{op(umpire.Exec, "npm test"), op(umpire.Exec, "make lint b")}, 2},
		"a read":                      {[]umpire.Operation{file(umpire.Read, "/ws/d/a")}, []umpire.Operation{file(umpire.Read, "/ws/d/b")}, 3},
		"a write":                     {[]umpire.Operation{file(umpire.Write, "/ws/d/a")}, []umpire.Operation{file(umpire.Write, "/ws/d/b")}, 3},
		"a deletion":                  {[]umpire.Operation{file(umpire.Delete, "/ws/d/a")}, []umpire.Operation{file(umpire.Delete, "/ws/d/b")}, 3},
		"a tool":                      {[]umpire.Operation{op(umpire.Tool, "mcp__a__b")}, nil, 1},
	} {
		a := &umpire.Action{Tool: "bash"}
		r := request(t, a, tt.ops)
		r.Wider = grant.Wider("/ws")
		choices := r.Offer().Choices
		if len(choices) != tt.choices {
			t.Errorf("%s: %d choices, want %d: %v", name, len(choices), tt.choices, choices)
		}
		for i, c := range choices {
			if !c.Covers(a, tt.ops) {
				t.Errorf("%s: the choice %q does not cover its own call", name, c.String())
			}
			if i > 0 && !c.Covers(a, tt.sibling) {
				t.Errorf("%s: the wider choice %q does not cover a sibling", name, c.String())
			}
		}
	}
}
