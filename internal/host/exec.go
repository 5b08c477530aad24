package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/procgroup"
)

// Limits on a command.
const (
	DefaultTimeout = 5 * time.Minute
	maxTimeout     = time.Hour
	maxHead        = 512 << 10 // bytes to keep from the beginning of each stream,
	maxTail        = 512 << 10 // and from its end
)

// Exit codes for commands that did not exit normally.
const (
	exitTimeout    = 124
	exitKilled     = 128 + 9 // SIGKILL, as a shell reports it
	ExitNotStarted = -1
	ExitUnknown    = -1 // the command may have ended in any way
)

// Command is a command to run.
type Command struct {
	Argv    []string // a program and its arguments, or
	Shell   string   // a script for sh, exactly as approved
	Dir     string
	Env     []string // added to the variables of every command
	Timeout time.Duration
	Stream  func(stream string, data []byte) // gets output as it arrives; may be nil
	Hold    func() error                     // called right before the command starts; an error prevents the start; may be nil
}

// CommandResult is the result of a command.
type CommandResult struct {
	Stdout   string        `json:"stdout"`
	Stderr   string        `json:"stderr"`
	ExitCode int           `json:"exitCode"`
	Cut      int64         `json:"cut,omitempty"` // omitted bytes of output
	Took     time.Duration `json:"took"`
}

// environment lists the variables of this process that a command gets: enough to find programs and
// to write text, and no credential.
func environment() []string {
	env := []string{"TERM=dumb", "NO_COLOR=1"}
	for _, name := range []string{"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "SystemRoot", "ComSpec", "USERPROFILE", "TEMP", "TMP", "PATHEXT"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// Run runs a command, and kills it when its time is over or ctx ends. No descendant outlives it on
// systems that can track them: see Supervise.
func Run(ctx context.Context, c Command) CommandResult {
	start := time.Now()
	limit := c.Timeout
	if limit <= 0 {
		limit = DefaultTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, min(limit, maxTimeout))
	defer cancel()
	argv := c.Argv
	if c.Shell != "" {
		argv = []string{"/bin/sh", "-c", c.Shell}
	}
	if len(argv) == 0 {
		return CommandResult{ExitCode: ExitNotStarted, Stderr: "there is nothing to run"}
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = c.Dir, append(environment(), c.Env...)
	out, errs := &capture{name: "stdout", stream: c.Stream}, &capture{name: "stderr", stream: c.Stream}
	cmd.Stdout, cmd.Stderr = out, errs
	cmd.WaitDelay = 2 * time.Second // do not wait for a grandchild that keeps the pipes open
	Supervised(cmd)
	if c.Hold != nil {
		if err := c.Hold(); err != nil {
			return CommandResult{ExitCode: ExitNotStarted, Stderr: err.Error()}
		}
	}
	runtime.LockOSThread() // the kernel kills the supervisor when the thread that started it ends
	err := cmd.Run()
	runtime.UnlockOSThread()
	r := CommandResult{Took: time.Since(start)}
	var exit *exec.ExitError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		r.ExitCode = exitTimeout
		fmt.Fprintf(errs, "\numpire: ended after %s\n", plural.Duration(min(limit, maxTimeout)))
	case ctx.Err() != nil:
		r.ExitCode = exitKilled
		why := context.Cause(ctx)
		if errors.Is(why, context.Canceled) {
			why = errors.New("the gateway is shutting down")
		}
		fmt.Fprintf(errs, "\numpire: ended: %v\n", why)
	case errors.As(err, &exit):
		r.ExitCode = procgroup.ExitStatus(exit.ProcessState)
	case errors.Is(err, exec.ErrWaitDelay): // the command ended, but a child did not
	case err != nil:
		r.ExitCode = ExitNotStarted
		fmt.Fprintln(errs, err)
	}
	r.Stdout, r.Stderr = out.text(), errs.text()
	r.Cut = out.cut() + errs.cut()
	return r
}

// capture keeps the beginning and the end of the data.
type capture struct {
	mu     sync.Mutex
	name   string
	stream func(string, []byte)
	head   []byte
	tail   []byte // a ring buffer once full
	at     int
	total  int64
}

func (c *capture) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(p)
	c.total += int64(n)
	if c.stream != nil {
		c.stream(c.name, p)
	}
	if room := maxHead - len(c.head); room > 0 {
		k := min(room, len(p))
		c.head, p = append(c.head, p[:k]...), p[k:]
	}
	for len(p) > 0 {
		if len(c.tail) < maxTail {
			k := min(maxTail-len(c.tail), len(p))
			c.tail, p = append(c.tail, p[:k]...), p[k:]
			continue
		}
		k := copy(c.tail[c.at:], p)
		c.at, p = (c.at+k)%maxTail, p[k:]
	}
	return n, nil
}

func (c *capture) cut() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.total - int64(len(c.head)+len(c.tail))
}

// text returns the captured data, with a line in place of omitted bytes. It is valid UTF-8,
// whatever the program wrote.
func (c *capture) text() string {
	missing := c.cut()
	c.mu.Lock()
	defer c.mu.Unlock()
	var b strings.Builder
	b.Write(c.head)
	if missing > 0 {
		fmt.Fprintf(&b, "\n[umpire: %d bytes left out]\n", missing)
	}
	b.Write(c.tail[c.at:])
	b.Write(c.tail[:c.at])
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}
