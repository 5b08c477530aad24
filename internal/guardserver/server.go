package guardserver

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/umpire-dev/umpire/guard"
	"github.com/umpire-dev/umpire/internal/modelproxy"
)

// Input and Output judge the texts of users and of models, as for the proxy.
type (
	Input  = modelproxy.Input
	Output = modelproxy.Output
)

// Rules are rules that can change while the server runs; *guard.Rules implements it.
type Rules interface {
	Current() guard.RuleSet
	History() []guard.RuleSet
	Put(by string, base int, r guard.Rule) (guard.RuleSet, error)
	Delete(by string, base int, id string) (guard.RuleSet, error)
	Rollback(by string, base, version int) (guard.RuleSet, error)
	Test(r guard.Rule, samples []string) ([]guard.RuleTest, error)
}

// Options configure a Server.
type Options struct {
	Input    Input
	Output   Output
	Sanitize func(ctx context.Context, r ToolRequest) (Sanitized, error)
	Rules    Rules
	Config   any          // the response of GET /v1/guard/config, which must contain no secret
	Proxy    http.Handler // serves requests outside this API; if nil, they get 404
	Metrics  *Metrics
	Log      *slog.Logger // slog.Default() if nil

	Token    string        // token that clients must send; if empty, none is needed
	Hosts    []string      // host names of the server, in addition to localhost and IP addresses
	MaxBody  int64         // 1 MiB if zero
	MaxBatch int           // limit of texts in a batch, 100 if zero
	MaxOpen  int           // limit of concurrent requests; 256 if zero; the proxy has its own limits
	Timeout  time.Duration // for one request to this API, 30 s if zero
}

// Server is an http.Handler.
type Server struct {
	o        Options
	token    [sha256.Size]byte
	open     chan struct{}
	draining atomic.Bool
	routes   []route
	handler  http.Handler
	document []byte
}

// route is one operation of the API.
type route struct {
	method, path string
	summary      string
	in, out      any  // values of the body types; nil if there is no body
	status       int  // status of success
	public       bool // requires no token
	serve        func(w http.ResponseWriter, r *http.Request) error
}

// New returns a server.
func New(o Options) *Server {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Metrics == nil {
		o.Metrics = NewMetrics()
	}
	if o.MaxBody <= 0 {
		o.MaxBody = 1 << 20
	}
	if o.MaxBatch <= 0 {
		o.MaxBatch = 100
	}
	if o.MaxOpen <= 0 {
		o.MaxOpen = 256
	}
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
	s := &Server{o: o, token: sha256.Sum256([]byte(o.Token)), open: make(chan struct{}, o.MaxOpen)}
	s.routes = s.table()
	s.document = openAPI(s.routes, nil)
	mux := http.NewServeMux()
	paths := map[string]map[string]http.Handler{} // by method
	for _, r := range s.routes {
		if paths[r.path] == nil {
			paths[r.path] = map[string]http.Handler{}
		}
		paths[r.path][r.method] = s.serve(r)
	}
	for path, methods := range paths {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			method := r.Method
			if method == http.MethodHead {
				method = http.MethodGet
			}
			if h := methods[method]; h != nil {
				h.ServeHTTP(w, r)
				return
			}
			allowed := strings.Join(slices.Sorted(maps.Keys(methods)), ", ")
			w.Header().Set("Allow", allowed)
			writeProblem(w, problem(http.StatusMethodNotAllowed, "this path takes %s: see /openapi.json", allowed))
		})
	}
	mux.HandleFunc("/v1/guard/", notFound)
	if o.Proxy != nil {
		mux.Handle("/", s.proxied())
	} else {
		mux.HandleFunc("/", notFound)
	}
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		writeProblem(w, problem(http.StatusForbidden, "pages of other sites must not use this server: call it from a program"))
	}))
	s.handler = cross.Handler(mux)
	return s
}

func notFound(w http.ResponseWriter, _ *http.Request) {
	writeProblem(w, problem(http.StatusNotFound, "there is nothing here: see /openapi.json"))
}

// Drain makes /readyz report that the server is shutting down.
func (s *Server) Drain() { s.draining.Store(true) }

// HTTP returns an HTTP server with limits on slow clients. The handler limits the time for a
// request's body and response.
func (s *Server) HTTP() *http.Server {
	return &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(s.o.Log.Handler(), slog.LevelWarn),
	}
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if !s.calledRightly(r.Host) {
		// Otherwise a page could use DNS rebinding to reach the server.
		writeProblem(w, problem(http.StatusMisdirectedRequest, "unknown host name: use the address or localhost, or start the server with --host"))
		return
	}
	s.handler.ServeHTTP(w, r)
}

// calledRightly reports whether a Host header is valid. It accepts every IP address, because DNS
// rebinding needs a name.
func (s *Server) calledRightly(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if _, err := netip.ParseAddr(host); err == nil || host == "localhost" {
		return true
	}
	return slices.ContainsFunc(s.o.Hosts, func(h string) bool { return strings.EqualFold(h, host) })
}

func (s *Server) may(shown string) bool {
	sum := sha256.Sum256([]byte(shown)) // so that the comparison does not reveal the length either
	return s.o.Token == "" || subtle.ConstantTimeCompare(sum[:], s.token[:]) == 1
}

// status records the response's status.
type status struct {
	http.ResponseWriter
	code int
}

func (s *status) WriteHeader(code int) {
	if s.code == 0 && code >= 200 {
		s.code = code
	}
	s.ResponseWriter.WriteHeader(code)
}

func (s *status) Write(b []byte) (int, error) {
	s.code = cmp.Or(s.code, http.StatusOK)
	return s.ResponseWriter.Write(b)
}

// Unwrap makes deadlines and flushing available to http.ResponseController.
func (s *status) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// requestID returns the client's ID of a request, if it is valid, or a new one.
func requestID(r *http.Request) string {
	id := r.Header.Get("X-Request-Id")
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_'
	}
	if id == "" || len(id) > 64 || strings.ContainsFunc(id, func(c rune) bool { return !plain(c) }) {
		var b [12]byte
		_, _ = rand.Read(b[:]) // never fails, as documented
		id = hex.EncodeToString(b[:])
	}
	return id
}

// serve wraps an operation with the common checks, limits, metrics and logs.
func (s *Server) serve(t route) http.Handler {
	name := t.method + " " + t.path
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		out := &status{ResponseWriter: w}
		id := requestID(r)
		w.Header().Set("X-Request-Id", id)
		w.Header().Set("Cache-Control", "no-store")
		defer func() {
			if p := recover(); p != nil {
				s.o.Log.ErrorContext(r.Context(), "panic", "route", name, "id", id)
				if out.code == 0 {
					writeProblem(out, problem(http.StatusInternalServerError, "internal error: umpire's log has the cause"))
				}
			}
			s.o.Metrics.request(name, out.code, time.Since(start))
			s.o.Log.DebugContext(r.Context(), "request", "route", name, "status", out.code, "id", id, "took", time.Since(start))
		}()
		deadline := start.Add(s.o.Timeout)
		control := http.NewResponseController(w)
		_ = control.SetReadDeadline(deadline)
		_ = control.SetWriteDeadline(deadline.Add(s.o.Timeout))
		if !t.public && !s.may(bearer(r)) {
			writeProblem(out, problem(http.StatusUnauthorized, "missing token of the server: send Authorization: Bearer TOKEN"))
			return
		}
		select {
		case s.open <- struct{}{}:
			defer func() { <-s.open }()
		default:
			writeProblem(out, problem(http.StatusServiceUnavailable, "too many requests are under way: try again soon"))
			return
		}
		ctx, cancel := context.WithDeadline(r.Context(), deadline)
		defer cancel()
		if err := t.serve(out, r.WithContext(ctx)); err != nil {
			s.wrong(out, r, err)
		}
	})
}

// one returns the value of a header, or "" if the request has several: a server in front may have
// checked another one than this server would.
func one(r *http.Request, header string) string {
	if list := r.Header.Values(header); len(list) == 1 {
		return list[0]
	}
	return ""
}

func bearer(r *http.Request) string {
	if t := one(r, modelproxy.TokenHeader); t != "" {
		return t
	}
	kind, token, _ := strings.Cut(one(r, "Authorization"), " ")
	if !strings.EqualFold(kind, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// wrong answers for a failed operation.
func (s *Server) wrong(w http.ResponseWriter, r *http.Request, err error) {
	var p *Problem
	switch {
	case errors.As(err, &p):
	case errors.Is(err, guard.ErrNoRule), errors.Is(err, guard.ErrNoVersion):
		p = problem(http.StatusNotFound, "%s: GET /v1/guard/rules lists what there is", err)
	case errors.Is(err, guard.ErrStale):
		p = problem(http.StatusPreconditionFailed, "%s", err)
	default:
		s.o.Log.ErrorContext(r.Context(), "failed", "route", r.Pattern, "error", err)
		p = problem(http.StatusInternalServerError, "internal error: umpire's log has the cause")
	}
	writeProblem(w, p)
}

func answer(w http.ResponseWriter, status int, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(b, '\n')) // fails only if the client has left
	return nil
}

// proxied passes requests outside this API to the proxy. Its clients send umpire's token in a
// separate header.
func (s *Server) proxied() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w) // a connection may have served this API before
		_ = control.SetReadDeadline(time.Time{})
		_ = control.SetWriteDeadline(time.Time{})
		if !s.may(one(r, modelproxy.TokenHeader)) {
			writeProblem(w, problem(http.StatusUnauthorized, "send umpire's token in the header %s: the other credentials are the upstream's", modelproxy.TokenHeader))
			return
		}
		start := time.Now()
		out := &status{ResponseWriter: w}
		defer func() { s.o.Metrics.request("proxy", out.code, time.Since(start)) }()
		s.o.Proxy.ServeHTTP(out, r)
	})
}
