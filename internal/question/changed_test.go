package question

import (
	"errors"
	"testing"

	"github.com/umpire-dev/umpire"
)

// A denial holds although the files of the call changed: an adversary could change one and ask again.
// An answer to the question about the old files would have no effect, so the new question replaces it.
func TestFilesChangedSince(t *testing.T) {
	b := Open(t.TempDir())
	on := func(sum string) *umpire.Action {
		a := call("git stash drop")
		a.Files = []umpire.File{{Path: "/w/.git/HEAD", Sum: sum}}
		return a
	}
	old := asked(t, b, on("1"))
	now := asked(t, b, on("2"))
	other := asked(t, b, call("git stash clear"))
	if list, err := b.List(Pending); err != nil || len(list) != 2 || list[0].ID != now.ID || list[1].ID != other.ID {
		t.Fatalf("pending: %v, %v, want the question about the new files and that about another call", list, err)
	}
	if _, err := b.Answer(old, Approved, "ada", ""); !errors.Is(err, ErrNone) {
		t.Errorf("answer to the replaced question: %v, want %v", err, ErrNone)
	}
	if _, err := b.Answer(now, Denied, "ada", "not today"); err != nil {
		t.Fatal(err)
	}
	if q, refused := b.Refused(on("3")); !refused || q.Note != "not today" {
		t.Errorf("the call on other files: %v, %v, want the denial", q, refused)
	}
	if _, refused := b.Refused(call("git stash clear")); refused {
		t.Error("another call is refused")
	}
	if _, err := b.Answer(asked(t, b, on("3")), Approved, "ada", ""); err != nil || b.Has(on("4")) || !b.Has(on("3")) {
		t.Errorf("%v; an approval must hold for the files that the person saw only", err)
	}
	// A denial ends each approval of the call that waits for other files.
	q := asked(t, b, on("5"))
	if _, err := b.Answer(q, Denied, "ada", ""); err != nil || b.Has(on("3")) {
		t.Errorf("%v; the approval on other files outlived the denial", err)
	}
}
