package judge

import (
	"testing"

	"github.com/umpire-dev/umpire/internal/tools/filled"
)

// Every field of a stored opinion is kept.
func TestEveryFieldIsKept(t *testing.T) {
	filled.KeepsJSON[cacheEntry](t)
}
