package snapshot

import (
	"testing"

	"github.com/umpire-dev/umpire/internal/tools/filled"
)

// Every field of a snapshot is kept.
func TestEveryFieldIsKept(t *testing.T) {
	filled.KeepsJSON[Snapshot](t)
	filled.KeepsJSON[File](t)
	filled.KeepsJSON[Span](t)
	filled.KeepsJSON[Fault](t)
	filled.KeepsJSON[Target](t)
}
