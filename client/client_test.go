package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/client"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/store"
)

// gw is a real gateway, whose door can be shut for a while.
type gw struct {
	g    *gateway.Gateway
	s    *store.Store
	c    *client.Client
	shut atomic.Bool
	lost chan struct{} // gets one for each call at the shut door
	late chan struct{} // answers wait for it, if it is there
}

func start(t *testing.T) *gw {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	policy := filepath.Join(home, "policy.yaml")
	if err := os.WriteFile(policy, []byte("version: 1\nrules:\n  - allow: network(good.example)\n  - deny: network(bad.example)\n  - allow: exec(echo *)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), filepath.Join(home, "db"))
	if err != nil {
		t.Fatal(err)
	}
	remote := filepath.Join(home, "remote.git")
	git(t, home, "init", "-q", "--bare", "-b", "main", remote)
	staging, err := host.OpenStaging(t.Context(), filepath.Join(home, "staging.git"), host.Remote{URL: remote})
	if err != nil {
		t.Fatal(err)
	}
	g, err := gateway.New(t.Context(), gateway.Options{Store: s, Root: home, Staging: staging, Layers: policyfile.Paths{User: policy}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	token, _, err := g.NewToken(t.Context(), gateway.Token{Kind: gateway.Agent, Name: "sdk"})
	if err != nil {
		t.Fatal(err)
	}
	w := &gw{g: g, s: s, lost: make(chan struct{}, 100)}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		g.Execute(ctx)
	}()
	h := g.Handler()
	srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if w.shut.Load() {
			conn, _, err := rw.(http.Hijacker).Hijack()
			if err == nil {
				_ = conn.(*net.TCPConn).SetLinger(0)
				_ = conn.Close()
			}
			w.lost <- struct{}{}
			return
		}
		if w.late == nil || r.Method != http.MethodPost {
			h.ServeHTTP(rw, r)
			return
		}
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		<-w.late
		rw.WriteHeader(rec.Code)
		_, _ = rw.Write(rec.Body.Bytes())
	}))
	w.c = &client.Client{URL: srv.URL, Token: token, Session: "s"}
	t.Cleanup(func() {
		cancel()
		<-done
		_ = g.Close(context.WithoutCancel(ctx), false)
		srv.CloseClientConnections()
		srv.Close()
		_ = s.Close()
	})
	return w
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %v: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}

// A push returns when the commit is at the remote, or with the reason why it is not.
func TestRequestPush(t *testing.T) {
	w := start(t)
	work := filepath.Join(os.Getenv("HOME"), "work")
	git(t, os.Getenv("HOME"), "init", "-q", "-b", "feature/x", work)
	git(t, work, "commit", "-q", "--allow-empty", "-m", "first")
	go w.answer(t, true, "")
	a, err := w.c.RequestPush(t.Context(), work, "feature/x", "it is\ndone")
	if err != nil || a.Status != "approved" {
		t.Fatalf("%+v %v", a, err)
	}
	remote := filepath.Join(os.Getenv("HOME"), "remote.git")
	if got := git(t, remote, "rev-parse", "feature/x"); got != git(t, work, "rev-parse", "HEAD") {
		t.Errorf("the remote is at %s", got)
	}
	if r, err := w.s.Get(t.Context(), a.ID); err != nil || r.Reason != "it is done" || r.Session != "s" {
		t.Errorf("%+v %v", r, err)
	}
	if a, err := w.c.RequestPush(t.Context(), work, "feature/x", ""); err != nil || a.Status != "approved" {
		t.Errorf("pushed already: %+v %v", a, err)
	}
	git(t, work, "commit", "-q", "--allow-empty", "-m", "second")
	go w.answer(t, false, "no")
	var denied *client.Denied
	if _, err := w.c.RequestPush(t.Context(), work, "feature/x", ""); !errors.As(err, &denied) || denied.Note != "no" {
		t.Error(err)
	}
	if _, err := w.c.RequestPush(t.Context(), work, "no-such", ""); err == nil || strings.Contains(err.Error(), w.c.Token) {
		t.Error(err)
	}
}

// answer waits for a question and answers it.
func (w *gw) answer(t *testing.T, approve bool, note string) {
	t.Helper()
	for {
		changed, stop := w.s.Changed("")
		open, err := w.s.List(t.Context(), approval.Filter{States: []approval.State{approval.Pending}})
		if err != nil {
			t.Error(err)
		}
		if err == nil && len(open) > 0 {
			if _, err := w.s.Answer(t.Context(), approval.Answer{ID: open[0].ID, Digest: open[0].Digest, Approve: approve, Note: note}); err != nil {
				t.Error(err)
			}
		}
		if err != nil || len(open) > 0 {
			stop()
			return
		}
		select {
		case <-changed:
		case <-t.Context().Done():
			stop()
			return
		}
	}
}

// meddle writes a file while a question about it waits, and approves that.
func (w *gw) meddle(t *testing.T, file string) {
	t.Helper()
	for {
		changed, stop := w.s.Changed("")
		list, err := w.s.List(t.Context(), approval.Filter{States: []approval.State{approval.Pending}})
		if err != nil {
			stop()
			t.Error(err)
			return
		}
		if len(list) > 0 {
			stop()
			break
		}
		select {
		case <-changed:
		case <-t.Context().Done():
			stop()
			return
		}
		stop()
	}
	if err := os.WriteFile(file, []byte("theirs"), 0o600); err != nil {
		t.Error(err)
	}
	w.answer(t, true, "")
}

func TestRequests(t *testing.T) {
	w := start(t)
	ctx := t.Context()
	var denied *client.Denied
	if a, err := w.c.RequestNetwork(ctx, "CONNECT", "good.example:443", ""); err != nil || a.Status != "approved" {
		t.Errorf("%+v %v", a, err)
	}
	if _, err := w.c.RequestNetwork(ctx, "GET", "https://bad.example/", ""); !errors.As(err, &denied) {
		t.Error(err)
	}
	go w.answer(t, false, "not on a Friday")
	if _, err := w.c.RequestPermission(ctx, client.Request{Category: "git", Action: "push feature/x"}); !errors.As(err, &denied) || denied.Status != "denied" || denied.Note != "not on a Friday" {
		t.Error(err)
	}
	go w.answer(t, true, "")
	if a, err := w.c.RequestWrite(ctx, "a.txt", "x", ""); err != nil || a.Status != "approved" {
		t.Errorf("%+v %v", a, err)
	}
	at := filepath.Join(os.Getenv("HOME"), "a.txt")
	if data, err := os.ReadFile(at); err != nil || string(data) != "x" {
		t.Errorf("%q %v", data, err)
	}
	go w.answer(t, true, "")
	if _, err := w.c.RequestChanges(ctx, []client.Change{{Op: "write", Path: "empty"}, {Op: "move", From: "a.txt", Path: "b.txt"}}, ""); err != nil {
		t.Error(err)
	}
	if data, err := os.ReadFile(filepath.Join(os.Getenv("HOME"), "empty")); err != nil || len(data) != 0 {
		t.Errorf("%q %v", data, err)
	}
	wrote := make(chan error, 1)
	go func() {
		_, err := w.c.RequestWrite(ctx, "b.txt", "y", "")
		wrote <- err
	}()
	w.meddle(t, filepath.Join(os.Getenv("HOME"), "b.txt"))
	if err := <-wrote; !errors.As(err, &denied) || denied.Status != "conflict" {
		t.Error(err)
	}
	if r, err := w.c.RequestExec(ctx, "echo hi", "", ""); err != nil || r.Stdout != "hi\n" || r.ExitCode != 0 {
		t.Errorf("%+v %v", r, err)
	}
	go w.answer(t, false, "")
	if _, err := w.c.RequestPackageInstall(ctx, "npm", []string{"left-pad"}, ""); !errors.As(err, &denied) {
		t.Error(err)
	}
	var f *client.Fault
	if _, err := w.c.RequestNetwork(ctx, "CONNECT", "no port", ""); !errors.As(err, &f) || f.Status != 400 {
		t.Error(err)
	}
	bad := *w.c
	bad.Token = "x"
	if _, err := bad.RequestNetwork(ctx, "CONNECT", "good.example:443", ""); !errors.As(err, &f) || f.Status != 401 || strings.Contains(err.Error(), w.c.Token) {
		t.Error(err)
	}
}

// Who stops waiting takes the request back.
func TestCancel(t *testing.T) {
	w := start(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		for n := 0; n == 0; {
			changed, stop := w.s.Changed("")
			open, err := w.s.List(t.Context(), approval.Filter{})
			if n = len(open); err != nil {
				t.Error(err)
				n = 1
			}
			if n == 0 {
				<-changed
			}
			stop()
		}
	}()
	a, err := w.c.RequestPermission(ctx, client.Request{Category: "exec", Action: "make x"})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if r, err := w.s.Get(t.Context(), a.ID); err != nil || r.State != approval.Cancelled {
		t.Errorf("%+v %v", r, err)
	}
}

// Who goes away while the gateway takes the request leaves nobody a question.
func TestCancelSubmission(t *testing.T) {
	w := start(t)
	w.late = make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := w.c.RequestExec(ctx, "make x", "", "")
		done <- err
	}()
	var all []approval.Request
	for len(all) == 0 {
		changed, stop := w.s.Changed("")
		var err error
		if all, err = w.s.List(t.Context(), approval.Filter{}); err != nil {
			t.Fatal(err)
		}
		if len(all) == 0 {
			<-changed
		}
		stop()
	}
	cancel()
	close(w.late)
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if r, err := w.s.Get(t.Context(), all[0].ID); err != nil || r.State != approval.Cancelled {
		t.Errorf("%+v %v", r, err)
	}
}

func TestLook(t *testing.T) {
	w := start(t)
	ctx := t.Context()
	for action, want := range map[string]umpire.Effect{"CONNECT good.example:443": umpire.Allow, "CONNECT bad.example:443": umpire.Deny, "CONNECT other.example:443": umpire.Ask} {
		if got, err := w.c.Check(ctx, client.Request{Category: "network", Action: action}); err != nil || got != want {
			t.Errorf("%s: %s %v", action, got, err)
		}
	}
	a, err := w.c.Submit(ctx, client.Request{Category: "exec", Action: "make x"})
	if err != nil {
		t.Fatal(err)
	}
	if list, err := w.c.Pending(ctx); err != nil || len(list) != 1 || list[0].ID != a.ID {
		t.Errorf("%+v %v", list, err)
	}
	for _, want := range []bool{true, false} {
		if ok, err := w.c.Cancel(ctx, a.ID); err != nil || ok != want {
			t.Errorf("%v %v", ok, err)
		}
	}
	go w.answer(t, false, "")
	var denied *client.Denied
	if _, err := w.c.RequestConfigChange(ctx, "categories.network.mode", "allow-all", "it takes long"); !errors.As(err, &denied) {
		t.Error(err)
	}
}

// A gateway that is away for a while is waited for, and what was sent twice is asked once.
func TestReconnect(t *testing.T) {
	w := start(t)
	w.shut.Store(true)
	done := make(chan error, 1)
	go func() {
		_, err := w.c.RequestPermission(t.Context(), client.Request{Category: "exec", Action: "make x"})
		done <- err
	}()
	for range 3 {
		<-w.lost
	}
	w.shut.Store(false)
	w.answer(t, true, "")
	if err := <-done; err != nil {
		t.Error(err)
	}
	all, err := w.s.List(t.Context(), approval.Filter{})
	if err != nil || len(all) != 1 {
		t.Errorf("%d requests, %v", len(all), err)
	}
}

// Of several gateways the next one is asked where one is away, and the request is one that is
// cancelled if nobody waits for it.
func TestNextGateway(t *testing.T) {
	w := start(t)
	w.c.URL = "http://127.0.0.1:1/, " + w.c.URL
	go w.answer(t, true, "")
	a, err := w.c.RequestPermission(t.Context(), client.Request{Category: "exec", Action: "make x"})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := w.s.Get(t.Context(), a.ID); err != nil || r.Lease != 2*time.Minute {
		t.Errorf("%+v, %v", r, err)
	}
}

func Example() {
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status := client.StatusPending
		if r.Method == http.MethodGet { // a person answers while the client waits
			status = client.StatusDenied
		}
		if err := json.NewEncoder(w).Encode(client.Answer{ID: "req-1", Status: status, Note: "not on a Friday"}); err != nil {
			log.Print(err)
		}
	}))
	defer gateway.Close()

	c := &client.Client{URL: gateway.URL, Token: "umpa_..."}
	_, err := c.RequestNetwork(context.Background(), "GET", "https://example.org/", "to read the docs")
	var denied *client.Denied
	if errors.As(err, &denied) { // any other error means that no one could be asked
		fmt.Println(denied)
	}
	// Output: the request req-1 is denied: not on a Friday
}

// A client that can never succeed fails at once. It does not wait for the gateway.
func TestMisuse(t *testing.T) {
	t.Setenv("UMPIRE_AGENT_TOKEN", "")
	t.Setenv("UMPIRE_API", "")
	t.Setenv("SANDBOX_API", "")
	for _, tt := range []struct {
		c    client.Client
		want string
	}{
		{client.Client{}, "the client has no agent token: set Token or UMPIRE_AGENT_TOKEN"},
		{client.Client{URL: "http://127.0.0.1:1", Token: "umpa_x\ny"}, "contains an invalid character"},
		{client.Client{URL: "127.0.0.1:1", Token: "x"}, `the gateway's address is "127.0.0.1:1": must be a URL`},
		{client.Client{URL: "ftp://h", Token: "x"}, `the gateway's address is "ftp://h"`},
		{client.Client{URL: "http://", Token: "x"}, `the gateway's address is "http:`},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		_, err := tt.c.RequestExec(ctx, "ls", ".", "")
		if cancel(); err == nil || errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v", tt.c.URL, err)
		}
	}
	c := client.Client{URL: "http://127.0.0.1:1", Token: "x"}
	if _, err := c.RequestConfigChange(t.Context(), "proxy.x", func() {}, ""); err == nil || strings.Contains(err.Error(), "the gateway answered") {
		t.Errorf("a value that is no JSON: %v", err)
	}
}
