//go:build linux && amd64

package faultos

import (
	"bytes"
	"encoding/json"
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

	"golang.org/x/sys/unix"

	"github.com/umpire-dev/umpire/internal/seccomp"
)

// program is the traced program, with its threads and children.
type program struct {
	leader int
	self   os.FileInfo // the file of the program
	ended  chan struct{}
	status int
	err    error
	known  map[int]bool // threads that have started

	mu sync.Mutex // guards what follows
	Fault
	begun bool // the program is there, and not its stage
	at    int
	what  string
	full  bool // the disk is full from now on
	torn  int  // the thread that writes half, and is killed then
}

const options = unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_TRACEFORK | unix.PTRACE_O_TRACEVFORK | unix.PTRACE_O_TRACEEXEC | unix.PTRACE_O_EXITKILL | unix.PTRACE_O_TRACESECCOMP

const variable = "UMPIRE_TEST_FAULTOS"

// stage is what the test binary does before the program runs: its filter lets the program stop at the
// calls that may fail, and at no other. A stop costs more than most calls.
type stage struct {
	Calls Calls
	Args  []string // the program that takes its place; none if the test binary is the program
}

func init() {
	text, ok := os.LookupEnv(variable)
	if !ok {
		return
	}
	var s stage
	err := errors.Join(os.Unsetenv(variable), json.Unmarshal([]byte(text), &s))
	if err == nil {
		err = s.Calls.stop()
	}
	if err == nil && len(s.Args) > 0 {
		err = syscall.Exec(s.Args[0], s.Args, os.Environ())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "faultos:", err)
		os.Exit(1)
	}
}

// stop lets this process and its children stop at these calls.
func (c Calls) stop() error {
	f := seccomp.New()
	f.Calls(unix.SECCOMP_RET_TRACE, c.numbers()...)
	f.Return(seccomp.Allow)
	_, err := f.Install(unix.SECCOMP_FILTER_FLAG_TSYNC)
	if errors.Is(err, unix.EACCES) { // without a capability, and only then: a box sets it itself
		if err = unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err == nil {
			_, err = f.Install(unix.SECCOMP_FILTER_FLAG_TSYNC)
		}
	}
	return err
}

// start starts a command and traces it.
func start(c *exec.Cmd, f Fault) (*program, error) {
	p := &program{Fault: f, known: map[int]bool{}, ended: make(chan struct{})}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	own, err := os.Stat(self)
	if err != nil {
		return nil, err
	}
	if p.self, err = os.Stat(c.Path); err != nil {
		return nil, err
	}
	s := stage{Calls: f.Calls}
	if p.begun = os.SameFile(own, p.self); !p.begun {
		s.Args = append([]string{c.Path}, c.Args[1:]...)
		c.Path, c.Args = self, []string{self}
	}
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	c.Env = append(c.Environ(), variable+"="+string(text))
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
		if err == nil {
			p.leader = c.Process.Pid
		}
		started <- err
		if err == nil {
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
	p.known[p.leader] = true
	if err := unix.PtraceCont(p.leader, 0); err != nil {
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
		switch sig, cause := status.StopSignal(), status.TrapCause(); {
		case cause == unix.PTRACE_EVENT_SECCOMP:
			err := p.stopped(tid)
			if errors.Is(err, errHangs) {
				continue // leave its thread stopped until the program ends
			}
			if err != nil && !errors.Is(err, unix.ESRCH) {
				return err
			}
		case sig == unix.SIGTRAP|0x80: // half is written
			if err := unix.Kill(p.leader, unix.SIGKILL); err != nil {
				return err
			}
		case cause == unix.PTRACE_EVENT_EXEC:
			p.begin()
		case cause > 0: // a new thread or child
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

var errHangs = errors.New("the call never returns")

// resume continues a thread, up to its next call that may fail.
func (p *program) resume(tid, sig int) error {
	if tid == p.torn { // to the end of its call
		return unix.PtraceSyscall(tid, sig)
	}
	return unix.PtraceCont(tid, sig)
}

// begin counts calls from now on.
func (p *program) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begun = true
}

// stopped handles a thread that enters a call. A call whose number becomes -1 is not made.
func (p *program) stopped(tid int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var regs unix.PtraceRegs
	if err := unix.PtraceGetRegs(tid, &regs); err != nil || !p.begun {
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
		p.torn = tid
	case Full:
		p.full = true
		fail(&regs, unix.ENOSPC)
	default:
		errno := unix.EIO
		if p.Calls == Box {
			errno = unix.EPERM
		}
		fail(&regs, errno)
	}
	return unix.PtraceSetRegs(tid, &regs)
}

// fail makes the call that a thread enters return an error.
func fail(regs *unix.PtraceRegs, errno unix.Errno) {
	regs.Orig_rax = ^uint64(0)
	regs.Rax = uint64(-int64(errno)) //nolint:gosec // as the kernel returns it
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
