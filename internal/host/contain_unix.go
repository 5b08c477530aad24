//go:build unix

package host

import (
	"os"
	"os/exec"
	"syscall"
)

// contain runs a command in a separate session, and kills the whole session at the end: the command
// does not get the gateway's terminal, and its children do not outlive it.
func contain(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

func signalOf(s *os.ProcessState) int {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return int(w.Signal())
	}
	return 0
}
