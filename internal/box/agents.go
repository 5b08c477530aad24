package box

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/egress"
)

// agentPrefix is the prefix of agents' tokens.
const agentPrefix = "umpa_"

// bridgeAgents listens on a Unix socket and forwards requests for the agents' API to the gateway.
// The gateway may serve people at the same address: their tokens, cookies and login links do not
// work inside the sandbox.
func bridgeAgents(ctx context.Context, socket string, to *url.URL) (io.Closer, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "unix", socket)
	if err != nil {
		return nil, err
	}
	srv := &http.Server{Handler: agentsOnly(to), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10, ErrorLog: log.New(io.Discard, "", 0)}
	go func() { _ = egress.ServeStrict(srv, l) }() // ends with the listener
	return srv, nil
}

// agentsOnly forwards agents' calls, and answers all others with 404.
func agentsOnly(to *url.URL) http.Handler {
	forward := &httputil.ReverseProxy{
		FlushInterval: -1, // flush output and answers at once
		ErrorLog:      log.New(io.Discard, "", 0),
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Host = to.Host
			r.Out.Header.Del("Cookie")
			r.Out.Header.Del("Upgrade")
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
			answerBox(w, http.StatusBadGateway, "the gateway does not answer")
		},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !agentPath(r.URL):
			answerBox(w, http.StatusNotFound, "not found")
		case !ofAgent(r):
			answerBox(w, http.StatusUnauthorized, "missing agent token: send Authorization: Bearer $UMPIRE_TOKEN")
		default:
			forward.ServeHTTP(w, r)
		}
	})
}

func answerBox(w http.ResponseWriter, status int, msg string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": msg}) // the client may have left
}

// agentPath reports whether a path belongs to the agents' API, in its canonical spelling.
func agentPath(u *url.URL) bool {
	if u.Path != path.Clean(u.Path) && u.Path != path.Clean(u.Path)+"/" || strings.Contains(u.EscapedPath(), "%2") {
		return false
	}
	if anyof.HasPrefix(u.Path, "/api/", "/git/", "/v1/guard/") {
		return true
	}
	return u.Path == "/mcp" || u.Path == "/healthz" || u.Path == "/readyz"
}

// ofAgent reports whether a request contains an agent's token and no other credential, or none at
// all.
func ofAgent(r *http.Request) bool {
	list := r.Header.Values("Authorization")
	if len(list) == 0 {
		return true
	}
	token, bearer := strings.CutPrefix(list[0], "Bearer ")
	if _, password, ok := r.BasicAuth(); ok { // git
		token, bearer = password, true
	}
	return len(list) == 1 && bearer && strings.HasPrefix(token, agentPrefix)
}
