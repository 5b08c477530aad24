//go:build unix

package folder

import "syscall"

const nonBlock = syscall.O_NONBLOCK
