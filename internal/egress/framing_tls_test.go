package egress

import (
	"bufio"
	"crypto/tls"
	"io"
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
	srv.Listener = Strict(tls.NewListener(srv.Listener, &tls.Config{Certificates: up.TLS.Certificates, MinVersion: tls.VersionTLS12}))
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
		c, err := new(tls.Dialer).DialContext(t.Context(), "tcp", srv.Listener.Addr().String())
		if err == nil {
			t.Fatalf("%s: an unknown certificate was accepted", name)
		}
		c, err = (&tls.Dialer{Config: up.Client().Transport.(*http.Transport).TLSClientConfig}).DialContext(t.Context(), "tcp", srv.Listener.Addr().String())
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
}
