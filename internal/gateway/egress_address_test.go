package gateway

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/egress"
)

// A deny rule for addresses holds for every name that leads there, however wide its pattern is. Only a
// rule for all hosts is about names.
func TestWidePatternsHoldForNames(t *testing.T) {
	const allow = "rules:\n  - allow: network(good.example)\n"
	for rules, want := range map[string]bool{
		allow + "  - deny: [network(127.0.0.0/8), network(198.51.100.0/24), network(203.0.113.0/24)]\n":   true,
		allow + "  - deny: network(0.0.0.0/0)\n":                                                          true,
		allow + "  - deny: network(1*)\n":                                                                 true,
		allow + "  - deny: network(*.*.*.*)\n":                                                            true,
		allow + "  - deny: [network(*.bad.example), network(127.0.0.2)]\n":                                true,
		allow + "  - deny: network(*)\n    unless: network(good.example)\n":                               false,
		allow + "  - deny: network(*)\n    unless: network(good.example)\n  - deny: network(0.0.0.0/0)\n": true,
		"modes: {network: deny-all}\n" + allow:                                                            false,
		"modes: {network: deny-all}\nallowedEndpoints: [good.example]\n":                                  false,
		"allowedEndpoints: [good.example]\nrules:\n  - deny: network(127.0.0.0/8)\n":                      true,
		"allowedEndpoints: [good.example, 127.0.0.2]\nrules:\n  - deny: network(127.0.0.0/8)\n":           false,
		allow + "  - deny: network(::/0)\n":                                                               false,
		allow + "  - deny: network(POST 127.0.0.0/8)\n":                                                   false,
		allow + "  - deny: network(GET 127.0.0.0/8)\n":                                                    true,
		allow + "  - ask: network(127.0.0.0/8)\n":                                                         false,
	} {
		w := newWorld(t, rules)
		n := NetworkPlan{Method: "GET", Scheme: "http", Host: "good.example", Port: "80", Path: "/"}
		p := Principal{Kind: Agent, Name: "a", ID: "x"}
		if d, _, _ := w.g.decide(&n, p, "s"); d.Effect != umpire.Allow {
			t.Errorf("with %q: the name is decided as %s, want allow", rules, d.Effect)
		}
		if d := w.g.denied(n, p, "s", netip.MustParseAddr("127.0.0.2")); (d.why != "") != want || d.inside {
			t.Errorf("with %q: its address is denied with %q, want a denial: %v", rules, d.why, want)
		}
	}
}

// What a person denied for a session holds for the addresses of names: beside a rule for all hosts, and
// on a connection that another session of the same agent left open.
func TestSessionsDenialHoldsForAddresses(t *testing.T) {
	w := newWorld(t, "rules:\n  - allow: network(good.example:*)\n  - deny: network(*)\n    unless: network(good.example:*)\n")
	up := httptest.NewServer(http.HandlerFunc(hello))
	defer up.Close()
	_, port, _ := net.SplitHostPort(up.Listener.Addr().String())
	p := startProxy(t, w)
	a := must(w.g.holder(t.Context(), w.tokens["agent"]))
	if _, err := w.g.AddRule(t.Context(), Rule{Effect: "deny", Text: "network(127.0.0.0/8)", By: "ada", Agent: a.ID, Session: "s2"}); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		session string
		want    int
	}{{"s1", 200}, {"s2", 403}, {"s1", 200}, {"s2", 403}} {
		res, err := clientOf(t, p, step.session, w.tokens["agent"]).Get("http://good.example:" + port + "/")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
		if res.StatusCode != step.want {
			t.Errorf("session %s: got %d, want %d", step.session, res.StatusCode, step.want)
		}
	}
}

func clientOf(t *testing.T, p *httptest.Server, session, secret string) *http.Client {
	tr := &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", User: url.UserPassword(session, secret), Host: p.Listener.Addr().String()})}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr, Timeout: time.Minute}
}

// stream answers with a line, and goes on until the client is gone.
func stream(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Upgrade") != "" {
		c, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		_, _, _ = c.Read(r.Context())
		return
	}
	_, _ = io.WriteString(w, "begun\n")
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
}

// A request that is under way ends when a rule denies the address that its name leads to.
func TestBusyConnectionEndsWithItsAddress(t *testing.T) {
	const rules = "rules:\n  - allow: network(good.example:*)\n"
	ends := func(t *testing.T, w *world, read func() error) {
		t.Helper()
		eventually(t, func() (bool, string) {
			list := w.g.tunnels()
			return len(list) == 1, fmt.Sprintf("%d requests are under way, want 1", len(list))
		})
		w.call("admin", "POST", "/api/rules", map[string]any{"type": "deny", "rule": "network(127.0.0.0/8)"})
		if err := read(); err == nil || strings.Contains(err.Error(), "deadline") || strings.Contains(err.Error(), "Timeout") {
			t.Errorf("the request goes on: %v", err)
		}
	}
	readAll := func(t *testing.T, client *http.Client, url string) func() error {
		t.Helper()
		res, err := client.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = res.Body.Close() })
		if res.StatusCode != http.StatusOK {
			t.Fatalf("got status %d, want 200", res.StatusCode)
		}
		return func() error {
			_, err := io.ReadAll(res.Body)
			return err
		}
	}
	t.Run("plain", func(t *testing.T) {
		w := newWorld(t, rules)
		up := httptest.NewServer(http.HandlerFunc(stream))
		defer up.Close()
		_, port, _ := net.SplitHostPort(up.Listener.Addr().String())
		client := clientOf(t, startProxy(t, w), "s1", w.tokens["agent"])
		ends(t, w, readAll(t, client, "http://good.example:"+port+"/"))
	})
	t.Run("WebSocket", func(t *testing.T) {
		w := newWorld(t, rules)
		up := httptest.NewServer(http.HandlerFunc(stream))
		defer up.Close()
		_, port, _ := net.SplitHostPort(up.Listener.Addr().String())
		client := clientOf(t, startProxy(t, w), "s1", w.tokens["agent"])
		client.Timeout = 0
		c, _, err := websocket.Dial(t.Context(), "ws://good.example:"+port+"/", &websocket.DialOptions{HTTPClient: client}) //nolint:bodyclose // the library does
		if err != nil {
			t.Fatal(err)
		}
		ends(t, w, func() error { _, _, err := c.Read(t.Context()); return err })
	})
	t.Run("HTTP/2", func(t *testing.T) {
		s := newSecured(t, http.HandlerFunc(stream), rules, func(o *Options, _ string) { o.Intercept = must(ParseHosts([]string{"good.example"})) }, nil)
		ends(t, s.world, readAll(t, s.client(), "https://good.example:"+s.port()+"/"))
	})
}

// A rule that denies some requests at an address lets no blind tunnel to a name pass: the proxy looks
// into it, or refuses it.
func TestTunnelWhereSomeRequestsAreDenied(t *testing.T) {
	const rules, some = "rules:\n  - allow: network(good.example:*)\n", "  - deny: network(POST 127.0.0.1:*/*)\n"
	noCA := func(o *egress.Options) { o.Certificate = nil }
	pass := func(o *Options, _ string) { o.PassThrough = must(ParseHosts([]string{"good.example"})) }
	for _, tt := range []struct {
		name, rules string
		change      func(*Options, string)
		egressed    func(*egress.Options)
		get, post   int
		by          string
	}{
		{"no such rule", rules, nil, nil, 200, 200, "the server"},
		{"a rule", rules + some, nil, nil, 200, 403, "umpire"},
		{"a rule that asks", rules + strings.ReplaceAll(some, "deny", "ask"), nil, nil, 200, 200, "the server"},
		{"without a CA", rules + some, nil, noCA, 0, 0, ""},
		{"exempt from inspection", rules + some, pass, nil, 0, 0, ""},
	} {
		s := newSecured(t, http.HandlerFunc(hello), tt.rules, tt.change, tt.egressed)
		for method, want := range map[string]int{"GET": tt.get, "POST": tt.post} {
			got, by := s.do(s.client(), method, "good.example", "/x", nil)
			if got.status != want || by != tt.by || want == 0 && (got.err == nil || !strings.Contains(got.err.Error(), "Forbidden")) {
				t.Errorf("%s, %s: got %+v by %q, want %d by %q", tt.name, method, got, by, want, tt.by)
			}
		}
	}
	w := newWorld(t, rules)
	up := must(net.Listen("tcp", "127.0.0.1:0")) // it says nothing
	defer up.Close()
	port := fmt.Sprint(up.Addr().(*net.TCPAddr).Port)
	c := openTunnelTo(t, startProxy(t, w), "good.example:"+port, w.tokens["agent"])
	_, _ = io.WriteString(c, "hello")
	w.call("admin", "POST", "/api/rules", map[string]any{"type": "deny", "rule": "network(POST 127.0.0.1:" + port + "/*)"})
	_ = c.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := io.ReadAll(c); isTimeout(err) {
		t.Error("a blind tunnel stays open after a rule denies some requests at its address")
	}
}
