package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// An operator's token is sent to nobody but a gateway that knows it: not to who listens
// where none runs, and not to who passes on what the gateway says.
func TestTokenIsForTheGateway(t *testing.T) {
	bin := program(t)
	dir := newProject(t)
	home := filepath.Dir(dir)
	t.Setenv("HOME", home)
	env := append(exec.Command(bin).Environ(), "HOME="+home)
	at := servedAt(t.Context(), t, bin, dir, env)
	real, err := url.Parse("http://" + at["all"])
	if err != nil {
		t.Fatal(err)
	}
	var heard atomic.Int64
	listen := func(h http.Handler) string {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "" {
				heard.Add(1)
			}
			h.ServeHTTP(w, r)
		}))
		t.Cleanup(srv.Close)
		return srv.URL
	}
	relay := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(real); r.Out.Host = real.Host }}
	for _, tt := range []struct {
		name, server string
		want         string
	}{
		{"the gateway", real.String(), ""},
		{"somebody", listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") })), "did not prove"},
		{"who makes a proof up", listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, `{"address":"`+r.Host+`","code":"00"}`)
		})), "did not prove"},
		{"who passes it on", listen(relay), "did not prove"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, args := range [][]string{{"queue", "--server", tt.server}, {"token", "list", "--server", tt.server}} {
				cmd := exec.CommandContext(t.Context(), bin, args...)
				cmd.Dir, cmd.Env = dir, env
				out, err := cmd.CombinedOutput()
				if (err == nil) != (tt.want == "") || !strings.Contains(string(out), tt.want) {
					t.Errorf("%v: got error %v, want %q (empty: none):\n%s", args, err, tt.want, out)
				}
			}
		})
	}
	if n := heard.Load(); n > 0 {
		t.Errorf("the token was sent %d times", n)
	}
}
