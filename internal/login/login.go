// Package login lets people log in to the gateway through an OpenID Connect provider.
//
// It uses the authorization code flow with PKCE, state and nonce, which derive from one secret
// in the browser; the gateway stores nothing for people who only begin. It checks the
// signature, issuer, audience, nonce and times of the token. Nobody has a role unless a Grant
// gives it.
package login

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/plural"
)

// Path is the route to which the provider redirects browsers.
const Path = "/login/oidc/callback"

// Limits and times.
const (
	BeginFor  = 10 * time.Minute // from the beginning of a login to its end
	MaxFor    = 12 * time.Hour   // of a session
	defaultIs = 4 * time.Hour

	skew       = time.Minute // between the clocks of gateway and provider
	callLimit  = 10 * time.Second
	maxAnswer  = 1 << 20
	maxAtOnce  = 8         // logins that wait for the provider
	foundFor   = time.Hour // then its settings and keys are read again, and withdrawn keys expire
	maxSubject = 255       // set by the standard
	maxEmail   = 254
)

// Config configures the login.
type Config struct {
	Issuer   string // the provider's URL
	ClientID string // the gateway, as the provider knows it
	Secret   string // the gateway's; may be empty: PKCE is used in any case
	Redirect string // the gateway's own URL with Path, as the provider knows it; by the browser's request if empty
	Scopes   []string
	Grants   []Grant
	Name     string        // of the provider, on the button; its host if empty
	For      time.Duration // how long a session lasts; four hours if zero
	Now      func() time.Time
}

// Provider logs people in.
type Provider struct {
	c      Config
	client *http.Client
	busy   chan struct{} // limits logins that wait for the provider
	find   chan struct{} // held while the provider's settings are read; guards found
	found  *oidc.Provider
	since  time.Time
}

// Error is the reason for a failed login.
type Error struct {
	Status int    // of HTTP
	Msg    string // message for the person
	Err    error  // error for the log
}

// Error implements error.
func (e *Error) Error() string {
	if e.Err == nil {
		return e.Msg
	}
	return e.Msg + ": " + e.Err.Error()
}

// Unwrap returns the error for the log.
func (e *Error) Unwrap() error { return e.Err }

// New returns a provider. It sends no request yet: the gateway starts without the provider.
func New(c Config) (*Provider, error) {
	if err := trusted(c.Issuer); err != nil {
		return nil, fmt.Errorf("the issuer: %w", err)
	}
	switch {
	case c.ClientID == "":
		return nil, errors.New("the provider knows the gateway by a client ID: name it")
	case len(c.Grants) == 0:
		return nil, errors.New("no one has a role, so no one could log in: add a role")
	case c.For < 0 || c.For > MaxFor:
		return nil, fmt.Errorf("a session lasts at most %s", plural.Duration(MaxFor))
	}
	for _, g := range c.Grants {
		if err := g.check(); err != nil {
			return nil, err
		}
	}
	if c.Redirect != "" {
		if err := trusted(c.Redirect); err != nil {
			return nil, fmt.Errorf("the redirect URL: %w", err)
		}
		if !strings.HasSuffix(c.Redirect, Path) {
			return nil, fmt.Errorf("the redirect URL ends with %s", Path)
		}
	}
	c.For = cmp.Or(c.For, defaultIs)
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Name == "" {
		u, err := url.Parse(c.Issuer)
		if err != nil {
			return nil, err
		}
		c.Name = u.Host
	}
	return &Provider{c: c, client: newClient(), busy: make(chan struct{}, maxAtOnce), find: make(chan struct{}, 1)}, nil
}

// Name returns the provider's name for people.
func (p *Provider) Name() string { return p.c.Name }

// Settings identifies the settings that decide who may log in with which role. A session made
// under other settings is void.
func (c *Config) Settings() string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q", c.Issuer, c.ClientID, c.Grants)
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))[:16]
}

// trusted returns the fault of a URL that receives passwords or codes.
func trusted(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return fmt.Errorf("%q is not a URL", text)
	case u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("%q must be a plain URL such as https://login.example.org", text)
	case u.Scheme != "https" && (u.Scheme != "http" || !Loopback(u.Hostname())):
		return fmt.Errorf("%q is not https: anyone on the network path could log in as another user", text)
	}
	return nil
}

// Loopback reports whether a host is this machine.
func Loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// part derives a public value from the browser's secret. It reveals neither the secret nor other
// values.
func part(secret, name string) string {
	sum := sha256.Sum256([]byte(name + "\x00" + secret))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// Start begins a login: the browser keeps the secret, and goes to the returned URL. back is the
// gateway's URL as the browser has it, or empty if it may be another server's.
func (p *Provider) Start(ctx context.Context, back string) (secret, address string, err error) {
	if p.c.Redirect == "" && back == "" {
		return "", "", errBack
	}
	found, err := p.discover(ctx)
	if err != nil {
		return "", "", err
	}
	var raw [32]byte
	_, _ = rand.Read(raw[:]) // never fails, as documented
	secret = strconv.FormatInt(p.c.Now().Unix(), 10) + "." + base64.RawURLEncoding.EncodeToString(raw[:])
	return secret, p.oauth(found, back).AuthCodeURL(part(secret, "state"), oidc.Nonce(part(secret, "nonce")), oauth2.S256ChallengeOption(part(secret, "verifier"))), nil
}

func (p *Provider) oauth(found *oidc.Provider, back string) *oauth2.Config {
	if p.c.Redirect != "" {
		back = p.c.Redirect
	}
	scopes := append([]string{oidc.ScopeOpenID, "email", "profile"}, p.c.Scopes...)
	slices.Sort(scopes)
	return &oauth2.Config{ClientID: p.c.ClientID, ClientSecret: p.c.Secret, Endpoint: found.Endpoint(), RedirectURL: back, Scopes: slices.Compact(scopes)}
}

var errBack = &Error{Status: http.StatusBadRequest, Msg: "this port is not the gateway's: start the gateway with --oidc-redirect to log in at this address"}

var errBegin = &Error{Status: http.StatusBadRequest, Msg: "this login was not begun in this browser, or took too long: begin again"}

// started reports whether a secret belongs to a recent login.
func (p *Provider) started(secret string) bool {
	text, _, ok := strings.Cut(secret, ".")
	at, err := strconv.ParseInt(text, 10, 64)
	if !ok || err != nil || len(secret) > 100 {
		return false
	}
	age := p.c.Now().Sub(time.Unix(at, 0))
	return -time.Second <= age && age <= BeginFor
}

// Finish completes a login with the parameters that the browser brought from the provider, and
// returns the person. The caller must accept each returned state only once, so that a replayed
// login fails.
func (p *Provider) Finish(ctx context.Context, secret, back string, q url.Values) (who gateway.Person, state string, err error) {
	state = part(secret, "state")
	switch {
	case p.c.Redirect == "" && back == "":
		return who, "", errBack
	case !p.started(secret), len(q["state"]) != 1, subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(state)) != 1:
		return who, "", errBegin
	case q.Has("iss") && q.Get("iss") != p.c.Issuer: // a response of another provider (RFC 9207)
		return who, "", &Error{Status: http.StatusBadRequest, Msg: "this answer is of another provider: begin again"}
	case q.Has("error"):
		said := clip(q.Get("error"), 100)
		if d := q.Get("error_description"); d != "" {
			said += ": " + clip(d, 300)
		}
		return who, "", &Error{Status: http.StatusForbidden, Msg: p.c.Name + " says " + strconv.Quote(said)}
	case len(q["code"]) != 1 || q.Get("code") == "":
		return who, "", errBegin
	}
	select {
	case p.busy <- struct{}{}:
		defer func() { <-p.busy }()
	default:
		return who, "", &Error{Status: http.StatusServiceUnavailable, Msg: "too many logins are in progress: try again"}
	}
	ctx, cancel := context.WithTimeout(oidc.ClientContext(ctx, p.client), callLimit)
	defer cancel()
	found, err := p.discover(ctx)
	if err != nil {
		return who, "", err
	}
	token, err := p.oauth(found, back).Exchange(ctx, q.Get("code"), oauth2.VerifierOption(part(secret, "verifier")))
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) {
		err = withoutBody(refused)
	}
	switch {
	case refused != nil && refused.Response.StatusCode < 500:
		// The code is used up or of another login, or the client's secret is wrong.
		return who, "", &Error{Status: http.StatusBadGateway, Msg: p.c.Name + " did not accept this login: try again; if it fails again, see the gateway's log", Err: err}
	case err != nil:
		return who, "", p.down(err)
	}
	claims, err := p.claims(ctx, found, token, part(secret, "nonce"))
	if err != nil {
		return who, "", err
	}
	who, err = p.person(claims)
	return who, state, err
}

// withoutBody describes a refusal without the provider's whole page.
func withoutBody(e *oauth2.RetrieveError) error {
	if e.ErrorCode != "" {
		return fmt.Errorf("the token endpoint says %q: %q", clip(e.ErrorCode, 100), clip(e.ErrorDescription, 300))
	}
	return fmt.Errorf("the token endpoint says %s", e.Response.Status)
}

func clip(s string, n int) string {
	if len(s) > n {
		s = strings.ToValidUTF8(s[:n], "") + "..."
	}
	return s
}

func (p *Provider) down(err error) error {
	return &Error{Status: http.StatusServiceUnavailable, Msg: p.c.Name + " cannot be asked now: try again later, or log in with a link that `umpire login` prints", Err: err}
}

func (p *Provider) bad(format string, args ...any) error {
	return &Error{Status: http.StatusBadGateway, Msg: p.c.Name + " returned an invalid answer about you: see the gateway's log", Err: fmt.Errorf(format, args...)}
}
