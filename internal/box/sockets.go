package box

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

const (
	socketFolder = "umpire-run-"
	// settled is the time after which the sockets of a new folder surely have listeners.
	settled = time.Minute
)

// newSockets creates a folder for a run's sockets, and removes those of killed runs. Their paths
// are short: a home folder may be too deep for a socket.
func newSockets() (string, error) {
	old, err := filepath.Glob(filepath.Join(os.TempDir(), socketFolder+"*"))
	if err != nil {
		return "", err
	}
	for _, dir := range old {
		dropSockets(dir)
	}
	return os.MkdirTemp("", socketFolder)
}

// dropSockets removes a folder of sockets without listeners. It keeps other files in it, and
// folders of other users: any user may create a folder of that name.
func dropSockets(dir string) {
	fi, err := os.Lstat(dir)
	if err != nil || !fi.IsDir() || time.Since(fi.ModTime()) < settled {
		return
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return
	}
	defer func() { _ = root.Close() }()
	if now, err := root.Stat("."); err != nil || !os.SameFile(fi, now) {
		return
	}
	for _, inside := range []string{InsideAPI, InsideProxy} {
		_, port, _ := net.SplitHostPort(inside)
		if fi, err := root.Lstat(port); errors.Is(err, os.ErrNotExist) {
			continue
		} else if err != nil || fi.Mode().Type() != os.ModeSocket {
			return
		}
		c, err := net.DialTimeout("unix", filepath.Join(dir, port), time.Second) //nolint:noctx // it has a deadline
		if err == nil {
			_ = c.Close()
			return
		}
		if !errors.Is(err, syscall.ECONNREFUSED) || root.Remove(port) != nil {
			return
		}
	}
	_ = os.Remove(dir) // fails if it is not empty
}
