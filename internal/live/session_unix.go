//go:build unix

package live

import (
	"context"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/procgroup"
)

// Supported reports whether clients can be tested on this system: HOME must determine their home.
const Supported = true

// run starts the client and waits for its end, at most limit long. It kills all remaining processes
// and returns the end of the output.
func (s *session) run(ctx context.Context, limit time.Duration) (said string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errLimit)
	defer cancel()
	out := new(tail)
	cmd := exec.CommandContext(ctx, s.bin, s.args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = s.place.Project, s.env, out, out
	procgroup.Lead(cmd)
	cmd.WaitDelay = time.Second // a remaining daemon may hold the pipes
	if err := cmd.Start(); err != nil {
		return "", err
	}
	err = cmd.Wait()
	procgroup.End(cmd, s.place.Home) // daemons, too: only this session has its home
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return out.String(), err
}

// maxTail limits how much of a client's output is kept, in bytes.
const maxTail = 8 << 10

// tail keeps the end of the data.
type tail struct {
	mu sync.Mutex
	b  []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, p[max(0, len(p)-maxTail):]...)
	t.b = t.b[max(0, len(t.b)-maxTail):]
	return len(p), nil
}

// String returns the last lines.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(t.b)), "\n")
	return strings.Join(lines[max(0, len(lines)-6):], "\n")
}
