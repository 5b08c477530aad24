//go:build unix && !linux && !solaris && !aix

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// flush forgets what was typed and not yet read.
func flush(f *os.File) { _ = unix.IoctlSetPointerInt(int(f.Fd()), unix.TIOCFLUSH, 1) } // FREAD
