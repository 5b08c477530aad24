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
)

// Names by which this program starts itself anew. They are no commands for people.
const (
	initName = "umpire-sandbox-init"
	execName = "umpire-sandbox-exec"
)

// Main takes the program over if it was started as a step of a box, and otherwise returns.
// It is to be called first of all.
func Main() {
	switch {
	case len(os.Args) == 1 && os.Args[0] == initName:
		os.Exit(initBox())
	case len(os.Args) == 1 && os.Args[0] == execName:
		os.Exit(execProgram())
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
const setUpTime = 20 * time.Second

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
	body, err := json.Marshal(c)
	if err != nil {
		return 0, err
	}
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
	uid, gid := os.Getuid(), os.Getgid()
	cmd := exec.CommandContext(context.WithoutCancel(ctx), "/proc/self/exe") // ended below, once it is known to run
	cmd.Args = []string{initName}
	cmd.Env = []string{}
	cmd.Dir = "/"
	captured := c.Stdout != nil || c.Stderr != nil
	if captured {
		cmd.Stdout, cmd.Stderr = c.Stdout, c.Stderr
	} else {
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	}
	cmd.ExtraFiles = []*os.File{in, out}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}},
		// For the first step: to mount, to switch the interface on, to bound rights and namespaces, and for
		// overlays, which do their work with the rights of who mounts them.
		AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP, unix.CAP_SYS_RESOURCE, unix.CAP_DAC_OVERRIDE, unix.CAP_DAC_READ_SEARCH, unix.CAP_FOWNER, unix.CAP_CHOWN, unix.CAP_FSETID},
		Pdeathsig:   syscall.SIGKILL,
		Setsid:      captured, // the terminal, and its signals, are not the program's
	}
	if !captured {
		defer passOver(os.Interrupt, syscall.SIGQUIT)()
	}
	if err := start(cmd); err != nil {
		return 0, fmt.Errorf("this kernel makes no namespaces for this user: %w; see `umpire doctor`", err)
	}
	_, _ = in.Close(), out.Close()
	stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() })
	defer stop()
	_, err = config.Write(body)
	if err = errors.Join(err, config.Close()); err == nil {
		_ = report.SetReadDeadline(time.Now().Add(setUpTime))
		var said []byte
		if said, err = io.ReadAll(io.LimitReader(report, 4096)); err == nil && len(said) > 0 {
			err = errors.New(string(said))
		}
	}
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return 0, fmt.Errorf("the box could not be set up: %w", err)
	}
	err = cmd.Wait()
	_ = os.Chmod(filepath.Join(c.State, "work", "work"), 0o700) // an overlay's own, which nobody could remove as it is
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 0, err
	}
	return exitStatus(cmd.ProcessState), nil
}

// start starts a command from a thread that lives as long as it: the signal of the parent's
// death is that of its thread.
func start(cmd *exec.Cmd) error {
	started := make(chan error)
	go func() {
		// Never unlocked: the thread ends with this function, which would end the box, so it
		// waits for the end of the program.
		lockThread()
		started <- cmd.Start()
		select {}
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
