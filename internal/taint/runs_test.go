package taint_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/taint"
)

func TestRuns(t *testing.T) {
	dir := t.TempDir()
	of := func(session string) *taint.Runs {
		return taint.Open(filepath.Join(dir, "taint")).Runs(umpire.Principal{Session: session})
	}
	r := of("one")
	a, b := taint.Run{Path: "/p/a b\n.sh", Sum: "1:2:3", Effect: "allow"}, taint.Run{Path: "/p/Makefile", Sum: "1:3:4", Effect: "ask"}
	r.Note(`call "1"`, a)
	r.Note(`call "1"`, b)
	r.Note("call 2", b)
	if err := r.Keep(); err != nil {
		t.Fatal(err)
	}
	if got := of("one").Of(`call "1"`); !slices.Equal(got, []taint.Run{a, b}) {
		t.Errorf("%v", got)
	}
	if got := of("one").Of("call"); got != nil {
		t.Errorf("another call's: %v", got)
	}
	if got := of("two").Of("call 2"); got != nil {
		t.Errorf("another session's: %v", got)
	}
	if of("") != nil || of("").Keep() != nil || of("").Of("x") != nil {
		t.Error("a session without a name has runs")
	}
	files, err := filepath.Glob(dir + "/runs/*")
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(files[0], []byte(strings.ReplaceAll(string(text), "1:3:4", "9:9:9")), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := of("one").Of("call 2"); got != nil {
		t.Errorf("a line was changed: %v", got)
	}
}
