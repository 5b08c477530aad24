package cell

import (
	"testing"

	"github.com/umpire-dev/umpire/internal/tools/filled"
)

// Every field of what crosses the wall of a cell is kept.
func TestEveryFieldIsKept(t *testing.T) {
	filled.KeepsJSON[Frame](t)
	filled.KeepsJSON[setup](t)
}
