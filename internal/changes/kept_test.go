package changes

import (
	"testing"

	"github.com/umpire-dev/umpire/internal/tools/filled"
)

// Every field of what is stored about changes is kept.
func TestEveryFieldIsKept(t *testing.T) {
	filled.KeepsJSON[settledLine](t)
	filled.KeepsJSON[shownPath](t)
	filled.KeepsJSON[ChangedPath](t)
}
