package command_test

import (
	"testing"

	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/shell"
)

// Every program is read when nothing follows its name, or next to nothing.
func TestBarePrograms(t *testing.T) {
	for _, name := range command.ProgramNames() {
		for _, rest := range []string{"", " ''", " -", " --", " -x", " --x", " x", " --version x", " x --"} {
			func() {
				defer func() {
					if r := recover(); r != nil {
						t.Errorf("%q: %v", name+rest, r)
					}
				}()
				shell.Read(name+rest, readingEnv)
			}()
		}
	}
}
