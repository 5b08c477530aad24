package gateway

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/umpire-dev/umpire/internal/store"
)

// hashOf returns the ID of a token's record.
func (w *world) hashOf(id string) string {
	w.t.Helper()
	for _, r := range must(w.s.Records(w.t.Context(), tokenRecord)) {
		if strings.HasPrefix(r.ID, id) {
			return r.ID
		}
	}
	w.t.Fatalf("no token %s", id)
	return ""
}

// changeToken changes a token in the database, as another gateway on it would.
func (w *world) changeToken(id string, change func(*Token)) {
	w.t.Helper()
	hash := w.hashOf(id)
	if err := w.s.Transact(w.t.Context(), func(tx *store.Tx) error {
		var tok Token
		if err := json.Unmarshal(must(tx.Get(tokenRecord, hash)), &tok); err != nil {
			return err
		}
		change(&tok)
		return errors.Join(tx.Put(tokenRecord, hash, encode(tok)), tx.Event(tokenRecord, hash, "ada", map[string]string{"changed": id}))
	}); err != nil {
		w.t.Fatal(err)
	}
}

// A stream that is open ends when its credential does, however that ends and whatever the stream is.
func TestOpenStreamsEndWithTheirCredential(t *testing.T) {
	endings := map[string]func(w *world, id string){
		"revoked":            func(w *world, id string) { w.call("admin", "DELETE", "/api/tokens/"+id, nil) },
		"revoked by another": func(w *world, id string) { w.changeToken(id, func(tok *Token) { tok.Ended = true }) },
		"expired":            func(w *world, id string) { w.changeToken(id, func(tok *Token) { tok.Expires = time.Now() }) },
		"no longer an agent's or a person's": func(w *world, id string) {
			w.changeToken(id, func(tok *Token) {
				tok.Kind, tok.Role = map[CredentialKind]CredentialKind{Agent: Operator, Operator: Agent}[tok.Kind], ""
			})
		},
	}
	for _, stream := range []struct {
		name, path string
		kind       CredentialKind
	}{
		{"output for its agent", "/api/exec/%s/output", Agent},
		{"output for people", "/api/queue/%s/output", Operator},
		{"listening on MCP", "/mcp", Agent},
		{"a tool of MCP", "tool", Agent},
	} {
		for name, end := range endings {
			t.Run(stream.name+" "+name, func(t *testing.T) {
				w := newWorld(t, "")
				in := map[string]any{"kind": stream.kind, "name": "short"}
				if stream.kind == Operator {
					in["role"] = Approver
				}
				secret, id := w.token(in)
				w.tokens["short"] = secret
				over := make(chan struct{})
				switch {
				case stream.path == "tool":
					s, _ := w.mcp("short")
					answer := use(t.Context(), s, "request_permission", map[string]any{"category": "network", "action": "CONNECT x.example:443"})
					asked := w.waiting()
					go func() {
						defer close(over)
						if said := <-answer; said.err == nil && !said.failed {
							t.Errorf("the tool answered %+v", said)
						}
						if r := w.final(asked.ID); r.State != "cancelled" {
							t.Errorf("its question is %s", r.State)
						}
					}()
				default:
					path, header := stream.path, http.Header{"Authorization": {"Bearer " + secret}}
					if path == "/mcp" {
						s, _ := w.mcp("short")
						header.Set("Accept", "text/event-stream")
						header.Set("Mcp-Session-Id", s.ID())
					} else {
						asker := "agent"
						if stream.kind == Agent {
							asker = "short"
						}
						_, out := w.call(asker, "POST", "/api/exec", object{"command": "echo one; while [ ! -e go ]; do sleep 0.01; done"})
						w.approve(out["id"].(string))
						path = fmt.Sprintf(path, out["id"])
					}
					req := must(http.NewRequestWithContext(t.Context(), http.MethodGet, w.url+path, nil))
					req.Header = header
					res, err := http.DefaultClient.Do(req)
					if err != nil {
						t.Fatal(err)
					}
					defer func() { _ = res.Body.Close() }()
					if path != "/mcp" {
						if line := must(bufio.NewReader(res.Body).ReadString('\n')); !strings.Contains(line, "one") {
							t.Fatalf("it began with %q", line)
						}
					}
					go func() {
						defer close(over)
						_, _ = io.Copy(io.Discard, res.Body)
					}()
				}
				end(w, id)
				select {
				case <-over:
				case <-time.After(10 * time.Second):
					t.Error("it is open 10 s after its credential ended")
				}
			})
		}
	}
}

// A person who loses the right to answer does not answer through a channel that was open before: a
// WebSocket, or a request whose body was still on its way.
func TestDemotedPersonAnswersNothing(t *testing.T) {
	for name, answer := range map[string]func(w *world, secret, id, digest string, demote func()){
		"websocket": func(w *world, secret, id, digest string, demote func()) {
			c := w.dial(secret)
			w.heard(c, "init")
			demote()
			_ = c.Write(w.t.Context(), websocket.MessageText, fmt.Appendf(nil, `{"type":"approve","id":%q,"digest":%q}`, id, digest))
			ctx, cancel := context.WithTimeout(w.t.Context(), 10*time.Second)
			defer cancel()
			for {
				_, data, err := c.Read(ctx)
				if err != nil {
					w.t.Fatalf("no answer: %v", err)
				}
				if strings.Contains(string(data), errForbidden.msg) {
					return
				}
			}
		},
		"body on its way": func(w *world, secret, id, digest string, demote func()) {
			at := must(url.Parse(w.url))
			c := must(new(net.Dialer).DialContext(w.t.Context(), "tcp", at.Host))
			defer c.Close()
			_ = c.SetDeadline(time.Now().Add(10 * time.Second))
			body := fmt.Sprintf(`{"digest":%q}`, digest)
			fmt.Fprintf(c, "POST /api/queue/%s/approve HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", id, secret, len(body), body[:1])
			eventually(w.t, func() (bool, string) {
				w.g.channels.mu.Lock()
				defer w.g.channels.mu.Unlock()
				return len(w.g.channels.open) > 0, "the request has not begun"
			})
			demote()
			eventually(w.t, func() (bool, string) {
				status, _ := w.call("demoted", "GET", "/api/tokens", nil)
				return status == http.StatusForbidden, fmt.Sprint("status ", status)
			})
			_, _ = io.WriteString(c, body[1:])
			if res, err := http.ReadResponse(bufio.NewReader(c), nil); err == nil {
				_ = res.Body.Close()
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "")
			secret, id := w.token(map[string]any{"kind": "operator", "name": "short", "role": "approver"})
			w.tokens["demoted"] = secret
			req := w.ask("exec", "make x", nil)
			answer(w, secret, req["id"].(string), req["digest"].(string), func() { w.changeToken(id, func(tok *Token) { tok.Role = Viewer }) })
			if _, out := w.call("viewer", "GET", "/api/queue/"+req["id"].(string), nil); out["status"] != "pending" {
				t.Errorf("the request is %v, want pending", out["status"])
			}
		})
	}
}
