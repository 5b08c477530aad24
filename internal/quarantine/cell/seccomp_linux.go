//go:build amd64 || arm64

package cell

import (
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"

	"github.com/umpire-dev/umpire/internal/seccomp"
)

// calls lists the system calls that a Go program needs when all of its files are open. All others
// fail with a permission error. None of them opens a file, creates a socket, starts a program or
// inspects a process.
var calls = []uint32{
	unix.SYS_READ, unix.SYS_WRITE, unix.SYS_WRITEV, unix.SYS_PREAD64, unix.SYS_LSEEK, unix.SYS_CLOSE, unix.SYS_FSTAT, unix.SYS_FCNTL,
	unix.SYS_MUNMAP, unix.SYS_MADVISE, unix.SYS_BRK, unix.SYS_MINCORE,
	unix.SYS_FUTEX, unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETTIME, unix.SYS_GETTIMEOFDAY,
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK, unix.SYS_RESTART_SYSCALL,
	unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_EXIT, unix.SYS_EXIT_GROUP, unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ, unix.SYS_MEMBARRIER,
	unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_EVENTFD2,
	unix.SYS_GETRANDOM,
}

// newThread is the set of clone flags that create a thread rather than a process.
const newThread = unix.CLONE_VM | unix.CLONE_THREAD

// hold applies a filter of system calls to all threads.
func hold() error {
	denied := seccomp.Fail(unix.EPERM)
	f := seccomp.New()
	f.Calls(seccomp.Allow, calls...)
	f.Calls(seccomp.Fail(unix.ENOSYS), unix.SYS_CLONE3) // a filter cannot see its flags; C libraries fall back to clone
	f.Equal(unix.SYS_CLONE, 0, 5)                       // threads only
	f.Arg(0)
	f.And(newThread)
	f.Equal(newThread, 0, 1)
	f.Return(seccomp.Allow)
	f.Return(denied)
	for _, n := range []uint32{unix.SYS_MMAP, unix.SYS_MPROTECT} { // memory that is not executable
		f.Equal(n, 0, 4)
		f.Arg(2)
		f.Set(unix.PROT_EXEC, 1, 0)
		f.Return(seccomp.Allow)
		f.Return(denied)
	}
	f.Equal(unix.SYS_TGKILL, 0, 4) // the runtime signals its own threads
	f.Arg(0)
	f.Equal(uint32(unix.Getpid()), 0, 1)
	f.Return(seccomp.Allow)
	f.Return(denied)
	f.Equal(unix.SYS_PRCTL, 0, 4) // the runtime names its memory
	f.Arg(0)
	f.Equal(unix.PR_SET_VMA, 0, 1)
	f.Return(seccomp.Allow)
	f.Return(denied)
	f.Return(denied)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil { // the filter extends to all threads
		return err
	}
	thread, err := f.Install(unix.SECCOMP_FILTER_FLAG_TSYNC)
	if err != nil {
		return err
	}
	if thread != 0 {
		return fmt.Errorf("thread %d has another filter", thread)
	}
	return nil
}
