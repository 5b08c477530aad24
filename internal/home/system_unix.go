//go:build unix

package home

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// variable names the home folder.
const variable = "HOME"

// passwd is the password file. Tests link in another.
var passwd = "/etc/passwd"

// maxPasswd limits how much of it is read, in bytes.
const maxPasswd = 1 << 20

// System returns the home folder of this user in the password file, or "" if unknown. The package
// os/user would ask other services as well, and costs more to link.
func System() string {
	data := slurp(passwd)
	uid := strconv.Itoa(os.Getuid())
	for line := range strings.SplitSeq(data, "\n") {
		if f := strings.Split(line, ":"); len(f) == 7 && f[2] == uid && strings.HasPrefix(f[5], "/") && f[5] != "/" && f[5] != "/nonexistent" {
			return f[5]
		}
	}
	return ""
}

// slurp reads a file with the fewest possible system calls: every tool call of an agent pays for
// them. An unreadable file counts as empty.
func slurp(path string) string {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return ""
	}
	defer func() { _ = syscall.Close(fd) }() // opened for reading only
	b := make([]byte, 0, 8<<10)
	for len(b) < maxPasswd {
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		n, err := syscall.Read(fd, b[len(b):cap(b)])
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			break
		}
		b = b[:len(b)+n]
	}
	return string(b)
}
