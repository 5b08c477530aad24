package gateway

import (
	"encoding/json"
	"testing"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/audit"
)

// The record of a command that ran has its duration as a number of its own.
func TestRecordHasDuration(t *testing.T) {
	w := newWorld(t, "")
	line := (&recorder{g: w.g}).line(&approval.ChainEvent{Kind: "result", Request: "r", Who: "n", Data: json.RawMessage(`{"status":"completed","exit":"0","ms":"42"}`)})
	if line.Kind != audit.Result || line.Millis != 42 || line.Data["ms"] != "" || line.Data["exit"] != "0" {
		t.Errorf("%+v", line)
	}
}
