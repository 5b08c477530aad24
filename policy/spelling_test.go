package policy_test

import (
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/policy"
)

// A rule holds for a host in each of its spellings, and a host without one spelling may be it.
func TestSpellingsOfAHost(t *testing.T) {
	spellings := []string{"münchen.example", "MÜNCHEN.example.", "xn--mnchen-3ya.example", "XN--MNCHEN-3YA.EXAMPLE.", "m%C3%BCnchen.example", "münchen。example"}
	decide := func(s policy.Source, host string) umpire.Effect {
		o := umpire.Operation{Kind: umpire.Network, Resource: "GET " + host + ":443/a"}
		return compile(t, s).Decide(action(), []umpire.Operation{o}).Effect
	}
	for _, host := range spellings {
		for _, name := range append(spellings, "*.münchen.example", "*.xn--mnchen-3ya.example", "m*nchen.example") {
			if got := decide(policy.Source{Default: umpire.Allow, Rules: []policy.Rule{rule(t, "r", "deny network("+name+")")}}, host); got != umpire.Deny {
				t.Errorf("deny %s, %s: %v, want a denial", name, host, got)
			}
		}
		for _, name := range spellings {
			if got := decide(policy.Source{Default: umpire.Ask, Rules: []policy.Rule{rule(t, "r", "allow network("+name+")")}}, host); got != umpire.Allow {
				t.Errorf("allow %s, %s: %v, want it allowed", name, host, got)
			}
			if got := decide(policy.Source{Default: umpire.Ask, AllowedEndpoints: []policy.Endpoint{{Host: name, Layer: policy.User}}, Rules: []policy.Rule{rule(t, "r", "deny network(*)")}}, host); got != umpire.Allow {
				t.Errorf("the endpoint %s, %s: %v", name, host, got)
			}
		}
		if got := decide(policy.Source{Default: umpire.Ask, Rules: []policy.Rule{rule(t, "r", "allow network(m*nchen.example)")}}, host); got != umpire.Ask {
			t.Errorf("a wildcard allows %s: %v", host, got)
		}
	}
	deny := policy.Source{Default: umpire.Allow, Rules: []policy.Rule{rule(t, "r", "deny network(münchen.example)")}}
	for _, host := range []string{"mu\u0308nchen.example", "m" + umpire.Hole + "nchen.example", "m\u00adünchen.example", "𝐦ünchen.example"} {
		if got := decide(deny, host); got != umpire.Ask {
			t.Errorf("%q: %v, want a question", host, got)
		}
	}
	for _, host := range []string{"munchen.example", "mü.example", "münchen.example.evil.test"} {
		if got := decide(deny, host); got != umpire.Allow {
			t.Errorf("%q: %v, want it allowed", host, got)
		}
	}
	for _, name := range []string{"straße.example", "mü*.example", "*ünchen.example", "mu\u0308nchen.example", "git\u00adhub.com"} {
		if _, err := policy.ParsePattern("network(" + name + ")"); err == nil {
			t.Errorf("%q is taken", name)
		}
	}
}

// A deny rule holds for a path in each spelling that servers take for the same. An allow rule covers
// only what it writes.
func TestSpellingsOfAPath(t *testing.T) {
	decide := func(effect umpire.Effect, path string) umpire.Effect {
		r := rule(t, "r", effect.String()+" network(POST api.example/v1/*)")
		o := umpire.Operation{Kind: umpire.Network, Resource: "POST api.example:443" + path}
		return compile(t, policy.Source{Default: umpire.Allow - effect, Rules: []policy.Rule{r}}).Decide(action(), []umpire.Operation{o}).Effect
	}
	for _, path := range []string{"/%76%31/a", "//v1/a", "/./v1/a", "/x/../v1/a", "/x/%2e%2e/v1/a", "/v1%2fa", "/x/..%2Fv1//", "/%76%31/?a=/..", "//v1/" + umpire.Hole} {
		want := umpire.Deny
		if path == "//v1/"+umpire.Hole {
			want = umpire.Ask
		}
		if got := decide(umpire.Deny, path); got != want {
			t.Errorf("deny, %s: %v, want %v", path, got, want)
		}
		if got := decide(umpire.Allow, path); got != umpire.Deny {
			t.Errorf("allow, %s: %v, want the default", path, got)
		}
	}
	for _, path := range []string{"/v2/a", "/v1", "/%76%32/a", "/v2//v1/a", "/a?x=/../v1/a"} {
		if got := decide(umpire.Deny, path); got != umpire.Allow {
			t.Errorf("deny, %s: %v, want it allowed", path, got)
		}
	}
	for _, path := range []string{"/v1/a", "/v1/a?b=%20"} {
		if got := decide(umpire.Allow, path); got != umpire.Allow {
			t.Errorf("allow, %s: %v, want it allowed", path, got)
		}
	}
}
