// Package seccomp builds filters of system calls, for the kernel to run at each call (Linux,
// seccomp(2)).
package seccomp
