package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// flush discards typed input that was not read yet.
func flush(f *os.File) { _ = unix.IoctlSetInt(int(f.Fd()), unix.TCFLSH, unix.TCIFLUSH) }
