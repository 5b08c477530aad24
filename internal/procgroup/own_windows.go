package procgroup

import "syscall"

// ownGroup starts a child in a separate process group, outside the terminal's.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
