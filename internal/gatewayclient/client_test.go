package gatewayclient

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A token that the gateway does not know is the user's to replace.
func TestUnknownTokenNamesTheNextStep(t *testing.T) {
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":"missing or invalid token: send Authorization: Bearer TOKEN"}`, http.StatusUnauthorized)
	}))
	defer served.Close()
	if _, err := Open(t.Context(), http.DefaultClient, http.MethodGet, served.URL, "x", nil); err == nil || !strings.Contains(err.Error(), "set UMPIRE_TOKEN") {
		t.Error(err)
	}
}

// A gateway that answers that it cannot serve now answers all the same.
func TestUnableGatewayAnswers(t *testing.T) {
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":"the disk is full"}`, http.StatusServiceUnavailable)
	}))
	defer served.Close()
	_, err := Open(t.Context(), http.DefaultClient, http.MethodGet, served.URL, "x", nil)
	if want := "the gateway cannot answer now: the disk is full"; err == nil || err.Error() != want || !errors.Is(err, ErrUnreachable) {
		t.Errorf("got %v, want %q, an ErrUnreachable", err, want)
	}
}

// The disk of the log is full: the log stays empty, and the cause is named all the same.
func TestEmptyLog(t *testing.T) {
	log := filepath.Join(t.TempDir(), "gateway.log")
	if err := os.WriteFile(log, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := lastLine(log); !strings.Contains(got, "space on the disk of "+filepath.Dir(log)) {
		t.Error(got)
	}
}

// An answer that is not what the address promises names what to change, and does not ask whether the
// gateway runs.
func TestAwayNamesTheNextStep(t *testing.T) {
	served := httptest.NewTLSServer(http.NotFoundHandler())
	defer served.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	plain.URL = strings.Replace(plain.URL, "http", "https", 1)
	gateway, err := net.Listen("tcp", "127.0.0.1:0") // closes what does not speak HTTP, as a gateway does
	if err != nil {
		t.Fatal(err)
	}
	defer gateway.Close()
	go func() {
		for c, err := gateway.Accept(); err == nil; c, err = gateway.Accept() {
			_, _ = c.Read(make([]byte, 64<<10))
			_ = c.Close()
		}
	}()
	if _, err := Open(t.Context(), http.DefaultClient, http.MethodGet, served.URL, "umpo_x\ny", nil); err == nil || errors.Is(err, ErrUnreachable) {
		t.Errorf("a token of two lines: %v", err)
	}
	for address, want := range map[string]string{
		served.URL: "name a host of its certificate",
		strings.Replace(served.URL, "https", "http", 1): "begins with https://",
		"http://127.0.0.1:1":                            "is `umpire serve` running?",
		plain.URL:                                       "begins with https://",
		"https://" + gateway.Addr().String():            "running, and does it serve TLS? If it does not, its address begins with http://",
	} {
		_, err := Open(t.Context(), OperatorClient("umpo_x"), http.MethodGet, address, "umpo_x", nil)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "running") != strings.Contains(want, "running") {
			t.Errorf("%s: %v, want %q", address, err, want)
		}
	}
}
