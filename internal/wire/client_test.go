package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const key = "sk-wire-0123456789"

// reset ends a connection with a reset.
func reset(w http.ResponseWriter) {
	c, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	_ = c.(*net.TCPConn).SetLinger(0)
	_ = c.Close()
}

func get(t *testing.T, c *Client, url string) (string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.Do(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	return string(b), err
}

// A key is masked wherever it stands. One of a few letters is masked only as a word: it occurs in
// most words, and the gaps would tell it.
func TestSaidMasksKeys(t *testing.T) {
	for _, tt := range []struct{ key, text, want string }{
		{"a", "invalid key: a, say 'a' again, Bearer=a", "invalid key: [masked], say '[masked]' again, Bearer=[masked]"},
		{"a", "a", "[masked]"},
		{"", "no key", "no key"},
		{"é1", "caf\u00e912 and é1.", "café12 and [masked]."},
		{"abcd", "xabcdx", "x[masked]x"},
		{key, "you sent x" + key + "y", "you sent x[masked]y"},
	} {
		if got := (&Client{Key: Plain(tt.key)}).Said([]byte(tt.text)); got != tt.want {
			t.Errorf("key %q: %q, want %q", tt.key, got, tt.want)
		}
	}
}

func TestFaults(t *testing.T) {
	answer := func(status int, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if status != 403 || text != "" {
				w.Header().Set("Retry-After", "7")
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, text)
		}
	}
	hang := make(chan struct{})
	defer close(hang)
	for _, tt := range []struct {
		name    string
		handler http.HandlerFunc
		want    FaultKind
		status  int
		again   bool
	}{
		{"400", answer(400, "no"), Refused, 400, false},
		{"400, too long", answer(400, `{"error":{"message":"prompt is too long: 9 > 8"}}`), TooLong, 400, false},
		{"401", answer(401, "you sent "+key), KeyRefused, 401, false},
		{"403", answer(403, ""), KeyRefused, 403, false},
		{"403 that asks to wait", answer(403, "slow down"), RateLimited, 403, true},
		{"404", answer(404, ""), NotFound, 404, false},
		{"408", answer(408, ""), ServerError, 408, true},
		{"409", answer(409, ""), ServerError, 409, true},
		{"413", answer(413, ""), TooLong, 413, false},
		{"422", answer(422, ""), Refused, 422, false},
		{"429", answer(429, ""), RateLimited, 429, true},
		{"500", answer(500, ""), ServerError, 500, true},
		{"501", answer(501, ""), Refused, 501, false},
		{"502", answer(502, ""), ServerError, 502, true},
		{"503", answer(503, ""), Overloaded, 503, true},
		{"504", answer(504, ""), ServerError, 504, true},
		{"529", answer(529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded \u001b[2J`+key+`"}}`), Overloaded, 529, true},
		{"204", answer(204, ""), Refused, 204, false},
		{"a reset", func(w http.ResponseWriter, _ *http.Request) { reset(w) }, Reset, 0, true},
		{"a connection closed", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, Reset, 0, true},
		{"silence", func(http.ResponseWriter, *http.Request) { <-hang }, Silent, 0, true},
		{"silence after a while", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "so far")
			w.(http.Flusher).Flush()
			<-hang
		}, Silent, 0, true},
		{"cut in chunks", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "half")
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, Cut, 0, true},
		{"cut before its length", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "half")
		}, Cut, 0, true},
		{"cut by a reset", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "half")
			w.(http.Flusher).Flush()
			reset(w)
		}, Cut, 0, true},
		{"huge", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, strings.Repeat("x\n", 4000)) }, TooLarge, 200, false},
		{"a long line", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, strings.Repeat("x", 2000)) }, TooLarge, 200, false},
	} {
		s := httptest.NewServer(tt.handler)
		for _, buffer := range []bool{true, false} {
			_, err := get(t, &Client{Key: Plain(key), Idle: 300 * time.Millisecond, Most: 5000, Line: 1000, Buffer: buffer}, s.URL)
			var f *Fault
			if !errors.As(err, &f) || f.Kind != tt.want || f.Status != tt.status || f.Temporary() != tt.again {
				t.Errorf("%s: %#v", tt.name, err)
				continue
			}
			if f.Status > 200 && tt.name != "403" && f.After != 7*time.Second {
				t.Errorf("%s: after %s", tt.name, f.After)
			}
			if said := fmt.Sprint(f.Said, f); strings.Contains(said, key) || strings.Contains(said, "\x1b") {
				t.Errorf("%s: %q", tt.name, said)
			}
			if own := f.Error(); strings.Contains(own, "Overloaded") || strings.Contains(own, "prompt") {
				t.Errorf("%s: the server's words are in %q", tt.name, own)
			}
		}
		s.CloseClientConnections()
	}
	s := httptest.NewTLSServer(answer(200, "x"))
	defer s.Close()
	var f *Fault
	if _, err := get(t, &Client{}, s.URL); !errors.As(err, &f) || f.Kind != Untrusted || f.Temporary() {
		t.Errorf("%#v", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	if _, err := get(t, &Client{}, "http://"+l.Addr().String()); !errors.As(err, &f) || f.Kind != Unreachable {
		t.Errorf("%#v", err)
	}
}

// A key goes to the one host, in the provider's header, and no other key goes there.
func TestKeyIsForOneHost(t *testing.T) {
	elsewhere := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere++ }))
	defer other.Close()
	var got http.Header
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if got = r.Header; r.URL.Path == "/redirect" {
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		}
	}))
	defer s.Close()
	for _, tt := range []struct {
		c     Client
		where string
		want  string
	}{
		{Client{Anthropic: true}, "X-Api-Key", key},
		{Client{}, "Authorization", "Bearer " + key},
		{Client{KeyHeader: "X-Goog-Api-Key"}, "X-Goog-Api-Key", key},
	} {
		c := &tt.c
		c.Key = Plain(key)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range []string{"Authorization", "X-Api-Key", tt.where} {
			req.Header.Set(h, "of-somebody-else")
		}
		resp, err := c.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if all := fmt.Sprint(got); strings.Contains(all, "somebody") || strings.Count(all, key) != 1 || got.Get(tt.where) != tt.want {
			t.Errorf("%v", got)
		}
		if strings.Contains(fmt.Sprint(req.Header, resp.Request.Header, c.Key), key) {
			t.Error("the key outlives the request")
		}
		var f *Fault
		if _, err := get(t, c, s.URL+"/redirect"); !errors.As(err, &f) || f.Kind != Redirected || elsewhere > 0 {
			t.Errorf("%v, %d requests elsewhere", err, elsewhere)
		}
	}
}

// The caller's own end is no fault of the provider.
func TestCallerEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	own := errors.New("own")
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		cancel(own)
		<-r.Context().Done()
	}))
	defer s.Close()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (&Client{}).Do(req); !errors.Is(err, own) { //nolint:bodyclose // there is none
		t.Error(err)
	}
}

func TestAddresses(t *testing.T) {
	for _, tt := range []struct {
		name, base string
		keyed      bool
		want       string // "" for an error
	}{
		{"anthropic", "", true, "https://api.anthropic.com"},
		{"anthropic", "https://proxy.example/v1/", true, "https://proxy.example"},
		{"openai", "http://127.0.0.1:8/v1/", true, "http://127.0.0.1:8/v1"},
		{"openai", "http://example.com/v1", true, ""},
		{"openai", "http://example.com/v1", false, "http://example.com/v1"},
		{"openai", "https://u:p@example.com/v1", true, ""},
		{"openai", "https://example.com/v1?k=x", true, ""},
		{"openai", "file:///etc/passwd", true, ""},
		{"openai", "example.com", true, ""},
		{"ollama", "", false, "http://127.0.0.1:11434/v1"},
		{"ollama", "http://gpu:11434", false, "http://gpu:11434/v1"},
		{Compatible, "", true, ""},
		{Compatible, "https://host.example/v1", true, "https://host.example/v1"},
	} {
		p, err := Find(tt.name)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := p.Address(tt.base, tt.keyed); got != tt.want && tt.want != "" || (err == nil) != (tt.want != "") {
			t.Errorf("%+v: %q, %v", tt, got, err)
		}
	}
	if _, err := Find("acme"); err == nil || !strings.Contains(err.Error(), Compatible) {
		t.Error(err)
	}
}

func TestPrices(t *testing.T) {
	p, ok := PriceOf("anthropic/claude-haiku-5.5-20261101")
	if !ok || p.In != 10 {
		t.Fatalf("%+v", p)
	}
	for _, tt := range []struct {
		t    Tokens
		want Cost
	}{
		{Tokens{In: 1_000_000, Out: 1_000_000}, 60 * Cent},
		{Tokens{In: 1_000_000, Cached: 1_000_000}, Cent},
		{Tokens{In: 1_000_000, Written: 1_000_000}, Cent * 25 / 2},
		{Tokens{In: 100, Cached: 1000, Written: 1000, Out: -5}, Cent * 100 / 1_000_000}, // claims that cannot be
	} {
		if got := p.Of(tt.t); got != tt.want && got != tt.want-tt.want%10 {
			t.Errorf("%+v: %d, want %d", tt.t, got, tt.want)
		}
	}
}
