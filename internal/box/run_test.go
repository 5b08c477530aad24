package box

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The record of a run outlives it: it has nothing of the flags, among them the credentials' file.
func TestRunRecordsNoFlags(t *testing.T) {
	body, err := json.Marshal(Run{ID: "x", Sync: Sync{Apply: ApplyRules, Credentials: "/home/dev/secret"}})
	if err != nil || strings.Contains(string(body), "Sync") || strings.Contains(string(body), "secret") {
		t.Errorf("%v: %s", err, body)
	}
}

// A run starts a gateway at the default address only: nobody would find it at another.
func TestNoGatewayAtAnotherAddress(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	t.Setenv("UMPIRE_SERVER", gone.URL)
	if _, err := needGateway(t.Context(), io.Discard, &Run{}, ""); err == nil || !strings.Contains(err.Error(), "no gateway at "+gone.URL) {
		t.Errorf("needGateway said %v, want that there is no gateway at %s", err, gone.URL)
	}
}

// A gateway of another user answers at the default address: a run must not hang on it, nor
// tell the user to start one.
func TestGatewayOfAnother(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer other.Close()
	t.Setenv("UMPIRE_SERVER", other.URL)
	t.Setenv("UMPIRE_TOKEN", "")
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	_, err := needGateway(t.Context(), io.Discard, &Run{}, "")
	if err == nil || !strings.Contains(err.Error(), "you have no token for it") {
		t.Errorf("needGateway said %v, want that there is no token for the gateway", err)
	}
	t.Setenv("UMPIRE_TOKEN", "umpo_x")
	if _, err := needGateway(t.Context(), io.Discard, &Run{}, ""); err != nil {
		t.Errorf("with a token: %v", err)
	}
}
