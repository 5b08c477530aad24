package login

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/login/logintest"
)

// idp is a provider in this process that a test can have say anything. The tests of
// internal/web log in with a real one.
type idp struct {
	t       *testing.T
	url     string
	key     *rsa.PrivateKey
	now     time.Time
	asked   map[string]int // how often each path was asked
	form    url.Values     // what the token endpoint was sent last
	auth    string         // and as whom
	change  func(claims map[string]any)
	answer  func(answer map[string]any) // changes what the token endpoint says
	config  func(doc map[string]any)    // changes the settings
	info    map[string]any              // what the userinfo endpoint says
	replace map[string]http.HandlerFunc // of a path
	nonce   string
}

func newIDP(t *testing.T) *idp {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	i := &idp{t: t, key: key, now: time.Now().Truncate(time.Second), asked: map[string]int{}, replace: map[string]http.HandlerFunc{},
		info: map[string]any{"sub": "ada", "email": "ada@team.example", "email_verified": true, "groups": []any{"ops"}}}
	srv := httptest.NewServer(http.HandlerFunc(i.serve))
	t.Cleanup(srv.Close)
	i.url = srv.URL
	return i
}

func (i *idp) serve(w http.ResponseWriter, r *http.Request) {
	i.asked[r.URL.Path]++
	if f := i.replace[r.URL.Path]; f != nil {
		f(w, r)
		return
	}
	var doc any
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		d := map[string]any{"issuer": i.url, "authorization_endpoint": i.url + "/auth", "token_endpoint": i.url + "/token", "jwks_uri": i.url + "/keys", "userinfo_endpoint": i.url + "/me", "id_token_signing_alg_values_supported": []string{"RS256"}}
		if i.config != nil {
			i.config(d)
		}
		doc = d
	case "/keys":
		doc = jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: i.key.Public(), KeyID: "k1", Algorithm: "RS256", Use: "sig"}}}
	case "/token":
		if err := r.ParseForm(); err != nil {
			i.t.Error(err)
		}
		i.form = r.PostForm
		if id, secret, ok := r.BasicAuth(); ok {
			i.auth = id + ":" + secret
		}
		sum := sha256.Sum256([]byte("access"))
		claims := map[string]any{"iss": i.url, "aud": "umpire", "sub": "ada", "nonce": i.nonce, "iat": i.now.Unix(), "exp": i.now.Add(time.Minute).Unix(),
			"at_hash": base64.RawURLEncoding.EncodeToString(sum[:16]), "email": "ada@team.example", "email_verified": true, "groups": []any{"ops"}}
		if i.change != nil {
			i.change(claims)
		}
		a := map[string]any{"access_token": "access", "token_type": "Bearer", "id_token": logintest.Sign(i.t, jose.RS256, i.key, "k1", claims)}
		if i.answer != nil {
			i.answer(a)
		}
		doc = a
	case "/me":
		if got := r.Header.Get("Authorization"); got != "Bearer access" {
			i.t.Errorf("the userinfo endpoint is asked with %q", got)
		}
		doc = i.info
	default:
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(doc); err != nil {
		i.t.Error(err)
	}
}

func (i *idp) provider(change func(*Config)) *Provider {
	i.t.Helper()
	c := Config{Issuer: i.url, ClientID: "umpire", Secret: "s3cret", Scopes: []string{"groups", "email"}, Name: "Example", Now: func() time.Time { return i.now },
		Grants: []Grant{{gateway.Viewer, "email", "*@team.example"}, {gateway.Approver, "groups", "ops"}, {gateway.Viewer, "groups", "ops"}}}
	if change != nil {
		change(&c)
	}
	p, err := New(c)
	if err != nil {
		i.t.Fatal(err)
	}
	return p
}

const back = "http://127.0.0.1:3700" + Path

// begin begins a login and returns what the browser keeps, and what the provider sends it back with.
func (i *idp) begin(p *Provider) (secret string, q url.Values) {
	i.t.Helper()
	secret, address, err := p.Start(i.t.Context(), back)
	if err != nil {
		i.t.Fatal(err)
	}
	u, err := url.Parse(address)
	if err != nil {
		i.t.Fatal(err)
	}
	i.nonce = u.Query().Get("nonce")
	return secret, url.Values{"state": {u.Query().Get("state")}, "code": {"c0de"}}
}

// A login sends the browser out with all that binds the answer to it, and ends with the person.
func TestLogin(t *testing.T) {
	for name, c := range map[string]struct {
		change   func(*Config)
		redirect string
	}{
		"by the browser's address": {nil, back},
		"by the settings":          {func(c *Config) { c.Redirect, c.For = "https://umpire.example"+Path, time.Hour }, "https://umpire.example" + Path},
	} {
		i := newIDP(t)
		p := i.provider(c.change)
		secret, address, err := p.Start(t.Context(), back)
		if err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		sent := u.Query()
		i.nonce = sent.Get("nonce")
		for key, want := range map[string]string{"client_id": "umpire", "redirect_uri": c.redirect, "response_type": "code", "scope": "email groups openid profile", "code_challenge_method": "S256"} {
			if got := sent.Get(key); got != want {
				t.Errorf("%s: %s is %q, want %q", name, key, got, want)
			}
		}
		if !strings.HasPrefix(address, i.url+"/auth?") {
			t.Errorf("%s: the browser is sent to %s", name, address)
		}
		parts := []string{secret, sent.Get("state"), sent.Get("nonce"), sent.Get("code_challenge")}
		if slices.Sort(parts); len(slices.Compact(parts)) != 4 || parts[0] == "" || strings.Contains(address, secret) {
			t.Errorf("%s: the secret, state, nonce and challenge are %q in %s", name, parts, address)
		}
		who, state, err := p.Finish(t.Context(), secret, back, url.Values{"state": {sent.Get("state")}, "code": {"c0de"}, "iss": {i.url}})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for_ := 4 * time.Hour
		if c.change != nil {
			for_ = time.Hour
		}
		if want := (gateway.Person{Issuer: i.url, Subject: "ada", Email: "ada@team.example", Role: gateway.Approver, Until: i.now.Add(for_)}); who != want || state != sent.Get("state") {
			t.Errorf("%s: got %+v and the state %q, want %+v", name, who, state, want)
		}
		sum := sha256.Sum256([]byte(i.form.Get("code_verifier")))
		if i.form.Get("code") != "c0de" || i.form.Get("redirect_uri") != c.redirect || base64.RawURLEncoding.EncodeToString(sum[:]) != sent.Get("code_challenge") || i.auth != "umpire:s3cret" {
			t.Errorf("%s: the token endpoint got %v as %q", name, i.form, i.auth)
		}
		if i.asked["/me"] != 0 {
			t.Errorf("%s: the userinfo endpoint is asked for what the token has", name)
		}
	}
}

// A login that was not begun here, took too long, or is another's ends without a question to
// the provider.
func TestFinishRefuses(t *testing.T) {
	i := newIDP(t)
	p := i.provider(nil)
	for name, c := range map[string]struct {
		change func(secret *string, q url.Values)
		after  time.Duration
		status int
		msg    string
	}{
		"no secret":       {func(s *string, _ url.Values) { *s = "" }, 0, 400, "not begun in this browser"},
		"another secret":  {func(s *string, _ url.Values) { *s += "x" }, 0, 400, "not begun in this browser"},
		"a long secret":   {func(s *string, _ url.Values) { *s += strings.Repeat("x", 100) }, 0, 400, "not begun in this browser"},
		"no state":        {func(_ *string, q url.Values) { q.Del("state") }, 0, 400, "not begun in this browser"},
		"another state":   {func(_ *string, q url.Values) { q.Set("state", "x") }, 0, 400, "not begun in this browser"},
		"two states":      {func(_ *string, q url.Values) { q.Add("state", "x") }, 0, 400, "not begun in this browser"},
		"no code":         {func(_ *string, q url.Values) { q.Del("code") }, 0, 400, "not begun in this browser"},
		"an empty code":   {func(_ *string, q url.Values) { q.Set("code", "") }, 0, 400, "not begun in this browser"},
		"two codes":       {func(_ *string, q url.Values) { q.Add("code", "x") }, 0, 400, "not begun in this browser"},
		"too late":        {func(*string, url.Values) {}, BeginFor + time.Second, 400, "not begun in this browser"},
		"before it began": {func(*string, url.Values) {}, -3 * time.Second, 400, "not begun in this browser"},
		"another issuer":  {func(_ *string, q url.Values) { q.Set("iss", "https://other.example") }, 0, 400, "another provider"},
		"an error":        {func(_ *string, q url.Values) { q.Set("error", "access_denied") }, 0, 403, `Example says "access_denied"`},
		"an error with a text": {func(_ *string, q url.Values) {
			q.Set("error", "e")
			q.Set("error_description", strings.Repeat("é", 200))
		}, 0, 403, `Example says "e: ` + strings.Repeat("é", 150) + `..."`},
		"an error that escapes": {func(_ *string, q url.Values) { q.Set("error", "\x1b[2J") }, 0, 403, `Example says "\x1b[2J"`},
	} {
		secret, q := i.begin(p)
		c.change(&secret, q)
		at := i.now
		i.now = at.Add(c.after)
		who, state, err := p.Finish(t.Context(), secret, back, q)
		i.now = at
		var e *Error
		if !errors.As(err, &e) || e.Status != c.status || !strings.Contains(e.Msg, c.msg) || who != (gateway.Person{}) || state != "" {
			t.Errorf("%s: got %+v, %q, %v; want status %d and %q", name, who, state, err, c.status, c.msg)
		}
	}
	if i.asked["/token"] != 0 {
		t.Errorf("the provider was asked for %d tokens", i.asked["/token"])
	}
	secret, q := i.begin(p)
	i.now = i.now.Add(BeginFor)
	if _, _, err := p.Finish(t.Context(), secret, back, q); err != nil {
		t.Errorf("at the end of its time: %v", err)
	}
}

// Every claim that decides who somebody is is checked, and a person learns no more than that
// it does not hold.
func TestTokenIsChecked(t *testing.T) {
	set := func(name string, v any) func(map[string]any) {
		return func(c map[string]any) {
			if c[name] = v; v == nil {
				delete(c, name)
			}
		}
	}
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(claims map[string]any)
		answer func(i *idp, answer map[string]any)
		log    string // part of the error for the log; "" if the login succeeds
	}{
		"as it should be":          {},
		"another nonce":            {change: set("nonce", "x"), log: "nonce"},
		"no nonce":                 {change: set("nonce", nil), log: "nonce"},
		"another issuer":           {change: set("iss", "https://other.example"), log: "the ID token"},
		"another audience":         {change: set("aud", "wiki"), log: "the ID token"},
		"several audiences":        {change: set("aud", []string{"umpire", "wiki"}), log: "for several"},
		"several, for the gateway": {change: func(m map[string]any) { m["aud"], m["azp"] = []string{"umpire", "wiki"}, "umpire" }},
		"for another":              {change: set("azp", "wiki"), log: "for several"},
		"no subject":               {change: set("sub", ""), log: "subject"},
		"the longest subject":      {change: set("sub", strings.Repeat("a", 255))},
		"a longer subject":         {change: set("sub", strings.Repeat("a", 256)), log: "subject"},
		"over":                     {change: set("exp", time.Now().Add(-2*time.Minute).Unix()), log: "the ID token"},
		"over, within the skew":    {change: set("exp", time.Now().Add(-30*time.Second).Unix())},
		"not yet":                  {change: set("iat", time.Now().Add(2*time.Minute).Unix()), log: "not yet"},
		"not yet, within the skew": {change: set("iat", time.Now().Add(30*time.Second).Unix())},
		"another access token":     {change: set("at_hash", "x"), log: "the access token"},
		"no hash of it":            {change: set("at_hash", nil)},
		"no ID token":              {answer: func(_ *idp, a map[string]any) { delete(a, "id_token") }, log: "there is no ID token"},
		"an ID token that is none": {answer: func(_ *idp, a map[string]any) { a["id_token"] = "x" }, log: "the ID token"},
		"signed with another key": {answer: func(i *idp, a map[string]any) {
			a["id_token"] = logintest.Sign(t, jose.RS256, other, "k1", map[string]any{"iss": i.url, "aud": "umpire", "sub": "ada", "nonce": i.nonce, "exp": time.Now().Add(time.Minute).Unix()})
		}, log: "the ID token"},
		"signed with the secret": {answer: func(i *idp, a map[string]any) {
			a["id_token"] = logintest.Sign(t, jose.HS256, []byte(strings.Repeat("s3cret", 8)), "k1", map[string]any{"iss": i.url, "aud": "umpire", "sub": "ada", "nonce": i.nonce, "exp": time.Now().Add(time.Minute).Unix()})
		}, log: "the ID token"},
	} {
		t.Run(name, func(t *testing.T) {
			i := newIDP(t)
			i.change = c.change
			if c.answer != nil {
				i.answer = func(a map[string]any) { c.answer(i, a) }
			}
			p := i.provider(nil)
			secret, q := i.begin(p)
			who, _, err := p.Finish(t.Context(), secret, back, q)
			if c.log == "" {
				if err != nil || who.Role != gateway.Approver {
					t.Errorf("got %+v, %v, want an approver", who, err)
				}
				return
			}
			var e *Error
			if !errors.As(err, &e) || e.Status != http.StatusBadGateway || e.Err == nil || !strings.Contains(e.Error(), c.log) || strings.Contains(e.Msg, c.log) || who != (gateway.Person{}) {
				t.Errorf("got %+v, %v, want %q in the log alone", who, err, c.log)
			}
		})
	}
}

// What the token lacks the userinfo endpoint tells, of the same subject, and nothing else.
func TestUserinfo(t *testing.T) {
	lean := func(c map[string]any) {
		for _, name := range []string{"email", "email_verified", "groups"} {
			delete(c, name)
		}
	}
	for name, c := range map[string]struct {
		change func(map[string]any)
		info   map[string]any // merged over what it says
		config func(map[string]any)
		role   gateway.Role
		email  string
		asked  int
		log    string
	}{
		"nothing lacks":                    {nil, nil, nil, gateway.Approver, "ada@team.example", 0, ""},
		"all":                              {lean, nil, nil, gateway.Approver, "ada@team.example", 1, ""},
		"the groups":                       {func(c map[string]any) { delete(c, "groups") }, map[string]any{"email": "eve@other.example"}, nil, gateway.Approver, "ada@team.example", 1, ""},
		"the address":                      {func(c map[string]any) { delete(c, "email") }, map[string]any{"email_verified": false}, nil, gateway.Approver, "", 1, ""},
		"whether the address is verified":  {func(c map[string]any) { delete(c, "email_verified"); delete(c, "groups") }, nil, nil, gateway.Approver, "", 1, ""},
		"groups that the token has":        {func(c map[string]any) { c["groups"] = []any{"dev"}; delete(c, "email") }, nil, nil, gateway.Viewer, "ada@team.example", 1, ""},
		"another subject":                  {lean, map[string]any{"sub": "eve"}, nil, "", "", 1, "someone else"},
		"no endpoint, and no role by that": {lean, nil, func(d map[string]any) { delete(d, "userinfo_endpoint") }, "", "", 0, "no role here"},
	} {
		t.Run(name, func(t *testing.T) {
			i := newIDP(t)
			i.change, i.config = c.change, c.config
			maps.Copy(i.info, c.info)
			p := i.provider(nil)
			secret, q := i.begin(p)
			who, _, err := p.Finish(t.Context(), secret, back, q)
			if who.Role != c.role || who.Email != c.email || i.asked["/me"] != c.asked || (err != nil) != (c.log != "") || err != nil && !strings.Contains(err.Error(), c.log) {
				t.Errorf("got %+v, %v after %d questions; want %s %q, %q after %d", who, err, i.asked["/me"], c.role, c.email, c.log, c.asked)
			}
		})
	}
}

// An address that is not verified counts for nothing, and its owner learns why.
func TestNoRole(t *testing.T) {
	i := newIDP(t)
	i.change = func(c map[string]any) { c["email_verified"], c["groups"] = false, []any{} }
	p := i.provider(nil)
	secret, q := i.begin(p)
	who, _, err := p.Finish(t.Context(), secret, back, q)
	var e *Error
	if !errors.As(err, &e) || e.Status != http.StatusForbidden || !strings.Contains(e.Msg, "--oidc-role") || !strings.Contains(e.Msg, "is not verified") || who != (gateway.Person{}) {
		t.Errorf("got %+v, %v", who, err)
	}
	i.change = func(c map[string]any) { c["email"], c["groups"] = "ada@other.example", []any{} }
	secret, q = i.begin(p)
	if _, _, err = p.Finish(t.Context(), secret, back, q); !errors.As(err, &e) || e.Status != http.StatusForbidden || strings.Contains(e.Msg, "not verified") {
		t.Errorf("got %v", err)
	}
}

// A provider that is down, hostile or confused lets nobody in, and holds nobody up.
func TestProviderFails(t *testing.T) {
	const settings = "/.well-known/openid-configuration"
	status := func(n int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(n)
			_, _ = w.Write([]byte(body))
		}
	}
	endless := func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"access_token":"` + strings.Repeat("x", maxAnswer) + `"}`))
	}
	for name, c := range map[string]struct {
		path   string
		answer http.HandlerFunc
		status int
		log    string
	}{
		"no settings":             {settings, status(500, ""), 503, "500"},
		"settings that are none":  {settings, status(200, "x"), 503, ""},
		"endless settings":        {settings, endless, 503, "too large"},
		"settings elsewhere":      {settings, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/x", http.StatusFound) }, 503, "redirects its client"},
		"no token":                {"/token", status(500, "secret page"), 503, "the token endpoint says 500"},
		"a token elsewhere":       {"/token", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/x", http.StatusTemporaryRedirect) }, 503, "redirects its client"},
		"an endless token":        {"/token", endless, 503, ""},
		"a refused code":          {"/token", status(400, `{"error":"invalid_grant","error_description":"used\u001b[2J"}`), 502, `says "invalid_grant": "used\x1b[2J"`},
		"a page instead":          {"/token", status(403, "secret page"), 502, "the token endpoint says 403"},
		"no keys":                 {"/keys", status(500, ""), 502, "the ID token"},
		"no userinfo":             {"/me", status(500, ""), 503, "the userinfo endpoint"},
		"a userinfo that is none": {"/me", status(200, "[]"), 503, "the userinfo endpoint"},
	} {
		t.Run(name, func(t *testing.T) {
			i := newIDP(t)
			i.change = func(c map[string]any) { delete(c, "groups") }
			p := i.provider(nil)
			if c.path == settings {
				i.replace[c.path] = c.answer
				_, _, err := p.Start(t.Context(), back)
				expect(t, err, c.status, c.log)
				delete(i.replace, c.path)
				if _, _, err := p.Start(t.Context(), back); err != nil {
					t.Errorf("as soon as it is there again: %v", err)
				}
				return
			}
			secret, q := i.begin(p)
			i.replace[c.path] = c.answer
			who, state, err := p.Finish(t.Context(), secret, back, q)
			expect(t, err, c.status, c.log)
			if who != (gateway.Person{}) || err != nil && strings.Contains(err.Error(), "secret page") || c.status != 502 && state != "" {
				t.Errorf("got %+v, %q, %v", who, state, err)
			}
			if len(p.busy) != 0 || len(p.find) != 0 {
				t.Errorf("%d logins and %d readers are still held", len(p.busy), len(p.find))
			}
		})
	}
}

func expect(t *testing.T, err error, status int, log string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Status != status || e.Err == nil || !errors.Is(e, e.Err) || !strings.Contains(e.Error(), log) {
		t.Errorf("got %v, want status %d and %q", err, status, log)
	}
}

// A browser is sent to no page but one that only the provider can have, and the gateway asks
// no other.
func TestEndpointsAreTrusted(t *testing.T) {
	for name, address := range map[string]string{"in the clear": "http://login.example/auth", "with a user": "https://ada@login.example/auth", "no address": "%"} {
		i := newIDP(t)
		i.config = func(d map[string]any) { d["authorization_endpoint"] = address }
		_, _, err := i.provider(nil).Start(t.Context(), back)
		expect(t, err, 503, "the authorization endpoint")
		if t.Failed() {
			t.Fatal(name)
		}
	}
	i := newIDP(t)
	i.config = func(d map[string]any) { d["authorization_endpoint"] = i.url + "/auth?tenant=a" }
	if _, address, err := i.provider(nil).Start(t.Context(), back); err != nil || !strings.Contains(address, "tenant=a") {
		t.Errorf("got %s, %v, want an address with its own query", address, err)
	}
	i.config = func(d map[string]any) { d["token_endpoint"] = "http://login.example/token" }
	p := i.provider(nil)
	secret, q := i.begin(p)
	_, _, err := p.Finish(t.Context(), secret, back, q)
	expect(t, err, 503, "is not https")
}

// The settings are read once, and again after an hour; then nobody logs in without them.
func TestSettingsAreReadAgain(t *testing.T) {
	const settings = "/.well-known/openid-configuration"
	i := newIDP(t)
	p := i.provider(nil)
	for _, c := range []struct {
		after time.Duration
		want  int
	}{{0, 1}, {foundFor - time.Second, 1}, {time.Second, 2}, {time.Minute, 2}} {
		i.now = i.now.Add(c.after)
		i.begin(p)
		if got := i.asked[settings]; got != c.want {
			t.Errorf("after %v more: read %d times, want %d", c.after, got, c.want)
		}
	}
	i.now = i.now.Add(foundFor)
	i.replace[settings] = http.NotFound
	_, _, err := p.Start(t.Context(), back)
	expect(t, err, 503, "404")

	// Who waits for another to read them gives up with the request.
	p.find <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = p.Start(ctx, back)
	expect(t, err, 503, "context canceled")
}

// Only so many logins wait for the provider at once.
func TestBusy(t *testing.T) {
	i := newIDP(t)
	p := i.provider(nil)
	secret, q := i.begin(p)
	for range maxAtOnce {
		p.busy <- struct{}{}
	}
	var e *Error
	if _, _, err := p.Finish(t.Context(), secret, back, q); !errors.As(err, &e) || e.Status != http.StatusServiceUnavailable || i.asked["/token"] != 0 {
		t.Errorf("got %v after %d questions", err, i.asked["/token"])
	}
	<-p.busy
	if _, _, err := p.Finish(t.Context(), secret, back, q); err != nil {
		t.Errorf("with a place: %v", err)
	}
}

// Settings that would let in somebody else, or nobody, are refused.
func TestNew(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Config)
		want   string // part of the error; "" if there is none
	}{
		"as it should be":          {func(*Config) {}, ""},
		"on this machine":          {func(c *Config) { c.Issuer = "http://localhost:8080/realm" }, ""},
		"on this machine, IPv6":    {func(c *Config) { c.Issuer = "http://[::1]:8080" }, ""},
		"in the clear":             {func(c *Config) { c.Issuer = "http://login.example" }, "is not https"},
		"another scheme":           {func(c *Config) { c.Issuer = "ftp://login.example" }, "is not https"},
		"no host":                  {func(c *Config) { c.Issuer = "https:///x" }, "a plain URL"},
		"a user":                   {func(c *Config) { c.Issuer = "https://a@login.example" }, "a plain URL"},
		"a query":                  {func(c *Config) { c.Issuer = "https://login.example?a" }, "a plain URL"},
		"a fragment":               {func(c *Config) { c.Issuer = "https://login.example#a" }, "a plain URL"},
		"no URL":                   {func(c *Config) { c.Issuer = "%" }, "is not a URL"},
		"no client":                {func(c *Config) { c.ClientID = "" }, "client ID"},
		"nobody":                   {func(c *Config) { c.Grants = nil }, "no one could log in"},
		"a wrong grant":            {func(c *Config) { c.Grants[0].Role = "root" }, "unknown role"},
		"the longest session":      {func(c *Config) { c.For = MaxFor }, ""},
		"a longer session":         {func(c *Config) { c.For = MaxFor + 1 }, "at most"},
		"a session of less":        {func(c *Config) { c.For = -1 }, "at most"},
		"a redirect":               {func(c *Config) { c.Redirect = "https://umpire.example" + Path }, ""},
		"a redirect in the clear":  {func(c *Config) { c.Redirect = "http://umpire.example" + Path }, "the redirect URL"},
		"a redirect somewhere":     {func(c *Config) { c.Redirect = "https://umpire.example/x" }, "ends with"},
		"everybody with a mailbox": {func(c *Config) { c.Grants[0] = Grant{gateway.Viewer, "email", "*"} }, "one domain"},
		"a top-level domain":       {func(c *Config) { c.Grants[0] = Grant{gateway.Viewer, "email", "*@ab"} }, "one domain"},
		"a short domain":           {func(c *Config) { c.Grants[0] = Grant{gateway.Viewer, "email", "*@a.b"} }, ""},
		"no at":                    {func(c *Config) { c.Grants[0] = Grant{gateway.Viewer, "email", "*team.example"} }, "one domain"},
		"two patterns":             {func(c *Config) { c.Grants[0] = Grant{gateway.Viewer, "email", "*@*.example"} }, "one domain"},
		"a pattern within":         {func(c *Config) { c.Grants[0] = Grant{gateway.Viewer, "email", "a*@team.example"} }, "must have the form"},
		"a pattern of groups":      {func(c *Config) { c.Grants[0] = Grant{gateway.Viewer, "groups", "*"} }, "must have the form"},
		"no claim":                 {func(c *Config) { c.Grants[0] = Grant{gateway.Viewer, "", "x"} }, "with a value"},
		"no value":                 {func(c *Config) { c.Grants[0] = Grant{gateway.Viewer, "groups", ""} }, "with a value"},
	} {
		conf := Config{Issuer: "https://login.example/realm", ClientID: "umpire", Grants: []Grant{{gateway.Viewer, "sub", "1"}}}
		c.change(&conf)
		p, err := New(conf)
		if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
		if err == nil && p.Name() != strings.Split(conf.Issuer, "/")[2] {
			t.Errorf("%s: the name is %q, want the host", name, p.Name())
		}
	}
}

// A session counts only under the settings that it was made under.
func TestSettings(t *testing.T) {
	base := func() Config {
		return Config{Issuer: "https://login.example", ClientID: "umpire", Grants: []Grant{{gateway.Viewer, "sub", "1"}}}
	}
	one := base()
	seen := map[string]string{one.Settings(): "the first"}
	for name, change := range map[string]func(*Config){
		"issuer": func(c *Config) { c.Issuer += "/x" },
		"client": func(c *Config) { c.ClientID += "x" },
		"role":   func(c *Config) { c.Grants[0].Role = gateway.Admin },
		"claim":  func(c *Config) { c.Grants[0].Claim = "x" },
		"value":  func(c *Config) { c.Grants[0].Value = "x" },
		"more":   func(c *Config) { c.Grants = append(c.Grants, c.Grants[0]) },
	} {
		c := base()
		change(&c)
		s := c.Settings()
		if len(s) != 16 || seen[s] != "" {
			t.Errorf("%s: got %q, which is that of %q", name, s, seen[s])
		}
		seen[s] = name
	}
	c := base()
	c.Secret, c.Name, c.For, c.Redirect = "x", "x", time.Hour, "https://x.example"+Path
	if c.Settings() != one.Settings() {
		t.Error("what decides nothing about roles ends sessions")
	}
}
