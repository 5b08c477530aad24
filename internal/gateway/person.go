package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// usedRecord is the kind of record that marks a login as used, until the login would be over
// anyway.
const usedRecord = "login-used"

// Person is a user of an OpenID Connect provider.
type Person struct {
	Issuer  string
	Subject string // the provider's ID of the person, which never changes
	Email   string // verified, or empty
	Role    Role
	Until   time.Time // when they have to log in again
}

// Name returns the person's name in records, such as "ada@example.org (2440 at
// https://login.example.org)". It has the subject and the issuer because an email address may
// change hands.
func (p *Person) Name() string {
	email := cmp.Or(p.Email, "somebody")
	return email + " (" + p.id() + ")"
}

// id returns the subject and the issuer. It is the same at every login.
func (p *Person) id() string {
	subject := strconv.QuoteToASCII(p.Subject)
	if bare := subject[1 : len(subject)-1]; bare == p.Subject && !strings.ContainsAny(bare, " ()<>,;'") {
		subject = bare
	}
	return subject + " at " + p.Issuer
}

// OpenSession opens a session for a person. It works once for each login.
func (g *Gateway) OpenSession(ctx context.Context, p Person, login string) (Opened, error) {
	if ranks[p.Role] == 0 {
		return Opened{}, errForbidden
	}
	now := g.now()
	expires := p.Until.UTC().Truncate(time.Second)
	if longest := now.Add(sessionFor).UTC().Truncate(time.Second); expires.After(longest) {
		expires = longest
	}
	if err := g.sweepSessions(ctx); err != nil {
		return Opened{}, err
	}
	used := encode(session{Name: p.Name(), Expires: now.Add(sessionFor).UTC()})
	err := g.store.Update(ctx, usedRecord, hashToken(login), "login", p.Name(), func(old json.RawMessage) (json.RawMessage, any, error) {
		if old != nil {
			return nil, nil, ErrNoSession
		}
		return used, map[string]string{"used": "login at " + p.Issuer, "subject": p.Subject, "email": p.Email, "role": string(p.Role)}, nil
	})
	if err != nil {
		return Opened{}, err
	}
	return g.openSession(ctx, session{Name: p.Name(), Role: p.Role, Expires: expires, Person: p.id(), Settings: g.people}, "")
}
