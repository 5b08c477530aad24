package egress

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
)

// A listener that is made for one client asks for no credential, and its requests are judged as
// that client's.
func TestListenerOfOneClient(t *testing.T) {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }))
	defer up.Close()
	g := &gate{}
	p := New(Options{Gate: g, Private: loopback})
	near := httptest.NewServer(p.For(Client{ID: "one", Name: "sandbox"}))
	defer near.Close()
	at, err := url.Parse(near.URL)
	if err != nil {
		t.Fatal(err)
	}
	tr := &http.Transport{Proxy: http.ProxyURL(at)}
	defer tr.CloseIdleConnections()
	c := &http.Client{Transport: tr, Timeout: patience}
	if status, body := get(t, c, up.URL+"/x"); status != http.StatusTeapot || g.questions() == "" {
		t.Errorf("%d %s, judged %q; want the server's answer to a request that was judged", status, body, g.questions())
	}
	g.say = func(Target) Decision { return Decision{Why: "no"} }
	if status, body := get(t, c, up.URL+"/x"); status != http.StatusForbidden {
		t.Errorf("%d %s, want the gate's refusal", status, body)
	}
}
