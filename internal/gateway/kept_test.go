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
	filled.KeepsJSON[kept](t)
	filled.KeepsJSON[FilePlan](t, "Changes.Was")
	filled.KeepsJSON[CommandPlan](t)
	filled.KeepsJSON[PackagePlan](t)
	filled.KeepsJSON[SettingPlan](t)
	filled.KeepsJSON[process](t)
	filled.KeepsJSON[Reply](t)
}

// Earlier versions stored the last event of a webhook alone.
func TestProgressOfEarlierVersion(t *testing.T) {
	for body, want := range map[string]progress{"5": {Told: 5}, `{"told":5,"node":"n","until":7}`: {5, "n", 7}} {
		var p progress
		if err := p.read([]byte(body)); err != nil || p != want {
			t.Errorf("%s: %+v, %v, want %+v", body, p, err, want)
		}
	}
}
