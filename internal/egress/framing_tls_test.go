package egress

import (
	"bufio"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Over TLS, the same requests are ambiguous, and handlers still see that it is TLS: cookies depend
// on it.
func TestStrictOverTLS(t *testing.T) {
	up := httptest.NewTLSServer(nil) // for its certificate
	defer up.Close()
	srv := httptest.NewUnstartedServer(nil)
	srv.Config = Server(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if why := Ambiguous(r); why != nil {
			http.Error(w, why.Error(), http.StatusBadRequest)
			return
		}
		if r.TLS == nil {
			http.Error(w, "no TLS", http.StatusInternalServerError)
		}
	}))
	faults := make(chan error, 100)
	srv.Listener = StrictTLS(srv.Listener, &tls.Config{Certificates: up.TLS.Certificates, MinVersion: tls.VersionTLS12}, func(_ net.Addr, err error) { faults <- err })
	srv.Start()
	defer srv.Close()
	for name, tt := range map[string]struct {
		header string
		want   int
		why    string
	}{
		"plain":                 {"", 200, ""},
		"folded":                {"X-A: b\r\n c\r\n", 400, "continues on a second line"},
		"length and encoding":   {"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", 400, "both a Content-Length"},
		"two different lengths": {"Content-Length: 4\r\nContent-Length: 5\r\n", 400, "two Content-Length"},
	} {
		if _, err := new(tls.Dialer).DialContext(t.Context(), "tcp", srv.Listener.Addr().String()); err == nil {
			t.Fatalf("%s: an unknown certificate was accepted", name)
		}
		c, err := (&tls.Dialer{Config: up.Client().Transport.(*http.Transport).TLSClientConfig}).DialContext(t.Context(), "tcp", srv.Listener.Addr().String())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: example.com\r\n"+tt.header+"\r\n"); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		res, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		body, err := io.ReadAll(res.Body)
		_, _ = res.Body.Close(), c.Close()
		if err != nil || res.StatusCode != tt.want || !strings.Contains(string(body), tt.why) {
			t.Errorf("%s: got %d %s, %v, want %d and %q", name, res.StatusCode, body, err, tt.want, tt.why)
		}
	}
	for len(faults) > 0 { // those of the clients that did not know the certificate
		<-faults
	}
	res, err := http.Get("http://" + srv.Listener.Addr().String() + "/") //nolint:noctx // it answers at once
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if err != nil || res.StatusCode != http.StatusBadRequest || !strings.Contains(string(body), "an HTTP request to an HTTPS server") {
		t.Errorf("without TLS: %d %s, %v, want 400", res.StatusCode, body, err)
	}
	if err := <-faults; !strings.Contains(err.Error(), "an HTTP request") && !strings.Contains(err.Error(), "bad certificate") {
		t.Errorf("a report of %v", err)
	}
}
