package policy_test

import (
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/policy"
)

// guarded is a policy with a rule of every form, and an action that it denies by all.
func guarded(t testing.TB) (*policy.Policy, *umpire.Action, []umpire.Operation) {
	src := policy.Source{Default: umpire.Allow, AllowedEndpoints: []policy.Endpoint{{Host: "ok.example", Layer: policy.User}}}
	for i, s := range []string{
		"deny delete(~/notes/**)", "deny write(@home)", "deny network(*.evil.example)", "deny network(10.0.0.0/8)",
		"deny exec(git push --force)", "deny tool(mcp__db__*)", "deny text(/drop table/)", "deny trait(remote-code)", "deny sandbox(*)",
	} {
		src.Rules = append(src.Rules, rule(t, "r-"+string(rune('a'+i)), s))
	}
	a := action()
	a.Tool, a.Input = "mcp__db__query", []byte(`{"sql":"drop table x"}`)
	return compile(t, src), a, []umpire.Operation{
		op(t, "delete(/home/dev/notes/x)"), op(t, "write(/home/dev)@home"), op(t, "network(a.evil.example:443)"), op(t, "network(10.1.1.1:1)"),
		op(t, "exec(git push --force)"), op(t, "exec(sh)+remote-code"), op(t, "sandbox(x)"),
	}
}

// A damaged policy must say so, or decide as strictly as it did: never panic, and never
// let through what it denied.
func FuzzOpen(f *testing.F) {
	p, a, ops := guarded(f)
	blob := p.Bytes()
	f.Add("", 0, byte(1))
	f.Add(blob, 12, byte(3))
	f.Add(blob[:96], len(blob)-1, byte(0x80))
	f.Fuzz(func(t *testing.T, other string, at int, flip byte) {
		if q, err := policy.Open(other); err == nil {
			q.Decide(a, ops)
			for range q.Rules() {
			}
		}
		if at < 0 || at >= len(blob) || flip == 0 {
			return
		}
		bad := blob[:at] + string(blob[at]^flip) + blob[at+1:]
		q, err := policy.Open(bad)
		if err != nil {
			return
		}
		if q.Intact() {
			t.Fatalf("damage at byte %d of %d is not seen", at, len(blob))
		}
		for i := range ops {
			if d := q.Decide(&umpire.Action{Home: a.Home, Workspace: a.Workspace}, ops[i:i+1]); d.Effect != umpire.Deny {
				t.Fatalf("damage at byte %d of %d lets %v through: %+v", at, len(blob), ops[i], d)
			}
		}
		if d := q.Decide(a, harmless); d.Effect != umpire.Deny {
			t.Fatalf("damage at byte %d of %d lets the tool through: %+v", at, len(blob), d)
		}
	})
}

// harmless is what no rule speaks about: only a rule about the tool can stop it.
var harmless = []umpire.Operation{{Kind: umpire.Exec, Resource: "true"}}

// Every byte, not only those that a fuzzer thinks of.
func TestEveryDamageIsSeen(t *testing.T) {
	p, a, ops := guarded(t)
	blob := []byte(p.Bytes())
	for at := range blob {
		for _, flip := range []byte{1, 0x80, 0xff} {
			blob[at] ^= flip
			if q, err := policy.Open(string(blob)); err == nil {
				for i := range ops {
					if d := q.Decide(&umpire.Action{Home: a.Home, Workspace: a.Workspace}, ops[i:i+1]); d.Effect != umpire.Deny {
						t.Fatalf("damage at byte %d of %d lets %v through: %+v", at, len(blob), ops[i], d)
					}
				}
				if d := q.Decide(a, harmless); d.Effect != umpire.Deny {
					t.Fatalf("damage at byte %d of %d lets the tool through: %+v", at, len(blob), d)
				}
			}
			blob[at] ^= flip
		}
	}
	for n := range blob {
		if _, err := policy.Open(string(blob[:n])); err == nil {
			t.Fatalf("the first %d of %d bytes are taken for a policy", n, len(blob))
		}
	}
}

// FuzzPattern looks for patterns that are accepted but do not compile, and for allow
// patterns that are wider than the same pattern denying.
func FuzzPattern(f *testing.F) {
	for _, s := range somePatterns {
		for _, r := range someResources[:3] {
			f.Add(s, r)
		}
	}
	f.Add("delete(~/{a,b{c,d}}/[a-z]*/**)", "delete(/home/dev/a/b)")
	f.Add(`exec("a b" 'c d' e\ f)`, "exec('a b' 'c d')")
	f.Fuzz(func(t *testing.T, pattern, resource string) {
		p, err := policy.ParsePattern(pattern)
		if err != nil {
			return
		}
		again, err := policy.ParsePattern(p.String())
		if err != nil || again != p {
			t.Fatalf("%q reads back as %v, %v", p, again, err)
		}
		open, end := strings.IndexByte(resource, '('), strings.LastIndexByte(resource, ')')
		if open < 0 || end < open {
			return
		}
		k, err := umpire.ParseKind(resource[:open])
		if err != nil {
			return
		}
		ops := []umpire.Operation{{Kind: k, Resource: resource[open+1 : end]}}
		deny, err := policy.Compile(policy.Source{Default: umpire.Allow, Rules: []policy.Rule{{ID: "r", Match: []policy.Pattern{p}}}})
		if err != nil {
			t.Fatalf("%q is accepted but does not compile: %v", p, err)
		}
		denied := deny.Decide(action(), ops)
		if all := policy.DecideByAll(deny, action(), ops); all.Effect != denied.Effect {
			t.Fatalf("%q of %v: the index says %v, the rule %v", p, ops, denied, all)
		}
		allow, err := policy.Compile(policy.Source{Rules: []policy.Rule{{ID: "r", Effect: umpire.Allow, Layer: policy.User, Match: []policy.Pattern{p}}}})
		if err == nil && allow.Decide(action(), ops).Effect == umpire.Allow && denied.Effect == umpire.Allow {
			t.Fatalf("%q allows %v but would not deny it", p, ops)
		}
	})
}
