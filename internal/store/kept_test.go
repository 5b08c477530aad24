package store

import (
	"testing"

	"github.com/umpire-dev/umpire/internal/tools/filled"
)

// Every field of what proves the log is kept.
func TestEveryFieldIsKept(t *testing.T) {
	filled.KeepsJSON[checkpoint](t)
	filled.KeepsJSON[pruned](t)
	filled.KeepsJSON[Proof](t)
	filled.KeepsJSON[ProvenEvent](t)
	filled.KeepsJSON[Anchor](t)
}
