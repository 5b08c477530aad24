//go:build !linux

package host

import "os/exec"

// Supervise does nothing where processes cannot be made to keep their descendants: those
// of a command that leave its session are not found.
func Supervise() {}

// Supervised has a command run in a session of its own.
func Supervised(cmd *exec.Cmd) { contain(cmd) }
