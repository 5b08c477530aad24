//go:build unix

package session_test

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/session"
)

// limitFiles has no file of this process grow beyond n bytes, as if the disk were full:
// what fits of a write is written.
func limitFiles(t *testing.T, n uint64) (free func()) {
	t.Helper()
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	set := func(l syscall.Rlimit) {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &l); err != nil {
			t.Error(err)
		}
	}
	set(syscall.Rlimit{Cur: n, Max: was.Max})
	t.Cleanup(func() { set(was) })
	return func() { set(was) }
}

// A disk that is full loses what does not fit, and nothing of before or of after.
// The limit holds for all files of a process, and the test's own log is one of them: a child of its
// own has none.
func TestFullDisk(t *testing.T) {
	if os.Getenv("UMPIRE_TEST_FULL_DISK") == "" {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFullDisk$") //nolint:gosec // this program
		cmd.Env = append(os.Environ(), "UMPIRE_TEST_FULL_DISK=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	for name, room := range map[string]uint64{"nothing": 0, "a part of the first line": 20, "a part of the second": 260, "some lines": 1500} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := session.New(dir, "/proj", "m")
			free := limitFiles(t, room)
			kept, failed := 0, 0
			for range 5 {
				if err := s.Append(say(agent.User, strings.Repeat("x", 500))); err == nil {
					kept++
				} else if failed++; !strings.Contains(err.Error(), "cannot store the session") {
					t.Error(err)
				}
			}
			free()
			if failed == 0 {
				t.Fatal("the disk was not full")
			}
			if err := s.Append(say(agent.User, "after")); err != nil {
				t.Fatal(err)
			}
			file := s.Metadata().File
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s, err := session.Open(dir, file)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if got := s.State().Shown; len(got) != kept+1 || got[kept].Text() != "after" {
				t.Errorf("%d messages, want %d", len(got), kept+1)
			}
		})
	}
}
