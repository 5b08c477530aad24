//go:build amd64 || arm64

package cell

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// calls are those that a Go program needs when everything is open that it will ever use.
// All others fail as if not permitted: none that opens a file, makes a socket, starts a
// program or looks at a process is among them.
var calls = []uint32{
	unix.SYS_READ, unix.SYS_WRITE, unix.SYS_WRITEV, unix.SYS_PREAD64, unix.SYS_LSEEK, unix.SYS_CLOSE, unix.SYS_FSTAT, unix.SYS_FCNTL,
	unix.SYS_MUNMAP, unix.SYS_MADVISE, unix.SYS_BRK, unix.SYS_MINCORE,
	unix.SYS_FUTEX, unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETTIME, unix.SYS_GETTIMEOFDAY,
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK, unix.SYS_RESTART_SYSCALL,
	unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_EXIT, unix.SYS_EXIT_GROUP, unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ, unix.SYS_MEMBARRIER,
	unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_EVENTFD2,
	unix.SYS_GETRANDOM,
}

// Places in seccomp_data. The arguments are of eight bytes, the lower four first.
const (
	atCall = 0
	atArch = 4
	atArgs = 16
)

// newThread are the flags without which clone makes a process.
const newThread = unix.CLONE_VM | unix.CLONE_THREAD

// seccomp holds all threads by a filter of calls.
func seccomp() error {
	const (
		allow  = unix.SECCOMP_RET_ALLOW
		kill   = unix.SECCOMP_RET_KILL_PROCESS
		denied = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
		absent = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	)
	var f []unix.SockFilter
	op := func(code uint16, k uint32, jt, jf uint8) {
		f = append(f, unix.SockFilter{Code: code, Jt: jt, Jf: jf, K: k})
	}
	load := func(at uint32) { op(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, at, 0, 0) }
	ret := func(what uint32) { op(unix.BPF_RET|unix.BPF_K, what, 0, 0) }
	equal := func(k uint32, jt, jf uint8) { op(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, k, jt, jf) }
	set := func(k uint32, jt, jf uint8) { op(unix.BPF_JMP|unix.BPF_JSET|unix.BPF_K, k, jt, jf) }

	load(atArch)
	equal(auditArch, 1, 0)
	ret(kill) // 32-bit calls have other numbers
	load(atCall)
	if runtime.GOARCH == "amd64" { // x32 has them as well, with a bit set
		set(0x40000000, 0, 1)
		ret(kill)
	}
	for _, n := range calls {
		equal(n, 0, 1)
		ret(allow)
	}
	equal(unix.SYS_CLONE3, 0, 1) // its flags lie where no filter looks; C libraries fall back to clone
	ret(absent)
	equal(unix.SYS_CLONE, 0, 5) // threads only
	load(atArgs)
	op(unix.BPF_ALU|unix.BPF_AND|unix.BPF_K, newThread, 0, 0)
	equal(newThread, 0, 1)
	ret(allow)
	ret(denied)
	for _, n := range []uint32{unix.SYS_MMAP, unix.SYS_MPROTECT} { // memory, but no code
		equal(n, 0, 4)
		load(atArgs + 2*8)
		set(unix.PROT_EXEC, 1, 0)
		ret(allow)
		ret(denied)
	}
	equal(unix.SYS_TGKILL, 0, 4) // the runtime signals its own threads
	load(atArgs)
	equal(uint32(unix.Getpid()), 0, 1)
	ret(allow)
	ret(denied)
	equal(unix.SYS_PRCTL, 0, 4) // it names its memory
	load(atArgs)
	equal(unix.PR_SET_VMA, 0, 1)
	ret(allow)
	ret(denied)
	ret(denied)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil { // the filter passes it on to all threads
		return err
	}
	prog := unix.SockFprog{Len: uint16(len(f)), Filter: &f[0]}
	thread, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&prog)))
	runtime.KeepAlive(f)
	if errno != 0 {
		return errno
	}
	if thread != 0 {
		return fmt.Errorf("thread %d has another filter", thread)
	}
	return nil
}
