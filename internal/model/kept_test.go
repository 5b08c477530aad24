package model

import (
	"testing"

	"github.com/umpire-dev/umpire/internal/tools/filled"
)

// Every field of the record of a failing provider is kept.
func TestEveryFieldIsKept(t *testing.T) {
	filled.KeepsJSON[record](t)
}
