package egress

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestPlainRequest(t *testing.T) {
	var seen http.Header
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header.Clone()
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
			return
		}
		fmt.Fprintf(w, "%s %s %s", r.Method, r.URL, r.Host)
	}))
	defer up.Close()
	g := &gate{}
	c := client(t, open(t, Options{Gate: g, Private: loopback}), nil)
	if status, body := get(t, c, up.URL+"/a%2Fb?q=secret"); status != 200 || body != "GET /a%2Fb?q=secret "+strings.TrimPrefix(up.URL, "http://") {
		t.Errorf("a plain request: got %d %s, want the server's answer", status, body)
	}
	if seen.Get("Proxy-Authorization") != "" || seen.Get("X-Forwarded-For") != "" {
		t.Errorf("the server was told %v", seen)
	}
	if status, _ := get(t, c, up.URL+"/away"); status != http.StatusFound {
		t.Errorf("a redirect became %d: it is the client's to follow", status)
	}
	if want := "GET " + up.URL + "/a/b; GET " + up.URL + "/away"; g.questions() != want {
		t.Errorf("asked about %s, want %s", g.questions(), want)
	}
}

func TestRefused(t *testing.T) {
	p := open(t, Options{Gate: &gate{say: func(t Target) Decision {
		return Decision{ID: "01ABC", Open: t.Host == "later.example", Why: "a person denied it"}
	}}})
	for _, tt := range []struct {
		name, request string
		status        int
		says          string
	}{
		{"nobody", "GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n\r\n", 407, "token"},
		{"a wrong token", "GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\nProxy-Authorization: Basic czE6bm9uZQ==\r\n\r\n", 407, "token"},
		{"a tunnel without a token", "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n", 407, "token"},
		{"denied", "GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n" + auth + "\r\n", 403, `"request":"01ABC"`},
		{"still open", "CONNECT later.example:443 HTTP/1.1\r\nHost: later.example:443\r\n" + auth + "\r\n", 403, `"pending":true`},
		{"a number for a host", "GET http://2130706433/ HTTP/1.1\r\nHost: 2130706433\r\n" + auth + "\r\n", 400, "is not a host name"},
		{"hexadecimal", "CONNECT 0x7f.1:443 HTTP/1.1\r\nHost: 0x7f.1:443\r\n" + auth + "\r\n", 400, "is not a host name"},
		{"a zone", "CONNECT [fe80::1%25eth0]:443 HTTP/1.1\r\nHost: x\r\n" + auth + "\r\n", 400, ""},
		{"a user", "GET http://u:p@a.example/ HTTP/1.1\r\nHost: a.example\r\n" + auth + "\r\n", 400, "user in it"},
		{"a path that climbs", "GET http://a.example/x/%2e%2e/y HTTP/1.1\r\nHost: a.example\r\n" + auth + "\r\n", 400, "dot segments"},
		{"no path at all", "GET http://a.example HTTP/1.1\r\nHost: a.example\r\n" + auth + "\r\n", 403, `"request":"01ABC"`},
		{"another scheme", "GET ftp://a.example/ HTTP/1.1\r\nHost: a.example\r\n" + auth + "\r\n", 400, "CONNECT"},
		{"no port", "CONNECT a.example HTTP/1.1\r\nHost: a.example\r\n" + auth + "\r\n", 400, "CONNECT needs host:port"},
		{"port 0", "CONNECT a.example:0 HTTP/1.1\r\nHost: a.example\r\n" + auth + "\r\n", 400, "is not a port"},
		{"a large port", "CONNECT a.example:65536 HTTP/1.1\r\nHost: a.example\r\n" + auth + "\r\n", 400, "is not a port"},
		{"port 0 without a tunnel", "GET http://a.example:0/ HTTP/1.1\r\nHost: a.example:0\r\n" + auth + "\r\n", 400, "is not a port"},
		{"a large port without a tunnel", "GET http://a.example:65536/ HTTP/1.1\r\nHost: a.example:65536\r\n" + auth + "\r\n", 400, "is not a port"},
		{"not for a proxy", "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", 200, "this is a proxy"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			resp, _, _ := speak(t, p, tt.request)
			if resp.status != tt.status || !strings.Contains(resp.body, tt.says) {
				t.Errorf("got %d %s, want %d and %q", resp.status, resp.body, tt.status, tt.says)
			}
			if tt.status == 407 && resp.header.Get("Proxy-Authenticate") == "" {
				t.Error("it does not say how to identify")
			}
		})
	}
}

var errTest = errors.New("test")

func TestGateFails(t *testing.T) {
	resp, _, _ := speak(t, open(t, Options{Gate: failing{}}), "GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n"+auth+"\r\n")
	if resp.status != 502 || strings.Contains(resp.body, errTest.Error()) {
		t.Errorf("got %d %s, want 502 without the gate's error", resp.status, resp.body)
	}
}

type failing struct{}

func (failing) Identify(context.Context, string, string) (Client, error) { return Client{ID: "a"}, nil }
func (failing) Judge(context.Context, Client, Target) (Decision, error)  { return Decision{}, errTest }
