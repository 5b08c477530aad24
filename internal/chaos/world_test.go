//go:build unix

package chaos

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// node is one gateway process, which is started again whenever it ends.
type node struct {
	url, home string
	cmd       func(context.Context) *exec.Cmd

	wanted bool // it is to run; of the test's goroutine

	mu    sync.Mutex
	pid   int
	stop  bool
	ended sync.WaitGroup
}

// run keeps the gateway running until halt.
func (n *node) run(t *testing.T) {
	n.wanted = true
	n.ended.Go(func() {
		for {
			log, err := os.OpenFile(n.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
			if err != nil {
				t.Error(err)
				return
			}
			cmd := n.cmd(context.WithoutCancel(t.Context()))
			cmd.Stdout, cmd.Stderr = log, log
			n.mu.Lock()
			if n.stop {
				n.mu.Unlock()
				_ = log.Close()
				return
			}
			err = cmd.Start()
			if err == nil {
				n.pid = cmd.Process.Pid
			}
			n.mu.Unlock()
			if err != nil {
				t.Error(err)
				_ = log.Close()
				return
			}
			_ = cmd.Wait() // it was killed, or had no database
			_ = log.Close()
			n.mu.Lock()
			n.pid = 0
			n.mu.Unlock()
			time.Sleep(100 * time.Millisecond) // as a service manager waits before it starts a service again
		}
	})
}

func (n *node) log() string { return filepath.Join(n.home, "log") }

func (n *node) signal(s syscall.Signal) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.pid != 0 {
		_ = syscall.Kill(n.pid, s)
	}
}

// halt ends the gateway for good, as a service manager does.
func (n *node) halt() {
	n.mu.Lock()
	n.stop = true
	n.mu.Unlock()
	n.signal(syscall.SIGTERM)
	n.ended.Wait()
}

// tail is the end of what the gateway said.
func (n *node) tail() string {
	data, _ := os.ReadFile(n.log())
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	return strings.Join(lines[max(0, len(lines)-15):], "\n")
}

// api is a client of the gateways by bare HTTP, as a script in any language is.
type api struct {
	urls  []string
	token string
	http  *http.Client
}

func newAPI(urls []string, token string) *api {
	return &api{urls: urls, token: token, http: &http.Client{Timeout: 15 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
}

// errAway is the answer of a gateway that is none: it may have heard the question or not.
var errAway = errors.New("the gateway is away")

// once makes one call to one gateway. An answer that is a refusal is one.
func (a *api) once(ctx context.Context, url, method, path string, in, out any) (status int, err error) {
	var body io.Reader
	if in != nil {
		data, err := json.Marshal(in)
		if err != nil {
			return 0, err
		}
		body = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, url+path, body)
	if err != nil {
		return 0, err
	}
	if a.token != "" {
		req.Header.Set("Authorization", "Bearer "+a.token)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := a.http.Do(req)
	if err != nil {
		return 0, errors.Join(errAway, err)
	}
	defer func() { _ = res.Body.Close() }()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, errors.Join(errAway, err)
	}
	if res.StatusCode >= 500 {
		return res.StatusCode, fmt.Errorf("%w: %d %s", errAway, res.StatusCode, data)
	}
	if out != nil {
		err = json.Unmarshal(data, out)
	}
	return res.StatusCode, err
}

// until asks one gateway after the other until one answers.
func (a *api) until(ctx context.Context, first int, method, path string, in, out any) (status int, err error) {
	for i := first; ; i++ {
		status, err = a.once(ctx, a.urls[i%len(a.urls)], method, path, in, out)
		if !errors.Is(err, errAway) || ctx.Err() != nil {
			return status, err
		}
		if !lookAgain(ctx) {
			return 0, ctx.Err()
		}
	}
}

// lookAgain waits before the next look at what tells nobody that it changed, and is false
// when the time is over.
func lookAgain(ctx context.Context) bool {
	select {
	case <-time.After(50 * time.Millisecond):
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}
