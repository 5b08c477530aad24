package approval

import (
	"testing"

	"github.com/umpire-dev/umpire/internal/tools/filled"
)

// Every field of a request is kept, but what only the store is told.
func TestEveryFieldIsKept(t *testing.T) {
	filled.KeepsJSON[Request](t, "Key", "Most", "Provided")
	filled.KeepsJSON[Vote](t)
	filled.KeepsJSON[ChainEvent](t)
}
