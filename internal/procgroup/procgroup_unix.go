//go:build unix

package procgroup

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// Lead prepares a command so that it can be ended with all its processes: it gets no terminal,
// and the end of its context ends its process group. Call Lead before the command starts.
func Lead(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// End ends the processes that a command left behind: its group, and processes that left the
// group and still have the HOME of this command only. Without /proc, the latter survive.
func End(cmd *exec.Cmd, home string) {
	if cmd.Process == nil {
		return
	}
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // the group may be gone
	mark := []byte("\x00HOME=" + home + "\x00")
	vain := 0
	for range maxPasses { // a killed process may have started another since the listing
		switch n, unsure := endMarked(mark); {
		case n > 0:
			vain = 0
		case unsure && vain < maxVain:
			vain++
		default:
			return
		}
		time.Sleep(time.Millisecond) // for them to go
	}
}

// maxPasses bounds how often a command's processes are looked for, and maxVain how often in
// a row without finding any.
const (
	maxPasses = 300
	maxVain   = 20
)

// endMarked kills the processes that have mark in their environment, and returns their number.
// unsure means that there may be more: one ended during the check and may have started another, or
// shows no environment, for example during exec.
func endMarked(mark []byte) (n int, unsure bool) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0, false
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		env, err := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ESRCH):
			unsure = true
		case err == nil && len(env) == 0:
			// The kernel's own show none either, nor what is dead, but those have no program.
			_, err := os.Readlink(filepath.Join("/proc", e.Name(), "exe"))
			unsure = unsure || err == nil
		case err == nil && bytes.Contains(append([]byte{0}, env...), mark):
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may be gone
			n++
		}
	}
	return n, unsure
}
