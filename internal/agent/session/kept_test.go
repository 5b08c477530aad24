package session

import (
	"testing"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/tools/filled"
)

// Every field of a message, of what an answer took and of what the screen shows of a call is
// kept in the file.
func TestEveryFieldIsKept(t *testing.T) {
	s := New(t.TempDir(), "/w", "model")
	message, usage, card := filled.Value[agent.Message](), filled.Value[agent.Usage](), filled.Value[agent.Result]()
	card.Data = map[string]any{"lines": 1.0}
	if err := s.Append(message); err != nil {
		t.Fatal(err)
	}
	if err := s.AddUsage(usage); err != nil {
		t.Fatal(err)
	}
	if err := s.Card("call", card); err != nil {
		t.Fatal(err)
	}
	if err := s.SetName("name"); err != nil {
		t.Fatal(err)
	}
	meta := s.Metadata()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := Open(s.dir, meta.File)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	st := s.State()
	if len(st.Messages) != 1 {
		t.Fatalf("got %d messages, want one", len(st.Messages))
	}
	filled.Same(t, st.Messages[0], message)
	filled.Same(t, st.Last, usage)
	filled.Same(t, st.Cards["call"], card, "Walled", "Files", "Notes") // for people, while the call runs
	filled.Same(t, s.Metadata(), meta)
}
