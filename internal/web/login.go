package web

import (
	"errors"
	"net/http"
	"time"

	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/login"
	"github.com/umpire-dev/umpire/internal/visible"
)

// LoginWith has people log in through a provider as well. Call it before the pages serve.
func (p *Pages) LoginWith(l *login.Provider) { p.login = l }

type loginData struct{ Code, Provider, Problem string }

func (p *Pages) showLogin(w http.ResponseWriter, r *http.Request, status int, code, problem string) {
	d := loginData{Code: code, Problem: problem}
	if p.login != nil {
		d.Provider = p.login.Name()
	}
	p.show(w, r, status, "login.html", d)
}

func setSession(w http.ResponseWriter, r *http.Request, secret string, expires time.Time) {
	http.SetCookie(w, &http.Cookie{Name: cookieName(r), Value: secret, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil, Expires: expires})
}

// setBegun has the browser keep the secret of a login that it began, or forget it. The
// provider sends the browser back from its own site, so the cookie is Lax.
func setBegun(w http.ResponseWriter, r *http.Request, secret string) {
	c := &http.Cookie{Name: cookieName(r) + "-login", Value: secret, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: r.TLS != nil, MaxAge: int(login.BeginFor.Seconds())}
	if secret == "" {
		c.MaxAge = -1
	}
	http.SetCookie(w, c)
}

// back is where the provider sends the browser to. The host was checked against the names
// that the gateway goes by, and the provider checks all of it.
func back(r *http.Request) string {
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
	secret, expires, err := p.g.OpenSession(r.Context(), who, state)
	if errors.Is(err, gateway.ErrNoSession) {
		err = &login.Error{Status: http.StatusBadRequest, Msg: "this login is used up: begin again"}
	}
	if err != nil {
		p.failLogin(w, r, err)
		return
	}
	setBegun(w, r, "")
	setSession(w, r, secret, expires)
	// A redirect would still be the provider's doing, and the browser would keep the cookie
	// from it: it is Strict. This page's own step to the next is the gateway's.
	p.show(w, r, http.StatusOK, "loggedin.html", nil)
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
	p.showLogin(w, r, e.Status, "", e.Msg)
}
