package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/egress"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/store"
	"github.com/umpire-dev/umpire/internal/tools/poll"
)

// world is a gateway that serves, with a token of each sort.
type world struct {
	t      *testing.T
	g      *Gateway
	s      *store.Store
	url    string
	policy string // the user's policy file
	tokens map[string]string

	stopped func() // waits until nothing is carried out any more
}

// empty is a database of a gateway that nothing happened in. To make one anew costs more than what most
// tests do with it.
var empty = sync.OnceValues(func() (db []byte, err error) {
	dir, err := os.MkdirTemp("", "umpire-test-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s, err := store.Open(context.Background(), dir)
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, "gateway.db"))
})

// openEmpty opens an empty database in a new folder.
func openEmpty(t *testing.T, dir string) *store.Store {
	t.Helper()
	db, err := empty()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "gateway.db"), db, 0o600)); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func newWorld(t *testing.T, policy string, change ...func(*Options)) *world {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, k := range []string{"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "TMPDIR"} {
		t.Setenv(k, "")
	}
	root := filepath.Join(home, "proj")
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, policy: filepath.Join(home, "policy.yaml"), tokens: map[string]string{}}
	if err := os.WriteFile(w.policy, []byte("version: 1\n"+policy), 0o600); err != nil {
		t.Fatal(err)
	}
	s := openEmpty(t, filepath.Join(home, "db"))
	w.s = s
	var err error
	o := Options{Store: s, Root: root, Layers: policyfile.Paths{User: w.policy}, AuditDir: filepath.Join(home, "audit"), Log: slog.New(slog.DiscardHandler)}
	for _, f := range change {
		f(&o)
	}
	if w.g, err = New(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	w.g.journal.wait = time.Minute // what is spilled, since a slow disk holds the lock, is not in the log yet
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		var execute sync.WaitGroup
		execute.Go(func() { w.g.Execute(ctx) })
		w.g.Run(ctx)
		cancel()
		execute.Wait()
	}()
	w.stopped = func() { <-done }
	srv := httptest.NewUnstartedServer(nil)
	srv.Config, srv.Listener = Server(w.g.Handler()), egress.Strict(srv.Listener)
	srv.Start()
	w.url = srv.URL
	t.Cleanup(func() {
		cancel()
		<-done
		_ = w.g.Close(context.WithoutCancel(ctx), false)
		srv.CloseClientConnections()
		srv.Close()
		_ = s.Close()
	})
	for name, tok := range map[string]Token{"agent": {Kind: Agent, Name: "a"}, "other": {Kind: Agent, Name: "b"},
		"viewer": {Kind: Operator, Name: "vic", Role: Viewer}, "approver": {Kind: Operator, Name: "ann", Role: Approver}, "admin": {Kind: Operator, Name: "ada", Role: Admin}} {
		if w.tokens[name], _, err = w.g.NewToken(t.Context(), tok); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// call makes a request as somebody and returns status and answer.
func (w *world) call(who, method, path string, body any, header ...string) (int, map[string]any) {
	w.t.Helper()
	var in io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		in = strings.NewReader(b)
	default:
		data, err := json.Marshal(b)
		if err != nil {
			w.t.Fatal(err)
		}
		in = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(w.t.Context(), method, w.url+path, in)
	if err != nil {
		w.t.Fatal(err)
	}
	if who != "" {
		req.Header.Set("Authorization", "Bearer "+w.tokens[who])
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			req.Host = header[i+1]
		}
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	var out map[string]any
	if len(data) > 0 && data[0] == '{' {
		if err := json.Unmarshal(data, &out); err != nil {
			w.t.Fatalf("%s: %v", data, err)
		}
	} else if len(data) > 0 {
		out = map[string]any{"text": string(data)}
	}
	return res.StatusCode, out
}

// text returns an answer as it came.
func (w *world) text(who, path string) (status int, text string) {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, w.url+path, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+w.tokens[who])
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return res.StatusCode, string(b)
}

// ask submits something that is put to a person.
func (w *world) ask(category, action string, meta any) map[string]any {
	w.t.Helper()
	in := map[string]any{"category": category, "action": action}
	if meta != nil {
		in["metadata"] = meta
	}
	status, out := w.call("agent", "POST", "/api/queue", in)
	if status != http.StatusCreated {
		w.t.Fatalf("%s %s: %d %v", category, action, status, out)
	}
	return out
}

// until waits until an execution has ended, and returns it. It is to end with the status.
func (w *world) until(kind, id, status string) map[string]any {
	w.t.Helper()
	_, out := w.call("agent", "GET", "/api/"+kind+"/"+id+"?wait=55s", nil)
	if out["status"] != status {
		w.t.Fatalf("it is %v, want %s", out, status)
	}
	return out
}

// becomes looks until a command has a status that does not end the wait for it.
func (w *world) becomes(id, status string) {
	w.t.Helper()
	eventually(w.t, func() (bool, string) {
		_, out := w.call("agent", "GET", "/api/exec/"+id, nil)
		return out["status"] == status, fmt.Sprint(out)
	})
}

// eventually looks until something is so of which no event tells, and fails the test with
// the last of what was seen instead.
func eventually(t *testing.T, so func() (ok bool, seen string)) {
	t.Helper()
	poll.Until(t, so)
}
