package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/client"
)

// faulty is a gateway that approves and runs every request, except that its nth answer is another.
type faulty struct {
	nth    int
	code   int                                           // of the nth answer
	body   string                                        // of the nth answer
	answer func(r *http.Request) (*http.Response, error) // the nth answer, if it is none of HTTP
	queue  client.Status                                 // the answer of people; approved if empty
	end    string                                        // the end of an execution, in JSON
	calls  []string                                      // method, path and body
	ended  int                                           // how many executions were asked for
}

func says(status int, body string) func(*http.Request) (*http.Response, error) {
	return func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: status, Status: fmt.Sprint(status), Header: http.Header{"Location": {"http://elsewhere.example/"}}, Body: io.NopCloser(strings.NewReader(body))}, nil
	}
}

func (w *faulty) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	w.calls = append(w.calls, r.Method+" "+r.URL.Path+" "+string(body))
	if deadline, ok := r.Context().Deadline(); !ok || time.Until(deadline) > 70*time.Second {
		return nil, errors.New("the call has no limit")
	}
	if len(w.calls) == w.nth {
		if w.answer != nil {
			return w.answer(r)
		}
		return says(w.code, w.body)(r)
	}
	switch {
	case r.Method == http.MethodDelete:
		return says(200, `{"ok":true}`)(r)
	case r.URL.Path == "/api/check":
		return says(200, `{"effect":"allow"}`)(r)
	case r.Method == http.MethodPost:
		return says(202, `{"id":"r/1","status":"pending"}`)(r)
	case r.URL.Path == "/api/queue":
		return says(200, `{"pending":[{"id":"r/1","status":"pending"}]}`)(r)
	case r.URL.Path == "/api/queue/r/1":
		status := w.queue
		if status == "" {
			status = client.StatusApproved
		}
		return says(200, fmt.Sprintf(`{"id":"r/1","status":%q,"note":"why"}`, status))(r)
	}
	w.ended++
	if w.end != "" {
		return says(200, w.end)(r)
	}
	if w.ended == 1 {
		return says(200, `{"status":"running"}`)(r)
	}
	return says(200, `{"status":"completed","result":{"stdout":"out","stderr":"err","exitCode":3}}`)(r)
}

// client returns a client of the gateway.
func (w *faulty) client() *client.Client {
	return &client.Client{URL: "http://gw.example", HTTP: &http.Client{Transport: w, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// operations are the calls of a client; each returns what is wrong with a success.
var operations = map[string]func(ctx context.Context, c *client.Client) (wrong string, err error){
	"permission": func(ctx context.Context, c *client.Client) (string, error) {
		return approved(c.RequestPermission(ctx, client.Request{Category: client.CategoryExec, Action: "make"}))
	},
	"network": func(ctx context.Context, c *client.Client) (string, error) {
		return approved(c.RequestNetwork(ctx, "GET", "https://a.example", ""))
	},
	"config": func(ctx context.Context, c *client.Client) (string, error) {
		return approved(c.RequestConfigChange(ctx, "a.b", 1, ""))
	},
	"write": func(ctx context.Context, c *client.Client) (string, error) {
		return approved(c.RequestWrite(ctx, "a", "", ""))
	},
	"exec": func(ctx context.Context, c *client.Client) (string, error) {
		return ran(c.RequestExec(ctx, "make", ".", ""))
	},
	"packages": func(ctx context.Context, c *client.Client) (string, error) {
		return ran(c.RequestPackageInstall(ctx, "npm", []string{"x"}, ""))
	},
	"wait": func(ctx context.Context, c *client.Client) (string, error) { return approved(c.Wait(ctx, "r/1")) },
	"check": func(ctx context.Context, c *client.Client) (string, error) {
		e, err := c.Check(ctx, client.Request{Category: client.CategoryExec, Action: "make"})
		if (e == umpire.Allow) != (err == nil) {
			return fmt.Sprintf("%s, %v", e, err), err
		}
		return "", err
	},
	"pending": func(ctx context.Context, c *client.Client) (string, error) {
		list, err := c.Pending(ctx)
		if err == nil && (len(list) != 1 || list[0].ID != "r/1") {
			return fmt.Sprint(list), nil
		}
		return "", err
	},
	"submit": func(ctx context.Context, c *client.Client) (string, error) {
		a, err := c.Submit(ctx, client.Request{Category: client.CategoryExec, Action: "make"})
		if err == nil && (a.ID != "r/1" || a.Status != client.StatusPending) {
			return fmt.Sprint(a), nil
		}
		return "", err
	},
}

func approved(a client.Answer, err error) (string, error) {
	if err == nil && (a != client.Answer{ID: "r/1", Status: client.StatusApproved, Note: "why"}) {
		return fmt.Sprintf("%+v", a), nil
	}
	return "", err
}

func ran(r client.Result, err error) (string, error) {
	if want := (client.Result{Stdout: "out", Stderr: "err", ExitCode: 3}); err == nil && r != want || err != nil && r != (client.Result{}) {
		return fmt.Sprintf("%+v", r), err
	}
	return "", err
}

type cut struct{ io.Reader }

func (cut) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
func (cut) Close() error             { return nil }

// Each answer of a gateway in turn is another than it should be. A fault that may pass is outlived
// with the same request; one that does not pass is reported. Nothing counts as approved that the
// gateway did not approve.
func TestFaultyGateway(t *testing.T) {
	for name, tt := range map[string]struct {
		code   int
		body   string
		answer func(*http.Request) (*http.Response, error)
		status int    // of the reported fault; 0 if the call succeeds in the end
		says   string // part of the error
	}{
		"no connection":   {answer: func(*http.Request) (*http.Response, error) { return nil, errors.New("refused") }},
		"a failure":       {code: 500, body: `{"error":"x"}`},
		"overload":        {code: 429, body: ``},
		"not JSON":        {code: 200, body: `approved`},
		"a cut body":      {answer: func(*http.Request) (*http.Response, error) { return &http.Response{StatusCode: 200, Body: cut{}}, nil }},
		"never an answer": {answer: func(r *http.Request) (*http.Response, error) { <-r.Context().Done(); return nil, r.Context().Err() }},
		"not allowed":     {code: 403, body: `{"error":"no such token"}`, status: 403, says: "no such token"},
		"without a word":  {code: 404, body: `{}`, status: 404, says: "404"},
		"elsewhere":       {code: 302, body: `<html>`, status: 302, says: "302"},
		"too large":       {code: 200, body: `"` + strings.Repeat("x", 8<<20), status: 200, says: "too large"},
	} {
		for op, do := range operations {
			for n := 1; ; n++ {
				var w faulty
				var wrong string
				var err error
				synctest.Test(t, func(t *testing.T) {
					w = faulty{nth: n, code: tt.code, body: tt.body, answer: tt.answer}
					wrong, err = do(t.Context(), w.client())
				})
				faulted := len(w.calls) >= n
				var f *client.Fault
				switch {
				case wrong != "":
					t.Errorf("%s, answer %d of %s: got %s, %v", name, n, op, wrong, err)
				case !faulted || tt.status == 0:
					if err != nil {
						t.Errorf("%s, answer %d of %s: got %v, want success", name, n, op, err)
					}
				case !errors.As(err, &f) || f.Status != tt.status || !strings.Contains(f.Msg, tt.says):
					t.Errorf("%s, answer %d of %s: got %v, want a fault %d with %q", name, n, op, err, tt.status, tt.says)
				}
				if faulted && tt.status == 0 && (len(w.calls) <= n || w.calls[n-1] != w.calls[n]) {
					t.Errorf("%s, answer %d of %s: the calls are %q, want the same again", name, n, op, w.calls)
				}
				if !faulted || t.Failed() {
					break
				}
			}
		}
	}
}

// Only an approved request whose execution completed is a success.
func TestEndsOfRequests(t *testing.T) {
	for _, tt := range []struct {
		op     string
		queue  client.Status
		end    string
		status client.Status // of a *Denied
		says   string
		is     error
	}{
		{"permission", client.StatusDenied, "", client.StatusDenied, "the request r/1 is denied: why", nil},
		{"wait", client.StatusExpired, "", client.StatusExpired, "expired", nil},
		{"exec", client.StatusSuperseded, "", client.StatusSuperseded, "superseded", nil},
		{"packages", client.StatusCancelled, "", client.StatusCancelled, "cancelled", nil},
		{"write", client.StatusDenied, "", client.StatusDenied, "denied", nil},
		{"network", "sure", "", "sure", "sure", nil},
		{"config", "Approved", "", "Approved", "Approved", nil},
		{"write", "", `{"status":"failed","error":"no space"}`, "", "ended as failed: no space", nil},
		{"write", "", `{"status":"unknown","error":"lost"}`, "", "ended as unknown: lost", nil},
		{"write", "", `{"status":"conflict","error":"a changed"}`, client.StatusConflict, "a changed", nil},
		{"exec", "", `{"status":"unknown","result":{"exitCode":0}}`, "", "effects are unknown", client.ErrUnknown},
		{"exec", "", `{"status":"conflict","result":{"stderr":"a changed","exitCode":0}}`, client.StatusConflict, "a changed", nil},
		{"packages", "", `{"status":"conflict","error":"a changed"}`, client.StatusConflict, "a changed", nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			wrong, err := operations[tt.op](t.Context(), (&faulty{queue: tt.queue, end: tt.end}).client())
			var d *client.Denied
			denied := errors.As(err, &d)
			if wrong != "" || err == nil || !strings.Contains(err.Error(), tt.says) || denied != (tt.status != "") || denied && (d.Status != tt.status || d.ID != "r/1") || tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("%s %s %s: got %q, %v, want an error with %q", tt.op, tt.queue, tt.end, wrong, err, tt.says)
			}
		})
	}
}

// A caller that gives up gets its own error at once, and takes back the request that a person would
// answer for nobody.
func TestCallerGivesUp(t *testing.T) {
	for op, do := range operations {
		for n := 1; ; n++ {
			var w faulty
			var wrong string
			var err error
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				w = faulty{nth: n, answer: func(*http.Request) (*http.Response, error) {
					cancel()
					return nil, errors.New("refused")
				}}
				begin := time.Now()
				wrong, err = do(ctx, w.client())
				if len(w.calls) >= n && time.Since(begin) > time.Second {
					t.Errorf("%s, call %d: it takes %s", op, n, time.Since(begin))
				}
			})
			if len(w.calls) < n {
				break
			}
			if wrong != "" || !errors.Is(err, context.Canceled) {
				t.Errorf("%s, call %d: got %q, %v, want %v", op, n, wrong, err, context.Canceled)
			}
			waits := strings.HasPrefix(w.calls[n-1], "GET /api/queue/")
			if taken := slices.Contains(w.calls, "DELETE /api/queue/r/1 "); taken != waits {
				t.Errorf("%s, call %d: the request is taken back: %v, want %v: %q", op, n, taken, waits, w.calls)
			}
			if t.Failed() {
				break
			}
		}
	}
}

// The token goes to the gateway that was named, and not to where that one sends the client.
func TestTokenDoesNotFollowRedirects(t *testing.T) {
	var followed []string
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		followed = append(followed, r.Header.Get("Authorization"))
	}))
	defer other.Close()
	var sent []string
	gw := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent = append(sent, r.Header.Get("Authorization")+" "+r.Header.Get("Content-Type"))
		http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
	}))
	defer gw.Close()
	_, err := (&client.Client{URL: gw.URL, Token: "umpa_x"}).Submit(t.Context(), client.Request{Category: client.CategoryExec, Action: "make"})
	var f *client.Fault
	if !errors.As(err, &f) || f.Status != http.StatusTemporaryRedirect || len(followed) > 0 || !slices.Equal(sent, []string{"Bearer umpa_x application/json"}) {
		t.Errorf("got %v; the gateway got %q, the other server %q", err, sent, followed)
	}
}

// A push that cannot begin, or that is given up, approves nothing.
func TestPushFaults(t *testing.T) {
	c := &client.Client{URL: "http://127.0.0.1:1", Token: "x"}
	if a, err := c.RequestPush(t.Context(), t.TempDir(), "main", ""); err == nil || !strings.Contains(err.Error(), "git push: ") || a != (client.Answer{}) {
		t.Errorf("outside a repository: got %+v, %v", a, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if a, err := c.RequestPush(ctx, t.TempDir(), "main", ""); !errors.Is(err, context.Canceled) || a != (client.Answer{}) {
		t.Errorf("given up: got %+v, %v", a, err)
	}
	t.Setenv("PATH", t.TempDir())
	if a, err := c.RequestPush(t.Context(), t.TempDir(), "main", ""); err == nil || errors.Is(err, os.ErrPermission) || a != (client.Answer{}) {
		t.Errorf("without git: got %+v, %v", a, err)
	}
}
