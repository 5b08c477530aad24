package web

import (
	"errors"
	"net"
	"net/http"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/login"
	"github.com/umpire-dev/umpire/internal/visible"
)

// LoginWith adds login through a provider. Call it before the pages serve.
func (p *Pages) LoginWith(l *login.Provider) { p.login = l }

type loginData struct {
	Code, Provider, Problem string
	Back                    bool // the login leads back to this page
	Again                   bool // after a logout
}

func (p *Pages) showLogin(w http.ResponseWriter, r *http.Request, status int, d loginData) {
	if p.login != nil {
		d.Provider = p.login.Name()
	}
	p.show(w, r, status, "login.html", d)
}

// noKey is the fault of a session whose cookie came without its key.
const noKey = "the request lacks the key of its session: turn on JavaScript, or log out, and log in again"

// loggedIn sends the session to the browser. Only this page has the key: a server on another port
// of this host gets the cookie with the browser's next request to it, but its pages cannot read
// this one.
//
// The page goes to the next one by itself. After a redirect, the browser would not send the Strict
// cookie, because the provider began the navigation.
func (p *Pages) loggedIn(w http.ResponseWriter, r *http.Request, o gateway.Opened) {
	http.SetCookie(w, &http.Cookie{Name: cookieName(r), Value: o.Cookie, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil, Expires: o.Expires})
	p.show(w, r, http.StatusOK, "loggedin.html", struct{ Key, CSRF, Theme string }{o.Key, csrf(o.Cookie), themeOf(r)})
}

// unlock makes the forms of a browser without scripts work without the key.
func (p *Pages) unlock(w http.ResponseWriter, r *http.Request, v *visit) error {
	if err := p.g.Unlock(r.Context(), v.secret); err != nil {
		return err
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}

// setBegun sets the cookie with the secret of a login that the browser began, or deletes it. The
// provider sends the browser back from its own site, so the cookie is Lax.
func setBegun(w http.ResponseWriter, r *http.Request, secret string) {
	c := &http.Cookie{Name: cookieName(r) + "-login", Value: secret, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: r.TLS != nil, MaxAge: int(login.BeginFor.Seconds())}
	if secret == "" {
		c.MaxAge = -1
	}
	http.SetCookie(w, c)
}

// back returns the address to which the provider sends the browser. The gateway has checked the
// host against its names, and the provider checks the complete address. But providers accept every
// port of a loopback address (RFC 8252), also that of an agent, which would get the code. So back
// returns "" for such an address with another server's port.
func back(r *http.Request) string {
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		host, port = r.Host, "80"
		if r.TLS != nil {
			port = "443"
		}
	}
	own, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if login.Loopback(strings.Trim(host, "[].")) && (!ok || strconv.Itoa(own.Port) != port) {
		return ""
	}
	if r.TLS != nil {
		return "https://" + r.Host + login.Path
	}
	return "http://" + r.Host + login.Path
}

func (p *Pages) beginLogin(w http.ResponseWriter, r *http.Request) {
	if p.login == nil {
		p.fail(w, r, problem{http.StatusNotFound, "this gateway has no login through a provider"})
		return
	}
	secret, address, err := p.login.Start(r.Context(), back(r))
	if err != nil {
		p.failLogin(w, r, err)
		return
	}
	if r.URL.Query().Has("again") { // otherwise the provider would log the same person in again
		address += "&prompt=login"
	}
	setBegun(w, r, secret)
	http.Redirect(w, r, address, http.StatusSeeOther)
}

func (p *Pages) endLogin(w http.ResponseWriter, r *http.Request) {
	if p.login == nil {
		p.fail(w, r, problem{http.StatusNotFound, "this gateway has no login through a provider"})
		return
	}
	var begun string
	if c, err := r.Cookie(cookieName(r) + "-login"); err == nil {
		begun = c.Value
	}
	who, state, err := p.login.Finish(r.Context(), begun, back(r), r.URL.Query())
	if err != nil {
		p.failLogin(w, r, err)
		return
	}
	opened, err := p.g.OpenSession(r.Context(), who, state)
	if errors.Is(err, gateway.ErrNoSession) {
		err = &login.Error{Status: http.StatusBadRequest, Msg: "this login was already used: start again"}
	}
	if err != nil {
		p.failLogin(w, r, err)
		return
	}
	setBegun(w, r, "")
	p.loggedIn(w, r, opened)
}

func (p *Pages) failLogin(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return // the client is gone
	}
	var e *login.Error
	if !errors.As(err, &e) {
		p.fail(w, r, err)
		return
	}
	if e.Err != nil {
		p.log.Warn("a login failed", "error", visible.Clip(err.Error(), 1000))
	}
	p.showLogin(w, r, e.Status, loginData{Problem: e.Msg})
}
