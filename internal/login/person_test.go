package login

import (
	"testing"

	"github.com/umpire-dev/umpire/internal/gateway"
)

func TestGrantCovers(t *testing.T) {
	claims := map[string]any{"email": "Ada@Team.example", "email_verified": true, "sub": "1", "staff": true, "groups": []any{"dev", "ops", 7.0},
		"realm_access": map[string]any{"roles": []any{"lead"}}, "https://x.example/roles": "lead", "team": "a=b"}
	for text, want := range map[string]bool{
		"viewer=email=ada@team.example":             true,
		"viewer=email=*@TEAM.example":               true,
		"viewer=email=*@example":                    false,
		"viewer=email=*@eam.example":                false,
		"viewer=email=da@team.example":              false,
		"viewer=groups=ops":                         true,
		"viewer=groups=op":                          false,
		"viewer=groups=Ops":                         false,
		"viewer=groups=7":                           false,
		"viewer=sub=1":                              true,
		"viewer=staff=true":                         true,
		"viewer=realm_access.roles=lead":            true,
		"viewer=realm_access=lead":                  false,
		"viewer=https://x.example/roles=lead":       true,
		"viewer=team=a=b":                           true,
		"viewer=groups.0=dev":                       false,
		"viewer=none=ops":                           false,
		"viewer=email_verified=true":                true,
		"viewer=realm_access.roles.lead=lead":       false,
		"viewer=https://x.example/roles=https://x.": false,
	} {
		g, err := ParseGrant(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := g.covers(claims, email(claims)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestEmail(t *testing.T) {
	for _, c := range []struct {
		address  any
		verified any
		want     string
	}{
		{"Ada@Team.example", true, "ada@team.example"},
		{"ada@team.example", "true", "ada@team.example"},
		{"ada@team.example", "false", ""},
		{"ada@team.example", 1.0, ""},
		{"ada@team.example", nil, ""},
		{"@team.example", true, ""},
		{"ada", true, ""},
		{"ada@evil.example (x)@team.example", true, ""},
		{"ada@evil.example,b@team.example", true, ""},
		{"аda@team.example", true, ""}, // the first letter is Cyrillic
		{[]any{"ada@team.example"}, true, ""},
	} {
		if got := email(map[string]any{"email": c.address, "email_verified": c.verified}); got != c.want {
			t.Errorf("%v, %v: %q", c.address, c.verified, got)
		}
	}
}

// Whatever a rule for roles says, it gives one of the three, and none by an address that is
// not verified.
func FuzzParseGrant(f *testing.F) {
	for _, s := range []string{"admin=groups=ops", "viewer=email=*@example.org", "approver=a.b=c", "=", "admin==", "admin=email=*@a*b"} {
		f.Add(s, "ops")
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		g, err := ParseGrant(text)
		if err != nil {
			return
		}
		if !g.Role.May(gateway.Viewer) || g.Claim == "" || g.Value == "" {
			t.Errorf("%q: %+v", text, g)
		}
		if g.Claim == "email" && g.covers(map[string]any{"email": value}, email(map[string]any{"email": value})) {
			t.Errorf("%q counts %q, which is not verified", text, value)
		}
	})
}

func FuzzBegun(f *testing.F) {
	p, err := New(Config{Issuer: "https://login.invalid", ClientID: "x", Grants: []Grant{{gateway.Viewer, "sub", "1"}}})
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{"", ".", "1.x", "99999999999999999999.x", "-1.x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, secret string) {
		if p.started(secret) && len(secret) < 12 {
			t.Errorf("%q is a login that began", secret)
		}
	})
}
