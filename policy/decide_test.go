package policy_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/policy"
)

// patterns and resources are drawn from these, so that they meet often.
var (
	somePatterns = []string{
		"delete(~/**)", "delete(~/notes/**)", "delete(~/notes/*.md)", "delete(/etc/**)", "delete(/**)", "delete(**)",
		"delete(**/*.md)", "delete(**/.env)", "delete(src/**)", "delete({src,lib}/a)", "delete(${workspace})", "delete(/)", "delete(~)",
		"write(**/.env)", "write(/**/.env)", "filesystem(~/notes/a.md)", "filesystem(@home)", "write(@home+system)", "write(@home+!system)",
		"read(~/.ssh/**)", "read(@credentials)", "read(~/no?es/**)", "read(~/[mn]otes/a*)", "read(/home/*/notes/**)",
		"network(example.com)", "network(*.example.com)", "network(*:22)", "network(10.0.0.0/8)", "network(::/0)", "network(0.0.0.0/0)",
		"network(POST example.com/v1/*)", "network(api-*.example.com)", "network(*)", "network(127.0.0.1:80)",
		"exec(git push)", "exec(git push --force *)", "exec(git *)", "exec(* --force)", "exec(g?t push)", "exec(--force)", "exec(*)",
		"exec(npm run {a,b})", "exec(git push origin main)", "exec('git push')", "exec(git --force=*)", "exec(git push -rf)",
		"git(push *)", "git(push --force origin {main,master})", "packages(npm install *)", "database(drop-table *)", "system(power *)",
		"tool(Bash)", "tool(mcp__db__*)", "tool(a__*)", "tool(*)", "tool(B*)", "text(/(?i)secret/)", "text(/a+b/)", "text(/x.z|push/)",
		"trait(force)", "trait(remote-code+!inert)", "sandbox(*)", "sandbox(policy)", "sandbox(pol*)",
	}
	someResources = []string{
		"delete(/home/dev)", "delete(/home/dev/notes)", "delete(/home/dev/notes/a.md)", "delete(/home/dev/notes/x/a.md)", "delete(/)", "delete(/etc/passwd)",
		"delete(/home/dev/proj)", "delete(/home/dev/proj/src/a)", "delete(/home/dev/proj/lib/.env)", "delete(/home)", "delete(/home/dev/no*)",
		"delete(⟨?⟩)", "delete(/home/dev/⟨?⟩)", "delete(⟨?⟩/.env)", "delete(/home/dev/[mn]otes/a.md)", "delete(/home/d*/notes)", "delete(/*)",
		"write(/home/dev/proj/.env)", "write(/home/dev/proj/a/.env)", "write(/srv/.env)", "write(/home/dev/notes/a.md)", "write(/home/dev)",
		"read(/home/dev/.ssh/id)", "read(/home/dev/notes/abc)", "read(/home/dev)", "read(/home/x/notes/y)",
		"network(example.com:443)", "network(a.b.example.com:22)", "network(example.com)", "network(10.2.3.4:80)", "network([::1]:80)", "network([::ffff:10.0.0.1]:1)",
		"network(POST example.com:443/v1/x)", "network(GET example.com:443/v1/x)", "network(⟨?⟩:443)", "network(⟨?⟩.example.com:22)", "network(api-x.example.com:443)", "network(127.0.0.1:80)",
		"exec(git push)", "exec(git push --force origin main)", "exec(git -C /x push origin --force=yes)", "exec(git ⟨?⟩)", "exec(⟨?⟩ push)", "exec(git push ⟨?⟩)",
		"exec(npm run a)", "exec(npm run c)", "exec('git push' x)", "exec(--force)", "exec(git push -- --force)", "exec(git --force=⟨?⟩ push)", "exec(x --force)",
		"git(push --force origin main)", "git(push origin x)", "packages(npm install left-pad)", "database(drop-table users)", "system(power off)",
		"tool(Bash)", "tool(mcp__db__query)", "tool(a__b)", "sandbox(policy)",
	}
	someTraits = []umpire.Trait{0, 0, 0, umpire.Recursive, umpire.Force, umpire.RemoteCode, umpire.Inert, umpire.Recursive | umpire.Force}
	somePlaces = []umpire.Place{0, 0, umpire.PlaceHome, umpire.PlaceHome | umpire.PlaceSystem, umpire.PlaceCredentials, umpire.PlaceGenerated, umpire.PlaceInWorkspace}
)

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

func randomRule(t testing.TB, r *rand.Rand, id int) policy.Rule {
	ru := policy.Rule{ID: fmt.Sprintf("r-%03d", id), Effect: umpire.Effect(r.IntN(3)), Certain: r.IntN(2) == 0, Reason: "because",
		Layer: pick(r, []policy.Layer{policy.Builtin, policy.User, policy.Managed, policy.ProjectTrusted}), Locked: r.IntN(5) == 0, Observe: r.IntN(10) == 0, Pack: pick(r, []string{"", "pack"})}
	for range 1 + r.IntN(3) {
		p := policy.MustParse(pick(r, somePatterns))
		if ru.Effect == umpire.Allow && (p.Kind == umpire.Text || p.Kind == umpire.TraitKind) {
			continue
		}
		ru.Match = append(ru.Match, p)
	}
	if len(ru.Match) == 0 {
		ru.Match = []policy.Pattern{policy.MustParse("exec(git push)")}
	}
	if r.IntN(4) == 0 {
		if p := policy.MustParse(pick(r, somePatterns)); !slices.Contains(ru.Match, p) {
			ru.Unless = append(ru.Unless, p)
		}
	}
	switch r.IntN(6) {
	case 0:
		ru.When.Traits = umpire.Force
	case 1:
		ru.When.Without = umpire.Force
	case 2:
		ru.When.Tools = []string{"B*"}
	case 3:
		ru.When.Traits = umpire.Inert
	}
	return ru
}

func randomAction(t testing.TB, r *rand.Rand) (*umpire.Action, []umpire.Operation) {
	a := action()
	a.Tool = pick(r, []string{"Bash", "mcp__db__query", "Write", ""})
	a.Input = []byte(pick(r, []string{`{"command":"git push"}`, `{"x":"SE\u0043RET"}`, `{"x":["aab"]}`, `{}`, `broken "`}))
	var ops []umpire.Operation
	for range 1 + r.IntN(3) {
		o := op(t, pick(r, someResources))
		o.Traits = pick(r, someTraits)
		o.Places = pick(r, somePlaces)
		if o.Kind == umpire.Exec || o.Kind == umpire.Git {
			o.Spelled = pick(r, [][]string{nil, {"git", "push", "-f", "--force", "x"}, {"push", "--force" + umpire.Hole, "origin", "main"}, {"git", "-r", "push"}})
		}
		ops = append(ops, o)
	}
	return a, ops
}

// The index must never hide a rule that would have spoken.
func TestIndexFindsEveryRule(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		src := policy.Source{Default: umpire.Allow}
		for i := range 1 + r.IntN(30) {
			src.Rules = append(src.Rules, randomRule(t, r, i))
		}
		p := compile(t, src)
		for range 20 {
			a, ops := randomAction(t, r)
			got, want := p.Decide(a, ops), policy.DecideByAll(p, a, ops)
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("of %v, %s\nthe index finds %+v\nall rules say %+v\n%+v", ops, a.Input, got, want, src.Rules)
			}
		}
	}
}

// Whoever adds a deny rule must be able to rely on it that nothing becomes milder.
func TestDenyNeverLoosens(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 20_000 {
		src := policy.Source{Default: umpire.Effect(r.IntN(3)), AutoApprove: r.IntN(10) == 0}
		for i := range r.IntN(6) {
			src.Rules = append(src.Rules, randomRule(t, r, i))
		}
		if r.IntN(3) == 0 {
			src.AllowedEndpoints = []policy.Endpoint{{Host: "example.com", Layer: policy.User}}
		}
		if r.IntN(3) == 0 {
			src.Modes = map[umpire.Kind]policy.Mode{pick(r, []umpire.Kind{umpire.Exec, umpire.Network, umpire.Filesystem}): policy.Mode(1 + r.IntN(4))}
		}
		a, ops := randomAction(t, r)
		before := compile(t, src).Decide(a, ops)
		deny := randomRule(t, r, 900)
		deny.Effect, deny.Observe = umpire.Deny, false
		more := src
		more.Rules = append(slices.Clone(src.Rules), deny)
		after := compile(t, more).Decide(a, ops)
		if after.Effect > before.Effect {
			t.Fatalf("%d: %v became %v by\n%+v\nof %v\nbefore %+v\nafter %+v", n, before.Effect, after.Effect, deny, ops, src, after)
		}
	}
}

// An agent that does one thing more must not get a milder answer for it.
func TestMoreOperationsNeverLoosen(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 20_000 {
		src := policy.Source{Default: umpire.Effect(r.IntN(3))}
		for i := range r.IntN(6) {
			src.Rules = append(src.Rules, randomRule(t, r, i))
			// Rules about the action as a whole weigh the traits of all its operations.
			src.Rules[i].Unless = nil
			for _, m := range src.Rules[i].Match {
				if m.Kind == umpire.Tool || m.Kind == umpire.Text {
					src.Rules[i].Match = []policy.Pattern{policy.MustParse("exec(git *)")}
				}
			}
		}
		a, ops := randomAction(t, r)
		ops = slices.DeleteFunc(ops, func(o umpire.Operation) bool { return o.Traits.Has(umpire.Inert) })
		if len(ops) < 2 {
			continue
		}
		p := compile(t, src)
		if less, all := p.Decide(a, ops[:len(ops)-1]), p.Decide(a, ops); all.Effect > less.Effect {
			t.Fatalf("%v alone is %v, with %v it is %v\n%+v", ops[:len(ops)-1], less, ops[len(ops)-1], all, src.Rules)
		}
	}
}

func TestOrderOfRulesNeverMatters(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		src := policy.Source{Default: umpire.Ask}
		for i := range 8 {
			src.Rules = append(src.Rules, randomRule(t, r, i))
		}
		p := compile(t, src)
		r.Shuffle(len(src.Rules), func(i, j int) { src.Rules[i], src.Rules[j] = src.Rules[j], src.Rules[i] })
		if q := compile(t, src); p.Hash() != q.Hash() {
			t.Fatal("another order gives another policy")
		}
	}
}

func TestDecide(t *testing.T) {
	yes, no := true, false
	named := func(id, text string, edit func(*policy.Rule)) policy.Rule {
		r := rule(t, id, text)
		if edit != nil {
			edit(&r)
		}
		return r
	}
	builtin := func(r *policy.Rule) { r.Layer = policy.Builtin }
	managed := func(r *policy.Rule) { r.Layer = policy.Managed }
	for _, tc := range []struct {
		name     string
		src      policy.Source
		ops      []string
		want     string
		rules    string
		explicit bool
	}{
		{"a call that nobody read", policy.Source{Default: umpire.Allow}, nil, "deny", "nothing-read", false},
		{"a call that nobody read, allowed by its tool", policy.Source{Default: umpire.Allow, Rules: []policy.Rule{named("a", "allow tool(Bash)", nil)}}, nil, "deny", "nothing-read", false},
		{"unset default denies", policy.Source{}, []string{"exec(ls)"}, "deny", "", false},
		{"deny beats allow", policy.Source{Rules: []policy.Rule{named("a", "allow exec(ls)", nil), named("b", "deny exec(ls)", nil), named("c", "ask exec(ls)", nil)}},
			[]string{"exec(ls)"}, "deny", "b c a", true},
		{"all must be allowed", policy.Source{Default: umpire.Ask, Rules: []policy.Rule{named("a", "allow exec(ls)", nil)}}, []string{"exec(ls)", "read(/x)"}, "ask", "a", false},
		{"all are allowed", policy.Source{Default: umpire.Deny, Rules: []policy.Rule{named("a", "allow exec(ls)", nil), named("b", "allow read(/x)", nil)}},
			[]string{"exec(ls)", "read(/x)"}, "allow", "a b", true},
		{"inert ones need no permission", policy.Source{Rules: []policy.Rule{named("a", "allow exec(ls)", nil)}}, []string{"exec(ls)", "exec(rm --help)+inert"}, "allow", "a", true},
		{"only inert ones", policy.Source{Rules: []policy.Rule{named("a", "allow exec(ls *)", nil)}}, []string{"exec(ls --help)+inert"}, "allow", "a", true},
		{"a rule for inert ones", policy.Source{Default: umpire.Allow, Rules: []policy.Rule{named("a", "deny exec(ls)", func(r *policy.Rule) { r.When.Traits = umpire.Inert })}},
			[]string{"exec(ls --help)+inert"}, "deny", "a", true},
		{"an ask is an answer under a deny default", policy.Source{Rules: []policy.Rule{named("a", "ask exec(ls)", nil)}}, []string{"exec(ls)"}, "ask", "a", true},
		{"but not for another operation", policy.Source{Rules: []policy.Rule{named("a", "ask exec(ls)", nil)}}, []string{"exec(ls)", "exec(rm)"}, "deny", "a", true},
		{"doubt does not soften a deny default", policy.Source{Rules: []policy.Rule{named("a", "deny exec(ls)", nil)}}, []string{"exec(" + hole + ")"}, "deny", "a", true},
		{"a certain rule keeps silent", policy.Source{Default: umpire.Allow, Rules: []policy.Rule{named("a", "deny exec(ls)", func(r *policy.Rule) { r.Certain = true })}},
			[]string{"exec(" + hole + ")"}, "allow", "", false},
		{"the user answers a pack's question", policy.Source{Rules: []policy.Rule{named("a", "ask exec(ls)", builtin), named("b", "allow exec(ls)", nil)}}, []string{"exec(ls)"}, "allow", "b", true},
		{"but not a locked one", policy.Source{Rules: []policy.Rule{named("a", "ask exec(ls)", func(r *policy.Rule) { r.Layer, r.Locked = policy.Builtin, true }), named("b", "allow exec(ls)", nil)}},
			[]string{"exec(ls)"}, "ask", "a b", true},
		{"nor a pack's deny", policy.Source{Rules: []policy.Rule{named("a", "deny exec(ls)", builtin), named("b", "allow exec(ls)", nil)}}, []string{"exec(ls)"}, "deny", "a b", true},
		{"nor the administrator's question", policy.Source{Rules: []policy.Rule{named("a", "ask exec(ls)", managed), named("b", "allow exec(ls)", nil)}}, []string{"exec(ls)"}, "ask", "a b", true},
		{"a pack cannot answer a pack", policy.Source{Rules: []policy.Rule{named("a", "ask exec(ls)", builtin), named("b", "allow exec(ls)", builtin)}}, []string{"exec(ls)"}, "ask", "a b", true},
		{"an endpoint comes before rules", policy.Source{AllowedEndpoints: []policy.Endpoint{{Host: "a.example", Layer: policy.User}}, Rules: []policy.Rule{named("a", "deny network(*)", nil)}},
			[]string{"network(a.example:443)"}, "allow", "", true},
		{"but not before managed denies", policy.Source{AllowedEndpoints: []policy.Endpoint{{Host: "a.example", Layer: policy.User}}, Rules: []policy.Rule{named("a", "deny network(*)", managed)}},
			[]string{"network(a.example:443)"}, "deny", "a", true},
		{"nor for other hosts", policy.Source{AllowedEndpoints: []policy.Endpoint{{Host: "a.example", Layer: policy.User}}}, []string{"network(b.example:443)"}, "deny", "", false},
		{"nor for unknown hosts", policy.Source{AllowedEndpoints: []policy.Endpoint{{Host: "*.a.example", Layer: policy.User}}}, []string{"network(" + hole + ".a.example:443)"}, "deny", "", false},
		{"nor for other kinds", policy.Source{AllowedEndpoints: []policy.Endpoint{{Host: "a.example", Layer: policy.User}}, Rules: []policy.Rule{named("a", "deny exec(curl)", nil)}},
			[]string{"exec(curl a.example)", "network(a.example:443)"}, "deny", "a", true},
		{"a project's endpoint and a locked rule", policy.Source{AllowedEndpoints: []policy.Endpoint{{Host: "a.example", Layer: policy.ProjectTrusted}},
			Rules: []policy.Rule{named("a", "deny network(*)", func(r *policy.Rule) { r.Layer, r.Locked = policy.Builtin, true })}}, []string{"network(a.example:443)"}, "deny", "a", true},
		{"mode", policy.Source{Modes: map[umpire.Kind]policy.Mode{umpire.Network: policy.AllowAll}}, []string{"network(a.example:443)"}, "allow", "", false},
		{"mode of another kind", policy.Source{Modes: map[umpire.Kind]policy.Mode{umpire.Network: policy.AllowAll}}, []string{"network(a.example:443)", "read(/x)"}, "deny", "", false},
		{"mode of files", policy.Source{Default: umpire.Allow, Modes: map[umpire.Kind]policy.Mode{umpire.Filesystem: policy.DenyAll}}, []string{"delete(/x)"}, "deny", "", false},
		{"exec is never let through by mode", policy.Source{Modes: map[umpire.Kind]policy.Mode{umpire.Exec: policy.AllowAll}}, []string{"exec(ls)"}, "ask", "", false},
		{"rule before mode", policy.Source{Modes: map[umpire.Kind]policy.Mode{umpire.Network: policy.DenyAll}, Rules: []policy.Rule{named("a", "allow network(a.example)", nil)}},
			[]string{"network(a.example:443)"}, "allow", "a", true},
		{"observe", policy.Source{Default: umpire.Allow, Rules: []policy.Rule{named("a", "deny exec(ls)", func(r *policy.Rule) { r.Observe = true })}}, []string{"exec(ls)"}, "allow", "a", false},
		{"observed allow is none", policy.Source{Rules: []policy.Rule{named("a", "allow exec(ls)", func(r *policy.Rule) { r.Observe = true })}}, []string{"exec(ls)"}, "deny", "a", false},
		{"an observed question is seen although it is answered", policy.Source{Rules: []policy.Rule{
			named("a", "ask exec(ls)", func(r *policy.Rule) { r.Layer, r.Observe = policy.Builtin, true }), named("b", "allow exec(ls)", nil)}}, []string{"exec(ls)"}, "allow", "b a", true},
		{"a tool without a trait", policy.Source{Default: umpire.Allow, Rules: []policy.Rule{named("a", "deny tool(Bash)", func(r *policy.Rule) { r.When.Without = umpire.Force })}},
			[]string{"exec(x)+force"}, "allow", "", false},
		{"tainted", policy.Source{Default: umpire.Allow, Rules: []policy.Rule{named("a", "deny write(**)", func(r *policy.Rule) { r.When.Tainted = &yes })}}, []string{"write(/x)"}, "allow", "", false},
		{"tainted is", policy.Source{Default: umpire.Allow, Rules: []policy.Rule{named("a", "deny write(**)", func(r *policy.Rule) { r.When.Tainted = &yes })}}, []string{"write(/x)+from-network"}, "deny", "a", true},
		{"not tainted", policy.Source{Rules: []policy.Rule{named("a", "allow write(**)", func(r *policy.Rule) { r.When.Tainted = &no })}}, []string{"write(/x)+from-network"}, "deny", "", false},
		{"platform", policy.Source{Default: umpire.Allow, Rules: []policy.Rule{named("a", "deny exec(ls)", func(r *policy.Rule) { r.When.Platforms = []string{"codex"} })}}, []string{"exec(ls)"}, "allow", "", false},
		{"platform is", policy.Source{Default: umpire.Allow, Rules: []policy.Rule{named("a", "deny exec(ls)", func(r *policy.Rule) { r.When.Platforms = []string{"codex", "cl*"} })}}, []string{"exec(ls)"}, "deny", "a", true},
		{"one rule, two operations, one reason", policy.Source{Rules: []policy.Rule{named("a", "deny exec(ls)", nil)}}, []string{"exec(x)", "exec(ls a)", "exec(ls b)"}, "deny", "a", true},
		{"tool deny", policy.Source{Default: umpire.Allow, Rules: []policy.Rule{named("a", "deny tool(Ba*)", nil)}}, []string{"exec(x)"}, "deny", "a", true},
		{"tool ask under a deny default", policy.Source{Rules: []policy.Rule{named("a", "ask tool(Bash)", nil)}}, []string{"exec(x)"}, "ask", "a", true},
		{"tool allow", policy.Source{Rules: []policy.Rule{named("a", "allow tool(Bash)", nil)}}, []string{"tool(Bash)"}, "allow", "a", true},
		{"text", policy.Source{Default: umpire.Allow, Rules: []policy.Rule{named("a", "deny text(/(?i)drop +table/)", nil)}}, []string{"tool(Bash)"}, "deny", "a", true},
		{"text, folded to another script", policy.Source{Default: umpire.Allow, Rules: []policy.Rule{named("a", "deny text(/(?i)risky/)", nil)}}, []string{"tool(Bash)"}, "deny", "a", true},
		{"text, a surrogate pair", policy.Source{Default: umpire.Allow, Rules: []policy.Rule{named("a", "deny text(/\U0001F600/)", nil)}}, []string{"tool(Bash)"}, "deny", "a", true},
		{"text without", policy.Source{Default: umpire.Allow, Rules: []policy.Rule{named("a", "deny text(/drop +tablet/)", nil)}}, []string{"tool(Bash)"}, "allow", "", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := compile(t, tc.src)
			var ops []umpire.Operation
			for _, s := range tc.ops {
				ops = append(ops, op(t, s))
			}
			a := action()
			a.Input = []byte(`{"sql":"DROP\u0020 TA\u0042LE x","s":"ri\u017fky \ud83d\ude00"}`)
			d := p.Decide(a, ops)
			var rules []string
			for _, r := range d.Reasons {
				rules = append(rules, r.Rule)
			}
			if d.Effect.String() != tc.want || strings.Join(rules, " ") != tc.rules || d.Explicit != tc.explicit {
				t.Errorf("got %s by %v, explicit %v, want %s by [%s], explicit %v", d.Effect, rules, d.Explicit, tc.want, tc.rules, tc.explicit)
			}
		})
	}
}

// The main agent has neither an ID nor a role, so no glob of agents names it.
func TestAgentsAreSubAgents(t *testing.T) {
	for _, tt := range []struct {
		glob, agent, role string
		want              umpire.Effect
	}{
		{"*", "", "", umpire.Allow},
		{"**", "", "", umpire.Allow},
		{"*", "a1", "", umpire.Deny},
		{"*", "", "tester", umpire.Deny},
		{"test*", "a1", "tester", umpire.Deny},
		{"a2", "a1", "tester", umpire.Allow},
	} {
		rule := policy.Rule{ID: "a", Effect: umpire.Deny, Match: []policy.Pattern{policy.MustParse("exec(ls)")}, When: policy.Condition{Agents: []string{tt.glob}}}
		p, err := policy.Compile(policy.Source{Default: umpire.Allow, Rules: []policy.Rule{rule}})
		if err != nil {
			t.Fatal(err)
		}
		a := action()
		a.Principal.Agent, a.Principal.Role = tt.agent, tt.role
		if got := p.Decide(a, []umpire.Operation{op(t, "exec(ls)")}); got.Effect != tt.want {
			t.Errorf("%s for agent %q of role %q: got %v, want %v", tt.glob, tt.agent, tt.role, got.Effect, tt.want)
		}
	}
	rule := policy.Rule{ID: "a", Effect: umpire.Deny, Match: []policy.Pattern{policy.MustParse("exec(ls)")}, When: policy.Condition{Platforms: []string{"*"}, Tools: []string{"*"}}}
	p, err := policy.Compile(policy.Source{Default: umpire.Allow, Rules: []policy.Rule{rule}})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Decide(&umpire.Action{}, []umpire.Operation{op(t, "exec(ls)")}); got.Effect != umpire.Deny {
		t.Errorf("every platform and tool, also without a name: got %v, want deny", got.Effect)
	}
}

// The agent chooses how long a command is. None may keep the hook busy until its time
// is over, for then it is the default that decides.
func TestHostileLengths(t *testing.T) {
	src := policy.Source{Default: umpire.Allow}
	for i, s := range somePatterns {
		src.Rules = append(src.Rules, rule(t, fmt.Sprintf("r-%d", i), "deny "+s))
	}
	src.Rules = append(src.Rules, rule(t, "w-1", "deny exec(git a a a a a a b)"), rule(t, "w-2", "deny exec(g*a*a*a*a*b)"), rule(t, "w-3", "deny delete(/a/**/a/**/a*a*a/**/b)"),
		rule(t, "w-4", "deny delete(/**/"+strings.Repeat("a*", 1500)+"c)"))
	p := compile(t, src)
	const n = 30_000
	for name, o := range map[string]umpire.Operation{
		"options":  {Kind: umpire.Exec, Resource: "git " + strings.Repeat("-x a ", n)},
		"words":    {Kind: umpire.Exec, Resource: "g" + strings.Repeat("a", n)},
		"holes":    {Kind: umpire.Exec, Resource: "git " + strings.Repeat("a"+hole, n)},
		"unknown":  {Kind: umpire.Delete, Resource: "/" + strings.Repeat("a"+hole, n) + "b"},
		"segments": {Kind: umpire.Delete, Resource: strings.Repeat("/a", n), Traits: umpire.Recursive},
		"stars":    {Kind: umpire.Delete, Resource: strings.Repeat("/*a", n)},
		"labels":   {Kind: umpire.Network, Resource: strings.Repeat("a.", n) + "com:443"},
		"tool":     {Kind: umpire.Tool, Resource: strings.Repeat("_", n)},
	} {
		t.Run(name, func(t *testing.T) {
			a := action()
			a.Tool = o.Resource
			done := make(chan umpire.Decision, 1)
			go func() { done <- p.Decide(a, []umpire.Operation{o}) }()
			select {
			case <-done:
			case <-time.After(time.Minute): // a quadratic one takes longer
				t.Fatal("no decision in time")
			}
		})
	}
}

// What is beyond the bounds of the index is found all the same.
func TestBeyondTheIndex(t *testing.T) {
	deep := strings.Repeat("/d", 100)
	long := "mcp__" + strings.Repeat("x", 300) + "__del"
	p := compile(t, policy.Source{Default: umpire.Allow, Rules: []policy.Rule{
		rule(t, "a", "deny delete("+deep+"/**)"), rule(t, "b", "deny tool("+long+"*)"), rule(t, "c", "deny network(*.example.com)"),
	}})
	for _, o := range []umpire.Operation{
		{Kind: umpire.Delete, Resource: deep + "/x"}, {Kind: umpire.Delete, Resource: strings.Repeat("/d", 70), Traits: umpire.Recursive},
		{Kind: umpire.Delete, Resource: "/d", Traits: umpire.Recursive}, {Kind: umpire.Tool, Resource: long + "ete"},
		{Kind: umpire.Network, Resource: strings.Repeat("a.", 1000) + "example.com:443"},
	} {
		if d := p.Decide(action(), []umpire.Operation{o}); d.Effect != umpire.Deny {
			t.Errorf("%.60v is decided %v, want a denial", o, d)
		}
	}
}

// An allow rule leaves no value over, and an escaped quote ends no word.
func TestAllowLeavesNothingOver(t *testing.T) {
	for _, c := range []struct {
		pattern, resource string
		want              bool
	}{
		{"exec(x --config)", "x --config", true},
		{"exec(x --config)", "x --config=/etc/evil", false},
		{"exec(x --config=*)", "x --config=a", true},
		{"exec(x --config *)", "x --config=a", true},
		{`exec(git commit -m it\'s\ done)`, `git commit -m 'it'\''s done'`, true},
		{`exec(git commit -m it\'s\ done)`, `git commit -m 'it'\''s done' x`, false},
	} {
		p, err := policy.Compile(policy.Source{Default: umpire.Ask, Rules: []policy.Rule{{ID: "r", Effect: umpire.Allow, Match: []policy.Pattern{policy.MustParse(c.pattern)}, Layer: policy.User}}})
		if err != nil {
			t.Fatal(err)
		}
		d := p.Decide(&umpire.Action{}, []umpire.Operation{{Kind: umpire.Exec, Resource: c.resource}})
		if got := d.Explicit && d.Effect == umpire.Allow; got != c.want {
			t.Errorf("%s covers %s: %t, want %t", c.pattern, c.resource, got, c.want)
		}
	}
}

// A decision by default names the operations that no rule settles, and no others.
func TestUnsettled(t *testing.T) {
	ops := []umpire.Operation{{Kind: umpire.Exec, Resource: "go test ./a"}, {Kind: umpire.Exec, Resource: "go tool cover"}, {Kind: umpire.Exec, Resource: "sort --help", Traits: umpire.Inert}, {Kind: umpire.Exec, Resource: "tee x"}}
	for _, tt := range []struct {
		rule     string
		fallback umpire.Effect
		want     []int
	}{
		{"allow exec(go test *)", umpire.Ask, []int{1, 3}},
		{"ask exec(go test *)", umpire.Ask, []int{1, 3}},
		{"allow exec(nothing)", umpire.Deny, []int{0, 1, 3}},
		{"allow exec(go test *)", umpire.Allow, nil},
	} {
		p := compile(t, policy.Source{Default: tt.fallback, Rules: []policy.Rule{rule(t, "r", tt.rule)}})
		if d := p.Decide(action(), ops); !slices.Equal(d.Unsettled, tt.want) {
			t.Errorf("%s, default %s: unsettled are %v, want %v", tt.rule, tt.fallback, d.Unsettled, tt.want)
		}
	}
}
