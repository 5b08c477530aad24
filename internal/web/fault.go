package web

import (
	"crypto/subtle"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/visible"
)

// problem is a fault of the caller, with its HTTP status.
type problem struct {
	status int
	msg    string
}

func (e problem) Error() string { return e.msg }

// faultData is the content of the page for a fault.
type faultData struct {
	Title, Problem, Back, Theme string
	Typed                       []typed
}

// maxTyped is the size limit, in bytes, of a form from a browser that may be logged out.
const maxTyped = 64 << 10

// typed is a field of a form that failed.
type typed struct{ Name, Value string }

// fail answers a failed request: a script gets one line, a person gets a page with a link back.
func (p *Pages) fail(w http.ResponseWriter, r *http.Request, err error) {
	p.answerFault(w, r, err, nil)
}

// failForm is like fail for a form of these pages. Its page also shows what the person typed,
// because the browser does not keep it. secret is the cookie of the session, which may have ended.
func (p *Pages) failForm(w http.ResponseWriter, r *http.Request, secret string, err error) {
	var fields []typed
	if r.Method == http.MethodPost && !script(r) {
		r.Body = http.MaxBytesReader(w, r.Body, maxTyped)
		if r.ParseForm() == nil && fromOwnPage(r, secret) {
			fields = typedIn(r.PostForm)
		}
	}
	p.answerFault(w, r, err, fields)
}

func (p *Pages) answerFault(w http.ResponseWriter, r *http.Request, err error, fields []typed) {
	if r.Context().Err() != nil {
		return // the client is gone
	}
	status, msg := gateway.Status(err)
	var pr problem
	switch {
	case errors.As(err, &pr):
		status, msg = pr.status, pr.msg
	case errors.Is(err, gateway.ErrNoSession):
		msg = "you are logged out: log in again, also in another tab"
	}
	if status == http.StatusInternalServerError {
		p.log.Error("a page failed", "path", r.URL.Path, "error", err)
	}
	if script(r) {
		http.Error(w, visible.Line(msg), status)
		return
	}
	d := faultData{Title: http.StatusText(status), Problem: msg, Back: backFrom(r.URL.Path), Theme: themeOf(r), Typed: fields}
	p.show(w, r, status, "fault.html", d)
}

// noPage answers for an address without a page. If it is the address of a form, it redirects to the
// page of the form.
func (p *Pages) noPage(w http.ResponseWriter, r *http.Request) {
	form := &http.Request{Method: http.MethodPost, URL: r.URL, Host: r.Host}
	if _, pattern := p.mux.Handler(form); r.Method == http.MethodGet && strings.HasPrefix(pattern, "POST ") {
		http.Redirect(w, r, backFrom(r.URL.Path), http.StatusSeeOther)
		return
	}
	p.fail(w, r, problem{http.StatusNotFound, "there is no page at this address"})
}

// script reports whether app.js made the request, not a person's click.
func script(r *http.Request) bool {
	if r.Header.Get("Sec-Fetch-Mode") == "navigate" {
		return false
	}
	return r.Header.Get("X-Umpire") != "" || r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, "/ui/")
}

// fromOwnPage reports whether a form comes from a page of this gateway. Otherwise another site could post
// its own text, and this page would show it.
func fromOwnPage(r *http.Request, secret string) bool {
	if r.Header.Get("Sec-Fetch-Site") == "same-origin" {
		return true
	}
	return secret != "" && subtle.ConstantTimeCompare([]byte(r.PostForm.Get("csrf")), []byte(csrf(secret))) == 1
}

// typedIn returns the fields of a form that people type.
func typedIn(form url.Values) (out []typed) {
	for _, name := range []string{"rule", "own", "note", "name"} {
		if v := form.Get(name); v != "" {
			out = append(out, typed{name, v})
		}
	}
	return out
}

// backFrom returns the page that has the form of a path.
func backFrom(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if slices.ContainsFunc(tabs, func(t tab) bool { return t.Path == "/"+first }) {
		return "/" + first
	}
	return "/"
}
