package gateway

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/egress"
)

// out is a gateway with a proxy, a client behind it and a server to reach.
type out struct {
	*world
	c    *http.Client
	up   *httptest.Server
	gate *gate
}

func newOut(t *testing.T, policy string, change ...func(*Options)) *out {
	t.Helper()
	w := newWorld(t, policy, change...)
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "reached ", r.URL.Path) }))
	t.Cleanup(up.Close)
	g := &gate{g: w.g, hold: time.Minute, held: map[string]*question{}}
	p := httptest.NewUnstartedServer(nil)
	p.Config = egress.Server(egress.New(egress.Options{Gate: g, Resolver: names{}, Private: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}))
	p.Listener = egress.Strict(p.Listener)
	p.Start()
	t.Cleanup(p.Close)
	tr := &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", User: url.UserPassword("s1", w.tokens["agent"]), Host: p.Listener.Addr().String()}), DisableKeepAlives: true}
	t.Cleanup(tr.CloseIdleConnections)
	return &out{w, &http.Client{Transport: tr, Timeout: 2 * time.Minute}, up, g}
}

// names resolves every name to the loopback address.
type names struct{}

func (names) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}

type got struct {
	status int
	body   string
	after  string // Retry-After
	err    error
}

func (o *out) get(ctx context.Context, host, path string) got {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+host+":"+o.port()+path, nil)
	if err != nil {
		return got{err: err}
	}
	resp, err := o.c.Do(req)
	if err != nil {
		return got{err: err}
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return got{resp.StatusCode, string(b), resp.Header.Get("Retry-After"), err}
}

func (o *out) port() string {
	_, port, _ := net.SplitHostPort(o.up.Listener.Addr().String())
	return port
}

// waits returns the questions that wait, when there are so many.
func (o *out) waits(n int) []approval.Request {
	o.t.Helper()
	ctx, cancel := context.WithTimeout(o.t.Context(), time.Minute)
	defer cancel()
	for {
		changed, stop := o.s.Changed("")
		list, err := o.g.pending(ctx)
		if err != nil {
			o.t.Fatal(err)
		}
		if len(list) == n {
			stop()
			return list
		}
		select {
		case <-changed:
			stop()
		case <-ctx.Done():
			o.t.Fatalf("%d questions wait, not %d", len(list), n)
		}
	}
}

func (o *out) answer(id string, approve bool, scope string) {
	o.t.Helper()
	verb := map[bool]string{true: "approve", false: "deny"}[approve]
	body := map[string]any{}
	if scope != "" {
		body["scope"] = scope
	}
	if status, said := o.call("admin", "POST", "/api/queue/"+id+"/"+verb, body); status != 200 || said["ok"] != true {
		o.t.Fatalf("%d %v", status, said)
	}
}

func TestProxyByRules(t *testing.T) {
	o := newOut(t, "rules:\n  - deny: network(bad.example)\n  - allow: network(good.example:*)\n  - allow: network(web.example)\n")
	if r := o.get(t.Context(), "good.example", "/x"); r.status != 200 || r.body != "reached /x" {
		t.Errorf("allowed: %+v", r)
	}
	if r := o.get(t.Context(), "bad.example", "/"); r.status != 403 || !strings.Contains(r.body, "umpire denies this") {
		t.Errorf("denied: %+v", r)
	}
	done := make(chan got, 1)
	go func() { done <- o.get(t.Context(), "web.example", "/") }()
	q := o.waits(1)[0]
	if want := "GET http://web.example:" + o.port() + "/"; q.Action != want {
		t.Errorf("asked about %q, want %q: a rule for a host is one for its web server", q.Action, want)
	}
	o.answer(q.ID, false, "")
	if r := <-done; r.status != 403 || !strings.Contains(r.body, "a person denied it") || !strings.Contains(r.body, q.ID) {
		t.Errorf("denied by a person: %+v", r)
	}
}

// A stored rule by which the proxy decides counts as used, each time, also if the answer was kept.
func TestProxyCountsStoredRules(t *testing.T) {
	o := newOut(t, "")
	for effect, text := range map[string]string{"allow": "network(good.example:*)\nnetwork(GET good.example:*)", "deny": "network(bad.example)"} {
		if _, err := o.g.AddRule(t.Context(), Rule{Effect: effect, Text: text, By: "ada"}); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		o.get(t.Context(), "good.example", "/x")
	}
	o.get(t.Context(), "bad.example", "/x")
	rules, err := o.g.Rules(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		if got, want := o.g.ProxyUses()[r.ID], map[string]int{"allow": 3, "deny": 1}[r.Effect]; got.N != want || got.Last.IsZero() {
			t.Errorf("%s %s: used %+v, want %d times", r.Effect, r.Text, got, want)
		}
	}
}

// Each request is a line of its own in the record, also where the answer is one that was
// kept, and says by which policy it was decided.
func TestProxyRecordsEach(t *testing.T) {
	o := newOut(t, "rules:\n  - allow: network(good.example:*)\n  - deny: network(bad.example)\n")
	before := o.g.book.Load().policy.Hash()
	for range 3 {
		if r := o.get(t.Context(), "good.example", "/x"); r.status != 200 {
			t.Fatalf("allowed: %+v", r)
		}
		if r := o.get(t.Context(), "bad.example", "/x"); r.status != 403 {
			t.Fatalf("denied: %+v", r)
		}
	}
	if err := os.WriteFile(o.policy, []byte("version: 1\nrules:\n  - allow: network(good.example:*)\n  - allow: network(other.example)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := o.g.reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := o.get(t.Context(), "good.example", "/x"); r.status != 200 {
		t.Fatalf("allowed by the new policy: %+v", r)
	}
	now := o.g.book.Load().policy.Hash()
	if now == before {
		t.Fatal("the policy is the same")
	}
	seen := map[string]int{}
	for rec, err := range audit.Read(o.g.audit, audit.Query{Kind: audit.Decision}) {
		if err != nil {
			t.Fatal(err)
		}
		e := rec.Event
		if len(e.Ops) == 0 || e.Point != audit.Gateway || e.Principal.Session != "s1" || e.Data["category"] != "network" || len(e.Reasons) == 0 {
			t.Errorf("recorded %+v", e)
			continue
		}
		age := "new"
		if e.Policy == before {
			age = "old"
		}
		seen[e.Effect+" "+e.Data["status"]+" by the "+age]++
	}
	if want := map[string]int{"allow approved by the old": 3, "deny denied by the old": 3, "allow approved by the new": 1}; !maps.Equal(seen, want) {
		t.Errorf("recorded %v, want %v", seen, want)
	}
	if report, err := audit.Verify(o.g.audit); err != nil || !report.OK() {
		t.Errorf("%+v %v", report, err)
	}
}

// A rule may name the method and the path of a plain request.
func TestProxyByMethodAndPath(t *testing.T) {
	o := newOut(t, "modes: {network: deny-all}\nrules:\n  - deny: network(DELETE a.example:*/x/*)\n  - allow: network(a.example:*)\n  - allow: network(GET b.example:*/repos/*)\n")
	for _, tt := range []struct {
		method, host, path string
		status             int
	}{
		{"GET", "a.example", "/x/1", 200},
		{"DELETE", "a.example", "/x/1", 403},
		{"DELETE", "a.example", "/x/1?y=/z", 403},
		{"DELETE", "a.example", "/y/1", 200},
		{"GET", "b.example", "/repos/1?page=2", 200},
		{"POST", "b.example", "/repos/1", 403},
		{"GET", "b.example", "/users/1", 403},
	} {
		req, err := http.NewRequestWithContext(t.Context(), tt.method, "http://"+tt.host+":"+o.port()+tt.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := o.c.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != tt.status {
			t.Errorf("%s %s%s: %d, want %d", tt.method, tt.host, tt.path, resp.StatusCode, tt.status)
		}
	}
}

// waiting counts the connections that wait for an answer.
func (k *gate) waiting() (n int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, q := range k.held {
		q.mu.Lock()
		n += q.waiting
		q.mu.Unlock()
	}
	return n
}

// Connections to the same target wait for one answer, and each later one asks anew.
func TestProxyWaits(t *testing.T) {
	o := newOut(t, "")
	done := make(chan got, 3)
	for range 3 {
		go func() { done <- o.get(t.Context(), "a.example", "/") }()
	}
	q := o.waits(1)[0]
	eventually(t, func() (bool, string) {
		n := o.gate.waiting()
		return n == 3, fmt.Sprint(n, " of 3 connections wait")
	})
	o.answer(q.ID, true, "")
	for range 3 {
		if r := <-done; r.status != 200 {
			t.Errorf("%+v", r)
		}
	}
	go func() { done <- o.get(t.Context(), "a.example", "/") }()
	again := o.waits(1)[0]
	if again.ID == q.ID {
		t.Error("an answer for once let a later connection through")
	}
	o.answer(again.ID, true, "session")
	if r := <-done; r.status != 200 {
		t.Errorf("%+v", r)
	}
	if r := o.get(t.Context(), "a.example", "/"); r.status != 200 {
		t.Errorf("granted for the session: %+v", r)
	}
}

// Who cannot wait is told so, and the answer that comes later is for the next connection.
func TestProxyAnswerComesLate(t *testing.T) {
	o := newOut(t, "")
	o.gate.hold = time.Millisecond
	r := o.get(t.Context(), "a.example", "/")
	if r.status != 403 || !strings.Contains(r.body, `"pending":true`) {
		t.Fatalf("%+v", r)
	}
	o.answer(o.waits(1)[0].ID, true, "")
	o.gate.hold = time.Minute // to hear of it can take longer than the moment
	if r := o.get(t.Context(), "a.example", "/"); r.status != 200 {
		t.Errorf("after the answer: %+v", r)
	}
	o.gate.hold = time.Millisecond
	if r := o.get(t.Context(), "a.example", "/"); r.status != 403 {
		t.Errorf("the answer was for once: %+v", r)
	}
}

// A question whose asker went away is nobody's.
func TestProxyAskerGoes(t *testing.T) {
	o := newOut(t, "")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan got, 1)
	go func() { done <- o.get(ctx, "a.example", "/") }()
	q := o.waits(1)[0]
	cancel()
	if r := <-done; r.err == nil {
		t.Errorf("%+v", r)
	}
	o.waits(0)
	if r, err := o.s.Get(t.Context(), q.ID); err != nil || r.State != approval.Cancelled {
		t.Errorf("%s, %v", r.State, err)
	}
}

// Who comes while the last asker goes is asked about anew, and does not hear that the question
// was taken back.
func TestProxyComesAsAskerGoes(t *testing.T) {
	o := newOut(t, "")
	target := egress.Target{Method: "CONNECT", Host: "a.example", Port: "443"}
	second := make(chan egress.Decision, 1)
	o.g.step = func(at string) {
		if at != "left" {
			return
		}
		o.g.step = nil
		go func() {
			v, err := o.gate.Judge(t.Context(), egress.Client{ID: "a"}, target)
			if err != nil {
				t.Error(err)
			}
			second <- v
		}()
		eventually(t, func() (bool, string) { // by the old question or by one of its own
			return o.gate.waiting() == 1, "it does not wait"
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	first := make(chan error, 1)
	go func() {
		_, err := o.gate.Judge(ctx, egress.Client{ID: "a"}, target)
		first <- err
	}()
	o.waits(1)
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	o.answer(o.waits(1)[0].ID, true, "")
	if v := <-second; !v.Allowed {
		t.Errorf("%+v", v)
	}
}

// Only agents come through the proxy: a token that may decide is of no use there.
func TestProxyTokens(t *testing.T) {
	o := newOut(t, "rules:\n  - allow: network(*:*)\n")
	for name, want := range map[string]error{"agent": nil, "other": nil, "admin": egress.ErrUnknown, "viewer": egress.ErrUnknown, "nobody": egress.ErrUnknown} {
		if _, err := o.gate.Identify(t.Context(), "s", o.tokens[name]); !errors.Is(err, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An agent with too many questions hears so, and one with an impossible session hears why: neither
// is a fault of the gateway for its log.
func TestProxyRefusesQuestions(t *testing.T) {
	var logged logBuffer
	o := newOut(t, "", func(o *Options) { o.Waiting, o.Log = 1, slog.New(slog.NewTextHandler(&logged, nil)) })
	o.ask("exec", "make x", nil)
	if got := o.get(t.Context(), "ask.example", "/"); got.status != http.StatusTooManyRequests || got.after != "10" || !strings.Contains(got.body, "1 wait for an answer") {
		t.Errorf("%+v", got)
	}
	v, err := o.gate.Judge(t.Context(), egress.Client{ID: "c", Name: "c", Session: "s\u200b", Credential: hashToken(o.tokens["other"])}, egress.Target{Method: http.MethodConnect, Host: "ask.example", Port: "443"})
	if err != nil || v.Allowed || v.Open || !strings.Contains(v.Why, "session") {
		t.Errorf("%+v, %v", v, err)
	}
	if strings.Contains(logged.String(), "ERROR") {
		t.Error(logged.String())
	}
}

// What a rule names may be inside; what a wide one covers, or a person let through by its
// name, may not: whoever has a name can point it anywhere.
func TestProxyNamed(t *testing.T) {
	o := newOut(t, "rules:\n  - allow: network(db.inside.example)\n  - allow: network(*.wide.example)\n  - allow: network(10.0.0.0/8)\n")
	for host, want := range map[string]bool{"db.inside.example": true, "x.wide.example": false, "10.1.2.3": true} {
		v, err := o.gate.Judge(t.Context(), egress.Client{ID: "a"}, egress.Target{Method: "CONNECT", Host: host, Port: "443"})
		if err != nil || !v.Allowed || v.Named != want {
			t.Errorf("%s: %+v, %v", host, v, err)
		}
	}
	all := newOut(t, "rules:\n  - allow: network(*)\n")
	for _, host := range []string{"a.example", "10.1.2.3", "169.254.169.254"} {
		if v, err := all.gate.Judge(t.Context(), egress.Client{ID: "a"}, egress.Target{Method: "CONNECT", Host: host, Port: "443"}); err != nil || v.Named {
			t.Errorf("%s by a rule for everything: %+v, %v", host, v, err)
		}
	}
}

// A rule that denies an address holds for every name that leads there, also for one that a rule or a
// person named. A rule for all hosts with exceptions is about names.
func TestProxyDeniesAddressesOfNames(t *testing.T) {
	const allow = "rules:\n  - allow: network(*.good.example:*)\n  - allow: network(named.example:*)\n"
	for _, tt := range []struct {
		rule string
		want int
	}{{"", 200}, {"  - deny: network(127.0.0.0/8)\n", 403}, {"  - deny: network(127.0.0.1)\n", 403}, {"  - deny: network(127.0.0.2)\n", 200}} {
		o := newOut(t, allow+tt.rule)
		for _, host := range []string{"x.good.example", "named.example"} {
			if got := o.get(t.Context(), host, "/"); got.status != tt.want || tt.want == 403 && !strings.Contains(got.body, host+" is at 127.0.0.1") {
				t.Errorf("%s with %q: got %+v, want %d", host, tt.rule, got, tt.want)
			}
		}
	}
	w := newWorld(t, allow+"  - deny: network(127.0.0.1)\n")
	n := NetworkPlan{Method: "GET", Scheme: "http", Host: "named.example", Port: "80", Path: "/"}
	for at, want := range map[string]bool{"127.0.0.1": true, "::ffff:127.0.0.1": true, "64:ff9b::7f00:1": true, "127.0.0.2": false, "2001:4860::1": false} {
		if d := w.g.denied(n, Principal{Kind: Agent, Name: "a", ID: "x"}, "s", netip.MustParseAddr(at)); (d.why != "") != want {
			t.Errorf("%s: denied with %q, want a denial: %v", at, d.why, want)
		}
	}
	o := newOut(t, "rules:\n  - deny: network(*)\n    unless: network(*.good.example:*)\n  - allow: network(*.good.example:*)\n")
	if got := o.get(t.Context(), "x.good.example", "/"); got.status != 200 {
		t.Errorf("an exception of a rule for all hosts: got %+v, want 200", got)
	}
}

// A tunnel to a name ends when a rule denies the address that it leads to.
func TestTunnelEndsWithItsAddress(t *testing.T) {
	w := newWorld(t, "rules:\n  - allow: network(*.good.example:*)\n")
	up := must(net.Listen("tcp", "127.0.0.1:0"))
	defer up.Close()
	c := openTunnelTo(t, startProxy(t, w), "x.good.example:"+fmt.Sprint(up.Addr().(*net.TCPAddr).Port), w.tokens["agent"])
	_, _ = io.WriteString(c, "hello")
	far := must(up.Accept())
	defer far.Close()
	if _, err := io.ReadFull(far, make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	w.call("admin", "POST", "/api/rules", map[string]any{"type": "deny", "rule": "network(127.0.0.0/8)"})
	_ = c.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := c.Read(make([]byte, 1)); err == nil || isTimeout(err) {
		t.Errorf("the tunnel is still open: %v", err)
	}
}

// The proxy never connects to the gateway it belongs to.
func TestProxyToItself(t *testing.T) {
	w := newWorld(t, "rules:\n  - allow: network(127.0.0.1:*)\n")
	own := netip.MustParseAddrPort(strings.TrimPrefix(w.url, "http://"))
	p := httptest.NewServer(w.g.Proxy(egress.Options{Own: func() []netip.AddrPort { return []netip.AddrPort{own} }}))
	defer p.Close()
	c, err := net.Dial("tcp", p.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodConnect, "http://"+own.String(), nil)
	req.Host = own.String()
	basic := &http.Request{Header: http.Header{}}
	basic.SetBasicAuth("s1", w.tokens["agent"])
	fmt.Fprintf(c, "CONNECT %s HTTP/1.1\r\nHost: %s\r\nProxy-Authorization: %s\r\n\r\n", own, own, basic.Header.Get("Authorization"))
	resp, err := http.ReadResponse(bufio.NewReader(c), req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if b, _ := io.ReadAll(resp.Body); resp.StatusCode != 403 || !strings.Contains(string(b), "umpire's address") {
		t.Errorf("%d %s", resp.StatusCode, b)
	}
}

// A request with two readings is refused before anybody is asked, and the record names the agent.
func TestAmbiguousRequestIsRecorded(t *testing.T) {
	w := newWorld(t, "modes: {network: allow-all}\n")
	p := httptest.NewUnstartedServer(nil)
	p.Config = egress.Server(w.g.Proxy(egress.Options{Resolver: names{}}))
	p.Listener = egress.Strict(p.Listener)
	p.Start()
	t.Cleanup(p.Close)
	conn, err := net.Dial("tcp", p.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	token := base64.StdEncoding.EncodeToString([]byte("s1:" + w.tokens["agent"]))
	if _, err := io.WriteString(conn, "POST http://a.test/ HTTP/1.1\r\nHost: a.test\r\nProxy-Authorization: Basic "+token+"\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 400 ") || !strings.Contains(string(answer), "both a Content-Length and a Transfer-Encoding") {
		t.Errorf("%q %v", answer, err)
	}
	found := 0
	for rec, err := range audit.Read(w.g.audit, audit.Query{Kind: audit.Config}) {
		if err != nil {
			t.Fatal(err)
		}
		if rec.Event.Data["what"] == "request refused" && rec.Event.By == "a" {
			found++
		}
	}
	if found != 1 {
		t.Errorf("%d events tell of it", found)
	}
}
