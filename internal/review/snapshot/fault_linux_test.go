//go:build amd64

package snapshot

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

// errand makes a snapshot of files with one text, in a test binary that is started anew.
type errand struct {
	Parent, Target string
	Files          int
}

func init() { faultos.Errand(errand.run) }

func (e errand) run() error {
	s, err := FromPath(context.Background(), e.Parent, e.Target)
	if err != nil {
		return err
	}
	if len(s.Files) != e.Files {
		err = fmt.Errorf("unnoticed: %d files", len(s.Files))
	}
	for i := range s.Files {
		text, readErr := s.Read(&s.Files[i])
		if readErr != nil || string(text) != "the text" {
			err = errors.Join(err, fmt.Errorf("unnoticed: %q, %w", text, readErr))
		}
	}
	return errors.Join(err, s.Close())
}

// On a disk that is full or broken there is no snapshot rather than one without a file, which a
// review would call clean, and nothing is left behind.
func TestEveryWriteFails(t *testing.T) {
	dir := tree(t, map[string]string{"a.py": "the text", "twin.py": "the text"}) // one content is stored once: the second is taken back
	for name, target := range map[string]errand{"a folder": {"", dir, 2}, "a file": {"", filepath.Join(dir, "a.py"), 1}} {
		for _, mode := range []faultos.Mode{faultos.Fail, faultos.Full} {
			t.Run(fmt.Sprintf("%s/%s", name, mode), func(t *testing.T) {
				for n := 1; !t.Failed(); n++ {
					parent := t.TempDir()
					target.Parent = parent
					r, said := faultos.RunErrand(t, target, faultos.Fault{Nth: n, Mode: mode, Calls: faultos.Writes, Root: parent})
					if r.What == "" {
						if r.Status != 0 || n == 1 {
							t.Errorf("after %d calls, without a fault: status %d, %s", n-1, r.Status, said)
						}
						return
					}
					if r.Status != 0 && !strings.Contains(said, "no space left") && !strings.Contains(said, "input/output error") || strings.Contains(said, "unnoticed") {
						t.Errorf("call %d (%s): status %d, it says %q, want the fault", n, r.What, r.Status, said)
					}
					if left, err := os.ReadDir(parent); (err != nil || len(left) > 0) && !strings.HasPrefix(r.What, "remove") {
						t.Errorf("call %d (%s): left behind is %v, %v", n, r.What, left, err)
					}
				}
			})
		}
	}
}
