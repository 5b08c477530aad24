package egress

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A connection that becomes another protocol than WebSocket could carry requests that
// nobody judged: the server is not asked for it.
func TestOtherUpgrades(t *testing.T) {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") == "" {
			fmt.Fprint(w, "plain")
			return
		}
		w.Header().Set("Connection", "Upgrade")
		w.Header().Set("Upgrade", r.Header.Get("Upgrade"))
		w.WriteHeader(http.StatusSwitchingProtocols)
	}))
	defer up.Close()
	p := open(t, Options{Private: loopback})
	host := strings.TrimPrefix(up.URL, "http://")
	for upgrade, want := range map[string]int{
		"Upgrade: h2c\r\n":                       http.StatusOK,
		"Upgrade: websocket, h2c\r\n":            http.StatusOK,
		"Upgrade: websocket\r\nUpgrade: h2c\r\n": http.StatusOK,
		"Upgrade: websocket\r\n":                 http.StatusSwitchingProtocols,
	} {
		a, c, _ := speak(t, p, "GET "+up.URL+"/ HTTP/1.1\r\nHost: "+host+"\r\nConnection: Upgrade\r\n"+upgrade+auth+"\r\n")
		_ = c.Close()
		if a.status != want {
			t.Errorf("%q: %d", upgrade, a.status)
		}
	}
}
