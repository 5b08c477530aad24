package agent

import (
	"bytes"
	"errors"
	"log/slog"
	"testing"
)

// A notice is one sentence for a person, and nothing in it reaches the terminal unescaped.
func TestNotices(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(notices{to: &programLog{to: lineWriter(func(text string) { out.WriteString(text + "|") })}})
	log.Warn("a policy file has a fault", "error", errors.New(`policy.yaml:3:1: unknown key "ruls"`))
	log.With("hook", "lint").Warn("a hook failed", "error", errors.New("exit 1\x1b[31m"), "empty", "")
	log.Debug("nobody wants to know")
	want := `a policy file has a fault: policy.yaml:3:1: unknown key "ruls"|a hook failed: lint: exit 1\x1b[31m|`
	if out.String() != want {
		t.Errorf("%s\nwant %s", &out, want)
	}
}
