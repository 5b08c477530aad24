package disk

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"golang.org/x/sys/windows"
)

func lstat(abs string) Info {
	if len(abs) < 3 || abs[1] != ':' || share(abs[0]) {
		return Info{}
	}
	fi, err := os.Lstat(filepath.FromSlash(abs))
	if err != nil {
		return Info{}
	}
	i := infoOf(fi)
	if i.Kind == Link { // an irregular file that is not a junction does not count
		if _, err := os.Readlink(filepath.FromSlash(abs)); err != nil {
			i.Kind = Other
		}
	}
	return i
}

// drives caches which drives are network shares: 1 for no, 2 for yes.
var drives [26]atomic.Uint32

// share reports whether a drive is a network share, which is never touched.
func share(letter byte) bool {
	n := (letter | 0x20) - 'a'
	if n >= 26 {
		return true
	}
	if drives[n].Load() == 0 {
		root, err := windows.UTF16PtrFromString(string(letter) + `:\`)
		if err == nil && windows.GetDriveType(root) != windows.DRIVE_REMOTE {
			drives[n].Store(1)
		} else {
			drives[n].Store(2)
		}
	}
	return drives[n].Load() == 2
}

// local returns true for every folder: lstat checks the drives.
func local(uint64) bool { return true }

func device(string) (uint64, bool) { return 0, false }

func mounts() []string { return nil }

func open(abs string) (*os.File, error) { return os.Open(filepath.FromSlash(abs)) }

func infoOf(fi os.FileInfo) Info {
	return Info{Kind: kindOf(fi.Mode()), Links: 1, Mode: uint32(fi.Mode().Perm()), Size: fi.Size(), Change: fi.ModTime().UnixNano(), Time: fi.ModTime().UnixNano()}
}

// slashed writes a link's target with slashes, without the prefix of Windows' namespace.
func slashed(target string) string {
	return strings.TrimPrefix(strings.TrimPrefix(filepath.ToSlash(target), "//?/"), "/??/")
}
