package disk

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

func lstat(abs string) Info {
	if len(abs) < 3 || abs[1] != ':' {
		return Info{}
	}
	fi, err := os.Lstat(filepath.FromSlash(abs))
	if err != nil {
		return Info{}
	}
	i := infoOf(fi)
	if i.Kind == Link { // an irregular file that is no junction is none
		if _, err := os.Readlink(filepath.FromSlash(abs)); err != nil {
			i.Kind = Other
		}
	}
	return i
}

// local holds for every folder: enters is asked for by drives, which mounts lists.
func local(uint64) bool { return true }

func device(string) (uint64, bool) { return 0, false }

// mounts lists the drives that are shares of the network.
func mounts() (list []string) {
	for c := 'A'; c <= 'Z'; c++ {
		root, err := windows.UTF16PtrFromString(string(c) + `:\`)
		if err == nil && windows.GetDriveType(root) == windows.DRIVE_REMOTE {
			list = append(list, string(c)+":", strings.ToLower(string(c))+":")
		}
	}
	return list
}

func open(abs string) (*os.File, error) { return os.Open(filepath.FromSlash(abs)) }

func infoOf(fi os.FileInfo) Info {
	return Info{Kind: kindOf(fi.Mode()), Links: 1, Mode: uint32(fi.Mode().Perm()), Size: fi.Size(), Change: fi.ModTime().UnixNano(), Time: fi.ModTime().UnixNano()}
}

// slashed writes a link's target as paths are written here, without the prefix of
// Windows' own namespace.
func slashed(target string) string {
	return strings.TrimPrefix(strings.TrimPrefix(filepath.ToSlash(target), "//?/"), "/??/")
}
