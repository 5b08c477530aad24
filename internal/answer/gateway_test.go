package answer

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/umpire-dev/umpire/internal/gatewayclient"
	"github.com/umpire-dev/umpire/internal/policyfile"
)

// TestGatewayRestarts: a question that meets a gateway on its way down or up is offered again,
// and one that the gateway refuses is not.
func TestGatewayRestarts(t *testing.T) {
	for _, tt := range []struct {
		name  string
		first func(w http.ResponseWriter)
		tries int64
		fault string
	}{
		{"hangs up", func(http.ResponseWriter) { panic(http.ErrAbortHandler) }, 2, ""},
		{"not ready", func(w http.ResponseWriter) {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = w.Write([]byte(`{"error":"the database is away"}`))
		}, 2, ""},
		{"a proxy before it", func(w http.ResponseWriter) { w.WriteHeader(http.StatusBadGateway) }, 2, ""},
		{"refuses", func(w http.ResponseWriter) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"error":"no such tool"}`))
		}, 1, "no such tool"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var tries atomic.Int64
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if tries.Add(1) == 1 {
					tt.first(w)
					return
				}
				_, _ = w.Write([]byte(`{"id":"x"}`))
			}))
			defer srv.Close()
			var out struct{ ID string }
			err := submitted(t.Context(), func() error {
				return gatewayclient.Call(t.Context(), http.DefaultClient, http.MethodPost, srv.URL, "secret", map[string]string{}, &out)
			})
			if tries.Load() != tt.tries || (err == nil) != (tt.fault == "") || err == nil && out.ID != "x" || err != nil && !strings.Contains(err.Error(), tt.fault) {
				t.Errorf("%v after %d tries: %v", err, tries.Load(), out)
			}
		})
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := submitted(over, func() error { return gatewayclient.ErrUnreachable }); !errors.Is(err, gatewayclient.ErrUnreachable) {
		t.Errorf("without time left: %v", err)
	}
}

// Doctor learns why no one at the gateway can be asked, before a call needs it.
func TestCheckGateway(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || r.URL.Path != "/api/queue" || r.Header.Get("Authorization") != "Bearer umpa_x" {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = w.Write([]byte(`{"error":"no"}`))
		}
	}))
	defer srv.Close()
	file := func(token string) string {
		path := filepath.Join(t.TempDir(), "gateway.token")
		if err := os.WriteFile(path, []byte(token), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, tt := range []struct{ name, url, token, want string }{
		{"in order", srv.URL + "/", file("umpa_x\n"), ""},
		{"no token", srv.URL, filepath.Join(t.TempDir(), "none"), "there is no token in "},
		{"an empty token", srv.URL, file("\n"), "there is no token in "},
		{"an unknown token", srv.URL, file("umpa_y"), "the gateway does not know the token"},
		{"no gateway", "http://127.0.0.1:1", file("umpa_x"), "the gateway does not answer"},
	} {
		err := CheckGateway(t.Context(), &policyfile.Gateway{URL: tt.url, TokenFile: tt.token}, t.TempDir(), "")
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
	}
}
