package policy_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/policy"
)

const hole = umpire.Hole

// action is the one that the tests decide about.
func action() *umpire.Action {
	return &umpire.Action{
		Tool: "Bash", Dir: "/home/dev/proj", Workspace: "/home/dev/proj", Home: "/home/dev", Temp: "/tmp",
		Principal: umpire.Principal{Platform: "claude"},
	}
}

// op reads kind(resource), and traits after a plus: delete(/x)+recursive,force.
func op(t testing.TB, s string) umpire.Operation {
	t.Helper()
	end := strings.LastIndexByte(s, ')')
	open := strings.IndexByte(s, '(')
	k, err := umpire.ParseKind(s[:open])
	if err != nil {
		t.Fatal(err)
	}
	o := umpire.Operation{Kind: k, Resource: s[open+1 : end]}
	rest := strings.TrimPrefix(s[end+1:], "+")
	traits, places, _ := strings.Cut(rest, "@")
	if err := o.Traits.UnmarshalText([]byte(traits)); err != nil {
		t.Fatal(err)
	}
	if err := o.Places.UnmarshalText([]byte(places)); err != nil {
		t.Fatal(err)
	}
	return o
}

// rule reads "deny pattern" and "deny pattern unless pattern".
func rule(t testing.TB, id, s string) policy.Rule {
	t.Helper()
	effect, rest, _ := strings.Cut(s, " ")
	r := policy.Rule{ID: id, Layer: policy.User}
	var err error
	if r.Effect, err = umpire.ParseEffect(effect); err != nil {
		t.Fatal(err)
	}
	match, unless, ok := strings.Cut(rest, " unless ")
	p, err := policy.ParsePattern(match)
	if err != nil {
		t.Fatal(err)
	}
	r.Match = []policy.Pattern{p}
	if ok {
		if p, err = policy.ParsePattern(unless); err != nil {
			t.Fatal(err)
		}
		r.Unless = []policy.Pattern{p}
	}
	return r
}

func compile(t testing.TB, s policy.Source) *policy.Policy {
	t.Helper()
	p, err := policy.Compile(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPattern(t *testing.T) {
	for _, tc := range []struct{ rule, op, want string }{
		{"deny delete(~/notes/**)", "delete(/home/dev/notes/a/b.md)", "deny"},
		{"deny delete(~/notes/**)", "delete(/home/dev/notes)", "deny"},
		{"deny delete(~/notes/**)", "delete(/home/dev/notes2)", "allow"},
		{"deny delete(~/notes/**)", "write(/home/dev/notes/a)", "allow"},
		{"deny filesystem(~/notes/**)", "write(/home/dev/notes/a)", "deny"},
		{"deny delete(~/notes/**)", "delete(/home/dev)+recursive", "deny"},
		{"deny delete(~/notes/**)", "delete(/home)+recursive", "deny"},
		{"deny delete(~/notes/**)", "delete(/)+recursive", "deny"},
		{"deny delete(~/notes/**)", "delete(/home/dev)", "allow"},
		{"deny delete(~/notes/**)", "delete(/home/dev/no*)", "deny"},
		{"deny delete(~/notes/**)", "delete(/home/dev/m*)", "allow"},
		{"deny delete(~/notes/**)", "delete(/home/dev/" + hole + ")", "ask"},
		{"deny delete(~/notes/**)", "delete(" + hole + ")", "ask"},
		{"deny delete(~/notes/**)", "delete(/tmp/" + hole + ")", "allow"},
		{"deny delete(~/notes/*.md)", "delete(/home/dev/notes/a.md)", "deny"},
		{"deny delete(~/notes/*.md)", "delete(/home/dev/notes/x/a.md)", "allow"},
		{"deny delete(~/notes/**/*.md)", "delete(/home/dev/notes/x/a.md)", "deny"},
		{"deny delete(~/notes/**/*.md)", "delete(/home/dev/notes/a.md)", "deny"},
		{"deny delete(~/notes/**/*.md)", "delete(/home/dev/notes/x)+recursive", "ask"},
		{"deny write(**/.env)", "write(/home/dev/proj/a/.env)", "deny"},
		{"deny write(**/.env)", "write(/home/dev/other/.env)", "allow"},
		{"deny delete(**/.env)", "delete(/home/dev/proj/src)+recursive", "ask"},
		{"deny delete(**/.env)", "delete(/home/dev/proj/node_modules)+recursive@generated", "allow"},
		{"deny write(/**/.env)", "write(/home/dev/other/.env)", "deny"},
		{"deny write({src,lib}/**)", "write(/home/dev/proj/lib/x)", "deny"},
		{"deny write(${workspace}/go.mod)", "write(/home/dev/proj/go.mod)", "deny"},
		{"deny write(gen/**)", "write(/home/dev/proj)+recursive@workspace,in-workspace", "deny"},
		{"deny write(gen/**)", "write(/home/dev/proj)+recursive,filtered@workspace,in-workspace", "ask"},
		{"deny write(gen/**)", "write(/home/dev/proj)@workspace,in-workspace", "allow"},
		{"deny write(gen/**)", "write(/home/dev/proj/src)+recursive,filtered@in-workspace", "allow"},
		{"deny delete(gen/**)", "delete(/home/dev/proj)+recursive,filtered@workspace,in-workspace", "deny"},
		{"deny write(/etc/*.conf)", "write(/etc/a.conf)", "deny"},
		{"deny write(/etc/[a-c]?.conf)", "write(/etc/bz.conf)", "deny"},
		{"deny write(/etc/[!a-c]?.conf)", "write(/etc/bz.conf)", "allow"},
		{`deny write(a\*b)`, "write(/home/dev/proj/axb)", "allow"},
		{"deny read(~/.ssh/**)", "read(/home/dev)+recursive@home", "deny"},
		{"deny read(~/.ssh/**)", "read(/home/dev)+recursive,filtered@home", "ask"},
		{"deny read(~/.ssh/**)", "read(/home/dev)+filtered@home", "allow"},
		{"deny read(~/.ssh/**)", "read(/home/dev/.ssh/keys)+recursive,filtered", "deny"},
		{"deny read(.env)", "read(/home/dev/proj)+recursive@workspace,in-workspace", "deny"},
		{"deny read(.env)", "read(/home/dev/proj)+recursive,filtered@workspace,in-workspace", "allow"},
		{"deny read(keys/x.key)", "read(/home/dev/proj)+recursive,filtered@workspace,in-workspace", "allow"},
		{"deny read(keys/x.key)", "read(/home/dev/proj)+recursive@workspace,in-workspace", "deny"},
		{"deny read(keys/x.key)", "read(/home/dev/proj/src)+recursive@in-workspace", "allow"},
		{"deny read(**)", "read(" + hole + ")", "deny"},
		{"deny delete(@home)", "delete(/home/dev)@home,system", "deny"},
		{"deny delete(@home+system)", "delete(/home/dev)@home", "allow"},
		{"deny delete(@home+!system)", "delete(/home/dev)@home,system", "allow"},
		{"deny delete(@home)", "delete(" + hole + ")", "ask"},

		{"deny network(example.com)", "network(example.com:443)", "deny"},
		{"deny network(example.com)", "network(EXAMPLE.com.:443)", "deny"},
		{"deny network(example.com)", "network(www.example.com:443)", "allow"},
		{"deny network(*.example.com)", "network(a.b.example.com:443)", "deny"},
		{"deny network(*.example.com)", "network(example.com:443)", "deny"},
		{"deny network(*.example.com:443)", "network(example.com:443)", "deny"},
		{"deny network(*.example.com)", "network(" + hole + "ple.com:443)", "ask"},
		{"deny network(a.example.com:*)", "network(a.example.com:22)", "deny"},
		{"deny network(*.example.com)", "network(notexample.com:443)", "allow"},
		{"deny network(example.com:22)", "network(example.com:443)", "allow"},
		{"deny network(*:22)", "network(example.com:22)", "deny"},
		{"deny network(example.com:22)", "network(example.com)", "ask"},
		{"deny network(10.0.0.0/8)", "network(10.1.2.3:80)", "deny"},
		{"deny network(10.0.0.0/8)", "network(11.1.2.3:80)", "allow"},
		{"deny network(10.0.0.0/8)", "network([::ffff:10.1.2.3]:80)", "deny"},
		{"deny network(fd00::/8)", "network([fd00::1]:80)", "deny"},
		{"deny network(127.0.0.1)", "network(127.0.0.1:80)", "deny"},
		{"deny network(POST api.example.com/v1/*)", "network(POST api.example.com:443/v1/x/y)", "deny"},
		{"deny network(POST api.example.com/v1/*)", "network(GET api.example.com:443/v1/x)", "allow"},
		{"deny network(POST api.example.com/v1/*)", "network(api.example.com:443)", "ask"},
		{"deny network(* example.com/v1)", "network(PUT example.com:443/v1)", "deny"},
		{"deny network(* example.com)", "network(example.com:443)", "deny"},
		{"deny network(10.0.0.0/8)", "network(" + hole + ":80)", "ask"},
		{"deny tool(mcp_*)", "tool(mcp__" + hole + "__send)", "deny"},
		{"deny tool(a__*)", "tool(a__b)", "deny"}, // the shortest name of a server
		{"deny tool(mcp__mail__*)", "tool(mcp__" + hole + "__send)", "ask"},
		{"deny tool(mcp__???__*)", "tool(mcp__" + hole + "__send)", "ask"},
		{"deny network(10.0.0.0/8)", "network(10." + hole + ":80)", "ask"},
		{"deny network(10.0.0.0/8)", "network(" + hole + ".example.com:80)", "allow"},
		{"deny network(*.evil.example)", "network(" + hole + ".evil.example:443)", "ask"},
		{"deny network(*.evil.example)", "network(" + hole + ".good.example:443)", "allow"},
		{"deny network(*.evil.example)", "network(https://u:p@x.evil.example/path)", "deny"},

		{"deny network(x.example:443)", "network(x.example:4" + hole + ")", "ask"},
		{"deny network(x.example:443)", "network(x.example:8" + hole + ")", "allow"},
		{"deny network(x.example/admin/*)", "network(GET x.example:443/" + hole + ")", "ask"},
		{"deny network(x.example/admin/*)", "network(GET x.example:443/b" + hole + ")", "allow"},
		{"deny network(DELETE x.example)", "network(DELETE x.example:443)", "deny"},
		{"deny network(DELETE x.example)", "network(GET x.example:443)", "allow"},
		{"deny network(DELETE x.example)", "network(x.example:443)", "ask"},

		{"deny exec(git push)", "exec(git push origin main)", "deny"},
		{"deny exec(git push)", "exec(git pull)", "allow"},
		{"deny exec(git push)", "exec(git -C /x push)", "deny"},
		{"deny exec(git push --force)", "exec(git push origin main --force)", "deny"},
		{"deny exec(git push --force)", "exec(git push --force=yes)", "deny"},
		{"deny exec(git push --force)", "exec(git push -- --force)", "allow"},
		{"deny exec(git push *)", "exec(git push)", "deny"},
		{"deny exec(git checkout -- *)", "exec(git checkout -- .)", "deny"},
		{"deny exec(git checkout -- *)", "exec(git checkout main)", "allow"},
		{"deny exec(git push)", "exec(git -c a -c b push x)", "deny"},
		{"deny exec(git push)", "exec(git stash push)", "allow"},
		{"deny exec(git push)", "exec(git '' push)", "allow"},
		{"deny exec(git push main)", "exec(git push ? main)", "allow"},
		{"deny exec(git push main)", "exec(git push origin-" + hole + " main)", "allow"},
		{"deny exec(git push *-x)", "exec(git push origin-" + hole + " main)", "ask"},
		{"deny exec(git push --force)", "exec(git push " + hole + ")", "ask"},
		{"deny exec(git push --force)", "exec(git pull " + hole + ")", "allow"},
		{"deny exec(rm)", "exec(" + hole + " x)", "ask"},
		{"deny exec(npm run {deploy,release})", "exec(npm run release)", "deny"},
		{"deny exec(echo 'a b')", "exec(echo 'a b')", "deny"},
		{"deny exec(echo 'a b')", "exec(echo a b)", "allow"},
		{"deny exec(* --privileged)", "exec(docker run --privileged x)", "deny"},
		{"deny exec(aws-* delete)", "exec(aws-x delete)", "deny"},
		{"deny exec(*)", "exec(anything at all)", "deny"},
		{"deny git(push *)", "git(push --force origin main)", "deny"},
		{"deny infra(aws delete *)", "infra(aws delete rds db-instance x)", "deny"},
		{"deny trait(remote-code)", "exec(sh)+remote-code", "deny"},
		{"deny trait(remote-code)", "exec(sh)", "allow"},
		{"deny exec(rm)", "exec(rm --help)+inert", "allow"},
		{"deny sandbox(*)", "sandbox(write policy)", "deny"},
		{"deny delete(~/**) unless delete(~/scratch/**)", "delete(/home/dev/scratch/x)", "allow"},
		{"deny delete(~/**) unless delete(~/scratch/**)", "delete(/home/dev/x)", "deny"},
		{"deny delete(~/**) unless delete(~/scratch/**)", "delete(/home/dev/scratch/" + hole + ")", "ask"},
	} {
		t.Run(tc.rule+" "+tc.op, func(t *testing.T) {
			p := compile(t, policy.Source{Default: umpire.Allow, Rules: []policy.Rule{rule(t, "r", tc.rule)}})
			d := p.Decide(action(), []umpire.Operation{op(t, tc.op)})
			if got := d.Effect.String(); got != tc.want {
				t.Errorf("got %s %v, want %s", got, d.Reasons, tc.want)
			}
			if d.Explicit != (tc.want != "allow") {
				t.Errorf("explicit is %v", d.Explicit)
			}
		})
	}
}

func TestAllowPattern(t *testing.T) {
	for _, tc := range []struct {
		rule, op string
		want     bool
	}{
		{"allow exec(npm test)", "exec(npm test)", true},
		{"allow exec(npm test)", "exec(npm test --watch)", false},
		{"allow exec(npm test)", "exec(npm test x)", false},
		{"allow exec(npm test *)", "exec(npm test x --y)", true},
		{"allow exec(npm test *)", "exec(npm test)", true},
		{"allow exec(npm test *)", "exec(npm --script-shell evil test)", false},
		{"allow exec(npm test --ci)", "exec(npm test --ci)", true},
		{"allow exec(npm test --ci)", "exec(npm --ci test)", true},
		{"allow exec(npm test --ci)", "exec(npm test)", false},
		{"allow exec(npm test *)", "exec(npm test " + hole + ")", false},
		{"allow exec(*)", "exec(npm test)", false},
		{"allow exec(* *)", "exec(npm test)", false},
		{"allow packages(*)", "packages(npm install x)", false},
		{"allow read(**)", "read(" + hole + ")", true},
		{"allow read(src/**)", "read(/home/dev/proj/src/a)", true},
		{"allow read(src/**)", "read(/home/dev/proj/src/" + hole + ")", false},
		{"allow read(src/**)", "read(/home/dev/proj/src/../x)", false},
		{"allow write(app/**)", "write(/home/dev/proj/app/[id]/page.tsx)", true},
		{"allow write(app/a*/x)", "write(/home/dev/proj/app/a*/x)", false},
		{"allow write(app/**)", "write(/home/dev/proj/app/.*/x)", false},
		{"allow delete(~/x/**)", "delete(/home/dev)+recursive", false},
		{"allow network(*.example.com)", "network(a.example.com:443)", true},
		{"allow network(*.example.com)", "network(example.com:443)", true},
		{"allow network(a.example.com:*)", "network(a.example.com:22)", true},
		{"allow network(a.example.com:*)", "network(a.example.com)", false},
		{"allow network(a.example.com)", "network(a.example.com)", true},
		{"allow network(GET a.example.com)", "network(a.example.com:443)", false},
		{"allow network(a.example.com/v1/*)", "network(GET a.example.com:443/v1/../admin)", false},
		{"allow delete(@temp)", "delete(/tmp/x)@temp", true},
		{"allow delete(@temp)", "delete(/tmp/" + hole + ")@temp", false},
		{"allow tool(Bash)", "exec(x)", false},
		{"allow tool(Bash)", "read(/x)", true},
	} {
		t.Run(tc.rule+" "+tc.op, func(t *testing.T) {
			p := compile(t, policy.Source{Default: umpire.Deny, Rules: []policy.Rule{rule(t, "r", tc.rule)}})
			d := p.Decide(action(), []umpire.Operation{op(t, tc.op)})
			if got := d.Effect == umpire.Allow; got != tc.want {
				t.Errorf("allowed is %v, want %v: %v", got, tc.want, d.Reasons)
			}
		})
	}
}

func ExampleParsePattern() {
	p, err := policy.ParsePattern("network(*.example.com:443)")
	fmt.Println(p.Kind, p.Text, err)
	_, err = policy.ParsePattern("delete(~bob/**)")
	fmt.Println(err)
	// Output:
	// network *.example.com:443 <nil>
	// pattern "delete(~bob/**)": ~user is not supported: write the full path
}

func ExampleCompile() {
	_, err := policy.Compile(policy.Source{Rules: []policy.Rule{
		{ID: "a", Effect: umpire.Allow, Layer: policy.User, Match: []policy.Pattern{policy.MustParse("text(/ls/)")}},
		{ID: "b", Layer: policy.User},
	}})
	fmt.Println(err)
	// Output:
	// rule "a": text proves nothing about what it does, so it cannot be allowed; allow the operations instead: exec(...), read(...)
	// rule "b": it has no pattern; add deny, ask or allow with a pattern
}

func ExampleOpen() {
	p, err := policy.Compile(policy.Source{Default: umpire.Ask})
	if err != nil {
		fmt.Println(err)
		return
	}
	kept := p.Bytes() // in a file, or embedded in a program
	q, err := policy.Open(kept)
	fmt.Println(q.Default(), q.Hash() == p.Hash(), err)
	// Output: ask true <nil>
}

func ExamplePolicy_Decide() {
	p, err := policy.Compile(policy.Source{
		Default: umpire.Allow,
		Rules: []policy.Rule{{
			ID: "keep-notes", Effect: umpire.Deny, Layer: policy.User,
			Match:  []policy.Pattern{policy.MustParse("delete(~/notes/**)")},
			Reason: "notes are not yours to clean",
		}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	a := &umpire.Action{Home: "/home/dev", Workspace: "/home/dev/proj"}
	d := p.Decide(a, []umpire.Operation{{Kind: umpire.Delete, Resource: "/home/dev", Traits: umpire.Recursive}})
	fmt.Println(d.Effect, d.Reasons[0].Rule)
	// Output: deny keep-notes
}

// The same name in other letters is the same file where the user's home says so.
func TestFileSystemsOfOthers(t *testing.T) {
	mac := &umpire.Action{Home: "/Users/dev", Workspace: "/Users/dev/Proj"}
	windows := &umpire.Action{Home: `C:\Users\dev`, Workspace: `C:\Users\dev\proj`}
	linux := action()
	for _, tc := range []struct {
		a        *umpire.Action
		rule, op string
		want     string
	}{
		{mac, "deny delete(~/Notes/**)", "delete(/users/DEV/notes/x)", "deny"},
		{mac, "deny delete(~/Notes/[A-C]*)", "delete(/Users/dev/Notes/b)", "deny"},
		{mac, "deny delete(~/Notes/a*)", "delete(/Users/dev/NOTES/A" + hole + ")", "ask"},
		{mac, "deny delete(~/Notes/**)", "delete(/USERS)+recursive", "deny"},
		{mac, "allow delete(~/Notes/**)", "delete(/Users/dev/notes/x)", "ask"}, // whether it is the same is not sure
		{linux, "deny delete(~/Notes/**)", "delete(/home/dev/notes/x)", "ask"},
		{windows, "deny delete(~/notes/**)", `delete(c:\users\dev\Notes\x)`, "deny"},
		{windows, `deny delete(C:\Users\**)`, `delete(C:/Users/x)`, "deny"},
		{windows, `deny delete(C:/Users/**)`, `delete(D:/Users/x)`, "ask"},
		{windows, "deny delete(src/**)", `delete(C:\Users\dev\proj\src\a)`, "deny"},
		{windows, "allow write(src/**)", `write(C:\Users\dev\proj\src\a)`, "allow"},
	} {
		p := compile(t, policy.Source{Default: umpire.Ask, Rules: []policy.Rule{rule(t, "r", tc.rule)}})
		ops := []umpire.Operation{op(t, tc.op)}
		if d := p.Decide(tc.a, ops); d.Effect.String() != tc.want {
			t.Errorf("%s of %s is %v, want %s", tc.rule, tc.op, d, tc.want)
		}
		if all := policy.DecideByAll(p, tc.a, ops); all.Effect.String() != tc.want {
			t.Errorf("%s of %s is %v by all, want %s", tc.rule, tc.op, all, tc.want)
		}
	}
}

// A policy carries descriptions of programs, and does not open without them.
func TestPrograms(t *testing.T) {
	const text = "acmectl\t{\"names\":[\"acmectl\"]}\n"
	p, err := policy.Compile(policy.Source{Programs: text})
	if err != nil || p.Programs() != text || !p.Intact() {
		t.Fatalf("programs %q, error %v; want %q, intact", p.Programs(), err, text)
	}
	if q, err := policy.Compile(policy.Source{}); err != nil || q.Programs() != "" || q.Hash() == p.Hash() {
		t.Errorf("without programs: %q, %v", q.Programs(), err)
	}
	if _, err := policy.Open(strings.Replace(p.Bytes(), "acmectl", "acmectx", 1)); !errors.Is(err, policy.ErrCorrupt) {
		t.Errorf("a damaged description: %v", err)
	}
}
