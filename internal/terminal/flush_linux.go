package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// flush forgets what was typed and not yet read.
func flush(f *os.File) { _ = unix.IoctlSetInt(int(f.Fd()), unix.TCFLSH, unix.TCIFLUSH) }
