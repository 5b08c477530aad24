package undo

import (
	"testing"

	"github.com/umpire-dev/umpire/internal/tools/filled"
)

// Every field of the journal is kept.
func TestEveryFieldIsKept(t *testing.T) {
	want := filled.Value[journal]()
	filled.Same(t, filled.ThroughJSON(t, want), want)
}
