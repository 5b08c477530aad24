package disk

import (
	"bytes"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/umpire-dev/umpire/internal/anyof"
)

// lstat returns only what the kernel already knows: it contacts no server or FUSE program, and
// mounts nothing.
func lstat(abs string) Info {
	var x unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, abs, unix.AT_SYMLINK_NOFOLLOW|unix.AT_NO_AUTOMOUNT|unix.AT_STATX_DONT_SYNC, unix.STATX_BASIC_STATS|unix.STATX_BTIME, &x)
	if err != nil {
		if err == unix.ENOSYS || err == unix.EPERM { // an old kernel, or a filter of system calls
			if st, err := os.Lstat(abs); err == nil {
				return infoOf(st)
			}
		}
		return Info{}
	}
	born := int64(0)
	if x.Mask&unix.STATX_BTIME != 0 {
		born = x.Btime.Sec*1e9 + int64(x.Btime.Nsec)
	}
	return Info{
		Born: born, Kind: kindOfMode(uint32(x.Mode)), ID: ID{unix.Mkdev(x.Dev_major, x.Dev_minor), x.Ino}, Links: uint64(x.Nlink), Mode: uint32(x.Mode) & 0o7777,
		Size: int64(x.Size), Change: x.Ctime.Sec*1e9 + int64(x.Ctime.Nsec), Time: x.Mtime.Sec*1e9 + int64(x.Mtime.Nsec),
	}
}

// local reports whether a device is a disk. File systems without one have the major number zero:
// network file systems, and many others.
func local(dev uint64) bool { return unix.Major(dev) != 0 }

// device returns the device of a folder, through links.
func device(dir string) (uint64, bool) {
	var x unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, dir, unix.AT_NO_AUTOMOUNT|unix.AT_STATX_DONT_SYNC, unix.STATX_TYPE, &x)
	return unix.Mkdev(x.Dev_major, x.Dev_minor), err == nil
}

// mounts lists the mount points that are never touched.
func mounts() (list []string) {
	f, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return nil
	}
	defer f.Close()
	buf := make([]byte, 256<<10)
	n := 0
	for n < len(buf) {
		m, err := f.Read(buf[n:])
		if n += m; err != nil || m == 0 {
			break
		}
	}
	for line := range bytes.Lines(buf[:n]) {
		fields := bytes.Fields(line)
		i := 6
		for i < len(fields) && string(fields[i]) != "-" {
			i++
		}
		if i+1 < len(fields) && remote(string(fields[i+1])) {
			list = append(list, strings.NewReplacer(`\040`, " ", `\011`, "\t", `\134`, `\`).Replace(string(fields[4])))
		}
	}
	return list
}

// remote reports whether a type of file system asks another party: a server, or a program.
func remote(kind string) bool {
	kind, _, _ = strings.Cut(kind, ".") // fuse.sshfs
	return anyof.Equal(kind, "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "coda", "ncpfs", "lustre", "glusterfs", "beegfs", "gpfs", "orangefs", "ocfs2", "davfs",
		"fuse", "fuseblk", "autofs", "proc", "sysfs", "devpts", "cgroup", "cgroup2", "debugfs", "tracefs", "securityfs", "bpf", "configfs", "mqueue")
}

func open(abs string) (*os.File, error) {
	return os.OpenFile(abs, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0)
}

func infoOf(fi os.FileInfo) Info {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return Info{Kind: kindOf(fi.Mode()), Size: fi.Size()}
	}
	return Info{
		Kind: kindOfMode(st.Mode), ID: ID{uint64(st.Dev), st.Ino}, Links: uint64(st.Nlink), Mode: st.Mode & 0o7777, //nolint:unconvert // narrower on some systems
		Size: st.Size, Change: st.Ctim.Nano(), Time: st.Mtim.Nano(),
	}
}

func kindOfMode(mode uint32) Kind {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return Regular
	case unix.S_IFDIR:
		return Folder
	case unix.S_IFLNK:
		return Link
	}
	return Other
}

func slashed(target string) string { return target }
