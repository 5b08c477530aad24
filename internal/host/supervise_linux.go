package host

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// supervisorName is how this program is called when it supervises a command.
const supervisorName = "umpire: runs a command"

// canSupervise is set by a main function that calls Supervise.
var canSupervise bool

// Supervise must be the first call in the main function of a program that runs
// commands. If the process was started to supervise one, it does not return. Otherwise
// Run makes use of it from then on: what a command starts and leaves behind, in sessions
// of its own as well, is then found by the kernel and ended.
func Supervise() {
	if len(os.Args) > 1 && os.Args[0] == supervisorName {
		os.Exit(supervise(os.Args[1:]))
	}
	canSupervise = true
}

// Supervised runs a command in a separate session under a supervisor, which ends the processes
// that the command leaves behind, and all of them when ctx or this process ends. Start the
// command on a thread that lives as long as the command.
func Supervised(cmd *exec.Cmd) {
	contain(cmd)
	if !canSupervise || cmd.Err != nil {
		return
	}
	if _, err := exec.LookPath(cmd.Path); err != nil {
		return // it cannot be started, and the caller must see that
	}
	cmd.Args = append([]string{supervisorName, cmd.Path}, cmd.Args...)
	cmd.Path = "/proc/self/exe"
	// It ends all processes on request, and when this process dies.
	cmd.SysProcAttr.Pdeathsig = syscall.SIGTERM
	cmd.WaitDelay = 12 * time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
}

// supervise runs a command, ends with its exit code, and takes all along that came from
// it: whatever loses its parent becomes a child of this process.
func supervise(args []string) int {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		fmt.Fprintln(os.Stderr, "umpire:", err)
		return 126
	}
	end := make(chan os.Signal, 1)
	signal.Notify(end, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	runtime.LockOSThread() // the command dies with this thread, which lives as long as the process
	pid, err := syscall.ForkExec(args[0], args[1:], &syscall.ProcAttr{Env: os.Environ(), Files: []uintptr{0, 1, 2}, Sys: &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}})
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", args[0], err)
		return 126
	}
	go func() {
		<-end
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}()
	var code int
	for {
		var st syscall.WaitStatus
		got, err := syscall.Wait4(-1, &st, 0, nil)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			return 126
		}
		if got == pid {
			if code = st.ExitStatus(); st.Signaled() {
				code = 128 + int(st.Signal())
			}
			break
		}
	}
	reap(10 * time.Second)
	return code
}

// reap ends the children of this process, and their children, which then become its own, until none
// are left.
func reap(within time.Duration) {
	for deadline := time.Now().Add(within); time.Now().Before(deadline); {
		for _, pid := range children() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		for {
			pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
			if errors.Is(err, syscall.ECHILD) {
				return
			}
			if pid <= 0 && !errors.Is(err, syscall.EINTR) {
				break
			}
		}
		time.Sleep(time.Millisecond)
	}
}

// children lists the processes whose parent is this one.
func children() (list []int) {
	files, _ := filepath.Glob("/proc/self/task/*/children")
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		for _, s := range strings.Fields(string(data)) {
			if pid, err := strconv.Atoi(s); err == nil {
				list = append(list, pid)
			}
		}
	}
	if len(files) > 0 && list != nil {
		return list
	}
	// A kernel that does not tell: all processes have to be asked.
	self := strconv.Itoa(os.Getpid())
	files, _ = filepath.Glob("/proc/[0-9]*/stat")
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		_, rest, ok := strings.Cut(string(data), ") ")
		if part := strings.Fields(rest); ok && len(part) > 1 && part[1] == self {
			if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f))); err == nil {
				list = append(list, pid)
			}
		}
	}
	return list
}
