package kept

import (
	"testing"

	"github.com/umpire-dev/umpire/internal/review/finding"
	"github.com/umpire-dev/umpire/internal/tools/filled"
)

// Every field of a stored review is kept.
func TestEveryFieldIsKept(t *testing.T) {
	filled.KeepsJSON[file](t)
	filled.KeepsJSON[finding.Reported](t)
}
