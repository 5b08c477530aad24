package gateway

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/store"
)

// lapsing is a gateway with an agent, run, whose lease is over when lapse returns.
type lapsing struct {
	*world
	id   string
	skew atomic.Int64
	log  logBuffer
}

func newLapsing(t *testing.T, policy string) *lapsing {
	t.Helper()
	l := &lapsing{}
	l.world = newWorld(t, policy, func(o *Options) {
		o.Now = func() time.Time { return time.Now().Add(time.Duration(l.skew.Load())) }
		o.Log = slog.New(slog.NewTextHandler(&l.log, nil))
	})
	_, out := l.call("admin", "POST", "/api/tokens", map[string]any{"kind": "agent", "name": "run", "lease": 60_000})
	l.id, l.tokens["run"] = out["about"].(map[string]any)["id"].(string), out["token"].(string)
	return l
}

func (l *lapsing) lapse() { l.skew.Add(int64(5 * time.Minute)) }

func (l *lapsing) quiet() {
	l.t.Helper()
	if text := l.log.String(); strings.Contains(text, "level=ERROR") {
		l.t.Errorf("a lapsed lease is logged as a failure of the gateway:\n%s", text)
	}
}

// A call whose body ends after the lease is refused, as a new one is.
func TestBodyOutlivesLease(t *testing.T) {
	l := newLapsing(t, "rules:\n  - allow: exec(touch ran)\n")
	for path, body := range map[string]string{
		"/api/exec":  `{"command":"touch ran"}`,
		"/api/check": `{"category":"exec","action":"touch ran"}`,
		"/mcp":       `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
	} {
		c := must((&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(l.url, "http://")))
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(time.Minute))
		fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n%s", path, l.tokens["run"], len(body), body[:5])
		eventually(t, func() (bool, string) {
			l.g.channels.mu.Lock()
			defer l.g.channels.mu.Unlock()
			return len(l.g.channels.open) == 1, path + " has not begun"
		})
		l.lapse()
		_, _ = io.WriteString(c, body[5:])
		res, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		said, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" {
			t.Errorf("%s: got %d %s, want 503 with Retry-After", path, res.StatusCode, said)
		}
		if status, out := l.call("admin", "POST", "/api/tokens/"+l.id+"/renew", nil); status != http.StatusOK {
			t.Fatal(status, out)
		}
	}
	p := must(l.g.holder(t.Context(), l.tokens["run"]))
	l.lapse()
	if _, err := l.g.Submit(t.Context(), p, Submission{Category: approval.Exec, Action: "touch ran"}); !errors.Is(err, errLapsed) {
		t.Errorf("a submission after a long body: got %v, want %v", err, errLapsed)
	}
	if list, err := l.s.List(t.Context(), approval.Filter{Agent: l.id}); err != nil || len(list) > 0 {
		t.Errorf("stored %v, %v, want nothing", list, err)
	}
	l.quiet()
}

// A command that a person approves while the lease is over starts when the lease is renewed. Without a
// renewal, it never starts.
func TestApprovalWaitsForLease(t *testing.T) {
	for _, renewed := range []bool{true, false} {
		l := newLapsing(t, "")
		_, req := l.call("run", "POST", "/api/exec", map[string]any{"command": "touch ran"})
		id := req["id"].(string)
		l.lapse()
		if status, out := l.call("approver", "POST", "/api/queue/"+id+"/approve", nil); status != http.StatusOK || out["ok"] != true {
			t.Fatal(status, out)
		}
		execution := func() (x Execution) {
			rec, err := l.s.Record(t.Context(), executionRecord, id)
			if err == nil {
				err = json.Unmarshal(rec.Body, &x)
			}
			if err != nil && !errors.Is(err, store.ErrNoRecord) {
				t.Error(err)
			}
			return x
		}
		eventually(t, func() (bool, string) {
			l.g.running.mu.Lock()
			defer l.g.running.mu.Unlock()
			own := l.g.running.of[l.id]
			return own != nil && len(own.one) == 1 || execution().Status != "", "the command has not come to its turn"
		})
		if renewed {
			l.call("admin", "POST", "/api/tokens/"+l.id+"/renew", nil)
		} else {
			for e := (endings{}); l.g.awake.allowsLateRenewal(l.g.now()); { // the machine runs, and the holder does not come back
				l.skew.Add(int64(9 * time.Second))
				if err := e.sweep(t.Context(), l.g); err != nil {
					t.Fatal(err)
				}
			}
		}
		want := map[bool]string{true: "completed", false: "failed"}[renewed]
		eventually(t, func() (bool, string) {
			x := execution()
			return x.Status == want, fmt.Sprintf("renewed: %v, the command is %+v, want %s", renewed, x, want)
		})
		if _, err := os.Stat(filepath.Join(l.g.root, "ran")); (err == nil) != renewed {
			t.Errorf("renewed: %v, the command left %v", renewed, err)
		}
	}
}

// The proxy tells an agent with a lapsed lease to try again.
func TestProxyAfterLease(t *testing.T) {
	l := newLapsing(t, "")
	p := startProxy(t, l.world)
	l.lapse()
	res, err := clientOf(t, p, "s1", l.tokens["run"]).Get("http://good.example/")
	if err != nil {
		t.Fatal(err)
	}
	said, _ := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" || !strings.Contains(string(said), "try again") {
		t.Errorf("got %d %s, want 503 with Retry-After", res.StatusCode, said)
	}
	if status, out := l.call("run", "GET", "/api/queue", nil); status != http.StatusServiceUnavailable {
		t.Errorf("the API: got %d %v, want 503", status, out)
	}
	l.quiet()
}
