//go:build amd64 || arm64

package cell

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Limits of a cell.
const (
	maxMemory = 768 << 20
	maxFiles  = 32
	minABI    = 3 // ABI of Landlock that also covers truncation
)

// confine sets up the isolation from the inside. The order matters: each step removes what the
// previous one needed.
func confine(s *setup, open func(string) error) (layers []Layer, err error) {
	_ = unix.Close(2) // no output to a terminal from here on
	dir := s.Dir
	try := func(name string, f func() error) {
		if slices.Contains(s.Skip, name) {
			return
		}
		l := Layer{Name: name, OK: true}
		if err := f(); err != nil {
			l.OK, l.Text = false, err.Error()
		}
		layers = append(layers, l)
	}
	try(Root, func() error {
		if !s.Own { // root would change the machine's mounts
			return errors.New("there are no namespaces")
		}
		err := enter(dir)
		if err == nil {
			dir = "/"
		}
		return err
	})
	if err := open(dir); err != nil {
		return nil, err
	}
	try(Limits, func() error { return limit(s.CPU) })
	try(Privileges, giveUp)
	try(Landlock, func() error { return landlock(dir) })
	try(Seccomp, hold)
	return layers, nil
}

// enter makes a folder the root, read-only, and detaches everything else.
func enter(dir string) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	if err := unix.Mount(dir, dir, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("show the snapshot: %w", err)
	}
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV | unix.MOUNT_ATTR_NOEXEC}
	if err := unix.MountSetattr(unix.AT_FDCWD, dir, 0, &attr); err != nil {
		return fmt.Errorf("hold the snapshot: %w", err)
	}
	if err := os.Chdir(dir); err != nil {
		return err
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("change the root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("detach the old root: %w", err)
	}
	return os.Chdir("/")
}

// limit sets resource limits, and disables core dumps and debuggers.
func limit(cpu uint64) error {
	debug.SetMemoryLimit(maxMemory / 2)
	for _, r := range []struct {
		what int
		most uint64
	}{{unix.RLIMIT_CORE, 0}, {unix.RLIMIT_FSIZE, 0}, {unix.RLIMIT_NOFILE, maxFiles}, {unix.RLIMIT_CPU, cpu}, {unix.RLIMIT_DATA, maxMemory}, {unix.RLIMIT_MEMLOCK, 0}, {unix.RLIMIT_MSGQUEUE, 0}} {
		if err := unix.Setrlimit(r.what, &unix.Rlimit{Cur: r.most, Max: r.most}); err != nil {
			return fmt.Errorf("limit %d: %w", r.what, err)
		}
	}
	return unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
}

var errThreads = errors.New("this build links C, which hides its threads: build umpire with CGO_ENABLED=0")

// all makes a system call on every thread, because privileges and layers are per thread.
func all(call uintptr, a ...uintptr) (errno syscall.Errno) {
	var v [6]uintptr
	copy(v[:], a)
	_, _, errno = syscall.AllThreadsSyscall6(call, v[0], v[1], v[2], v[3], v[4], v[5])
	return errno
}

// giveUp drops all privileges and every way to regain them.
func giveUp() error {
	if errno := all(unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1); errors.Is(errno, syscall.ENOTSUP) {
		return errThreads
	} else if errno != 0 {
		return fmt.Errorf("give up new privileges: %w", errno)
	}
	for i := uintptr(0); i <= unix.CAP_LAST_CAP; i++ {
		// Without the privilege to do so, the bounding set does not matter.
		if errno := all(unix.SYS_PRCTL, unix.PR_CAPBSET_DROP, i); errno != 0 && errno != syscall.EINVAL && errno != syscall.EPERM {
			return fmt.Errorf("bound capabilities: %w", errno)
		}
	}
	if errno := all(unix.SYS_PRCTL, unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL); errno != 0 {
		return fmt.Errorf("drop ambient capabilities: %w", errno)
	}
	head, none := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, [2]unix.CapUserData{}
	if _, _, errno := syscall.AllThreadsSyscall(unix.SYS_CAPSET, uintptr(unsafe.Pointer(&head)), uintptr(unsafe.Pointer(&none[0])), 0); errno != 0 {
		return fmt.Errorf("drop capabilities: %w", errno)
	}
	return nil
}

// landlock permits only reading files below dir.
func landlock(dir string) error {
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return fmt.Errorf("this kernel does not support it: %w", errno)
	}
	if abi < minABI {
		return fmt.Errorf("version %d of this kernel is older than %d", abi, minABI)
	}
	attr := unix.LandlockRulesetAttr{Handled_access_fs: unix.LANDLOCK_ACCESS_FS_TRUNCATE<<1 - 1} // all rights of version 3
	size := unsafe.Offsetof(attr.Handled_access_net)
	if abi >= 4 {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
		size = unsafe.Offsetof(attr.Scoped)
	}
	if abi >= 5 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if abi >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
		size = unsafe.Offsetof(attr.Quiet_access_fs)
	}
	set, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if errno != 0 {
		return errno
	}
	defer func() { _ = unix.Close(int(set)) }()
	at, err := unix.Open(dir, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(at) }()
	rule := unix.LandlockPathBeneathAttr{Allowed_access: unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR, Parent_fd: int32(at)}
	if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, set, unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0); errno != 0 {
		return errno
	}
	if errno := all(unix.SYS_LANDLOCK_RESTRICT_SELF, set); errors.Is(errno, syscall.ENOTSUP) {
		return errThreads
	} else if errno != 0 {
		return errno
	}
	return nil
}
