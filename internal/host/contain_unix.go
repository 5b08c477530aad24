//go:build unix

package host

import (
	"os"
	"os/exec"
	"syscall"
)

// contain gives a command a separate session, and kills all of it at the end: the command does not
// get the gateway's terminal, and no child outlives its time.
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
