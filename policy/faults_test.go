package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/policy"
)

// A fault of a pattern is found in each kind, and wherever a rule or a list may have the pattern:
// nothing with a fault compiles.
func TestFaultsAreFoundEverywhere(t *testing.T) {
	for _, text := range []string{"[a", `a\`, "b/[a", "*.[a", "{a,[b}"} {
		for _, kind := range []umpire.Kind{umpire.Exec, umpire.Git, umpire.Packages, umpire.Infra, umpire.Database, umpire.System, umpire.Read, umpire.Write, umpire.Delete,
			umpire.Filesystem, umpire.Network, umpire.Tool} {
			bad, good := policy.Pattern{Kind: kind, Text: text}, policy.MustParse("exec(a)")
			if _, err := policy.ParsePattern(bad.String()); err == nil {
				t.Errorf("%s is read without a fault", bad)
			}
			for place, src := range map[string]policy.Source{
				"match":        {Rules: []policy.Rule{{ID: "r", Match: []policy.Pattern{bad}}}},
				"second match": {Rules: []policy.Rule{{ID: "r", Match: []policy.Pattern{good, bad}}}},
				"unless":       {Rules: []policy.Rule{{ID: "r", Match: []policy.Pattern{good}, Unless: []policy.Pattern{bad}}}},
			} {
				if _, err := policy.Compile(src); err == nil {
					t.Errorf("%s in %s: compiled without a fault", bad, place)
				}
			}
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("MustParse(%s): got no panic", bad)
					}
				}()
				policy.MustParse(bad.String())
			}()
		}
		if _, err := policy.Compile(policy.Source{AllowedEndpoints: []policy.Endpoint{{Host: text, Layer: policy.User}}}); err == nil {
			t.Errorf("the allowed endpoint %s: compiled without a fault", text)
		}
	}
	for _, name := range []string{"tools", "platforms", "agents"} {
		r := policy.Rule{ID: "r", Match: []policy.Pattern{policy.MustParse("exec(a)")}}
		list := map[string]*[]string{"tools": &r.When.Tools, "platforms": &r.When.Platforms, "agents": &r.When.Agents}[name]
		*list = []string{"a", "[b"}
		if _, err := policy.Compile(policy.Source{Rules: []policy.Rule{r}}); err == nil {
			t.Errorf("a glob with a fault among the %s: compiled", name)
		}
	}
}

// What a person is told of a decision: the reason of the rule, else its title, else its pattern,
// and whether it only observes or is in doubt.
func TestReasonText(t *testing.T) {
	match := []policy.Pattern{policy.MustParse("exec(rm *)")}
	for _, tt := range []struct {
		name, op, want string
		rule           policy.Rule
	}{
		{"reason", "exec(rm x)", "why", policy.Rule{Reason: "why", Title: "title"}},
		{"title", "exec(rm x)", "title", policy.Rule{Title: "title"}},
		{"pattern", "exec(rm x)", "matches exec(rm *)", policy.Rule{}},
		{"observed", "exec(rm x)", "observed only, would deny: why", policy.Rule{Reason: "why", Observe: true}},
		{"in doubt", "exec(" + hole + " x)", "why (may match: part of it is not known)", policy.Rule{Reason: "why"}},
	} {
		r := tt.rule
		r.ID, r.Layer, r.Effect, r.Match, r.Suggest = "r", policy.User, umpire.Deny, match, "try"
		d := compile(t, policy.Source{Default: umpire.Allow, Rules: []policy.Rule{r}}).Decide(action(), []umpire.Operation{op(t, tt.op)})
		if len(d.Reasons) != 1 {
			t.Errorf("%s: got %d reasons, want one", tt.name, len(d.Reasons))
			continue
		}
		got := d.Reasons[0]
		if got.Text != tt.want || got.Suggest != "try" || got.Rule != "r" || got.Op != 0 || got.Doubt != (tt.name == "in doubt") || got.Would != map[bool]string{true: "deny"}[r.Observe] {
			t.Errorf("%s: got %+v, want the text %q", tt.name, got, tt.want)
		}
	}
	var none *policy.Policy
	if d := none.Decide(action(), nil); d.Effect != umpire.Deny || len(d.Reasons) != 1 || d.Reasons[0].Op != -1 || d.Reasons[0].Rule != "policy-missing" || d.Reasons[0].Text == "" || d.Reasons[0].Suggest == "" {
		t.Errorf("without a policy: got %+v, want a denial that says so", d)
	}
	for verb, d := range map[string]policy.Disable{"disable": {}, "observe": {Observe: true}} {
		d.Rule, d.Layer = "gone", policy.User
		p := compile(t, policy.Source{Disabled: []policy.Disable{d}})
		if w := p.Warnings(); len(w) != 1 || !strings.HasSuffix(w[0].Msg, "there is no such rule to "+verb) {
			t.Errorf("%s a rule that is not there: the warnings are %v", verb, w)
		}
	}
}

// Rules that each allow one package allow several at once, up to a bound on the search.
func TestNamesAtOnce(t *testing.T) {
	var src policy.Source
	src.Default = umpire.Ask
	for i := range 66 {
		src.Rules = append(src.Rules, rule(t, fmt.Sprintf("p%d", i), fmt.Sprintf("allow packages(npm install p%d)", i)),
			rule(t, fmt.Sprintf("b%d", i), fmt.Sprintf("allow git(push origin b%d)", i)))
	}
	p := compile(t, src)
	for n, want := range map[int]umpire.Effect{1: umpire.Allow, 2: umpire.Allow, 63: umpire.Allow, 64: umpire.Allow, 65: umpire.Ask} {
		for _, form := range [][2]string{{"packages(npm install", " p"}, {"git(push origin", " b"}} {
			text := form[0]
			for i := range n {
				text += form[1] + fmt.Sprint(i)
			}
			if got := p.Decide(action(), []umpire.Operation{op(t, text+")")}); got.Effect != want {
				t.Errorf("%d names, %s: %v, want %v", n, form[0], got.Effect, want)
			}
			if got := p.Decide(action(), []umpire.Operation{op(t, text+form[1]+"x)")}); got.Effect != umpire.Ask || got.Explicit {
				t.Errorf("%d names and one that no rule allows, %s: %v, explicit %v, want the default", n, form[0], got.Effect, got.Explicit)
			}
		}
	}
}

// An answer for a program of the workspace carries over between its name and its file: a name with
// an ending means the file, a bare name does not, and the file always means both.
func TestNameAndFile(t *testing.T) {
	for _, tt := range []struct {
		allow, name, file string
		want              umpire.Effect
	}{
		{"exec(build.sh *)", "exec(build.sh x)", "exec(./build.sh x)", umpire.Allow},
		{"exec(./build.sh *)", "exec(build.sh x)", "exec(./build.sh x)", umpire.Allow},
		{"exec(build *)", "exec(build x)", "exec(./build x)", umpire.Ask},
		{"exec(./build *)", "exec(build x)", "exec(./build x)", umpire.Allow},
		{"exec(build.sh *)", "exec(build.sh x)", "exec(./.git/build.sh x)", umpire.Ask},
		{"exec(build.sh *)", "exec(build.sh x)", "exec(./build.sh y)", umpire.Ask},
		{"exec(other.sh *)", "exec(build.sh x)", "exec(./build.sh x)", umpire.Ask},
	} {
		p := compile(t, policy.Source{Default: umpire.Ask, Rules: []policy.Rule{rule(t, "r", "allow "+tt.allow)}})
		ops := []umpire.Operation{op(t, "exec(first)"), op(t, tt.name), op(t, tt.file)}
		if got := p.Decide(action(), ops[1:]); got.Effect != tt.want {
			t.Errorf("allow %s: %s and %s: %v, want %v", tt.allow, tt.name, tt.file, got.Effect, tt.want)
		}
		if got := p.Decide(action(), ops); got.Effect != umpire.Ask {
			t.Errorf("allow %s: beside a program that no rule allows: %v", tt.allow, got.Effect)
		}
	}
}

// An allow rule for a part of a host holds for no path that leaves it, in whatever letters, and
// for no host that is not known.
func TestPathsOfAHost(t *testing.T) {
	p := compile(t, policy.Source{Default: umpire.Ask, Rules: []policy.Rule{rule(t, "r", "allow network(h.example/a/*)"), rule(t, "p", "allow network(p.example:*)"), rule(t, "v6", "allow network([2001:db8::1]:443)")}})
	for resource, want := range map[string]umpire.Effect{
		"GET h.example:443/a/b": umpire.Allow, "GET h.example:443/b": umpire.Ask, "GET h.example:443/a/../b": umpire.Ask, "GET h.example:443/a/%2e%2e/b": umpire.Ask,
		"GET h.example:443/a/%2E./b": umpire.Ask, "GET h.example:443/a/..b": umpire.Ask, "GET h.example:443/a/b..c": umpire.Allow, "h.example:443": umpire.Ask,
		"p.example:1": umpire.Allow, "p.example": umpire.Ask, hole + ":1": umpire.Ask, "p.example:" + hole: umpire.Allow,
		"[2001:db8::1]:443": umpire.Allow, "[2001:db8::1]:80": umpire.Ask, "[2001:db8::2]:443": umpire.Ask, "[2001:db8:0::1]:443": umpire.Allow,
	} {
		if got := p.Decide(action(), []umpire.Operation{{Kind: umpire.Network, Resource: resource}}); got.Effect != want {
			t.Errorf("%s: %v, want %v", resource, got.Effect, want)
		}
	}
}

// A text rule finds what its expression matches, in either case and in letters that fold to others:
// the three bytes by which rules are looked up leave none out.
func TestTextsAreFound(t *testing.T) {
	for expression, texts := range map[string][]string{
		"drop table":      {"drop table", "xxdrop tablexx"},
		"(?i)kelvin":      {"KELVIN", "kelvin", "\u212aelvin"},
		"(?i)mask":        {"MASK", "ma\u017fk", "mas\u212a"},
		"a.c|xyz":         {"abc", "xyz"},
		"(abc)+":          {"abcabc"},
		"(abc){2}":        {"abcabc"},
		"(abc)?d":         {"d"},
		"(abc)*defg":      {"defg", "abcdefg"},
		"ab(?:cd|ef)ghij": {"abcdghij", "abefghij"},
		"\u00e4bcd":       {"\u00e4bcd"},
		"ab":              {"ab"},
	} {
		p := compile(t, policy.Source{Default: umpire.Allow, Rules: []policy.Rule{rule(t, "r", "deny text(/"+expression+"/)"), rule(t, "other", "deny text(/nothing like it/)")}})
		for _, text := range texts {
			a := action()
			a.Input = []byte(`["` + text + `"]`)
			if got := p.Decide(a, harmless); got.Effect != umpire.Deny {
				t.Errorf("text(/%s/) does not find %q", expression, text)
			}
		}
		if got := p.Decide(action(), harmless); got.Effect != umpire.Allow {
			t.Errorf("text(/%s/) finds something in nothing", expression)
		}
	}
}
