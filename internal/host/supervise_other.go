//go:build !linux

package host

import (
	"os/exec"

	"github.com/umpire-dev/umpire/internal/procgroup"
)

// Supervise does nothing on systems that cannot track descendants: processes that leave a
// command's session are not found.
func Supervise() {}

// Supervised runs a command in a separate session.
func Supervised(cmd *exec.Cmd) { procgroup.Lead(cmd) }
