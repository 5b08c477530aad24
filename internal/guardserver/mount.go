package guardserver

import (
	"context"
	"net/http"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
)

// Access is the purpose of an operation. A program that serves the API with its own credentials
// uses it to decide who may call the operation. The zero value is the most restricted.
type Access int

const (
	Change    Access = iota // changes rules
	Configure               // shows rules and settings
	Judge                   // judges texts
	Describe                // serves the API document
)

// Route is one operation for a program that serves the API itself. That program decides who may
// call it, under which name, and how often.
type Route struct {
	Pattern string // in the syntax of http.ServeMux
	Access  Access
	http.Handler
}

// mounted is the path prefix of the operations that Routes returns.
const mounted = "/v1/guard/"

// Routes returns the operations on texts and rules, and /v1/guard/openapi.json, which describes
// only those. tags maps an Access to the tags of its operations.
func (s *Server) Routes(tags map[Access][]string) []Route {
	var document []byte
	about := route{"GET", mounted + "openapi.json", "This document", nil, nil, 200, false, func(w http.ResponseWriter, _ *http.Request) error {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(document) // the client may have left
		return nil
	}}
	list := []route{about}
	for _, r := range s.routes {
		if strings.HasPrefix(r.path, mounted) {
			list = append(list, r)
		}
	}
	document = openAPI(list, tags)
	out := make([]Route, 0, len(list))
	for _, r := range list {
		h := s.serve(r)
		out = append(out, Route{r.method + " " + r.path, access(r), http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			w.Header().Set("X-Content-Type-Options", "nosniff")
			h.ServeHTTP(w, req)
		})})
	}
	return out
}

func access(r route) Access {
	switch path := strings.TrimPrefix(r.path, mounted); {
	case path == "input", path == "output", path == "tool-output", path == "batch":
		return Judge
	case path == "openapi.json":
		return Describe
	case r.method == http.MethodGet, path == "rules/test":
		return Configure
	}
	return Change
}

type callerKey struct{}

// As returns a context for the requests of an authenticated credential. Its texts belong to the
// tenant of that name, whatever the body says, and its rule changes are recorded under that name.
func As(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, callerKey{}, name)
}

// Caller returns the name from As, or "".
func Caller(ctx context.Context) string {
	name, _ := ctx.Value(callerKey{}).(string)
	return name
}

// tenant returns the tenant of a text: the credential's, if there is one, so that no client can act
// for another.
func tenant(ctx context.Context, said string) string {
	if name := Caller(ctx); name != "" {
		return name
	}
	return said
}

// Collectors returns the metrics of the routes and of the guards, for another registry.
func (m *Metrics) Collectors() []prometheus.Collector {
	return []prometheus.Collector{m.failures, m.observed, m.checks, m.took, m.requests, m.served}
}
