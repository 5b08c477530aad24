//go:build !windows

package procgroup

import "syscall"

// ownGroup starts a child in a process group of its own, outside the terminal's.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
