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
)

// initName is the name by which this program starts itself anew. It is no command for people.
const initName = "umpire-sandbox-init"

// A process that was started as process 1 of a box is nothing else. It is found out here,
// and not by main, since the packages of all that umpire can do take 3 ms to set themselves
// up, and most of them come after this one.
func init() {
	if len(os.Args) == 1 && os.Args[0] == initName {
		os.Exit(initBox())
	}
}

// Descriptors that the steps are started with.
const (
	fdConfig = 3
	fdReport = 4
)

// maxConfig bounds a Config as it is passed on, in bytes.
const maxConfig = 4 << 20

// setUpTime is how long a box may take to be built.
const setUpTime = time.Minute

func signalOf(s *os.ProcessState) int {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return int(w.Signal())
	}
	return 0
}

// Run runs a program in a box until it ends, and returns its exit status. The program has
// this process's terminal, unless its output is taken.
func Run(ctx context.Context, c Config) (status int, err error) {
	if err := c.Check(); err != nil {
		return 0, err
	}
	c.Heard = c.Tell != nil
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
	// While process 1 starts, this one looks through the system's settings and what is shown:
	// neither waits for the other.
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
		if ctx.Err() != nil { // the cause: process 1 was killed before it could say that the program runs
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
		c.hear(said)
	}()
	over := c.watch(cmd.Process.Kill)
	err = cmd.Wait()
	<-told // process 1 is gone, so this ends
	if e, ok := over(); ok {
		c.tell(e)
	}
	_ = os.Chmod(filepath.Join(c.State, "work", "work"), 0o700) // an overlay's own, which no one could remove as it is
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 0, err
	}
	return exitStatus(cmd.ProcessState), nil
}

// search is what the look through the machine found to hide.
type search struct {
	private []string
	sockets error // they were not all found
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
			c.tell(Event{Kind: Missing, What: "sockets", Why: found.sockets.Error(), Times: 1})
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

// captured reports whether the caller takes the output of the program.
func (c *Config) captured() bool { return c.Stdout != nil || c.Stderr != nil }

// command returns the first step of the box: this program, started as process 1 of new
// namespaces. It reads the Config from in and reports to out. Run ends it, once it is known to
// run.
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
		// Process 1 mounts, sets up the network, answers for names in it, reads the addresses of
		// connections, and limits rights and namespaces. Overlays act with the rights of the
		// process that mounts them.
		AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP, unix.CAP_SYS_RESOURCE, unix.CAP_SYS_PTRACE, unix.CAP_NET_RAW, unix.CAP_NET_BIND_SERVICE, unix.CAP_DAC_OVERRIDE, unix.CAP_DAC_READ_SEARCH, unix.CAP_FOWNER, unix.CAP_CHOWN, unix.CAP_FSETID},
		Pdeathsig:   syscall.SIGKILL,
		Setsid:      c.captured(), // the program must not get the terminal or its signals
	}
	return cmd
}

// message is what process 1 tells: why it gave up, or what there was before the start, that
// the program was started, and what there was after. With NotRun the box was there, and
// Failed is the program that could not be started in it.
type message struct {
	Failed  string        `json:"failed,omitempty"`
	NotRun  syscall.Errno `json:"notRun,omitempty"`
	Started bool          `json:"started,omitempty"`
	Event   *Event        `json:"event,omitempty"`
}

func (c *Config) tell(e Event) {
	if c.Tell != nil {
		c.Tell(e)
	}
}

// untilStarted reads the messages of process 1 while it builds.
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
			c.tell(*m.Event)
		case m.Started:
			return nil
		}
	}
}

// hear reads its messages from then on, to its end.
func (c *Config) hear(said *json.Decoder) {
	for {
		var m message
		if said.Decode(&m) != nil {
			return
		}
		if m.Event != nil {
			c.tell(*m.Event)
		}
	}
}

// start starts a command from a thread that lives as long as it: the signal of the parent's
// death is that of its thread.
func start(cmd *exec.Cmd, ended <-chan struct{}) error {
	started := make(chan error)
	go func() {
		lockThread() // never unlocked: the thread ends with this function
		started <- cmd.Start()
		<-ended
	}()
	return <-started
}

// passOver has this process live on when the terminal sends signals: the program answers
// them, and the box ends with it. They are caught and not ignored, since the program would
// inherit that, and never be interrupted. One that stops programs stops this one too, so
// that the shell knows.
func passOver(signals ...os.Signal) (stop func()) {
	c := make(chan os.Signal, 1)
	for _, s := range signals {
		if !signal.Ignored(s) { // as nohup and background jobs have it
			signal.Notify(c, s)
		}
	}
	return func() { signal.Stop(c) }
}
