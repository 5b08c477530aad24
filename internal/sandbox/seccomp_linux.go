//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"

	"github.com/umpire-dev/umpire/internal/seccomp"
)

// refused lists system calls that no program in a sandbox needs: they create or enter namespaces
// and mounts, inspect other processes, load code into the kernel or change the machine. They fail
// with a permission error, and are reported.
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

// quiet lists system calls that have been used for escapes, and that harmless programs try and do
// without. They fail in the same way, but are not reported.
var quiet = []uint32{unix.SYS_KCMP, unix.SYS_PROCESS_MADVISE, unix.SYS_USERFAULTFD, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER}

// newNamespaces are the clone flags that create namespaces.
const newNamespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWTIME

// errNoListener means that the kernel allows no listener for this filter, for example below another
// filter with one. The filter is set all the same.
var errNoListener = errors.New("cannot redirect connections: another seccomp filter already has a listener")

// holdCalls applies a filter of system calls to this thread and its children. With connections, it
// returns the listener for connections and refused calls.
func holdCalls(connections bool) (listener *os.File, err error) {
	if !connections {
		_, err := filter(seccomp.Fail(unix.EPERM), seccomp.Allow).Install(0)
		return nil, err
	}
	// Signals that do not kill wait for the answer: Go sends itself many, and a restarted call
	// would be a second connection.
	fd, err := filter(seccomp.Notify, seccomp.Notify).Install(unix.SECCOMP_FILTER_FLAG_NEW_LISTENER | unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV)
	switch {
	case errors.Is(err, unix.EBUSY):
		_, err = filter(seccomp.Fail(unix.EPERM), seccomp.Allow).Install(0)
		return nil, errors.Join(err, errNoListener)
	case err != nil:
		return nil, err
	}
	unix.CloseOnExec(int(fd))
	return os.NewFile(fd, "seccomp"), nil
}

// filter is what the kernel runs for each call: what it says to one that is refused, and to
// connect, is given.
func filter(denied, connect uint32) *seccomp.Filter {
	f := seccomp.New()
	f.Calls(connect, unix.SYS_CONNECT)
	f.Calls(denied, refused...)
	f.Calls(seccomp.Fail(unix.EPERM), quiet...)
	f.Calls(seccomp.Fail(unix.ENOSYS), unix.SYS_CLONE3) // a filter cannot see its flags; C libraries fall back to clone
	f.Equal(unix.SYS_CLONE, 0, 4)
	f.Arg(0)
	f.Set(newNamespaces, 0, 1)
	f.Return(denied)
	f.Return(seccomp.Allow)
	// Injecting input into the parent's terminal, and loading a line discipline.
	f.Equal(unix.SYS_IOCTL, 0, 6)
	f.Arg(1)
	f.Equal(unix.TIOCSTI, 2, 0)
	f.Equal(unix.TIOCSETD, 1, 0)
	f.Equal(tiocLinux, 0, 1)
	f.Return(denied)
	f.Return(seccomp.Allow)
	// A lease can block every process that opens the file for 45 seconds each time, even outside,
	// where the file may be umpire's hook or policy.
	f.Equal(unix.SYS_FCNTL, 0, 5)
	f.Arg(1)
	f.Equal(unix.F_SETLEASE, 1, 0)
	f.Equal(setDelegation, 0, 1)
	f.Return(seccomp.Fail(unix.EINVAL))
	f.Return(seccomp.Allow)
	filterCoreLimit(f)
	filterSockets(f, denied)
	return f
}

// filterCoreLimit keeps the limit on core dumps: only this value keeps the kernel from passing the
// memory of a dead process to a program of the host, as root. Other requests get the current value.
func filterCoreLimit(f *seccomp.Filter) {
	f.Equal(unix.SYS_SETRLIMIT, 0, 4)
	f.Arg(0)
	f.Equal(unix.RLIMIT_CORE, 0, 1)
	f.Return(seccomp.Fail(0))
	f.Return(seccomp.Allow)
	f.Equal(unix.SYS_PRLIMIT64, 0, 8)
	f.Arg(1)
	f.Equal(unix.RLIMIT_CORE, 0, 5)
	f.Arg(2)
	f.Equal(0, 0, 2)
	f.High(2)
	f.Equal(0, 1, 0) // a query only
	f.Return(seccomp.Fail(0))
	f.Return(seccomp.Allow)
}

// filterSockets refuses sockets and messages that could leave the sandbox without connect, and
// socket families that load kernel modules.
func filterSockets(f *seccomp.Filter, denied uint32) {
	// Sending without connect, which could be redirected.
	for _, c := range []struct{ call, flags uint32 }{{unix.SYS_SENDTO, 3}, {unix.SYS_SENDMSG, 2}, {unix.SYS_SENDMMSG, 3}} {
		f.Equal(c.call, 0, 4)
		f.Arg(c.flags)
		f.Set(unix.MSG_FASTOPEN, 0, 1)
		f.Return(denied)
		f.Return(seccomp.Allow)
	}
	// Socket pairs must be Unix sockets; other families load kernel modules.
	f.Equal(unix.SYS_SOCKETPAIR, 0, 4)
	f.Arg(0)
	f.Equal(unix.AF_UNIX, 1, 0)
	f.Return(denied)
	f.Return(seccomp.Allow)
	// Unix, TCP and UDP sockets, and the netlink socket that lists interfaces.
	f.Equal(unix.SYS_SOCKET, 1, 0)
	f.Return(seccomp.Allow)
	f.Arg(0)
	f.Equal(unix.AF_UNIX, 0, 1)
	f.Return(seccomp.Allow)
	f.Equal(unix.AF_NETLINK, 0, 4)
	f.Arg(2)
	f.Equal(unix.NETLINK_ROUTE, 0, 1)
	f.Return(seccomp.Allow)
	f.Return(denied)
	f.Equal(unix.AF_INET, 2, 0)
	f.Equal(unix.AF_INET6, 1, 0)
	f.Return(denied)
	f.Arg(1)
	f.And(0xf) // the rest are flags
	f.Equal(unix.SOCK_STREAM, 2, 0)
	f.Equal(unix.SOCK_DGRAM, 1, 0)
	f.Return(denied)
	f.Arg(2)
	f.Calls(seccomp.Allow, 0, unix.IPPROTO_TCP, unix.IPPROTO_UDP)
	f.Calls(seccomp.Fail(unix.EPROTONOSUPPORT), unix.IPPROTO_MPTCP) // some programs try it first, and then use TCP
	f.Return(denied)
}

const (
	tiocLinux     = 0x541c
	setDelegation = 1024 + 16 // F_SETDELEG of Linux 6.19, a lease by another name
)
