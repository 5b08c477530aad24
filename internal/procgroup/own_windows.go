package procgroup

import "syscall"

// ownGroup starts a child in a process group of its own, outside the terminal's.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
