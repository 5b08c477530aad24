package login

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire/internal/gateway"
)

// Grant gives a role to users whose claim has a value.
type Grant struct {
	Role  gateway.Role
	Claim string // its name, or the names of nested ones with dots between
	Value string // "*@example.org" is every address of the domain, for the claim email
}

// ParseGrant reads ROLE=CLAIM=VALUE.
func ParseGrant(text string) (Grant, error) {
	parts := strings.SplitN(text, "=", 3)
	if len(parts) != 3 {
		return Grant{}, fmt.Errorf("%q is not ROLE=CLAIM=VALUE, such as approver=groups=ops", text)
	}
	g := Grant{gateway.Role(parts[0]), parts[1], parts[2]}
	return g, g.check()
}

func (g *Grant) check() error {
	domain, all := strings.CutPrefix(g.Value, "*")
	switch {
	case !g.Role.May(gateway.Viewer):
		return fmt.Errorf("unknown role %q: use viewer, approver or admin", g.Role)
	case g.Claim == "" || g.Value == "":
		return fmt.Errorf("give the role %s a claim with a value, such as %s=groups=ops", g.Role, g.Role)
	case g.Claim == "email" && all && (len(domain) < 4 || domain[0] != '@' || strings.ContainsAny(domain[1:], "*@")):
		return fmt.Errorf("%q does not match the addresses of one domain: use *@example.org", g.Value)
	case g.Claim == "email" && !all && strings.Contains(g.Value, "*"), g.Claim != "email" && strings.Contains(g.Value, "*"):
		return fmt.Errorf("%q: a pattern must have the form *@example.org, for email", g.Value)
	}
	return nil
}

// lookup finds a claim by its name, or by a path through nested ones: names of claims may
// have dots themselves.
func lookup(claims map[string]any, name string) (any, bool) {
	if v, ok := claims[name]; ok {
		return v, true
	}
	first, rest, ok := strings.Cut(name, ".")
	inner, is := claims[first].(map[string]any)
	if !ok || !is {
		return nil, false
	}
	return lookup(inner, rest)
}

// lacks reports whether claims that determine a role or a name are missing.
func (p *Provider) lacks(claims map[string]any) bool {
	for _, g := range p.c.Grants {
		if _, ok := lookup(claims, g.Claim); !ok {
			return true
		}
	}
	_, ok := claims["email"]
	return !ok
}

// email returns an address that the provider has verified: anyone can enter someone else's.
func email(claims map[string]any) string {
	text, _ := claims["email"].(string)
	if v := claims["email_verified"]; v != true && v != "true" {
		return ""
	}
	at := strings.LastIndexByte(text, '@')
	if at < 1 || len(text) > maxEmail || !plain(text) {
		return ""
	}
	return strings.ToLower(text)
}

// plain reports whether a text has only characters that mean nothing to a reader but
// themselves, so that no name can be mistaken for another.
func plain(s string) bool {
	for _, c := range []byte(s) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`()<>"'\,;`, c) >= 0 {
			return false
		}
	}
	return s != ""
}

func (g *Grant) covers(claims map[string]any, email string) bool {
	if g.Claim == "email" {
		want := strings.ToLower(g.Value)
		if domain, all := strings.CutPrefix(want, "*"); all {
			return email != "" && email[strings.LastIndexByte(email, '@'):] == domain
		}
		return email != "" && email == want
	}
	switch v, _ := lookup(claims, g.Claim); v := v.(type) {
	case string:
		return v == g.Value
	case bool:
		return strconv.FormatBool(v) == g.Value
	case []any:
		for _, one := range v {
			if one == g.Value {
				return true
			}
		}
	}
	return false
}

// person identifies someone by checked claims. The highest of several roles counts.
func (p *Provider) person(claims map[string]any) (gateway.Person, error) {
	subject, _ := claims["sub"].(string)
	mail := email(claims)
	who := gateway.Person{Issuer: p.c.Issuer, Subject: subject, Email: mail, Until: p.c.Now().Add(p.c.For)}
	for _, g := range p.c.Grants {
		if g.covers(claims, mail) && !who.Role.May(g.Role) {
			who.Role = g.Role
		}
	}
	if who.Role != "" {
		return who, nil
	}
	msg := who.Name() + " has no role here: an administrator of the gateway can give one with --oidc-role"
	if text, _ := claims["email"].(string); text != "" && mail == "" {
		msg += "; the address of the account is not verified, and counts for nothing"
	}
	return gateway.Person{}, &Error{Status: http.StatusForbidden, Msg: msg}
}

func withoutQuery(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return text
	}
	u.RawQuery = ""
	return u.String()
}
