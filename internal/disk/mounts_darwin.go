package disk

import (
	"syscall"

	"golang.org/x/sys/unix"
)

func born(st *syscall.Stat_t) int64 { return st.Birthtimespec.Nano() }

// mounts lists the mount points that must not be touched: those that are not local, and FUSE. The
// kernel lists them without contacting a server.
func mounts() (list []string) {
	buf := make([]unix.Statfs_t, 256)
	n, err := unix.Getfsstat(buf, unix.MNT_NOWAIT)
	if err != nil {
		return nil
	}
	for _, m := range buf[:min(n, len(buf))] {
		kind := unix.ByteSliceToString(m.Fstypename[:])
		if m.Flags&unix.MNT_LOCAL == 0 || kind == "autofs" || kind == "macfuse" || kind == "osxfuse" {
			list = append(list, unix.ByteSliceToString(m.Mntonname[:]))
		}
	}
	return list
}
