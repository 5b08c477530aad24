package procgroup

import (
	"os/exec"
	"runtime"
	"syscall"
)

// StartBound starts a child outside the terminal's process group. The kernel sends it SIGTERM when
// this program ends, even by SIGKILL.
func StartBound(cmd *exec.Cmd) error {
	cmd.SysProcAttr = ownGroup()
	cmd.SysProcAttr.Pdeathsig = syscall.SIGTERM
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // the kernel watches this thread, so the thread must stay
		started <- cmd.Start()
		select {}
	}()
	return <-started
}
