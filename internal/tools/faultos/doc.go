// Package faultos runs a program on a faulty operating system: its nth system call fails,
// writes half, or is the last one before a kill. Tests run a program with n = 1, 2, 3 and so
// on until it ends without a fault, and look each time at what must hold.
//
// The package traces the program with ptrace(2), so the program is the real one. It starts the
// test binary anew as the tracer: a test only has to import it. It works on linux/amd64 alone.
package faultos
