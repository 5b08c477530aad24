package sandbox

import (
	"testing"

	"github.com/umpire-dev/umpire/internal/tools/filled"
)

// Every field of what is passed into a box and reported from it is kept.
func TestEveryFieldIsKept(t *testing.T) {
	filled.KeepsJSON[Config](t, "Stdin")
	filled.KeepsJSON[Event](t)
}
