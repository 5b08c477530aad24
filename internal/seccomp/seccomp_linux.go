//go:build amd64 || arm64

package seccomp

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Verdicts of a filter on a system call.
const (
	Allow  = unix.SECCOMP_RET_ALLOW
	Kill   = unix.SECCOMP_RET_KILL_PROCESS
	Notify = unix.SECCOMP_RET_USER_NOTIF // the listener decides
)

// Fail makes a call fail with an error.
func Fail(e unix.Errno) uint32 { return unix.SECCOMP_RET_ERRNO | uint32(e) }

// Filter is a BPF program. The jumps of its steps are numbers of skipped steps.
type Filter struct{ steps []unix.SockFilter }

// New begins a filter that kills a process that makes a call of another architecture, where the
// numbers mean other calls. The number of the call is loaded.
func New() *Filter {
	f := new(Filter)
	f.load(4)
	f.Equal(auditArch, 1, 0)
	f.Return(Kill)
	f.load(0)
	if runtime.GOARCH == "amd64" { // x32 has the same architecture, and a bit set
		f.Set(0x40000000, 0, 1)
		f.Return(Kill)
	}
	return f
}

func (f *Filter) step(code uint16, k uint32, yes, no uint8) {
	f.steps = append(f.steps, unix.SockFilter{Code: code, Jt: yes, Jf: no, K: k})
}

func (f *Filter) load(at uint32) { f.step(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, at, 0, 0) }

// Arg loads the lower 32 bits of an argument, which replaces the call number.
func (f *Filter) Arg(n uint32) { f.load(16 + 8*n) }

// High loads the upper 32 bits of an argument. A pointer is nil if both halves are zero.
func (f *Filter) High(n uint32) { f.load(16 + 8*n + 4) }

// And masks the loaded value.
func (f *Filter) And(k uint32) { f.step(unix.BPF_ALU|unix.BPF_AND|unix.BPF_K, k, 0, 0) }

// Return ends with a verdict.
func (f *Filter) Return(verdict uint32) { f.step(unix.BPF_RET|unix.BPF_K, verdict, 0, 0) }

// Equal compares the loaded value.
func (f *Filter) Equal(k uint32, yes, no uint8) {
	f.step(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, k, yes, no)
}

// Set tests whether one of these bits is set in the loaded value.
func (f *Filter) Set(k uint32, yes, no uint8) {
	f.step(unix.BPF_JMP|unix.BPF_JSET|unix.BPF_K, k, yes, no)
}

// Calls gives these calls a verdict. Their number must be loaded.
func (f *Filter) Calls(verdict uint32, calls ...uint32) {
	for _, n := range calls {
		f.Equal(n, 0, 1)
		f.Return(verdict)
	}
}

// Install applies the filter to this thread, or as the flags say. It returns the kernel's
// result for the flags: a descriptor, or a thread with other filters.
func (f *Filter) Install(flags uintptr) (uintptr, error) {
	prog := unix.SockFprog{Len: uint16(len(f.steps)), Filter: &f.steps[0]} //nolint:gosec // some hundred
	got, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&prog)))
	runtime.KeepAlive(f)
	if errno != 0 {
		return 0, errno
	}
	return got, nil
}
