package web

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/login/logintest"
)

// forge has the provider's next token say something else, signed as it would sign it.
func (tm *team) forge(change func(logintest.Claims)) {
	tm.forgeWith(jose.RS256, tm.idp.Key.Key, change)
}

func (tm *team) forgeWith(alg jose.SignatureAlgorithm, key any, change func(logintest.Claims)) {
	tm.idp.Token = func(answer map[string]any) {
		answer["id_token"] = logintest.Sign(tm.t, alg, key, "k1", changed(tm.t, answer["id_token"].(string), change))
	}
}

func changed(t testing.TB, token string, change func(logintest.Claims)) logintest.Claims {
	payload, err := base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[1])
	if err != nil {
		t.Error(err)
	}
	var claims logintest.Claims
	if err := json.Unmarshal(payload, &claims); err != nil {
		t.Error(err)
	}
	if change != nil {
		change(claims)
	}
	return claims
}

// A token that is not of this provider, for this gateway, of this login and of now logs
// nobody in, whoever signed it.
func TestLoginTokenForgery(t *testing.T) {
	tm := newTeam(t, false)
	set := func(claim string, v any) func() {
		return func() { tm.forge(func(c logintest.Claims) { c[claim] = v }) }
	}
	drop := func(claim string) func() {
		return func() { tm.forge(func(c logintest.Claims) { delete(c, claim) }) }
	}
	public, err := x509.MarshalPKIXPublicKey(&tm.idp.Key.Key.(*rsa.PrivateKey).PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	strange, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	unsigned := func(alg string) func() {
		return func() {
			tm.idp.Token = func(answer map[string]any) {
				parts := strings.Split(answer["id_token"].(string), ".")
				answer["id_token"] = base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"`+alg+`"}`)) + "." + parts[1] + "."
			}
		}
	}
	for name, c := range map[string]struct {
		set    func()
		status int
	}{
		"as it is":          {func() { tm.idp.Token = nil }, 200},
		"signed again":      {func() { tm.forge(nil) }, 200},
		"another nonce":     {set("nonce", "x"), 502},
		"no nonce":          {drop("nonce"), 502},
		"another audience":  {set("aud", logintest.Other), 502},
		"no audience":       {drop("aud"), 502},
		"several audiences": {set("aud", []string{logintest.ClientID, logintest.Other}), 502},
		"issued to another": {set("azp", logintest.Other), 502},
		"several, issued to it": {func() {
			tm.forge(func(c logintest.Claims) {
				c["aud"], c["azp"] = []string{logintest.ClientID, logintest.Other}, logintest.ClientID
			})
		}, 200},
		"another issuer":                  {set("iss", "https://login.evil.example"), 502},
		"an issuer with a slash":          {set("iss", tm.idp.Issuer+"/"), 502},
		"no issuer":                       {drop("iss"), 502},
		"over":                            {set("exp", time.Now().Add(-2*time.Minute).Unix()), 502},
		"no end":                          {drop("exp"), 502},
		"over by less than clocks differ": {set("exp", time.Now().Add(-20*time.Second).Unix()), 200},
		"not yet issued":                  {set("iat", time.Now().Add(time.Hour).Unix()), 502},
		"not yet good":                    {set("nbf", time.Now().Add(time.Hour).Unix()), 502},
		"nobody":                          {drop("sub"), 502},
		"an empty subject":                {set("sub", ""), 502},
		"a long subject":                  {set("sub", strings.Repeat("x", 300)), 502},
		"another access token":            {set("at_hash", "AAAAAAAAAAAAAAAAAAAAAA"), 502},
		"a stranger's key":                {func() { tm.forgeWith(jose.RS256, strange, nil) }, 502},
		"the public key as a secret":      {func() { tm.forgeWith(jose.HS256, public, nil) }, 502},
		"the client's secret":             {func() { tm.forgeWith(jose.HS256, []byte(strings.Repeat(logintest.Secret, 2)), nil) }, 502},
		"unsigned":                        {unsigned("none"), 502},
		"unsigned, spelled differently":   {unsigned("nOnE"), 502},
		"no token":                        {func() { tm.idp.Token = func(a map[string]any) { delete(a, "id_token") } }, 502},
		"no text":                         {func() { tm.idp.Token = func(a map[string]any) { a["id_token"] = 1 } }, 502},
		"garbage":                         {func() { tm.idp.Token = func(a map[string]any) { a["id_token"] = "a.b.c" } }, 502},
		"an address that is not verified": {func() {
			tm.forge(func(c logintest.Claims) { c["email_verified"] = false; c["groups"] = []string{} })
		}, 403},
		"an address of which nothing is said": {func() {
			tm.forge(func(c logintest.Claims) { delete(c, "email_verified"); c["groups"] = []string{} })
		}, 403},
		"two addresses in one": {func() {
			tm.forge(func(c logintest.Claims) { c["email"] = "eve@evil.example,x@team.example"; c["groups"] = []string{} })
		}, 403},
		"roles that are no list": {func() {
			tm.forge(func(c logintest.Claims) { c["groups"], c["email"] = map[string]any{"ops": true}, "" })
		}, 403},
	} {
		t.Run(name, func(t *testing.T) {
			c.set()
			s := tm.surfer()
			status, body := s.login("ada")
			if in := s.who() != "nobody"; status != c.status || in != (c.status == 200) {
				t.Errorf("%d, logged in: %v; %s", status, in, body)
			}
			if strings.Contains(body, "nonce") || strings.Contains(body, logintest.Secret) {
				t.Errorf("the page tells too much: %s", body)
			}
		})
	}
}

// A token that another provider issued for another login is of no use, though it is whole.
func TestLoginTokenOfAnotherLogin(t *testing.T) {
	tm := newTeam(t, false)
	var kept string
	tm.idp.Token = func(answer map[string]any) { kept = answer["id_token"].(string) }
	if status, _ := tm.surfer().login("ada"); status != 200 {
		t.Fatal(status)
	}
	tm.idp.Token = func(answer map[string]any) { answer["id_token"] = kept }
	if status, _ := tm.surfer().login("vic"); status != 502 {
		t.Error("the token of another login counts", status)
	}
}

// Whose login was not begun in this browser is not logged in, and each login counts once.
func TestLoginState(t *testing.T) {
	tm := newTeam(t, false)
	with := func(address, key, value string) string {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		q := u.Query()
		q.Del(key)
		if value != "" {
			q.Set(key, value)
		}
		u.RawQuery = q.Encode()
		return u.String()
	}
	for name, c := range map[string]struct {
		browser func(s *surfer) *surfer // that ends what s began
		address func(string) string
		status  int
	}{
		"as it is":           {nil, nil, 200},
		"another browser":    {func(*surfer) *surfer { return tm.surfer() }, nil, 400},
		"one with its own":   {func(*surfer) *surfer { o := tm.surfer(); o.begin(); return o }, nil, 400},
		"no state":           {nil, func(a string) string { return with(a, "state", "") }, 400},
		"another state":      {nil, func(a string) string { return with(a, "state", "x") }, 400},
		"two states":         {nil, func(a string) string { return a + "&state=x" }, 400},
		"no code":            {nil, func(a string) string { return with(a, "code", "") }, 400},
		"two codes":          {nil, func(a string) string { return a + "&code=x" }, 400},
		"another code":       {nil, func(a string) string { return with(a, "code", "x") }, 502},
		"another provider's": {nil, func(a string) string { return with(a, "iss", "https://login.evil.example") }, 400},
		"a provider that says no": {nil, func(a string) string {
			return with(with(a, "error", "access_denied"), "error_description", "<script>alert(1)</script>")
		}, 403},
		"too late": {func(s *surfer) *surfer { tm.late.Add(int64(11 * time.Minute)); return s }, nil, 400},
	} {
		t.Run(name, func(t *testing.T) {
			defer tm.late.Store(0)
			begun := tm.surfer()
			end := begun.through(begun.begin(), "ada")
			s := begun
			if c.browser != nil {
				s = c.browser(begun)
			}
			if c.address != nil {
				end = c.address(end)
			}
			res, body := s.do("GET", end, nil)
			tm.late.Store(0)
			if in := s.who() != "nobody"; res.StatusCode != c.status || in != (c.status == 200) {
				t.Errorf("%d, logged in: %v; %s", res.StatusCode, in, body)
			}
			if strings.Contains(body, "<script>alert") || strings.Contains(body, "<b>team") {
				t.Errorf("the page has markup of others: %s", body)
			}
		})
	}
}

// Somebody who has a browser's cookie of a login and its state cannot use them a second
// time, not even with a code that the provider takes.
func TestLoginReplay(t *testing.T) {
	tm := newTeam(t, false)
	victim := tm.surfer()
	first := victim.begin()
	at, err := url.Parse(tm.at)
	if err != nil {
		t.Fatal(err)
	}
	cookies := victim.jar.Cookies(at)
	end := victim.through(first, "ada")
	if res, body := victim.do("GET", end, nil); res.StatusCode != 200 {
		t.Fatalf("%d %s", res.StatusCode, body)
	}
	for name, replay := range map[string]func(s *surfer) string{
		"the same code":  func(*surfer) string { return end },
		"another code":   func(s *surfer) string { return s.through(first, "ada") },
		"another's code": func(s *surfer) string { return s.through(first, "vic") },
	} {
		t.Run(name, func(t *testing.T) {
			thief := tm.surfer()
			thief.jar.SetCookies(at, cookies)
			res, body := thief.do("GET", replay(thief), nil)
			if res.StatusCode < 400 || thief.who() != "nobody" {
				t.Errorf("%d %s", res.StatusCode, body)
			}
		})
	}
	if !strings.HasPrefix(victim.who(), "ada@") {
		t.Error(victim.who())
	}
}

// A code that was stolen from another login is bound to that one's browser by PKCE.
func TestLoginCodeInjection(t *testing.T) {
	tm := newTeam(t, false)
	victim, thief := tm.surfer(), tm.surfer()
	stolen, err := url.Parse(victim.through(victim.begin(), "ada"))
	if err != nil {
		t.Fatal(err)
	}
	own, err := url.Parse(thief.through(thief.begin(), "vic"))
	if err != nil {
		t.Fatal(err)
	}
	q := own.Query()
	q.Set("code", stolen.Query().Get("code"))
	own.RawQuery = q.Encode()
	if res, _ := thief.do("GET", own.String(), nil); res.StatusCode != 502 || thief.who() != "nobody" {
		t.Error(res.StatusCode, thief.who())
	}
}

// Nothing in an address makes the gateway send a browser elsewhere.
func TestLoginOpenRedirect(t *testing.T) {
	tm := newTeam(t, false)
	extra := "next=https://evil.example&redirect_uri=https://evil.example&return_to=//evil.example"
	s := tm.surfer()
	res, _ := s.do("GET", tm.at+"/login/oidc?"+extra, nil)
	start := res.Header.Get("Location")
	if !strings.HasPrefix(start, tm.idp.Issuer+"/") || strings.Contains(start, "evil") {
		t.Errorf("%s", start)
	}
	res, body := s.do("GET", s.through(start, "ada")+"&"+extra, nil)
	if res.StatusCode != 200 || res.Header.Get("Location") != "" || strings.Contains(body, "evil") {
		t.Errorf("%d %v %s", res.StatusCode, res.Header, body)
	}
	req, err := http.NewRequestWithContext(t.Context(), "GET", tm.at+"/login/oidc", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = "evil.example"
	renamed, err := s.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = renamed.Body.Close()
	if renamed.StatusCode != http.StatusMisdirectedRequest {
		t.Error("the provider is told to send people to another host", renamed.StatusCode)
	}
}

// Without the provider nobody logs in by it, the page says so, and links still work.
func TestLoginProviderDown(t *testing.T) {
	tm := newTeam(t, false)
	s := tm.surfer()
	tm.idp.Down.Store(true)
	res, body := s.do("GET", tm.at+"/login/oidc", nil)
	if res.StatusCode != http.StatusServiceUnavailable || !strings.Contains(body, "cannot be asked now") || !strings.Contains(body, "umpire login") {
		t.Errorf("%d %s", res.StatusCode, body)
	}
	if res, _ := s.do("POST", tm.at+"/login", url.Values{"code": {tm.code(gateway.Viewer)}}); res.StatusCode != http.StatusOK || s.who() != "ada (viewer)" {
		t.Error(res.StatusCode, s.who())
	}
	tm.idp.Down.Store(false)
	s = tm.surfer()
	end := s.through(s.begin(), "ada")
	tm.idp.Down.Store(true)
	if res, body := s.do("GET", end, nil); res.StatusCode != http.StatusServiceUnavailable || s.who() != "nobody" {
		t.Errorf("%d %s", res.StatusCode, body)
	}
	tm.idp.Down.Store(false)
	if status, _ := s.login("ada"); status != 200 {
		t.Error("the provider is back", status)
	}
	// One that answers without end, or with something else, is as good as away.
	flood := bytes.Repeat([]byte(" "), 8<<20)
	tm.late.Store(int64(2 * time.Hour))
	for name, answer := range map[string]func(string, []byte) []byte{
		"without end": func(_ string, b []byte) []byte { return append(flood, b...) },
		"a page":      func(string, []byte) []byte { return []byte("<html>") },
		"another issuer": func(path string, b []byte) []byte {
			if !strings.HasSuffix(path, "openid-configuration") {
				return b
			}
			return bytes.ReplaceAll(b, []byte(`"issuer":"http`), []byte(`"issuer":"https`))
		},
		"a login page without TLS": func(path string, b []byte) []byte {
			if !strings.HasSuffix(path, "openid-configuration") {
				return b
			}
			return regexp.MustCompile(`"authorization_endpoint":"[^"]*"`).ReplaceAll(b, []byte(`"authorization_endpoint":"http://login.evil.example/"`))
		},
	} {
		t.Run(name, func(t *testing.T) {
			tm.idp.Answer = answer
			if res, body := tm.surfer().do("GET", tm.at+"/login/oidc", nil); res.StatusCode != http.StatusServiceUnavailable {
				t.Errorf("%d %s", res.StatusCode, body)
			}
		})
	}
}

// The userinfo endpoint may not speak of somebody else.
func TestLoginUserinfoOfAnother(t *testing.T) {
	tm := newTeam(t, true)
	tm.idp.Answer = func(path string, b []byte) []byte {
		if path != "/me" {
			return b
		}
		return bytes.ReplaceAll(b, []byte(`"sub":"vic"`), []byte(`"sub":"ada","groups":["ops"]`))
	}
	s := tm.surfer()
	if status, body := s.login("vic"); status != 502 || s.who() != "nobody" {
		t.Errorf("%d %s", status, body)
	}
}
