package main

import "syscall"

// ownGroup keeps a child out of the terminal's signals.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
