package answer

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/umpire-dev/umpire/internal/gatewayclient"
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
	if err := submitted(over, func() error { return gatewayclient.ErrAway }); !errors.Is(err, gatewayclient.ErrAway) {
		t.Errorf("without time left: %v", err)
	}
}
