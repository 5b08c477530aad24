package cli

import (
	"fmt"
	"io"
	"os"
	"os/user"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/terminal"
)

// Person is a terminal with a person at it.
type Person interface {
	io.Writer
	Ask(question string) (string, error)
	Key(wait time.Duration) (byte, error)
	Drop()
	Raw() bool
	Cooked()
	Close() error
}

var _ Person = (*terminal.Terminal)(nil)

// AtTerminal returns the person who started this process. Tests replace it.
var AtTerminal = func() (Person, error) { return terminal.Open() }

// Yes reports whether an answer means yes.
func Yes(s string) bool {
	s = strings.ToLower(s)
	return s == "y" || s == "yes"
}

// UserName returns the name of the user who runs umpire.
func UserName() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return fmt.Sprintf("user %d", os.Getuid())
}

// ByAgent returns an error if a coding agent started this process. An agent must not change
// how it is guarded. Tests replace it, since an agent may run them.
var ByAgent = terminal.Agent
