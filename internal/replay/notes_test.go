package replay

import (
	"slices"
	"testing"
)

func TestNotesCount(t *testing.T) {
	for n, want := range map[int]string{1: "1 call has no date: replay uses the date of its file.", 1200: "1,200 calls have no date: replay uses the date of their file."} {
		if got := (&Report{Undated: n}).Notes(); !slices.Contains(got, want) {
			t.Errorf("%d: %q", n, got)
		}
	}
}
