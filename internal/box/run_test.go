package box

import (
	"encoding/json"
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
