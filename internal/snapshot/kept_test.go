package snapshot_test

import (
	"testing"

	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/internal/tools/filled"
	"github.com/umpire-dev/umpire/policy"
)

// Every field of a snapshot is kept, but the policy, which has tests of its own.
func TestEveryFieldIsKept(t *testing.T) {
	p, err := policy.Compile(policy.Source{})
	if err != nil {
		t.Fatal(err)
	}
	want := filled.Value[snapshot.Snapshot]()
	want.Policy = p
	got, err := snapshot.Decode(snapshot.Encode(&want))
	if err != nil {
		t.Fatal(err)
	}
	if got.Policy.Hash() != p.Hash() {
		t.Errorf("the policy is %s, want %s", got.Policy.Hash(), p.Hash())
	}
	got.Policy = p
	filled.Same(t, *got, want)
}
