//go:build unix

package gateway

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/store"
	"github.com/umpire-dev/umpire/internal/store/storetest"
)

// While the database is away nothing is acknowledged, and it is said so; when it is back, all
// goes on by itself, for those as well who waited through it.
func TestDatabaseAway(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	policy := filepath.Join(home, "policy.yaml")
	if err := os.WriteFile(policy, []byte("version: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	db := storetest.StartPostgres(t)
	s, err := store.Open(t.Context(), db.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	g, err := New(t.Context(), Options{Store: s, Root: home, Layers: policyfile.Paths{User: policy}, Shared: true, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = g.Close(context.WithoutCancel(t.Context()), false) }()
	w := &world{t: t, g: g, s: s, tokens: map[string]string{}}
	for name, tok := range map[string]Token{"agent": {Kind: Agent, Name: "a"}, "approver": {Kind: Operator, Name: "ann", Role: Approver}} {
		if w.tokens[name], _, err = g.NewToken(t.Context(), tok); err != nil {
			t.Fatal(err)
		}
	}
	srv := httptest.NewServer(g.Handler())
	defer srv.Close()
	defer srv.CloseClientConnections()
	w.url = srv.URL
	ready := func(want int) {
		t.Helper()
		eventually(t, func() (bool, string) {
			status, out := w.call("", "GET", "/readyz", nil)
			return status == want, fmt.Sprintf("readyz says %d %v, and not %d", status, out, want)
		})
	}
	ready(200)
	asked := w.ask("network", "CONNECT a.example:443", nil)
	path := "/api/queue/" + asked["id"].(string)
	db.Kill()
	ready(503)
	for _, c := range []struct{ who, method, path string }{
		{"agent", "POST", "/api/queue"}, {"agent", "GET", path}, {"approver", "POST", path + "/approve"}, {"approver", "GET", "/api/queue"},
	} {
		req, err := http.NewRequestWithContext(t.Context(), c.method, w.url+c.path, strings.NewReader(`{"category":"network","action":"CONNECT lost.example:443"}`))
		if err != nil {
			t.Fatal(err)
		}
		if c.method == "GET" || strings.HasSuffix(c.path, "approve") {
			req.Body = http.NoBody
		}
		req.Header.Set("Authorization", "Bearer "+w.tokens[c.who])
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if err != nil || res.StatusCode != 503 || res.Header.Get("Retry-After") == "" || !strings.Contains(string(text), "database") || strings.Contains(string(text), "127.0.0.1") {
			t.Errorf("%s %s: %d %s %v", c.method, c.path, res.StatusCode, text, err)
		}
	}
	db.Start()
	ready(200)
	if got, err := s.Get(t.Context(), asked["id"].(string)); err != nil || got.State.Final() {
		t.Errorf("%+v, %v", got, err)
	}
	// Who waits is woken as before.
	heard := make(chan map[string]any, 1)
	go func() {
		_, out := w.call("agent", "GET", path+"?wait=50s", nil)
		heard <- out
	}()
	if status, out := w.call("approver", "POST", path+"/approve", nil); status != 200 || out["ok"] != true {
		t.Errorf("%d %v", status, out)
	}
	if out := <-heard; out["status"] != "approved" {
		t.Errorf("%v", out)
	}
	if all, err := s.Verify(t.Context()); err != nil {
		t.Errorf("%d events, %v", all, err)
	}
}
