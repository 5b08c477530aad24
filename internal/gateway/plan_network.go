package gateway

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/egress"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/redact"
)

// NetworkPlan contacts a host: with a request, or with a tunnel if the method is CONNECT.
type NetworkPlan struct {
	Method string `json:"method,omitempty"`
	Scheme string `json:"scheme,omitempty"`
	Host   string `json:"host,omitempty"` // lower case, ASCII, without a final dot
	Port   string `json:"port,omitempty"`
	Path   string `json:"path,omitempty"`
	Query  string `json:"query,omitempty"`
	Body   string `json:"body,omitempty"` // SHA-256 and length of the body that people see
	// Headers is the SHA-256 of the headers that people see.
	Headers string `json:"headers,omitempty"`
}

// webPorts maps a scheme to its default port.
var webPorts = map[string]string{"http": "80", "https": "443"}

// readNetwork parses "CONNECT host:port" or "METHOD URL".
func readNetwork(s *Submission) (Plan, error) {
	if _, err := metadata[extra](s); err != nil {
		return nil, err
	}
	method, target, ok := strings.Cut(s.Action, " ")
	if !ok || method == "" || strings.Trim(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" || strings.ContainsAny(target, " \t\r\n") {
		return nil, bad("the action of network must be \"CONNECT host:port\" or \"METHOD URL\"")
	}
	n := &NetworkPlan{Method: method}
	if method == "CONNECT" {
		i := strings.LastIndexByte(target, ':')
		if i < 0 {
			return nil, bad("CONNECT needs host:port")
		}
		n.Host, n.Port = target[:i], target[i+1:]
	} else {
		u, err := url.Parse(target)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
			return nil, bad("%q must be an http or https address", target)
		}
		n.Scheme, n.Host, n.Port, n.Path, n.Query = u.Scheme, u.Hostname(), u.Port(), (&url.URL{Path: path.Clean("/" + u.Path)}).EscapedPath(), u.RawQuery
		if n.Port == "" {
			n.Port = webPorts[u.Scheme]
		}
	}
	err := egress.CheckPort(n.Port)
	if err != nil {
		return nil, bad("%v", err)
	}
	if n.Host, err = egress.Host(n.Host); err != nil {
		return nil, bad("%v", err)
	}
	return n, nil
}

// networkPlan returns the plan for a request of a client of the proxy.
func networkPlan(t *egress.Target) NetworkPlan {
	return NetworkPlan{Method: t.Method, Scheme: t.Scheme, Host: t.Host, Port: t.Port, Path: t.Path, Query: t.Query}
}

func (n *NetworkPlan) category() approval.Category { return approval.Network }

func (n *NetworkPlan) title() string {
	if n.Method == "CONNECT" {
		return "CONNECT " + joinHost(n.Host, n.Port)
	}
	host := n.Host
	if n.Port != webPorts[n.Scheme] || strings.Contains(host, ":") {
		host = joinHost(n.Host, n.Port)
	}
	return n.Method + " " + n.Scheme + "://" + host + n.Path + n.shortQuery()
}

func (n *NetworkPlan) action(root string) *umpire.Action {
	at := "https://" + joinHost(n.Host, n.Port)
	if n.Method != "CONNECT" {
		if at = n.Scheme + "://" + joinHost(n.Host, n.Port) + n.Path; n.Query != "" { // a query sends data out
			at += "?" + n.Query
		}
	}
	return local(root, "WebFetch", map[string]any{"url": at})
}

// operations adds the method and the path to the operation: a fetch tool has no method, but rules
// may name one, and a path. The query is data and part of neither.
func (n *NetworkPlan) operations(a *umpire.Action, env operation.Env) []umpire.Operation {
	ops := operation.Read(a, env)
	for i := range ops {
		if n.Method != "CONNECT" && ops[i].Kind == umpire.Network {
			ops[i].Resource = n.Method + " " + joinHost(n.Host, n.Port) + n.Path
		}
	}
	return ops
}

// bind returns the data that the query sends out, because the title may contain only a part of it.
func (n *NetworkPlan) bind(context.Context, *Gateway) (shown string, err error) {
	return n.sends(), nil
}

func (n *NetworkPlan) checkUnchanged(context.Context, *Gateway) error { return nil }

// otherPort reports whether the port is neither 80 nor 443. A rule must name such a port.
func (n *NetworkPlan) otherPort() bool { return n.Port != "80" && n.Port != "443" && n.Port != "" }

// shortQuery returns the query for a title, with secrets masked, so that people see what it sends
// out. A long query is cut, and the title says so; the card has all of it.
func (n *NetworkPlan) shortQuery() string {
	if n.Query == "" {
		return ""
	}
	q := redact.Readable(n.Query)
	if len(q) > maxQueryTitle {
		q = strings.ToValidUTF8(q[:maxQueryTitle], "") + fmt.Sprintf("... (%d bytes)", len(n.Query))
	}
	return "?" + q
}

// maxQueryTitle is the length limit of a query in a title, in bytes.
const maxQueryTitle = 200

func joinHost(host, port string) string {
	if strings.Contains(host, ":") {
		return "[" + host + "]:" + port
	}
	return host + ":" + port
}

// shown returns what a proxied request sends out, for people.
func (n *NetworkPlan) shown(body []byte, size int64) string {
	text := n.sends()
	if len(body) == 0 {
		return text
	}
	of := fmt.Sprintf("%d bytes", len(body))
	if size < 0 || size > int64(len(body)) {
		of = fmt.Sprintf("the first %d bytes, and there may be more", len(body))
		if size > 0 {
			of = fmt.Sprintf("the first %d of %d bytes", len(body), size)
		}
	}
	if bytes.IndexByte(body, 0) >= 0 || !utf8.Valid(body[:max(0, len(body)-4)]) {
		return text + fmt.Sprintf("sends a body that is not text: %s, SHA-256 %x\n", of, sha256.Sum256(body))
	}
	return text + "sends in its body, " + of + ":\n    " + strings.ReplaceAll(strings.TrimRight(redact.Readable(strings.ToValidUTF8(string(body), "\uFFFD")), "\n"), "\n", "\n    ") + "\n"
}

// fresh lists headers that clients set anew for each try. An answer covers any short value of them.
var fresh = []string{"Date", "Idempotency-Key", "Sec-Websocket-Key", "Traceparent", "X-Amz-Date", "X-Request-Id"}

// bindHeaders binds the plan to the headers of a request, which can send out as much data as a
// body. It returns the headers for people.
func (n *NetworkPlan) bindHeaders(h http.Header) string {
	if len(h) == 0 {
		return ""
	}
	var b strings.Builder
	sum := sha256.New()
	b.WriteString("sends in its headers:\n")
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			fmt.Fprintf(&b, "    %s\n", redact.Readable(name+": "+value))
			if slices.Contains(fresh, name) && len(value) <= 64 {
				value = ""
			}
			fmt.Fprintf(sum, "%s %q\n", name, value)
		}
	}
	n.Headers = hex.EncodeToString(sum.Sum(nil))
	return b.String()
}

// sends returns what the query of a request sends out, for people.
func (n *NetworkPlan) sends() string {
	if n.Query == "" {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "sends by its query, %d bytes:\n", len(n.Query))
	for part := range strings.SplitSeq(n.Query, "&") {
		if text, err := url.QueryUnescape(part); err == nil {
			part = text
		}
		b.WriteString("    " + strings.ReplaceAll(redact.Readable(part), "\n", "\n    ") + "\n")
	}
	return b.String()
}
