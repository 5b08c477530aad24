// Package procgroup ends programs with all their children, and starts children that end with
// this program.
package procgroup

import (
	"os"
	"syscall"
)

// ExitStatus returns the exit status of a process in the shell's convention: 128 and the signal, if a
// signal ended it.
func ExitStatus(s *os.ProcessState) int {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return s.ExitCode()
}
