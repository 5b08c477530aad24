package box

import (
	"testing"

	"github.com/umpire-dev/umpire/internal/tools/filled"
)

// Every field of the record of a run is kept.
func TestEveryFieldIsKept(t *testing.T) {
	filled.KeepsJSON[Run](t, "Config.Stdin", "Sync.Apply", "Sync.Push", "Sync.Credentials") // flags of the command line
}
