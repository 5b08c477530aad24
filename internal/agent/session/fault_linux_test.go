//go:build amd64

package session_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/session"
	"github.com/umpire-dev/umpire/internal/tools/faultos"
)

// errand writes a session in a process of its own, and notes in another file what was acknowledged.
type errand struct{ Dir, Notes string }

func init() { faultos.Errand(errand.run) }

func (e errand) run() (all error) {
	notes, err := os.Create(e.Notes)
	if err != nil {
		return err
	}
	defer func() { all = errors.Join(all, notes.Close()) }()
	s := session.New(e.Dir, "/proj", "model-a")
	for _, text := range []string{"one", "two", "three"} { // a failure does not end a conversation
		if err := s.Append(say(agent.User, text)); err != nil {
			all = errors.Join(all, err)
		} else if _, err := fmt.Fprintln(notes, text); err != nil {
			return err
		}
	}
	return errors.Join(all, s.Sync(), s.Close())
}

// Each call to the file system fails, runs into a full disk, is cut, or is the last before a kill.
// What was acknowledged is there again, in its order and once, and the session goes on.
func TestEveryCallFails(t *testing.T) {
	for _, mode := range []faultos.Mode{faultos.Fail, faultos.Full, faultos.Torn, faultos.Kill} {
		for n := 1; ; n++ {
			top := t.TempDir()
			e := errand{filepath.Join(top, "state", "sessions"), filepath.Join(top, "notes")}
			if err := os.Mkdir(filepath.Join(top, "state"), 0o700); err != nil {
				t.Fatal(err)
			}
			r, said := faultos.RunErrand(t, e, faultos.Fault{Nth: n, Mode: mode, Calls: faultos.Writes, Root: filepath.Join(top, "state")})
			at := fmt.Sprintf("%s, call %d (%s)", mode, n, r.What)
			noted, err := os.ReadFile(e.Notes)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Fields(string(noted))
			list, err := session.List(e.Dir, func(err error) { t.Logf("%s: %v", at, err) })
			if err != nil || len(list) > 1 {
				t.Errorf("%s: %d sessions, %v", at, len(list), err)
			}
			var got []string
			for _, meta := range list {
				s, err := session.Open(e.Dir, meta.File)
				if err != nil {
					t.Errorf("%s: open: %v", at, err)
					continue
				}
				got = texts(s.State().Shown)
				if err := errors.Join(s.Append(say(agent.User, "later")), s.Close()); err != nil {
					t.Errorf("%s: append: %v", at, err)
				}
				if again, err := session.Open(e.Dir, meta.File); err != nil || len(again.State().Shown) != len(got)+1 {
					t.Errorf("%s: the session does not go on: %v", at, err)
				} else if err := again.Close(); err != nil {
					t.Error(err)
				}
			}
			// A kill leaves at most the message that it interrupted.
			if extra := len(got) - len(want); extra < 0 || extra > 1 || extra == 1 && r.Status >= 0 || !slices.Equal(got[:min(len(got), len(want))], want) {
				t.Errorf("%s: status %d, acknowledged was %q, and kept is %q", at, r.Status, want, got)
			}
			if r.Status == 1 && said == "" || r.Status > 1 {
				t.Errorf("%s: status %d, it says %q", at, r.Status, said)
			}
			if r.What == "" {
				if r.Status != 0 || n < 5 {
					t.Errorf("without a fault: status %d after %d calls: %s", r.Status, n-1, said)
				}
				break
			}
			if t.Failed() {
				break
			}
		}
	}
}
