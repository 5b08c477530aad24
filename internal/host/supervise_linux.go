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

	"github.com/umpire-dev/umpire/internal/procgroup"
)

// supervisorName is the name under which this program supervises a command.
const supervisorName = "umpire: runs a command"

// canSupervise is set by a main function that calls Supervise.
var canSupervise bool

// Supervise must be the first call in the main function of a program that runs commands. In a
// process that was started as a supervisor, it does not return. In others, it makes Run use
// supervisors: the kernel then finds and ends the processes that a command leaves behind, even in
// other sessions.
func Supervise() {
	if len(os.Args) > 1 && os.Args[0] == supervisorName {
		os.Exit(supervise(os.Args[1:]))
	}
	canSupervise = true
}

// Supervised runs a command in a separate session under a supervisor. The supervisor ends the
// processes that the command leaves behind, and all of them when ctx or this process ends. Start
// the command on a thread that lives as long as the command.
func Supervised(cmd *exec.Cmd) {
	procgroup.Lead(cmd)
	if !canSupervise || cmd.Err != nil {
		return
	}
	if _, err := exec.LookPath(cmd.Path); err != nil {
		return // it cannot start, and the caller gets the error
	}
	cmd.Args = append([]string{supervisorName, cmd.Path}, cmd.Args...)
	cmd.Path = "/proc/self/exe"
	// The supervisor ends all processes on request, and when this process dies.
	cmd.SysProcAttr.Pdeathsig = syscall.SIGTERM
	cmd.WaitDelay = 12 * time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
}

// supervise runs a command, exits with its exit code, and kills all of its descendants: the kernel
// makes orphans children of this process.
func supervise(args []string) int {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		fmt.Fprintln(os.Stderr, "umpire:", err)
		return 126
	}
	end := make(chan os.Signal, 1)
	signal.Notify(end, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	runtime.LockOSThread() // the kernel kills the command when this thread ends, so keep it for the life of the process
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

// reap kills the children of this process, and their children, which then become its own, until
// none are left.
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

// children lists the child processes of this process.
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
	// The kernel has no list of children: look at all processes.
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
