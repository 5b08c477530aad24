package taint

import (
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/tools/filled"
)

// Every field of a mark and of a file that a call runs is kept.
func TestEveryFieldIsKept(t *testing.T) {
	s := Open(t.TempDir() + "/taint")
	mark, run := filled.Value[Mark](), filled.Value[Run]()
	run.Sum, run.Effect = "1:2:3", "ask" // without spaces
	if err := s.Set(mark); err != nil {
		t.Fatal(err)
	}
	marks, err := s.List()
	if err != nil || len(marks) != 1 {
		t.Fatalf("got %v, %v, want one mark", marks, err)
	}
	filled.Same(t, marks[0], mark)

	who := umpire.Principal{Session: "s"}
	runs := s.Runs(who)
	runs.Note("call", run)
	if err := runs.Keep(); err != nil {
		t.Fatal(err)
	}
	list := s.Runs(who).Of("call")
	if len(list) != 1 {
		t.Fatalf("got %v, want one file", list)
	}
	filled.Same(t, list[0], run)
}
