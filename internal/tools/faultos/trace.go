//go:build linux && amd64

package faultos

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// program is the traced program, with its threads and children.
type program struct {
	worker bool // meets one fault after the other
	leader int
	self   os.FileInfo // the file of the program
	ended  chan struct{}
	status int
	err    error
	known  map[int]bool // threads that have started

	mu sync.Mutex // guards what follows
	Fault
	at      int
	what    string
	full    bool            // the disk is full from now on
	pending map[int]outcome // threads in a call that must fail
}

// outcome is the result of a call that was not made, or was cut short.
type outcome struct {
	errno unix.Errno // 0: the kernel's result
	kill  bool       // the program ends here
}

// A suppressed call becomes getpid(2): the program's filter permits it, but would kill the program
// for an invalid call.
const options = unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_TRACEFORK | unix.PTRACE_O_TRACEVFORK | unix.PTRACE_O_TRACEEXEC | unix.PTRACE_O_EXITKILL

// start starts a command and traces it. A worker meets faults that arm sets.
func start(c *exec.Cmd, f Fault, worker bool) (*program, error) {
	p := &program{Fault: f, worker: worker, pending: map[int]outcome{}, known: map[int]bool{}, ended: make(chan struct{})}
	if c.SysProcAttr == nil {
		c.SysProcAttr = &syscall.SysProcAttr{}
	}
	c.SysProcAttr.Ptrace = true
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // the tracer of a thread is a thread
		defer runtime.UnlockOSThread()
		defer close(p.ended)
		err := c.Start()
		started <- err
		if err != nil {
			return
		}
		if p.leader = c.Process.Pid; p.err == nil {
			p.err = errors.Join(p.follow(), p.killRest())
		}
	}()
	return p, <-started
}

// end waits for the end of the program.
func (p *program) end(t *testing.T, c *exec.Cmd) ProgramResult {
	t.Helper()
	<-p.ended
	if err := c.Wait(); p.err != nil || err != nil && !errors.Is(err, unix.ECHILD) { // the tracer has waited
		t.Fatalf("trace %q: %v, %v", c.Args, p.err, err)
	}
	return ProgramResult{p.disarm(), p.status}
}

// arm sets the next fault of a program that runs.
func (p *program) arm(f Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Fault, p.at, p.what, p.full = f, 0, "", false
}

// disarm lets all calls through from now on, and returns the call that was failed.
func (p *program) disarm() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Fault, p.full = Fault{}, false
	return p.what
}

// wait waits for one of the threads that this thread traces. Other children of the test process are
// not its own.
func wait(status *unix.WaitStatus) (tid int, err error) {
	for {
		if tid, err = unix.Wait4(-1, status, unix.WALL|unix.WNOTHREAD, nil); !errors.Is(err, unix.EINTR) {
			return tid, err
		}
	}
}

// killRest kills what the program leaves behind.
func (p *program) killRest() error {
	for tid := range p.known {
		_ = unix.Kill(tid, unix.SIGKILL) // it may have ended
	}
	for {
		var status unix.WaitStatus
		tid, err := wait(&status)
		switch {
		case errors.Is(err, unix.ECHILD):
			return nil
		case err != nil:
			return err
		case status.Stopped():
			_ = unix.Kill(tid, unix.SIGKILL) // it is new
		}
	}
}

// follow traces the program to its end.
func (p *program) follow() error {
	var status unix.WaitStatus
	if _, err := wait(&status); err != nil {
		return err
	}
	if err := unix.PtraceSetOptions(p.leader, options); err != nil {
		return err
	}
	var err error
	if p.self, err = os.Stat(fmt.Sprintf("/proc/%d/exe", p.leader)); err != nil {
		return err
	}
	p.known[p.leader] = true
	if err := unix.PtraceSyscall(p.leader, 0); err != nil {
		return err
	}
	for {
		tid, err := wait(&status)
		switch {
		case err != nil:
			return err
		case status.Exited() && tid == p.leader:
			p.status = status.ExitStatus()
			return nil
		case status.Signaled() && tid == p.leader:
			p.status = -1
			return nil
		case !status.Stopped():
			delete(p.known, tid)
			continue
		}
		deliver := 0
		switch sig := status.StopSignal(); {
		case sig == unix.SIGTRAP|0x80:
			err := p.stopped(tid)
			if errors.Is(err, errHangs) {
				continue // leave its thread stopped until the program ends
			}
			if err != nil && !errors.Is(err, unix.ESRCH) {
				return err
			}
		case sig == unix.SIGTRAP && status.TrapCause() > 0: // a new thread, child or program
		case sig == unix.SIGSTOP && !p.known[tid]:
		default:
			deliver = int(sig)
		}
		p.known[tid] = true
		if err := p.resume(tid, deliver); err != nil && !errors.Is(err, unix.ESRCH) { // it was killed
			return err
		}
	}
}

// resume continues a thread, up to its next call if one may still fail.
func (p *program) resume(tid, sig int) error {
	if _, ok := p.pending[tid]; !ok && !p.worker && p.at >= p.Nth && (p.Nth == 0 || p.Mode == Fail) {
		return unix.PtraceCont(tid, sig)
	}
	return unix.PtraceSyscall(tid, sig)
}

var errHangs = errors.New("the call never returns")

// stopped handles a thread that enters a call, or leaves one.
func (p *program) stopped(tid int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var regs unix.PtraceRegs
	if out, ok := p.pending[tid]; ok {
		delete(p.pending, tid)
		if out.kill {
			return unix.Kill(p.leader, unix.SIGKILL)
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
		return unix.Kill(p.leader, unix.SIGKILL)
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
