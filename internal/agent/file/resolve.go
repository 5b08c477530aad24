package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// maxLinks limits the links in a path, as kernels do.
const maxLinks = 40

// Resolve returns the target of a path: absolute, clean, and without links. A relative path begins
// at dir. The last elements need not exist.
func Resolve(dir, path string) (string, error) {
	if path == "" {
		return "", errors.New("the path is empty")
	}
	if strings.ContainsRune(path, 0) {
		return "", errors.New("the path contains a zero byte")
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("%s and the working directory are not absolute", path)
	}
	path = filepath.Clean(path)
	const sep = string(filepath.Separator)
	top := filepath.VolumeName(path) + sep
	done, rest := top, strings.Split(path[len(top):], sep)
	for links := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			done = filepath.Dir(done)
			continue
		}
		next := filepath.Join(done, name)
		fi, err := os.Lstat(next)
		if errors.Is(err, fs.ErrNotExist) {
			return filepath.Join(append([]string{next}, rest...)...), nil
		}
		if errors.Is(err, syscall.ENOTDIR) {
			return "", fmt.Errorf("%s is not a folder", done)
		}
		if err != nil {
			return "", err
		}
		if fi.Mode()&fs.ModeSymlink == 0 {
			done = next
			continue
		}
		if links++; links > maxLinks {
			return "", fmt.Errorf("%s: its path has more than %d links", path, maxLinks)
		}
		to, err := os.Readlink(next)
		if err != nil {
			return "", err
		}
		if filepath.IsAbs(to) {
			top = filepath.VolumeName(to) + sep
			done, to = top, filepath.Clean(to)[len(top):]
		}
		rest = append(strings.Split(to, sep), rest...)
	}
	return done, nil
}

// Within reports whether a resolved path is one of the places or below one. It compares names as
// the file system does, and ignores case, so that another spelling does not bypass it.
func Within(path string, places []string) bool {
	for _, p := range places {
		real, err := Resolve("", p)
		if err != nil {
			real = filepath.Clean(p)
		}
		if below(path, real) {
			return true
		}
		at, err := os.Stat(real)
		if err != nil {
			continue // a missing file has no other name
		}
		for dir := path; ; dir = filepath.Dir(dir) {
			if fi, err := os.Stat(dir); err == nil && os.SameFile(fi, at) {
				return true
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return false
}

func below(path, dir string) bool {
	const sep = string(filepath.Separator)
	dir = strings.TrimSuffix(dir, sep) + sep
	path += sep
	return len(path) >= len(dir) && strings.EqualFold(path[:len(dir)], dir)
}
