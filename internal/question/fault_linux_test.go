//go:build amd64

package question

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/tools/faultos"
)

// errand is one step of a question's life, which a test binary takes that is started anew.
type errand struct {
	Dir, Step string
}

func init() { faultos.Errand(errand.run) }

func (e errand) run() error {
	b, a := Open(e.Dir), call("make deploy")
	switch e.Step {
	case "ask":
		_, err := b.Ask(a, nil, umpire.Decision{})
		return err
	case "ask and wait":
		_, err := b.Bound().Ask(a, nil, umpire.Decision{})
		return err
	case "take":
		if _, ok := b.Take(a); !ok {
			return fmt.Errorf("not taken: %w", ErrNone)
		}
		return nil
	case "list":
		_, err := b.List(Pending)
		return err
	case "files":
		list := Files(a, []umpire.Operation{{Kind: umpire.Read, Resource: filepath.Join(e.Dir, "askers")}, {Kind: umpire.Read, Resource: b.path(Pending, ID(a))}}, nil)
		text, err := os.ReadFile(b.path(Pending, ID(a)))
		sum := sha256.Sum256(text)
		if len(list) == 0 || err == nil && list[len(list)-1].Sum != hex.EncodeToString(sum[:]) && list[len(list)-1].Sum != "unreadable" {
			return fmt.Errorf("the sum is %v", list)
		}
		return err
	}
	q, err := b.Find(ID(a))
	if err != nil {
		return err
	}
	_, err = b.Answer(q, State(e.Step), "someone", "")
	return err
}

// Each call to the file system of each step fails, runs into a full disk, or is the last one
// before a kill. A step that succeeds has happened, and one that fails says so. Nobody's yes is
// used twice, and none outlives a later no. Whatever happened, the next question can be asked
// and answered.
func TestEveryCallFails(t *testing.T) {
	a := call("make deploy")
	for _, s := range []struct {
		step   string
		before []string
		calls  int // at least so many are made
		after  func(b Box) (happened bool)
	}{
		{"ask", nil, 5, func(b Box) bool { _, err := b.read(Pending, ID(a)); return err == nil }},
		{"ask and wait", nil, 8, func(b Box) bool { q, err := b.read(Pending, ID(a)); return err == nil && q.Asker != "" }},
		{"list", []string{"ask"}, 3, func(Box) bool { return true }},
		{"files", []string{"ask"}, 3, func(Box) bool { return true }},
		{"approved", []string{"ask"}, 8, func(b Box) bool { return b.Has(a) }},
		{"denied", []string{"ask"}, 8, func(b Box) bool { _, ok := b.Refused(a); return ok && !b.Has(a) }},
		{"denied", []string{"ask", "approved", "ask"}, 8, func(b Box) bool { _, ok := b.Refused(a); return ok && !b.Has(a) }},
		{"approved", []string{"ask", "denied"}, 8, func(b Box) bool { return b.Has(a) }},
		{"take", []string{"ask", "approved"}, 3, func(b Box) bool { return !b.Has(a) }},
		{"take", []string{"ask", "approved", "ask"}, 3, func(b Box) bool { return !b.Has(a) }},
	} {
		for _, mode := range []faultos.Mode{faultos.Fail, faultos.Full, faultos.Kill} {
			t.Run(fmt.Sprintf("%s after %v/%s", s.step, s.before, mode), func(t *testing.T) {
				for n := 1; ; n++ {
					dir := t.TempDir()
					for _, step := range s.before {
						if err := (errand{dir, step}).run(); err != nil {
							t.Fatalf("%s: %v", step, err)
						}
					}
					calls := faultos.Writes
					if mode == faultos.Fail {
						calls = faultos.Files
					}
					r, said := faultos.RunErrand(t, errand{dir, s.step}, faultos.Fault{Nth: n, Mode: mode, Calls: calls, Root: dir})
					at := fmt.Sprintf("call %d (%s)", n, r.What)
					b := Open(dir)
					happened := s.after(b)
					if r.Status == 0 && !happened {
						t.Errorf("%s: %s is reported, and did not happen", at, s.step)
					}
					if r.Status > 0 && s.step != "take" && !strings.Contains(said, "input/output error") && !strings.Contains(said, "no space left") {
						t.Errorf("%s: it says %q, want what failed", at, said)
					}
					if s.step == "list" && strings.HasSuffix(r.What, " pending") && r.Status == 0 {
						t.Errorf("%s: a list that cannot be read is reported empty", at)
					}
					if r.What == "" {
						if r.Status != 0 || mode == faultos.Fail && n <= s.calls {
							t.Fatalf("without a fault: status %d after %d calls, want 0 after %d: %s", r.Status, n-1, s.calls, said)
						}
						return
					}
					if s.step == "take" && r.Status == 0 {
						if _, ok := b.Take(a); ok {
							t.Errorf("%s: the approval was taken twice", at)
						}
					}
					if s.step == "denied" && happened {
						if _, ok := b.Take(a); ok {
							t.Errorf("%s: a denied call was taken", at)
						}
					}
					for b.Has(a) { // whatever is left of it
						if _, ok := b.Take(a); !ok {
							t.Fatalf("%s: an approval is there and cannot be taken", at)
						}
					}
					for _, step := range []string{"ask", "list", "approved", "take"} {
						if err := (errand{dir, step}).run(); err != nil {
							t.Fatalf("%s: then %s on a sound system: %v", at, step, err)
						}
					}
				}
			})
		}
	}
}
