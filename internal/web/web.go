// Package web is the gateway's console: pages on which people answer requests and read the record.
//
// The pages escape all text of agents, show invisible characters, and make no links of it. They
// work without a script. The one script updates them, answers by key, and holds each answer for
// five seconds so that the person can undo it.
package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/login"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/store"
	"github.com/umpire-dev/umpire/internal/visible"
)

//go:embed pages/*.html assets
var files embed.FS

// loads is the Content-Security-Policy: pages load only what this server has.
const loads = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// maxForm is the size limit of a form, in bytes: a bulk answer names every request that the person
// saw.
const maxForm = 2 << 20

// Pages is the http.Handler of all pages. The gateway decides on access.
type Pages struct {
	g     *gateway.Gateway
	s     *store.Store
	log   *slog.Logger
	pages *template.Template
	mux   *http.ServeMux
	now   func() time.Time
	login *login.Provider // if nil, login links only
	heavy chan struct{}   // held by a verification of the record or a test of a rule
}

// New returns the pages of a gateway and its store.
func New(g *gateway.Gateway, s *store.Store, log *slog.Logger) (*Pages, error) {
	p := &Pages{g: g, s: s, log: log, mux: http.NewServeMux(), now: time.Now, heavy: make(chan struct{}, 1)}
	var err error
	p.pages, err = template.New("").Funcs(p.functions()).ParseFS(files, "pages/*.html")
	if err != nil {
		return nil, err
	}
	assets, err := fs.Sub(files, "assets")
	if err != nil {
		return nil, err
	}
	p.mux.Handle("GET /assets/", http.StripPrefix("/assets/", http.FileServerFS(assets)))
	p.mux.HandleFunc("/", p.noPage)
	p.mux.HandleFunc("GET /login", p.getLogin)
	p.mux.HandleFunc("POST /login", p.postLogin)
	p.mux.HandleFunc("GET /login/oidc", p.beginLogin)
	p.mux.HandleFunc("GET "+login.Path, p.endLogin)
	for _, route := range []struct {
		pattern string
		least   gateway.Role
		h       func(http.ResponseWriter, *http.Request, *visit) error
	}{
		{"GET /{$}", gateway.Viewer, p.queue},
		{"GET /ui/list", gateway.Viewer, p.sendList},
		{"GET /ui/card/{id}", gateway.Viewer, p.sendCard},
		{"GET /ui/events", gateway.Viewer, p.events},
		{"GET /ui/whole/{id}", gateway.Viewer, func(w http.ResponseWriter, r *http.Request, _ *visit) error {
			return p.g.SendFullText(w, r, r.PathValue("id"))
		}},
		{"POST /ui/answer", gateway.Approver, p.answer},
		{"POST /ui/bulk", gateway.Approver, p.bulk},
		{"POST /ui/stop", gateway.Approver, p.stop},
		{"POST /ui/theme", gateway.Viewer, p.setTheme},
		{"POST /ui/unlock", gateway.Viewer, p.unlock},
		{"GET /overview", gateway.Viewer, p.overview},
		{"GET /history", gateway.Viewer, p.history},
		{"GET /request/{id}", gateway.Viewer, p.request},
		{"GET /agents", gateway.Viewer, p.agents},
		{"POST /agents/add", gateway.Admin, p.addToken},
		{"POST /agents/revoke", gateway.Admin, p.revokeToken},
		{"POST /agents/end", gateway.Admin, p.endSession},
		{"POST /agents/tunnel", gateway.Approver, p.endTunnel},
		{"POST /agents/logout", gateway.Viewer, p.endBrowser},
		{"GET /rules", gateway.Viewer, p.rules},
		{"POST /rules/test", gateway.Viewer, p.testRule},
		{"POST /rules/add", gateway.Admin, p.addRule},
		{"POST /rules/remove", gateway.Admin, p.removeRule},
		{"GET /policy", gateway.Viewer, p.policy},
		{"POST /policy/reset", gateway.Admin, p.resetSetting},
		{"GET /record", gateway.Viewer, p.record},
		{"POST /record/verify", gateway.Viewer, p.verify},
		{"GET /record/export", gateway.Viewer, p.export},
		{"POST /logout", gateway.Viewer, p.logout},
	} {
		p.mux.Handle(route.pattern, p.wrap(route.least, route.h))
	}
	return p, nil
}

// functions returns the functions that templates call.
func (p *Pages) functions() template.FuncMap {
	return template.FuncMap{
		"line": visible.Line, "text": visible.Block, "clip": visible.Clip, "span": plural.Rough, "took": plural.Duration,
		"dict": func(kv ...any) map[string]any {
			out := map[string]any{}
			for i := 0; i+1 < len(kv); i += 2 {
				out[kv[i].(string)] = kv[i+1]
			}
			return out
		},
		"rule": func(s string) string {
			lines := strings.Split(s, "\n")
			for i := range lines {
				lines[i] = visible.Line(lines[i])
			}
			return strings.Join(lines, " and ")
		},
		"ago": func(t time.Time) string { return ago(p.now().Sub(t)) }, "since": func(t time.Time) string { return plural.Rough(p.now().Sub(t)) }, "left": func(t time.Time) string { return plural.Rough(t.Sub(p.now())) },
		"count": func(n any, one string) string { // n is any integer type
			if s := fmt.Sprint(n); s != "1" {
				return s + " " + plural.Noun(2, one)
			}
			return "1 " + one
		},
		"past": func(t time.Time) bool { return !t.After(p.now()) },
		"iso":  func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
	}
}

// ServeHTTP implements http.Handler.
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", loads)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	p.mux.ServeHTTP(w, r)
}

// visit is one request of a logged-in person.
type visit struct {
	gateway.Principal
	secret  string
	Path    string // path of the page in the menu
	Here    string // the address to return to, if it differs from Path
	Title   string
	Theme   string // "light", "dark", or "" for the system's
	CSRF    string
	Pages   []tab
	Count   int // number of pending requests
	counted bool
	Seq     int64
	Data    any
}

type tab struct{ Path, Name string }

var tabs = []tab{{"/overview", "Overview"}, {"/", "Queue"}, {"/history", "History"}, {"/agents", "Agents"}, {"/rules", "Rules"}, {"/policy", "Policy"}, {"/record", "Record"}}

// May reports to templates whether the person may do something.
func (v *visit) May(role string) bool { return v.Role.May(gateway.Role(role)) }

// csrf returns the token of a session's forms. A client without the cookie cannot compute it, and
// another site's page cannot read it.
func csrf(secret string) string {
	sum := sha256.Sum256([]byte("csrf\x00" + secret))
	return hex.EncodeToString(sum[:])
}

// cookieName returns the name of the session cookie. With TLS it has the prefix that keeps other
// hosts and plain HTTP from setting the cookie. It ends with the port: browsers send cookies to
// every port of a host, and another gateway there must not log people out of this one.
func cookieName(r *http.Request) string {
	name := "umpire"
	if r.TLS != nil {
		name = "__Host-umpire"
	}
	_, port, _ := net.SplitHostPort(r.Host)
	return name + port
}

func (p *Pages) wrap(least gateway.Role, h func(http.ResponseWriter, *http.Request, *visit) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := &visit{Path: r.URL.Path, Theme: themeOf(r), Pages: tabs}
		if r.Method == http.MethodGet {
			v.Here = r.URL.RequestURI()
		}
		if c, err := r.Cookie(cookieName(r)); err == nil {
			v.secret = c.Value
		}
		who, err := p.g.Session(r.Context(), v.secret)
		if errors.Is(err, gateway.ErrNoSession) && r.Method == http.MethodGet && !strings.HasPrefix(r.URL.Path, "/ui/") {
			p.showLogin(w, r, http.StatusUnauthorized, loginData{Back: true})
			return
		}
		if err != nil {
			p.failForm(w, r, v.secret, err)
			return
		}
		v.Principal, v.CSRF = who, csrf(v.secret)
		holds := func(ctx context.Context) (gateway.Principal, error) {
			who, err := p.g.Session(ctx, v.secret)
			if err == nil && !who.Role.May(least) {
				err = gateway.ErrNoSession
			}
			return who, err
		}
		ctx, done := p.g.Channel(r.Context(), func(ctx context.Context) error {
			_, err := holds(ctx)
			return err
		})
		defer done()
		if !who.Role.May(least) {
			p.fail(w, r, problem{http.StatusForbidden, "your role does not allow this: it needs the role " + string(least)})
			return
		}
		if r.Method != http.MethodGet {
			r.Body = http.MaxBytesReader(w, r.Body, maxForm)
			if err := r.ParseForm(); err != nil {
				p.fail(w, r, problem{http.StatusBadRequest, "cannot read the form"})
				return
			}
			if who, err = holds(r.Context()); err != nil { // the body may have been on its way for long
				p.failForm(w, r, v.secret, err)
				return
			}
			v.Principal = who
			if subtle.ConstantTimeCompare([]byte(r.PostForm.Get("csrf")), []byte(v.CSRF)) != 1 {
				p.failForm(w, r, v.secret, problem{http.StatusForbidden, "this form belongs to another session: reload the page"})
				return
			}
			if !who.Unlocks(r.PostForm.Get("key")) && r.URL.Path != "/logout" { // a logout decides nothing
				p.failForm(w, r, v.secret, problem{http.StatusForbidden, noKey})
				return
			}
		}
		if err := h(w, r.WithContext(ctx), v); err != nil {
			if why := context.Cause(ctx); errors.Is(why, gateway.ErrNoSession) {
				err = why
			}
			p.failForm(w, r, v.secret, err)
		}
	})
}

// page shows a page in the common frame.
func (p *Pages) page(w http.ResponseWriter, r *http.Request, v *visit, name, title string, data any) error {
	if !v.counted {
		counts, err := p.s.CountPending(r.Context())
		if err != nil {
			return err
		}
		for _, n := range counts {
			v.Count += n
		}
	}
	if v.Seq == 0 {
		var err error
		if v.Seq, err = p.s.Head(r.Context()); err != nil {
			return err
		}
	}
	v.Data, v.Title = data, title
	p.show(w, r, http.StatusOK, name, v)
	return nil
}

func (p *Pages) show(w http.ResponseWriter, r *http.Request, status int, name string, data any) {
	var b bytes.Buffer // all or nothing: a page that ends in the middle could lack a warning
	if err := p.pages.ExecuteTemplate(&b, name, data); err != nil {
		p.log.Error("a page failed", "path", r.URL.Path, "error", err)
		http.Error(w, "the gateway failed: see its log", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = b.WriteTo(w) // the client may have gone
}

// acquireHeavy waits until no other verification or rule test runs: each reads much, and every viewer can
// start one.
func (p *Pages) acquireHeavy(ctx context.Context) (done func(), err error) {
	select {
	case p.heavy <- struct{}{}:
		return func() { <-p.heavy }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// done answers a form: a script gets a message, a browser gets the page again.
func done(w http.ResponseWriter, r *http.Request, msg, back string) {
	if r.Header.Get("X-Umpire") != "" {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte(msg))
		return
	}
	http.Redirect(w, r, back, http.StatusSeeOther)
}

const themeCookie = "umpire-theme"

// themeOf returns the theme that a person chose, or "" for the system's.
func themeOf(r *http.Request) string {
	c, err := r.Cookie(themeCookie)
	if err != nil || c.Value != "light" && c.Value != "dark" {
		return ""
	}
	return c.Value
}

// NextTheme returns the theme after the current one.
func (v *visit) NextTheme() string {
	return map[string]string{"": "dark", "dark": "light", "light": "auto"}[v.Theme]
}

func (p *Pages) setTheme(w http.ResponseWriter, r *http.Request, _ *visit) error {
	c := &http.Cookie{Name: themeCookie, Value: r.PostForm.Get("theme"), Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil, MaxAge: 365 * 24 * 3600}
	if c.Value != "light" && c.Value != "dark" {
		c.Value, c.MaxAge = "", -1
	}
	http.SetCookie(w, c)
	back := r.PostForm.Get("back")
	// Accept only an address of this server: one slash, because a second one would begin a host
	// name.
	if !strings.HasPrefix(back, "/") || strings.HasPrefix(back, "//") || strings.ContainsAny(back, "\\\r\n\t") {
		back = "/"
	}
	http.Redirect(w, r, back, http.StatusSeeOther)
	return nil
}

// getLogin shows a button instead of logging in: a program that fetches links for previews must not
// use up the code.
func (p *Pages) getLogin(w http.ResponseWriter, r *http.Request) {
	p.showLogin(w, r, http.StatusOK, loginData{Code: r.URL.Query().Get("code"), Again: r.URL.Query().Has("again")})
}

func (p *Pages) postLogin(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 4096)
	opened, err := p.g.Login(r.Context(), r.PostFormValue("code"))
	if errors.Is(err, gateway.ErrNoSession) {
		p.g.Tried("failed login", r)
		p.fail(w, r, problem{http.StatusUnauthorized, err.Error()})
		return
	}
	if err != nil {
		p.fail(w, r, err)
		return
	}
	p.loggedIn(w, r, opened)
}

func (p *Pages) logout(w http.ResponseWriter, r *http.Request, v *visit) error {
	if err := p.g.Logout(r.Context(), v.secret, v.Name); err != nil {
		return err
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName(r), Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil, MaxAge: -1})
	http.Redirect(w, r, "/login?again", http.StatusSeeOther)
	return nil
}

// ago returns how long ago something was, in words.
func ago(d time.Duration) string {
	if d < 5*time.Second {
		return "just now"
	}
	return plural.Rough(d) + " ago"
}
