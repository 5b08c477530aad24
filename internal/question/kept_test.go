package question

import (
	"testing"

	"github.com/umpire-dev/umpire/internal/tools/filled"
)

// Every field of a question is kept.
func TestEveryFieldIsKept(t *testing.T) {
	b := Open(t.TempDir())
	want := filled.Value[Question]()
	want.State = Approved
	if err := b.write(want); err != nil {
		t.Fatal(err)
	}
	got, err := b.read(Approved, want.ID)
	if err != nil {
		t.Fatal(err)
	}
	filled.Same(t, got, want)
}
