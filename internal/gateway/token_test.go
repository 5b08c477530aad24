package gateway

import "testing"

// TestSessions: an administrator ends anybody's browser, others only their own.
func TestSessions(t *testing.T) {
	w := newWorld(t, "")
	login := func(who string) string {
		t.Helper()
		_, out := w.call(who, "POST", "/api/login", nil)
		secret, _, err := w.g.Login(t.Context(), out["path"].(string)[len("/login?code="):])
		if err != nil {
			t.Fatal(err)
		}
		return secret
	}
	ann, vic := login("approver"), login("viewer")
	for who, want := range map[string]int{"admin": 2, "approver": 1, "viewer": 1} {
		if _, out := w.call(who, "GET", "/api/sessions", nil); len(out["sessions"].([]any)) != want {
			t.Errorf("%s sees %v", who, out)
		}
	}
	for _, tt := range []struct {
		who, secret string
		status      int
	}{{"agent", ann, 404}, {"viewer", ann, 404}, {"admin", ann, 200}, {"admin", ann, 404}, {"viewer", vic, 200}} {
		if status, out := w.call(tt.who, "DELETE", "/api/sessions/"+BrowserID(tt.secret), nil); status != tt.status {
			t.Errorf("%s: %d %v", tt.who, status, out)
		}
	}
	for _, secret := range []string{ann, vic} {
		if _, err := w.g.Session(t.Context(), secret); err == nil {
			t.Error("a session that was ended goes on")
		}
	}
}
