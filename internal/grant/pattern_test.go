package grant_test

import (
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/grant"
	"github.com/umpire-dev/umpire/policy"
)

// matches reports whether a pattern covers an operation.
func matches(t *testing.T, pattern string, op umpire.Operation) bool {
	t.Helper()
	p, err := policy.ParsePattern(pattern)
	if err != nil {
		t.Fatalf("%s: %v", pattern, err)
	}
	c, err := policy.Compile(policy.Source{Default: umpire.Ask, Rules: []policy.Rule{{ID: "r", Effect: umpire.Allow, Match: []policy.Pattern{p}, Layer: policy.User}}})
	if err != nil {
		t.Fatalf("%s: %v", pattern, err)
	}
	d := c.Decide(&umpire.Action{Tool: op.Resource}, []umpire.Operation{op})
	return d.Explicit && d.Effect == umpire.Allow
}

// The exact pattern of an operation covers it and no other, whatever characters it has.
func TestExactCoversItAlone(t *testing.T) {
	words := []string{"a", "a b", "a*", "a?b", "[ab]", "{a,b}", `a\b`, "it's", `say "hi"`, "", "a\tb", "a,b", "-x", "~", "ä", "it's\ta \"b\"", `'\ "`}
	quote := func(w string) string { return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'" }
	for _, kind := range []umpire.Kind{umpire.Exec, umpire.Packages, umpire.Git, umpire.Infra, umpire.Database, umpire.System} {
		for _, w := range words {
			op := umpire.Operation{Kind: kind, Resource: "prog " + quote(w)}
			pattern := grant.Exact(op)
			if pattern == "" || !matches(t, pattern, op) {
				t.Errorf("%s of %q: the pattern %q does not cover it", kind, op.Resource, pattern)
				continue
			}
			for _, other := range append(words, "axb", "a c", "ab", w+"x", "x"+w) {
				if o := (umpire.Operation{Kind: kind, Resource: "prog " + quote(other)}); other != w && matches(t, pattern, o) {
					t.Errorf("%s of %q: the pattern %q covers %q as well", kind, op.Resource, pattern, o.Resource)
				}
			}
			if o := (umpire.Operation{Kind: kind, Resource: op.Resource + " more"}); matches(t, pattern, o) {
				t.Errorf("%s of %q: the pattern %q covers another word", kind, op.Resource, pattern)
			}
		}
	}
	for _, tt := range []struct {
		kind        umpire.Kind
		res, want   string
		covers, not []string
	}{
		{umpire.Write, "/srv/a b", "write(/srv/a b)", nil, []string{"/srv/a", "/srv/a b/c"}},
		{umpire.Write, "/srv/{a},b", `write(/srv/\{a\}\,b)`, nil, []string{"/srv/a", "/srv/{a}"}},
		{umpire.Write, "/srv/*.o", "write(/srv/*)", []string{"/srv/a.o"}, []string{"/srv/a/b.o"}},
		{umpire.Read, "/srv/a?/b", "read(/srv/*/b)", []string{"/srv/ax/b"}, []string{"/srv/ax/c"}},
		{umpire.Exec, " make  a ", "exec(make a)", []string{"make a"}, []string{"make '' a"}},
		{umpire.Exec, `a \ `, "exec(a ' ')", nil, []string{"a", "a b"}},
		{umpire.Exec, `a \`, `exec(a \\)`, nil, []string{"a"}},
		{umpire.Write, "/srv/.*", "", nil, nil},
		{umpire.Delete, "/srv/*.o", "", nil, nil},
		{umpire.Delete, "/srv/[ab]", "", nil, nil},
		{umpire.Network, "GET h.example:443/a*b", `network(GET h.example:443/a\*b)`, nil, []string{"GET h.example:443/axb", "POST h.example:443/a*b"}},
		{umpire.Network, "h.example:22", "network(h.example:22)", nil, []string{"h.example:23"}},
		{umpire.Tool, "mcp__x__{y}", `tool(mcp__x__\{y\})`, nil, []string{"mcp__x__y"}},
		{umpire.Write, "", "", nil, nil},
		{umpire.Exec, "a\nb", "", nil, nil},
		{umpire.Exec, "a\rb", "", nil, nil},
		{umpire.Exec, "a\x00b", "", nil, nil},
		{umpire.Exec, "a " + umpire.Hole, "", nil, nil},
		{umpire.Text, "a", "", nil, nil},
	} {
		op := umpire.Operation{Kind: tt.kind, Resource: tt.res}
		got := grant.Exact(op)
		if got != tt.want {
			t.Errorf("%s of %q: got %q, want %q", tt.kind, tt.res, got, tt.want)
			continue
		}
		if got == "" {
			continue
		}
		for _, res := range append(tt.covers, tt.res) {
			if !matches(t, got, umpire.Operation{Kind: tt.kind, Resource: res}) {
				t.Errorf("%s does not cover %q", got, res)
			}
		}
		for _, res := range tt.not {
			if matches(t, got, umpire.Operation{Kind: tt.kind, Resource: res}) {
				t.Errorf("%s covers %q", got, res)
			}
		}
	}
}

// What covers the like of an operation keeps as many words as name what is done.
func TestLike(t *testing.T) {
	for _, tt := range []struct {
		op   umpire.Operation
		want string
	}{
		{umpire.Operation{Kind: umpire.Exec, Resource: "make"}, "exec(make)"},
		{umpire.Operation{Kind: umpire.Exec, Resource: "make a"}, "exec(make a)"},
		{umpire.Operation{Kind: umpire.Exec, Resource: "make a b"}, "exec(make a *)"},
		{umpire.Operation{Kind: umpire.Git, Resource: "push"}, "git(push)"},
		{umpire.Operation{Kind: umpire.Packages, Resource: "npm"}, "packages(npm)"},
		{umpire.Operation{Kind: umpire.Infra, Resource: "kubectl get pods"}, "infra(kubectl get pods)"},
		{umpire.Operation{Kind: umpire.Git, Resource: "push origin x"}, "git(push origin *)"},
		{umpire.Operation{Kind: umpire.Database, Resource: "select a b"}, "database(select a *)"},
		{umpire.Operation{Kind: umpire.Packages, Resource: "npm install a"}, "packages(npm install a)"},
		{umpire.Operation{Kind: umpire.Packages, Resource: "npm install a b"}, "packages(npm install a *)"},
		{umpire.Operation{Kind: umpire.Infra, Resource: "kubectl get pods -A"}, "infra(kubectl get pods *)"},
		{umpire.Operation{Kind: umpire.System, Resource: "service a b c"}, "system(service a b *)"},
		{umpire.Operation{Kind: umpire.Network, Resource: "GET h.example:443/a"}, "network(h.example:443)"},
		{umpire.Operation{Kind: umpire.Network, Resource: "h.example:443/A b"}, "network(h.example:443)"},
		{umpire.Operation{Kind: umpire.Write, Resource: "/srv/a"}, "write(/srv/a)"},
		{umpire.Operation{Kind: umpire.Tool, Resource: "t"}, "tool(t)"},
		{umpire.Operation{Kind: umpire.Text, Resource: "t"}, ""},
		{umpire.Operation{Kind: umpire.Exec, Resource: "make 'a b'"}, ""},
		{umpire.Operation{Kind: umpire.Exec, Resource: "make a*"}, ""},
		{umpire.Operation{Kind: umpire.Exec, Resource: "make " + umpire.Hole}, ""},
		{umpire.Operation{Kind: umpire.Exec, Resource: "make [masked:key]"}, ""},
		{umpire.Operation{Kind: umpire.Exec, Resource: "make a", Traits: umpire.Irreversible}, ""},
	} {
		if got := grant.Like(tt.op); got != tt.want {
			t.Errorf("%s of %q: got %q, want %q", tt.op.Kind, tt.op.Resource, got, tt.want)
		}
	}
}

// Nothing outside a known project is covered wider than one by one.
func TestWider(t *testing.T) {
	in := umpire.PlaceInWorkspace
	for _, tt := range []struct {
		workspace string
		op        umpire.Operation
		want      string
	}{
		{"/p", umpire.Operation{Kind: umpire.Write, Resource: "/p/d/a", Places: in}, "write(/p/d/*) write(/p/**)"},
		{"/p", umpire.Operation{Kind: umpire.Write, Resource: "/q/d/a"}, ""},
		{"/p", umpire.Operation{Kind: umpire.Write, Resource: "/p/d/*", Places: in}, ""},
		{"", umpire.Operation{Kind: umpire.Read, Resource: "/p/d/a", Places: in}, ""},
		{"/", umpire.Operation{Kind: umpire.Delete, Resource: "/p/d/a", Places: in}, ""},
		{"/p", umpire.Operation{Kind: umpire.Exec, Resource: "make"}, ""},
		{"/p", umpire.Operation{Kind: umpire.Exec, Resource: "make a b"}, "exec(make a *)"},
	} {
		if got := strings.Join(grant.Wider(tt.workspace)(tt.op), " "); got != tt.want {
			t.Errorf("%s in %q: got %q, want %q", tt.op, tt.workspace, got, tt.want)
		}
	}
}

// A pattern that does not parse allows nothing, denies nothing and is an error where it is read.
func TestBrokenPatterns(t *testing.T) {
	broken := grant.Grant{Parts: []grant.Part{{Pattern: "exec(a)"}, {Pattern: "exec("}}}
	op := umpire.Operation{Kind: umpire.Exec, Resource: "a"}
	a := &umpire.Action{Tool: "Bash"}
	if r, err := broken.Rules("x", policy.User, "why"); err == nil {
		t.Errorf("Rules: got %v, want an error", r)
	}
	if _, err := grant.NewSession(broken); err == nil {
		t.Error("NewSession: got no error")
	}
	if broken.Covers(a, []umpire.Operation{op}) {
		t.Error("a broken grant covers a call")
	}
	for _, text := range []string{"", " \n", "exec(", "exec(a)\nexec("} {
		if g, err := grant.Parse(text); err == nil {
			t.Errorf("Parse(%q): got %v, want an error", text, g)
		}
	}
	if wide, err := grant.Parse("exec(*)"); err == nil {
		if _, err := grant.NewSession(wide); err == nil {
			t.Error("a session allows all programs")
		}
	}
	g, err := grant.Parse(" exec(a) \n\nexec(b)\n")
	if err != nil || g.String() != "exec(a)\nexec(b)" {
		t.Errorf("got %q, %v, want two patterns", g.String(), err)
	}
	rules, err := g.Rules("x", policy.User, "why")
	if err != nil || len(rules) != 2 || rules[0].ID != "x" || rules[1].ID != "x-2" || rules[0].Reason != "why" || rules[0].Layer != policy.User || rules[0].Effect != umpire.Allow {
		t.Errorf("got %+v, %v, want the rules x and x-2", rules, err)
	}
	for text, want := range map[string]bool{"exec(a)": true, "exec(b)\n exec(a) ": true, "exec(b)": false, "": false, "exec(": false, "exec(\nexec(a)": true} {
		if got := grant.Denies(text, a, []umpire.Operation{op}); got != want {
			t.Errorf("Denies(%q): got %v, want %v", text, got, want)
		}
	}
}

// A merged grant covers no more than both answers did.
func TestMergeCoversBoth(t *testing.T) {
	one, two := umpire.Operation{Kind: umpire.Exec, Resource: "a"}, umpire.Operation{Kind: umpire.Exec, Resource: "b"}
	part := func(without umpire.Trait, clean bool) []grant.Part {
		return []grant.Part{{Pattern: "exec(a)", Without: without, Clean: clean}}
	}
	for _, tt := range []struct {
		name             string
		g, other, merged grant.Grant
	}{
		{"traits that both lack", grant.Grant{Parts: part(3, true)}, grant.Grant{Parts: part(6, true)}, grant.Grant{Parts: part(2, true)}},
		{"one was given in a tainted session", grant.Grant{Parts: part(0, true)}, grant.Grant{Parts: part(0, false)}, grant.Grant{Parts: part(0, false)}},
		{"another pattern", grant.Grant{Parts: part(3, true)}, grant.Grant{Parts: []grant.Part{{Pattern: "exec(b)"}}}, grant.Grant{Parts: part(3, true)}},
		{"operations", grant.Grant{Operations: []umpire.Operation{one}}, grant.Grant{Operations: []umpire.Operation{one, two}}, grant.Grant{Operations: []umpire.Operation{one, two}}},
		{"the first is for one input", grant.Grant{Input: "x", Operations: []umpire.Operation{one}}, grant.Grant{Operations: []umpire.Operation{two}}, grant.Grant{Operations: []umpire.Operation{two}}},
		{"the second is for one input", grant.Grant{Operations: []umpire.Operation{one}}, grant.Grant{Input: "x", Operations: []umpire.Operation{two}}, grant.Grant{Operations: []umpire.Operation{one}}},
		{"tainted", grant.Grant{Tainted: true}, grant.Grant{Tainted: true}, grant.Grant{Tainted: true}},
		{"the first is tainted", grant.Grant{Tainted: true}, grant.Grant{}, grant.Grant{}},
		{"the second is tainted", grant.Grant{}, grant.Grant{Tainted: true}, grant.Grant{}},
	} {
		got := tt.g
		got.Merge(&tt.other)
		if g, w := got, tt.merged; len(g.Operations) != len(w.Operations) || g.Input != w.Input || g.Tainted != w.Tainted || len(g.Parts) != len(w.Parts) || len(g.Parts) > 0 && g.Parts[0] != w.Parts[0] {
			t.Errorf("%s: got %+v, want %+v", tt.name, g, w)
		}
		for i := range tt.merged.Operations {
			if i < len(got.Operations) && got.Operations[i].Resource != tt.merged.Operations[i].Resource {
				t.Errorf("%s: operation %d: got %q, want %q", tt.name, i, got.Operations[i].Resource, tt.merged.Operations[i].Resource)
			}
		}
	}
}
