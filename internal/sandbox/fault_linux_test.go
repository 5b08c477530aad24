//go:build amd64

package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/tools/faultos"
)

const boxVariable = "UMPIRE_TEST_BOX"

// A test binary that is started with a Config in boxVariable runs that box.
func init() {
	text, ok := os.LookupEnv(boxVariable)
	if !ok {
		return
	}
	var c Config
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		panic(err)
	}
	status, err := Run(context.Background(), c)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(125)
	}
	os.Exit(status)
}

// faulty runs a box on a faulty system.
func faulty(t *testing.T, c Config, f faultos.Fault) (r faultos.ProgramResult, out, said string) {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), boxVariable+"="+string(text))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	r = faultos.Run(t, cmd, f)
	return r, strings.ReplaceAll(stdout.String(), filepath.Dir(c.State), "BASE"), stderr.String()
}

// walls prints what holds a program in its box.
const walls = `echo started >ran
hostname; id -u; ls -A / "$HOME"
grep -E '^(Cap|NoNewPrivs|Seccomp)' /proc/self/status
cut -d' ' -f5,6 /proc/self/mountinfo
cat /proc/sys/user/max_user_namespaces /proc/self/oom_score_adj /proc/net/dev
grep -E 'core|processes' /proc/self/limits
ls /proc/self/fd`

// Each call that builds the box fails. Either the program does not start and the error says
// what failed, or it has all the walls of a box that nothing failed in.
func TestEveryWallFails(t *testing.T) {
	mounts := func() string {
		b, err := os.ReadFile("/proc/self/mountinfo")
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	before := mounts()
	t.Run("walls", func(t *testing.T) { // returns after all of them
		for _, f := range []faultos.Fault{{Mode: faultos.Fail, Calls: faultos.Box}, {Mode: faultos.Fail, Calls: faultos.Writes}, {Mode: faultos.Full, Calls: faultos.Writes}} {
			t.Run(fmt.Sprintf("%s/%s", f.Calls, f.Mode), func(t *testing.T) {
				t.Parallel()
				everyWallFails(t, f)
			})
		}
	})
	if after := mounts(); after != before {
		t.Errorf("mounted is\n%s\nwant what was before\n%s", after, before)
	}
}

func everyWallFails(t *testing.T, f faultos.Fault) {
	sound := box(t, walls)
	_, want, said := faulty(t, sound, faultos.Fault{})
	if want == "" {
		t.Fatalf("without a fault: it says %s", said)
	}
	f.Own = true
	for f.Nth = 1; ; f.Nth++ {
		c := box(t, walls)
		if f.Calls != faultos.Box {
			f.Root = filepath.Dir(c.State)
		}
		r, out, said := faulty(t, c, f)
		at := fmt.Sprintf("%s %s, call %d (%s)", f.Calls, f.Mode, f.Nth, r.What)
		if r.What == "" {
			if f.Nth < 5 {
				t.Errorf("only %d calls were failed, want 4 or more", f.Nth-1)
			}
			return
		}
		_, err := os.Stat(filepath.Join(c.Upper(), "ran"))
		ran := err == nil
		switch {
		case r.Status == 125 && ran:
			t.Errorf("%s: the program started, and the box is said to have failed: %s", at, said)
		case r.Status == 125 && said == "":
			t.Errorf("%s: no error says what failed", at)
		case r.Status != 125 && out != want:
			t.Errorf("%s: status %d, it says %s, the program sees\n%s\nwant the walls of a sound box\n%s", at, r.Status, said, out, want)
		}
	}
}
