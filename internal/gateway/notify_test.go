package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/store"
)

// A webhook is told what waits and what became of it, signed and without secrets, also if
// it does not listen at first.
func TestWebhooks(t *testing.T) {
	type got struct {
		header http.Header
		body   string
	}
	var tries atomic.Int64
	told, slack := make(chan got, 100), make(chan string, 100)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch {
		case r.URL.Path == "/slack":
			slack <- string(body)
		case tries.Add(1) <= 2:
			w.WriteHeader(http.StatusBadGateway)
		default:
			told <- got{r.Header, string(body)}
		}
	}))
	defer receiver.Close()
	w := newWorld(t, "", func(o *Options) {
		o.Webhooks = []Webhook{{URL: receiver.URL, Secret: "s3cret", pause: time.Millisecond}, {URL: receiver.URL + "/slack", Slack: true}}
	})
	r := w.ask("exec", "make deploy TOKEN=ghp_abcdefghijklmnopqrstuvwxyz0123456789 '<!channel>'", nil)
	w.call("approver", "POST", "/api/queue/"+r["id"].(string)+"/deny", nil)
	for _, want := range []string{"request", "resolve"} {
		var g got
		select {
		case g = <-told:
		case <-time.After(time.Minute):
			t.Fatal("nothing is told")
		}
		var m struct {
			Type    string
			Request struct{ ID, Action, Status, Operator string }
		}
		if err := json.Unmarshal([]byte(g.body), &m); err != nil {
			t.Fatal(err)
		}
		if m.Type != want || m.Request.ID != r["id"] || strings.Contains(g.body, "ghp_abc") || want == "resolve" && (m.Request.Status != "denied" || m.Request.Operator != "ann") {
			t.Errorf("%s", g.body)
		}
		if sig := "v1=" + signPayload("s3cret", g.header.Get("Umpire-Timestamp"), []byte(g.body)); g.header.Get("Umpire-Signature") != sig || g.header.Get("Umpire-Event") == "" {
			t.Errorf("%v", g.header)
		}
		select {
		case text := <-slack:
			if strings.Contains(text, "<!channel>") || strings.Contains(text, "ghp_abc") || !strings.Contains(text, "make deploy") {
				t.Errorf("Slack: %s", text)
			}
		case <-time.After(time.Minute):
			t.Fatal("Slack is told nothing")
		}
	}
}

// TestWebhookRedirect: a receiver that answers with another address has nothing sent there.
func TestWebhookRedirect(t *testing.T) {
	var inner atomic.Int64
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { inner.Add(1) }))
	defer inside.Close()
	var tries atomic.Int64
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tries.Add(1)
		http.Redirect(w, r, inside.URL, http.StatusTemporaryRedirect)
	}))
	defer receiver.Close()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	if err := (Webhook{URL: receiver.URL}).send(t.Context(), client, 1, []byte("{}"), func() bool { return true }); err == nil || tries.Load() != 1 || inner.Load() != 0 {
		t.Errorf("%v, %d tries, %d there", err, tries.Load(), inner.Load())
	}
	for _, bad := range []string{"", "x", "file:///etc/passwd", "https://u:p@a/", "slack+gopher://a"} {
		if _, err := ParseWebhook(bad, ""); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// TestWebhookOfTheDead: what a gateway was to tell when it died is told by the next.
func TestWebhookOfTheDead(t *testing.T) {
	var dead atomic.Bool
	dead.Store(true)
	died, told := make(chan string, 100), make(chan string, 100)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if dead.Load() {
			_, _ = io.Copy(io.Discard, r.Body) // or nobody notices that the sender is gone
			died <- r.Header.Get("Umpire-Event")
			<-r.Context().Done() // it has the request, and the sender never hears of it
			return
		}
		told <- r.Header.Get("Umpire-Event")
	}))
	defer receiver.Close()
	w := newWorld(t, "", func(o *Options) { o.Shared = true })
	hook := Webhook{URL: receiver.URL}
	first, kill := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.g.notify(first, hook)
	}()
	w.ask("exec", "make deploy", nil)
	var event string
	select {
	case event = <-died:
	case <-time.After(time.Minute):
		t.Fatal("nothing is sent")
	}
	kill()
	<-ended
	dead.Store(false)
	next, err := New(t.Context(), Options{Store: w.s, Root: t.TempDir(), Log: w.g.log, Shared: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = next.Close(context.WithoutCancel(t.Context()), false) }()
	id := hashToken(hook.URL)[:16]
	if _, err := next.holdHook(t.Context(), id, 0); !errors.Is(err, errUnchanged) {
		t.Errorf("it is taken from a gateway that may live: %v", err)
	}
	// The lease is over.
	err = w.s.Transact(t.Context(), func(tx *store.Tx) error {
		body, err := tx.Get(webhookRecord, id)
		var p progress
		if err = errors.Join(err, json.Unmarshal(body, &p)); err != nil {
			return err
		}
		p.Until = 0
		if body, err = json.Marshal(p); err != nil {
			return err
		}
		return tx.Put(webhookRecord, id, body)
	})
	if err != nil {
		t.Fatal(err)
	}
	second, stop := context.WithCancel(t.Context())
	ended = make(chan struct{})
	go func() {
		defer close(ended)
		next.notify(second, hook)
	}()
	select {
	case got := <-told:
		if got != event {
			t.Errorf("event %s is told, and %s was lost", got, event)
		}
	case <-time.After(time.Minute):
		t.Error("nothing is told")
	}
	stop()
	<-ended
}
