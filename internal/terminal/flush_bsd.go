//go:build unix && !linux && !solaris && !aix

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// flush discards typed input that was not read yet.
func flush(f *os.File) { _ = unix.IoctlSetPointerInt(int(f.Fd()), unix.TIOCFLUSH, 1) } // FREAD
