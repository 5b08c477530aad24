//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"runtime"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// notice is a system call that waits for an answer, in the kernel's form (struct seccomp_notif).
type notice struct {
	ID    uint64
	PID   uint32 // of the thread
	Flags uint32
	Call  int32
	Arch  uint32
	IP    uint64
	Args  [6]uint64
}

// reply is the answer (struct seccomp_notif_resp).
type reply struct {
	ID    uint64
	Val   int64
	Error int32
	Flags uint32
}

func ioctl(fd uintptr, request uint, p unsafe.Pointer) error {
	for {
		if _, _, errno := unix.Syscall(unix.SYS_IOCTL, fd, uintptr(request), uintptr(p)); errno != unix.EINTR {
			if errno != 0 {
				return errno
			}
			return nil
		}
	}
}

// maxDialing limits the connections that are redirected at the same time.
const maxDialing = 64

// listen answers the calls that the filter reports, until the sandbox ends: it redirects
// connections to this process, and counts refused calls. The isolation does not depend on it: the
// filter refuses calls by itself, and the network has no way out.
func (w *ways) listen(f *os.File) {
	defer func() { _ = f.Close() }()
	fd := f.Fd()
	slots := make(chan struct{}, maxDialing)
	for {
		var n notice
		switch err := ioctl(fd, unix.SECCOMP_IOCTL_NOTIF_RECV, unsafe.Pointer(&n)); {
		case errors.Is(err, unix.ENOENT): // its thread was killed in the meantime
			continue
		case err != nil:
			return
		}
		answer := func(r reply) {
			r.ID = n.ID
			_ = ioctl(fd, unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&r)) // or it has ended
		}
		if n.Call != unix.SYS_CONNECT {
			w.tally.add(Event{Kind: Call, What: callName(&n), Program: programOf(n.PID)})
			answer(reply{Error: -int32(unix.EPERM)})
			continue
		}
		slots <- struct{}{}
		go func() {
			defer func() { <-slots }()
			if errno, ours := w.connect(&n); ours {
				answer(reply{Error: -int32(errno)})
			} else {
				answer(reply{Flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE})
			}
		}()
	}
}

// programOf returns a process's name for itself.
func programOf(pid uint32) string {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid)) // it may have ended
	return string(bytes.TrimSuffix(b, []byte("\n")))
}

// connect redirects a TCP connection that would leave the sandbox to this process. It leaves others
// to the kernel: they reach something in the sandbox, or nothing.
func (w *ways) connect(n *notice) (errno unix.Errno, ours bool) {
	to, ok := addressOf(n)
	if !ok || to.Addr().IsLoopback() || to.Addr().IsUnspecified() {
		return 0, false
	}
	if w.through.Gate == "" { // the kernel refuses it: nothing leads out
		w.tally.addOf(Event{Kind: Network, What: "connection", Target: to.String(), Program: programOf(n.PID), Why: "there is no network"})
		return 0, false
	}
	fd, err := fetch(n)
	if err != nil {
		return 0, false
	}
	defer func() { _ = unix.Close(fd) }()
	if kind, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TYPE); err != nil || kind != unix.SOCK_STREAM {
		return 0, false
	}
	domain, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_DOMAIN)
	if err != nil {
		return 0, false
	}
	err = unix.Connect(fd, w.redirectAddress(domain, to))
	if err != nil && !errors.Is(err, unix.EINPROGRESS) {
		if !errors.As(err, &errno) {
			errno = unix.EIO
		}
		return errno, true
	}
	if from, err := unix.Getsockname(fd); err == nil {
		w.redirects.put(addrPort(from), to)
	}
	if err != nil {
		return unix.EINPROGRESS, true
	}
	return 0, true
}

// addressOf reads the address argument of a call. The program may change it in the meantime, so
// only this copy is used.
func addressOf(n *notice) (netip.AddrPort, bool) {
	size := n.Args[2]
	if size < 8 || size > 128 {
		return netip.AddrPort{}, false
	}
	b := make([]byte, size)
	local := unix.Iovec{Base: &b[0]}
	local.SetLen(len(b))
	got, err := unix.ProcessVMReadv(int(n.PID), []unix.Iovec{local}, []unix.RemoteIovec{{Base: uintptr(n.Args[1]), Len: len(b)}}, 0)
	runtime.KeepAlive(b)
	if err != nil || got != len(b) {
		return netip.AddrPort{}, false
	}
	port := uint16(b[2])<<8 | uint16(b[3])
	switch family := *(*uint16)(unsafe.Pointer(&b[0])); {
	case family == unix.AF_INET && size >= unix.SizeofSockaddrInet4:
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte(b[4:8])), port), true
	case family == unix.AF_INET6 && size >= unix.SizeofSockaddrInet6-4: // the scope is optional
		return netip.AddrPortFrom(netip.AddrFrom16([16]byte(b[8:24])).Unmap(), port), true
	}
	return netip.AddrPort{}, false
}

// fetch returns the socket argument of a call.
func fetch(n *notice) (int, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", n.PID))
	if err != nil {
		return 0, err
	}
	_, rest, _ := bytes.Cut(status, []byte("\nTgid:\t"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	pid, err := strconv.Atoi(string(line))
	if err != nil {
		return 0, err
	}
	process, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return 0, err
	}
	defer func() { _ = unix.Close(process) }()
	return unix.PidfdGetfd(process, int(int32(n.Args[0])), 0)
}

// addrPort returns a socket's address.
func addrPort(sa unix.Sockaddr) netip.AddrPort {
	switch a := sa.(type) {
	case *unix.SockaddrInet4:
		return netip.AddrPortFrom(netip.AddrFrom4(a.Addr), uint16(a.Port))
	case *unix.SockaddrInet6:
		return netip.AddrPortFrom(netip.AddrFrom16(a.Addr).Unmap(), uint16(a.Port))
	}
	return netip.AddrPort{}
}

// callNames names the calls that are refused and reported.
var callNames = map[int32]string{
	unix.SYS_MOUNT: "mount", unix.SYS_UMOUNT2: "umount", unix.SYS_PIVOT_ROOT: "pivot_root", unix.SYS_CHROOT: "chroot", unix.SYS_MOVE_MOUNT: "move_mount", unix.SYS_OPEN_TREE: "open_tree",
	unix.SYS_FSOPEN: "fsopen", unix.SYS_FSCONFIG: "fsconfig", unix.SYS_FSMOUNT: "fsmount", unix.SYS_FSPICK: "fspick", unix.SYS_MOUNT_SETATTR: "mount_setattr",
	unix.SYS_SETNS: "setns", unix.SYS_UNSHARE: "unshare", unix.SYS_CLONE: "a new namespace",
	unix.SYS_PTRACE: "ptrace", unix.SYS_PROCESS_VM_READV: "process_vm_readv", unix.SYS_PROCESS_VM_WRITEV: "process_vm_writev", unix.SYS_PIDFD_GETFD: "pidfd_getfd",
	unix.SYS_ADD_KEY: "add_key", unix.SYS_REQUEST_KEY: "request_key", unix.SYS_KEYCTL: "keyctl", unix.SYS_BPF: "bpf", unix.SYS_PERF_EVENT_OPEN: "perf_event_open",
	unix.SYS_INIT_MODULE: "init_module", unix.SYS_FINIT_MODULE: "finit_module", unix.SYS_DELETE_MODULE: "delete_module", unix.SYS_KEXEC_LOAD: "kexec_load", unix.SYS_KEXEC_FILE_LOAD: "kexec_file_load", unix.SYS_REBOOT: "reboot",
	unix.SYS_SWAPON: "swapon", unix.SYS_SWAPOFF: "swapoff", unix.SYS_ACCT: "acct", unix.SYS_SYSLOG: "syslog", unix.SYS_OPEN_BY_HANDLE_AT: "open_by_handle_at", unix.SYS_FANOTIFY_INIT: "fanotify_init",
	unix.SYS_SETTIMEOFDAY: "settimeofday", unix.SYS_CLOCK_SETTIME: "clock_settime", unix.SYS_CLOCK_ADJTIME: "clock_adjtime", unix.SYS_ADJTIMEX: "adjtimex", unix.SYS_SETHOSTNAME: "sethostname", unix.SYS_SETDOMAINNAME: "setdomainname",
	unix.SYS_IOCTL: "typing into the terminal", unix.SYS_SENDTO: "sending without connecting", unix.SYS_SENDMSG: "sending without connecting", unix.SYS_SENDMMSG: "sending without connecting",
}

func callName(n *notice) string {
	switch n.Call {
	case unix.SYS_SOCKET:
		return fmt.Sprintf("socket of family %d, type %d, protocol %d", int32(n.Args[0]), int32(n.Args[1])&0xf, int32(n.Args[2]))
	case unix.SYS_SOCKETPAIR:
		return fmt.Sprintf("pair of sockets of family %d", int32(n.Args[0]))
	case unix.SYS_IOCTL:
		if uint32(n.Args[1]) == unix.TIOCSETD {
			return "changing how the terminal's lines are read"
		}
	}
	if name := callNames[n.Call]; name != "" {
		return name
	}
	return fmt.Sprintf("call %d", n.Call)
}
