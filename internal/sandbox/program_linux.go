//go:build amd64 || arm64

package sandbox

import (
	"cmp"
	"errors"
	"os"
	"runtime"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

func lockThread() { runtime.LockOSThread() }

// startProgram starts the program with all restrictions, and returns its process ID.
//
// Privileges, Landlock and seccomp are per thread, and a child process inherits those of the
// thread that starts it. So one thread of process 1 drops them, starts the program, and is not
// used again. This avoids starting umpire's large program a second time.
func startProgram(c *Config, w *ways, t *tally) (int, error) {
	// The thread below has no more privileges than the program, which could otherwise read its
	// memory, and so that of process 1.
	if err := step("hide process 1's memory", unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)); err != nil {
		return 0, err
	}
	for resource, most := range processLimits(c) { // of process 1 as well
		var was unix.Rlimit
		err := unix.Getrlimit(resource, &was)
		if err == nil {
			most = min(most, was.Max)
			err = unix.Setrlimit(resource, &unix.Rlimit{Cur: most, Max: most})
		}
		if err != nil {
			return 0, step("limit resources", err)
		}
	}
	for _, resource := range counted {
		var was unix.Rlimit
		err := unix.Getrlimit(resource, &was)
		if err == nil && was.Max != unix.RLIM_INFINITY {
			most := was.Max / 2
			err = unix.Setrlimit(resource, &unix.Rlimit{Cur: min(was.Cur, most), Max: most})
		}
		if err != nil {
			return 0, step("limit resources", err)
		}
	}
	dir := cmp.Or(c.Folder, c.Dir)
	passOver(os.Interrupt, syscall.SIGQUIT) // permanently
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
			var pid int
			err = c.limited(func() (int, error) {
				pid, err = syscall.ForkExec(c.Args[0], slices.Clone(c.Args), &syscall.ProcAttr{Dir: dir, Env: c.Env, Files: []uintptr{0, 1, 2}})
				if err != nil {
					err = &NotRunError{c.Args[0], err}
				}
				return pid, err
			})
			return pid, err
		}()
		done <- started{pid, err}
	}()
	s := <-done
	return s.pid, s.err
}

// counted are limits that the kernel applies to all processes of a user together, such as timers:
// half is left to those outside.
var counted = []int{unix.RLIMIT_SIGPENDING, unix.RLIMIT_MSGQUEUE}

// processLimits are the limits of every sandbox. A core dump of one byte is useless, and unlike 0
// it also keeps the kernel from starting the host's dump program with the memory of the dead
// process (core(5): pipe). A process with real-time priority could stall the machine.
func processLimits(c *Config) map[int]uint64 {
	return map[int]uint64{unix.RLIMIT_CORE: 1, unix.RLIMIT_NPROC: c.Most(), unix.RLIMIT_RTPRIO: 0, unix.RLIMIT_NICE: 0}
}

// need returns the error of a layer that could not be set up, or reports that the sandbox lacks it.
func (c *Config) need(t *tally, wall string, err error) error {
	if err == nil || !c.BestEffort {
		return err
	}
	t.add(Event{Kind: Missing, What: wall, Why: err.Error()})
	return nil
}

// ownGrowth is how much more data process 1 may need while it starts the program: Go's heap grows
// by 64 MiB, and a thread takes 8.
const ownGrowth = 256 << 20

// watchLate is how much later than the watch the kernel kills a process that used up its time, in
// seconds: the kernel gives no reason, and on a busy machine the watch is late.
const watchLate = 10

// limited starts a program under resource limits, which apply to each process. Process 1 has them
// only while it starts the program, and as soft limits. Its limit on data is raised by its own use,
// because failing to create a thread at that moment would end the sandbox. The watch covers what a
// program does before the final limits apply.
func (c *Config) limited(start func() (pid int, err error)) error {
	limits := map[int]uint64{}
	if c.Limits.Memory > 0 {
		limits[unix.RLIMIT_DATA] = c.Limits.Memory
	}
	if c.Limits.Disk > 0 {
		limits[unix.RLIMIT_FSIZE] = c.Limits.Disk
	}
	if c.Limits.CPU > 0 {
		limits[unix.RLIMIT_CPU] = uint64(c.Limits.CPU.Seconds()) + watchLate
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return step("limit resources", err)
	}
	before := map[int]unix.Rlimit{}
	for resource, most := range limits {
		var was unix.Rlimit
		if err := unix.Prlimit(0, resource, nil, &was); err != nil {
			return step("limit resources", err)
		}
		limits[resource] = min(most, was.Max)
		before[resource] = was
		if resource == unix.RLIMIT_DATA {
			most += size(status, "VmData:") + ownGrowth
		}
		if err := unix.Prlimit(0, resource, &unix.Rlimit{Cur: min(most, was.Max), Max: was.Max}, nil); err != nil {
			return step("limit resources", err)
		}
	}
	pid, err := start()
	for resource, most := range limits {
		was := before[resource]
		err = errors.Join(err, step("limit resources", unix.Prlimit(0, resource, &was, nil)))
		if pid > 0 {
			if e := unix.Prlimit(pid, resource, &unix.Rlimit{Cur: most, Max: most}, nil); !errors.Is(e, unix.ESRCH) { // it has ended
				err = errors.Join(err, step("limit resources", e))
			}
		}
	}
	return err
}

// reap waits for a process, and for orphans.
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

// restrict drops every privilege and every way to regain one. The listener gets the refused calls;
// it is nil if the kernel has none.
func restrict(c *Config, t *tally) (listener *os.File, err error) {
	if err := step("give up new privileges", unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)); err != nil {
		return nil, err
	}
	if err := c.need(t, "landlock", step("hold by Landlock", landlock(c))); err != nil {
		return nil, err
	}
	for i := uintptr(0); i <= unix.CAP_LAST_CAP; i++ {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, i, 0, 0, 0); err != nil && !errors.Is(err, unix.EINVAL) { // a capability of a newer kernel
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
	listener, err = holdCalls(c.Through != nil || c.Events)
	if errors.Is(err, errNoListener) {
		if c.Through == nil {
			return nil, nil // the call is refused all the same, but not reported
		}
		return nil, c.need(t, "transparent", step("hold by seccomp", err))
	}
	return listener, c.need(t, "seccomp", step("hold by seccomp", err))
}
