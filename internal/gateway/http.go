package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/egress"
	"github.com/umpire-dev/umpire/internal/jsonfault"
	"github.com/umpire-dev/umpire/internal/visible"
)

// maxBody is the size limit of a request's body, in bytes. A body may carry a file.
const maxBody = 5 << 20

// fault is an error with its HTTP status.
type fault struct {
	status int
	msg    string
}

func (f fault) Error() string { return f.msg }

// storedError is a failure after a change became durable: the client must not repeat the change.
type storedError struct{ error }

// onceStored marks an error as a failure after a change became durable.
func onceStored(err error) error {
	if err == nil {
		return nil
	}
	return storedError{err}
}

func (e storedError) Unwrap() error { return e.error }

var (
	errForbidden = fault{http.StatusForbidden, "your role does not allow this"}
	errNotFound  = fault{http.StatusNotFound, "no such route on this side of the gateway: GET /api/openapi.json lists the routes of both sides"}
)

// needsRole is errForbidden with the role that is enough.
func needsRole(least Role) error {
	return fault{http.StatusForbidden, fmt.Sprintf("%s: it needs the role %s", errForbidden.msg, least)}
}

// Is reports whether a fault of needsRole is errForbidden.
func (f fault) Is(err error) bool {
	return err == errForbidden && f.status == errForbidden.status && strings.HasPrefix(f.msg, errForbidden.msg)
}

// handler answers with a value, which becomes JSON, or an error, which becomes
// {"error": ...}.
type handler func(w http.ResponseWriter, r *http.Request, p Principal) (status int, body any, err error)

// wrap returns an http.Handler that authenticates the caller, recovers from panics and gives errors
// one form.
func (g *Gateway) wrap(kind CredentialKind, least Role, h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil {
				g.log.Error("a request panicked", "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
				respond(w, http.StatusInternalServerError, map[string]string{"error": "the gateway failed: see its log"})
			}
		}()
		p, err := g.who(r)
		switch {
		case errors.Is(err, errNobody):
			g.unknownCaller(w, r, err)
			return
		case err != nil:
			g.fail(w, r, err)
			return
		case p.Kind != kind:
			// A credential of the other side must never work here, and its use is worth an alarm.
			g.log.Warn("a credential of the wrong kind was used", "side", kind, "token", p.ID, "path", r.URL.Path)
			g.tried("credential on the wrong side", r, p.Name)
			respond(w, http.StatusForbidden, map[string]string{"error": "wrong kind of credential: agents and operators use different routes"})
			return
		case g.limited(w, p):
			return
		case kind == Operator && !p.Role.May(least):
			g.fail(w, r, needsRole(least))
			return
		}
		shown := r
		ctx, done := g.Channel(r.Context(), func(ctx context.Context) error {
			_, err := g.still(shown.WithContext(ctx), kind, least)
			return err
		})
		defer done()
		r = r.WithContext(ctx)
		g.checkAfter(r, kind, least)
		status, body, err := h(w, r, p)
		if why := ended(ctx); why != nil && r.Method == http.MethodGet && (status != 0 || err != nil) {
			status, body, err = http.StatusUnauthorized, map[string]string{"error": why.Error()}, nil
		}
		if err != nil {
			if kind == Operator && errors.Is(err, approval.ErrDiskFull) { // an agent must not learn that it filled the disk
				err = fault{http.StatusServiceUnavailable, approval.ErrDiskFull.Error()}
			}
			g.fail(w, r, err)
			return
		}
		if status != 0 {
			respond(w, status, body)
		}
	})
}

// checkAfter makes the end of a request's body an error if the caller's credential is not valid any
// more: an agent that holds a body back must not act later by a check from before.
func (g *Gateway) checkAfter(r *http.Request, kind CredentialKind, least Role) {
	if r.Body == http.NoBody {
		return
	}
	r.Body = checkedBody{r.Body, func() error {
		_, err := g.still(r, kind, least)
		return err
	}}
}

type checkedBody struct {
	io.ReadCloser
	check func() error
}

func (b checkedBody) Read(buf []byte) (int, error) {
	n, err := b.ReadCloser.Read(buf)
	if errors.Is(err, io.EOF) {
		if why := b.check(); why != nil {
			err = why
		}
	}
	return n, err
}

// unknownCaller answers a request without a valid credential.
func (g *Gateway) unknownCaller(w http.ResponseWriter, r *http.Request, why error) {
	if r.Header.Get("Authorization") != "" {
		g.tried("wrong token", r, "")
	}
	g.fail(w, r, why)
}

// Status returns the HTTP status and the text of an error of this package, for the client that
// caused it. For faults of the gateway itself, the text has no details.
func Status(err error) (status int, msg string) {
	var f fault
	var b badInput
	var stored storedError
	switch {
	case errors.As(err, &stored):
		_, msg = Status(stored.error)
		return http.StatusServiceUnavailable, "the change is stored, but a later step failed: " + strings.TrimSuffix(msg, ": try again")
	case errors.As(err, &f):
		return f.status, f.msg
	case errors.As(err, &b):
		return http.StatusBadRequest, b.msg
	case errors.Is(err, approval.ErrNone):
		return http.StatusNotFound, err.Error()
	case errors.Is(err, approval.ErrChanged), errors.Is(err, approval.ErrDuplicate), errors.As(err, new(approval.StaleError)):
		return http.StatusConflict, err.Error()
	case errors.Is(err, approval.ErrFull):
		return http.StatusTooManyRequests, err.Error()
	case errors.Is(err, approval.ErrUnavailable):
		return http.StatusServiceUnavailable, approval.ErrUnavailable.Error()
	}
	return http.StatusInternalServerError, "the gateway failed: see its log"
}

// agentError returns the text of an error for the agent that caused it. Faults of the database and of the
// machine go only to the log.
func agentError(err error) string {
	var local interface{ Told() string }
	switch {
	case errors.Is(err, approval.ErrUnavailable):
		return approval.ErrUnavailable.Error()
	case errors.As(err, &local):
		return local.Told()
	}
	return err.Error()
}

// fail answers with an error and its status.
func (g *Gateway) fail(w http.ResponseWriter, r *http.Request, err error) {
	if why := ended(r.Context()); why != nil {
		err = why
	}
	status, msg := Status(err)
	if status >= http.StatusInternalServerError && r.Context().Err() != nil {
		// The client is gone, or has only closed its side: without an answer, net/http would send 200.
		status, msg, err = http.StatusBadRequest, "the connection ended before the answer", nil
	}
	switch status {
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", "Bearer")
	case http.StatusTooManyRequests:
		w.Header().Set("Retry-After", "10")
	case http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "1")
	}
	if status >= http.StatusInternalServerError && !errors.Is(err, errLapsed) {
		g.log.Error("a request failed", "path", r.URL.Path, "error", err)
	}
	respond(w, status, map[string]string{"error": msg})
}

func respond(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_ = json.NewEncoder(escaped{w}).Encode(body) // the client may have gone
}

// escaped escapes characters that would steer a terminal in the JSON that is written through it.
type escaped struct{ io.Writer }

func (e escaped) Write(b []byte) (int, error) {
	_, err := e.Writer.Write(visible.JSON(b))
	return len(b), err
}

// read decodes a body strictly. An empty body leaves v unchanged if mayBeEmpty is set.
func read(w http.ResponseWriter, r *http.Request, v any, mayBeEmpty bool) error {
	tooLarge := fault{http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is larger than %d bytes", maxBody)}
	if r.ContentLength > maxBody { // no one waits for a refused request
		w.Header().Set("Connection", "close")
		return tooLarge
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var large *http.MaxBytesError
	var ended fault // of checkAfter
	switch {
	case errors.As(err, &ended), errors.Is(err, approval.ErrUnavailable):
		return err
	case errors.As(err, &large):
		return tooLarge
	case err != nil:
		return bad("the body ends too early")
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	switch err := dec.Decode(v); {
	case errors.Is(err, io.EOF) && mayBeEmpty:
		return nil
	case err != nil:
		return bad("the body is not the expected JSON: %v", jsonfault.Words(err))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return bad("the body has more than one JSON document")
	}
	if err := jsonfault.Ambiguous(body); err != nil {
		return bad("%v", err)
	}
	// A form of another site cannot send this type without the browser's preflight.
	if t, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); !strings.EqualFold(strings.TrimSpace(t), "application/json") {
		return fault{http.StatusUnsupportedMediaType, "send Content-Type: application/json"}
	}
	return nil
}

// guarded rejects requests that an attacker can make a browser send: those under another host's
// name (DNS rebinding), and those from another site's page (CSRF).
func (g *Gateway) guarded(hosts []string, next http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		respond(w, http.StatusForbidden, map[string]string{"error": "pages of other sites must not use this gateway: call it from a program"})
	}))
	return cross.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if why := egress.Ambiguous(r); why != nil { // a server in front may have forwarded it as another request
			g.tried("ambiguous request", r, "")
			w.Header().Set("Connection", "close")
			respond(w, http.StatusBadRequest, map[string]string{"error": why.Error()})
			return
		}
		if !allowedHost(r.Host, hosts) {
			respond(w, http.StatusMisdirectedRequest, map[string]string{"error": "this gateway does not answer to that host name: add it with --host"})
			return
		}
		if len(r.Header.Values("Authorization")) > 1 { // a server in front may have checked another one than this gateway
			respond(w, http.StatusBadRequest, map[string]string{"error": "send one Authorization header"})
			return
		}
		next.ServeHTTP(w, r)
	}))
}

// allowedHost reports whether a Host header names this machine by a loopback address, or by one of
// the given names.
func allowedHost(host string, names []string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if host == "localhost" {
		return true
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsLoopback() {
		return true
	}
	return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, host) })
}

// Handler serves both sides. The credential decides which one, so that an agent never reaches a
// route that decides. hosts are the names of the gateway in addition to its loopback addresses.
func (g *Gateway) Handler(hosts ...string) http.Handler {
	agents, operators := g.AgentHandler(hosts...), g.OperatorHandler(hosts...)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, err := g.who(r)
		switch {
		case strings.HasPrefix(r.URL.Path, "/git/"), r.URL.Path == "/mcp", err == nil && p.Kind == Agent, strings.HasPrefix(r.Header.Get("Authorization"), "Bearer "+prefixes[Agent]):
			agents.ServeHTTP(w, r)
			return
		case errors.Is(err, errNobody) && r.Header.Get("Authorization") != "":
			g.unknownCaller(w, r, err)
			return
		}
		operators.ServeHTTP(w, r)
	})
}

// status returns how long the gateway has run, and how long it will still run.
func (g *Gateway) status() map[string]any {
	up := g.now().Sub(g.started)
	out := map[string]any{"startedAt": g.started.UnixMilli(), "uptime": Uptime(up), "maxUptimeMs": nil, "maxUptime": nil, "remainingMs": nil, "remaining": nil}
	if g.uptime > 0 {
		left := max(g.uptime-up, 0)
		out["maxUptimeMs"], out["maxUptime"], out["remainingMs"], out["remaining"] = g.uptime.Milliseconds(), Uptime(g.uptime), left.Milliseconds(), Uptime(left)
	}
	return out
}

// Server returns an HTTP server for a listener of egress.Strict, with the limits of this package,
// so that slow clients cannot exhaust it. It has no limit on connections, by which an agent could lock
// people out.
func Server(h http.Handler) *http.Server {
	s := egress.Unbounded(h)
	s.ReadTimeout = time.Minute
	return s
}
