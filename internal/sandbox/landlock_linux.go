//go:build amd64 || arm64

package sandbox

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// minLandlock is the required version of Landlock's ABI: 3 also covers truncation.
const minLandlock = 3

// landlock permits writing only in the writable paths of the sandbox, whatever the mounts allow: it
// is the second layer.
func landlock(c *Config) error {
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return fmt.Errorf("this kernel does not support it: %w", errno)
	}
	if abi < minLandlock {
		return fmt.Errorf("version %d of this kernel is older than %d", abi, minLandlock)
	}
	const read = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	const write = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK | unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	attr := unix.LandlockRulesetAttr{Handled_access_fs: read | write}
	size := unsafe.Offsetof(attr.Quiet_access_fs)
	if abi >= 6 { // abstract sockets and signals to the outside
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	} else {
		size = unsafe.Offsetof(attr.Handled_access_net)
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if errno != 0 {
		return errno
	}
	set := int(fd)
	defer func() { _ = unix.Close(set) }()
	add := func(path string, access uint64) error {
		at, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
		if err != nil {
			return err
		}
		defer func() { _ = unix.Close(at) }()
		rule := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(at)}
		if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(set), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0); errno != 0 {
			return errno
		}
		return nil
	}
	if err := add("/", read); err != nil {
		return err
	}
	folders := append([]string{c.Dir, c.Home, "/tmp", "/var/tmp", "/dev/shm"}, c.Writable...)
	for _, dir := range folders {
		fi, err := os.Stat(dir)
		if err != nil {
			continue // a writable path that is not on this machine
		}
		access := uint64(read | write)
		if !fi.IsDir() {
			access = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
		}
		if err := add(dir, access); err != nil {
			return err
		}
	}
	if err := add("/dev", read|unix.LANDLOCK_ACCESS_FS_WRITE_FILE); err != nil { // existing files only
		return err
	}
	// Scripts open /dev/stderr, which may be any file, but never a folder.
	for fd := range 3 {
		var st unix.Stat_t
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
		if err != nil || unix.Fstat(fd, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFREG && st.Mode&unix.S_IFMT != unix.S_IFCHR {
			continue
		}
		access := map[int]uint64{
			unix.O_RDONLY: unix.LANDLOCK_ACCESS_FS_READ_FILE, unix.O_WRONLY: unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE,
			unix.O_RDWR: unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE,
		}[flags&unix.O_ACCMODE]
		if err := add(fmt.Sprintf("/proc/self/fd/%d", fd), access); err != nil {
			return err
		}
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(set), 0, 0); errno != 0 {
		return errno
	}
	return nil
}
