package main

import (
	"os/exec"
	"runtime"
	"syscall"
)

// startBound starts a child that is asked to end when this program does, however it does.
func startBound(cmd *exec.Cmd) error {
	cmd.SysProcAttr = ownGroup()
	cmd.SysProcAttr.Pdeathsig = syscall.SIGTERM
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // the signal is that of the thread's end: it never ends
		started <- cmd.Start()
		select {}
	}()
	return <-started
}
