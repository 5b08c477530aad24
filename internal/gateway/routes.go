package gateway

import (
	"context"
	_ "embed"
	"errors"
	"net/http"
	"net/http/pprof"
	"slices"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/umpire-dev/umpire/internal/approval"
)

// route is one route of the REST API, with the role that may call it.
type route struct {
	pattern string
	least   Role // lowest role of operators
	h       handler
}

// shows answers with what get returns, under a key unless that is "".
func shows[T any](key string, get func(context.Context) (T, error)) handler {
	return func(_ http.ResponseWriter, r *http.Request, _ Principal) (int, any, error) {
		list, err := get(r.Context())
		if key == "" {
			return http.StatusOK, list, err
		}
		return http.StatusOK, map[string]any{key: list}, err
	}
}

// acts answers whether a person's action on what the path names succeeded.
func acts(act func(context.Context, string, Principal) error) handler {
	return func(_ http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
		return http.StatusOK, map[string]bool{"ok": true}, act(r.Context(), r.PathValue("id"), p)
	}
}

// agentRoutes lists what agents may do: ask, read what they asked, and cancel it. No route decides
// anything, lists what others asked, or shows the policy.
func (g *Gateway) agentRoutes() []route {
	list := []route{
		{"POST /api/queue", "", g.postQueue},
		{"GET /api/queue", "", g.ownQueue},
		{"GET /api/queue/{id}", "", g.ownRequest},
		{"DELETE /api/queue/{id}", "", g.cancel},
		{"POST /api/config/propose", "", g.propose},
		{"GET /api/config/propose/{id}", "", g.getExecution},
		{"POST /api/exec", "", postRun[execIn](g)},
		{"GET /api/exec/{id}", "", g.getExecution},
		{"GET /api/exec/{id}/output", "", g.output(true)},
		{"POST /api/packages", "", postRun[packagesIn](g)},
		{"GET /api/packages/{id}", "", g.getExecution},
		{"GET /api/packages/{id}/output", "", g.output(true)},
		{"POST /api/files", "", g.postFiles},
		{"GET /api/files/{id}", "", g.getExecution},
		{"GET /api/sync/files", "", shows("files", g.differing)},
		{"POST /api/sync/files", "", g.postSyncFiles},
		{"GET /api/sync/git", "", g.getSyncGit},
		{"POST /api/sync/git", "", g.postSyncGit},
		{"POST /api/check", "", g.check},
		{"GET /api/secrets", "", g.getSecrets},
	}
	if g.staging != nil {
		list = append(list, route{"GET /api/pushes/{id}", "", g.getExecution})
	}
	return list
}

// operatorRoutes lists what people may do.
func (g *Gateway) operatorRoutes() []route {
	return []route{
		{"GET /api/queue", Viewer, g.getQueue},
		{"GET /api/queue/{id}", Viewer, g.getRequest},
		{"GET /api/queue/{id}/output", Viewer, g.output(false)},
		{"GET /api/queue/{id}/whole", Viewer, g.getFullText},
		{"POST /api/queue/{id}/approve", Approver, g.answer(true)},
		{"POST /api/queue/{id}/deny", Approver, g.answer(false)},
		{"POST /api/queue/{id}/stop", Approver, acts(g.StopRequest)},
		{"GET /api/queue/{id}/rule", Viewer, g.suggestRule},
		{"POST /api/queue/bulk", Approver, g.bulk},
		{"GET /api/rules", Viewer, shows("", g.rulesBody)},
		{"POST /api/rules", Admin, g.postRule},
		{"POST /api/rules/test", Viewer, g.postRuleTest},
		{"DELETE /api/rules", Admin, g.deleteRule},
		{"POST /api/check", Viewer, g.check},
		{"GET /api/config", Viewer, shows("", g.Config)},
		{"DELETE /api/config", Admin, g.deleteSetting},
		{"GET /api/history", Viewer, g.history},
		{"GET /api/audit", Viewer, g.getAudit},
		{"GET /api/project", Viewer, g.getProject},
		{"GET /api/tokens", Admin, shows("tokens", g.Tokens)},
		{"POST /api/tokens", Admin, g.postToken},
		{"DELETE /api/tokens/{id}", Admin, g.deleteToken},
		{"POST /api/tokens/{id}/renew", Admin, acts(g.renewToken)},
		{"POST /api/login", Viewer, g.postLogin},
		{"GET /api/tunnels", Viewer, shows("tunnels", func(context.Context) ([]openTunnel, error) { return g.tunnels(), nil })},
		{"DELETE /api/tunnels/{id}", Approver, acts(func(_ context.Context, id string, p Principal) error { return g.EndTunnel(id, p) })},
		{"GET /api/sessions", Viewer, g.getSessions},
		{"DELETE /api/sessions/{id}", Viewer, acts(func(ctx context.Context, id string, p Principal) error { return g.EndBrowser(ctx, p, id) })},
	}
}

// Extra is a route of another part of the program that this gateway serves, with its side and
// the lowest role of operators who may call it.
type Extra struct {
	Pattern string
	Side    CredentialKind
	Least   Role
	Serve   func(w http.ResponseWriter, r *http.Request, p Principal)
}

// MountRoutes adds routes, and their counters to the metrics. Call it before the gateway serves.
func (g *Gateway) MountRoutes(routes []Extra, counted ...prometheus.Collector) error {
	for _, c := range counted {
		if err := g.metrics.registry.Register(c); err != nil {
			return err
		}
	}
	g.extra = append(g.extra, routes...)
	return nil
}

// mountExtra adds the extra routes of a side, with the same checks as its own routes.
func (g *Gateway) mountExtra(mux *http.ServeMux, side CredentialKind) {
	for _, e := range g.extra {
		if e.Side == side {
			mux.Handle(e.Pattern, g.wrap(side, e.Least, func(w http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
				e.Serve(w, r, p)
				return 0, nil, nil
			}))
		}
	}
}

// openAPI describes the routes of both sides. A test compares it with them.
//
//go:embed openapi.json
var openAPI []byte

// open adds the routes that need no credential.
func (g *Gateway) open(mux *http.ServeMux) {
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { respond(w, http.StatusOK, map[string]bool{"ok": true}) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		if err := g.store.Healthy(r.Context()); err != nil || g.reason.Load() != nil {
			why := "the gateway is shutting down"
			if err != nil {
				g.log.Warn("the gateway is not ready", "error", err)
				why = approval.ErrUnavailable.Error()
			}
			respond(w, http.StatusServiceUnavailable, map[string]any{"ok": false, "error": why})
			return
		}
		respond(w, http.StatusOK, map[string]bool{"ok": true})
	})
	mux.HandleFunc("GET /api/status", func(w http.ResponseWriter, _ *http.Request) { respond(w, http.StatusOK, g.status()) })
	mux.HandleFunc("GET "+ProofPath, g.prove)
	mux.HandleFunc("GET /api/openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(openAPI) // the client may have gone
	})
	mux.Handle("/api/", g.unknown(mux))
	mux.Handle("/v1/guard/", g.unknown(mux))
}

// unknown answers unknown paths of REST, and unknown methods of a path, in the form of all REST
// errors.
func (g *Gateway) unknown(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch p, err := g.who(r); {
		case errors.Is(err, errNobody):
			g.unknownCaller(w, r, err)
			return
		case err == nil && p.Kind == Agent: // it may be trying a route of people
			g.tried("agent at an unknown route", r, p.Name)
		}
		var methods []string
		for _, m := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete} {
			probe := &http.Request{Method: m, URL: r.URL, Host: r.Host}
			if _, pattern := mux.Handler(probe); strings.HasPrefix(pattern, m+" ") {
				methods = append(methods, m)
			}
		}
		if len(methods) == 0 {
			respond(w, http.StatusNotFound, map[string]string{"error": errNotFound.msg})
			return
		}
		if slices.Contains(methods, http.MethodGet) {
			methods = append(methods, http.MethodHead)
		}
		w.Header().Set("Allow", strings.Join(methods, ", "))
		respond(w, http.StatusMethodNotAllowed, map[string]string{"error": "this path takes " + strings.Join(methods, ", ")})
	})
}

// AgentHandler returns the handler for agents. hosts are as for Handler.
func (g *Gateway) AgentHandler(hosts ...string) http.Handler {
	mux := http.NewServeMux()
	g.open(mux)
	for _, r := range g.agentRoutes() {
		mux.Handle(r.pattern, g.wrap(Agent, r.least, r.h))
	}
	g.mountExtra(mux, Agent)
	g.mountGit(mux)
	mux.Handle("/mcp", g.wrap(Agent, "", g.mcp()))
	return g.guarded(hosts, mux)
}

// OperatorHandler returns the handler for people. hosts are as for Handler.
func (g *Gateway) OperatorHandler(hosts ...string) http.Handler {
	mux := http.NewServeMux()
	g.open(mux)
	for _, r := range g.operatorRoutes() {
		mux.Handle(r.pattern, g.wrap(Operator, r.least, r.h))
	}
	g.mountExtra(mux, Operator)
	mux.Handle("GET /ws", g.wrap(Operator, Viewer, g.websocket))
	mux.Handle("GET /metrics", g.wrap(Operator, Viewer, served(g.metrics)))
	if g.profile {
		mux.Handle("GET /debug/pprof/", g.wrap(Operator, Admin, served(http.HandlerFunc(pprof.Index))))
		mux.Handle("GET /debug/pprof/profile", g.wrap(Operator, Admin, served(http.HandlerFunc(pprof.Profile))))
		mux.Handle("GET /debug/pprof/trace", g.wrap(Operator, Admin, served(http.HandlerFunc(pprof.Trace))))
	}
	if g.pages != nil {
		mux.Handle("/", g.pages)
	}
	return g.guarded(hosts, mux)
}

// served adapts an http.Handler.
func served(h http.Handler) handler {
	return func(w http.ResponseWriter, r *http.Request, _ Principal) (int, any, error) {
		h.ServeHTTP(w, r)
		return 0, nil, nil
	}
}
