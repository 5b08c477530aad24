package policy_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/policy"
)

func TestParsePatternFaults(t *testing.T) {
	for in, want := range map[string]string{
		"":                   "kind(pattern)",
		"git push":           "kind(pattern)",
		"exec":               "kind(pattern)",
		"exce(a)":            "unknown kind",
		"exec()":             "is empty",
		"exec(a":             "kind(pattern)",
		"exec('a)":           "quote is not closed",
		"exec([a)":           "a [ is not closed",
		`read(a\)`:           "ends in a backslash",
		"read([a/b])":        "a [ is not closed",
		"read(~bob/x)":       "~user",
		"read(${home}/x)":    "unknown variable",
		"read(a/../b)":       "..",
		"read(@hoem)":        "unknown place",
		"read(@!home)":       "it only excludes names",
		"read(@home+!home)":  "can never match",
		"trait(remot)":       "unknown trait",
		"trait(*)":           "a trait has a name",
		"text(a)":            "no slashes",
		"text(/(/)":          "RE2",
		"network(https://a)": "scheme",
		"network(a:b)":       "port",
		"network(get a)":     "capitals",
		"network(u@a)":       "not a host name",
		"network(a/[)":       "a [ is not closed",
		"network(" + strings.Repeat("a", 300) + ")":      "host name is too long",
		"exec({a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b})": "alternatives",
		"exec(" + strings.Repeat("a", 5000) + ")":        "longer than",
		"exec(a\x00b)": "no resource contains",
	} {
		if _, err := policy.ParsePattern(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: got %v, want %q", in, err, want)
		}
	}
}

func TestCompileFaults(t *testing.T) {
	force := umpire.Force
	bad := policy.Source{Rules: []policy.Rule{
		{Match: []policy.Pattern{policy.MustParse("exec(a)")}},
		{ID: "none"},
		{ID: "twice", Match: []policy.Pattern{policy.MustParse("exec(a)")}, Layer: policy.User},
		{ID: "twice", Match: []policy.Pattern{policy.MustParse("exec(b)")}, Layer: policy.User},
		{ID: "never", Match: []policy.Pattern{policy.MustParse("exec(b)")}, When: policy.Condition{Traits: force, Without: force}},
		{ID: "glob", Match: []policy.Pattern{policy.MustParse("exec(b)")}, When: policy.Condition{Tools: []string{"[a"}}},
		{ID: "text", Effect: umpire.Allow, Layer: policy.User, Match: []policy.Pattern{policy.MustParse("text(/a/)")}},
		{ID: "trait", Effect: umpire.Allow, Layer: policy.User, Match: []policy.Pattern{policy.MustParse("trait(force)")}},
		{ID: "effect", Effect: 7, Match: []policy.Pattern{policy.MustParse("exec(b)")}},
		{ID: "core", Match: []policy.Pattern{policy.MustParse("exec(a)")}, Layer: policy.User},
		{ID: "core", Match: []policy.Pattern{policy.MustParse("exec(b)")}, Layer: policy.Builtin},
	}}
	_, err := policy.Compile(bad)
	var es policy.Errors
	if !errors.As(err, &es) || len(es) < 2 {
		t.Fatalf("error %v, want at least two faults", err)
	}
	for _, want := range []string{"it has no id", `"none": it has no pattern`, `"twice": its id is taken by the rule at another place`, `"core": its id is taken by a built-in rule`, `"never": it can never match`, `"glob"`, `"text": text proves nothing`, `"trait": a trait by itself`, `"effect"`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in\n%v", want, err)
		}
	}
}

func TestTooManyPatterns(t *testing.T) {
	src := policy.Source{}
	for i := range 2000 {
		src.Rules = append(src.Rules, rule(t, fmt.Sprint("r", i), "deny exec({a,b,c,d}{a,b,c,d}{a,b,c,d}"+fmt.Sprint(i)+")"))
	}
	if _, err := policy.Compile(src); err == nil || !strings.Contains(err.Error(), "limit of 100000 patterns") {
		t.Errorf("error %.200v, want one about the limit of 100000 patterns", err)
	}
}

func TestRulesReadBack(t *testing.T) {
	yes := true
	want := policy.Rule{ID: "b", Title: "t", Effect: umpire.Ask, Reason: "r", Suggest: "s", Pack: "p", Layer: policy.Builtin, Certain: true, Locked: true, Observe: true,
		Match: []policy.Pattern{policy.MustParse("delete(~/{a,b}/**)"), policy.MustParse("network(10.0.0.0/8)")}, Unless: []policy.Pattern{policy.MustParse("delete(~/a/x)")},
		When: policy.Condition{Platforms: []string{"claude"}, Tools: []string{"B*", "W*"}, Agents: []string{"x"}, Traits: umpire.Force, Without: umpire.Bulk, Tainted: &yes},
		Pos:  policy.Pos{File: "f.yaml", Line: 3, Col: 5}}
	p := compile(t, policy.Source{Rules: []policy.Rule{want, rule(t, "a", "deny exec(x)"), rule(t, "c", "deny exec(y)")}})
	q, err := policy.Open(p.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	got, ok := q.Rule("b")
	if a, b := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); !ok || !strings.HasPrefix(a, b[:strings.Index(b, "Tainted:")]) || !*got.When.Tainted {
		t.Errorf("got  %s\nwant %s", a, b)
	}
	if _, ok := q.Rule("nobody"); ok {
		t.Error("found a rule that is not there")
	}
	ids := ""
	for r := range q.Rules() {
		ids += r.ID
	}
	if ids != "abc" || q.Len() != 3 || q.Hash() != p.Hash() {
		t.Errorf("rules %s, length %d, want abc, 3, and the same hash", ids, q.Len())
	}
}

func TestZeroPolicyDenies(t *testing.T) {
	var none *policy.Policy
	for _, p := range []*policy.Policy{none, {}} {
		if d := p.Decide(action(), harmless); d.Effect != umpire.Deny || len(d.Reasons) != 1 {
			t.Errorf("decision %+v, want a denial with one reason", d)
		}
	}
}

func TestSettings(t *testing.T) {
	for _, src := range []policy.Source{
		{},
		{Default: umpire.Allow, AutoApprove: true, Observe: true, Judge: policy.Judge{Scope: policy.ScopeAll, Ambiguous: true}, CannotAsk: policy.AskWait, Audit: policy.Audit{MaxSize: 65535, Keep: 7}, ToolOutput: policy.PassOutput, Prompts: true},
		{Default: umpire.Ask, Judge: policy.Judge{Scope: policy.ScopeRisky}, Audit: policy.Audit{Keep: 65535}},
	} {
		p, err := policy.Compile(src)
		if err != nil {
			t.Fatal(err)
		}
		got := policy.Source{Default: p.Default(), AutoApprove: p.AutoApprove(), Observe: p.Observe(), Judge: p.Judge(), CannotAsk: p.CannotAsk(), Audit: p.Audit(), ToolOutput: p.ToolOutput(), Prompts: p.Prompts()}
		if !reflect.DeepEqual(got, src) {
			t.Errorf("compiled %+v to %+v", src, got)
		}
	}
	if _, err := policy.Compile(policy.Source{Audit: policy.Audit{MaxSize: -1}}); err == nil {
		t.Error("a size below zero is accepted")
	}
}

func TestAsksJudge(t *testing.T) {
	op := func(k umpire.Kind, traits umpire.Trait, at umpire.Place) []umpire.Operation {
		return []umpire.Operation{{Kind: umpire.Exec, Resource: "x"}, {Kind: k, Resource: "y", Traits: traits, Places: at}}
	}
	open := umpire.Decision{Effect: umpire.Allow}
	asked := func(doubt ...bool) umpire.Decision {
		d := umpire.Decision{Effect: umpire.Ask, Explicit: true}
		for _, b := range doubt {
			d.Reasons = append(d.Reasons, umpire.Reason{Effect: umpire.Ask, Doubt: b})
		}
		return d
	}
	denied := umpire.Decision{Explicit: true, Reasons: []umpire.Reason{{Effect: umpire.Deny}}}
	for _, tt := range []struct {
		name string
		j    policy.Judge
		d    umpire.Decision
		ops  []umpire.Operation
		want bool
	}{
		{"no judge", policy.Judge{}, open, op(umpire.Network, 0, 0), false},
		{"network", policy.Judge{Scope: policy.ScopeRisky}, open, op(umpire.Network, 0, 0), true},
		{"read", policy.Judge{Scope: policy.ScopeRisky}, open, op(umpire.Read, 0, 0), false},
		{"write inside", policy.Judge{Scope: policy.ScopeRisky}, open, op(umpire.Write, 0, umpire.PlaceWorkspace), false},
		{"write outside", policy.Judge{Scope: policy.ScopeRisky}, open, op(umpire.Write, 0, umpire.PlaceOutside), true},
		{"unseen code", policy.Judge{Scope: policy.ScopeRisky}, open, op(umpire.Exec, umpire.UnseenCode, 0), true},
		{"inert", policy.Judge{Scope: policy.ScopeRisky}, open, op(umpire.Network, umpire.Inert, 0), false},
		{"all", policy.Judge{Scope: policy.ScopeAll}, open, op(umpire.Read, 0, 0), true},
		{"denied", policy.Judge{Scope: policy.ScopeAll, Ambiguous: true}, denied, op(umpire.Network, 0, 0), false},
		{"asked", policy.Judge{Scope: policy.ScopeAll}, asked(true), op(umpire.Network, 0, 0), false},
		{"ambiguous", policy.Judge{Scope: policy.ScopeRisky, Ambiguous: true}, asked(true, true), op(umpire.Network, 0, 0), true},
		{"ambiguous in part", policy.Judge{Scope: policy.ScopeRisky, Ambiguous: true}, asked(true, false), op(umpire.Network, 0, 0), false},
	} {
		p, err := policy.Compile(policy.Source{Default: umpire.Allow, Judge: tt.j})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.AsksJudge(tt.d, tt.ops); got != tt.want {
			t.Errorf("%s: asks the judge: %t, want %t", tt.name, got, tt.want)
		}
	}
}
