package gatewayclient

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/umpire-dev/umpire/internal/procgroup"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Process is a gateway to start.
type Process struct {
	Server string   // URL of the gateway; "" means URL's default
	Log    string   // file for its output
	Args   []string // arguments of umpire serve
	Env    []string // nil means the environment of this process
}

// Start starts a gateway and waits until it answers. The gateway ends with this process or by stop.
func Start(ctx context.Context, s Process) (stop func(), err error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	log, err := os.OpenFile(s.Log, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	g := exec.Command(exe, append([]string{"serve"}, s.Args...)...) //nolint:noctx // it is stopped by stop, in order
	g.Env, g.Stdout, g.Stderr = s.Env, log, log
	if err := procgroup.StartBound(g); err != nil { // Ctrl-C is for the program in the sandbox
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- g.Wait() }()
	stop = func() {
		_ = g.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(15 * time.Second):
			_ = g.Process.Kill()
		}
	}
	wait := 2 * time.Millisecond // the user waits for the program, and a refused connection costs little
	for deadline := time.Now().Add(time.Minute); !Alive(ctx, s.Server); wait = min(2*wait, 50*time.Millisecond) {
		select {
		case err := <-ended:
			return nil, fmt.Errorf("the gateway stopped (%w): %s", err, lastLine(s.Log))
		case <-ctx.Done():
			stop()
			return nil, ctx.Err()
		case <-time.After(wait):
		}
		if time.Now().After(deadline) {
			stop()
			return nil, fmt.Errorf("the gateway does not answer: %s", lastLine(s.Log))
		}
	}
	return stop, nil
}

// lastLine returns the last line of a log: the log of a run that did not start is deleted.
func lastLine(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	if len(data) == 0 {
		return "it could not write its log: look for space on the disk of " + filepath.Dir(path)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	return visible.Line(lines[len(lines)-1])
}

// aliveTime limits the wait for an answer. Without a gateway the connection fails at once; a busy
// gateway must not be mistaken for a missing one and started twice.
const aliveTime = 10 * time.Second

// Alive reports whether the gateway answers.
func Alive(ctx context.Context, server string) bool {
	ctx, cancel := context.WithTimeout(ctx, aliveTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, URL(server)+"/healthz", nil)
	if err != nil {
		return false
	}
	res, err := http.DefaultClient.Do(req)
	return err == nil && errors.Join(res.Body.Close()) == nil && res.StatusCode == http.StatusOK
}
