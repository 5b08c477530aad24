//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"os"
	"runtime"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

func lockThread() { runtime.LockOSThread() }

// startProgram starts the program, held as it is to be, and returns its process ID.
//
// Rights, Landlock and seccomp are a thread's, and a process has those of the thread that
// made it. So one thread of process 1 gives them up, starts the program, and is not used
// again: no second start of umpire's large program is needed.
func startProgram(c *Config, w *ways, t *tally) (int, error) {
	// The kernel's own limits, for every process by itself. They are process 1's as well.
	for resource, most := range c.rlimits() {
		if err := unix.Setrlimit(resource, &unix.Rlimit{Cur: most, Max: most}); err != nil {
			return 0, step("limit resources", err)
		}
	}
	dir := c.Folder
	if dir == "" {
		dir = c.Dir
	}
	passOver(os.Interrupt, syscall.SIGQUIT) // for good
	type started struct {
		pid int
		err error
	}
	done := make(chan started)
	go func() {
		lockThread() // never unlocked: the thread ends with this function
		pid, err := func() (int, error) {
			listener, err := restrict(c, t)
			if err != nil {
				return 0, err
			}
			if listener != nil {
				go w.listen(listener)
			}
			pid, err := syscall.ForkExec(c.Args[0], slices.Clone(c.Args), &syscall.ProcAttr{Dir: dir, Env: c.Env, Files: []uintptr{0, 1, 2}})
			return pid, step("start "+c.Args[0], err)
		}()
		done <- started{pid, err}
	}()
	s := <-done
	return s.pid, s.err
}

// need returns the error of a wall that could not be set up, or tells that the box is
// without it.
func (c *Config) need(t *tally, wall string, err error) error {
	if err == nil || !c.BestEffort {
		return err
	}
	t.add(Event{Kind: Missing, What: wall, Why: err.Error()})
	return nil
}

// rlimits are the kernel's limits of each process.
func (c *Config) rlimits() map[int]uint64 {
	list := map[int]uint64{unix.RLIMIT_CORE: 0, unix.RLIMIT_NPROC: c.tasks()}
	if l := c.Limits; l.Memory > 0 {
		list[unix.RLIMIT_DATA] = l.Memory
	}
	if l := c.Limits; l.Disk > 0 {
		list[unix.RLIMIT_FSIZE] = l.Disk
	}
	if l := c.Limits; l.CPU > 0 {
		list[unix.RLIMIT_CPU] = uint64(l.CPU.Seconds() + 1)
	}
	return list
}

// reap waits for a process, and for whatever else has no parent any more.
func reap(pid int) int {
	for {
		var w syscall.WaitStatus
		got, err := syscall.Wait4(-1, &w, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return 1
		case got == pid && w.Signaled():
			return 128 + int(w.Signal())
		case got == pid && w.Exited():
			return w.ExitStatus()
		}
	}
}

// restrict gives up every right and way to get one.
// The listener hears of calls that are refused, and is nil where the kernel has none.
func restrict(c *Config, t *tally) (listener *os.File, err error) {
	if err := step("take no new privileges", unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)); err != nil {
		return nil, err
	}
	if err := c.need(t, "landlock", step("hold by Landlock", landlock(c))); err != nil {
		return nil, err
	}
	for i := uintptr(0); i <= unix.CAP_LAST_CAP; i++ {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, i, 0, 0, 0); err != nil && !errors.Is(err, unix.EINVAL) { // a newer kernel's
			return nil, step("bound capabilities", err)
		}
	}
	if err := step("drop ambient capabilities", unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)); err != nil {
		return nil, err
	}
	var none [2]unix.CapUserData
	if err := step("drop capabilities", unix.Capset(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &none[0])); err != nil {
		return nil, err
	}
	listener, err = seccomp(c.Through != nil)
	if errors.Is(err, errDeaf) {
		return nil, c.need(t, "transparent", step("hold by seccomp", err))
	}
	return listener, c.need(t, "seccomp", step("hold by seccomp", err))
}
