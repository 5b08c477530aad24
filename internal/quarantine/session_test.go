package quarantine

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/quarantine/secret"
)

// settable is a clock for tests.
type settable struct{ t time.Time }

func (s *settable) now() time.Time { return s.t }

func TestSessions(t *testing.T) {
	if _, err := NewSessions(31, time.Now); err == nil {
		t.Error("keys of 31 bytes")
	}
	clock := &settable{time.Unix(1000, 0)}
	s, err := NewSessions(32, clock.now)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Create("", true); err == nil {
		t.Error("a session without an agent")
	}
	a, err := s.Create("one", true)
	if err != nil || !isID(a.ID) || a.Created != 1000 || !a.Active || !a.Quarantine || a.ToolCalls != 0 {
		t.Fatalf("session %+v, error %v; want an active one of the time 1000 without calls", a, err)
	}
	b, err := s.Create("main", false)
	if err != nil || b.ID == a.ID {
		t.Fatalf("session %+v, error %v; want another ID", b, err)
	}
	if len(active(s)) != 2 || b.Quarantine {
		t.Errorf("active: %v; want one, in quarantine, and main, which is not", active(s))
	}
	if err := s.Count(a.ID); err != nil {
		t.Error(err)
	}
	if got, _ := s.Get(a.ID); got.ToolCalls != 1 {
		t.Errorf("session %+v, want one call", got)
	}
	if err := s.Count(sidA); err == nil {
		t.Error("a call of no session was counted")
	}
	if !s.Deactivate(a.ID) || s.Deactivate(sidA) || len(active(s)) != 1 || active(s)[0].ID != b.ID {
		t.Errorf("active: %v; want main alone, and no other session to deactivate", active(s))
	}
	if got, ok := s.Get(a.ID); !ok || got.Active {
		t.Errorf("a deactivated session: %+v, %v", got, ok)
	}
	k, ok := s.Key(a.ID)
	if !ok || k.Len() != 32 {
		t.Error("no key")
	}
	if !s.Destroy(a.ID) || s.Destroy(a.ID) {
		t.Error("destroy")
	}
	if _, err := k.MAC(nil); !errors.Is(err, secret.ErrWiped) {
		t.Errorf("the key of a destroyed session signs: %v", err)
	}
	if _, ok := s.Get(a.ID); ok {
		t.Error("a destroyed session is known")
	}
	if n := s.DestroyAll(); n != 1 || len(active(s)) != 0 {
		t.Errorf("%d destroyed, %d still active; want 1 and none", n, len(active(s)))
	}
}

func TestNewID(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		id := NewID()
		if !isID(id) || seen[id] || strings.ToLower(id) != id {
			t.Fatalf("ID %q, want a new one in lower case", id)
		}
		seen[id] = true
	}
}

func TestConfig(t *testing.T) {
	good := DefaultConfig("/x")
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	bad := Config{Enabled: false, AllowedTools: []string{Read, "Bash", "mcp_x", "mcp__y__z", "Task", "", Read}, KeySize: 31, ReferenceTTL: time.Millisecond}
	err := bad.Check()
	for _, want := range []string{"enabled", "[1]", "[2]", "[3]", "[4]", "[5]", "[6]", "hmacKeySize", "typedReferenceTTL", "toolRateLimitPerMinute", "maxConcurrentQuarantineAgents", "quarantineAgentTimeout", "auditLogPath"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	none := good
	none.AllowedTools = nil
	if none.Check() == nil {
		t.Error("an empty list of tools loads")
	}
}

func TestCatalog(t *testing.T) {
	for name, want := range map[string]Tool{
		"Bash": {true, Critical, "AS-001", Execution}, "KillShell": {true, Medium, "AS-006", Execution}, "QuestionTool": {true, Medium, "AS-004", Interaction},
		"mcp_other": {true, High, "AS-008", MCP}, "mcp__umpire__read": {true, High, "AS-008", MCP},
		"bash": {false, High, "", Unknown}, "Bash ": {false, High, "", Unknown}, "Rеad": {false, High, "", Unknown}, "": {false, High, "", Unknown},
	} {
		if got := classify(name); got != want {
			t.Errorf("%q: classified as %+v, want %+v", name, got, want)
		}
	}
}

// active lists the active sessions, the oldest first.
func active(s *Sessions) (list []Session) {
	for _, id := range s.order {
		if n := s.byID[id]; n.Active {
			list = append(list, n.Session)
		}
	}
	return list
}
