package mcpclient

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/mcpline"
	"github.com/umpire-dev/umpire/internal/sandbox"
)

func (cl *client) transport() (mcp.Transport, error) {
	if cl.URL != "" {
		return &mcp.StreamableClientTransport{Endpoint: cl.URL, HTTPClient: cl.web(), MaxEventSize: maxMessage, MaxRetries: 2}, nil
	}
	return cl.command()
}

// web returns an HTTP client for one server. It sends the configured headers, follows no redirects,
// which would leak them, and limits every response.
func (cl *client) web() *http.Client {
	return &http.Client{
		Transport:     &limited{cl.Headers},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

type limited struct{ headers map[string]string }

func (l *limited) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for k, v := range l.headers {
		r.Header.Set(k, v)
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") { // its events are limited one by one
		res.Body = &bounded{ReadCloser: res.Body, left: maxMessage}
	}
	return res, err
}

// bounded returns an error, rather than EOF, after the limit.
type bounded struct {
	io.ReadCloser
	left int
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("the answer has more than %d MiB", maxMessage>>20)
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// closeTime limits how long a server may take to exit after the end of its input.
const closeTime = 2 * time.Second

// command starts a server and connects to its standard input and output.
func (cl *client) command() (mcp.Transport, error) {
	var set []string
	for k, v := range cl.Env {
		set = append(set, k+"="+v)
	}
	dir := cmp.Or(cl.Dir, cl.all.o.Dir)
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, theirIn.Close(), in.Close())
	}
	p := &process{Reader: out, closers: []io.Closer{in, out}, done: make(chan struct{})}
	theirs := func() { _, _ = theirIn.Close(), theirOut.Close() } // duplicates: the child has its own
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	if cl.Sandbox {
		err = cl.boxed(ctx, p, dir, set, theirIn, theirOut, theirs)
	} else {
		err = cl.plain(ctx, p, dir, set, theirIn, theirOut)
		theirs()
	}
	if err != nil {
		cancel()
		_, _ = in.Close(), out.Close()
		return nil, err
	}
	lines := mcpline.NewReader(p, maxMessage, func(f *mcpline.Fault) error {
		if f.Code != mcpline.ParseError {
			return f
		}
		return nil // many servers print a greeting to standard output
	})
	return &mcp.IOTransport{Reader: struct {
		io.Reader
		io.Closer
	}{lines, p}, Writer: in, MaxLineLength: maxMessage + 1}, nil
}

func (cl *client) plain(ctx context.Context, p *process, dir string, set []string, in, out *os.File) error {
	cmd := exec.CommandContext(ctx, cl.Command, cl.Args...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, in, out, cl.said.Load()
	cmd.Env = sandbox.Environment(cl.all.o.Environ, []string{"HOME", "TMPDIR", "SystemRoot", "PATHEXT", "APPDATA"}, set...)
	host.Supervised(cmd)
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // the kernel kills the child when the thread that started it ends
		defer runtime.UnlockOSThread()
		defer close(p.done)
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // the end of the output reports its exit
		}
	}()
	return <-started
}

func (cl *client) boxed(ctx context.Context, p *process, dir string, set []string, in, out *os.File, theirs func()) error {
	if cl.all.o.Box == nil {
		theirs()
		return errors.New("it requires the sandbox, which is not available here")
	}
	cfg, done, err := cl.all.o.Box(cl.Command, dir)
	if err != nil {
		theirs()
		return err
	}
	cfg.Args = append(cfg.Args, cl.Args...)
	cfg.Env = append(cfg.Env, sandbox.Environment(cl.all.o.Environ, nil, set...)...)
	cfg.Stdin, cfg.Stdout, cfg.Stderr = in, out, cl.said.Load()
	go func() {
		defer close(p.done)
		defer theirs()
		_, err := sandbox.Run(ctx, cfg)
		if err = errors.Join(err, done()); err != nil && ctx.Err() == nil {
			fmt.Fprintln(cfg.Stderr, err)
		}
	}()
	return nil
}

// process is a server's output. Closing it ends the server.
type process struct {
	io.Reader
	closers []io.Closer
	cancel  context.CancelFunc
	done    chan struct{}
	once    sync.Once
}

// Close closes a server's input, and kills the server if it does not exit.
func (p *process) Close() (err error) {
	p.once.Do(func() {
		err = p.closers[0].Close()
		select {
		case <-p.done:
		case <-time.After(closeTime):
		}
		p.cancel()
		<-p.done
		for _, c := range p.closers[1:] {
			err = errors.Join(err, c.Close())
		}
	})
	if errors.Is(err, os.ErrClosed) {
		err = nil
	}
	return err
}
