package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/umpire-dev/umpire/internal/hook"
	"github.com/umpire-dev/umpire/internal/install"
	"github.com/umpire-dev/umpire/internal/quarantine/engine"
	"github.com/umpire-dev/umpire/internal/tools/programs"
)

type tests struct{ *testing.M }

func (t tests) Run() int { return programs.Run(t.M) }

// program returns umpire, built, with umpire-hook beside it.
func program(t testing.TB) string {
	t.Helper()
	return filepath.Join(programs.Dir(t), "umpire")
}

func TestMain(m *testing.M) {
	engine.Main()                                   // a reviewer's process is this program, too
	checkEnvironment = func(func(string) string) {} // the tests' homes are nobody's
	if len(os.Args) > 1 && os.Args[1] == "policy" {
		main() // a hook in these tests has its sibling compile, and that is this program
		return
	}
	testscript.Main(tests{m}, map[string]func(){
		"umpire":          func() { mainBy(person()) },
		"umpire-by-agent": main,
	})
}

func TestPatience(t *testing.T) {
	if install.HookTimeout*time.Second != hook.ClientTimeout {
		t.Errorf("agents wait %d s, and umpire-hook thinks %s", install.HookTimeout, hook.ClientTimeout)
	}
}
