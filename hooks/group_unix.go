//go:build unix

package hooks

import (
	"os/exec"
	"syscall"
)

// group makes the deadline kill the program together with all processes that it started.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
