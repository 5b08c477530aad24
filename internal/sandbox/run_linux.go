//go:build amd64 || arm64

package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/umpire-dev/umpire/internal/doclink"
	"github.com/umpire-dev/umpire/internal/procgroup"
)

// initName is the command name of process 1. It is not for people.
const initName = "umpire-sandbox-init"

// A process that was started as process 1 of a sandbox does nothing else. This is decided in init
// and not in main, because initializing all of umpire's packages takes 3 ms, and most of them
// follow this one.
func init() {
	if len(os.Args) == 1 && os.Args[0] == initName {
		os.Exit(initBox())
	}
}

// File descriptors of the steps.
const (
	fdConfig = 3
	fdReport = 4
)

// maxConfig limits the size of an encoded Config, in bytes.
const maxConfig = 4 << 20

const setUpTime = time.Minute

// Run runs a program in a sandbox until it ends, and returns its exit status. The program has this
// process's terminal, unless its output is captured.
func Run(ctx context.Context, c Config) (status int, err error) {
	if err := c.Check(); err != nil {
		return 0, err
	}
	c.Events = c.Tell != nil
	for _, dir := range []string{c.State, c.Upper(), filepath.Join(c.State, "work"), filepath.Join(c.State, "root")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return 0, err
		}
	}
	release, err := hold(&c)
	if err != nil {
		return 0, err
	}
	defer release()
	// While process 1 starts, search the system's settings and the shown paths in parallel.
	found := make(chan search, 1)
	go func() { found <- c.search() }()
	in, config, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer in.Close()
	defer config.Close()
	report, out, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer report.Close()
	defer out.Close()
	cmd := c.command(ctx, in, out)
	if !c.captured() {
		defer passOver(os.Interrupt, syscall.SIGQUIT)()
	}
	ended := make(chan struct{})
	defer close(ended)
	if err := start(cmd, ended); err != nil {
		return 0, doclink.Wrap(fmt.Errorf("the kernel does not let this user create namespaces: %w; see `umpire doctor`", err), doclink.Sandbox)
	}
	_, _ = in.Close(), out.Close()
	stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() })
	defer stop()
	said := json.NewDecoder(report)
	if err := c.setUp(<-found, config, report, said); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if ctx.Err() != nil { // the reason: process 1 was killed before it reported that the program runs
			return 0, ctx.Err()
		}
		var not *NotRunError
		if errors.As(err, &not) {
			return 0, not
		}
		return 0, fmt.Errorf("could not set up the sandbox: %w", err)
	}
	told := make(chan struct{})
	go func() {
		defer close(told)
		c.readMessages(said)
	}()
	over := c.watch(cmd.Process.Kill)
	err = cmd.Wait()
	<-told // process 1 has ended, so this ends
	if e, ok := over(); ok {
		c.emit(e)
	}
	_ = os.Chmod(filepath.Join(c.State, "work", "work"), 0o700) // a folder of the overlay that no one could otherwise remove
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 0, err
	}
	status = procgroup.ExitStatus(cmd.ProcessState)
	if status != killed {
		for _, e := range c.failures(status) {
			c.emit(e)
		}
	}
	return status, nil
}

// killed is the status of a sandbox that was stopped at a limit, which an Event names.
const killed = 128 + int(syscall.SIGKILL)

// search is the list of files and sockets to hide.
type search struct {
	private []string
	sockets error // the search was incomplete
	err     error
}

func (c *Config) search() (s search) {
	s.private, s.sockets = c.sockets()
	for _, top := range kept {
		list, err := private(top)
		s.private, s.err = append(s.private, list...), errors.Join(s.err, err)
	}
	return s
}

// setUp sends the Config to process 1, and waits until the program has started.
func (c *Config) setUp(found search, config, report *os.File, said *json.Decoder) error {
	err := found.err
	if err == nil {
		if found.sockets != nil {
			c.emit(Event{Kind: Missing, What: "sockets", Why: found.sockets.Error(), Times: 1})
		}
		c.Private = found.private
		err = json.NewEncoder(config).Encode(c)
	}
	if err = errors.Join(err, config.Close()); err == nil {
		_ = report.SetReadDeadline(time.Now().Add(setUpTime))
		err = c.untilStarted(said)
	}
	_ = report.SetReadDeadline(time.Time{})
	return err
}

// captured reports whether the caller captures the output of the program.
func (c *Config) captured() bool { return c.Stdout != nil || c.Stderr != nil }

// command returns the first step of the sandbox: this program, started as process 1 of new
// namespaces. It reads the Config from in and reports to out. Run kills it after that.
func (c *Config) command(ctx context.Context, in, out *os.File) *exec.Cmd {
	uid, gid := os.Getuid(), os.Getgid()
	cmd := exec.CommandContext(context.WithoutCancel(ctx), "/proc/self/exe")
	cmd.Args = []string{initName}
	cmd.Env = []string{}
	cmd.Dir = "/"
	if c.captured() {
		cmd.Stdout, cmd.Stderr = c.Stdout, c.Stderr
		if c.Stdin != nil {
			cmd.Stdin = c.Stdin
		}
	} else {
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	}
	cmd.ExtraFiles = []*os.File{in, out}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}},
		// Process 1 mounts, sets up the network, answers name queries, reads the addresses of
		// connections, and limits privileges and namespaces. Overlays act with the privileges of
		// the process that mounts them.
		AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP, unix.CAP_SYS_RESOURCE, unix.CAP_SYS_PTRACE, unix.CAP_NET_RAW, unix.CAP_NET_BIND_SERVICE, unix.CAP_DAC_OVERRIDE, unix.CAP_DAC_READ_SEARCH, unix.CAP_FOWNER, unix.CAP_CHOWN, unix.CAP_FSETID},
		Pdeathsig:   syscall.SIGKILL,
		Setsid:      c.captured(), // the program must not get the terminal or its signals
	}
	return cmd
}

// message is a report of process 1: an error, the events before the start, the start of the
// program, and later events. With NotRun the sandbox was ready, and Failed is the program that
// could not start in it.
type message struct {
	Failed  string        `json:"failed,omitempty"`
	NotRun  syscall.Errno `json:"notRun,omitempty"`
	Started bool          `json:"started,omitempty"`
	Event   *Event        `json:"event,omitempty"`
}

func (c *Config) emit(e Event) {
	if c.Tell != nil {
		c.Tell(e)
	}
}

// untilStarted reads the messages of process 1 during the setup.
func (c *Config) untilStarted(said *json.Decoder) error {
	for {
		var m message
		switch err := said.Decode(&m); {
		case errors.Is(err, io.EOF):
			return errors.New("process 1 ended")
		case err != nil:
			return err
		case m.NotRun != 0:
			return &NotRunError{m.Failed, m.NotRun}
		case m.Failed != "":
			return errors.New(m.Failed)
		case m.Event != nil:
			c.emit(*m.Event)
		case m.Started:
			return nil
		}
	}
}

// readMessages reads the remaining messages to the end.
func (c *Config) readMessages(said *json.Decoder) {
	for {
		var m message
		if said.Decode(&m) != nil {
			return
		}
		if m.Event != nil {
			c.emit(*m.Event)
		}
	}
}

// start starts a command from a thread that lives as long as it, because the kernel ties the death
// signal to that thread.
func start(cmd *exec.Cmd, ended <-chan struct{}) error {
	started := make(chan error)
	go func() {
		lockThread() // never unlocked: the thread ends with this function
		started <- cmd.Start()
		<-ended
	}()
	return <-started
}

// passOver keeps this process alive when the terminal sends signals: the program handles them, and
// the sandbox ends with it. The signals are caught and not ignored, because the program would
// inherit that and could not be interrupted. A signal that stops programs also stops this one, so
// that the shell notices.
func passOver(signals ...os.Signal) (stop func()) {
	c := make(chan os.Signal, 1)
	for _, s := range signals {
		if !signal.Ignored(s) { // for example by nohup
			signal.Notify(c, s)
		}
	}
	return func() { signal.Stop(c) }
}
