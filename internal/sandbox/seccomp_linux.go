//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// refused are calls that nothing in a box needs: they make or enter namespaces and mounts,
// look into other processes, load code into the kernel or change the machine. They fail as
// if not permitted, and are told.
var refused = append([]uint32{
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR,
	unix.SYS_SETNS, unix.SYS_UNSHARE,
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PIDFD_GETFD,
	unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_REBOOT,
	unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_SYSLOG, unix.SYS_VHANGUP,
	unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_LOOKUP_DCOOKIE, unix.SYS_NFSSERVCTL, unix.SYS_FANOTIFY_INIT,
	unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME,
}, refusedHere...)

// quiet are calls that have been ways out before, and that harmless programs try and do
// without: they fail alike, and are not told.
var quiet = []uint32{unix.SYS_KCMP, unix.SYS_PROCESS_MADVISE, unix.SYS_USERFAULTFD, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER}

// newNamespaces are the flags of clone that make namespaces.
const newNamespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWTIME

// Places in seccomp_data. The arguments are of eight bytes, the lower four first.
const (
	atCall = 0
	atArch = 4
	atArgs = 16
)

// errDeaf is that the kernel lets nobody listen to this filter, as below another that
// somebody listens to. The filter is set all the same.
var errDeaf = errors.New("nobody can be told of connections: another filter of calls has a listener")

// seccomp holds this thread, and what it becomes, by a filter of calls. With connections it
// returns what hears of them, and of calls that are refused.
func seccomp(connections bool) (listener *os.File, err error) {
	set := func(f []unix.SockFilter, flags uintptr) (uintptr, error) {
		prog := unix.SockFprog{Len: uint16(len(f)), Filter: &f[0]}
		fd, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&prog)))
		runtime.KeepAlive(f)
		if errno != 0 {
			return 0, errno
		}
		return fd, nil
	}
	if !connections {
		_, err := set(filter(unix.SECCOMP_RET_ERRNO|uint32(unix.EPERM), unix.SECCOMP_RET_ALLOW), 0)
		return nil, err
	}
	// Signals that do not kill wait for the answer: Go sends itself many, and a call that is
	// begun anew would be a second connection.
	fd, err := set(filter(unix.SECCOMP_RET_USER_NOTIF, unix.SECCOMP_RET_USER_NOTIF), unix.SECCOMP_FILTER_FLAG_NEW_LISTENER|unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV)
	switch {
	case errors.Is(err, unix.EBUSY):
		_, err = set(filter(unix.SECCOMP_RET_ERRNO|uint32(unix.EPERM), unix.SECCOMP_RET_ALLOW), 0)
		return nil, errors.Join(err, errDeaf)
	case err != nil:
		return nil, err
	}
	unix.CloseOnExec(int(fd))
	return os.NewFile(fd, "seccomp"), nil
}

// filter is the program that the kernel runs for each call: what it says to one that is
// refused, and to connect, is given.
func filter(denied, connect uint32) (f []unix.SockFilter) {
	const (
		allow  = unix.SECCOMP_RET_ALLOW
		kill   = unix.SECCOMP_RET_KILL_PROCESS
		silent = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
		absent = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
		none   = unix.SECCOMP_RET_ERRNO | uint32(unix.EPROTONOSUPPORT)
	)
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
	equal(unix.SYS_CONNECT, 0, 1)
	ret(connect)
	for _, n := range refused {
		equal(n, 0, 1)
		ret(denied)
	}
	for _, n := range quiet {
		equal(n, 0, 1)
		ret(silent)
	}
	equal(unix.SYS_CLONE3, 0, 1) // its flags lie where no filter looks; C libraries fall back to clone
	ret(absent)
	equal(unix.SYS_CLONE, 0, 4)
	load(atArgs)
	set(newNamespaces, 0, 1)
	ret(denied)
	ret(allow)
	// Typing into the terminal of who started the box.
	equal(unix.SYS_IOCTL, 0, 5)
	load(atArgs + 8)
	equal(unix.TIOCSTI, 1, 0)
	equal(tiocLinux, 0, 1)
	ret(denied)
	ret(allow)
	// Sockets of Unix, TCP and UDP, and the one of netlink that tells interfaces.
	equal(unix.SYS_SOCKET, 1, 0)
	ret(allow)
	load(atArgs)
	equal(unix.AF_UNIX, 0, 1)
	ret(allow)
	equal(unix.AF_NETLINK, 0, 4)
	load(atArgs + 16)
	equal(unix.NETLINK_ROUTE, 0, 1)
	ret(allow)
	ret(denied)
	equal(unix.AF_INET, 2, 0)
	equal(unix.AF_INET6, 1, 0)
	ret(denied)
	load(atArgs + 8)
	op(unix.BPF_ALU|unix.BPF_AND|unix.BPF_K, 0xf, 0, 0) // the rest are flags
	equal(unix.SOCK_STREAM, 2, 0)
	equal(unix.SOCK_DGRAM, 1, 0)
	ret(denied)
	load(atArgs + 16)
	for _, protocol := range []uint32{0, unix.IPPROTO_TCP, unix.IPPROTO_UDP} {
		equal(protocol, 0, 1)
		ret(allow)
	}
	equal(unix.IPPROTO_MPTCP, 0, 1) // tried first by some, who take TCP then
	ret(none)
	ret(denied)
	return f
}

const tiocLinux = 0x541c
