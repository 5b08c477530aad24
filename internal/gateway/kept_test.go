package gateway

import (
	"testing"

	"github.com/umpire-dev/umpire/internal/tools/filled"
)

// Every field of what a gateway stores and reads again is kept.
func TestEveryFieldIsKept(t *testing.T) {
	filled.KeepsJSON[Rule](t, "Grant.ID")
	filled.KeepsJSON[Token](t)
	filled.KeepsJSON[session](t)
	filled.KeepsJSON[Setting](t)
	filled.KeepsJSON[Execution](t)
	filled.KeepsJSON[lease](t)
	filled.KeepsJSON[progress](t)
	filled.KeepsJSON[storedMetadata](t)
	filled.KeepsJSON[FilePlan](t, "Changes.Was")
	filled.KeepsJSON[CommandPlan](t)
	filled.KeepsJSON[PackagePlan](t)
	filled.KeepsJSON[SettingPlan](t)
	filled.KeepsJSON[process](t)
	filled.KeepsJSON[Reply](t)
}
