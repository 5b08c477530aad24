package session

import (
	"encoding/json"
	"strings"

	"github.com/umpire-dev/umpire/internal/agent"
)

// maxCard limits the output of a call that is stored for the screen, in bytes.
const maxCard = 2000

// Card stores the display of a call on the screen.
func (s *Session) Card(callID string, r agent.Result) error {
	r.Data = numbers(r.Data) // the message holds the rest
	if len(r.Output) > maxCard {
		r.Output = strings.ToValidUTF8(r.Output[:maxCard], "") + "…"
	}
	if len(r.Error) > maxCard {
		r.Error = strings.ToValidUTF8(r.Error[:maxCard], "") + "…"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.write(entry{Type: "card", CallID: callID, Result: &r})
}

// numbers returns the counts in a result's data (lines, matches, statuses) for the screen's
// summary.
func numbers(data any) any {
	b, err := json.Marshal(data)
	var all map[string]any
	if err != nil || json.Unmarshal(b, &all) != nil {
		return nil
	}
	kept := map[string]any{}
	for k, v := range all {
		if n, ok := v.(float64); ok && len(k) < 40 && len(kept) < 20 {
			kept[k] = n
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return kept
}
