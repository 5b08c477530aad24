package login

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// newClient returns a client that a provider cannot redirect, block or flood.
func newClient() *http.Client {
	return &http.Client{
		Transport: bounded{http.DefaultTransport},
		Timeout:   callLimit,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return errors.New("the provider redirects its client, which umpire does not follow")
		},
	}
}

// bounded connects only to trusted addresses, and truncates long responses.
type bounded struct{ next http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	u := *r.URL
	u.RawQuery = ""
	if err := trusted(u.String()); err != nil {
		return nil, err
	}
	res, err := b.next.RoundTrip(r)
	if err == nil {
		res.Body = http.MaxBytesReader(nil, res.Body, maxAnswer)
	}
	return res, err
}

// discover returns the provider's settings. It reads them again after a while; if that fails, no
// one logs in with keys that may have been withdrawn.
func (p *Provider) discover(ctx context.Context) (*oidc.Provider, error) {
	select {
	case p.find <- struct{}{}:
		defer func() { <-p.find }()
	case <-ctx.Done():
		return nil, p.down(ctx.Err())
	}
	if p.found != nil && p.c.Now().Sub(p.since) < foundFor {
		return p.found, nil
	}
	ctx, cancel := context.WithTimeout(oidc.ClientContext(ctx, p.client), callLimit)
	defer cancel()
	found, err := oidc.NewProvider(ctx, p.c.Issuer)
	if err != nil {
		return nil, p.down(err)
	}
	// A browser goes there: a page of another party could ask for its password.
	if err := trusted(withoutQuery(found.Endpoint().AuthURL)); err != nil {
		return nil, p.down(fmt.Errorf("the authorization endpoint: %w", err))
	}
	p.found, p.since = found, p.c.Now()
	return found, nil
}

// claims checks the token and returns its claims. It requests missing ones from the provider.
func (p *Provider) claims(ctx context.Context, found *oidc.Provider, token *oauth2.Token, nonce string) (map[string]any, error) {
	raw, ok := token.Extra("id_token").(string)
	if !ok {
		return nil, p.bad("there is no ID token")
	}
	now := p.c.Now()
	// The library takes only signatures by public keys, and checks signature, issuer,
	// audience and the end of its time: with a clock that is late by as much as clocks differ.
	verifier := found.Verifier(&oidc.Config{ClientID: p.c.ClientID, Now: func() time.Time { return now.Add(-skew) }})
	id, err := verifier.Verify(ctx, raw)
	if err != nil {
		return nil, p.bad("the ID token: %w", err)
	}
	var claims map[string]any
	if err := id.Claims(&claims); err != nil {
		return nil, p.bad("the ID token: %w", err)
	}
	switch azp, has := claims["azp"]; {
	case subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(nonce)) != 1:
		return nil, p.bad("the ID token's nonce belongs to another login")
	case id.Subject == "" || len(id.Subject) > maxSubject:
		return nil, p.bad("the ID token's subject is empty or too long")
	case id.IssuedAt.After(now.Add(skew)):
		return nil, p.bad("the ID token is issued at %v, which is not yet: is a clock wrong?", id.IssuedAt.UTC())
	case has && azp != p.c.ClientID, !has && len(id.Audience) > 1:
		return nil, p.bad("the ID token is for several, and not issued to this gateway")
	}
	if id.AccessTokenHash != "" {
		if err := id.VerifyAccessToken(token.AccessToken); err != nil {
			return nil, p.bad("the access token: %w", err)
		}
	}
	if found.UserInfoEndpoint() == "" || !p.lacks(claims) {
		return claims, nil
	}
	info, err := found.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return nil, p.down(fmt.Errorf("the userinfo endpoint: %w", err))
	}
	if info.Subject != id.Subject { // otherwise a swapped token would identify another person
		return nil, p.bad("the userinfo endpoint describes someone else")
	}
	var more map[string]any
	if err := info.Claims(&more); err != nil {
		return nil, p.bad("the userinfo endpoint: %w", err)
	}
	if _, has := claims["email"]; !has {
		delete(claims, "email_verified") // these two belong together
	} else {
		delete(more, "email_verified")
	}
	for name, v := range more {
		if _, has := claims[name]; !has {
			claims[name] = v
		}
	}
	return claims, nil
}
