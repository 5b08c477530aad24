package gateway

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/umpire-dev/umpire/internal/egress"
)

// token makes a credential through REST, and returns its secret and its ID.
func (w *world) token(in map[string]any) (secret, id string) {
	w.t.Helper()
	status, out := w.call("admin", "POST", "/api/tokens", in)
	if status != http.StatusCreated {
		w.t.Fatalf("%d %v", status, out)
	}
	return out["token"].(string), out["about"].(map[string]any)["id"].(string)
}

// A WebSocket ends with its token: nothing is answered by it or told to it any more.
func TestWebSocketEndsWithItsToken(t *testing.T) {
	for name, over := range map[string]func(w *world, id string){
		"revoked": func(w *world, id string) { w.call("admin", "DELETE", "/api/tokens/"+id, nil) },
		"expired": func(w *world, _ string) {
			eventually(w.t, func() (bool, string) {
				status, _ := w.call("short", "GET", "/api/queue", nil)
				return status == http.StatusUnauthorized, "the token does not expire"
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "")
			in := map[string]any{"kind": "operator", "name": "short", "role": "approver"}
			if name == "expired" {
				in["expiresIn"] = 1500
			}
			secret, id := w.token(in)
			w.tokens["short"] = secret
			req := w.ask("exec", "make x", nil)
			c := w.dial(secret)
			over(w, id)
			_ = c.Write(t.Context(), websocket.MessageText, fmt.Appendf(nil, `{"type":"approve","id":%q,"digest":%q}`, req["id"], req["digest"])) // it may be closed
			w.ask("exec", "make secret", nil)
			for {
				_, data, err := c.Read(t.Context())
				if err != nil {
					break
				}
				var m struct {
					Type string `json:"type"`
					Data struct {
						Action string `json:"action"`
					} `json:"data"`
				}
				if json.Unmarshal(data, &m) != nil || m.Data.Action == "make secret" || m.Type == "resolve" {
					t.Fatalf("it heard %s", data)
				}
			}
			if _, out := w.call("viewer", "GET", "/api/queue/"+req["id"].(string), nil); out["status"] != "pending" {
				t.Errorf("the request is %v", out["status"])
			}
		})
	}
}

// A call that waits ends with its token, and so do the agent's questions.
func TestWaitEndsWithItsToken(t *testing.T) {
	w := newWorld(t, "")
	secret, id := w.token(map[string]any{"kind": "agent", "name": "short"})
	w.tokens["short"] = secret
	_, req := w.call("short", "POST", "/api/exec", map[string]any{"command": "make x"})
	paths := []string{"/api/queue/%s?wait=50s", "/api/exec/%s?wait=50s"}
	ended := make(chan int, len(paths))
	for _, path := range paths {
		go func() {
			r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, w.url+fmt.Sprintf(path, req["id"]), nil)
			r.Header.Set("Authorization", "Bearer "+secret)
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				ended <- 0
				return
			}
			_ = res.Body.Close()
			ended <- res.StatusCode
		}()
	}
	eventually(t, func() (bool, string) {
		w.g.channels.mu.Lock()
		defer w.g.channels.mu.Unlock()
		return len(w.g.channels.open) == len(paths), "they do not wait"
	})
	w.call("admin", "DELETE", "/api/tokens/"+id, nil)
	for range paths {
		if status := <-ended; status != http.StatusUnauthorized {
			t.Errorf("a call that waited was answered %d", status)
		}
	}
	if _, out := w.call("viewer", "GET", "/api/queue/"+req["id"].(string), nil); out["status"] != "cancelled" {
		t.Errorf("its request is %v", out["status"])
	}
}

// A request waits no longer than the token that asked is good.
func TestRequestEndsWithItsToken(t *testing.T) {
	w := newWorld(t, "")
	w.tokens["short"], _ = w.token(map[string]any{"kind": "agent", "name": "short", "expiresIn": 60_000})
	_, req := w.call("short", "POST", "/api/exec", map[string]any{"command": "make x"})
	if at := time.UnixMilli(int64(req["expiresAt"].(float64))); time.Until(at) > time.Minute {
		t.Errorf("it waits until %v", at)
	}
}

// An open tunnel is listed, and ends when a person, a rule or its token ends it; others stay.
func TestTunnelsEnd(t *testing.T) {
	for name, end := range map[string]func(w *world, token, rule string){
		"person": func(w *world, _, _ string) {
			_, out := w.call("viewer", "GET", "/api/tunnels", nil)
			list := out["tunnels"].([]any)
			if len(list) != 2 {
				w.t.Fatalf("%v", out)
			}
			w.call("approver", "DELETE", "/api/tunnels/"+list[0].(map[string]any)["id"].(string), nil)
		},
		"deny rule": func(w *world, _, rule string) {
			w.call("admin", "POST", "/api/rules", map[string]any{"type": "deny", "rule": rule})
		},
		"allow rule goes": func(w *world, _, rule string) {
			w.call("admin", "DELETE", "/api/rules", map[string]any{"type": "allow", "rule": rule})
		},
		"token": func(w *world, id, _ string) { w.call("admin", "DELETE", "/api/tokens/"+id, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "")
			p := startProxy(t, w)
			secret, id := w.token(map[string]any{"kind": "agent", "name": "short"})
			var ends [2]net.Conn
			var rules [2]string
			for i, secret := range []string{secret, w.tokens["agent"]} {
				up, err := net.Listen("tcp", "127.0.0.1:0")
				if err != nil {
					t.Fatal(err)
				}
				defer up.Close()
				rules[i] = "network(" + up.Addr().String() + ")"
				w.call("admin", "POST", "/api/rules", map[string]any{"type": "allow", "rule": rules[i]})
				c := openTunnelTo(t, p, up.Addr().String(), secret)
				if _, err := io.WriteString(c, "hello"); err != nil {
					t.Fatal(err)
				}
				far, err := up.Accept()
				if err != nil {
					t.Fatal(err)
				}
				defer far.Close()
				if _, err := io.ReadFull(far, make([]byte, 5)); err != nil {
					t.Fatal(err)
				}
				ends[i] = c
			}
			end(w, id, rules[0])
			_ = ends[0].SetReadDeadline(time.Now().Add(time.Minute))
			if _, err := ends[0].Read(make([]byte, 1)); err == nil || isTimeout(err) {
				t.Errorf("the tunnel is still open: %v", err)
			}
			eventually(t, func() (bool, string) {
				list := w.g.tunnels()
				return len(list) == 1 && list[0].Name == "a", fmt.Sprint(list)
			})
		})
	}
}

// A tunnel whose client says nothing yet is open as well: a deny rule ends it before it carries data.
func TestSilentTunnelEnds(t *testing.T) {
	w := newWorld(t, "")
	up, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer up.Close()
	rule := "network(" + up.Addr().String() + ")"
	w.call("admin", "POST", "/api/rules", map[string]any{"type": "allow", "rule": rule})
	c := openTunnelTo(t, startProxy(t, w), up.Addr().String(), w.tokens["agent"])
	w.call("admin", "POST", "/api/rules", map[string]any{"type": "deny", "rule": rule})
	w.g.reviewTunnels(t.Context(), false) // as it comes by itself
	_, _ = io.WriteString(c, "hello")     // the proxy may have closed it
	far, err := up.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	_ = far.SetReadDeadline(time.Now().Add(time.Minute))
	if b, err := io.ReadAll(far); len(b) > 0 || err != nil {
		t.Errorf("the server got %q, %v", b, err)
	}
}

// startProxy starts a proxy of the gateway that may contact this machine.
func startProxy(t *testing.T, w *world) *httptest.Server {
	p := httptest.NewUnstartedServer(nil)
	p.Config = egress.Server(w.g.Proxy(egress.Options{Resolver: names{}, Private: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}))
	p.Listener = egress.Strict(p.Listener)
	p.Start()
	t.Cleanup(p.Close)
	return p
}

func openTunnelTo(t *testing.T, p *httptest.Server, addr, secret string) net.Conn {
	t.Helper()
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", p.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	fmt.Fprintf(c, "CONNECT %s HTTP/1.1\r\nHost: x\r\nProxy-Authorization: Basic %s\r\n\r\n", addr, base64.StdEncoding.EncodeToString([]byte("s1:"+secret)))
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%v %v", res, err)
	}
	_ = res.Body.Close()
	return c
}

func isTimeout(err error) bool {
	e, ok := err.(net.Error) //nolint:errorlint // of a connection itself
	return ok && e.Timeout()
}

// Inside a tunnel the token is shown once: each request looks at it again.
func TestProxyLooksAtTheTokenForEach(t *testing.T) {
	o := newOut(t, "rules:\n  - allow: network(*.good.example)\n")
	secret, id := o.token(map[string]any{"kind": "agent", "name": "short"})
	c, err := o.gate.Identify(context.Background(), "s1", secret)
	if err != nil {
		t.Fatal(err)
	}
	target := egress.Target{Method: "GET", Scheme: "https", Host: "x.good.example", Port: "443", Path: "/"}
	if v, err := o.gate.Judge(t.Context(), c, target); err != nil || !v.Allowed {
		t.Fatalf("%v %v", v, err)
	}
	o.call("admin", "DELETE", "/api/tokens/"+id, nil)
	if v, err := o.gate.Judge(t.Context(), c, target); err != nil || v.Allowed {
		t.Errorf("after it was revoked: %v %v", v, err)
	}
}
