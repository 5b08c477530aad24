//go:build linux && amd64

package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/tools/faultos"
)

// errand applies a set of changes in a folder.
type errand struct {
	Dir string
	Set []Change
}

func init() {
	faultos.Errand(func(e errand) error {
		tree, err := OpenTree(e.Dir)
		if err != nil {
			return err
		}
		defer tree.Close()
		err = tree.Apply(context.Background(), "x", e.Set)
		for name, is := range map[string]error{"LEFT": ErrLeft, "HALF": ErrHalf, "CONFLICT": ErrConflict} {
			if errors.Is(err, is) {
				fmt.Fprintln(os.Stderr, name)
			}
		}
		return err
	})
}

// Each call on a file fails, or finds the disk full from then on. Apply makes the whole set, or none
// of it and says what failed; it says so where it could take back only a part, and keeps what it
// replaced. Apply once more ends the set.
func TestApplyOnAFaultyDisk(t *testing.T) {
	files := map[string]string{"a": "old", "c": "old", "d": "old"}
	for _, f := range []faultos.Fault{{Mode: faultos.Fail, Calls: faultos.Files}, {Mode: faultos.Full, Calls: faultos.Writes}} {
		t.Run(string(f.Mode), func(t *testing.T) {
			seen := map[string]int{}
			for f.Nth = 1; ; f.Nth++ {
				dir, tree := lay(t, files)
				set := []Change{{Op: Write, Path: "a", Content: []byte("new")}, {Op: Write, Path: "n/b", Content: []byte("new")}, {Op: Delete, Path: "c"}, {Op: Move, From: "d", Path: "e"}}
				if err := tree.Bind(set); err != nil {
					t.Fatal(err)
				}
				f.Root = dir
				r, said := faultos.RunErrand(t, errand{dir, set}, f)
				got := ""
				for _, name := range []string{"a", "n/b", "c", "d", "e"} {
					data, _ := os.ReadFile(filepath.Join(dir, name)) // none of one that is not there
					got += string(data) + ","
				}
				outcome, all := "failed", got == "new,new,,,old,"
				for _, o := range []string{"LEFT", "HALF", "CONFLICT"} {
					if strings.Contains(said, o) {
						outcome = o
					}
				}
				if r.Status == 0 {
					outcome = "made"
				}
				seen[outcome]++
				switch what := fmt.Sprintf("n = %d, %s: %s %q: files %s", f.Nth, r.What, outcome, said, got); {
				case outcome == "CONFLICT":
					t.Errorf("%s: nobody changed anything", what)
				case (outcome == "made" || outcome == "LEFT") && !all, outcome == "failed" && got != "old,,old,old,,":
					t.Error(what)
				case outcome == "failed" && len(said) < 10:
					t.Errorf("%s: it does not say what failed", what)
				}
				if err := tree.Apply(t.Context(), "x", set); err != nil && !(outcome == "made" || outcome == "LEFT") {
					t.Errorf("n = %d, %s: once more: %v", f.Nth, r.What, err)
				}
				if left, err := os.ReadDir(dir); err != nil || len(left) > 3 {
					t.Errorf("n = %d, %s: left %v, %v", f.Nth, r.What, left, err)
				}
				if r.What == "" {
					if seen["made"] == 0 || seen["LEFT"] == 0 || seen["failed"] == 0 {
						t.Errorf("only %v", seen)
					}
					return
				}
			}
		})
	}
}
