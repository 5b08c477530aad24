package install

import (
	"testing"

	"github.com/umpire-dev/umpire/internal/tools/filled"
)

// Every field of the record of what was installed is kept.
func TestEveryFieldIsKept(t *testing.T) {
	filled.KeepsJSON[record](t, "Installs.Ours.Before")
	filled.KeepsJSON[installed](t, "Ours.Before")
}
