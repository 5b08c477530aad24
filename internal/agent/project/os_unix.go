//go:build unix

package project

import "syscall"

const nonBlock = syscall.O_NONBLOCK
