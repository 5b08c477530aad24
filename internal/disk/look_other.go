//go:build !linux && !windows

package disk

import (
	"os"
	"syscall"
)

func lstat(abs string) Info {
	fi, err := os.Lstat(abs)
	if err != nil {
		return Info{}
	}
	return infoOf(fi)
}

// local returns false for every device: the mount list is checked at every mount point.
func local(uint64) bool { return false }

func device(dir string) (uint64, bool) {
	fi, err := os.Stat(dir)
	if err != nil {
		return 0, false
	}
	i := infoOf(fi)
	return i.ID.Dev, true
}

func open(abs string) (*os.File, error) {
	return os.OpenFile(abs, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0)
}

func infoOf(fi os.FileInfo) Info {
	i := Info{Kind: kindOf(fi.Mode()), Mode: uint32(fi.Mode().Perm()), Size: fi.Size(), Change: fi.ModTime().UnixNano(), Time: fi.ModTime().UnixNano()}
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		i.Born = born(st)
		i.ID, i.Links = ID{uint64(st.Dev), uint64(st.Ino)}, uint64(st.Nlink)
	}
	return i
}

func slashed(target string) string { return target }
