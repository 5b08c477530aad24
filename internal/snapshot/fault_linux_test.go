//go:build amd64

package snapshot_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/internal/tools/faultos"
	"github.com/umpire-dev/umpire/policy"
)

// errand is one use of a snapshot, by a test binary that is started anew.
type errand struct{ Path, Step string }

func init() { faultos.Errand(errand.run) }

func (e errand) run() error {
	switch e.Step {
	case "write":
		p, err := policy.Compile(policy.Source{})
		if err != nil {
			return err
		}
		return snapshot.Write(e.Path, &snapshot.Snapshot{Policy: p, Build: "new", Written: time.Unix(2, 0)})
	case "last":
		_, err := snapshot.Last(e.Path)
		return err
	}
	_, err := snapshot.Open(e.Path, "old", snapshot.Stat)
	return err
}

// Each call on files fails. A snapshot is then the one before or the one after, whole; one that
// cannot be read is an error that says why.
func TestEveryCallFails(t *testing.T) {
	p, err := policy.Compile(policy.Source{})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []string{"write", "write the first", "open", "last"} {
		for _, mode := range []faultos.Mode{faultos.Fail, faultos.Torn} {
			for n := 1; ; n++ {
				dir := t.TempDir()
				path := filepath.Join(dir, "cache", "s")
				before := step != "write the first"
				if before {
					if err := snapshot.Write(path, &snapshot.Snapshot{Policy: p, Build: "old", Written: time.Unix(1, 0)}); err != nil {
						t.Fatal(err)
					}
				}
				calls := faultos.Files
				if mode == faultos.Torn {
					calls = faultos.Writes
				}
				first, _, _ := strings.Cut(step, " ")
				r, said := faultos.RunErrand(t, errand{path, first}, faultos.Fault{Nth: n, Mode: mode, Calls: calls, Root: dir})
				at := fmt.Sprintf("%s, call %d (%s) %s", step, n, r.What, mode)
				if r.Status > 0 && !strings.Contains(said, "input/output error") {
					t.Errorf("%s: it says %q, want what failed", at, said)
				}
				want := []string{"old"}
				switch {
				case first == "write" && r.Status == 0:
					want = []string{"new"}
				case first == "write":
					want = []string{"old", "new"}
				}
				s, err := snapshot.Last(path)
				if before && err != nil || err == nil && !slices.Contains(want, s.Build) || !before && err != nil && (!os.IsNotExist(err) || r.Status == 0) {
					t.Errorf("%s: status %d, the snapshot is %+v, %v; want one of %q", at, r.Status, s, err, want)
				}
				if r.What == "" {
					break
				}
			}
		}
	}
}
