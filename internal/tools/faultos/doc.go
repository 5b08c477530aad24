// Package faultos runs a program whose nth system call fails, writes half, never returns, or is
// the last before a kill. Tests run a program with n = 1, 2, 3 until it ends without a fault, and check
// each time what must hold.
//
// A thread of the test process traces the real program with ptrace(2). It works on linux/amd64 alone.
package faultos
