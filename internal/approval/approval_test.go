package approval

import (
	"strings"
	"testing"
	"time"
)

func TestNewID(t *testing.T) {
	// The time part of the specification's own example.
	at := time.UnixMilli(1469918176385)
	seen := map[string]bool{}
	for range 1000 {
		id := NewID(at)
		if len(id) != 26 || !strings.HasPrefix(id, "01ARYZ6S41") || strings.Trim(id, crockford) != "" || seen[id] {
			t.Fatalf("%s", id)
		}
		seen[id] = true
	}
	if a, b := NewID(at), NewID(at.Add(time.Millisecond)); a >= b {
		t.Errorf("%s is not before %s", a, b)
	}
}

func TestCategories(t *testing.T) {
	for _, c := range Categories() {
		if !c.Known() || c.Bulk() == (c == Exec || c == Packages || c == Sandbox) {
			t.Errorf("%s: known %v, bulk %v", c, c.Known(), c.Bulk())
		}
	}
	if Category("").Known() {
		t.Error("no category is one")
	}
}
