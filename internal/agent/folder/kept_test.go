package folder

import (
	"testing"

	"github.com/umpire-dev/umpire/internal/tools/filled"
)

// Every field of the record of a trusted folder is kept.
func TestEveryFieldIsKept(t *testing.T) {
	filled.KeepsJSON[trusted](t)
}
