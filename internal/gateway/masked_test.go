package gateway

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A secret in a request is masked wherever people see it and in the record, which stays whole. What
// runs is what the agent sent.
func TestSecretsOfARequestAreMasked(t *testing.T) {
	w := newWorld(t, "")
	secret := "sk-ant-" + "api03-" + strings.Repeat("a1B2c3D4", 6)
	r := w.ask("exec", "", object{"command": "printf %s 'Authorization: Bearer " + secret + "' > sent"})
	id := r["id"].(string)
	look := func(when string) {
		t.Helper()
		for _, path := range []string{"/api/queue", "/api/queue/" + id, "/api/queue/" + id + "/whole", "/api/history"} {
			if status, text := w.text("viewer", path); status != 200 || strings.Contains(text, secret) {
				t.Errorf("%s: %s: %d: the secret is shown in %s", when, path, status, text)
			}
		}
		events, err := w.s.Events(t.Context(), 0, 1000)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(events)
		if err != nil || strings.Contains(string(text), secret) || !strings.Contains(string(text), "[masked:") {
			t.Errorf("%s: the record: %s %v", when, text, err)
		}
		if n, err := w.g.VerifyRecord(t.Context()); err != nil || n != int64(len(events)) {
			t.Errorf("%s: the record has %d events, %d verify: %v", when, len(events), n, err)
		}
	}
	look("before the answer")
	if status, got := w.call("approver", "POST", "/api/queue/"+id+"/approve", object{"digest": r["digest"], "note": "use " + secret}); status != 200 {
		t.Fatal(status, got)
	}
	w.until("exec", id, "completed")
	look("when it has run")
	if got, err := os.ReadFile(filepath.Join(w.g.root, "sent")); err != nil || string(got) != "Authorization: Bearer "+secret {
		t.Errorf("what ran wrote %q: %v", got, err)
	}
}
