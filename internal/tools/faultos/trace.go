//go:build linux && amd64

package faultos

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// program is the traced program, with its threads and children.
type program struct {
	order
	at      int
	what    string
	full    bool            // the disk is full from now on
	self    os.FileInfo     // the file of the program
	pending map[int]outcome // threads in a call that must fail
	known   map[int]bool    // threads that have started
}

// outcome is the result of a call that was not made, or was cut short.
type outcome struct {
	errno unix.Errno // 0: the kernel's result
	kill  bool       // the program ends here
}

// A suppressed call becomes getpid(2): the program's filter permits it, but would kill the program
// for an invalid call.
const options = unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_TRACEFORK | unix.PTRACE_O_TRACEVFORK | unix.PTRACE_O_TRACEEXEC | unix.PTRACE_O_EXITKILL

// trace runs a program to its end. It kills processes that the program leaves behind.
func trace(o order) (ProgramResult, error) {
	runtime.LockOSThread() // the tracer of a thread is a thread
	p := &program{order: o, pending: map[int]outcome{}, known: map[int]bool{}}
	process, err := os.StartProcess(o.Args[0], o.Args, &os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}, Sys: &syscall.SysProcAttr{Ptrace: true}})
	if err != nil {
		return ProgramResult{}, err
	}
	leader := process.Pid
	var status unix.WaitStatus
	if _, err := unix.Wait4(leader, &status, 0, nil); err != nil {
		return ProgramResult{}, err
	}
	if err := unix.PtraceSetOptions(leader, options); err != nil {
		return ProgramResult{}, err
	}
	if p.self, err = os.Stat(fmt.Sprintf("/proc/%d/exe", leader)); err != nil {
		return ProgramResult{}, err
	}
	p.known[leader] = true
	if err := unix.PtraceSyscall(leader, 0); err != nil {
		return ProgramResult{}, err
	}
	for {
		tid, err := unix.Wait4(-1, &status, unix.WALL, nil)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return ProgramResult{}, err
		case status.Exited() && tid == leader:
			return ProgramResult{p.what, status.ExitStatus()}, nil
		case status.Signaled() && tid == leader:
			return ProgramResult{p.what, -1}, nil
		case !status.Stopped():
			continue
		}
		deliver := 0
		switch sig := status.StopSignal(); {
		case sig == unix.SIGTRAP|0x80:
			err := p.stopped(tid, leader)
			if errors.Is(err, errHangs) {
				continue // leave its thread stopped until the program ends
			}
			if err != nil && !errors.Is(err, unix.ESRCH) {
				return ProgramResult{}, err
			}
		case sig == unix.SIGTRAP && status.TrapCause() > 0: // a new thread, child or program
		case sig == unix.SIGSTOP && !p.known[tid]:
		default:
			deliver = int(sig)
		}
		p.known[tid] = true
		if err := p.resume(tid, deliver); err != nil && !errors.Is(err, unix.ESRCH) { // it was killed
			return ProgramResult{}, err
		}
	}
}

var errHangs = errors.New("the call never returns")

// resume continues a thread, up to its next call if one may still fail.
func (p *program) resume(tid, sig int) error {
	if _, ok := p.pending[tid]; !ok && p.at >= p.Nth && p.Mode == Fail {
		return unix.PtraceCont(tid, sig)
	}
	return unix.PtraceSyscall(tid, sig)
}

// stopped handles a thread that enters a call, or leaves one.
func (p *program) stopped(tid, leader int) error {
	var regs unix.PtraceRegs
	if out, ok := p.pending[tid]; ok {
		delete(p.pending, tid)
		if out.kill {
			return unix.Kill(leader, unix.SIGKILL)
		}
		if err := unix.PtraceGetRegs(tid, &regs); err != nil {
			return err
		}
		regs.Rax = uint64(-int64(out.errno)) //nolint:gosec // as the kernel returns it
		return unix.PtraceSetRegs(tid, &regs)
	}
	entering, err := enters(tid)
	if err != nil || !entering {
		return err
	}
	if err := unix.PtraceGetRegs(tid, &regs); err != nil {
		return err
	}
	what, c, ok := p.counted(tid, regs.Orig_rax, [6]uint64{regs.Rdi, regs.Rsi, regs.Rdx, regs.R10, regs.R8, regs.R9})
	if !ok || p.Mode == Full && !c.space || p.Mode == Torn && c.count == 0 {
		return nil
	}
	if exe, err := os.Stat(fmt.Sprintf("/proc/%d/exe", tid)); p.Own && (err != nil || !os.SameFile(exe, p.self)) {
		return nil //nolint:nilerr // a process that is gone is not the program
	}
	if p.at++; p.at != p.Nth && !p.full {
		return nil
	}
	if p.at == p.Nth {
		p.what = what
	}
	switch p.Mode {
	case Hang:
		return errHangs
	case Kill:
		return unix.Kill(leader, unix.SIGKILL)
	case Torn:
		regs.Rdx /= 2
		p.pending[tid] = outcome{kill: true}
	case Full:
		p.full = true
		regs.Orig_rax = unix.SYS_GETPID
		p.pending[tid] = outcome{errno: unix.ENOSPC}
	default:
		regs.Orig_rax = unix.SYS_GETPID
		errno := unix.EIO
		if p.Calls == Box {
			errno = unix.EPERM
		}
		p.pending[tid] = outcome{errno: errno}
	}
	return unix.PtraceSetRegs(tid, &regs)
}

// enters reports whether a thread enters a call, and does not leave one.
func enters(tid int) (bool, error) {
	var info [88]byte                                                                                                                                   // struct ptrace_syscall_info
	_, _, errno := unix.Syscall6(unix.SYS_PTRACE, unix.PTRACE_GET_SYSCALL_INFO, uintptr(tid), uintptr(len(info)), uintptr(unsafe.Pointer(&info)), 0, 0) //nolint:gosec // the kernel fills it
	if errno != 0 {
		return false, errno
	}
	return info[0] == unix.PTRACE_SYSCALL_INFO_ENTRY, nil
}

// file returns the file that a call names, as seen from the root.
func (p *program) file(tid, folder, path int, args [6]uint64) (string, bool) {
	process := "/proc/" + strconv.Itoa(tid)
	base := process + "/cwd"
	if folder >= 0 {
		if fd := int32(args[folder]); fd != unix.AT_FDCWD { //nolint:gosec // a descriptor is an int
			base = fmt.Sprintf("%s/fd/%d", process, fd)
		}
	}
	name := ""
	if path >= 0 {
		if name = text(tid, uintptr(args[path])); filepath.IsAbs(name) {
			return p.below(name)
		}
	}
	dir, err := os.Readlink(base)
	if err != nil {
		return "", false
	}
	return p.below(filepath.Join(dir, name))
}

// text reads a string of a thread's memory.
func text(tid int, at uintptr) string {
	var out []byte
	var part [64]byte
	for len(out) < unix.PathMax {
		n, err := unix.PtracePeekData(tid, at+uintptr(len(out)), part[:])
		if end := bytes.IndexByte(part[:n], 0); end >= 0 {
			return string(append(out, part[:end]...))
		}
		if out = append(out, part[:n]...); err != nil {
			break
		}
	}
	return string(out)
}
