package quarantine

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/lazy"
	"github.com/umpire-dev/umpire/internal/visible"
)

// EventType is the type of a SecurityEvent.
type EventType string

// The types of events.
const (
	Spawned           EventType = "QUARANTINE_AGENT_SPAWN"
	Exited            EventType = "QUARANTINE_AGENT_EXIT"
	ToolBlocked       EventType = "TOOL_BLOCKED"
	MACFailed         EventType = "HMAC_VERIFICATION_FAILED"
	ReferenceExpired  EventType = "TYPED_REFERENCE_EXPIRED"
	RateExceeded      EventType = "RATE_LIMIT_EXCEEDED"
	InvalidReference  EventType = "INVALID_TYPED_REFERENCE"
	OtherSession      EventType = "SESSION_MISMATCH"
	AgentTimedOut     EventType = "QUARANTINE_TIMEOUT"
	ResponseRejected  EventType = "RESPONSE_REJECTED"
	ResponseSanitized EventType = "RESPONSE_SANITIZED"
	SnapshotRejected  EventType = "SNAPSHOT_REJECTED"
	IsolationDegraded EventType = "ISOLATION_DEGRADED"
)

// severities of event types with a fixed severity.
var eventSeverity = map[EventType]Severity{
	Spawned: Low, Exited: Low,
	MACFailed: Critical, OtherSession: Critical,
	ReferenceExpired: High, InvalidReference: High, RateExceeded: High, AgentTimedOut: High,
	ResponseRejected: High, ResponseSanitized: Medium, SnapshotRejected: High, IsolationDegraded: High,
}

// SecurityEvent is an action of a reviewer, or a reaction to one.
type SecurityEvent struct {
	ID       string         `json:"id"`
	Time     string         `json:"timestamp"` // RFC 3339, UTC, milliseconds
	Type     EventType      `json:"type"`
	Agent    string         `json:"agentId"`
	Session  string         `json:"sessionId"`
	Tool     string         `json:"tool,omitempty"`
	Severity Severity       `json:"severity"`
	Message  string         `json:"message"`
	Context  map[string]any `json:"context,omitempty"`
}

// NewEvent returns an event with the severity of its type.
func NewEvent(now time.Time, t EventType, s Session, message string, context map[string]any) SecurityEvent {
	severity, ok := eventSeverity[t]
	if !ok {
		severity = Critical
	}
	return SecurityEvent{ID: NewID(), Time: now.UTC().Format("2006-01-02T15:04:05.000Z07:00"), Type: t, Agent: s.Agent, Session: s.ID,
		Severity: severity, Message: message, Context: context}
}

// maxLogged is the length of the longest string that is logged completely.
const maxLogged = 100

var (
	macPart    = lazy.Regexp(`(?i)hmac(=|%3d)[0-9a-f%]*`)
	secretKeys = []string{"password", "secret", "token", "apikey", "api_key", "credential"}
)

// Redact returns a value for the log: without values whose key names a secret, without long texts,
// and with references without their MAC.
func Redact(v any) any { return redactAt(v, 0) }

// maxWalk limits the depth of values. Only an attacker sends deeper ones.
const maxWalk = 64

func redactAt(v any, depth int) any {
	if depth > maxWalk {
		return "[REDACTED]"
	}
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, value := range v {
			out[redactText(key)] = redactAt(value, depth+1)
			for _, s := range secretKeys {
				if strings.Contains(strings.ToLower(key), s) {
					out[redactText(key)] = "[REDACTED]"
				}
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, value := range v {
			out[i] = redactAt(value, depth+1)
		}
		return out
	case []string:
		out := make([]any, len(v))
		for i, value := range v {
			out[i] = redactText(value)
		}
		return out
	case string:
		return redactText(v)
	case Code, Severity, Category, EventType, Run, bool, int, int64, float64, json.Number, nil:
		return v
	default:
		return redactText(fmt.Sprint(v))
	}
}

func redactText(s string) string {
	if r, ok := ParseReference(s); ok {
		return r.Loggable()
	}
	if n := utf8.RuneCountInString(s); n > maxLogged {
		return fmt.Sprintf("[REDACTED: %d chars]", n)
	}
	return macPart().ReplaceAllString(s, "hmac=[REDACTED]")
}

// encode encodes an event on one line. It escapes invisible characters.
func (e SecurityEvent) encode() ([]byte, error) {
	if e.Context != nil {
		e.Context, _ = Redact(e.Context).(map[string]any)
	}
	e.Tool, e.Agent, e.Session = redactText(e.Tool), redactText(e.Agent), redactText(e.Session)
	b, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	for _, r := range string(b) {
		switch {
		case r < 0x7f || r != utf8.RuneError && visible.Line(string(r)) == string(r):
			out.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, hi, lo)
		}
	}
	out.WriteByte('\n')
	return []byte(out.String()), nil
}

// Counter counts events by type.
type Counter struct {
	mu sync.Mutex
	n  map[EventType]int
}

// Add counts one.
func (c *Counter) Add(t EventType) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil {
		c.n = map[EventType]int{}
	}
	c.n[t]++
}

// All returns the counts.
func (c *Counter) All() map[EventType]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := make(map[EventType]int, len(c.n))
	maps.Copy(out, c.n)
	return out
}
