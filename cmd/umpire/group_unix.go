//go:build !windows

package main

import "syscall"

// ownGroup keeps a child out of the terminal's signals.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
