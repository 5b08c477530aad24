package egress

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A request with a finding, an answer with one, and what cannot be read are stopped where the look
// is strict, and pass where it only notes: of a stopped answer no byte with the finding gets through.
func TestRequestsAndAnswersThroughALook(t *testing.T) {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", r.Header.Get("Answer-Encoding"))
		_, _ = w.Write([]byte(r.Header.Get("Answer")))
	}))
	defer up.Close()
	for _, tt := range []struct {
		name, host, encoding, say, answer, how string
		status                                 int // of a strict look; one that notes lets all through
		why                                    string
	}{
		{name: "nothing in them", host: "a.example", say: "hello", answer: "hi", status: 200, why: "hi"},
		{name: "a finding in the request", host: "a.example", say: "a leak", answer: "hi", status: 403, why: "umpire found a leak"},
		{name: "an order is none in a request", host: "a.example", say: "order", answer: "hi", status: 200, why: "hi"},
		{name: "a finding in the answer", host: "a.example", say: "hello", answer: "an order", status: 403, why: "umpire found a order"},
		{name: "an encoded request", host: "a.example", encoding: "br", say: "x", answer: "hi", status: 403, why: "send the body without encoding"},
		{name: "an encoded answer", host: "a.example", say: "hello", answer: "an order", how: "br", status: 502, why: "cannot decode its encoding"},
		{name: "another host", host: "b.example", say: "a leak", answer: "an order", how: "br", status: 200, why: "an order"},
	} {
		for _, strict := range []bool{true, false} {
			n := &names{of: map[string][]string{"a.example": {"127.0.0.1"}, "b.example": {"127.0.0.1"}}}
			c := client(t, open(t, Options{Private: loopback, Resolver: n, Bodies: watcher{strict}}), nil)
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+tt.host+":"+portOf(t, up.URL)+"/", strings.NewReader(tt.say))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Encoding", tt.encoding)
			r.Header.Set("Answer", tt.answer)
			r.Header.Set("Answer-Encoding", tt.how)
			status, why := tt.status, tt.why
			if !strict {
				status, why = 200, tt.answer
			}
			a, err := c.Do(r)
			if err != nil {
				t.Fatalf("%s: %v", tt.name, err)
			}
			got, err := io.ReadAll(a.Body)
			_ = a.Body.Close()
			if err != nil || a.StatusCode != status || !strings.Contains(string(got), why) || status != 200 && strings.Contains(string(got), `:"`+tt.answer) {
				t.Errorf("%s, strict %v: got %d %s, %v, want %d and %q", tt.name, strict, a.StatusCode, got, err, status, why)
			}
		}
	}
}

// A credential for the proxy is read up to a bound, and not passed on.
func TestCredentialBounds(t *testing.T) {
	for user, lengths := range map[int]map[int]bool{0: {0: true}, 200: {200: true, 201: false}, 201: {200: false, 201: false, 0: false}} {
		for password, want := range lengths {
			r := httptest.NewRequest(http.MethodGet, "http://h.example/", nil)
			r.SetBasicAuth(strings.Repeat("u", user), strings.Repeat("p", password))
			r.Header.Set("Proxy-Authorization", r.Header.Get("Authorization"))
			if u, p, ok := proxyAuth(r); ok != want || len(u) != user || len(p) != password {
				t.Errorf("a name of %d and a token of %d bytes: got %d, %d, %v, want %v", user, password, len(u), len(p), ok, want)
			}
		}
	}
	if _, _, ok := proxyAuth(httptest.NewRequest(http.MethodGet, "http://h.example/", nil)); ok {
		t.Error("no credential is taken for one")
	}
}
