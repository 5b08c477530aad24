package tui

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/umpire-dev/umpire/internal/agent"
)

// File is one end of a terminal.
type File interface {
	io.ReadWriter
	Fd() uintptr
}

// ErrClosed means that the user interface was closed before the question was answered.
var ErrClosed = errors.New("the terminal is closed, so no one can answer")

// errEnded means that the input ended before the question was answered.
var errEnded = errors.New("the input ended, so no one can answer")

// face is an interface to the user: the screen or the lines.
type face interface {
	run(ctx context.Context, s Session) error
	// send passes on a question, withdrawal, piece of output or notice. It may block while the
	// interface is busy, but not after it ended.
	send(msg any)
}

// UI is the terminal of one run of the agent. Ask, Confirm, Output, Notice and Warn may be called
// from any goroutine. Notices before Run are kept; the others wait for Run.
type UI struct {
	face    face
	started chan struct{}
	start   sync.Once
	done    chan struct{}
	end     sync.Once

	mu    sync.Mutex
	early []notice // notices before started was closed
}

var _ agent.Asker = (*UI)(nil)

// New returns a UI that is not drawn yet.
func New(o Options) *UI {
	if o.Env == nil {
		o.Env = os.Environ()
	}
	if o.In == nil {
		o.In = os.Stdin
	}
	if o.Out == nil {
		o.Out = os.Stdout
	}
	u := &UI{started: make(chan struct{}), done: make(chan struct{})}
	if o.Lines || plain(o) {
		u.face = newLines(o)
	} else {
		u.face = newScreen(o)
	}
	return u
}

// plain reports whether the terminal lacks cursor movement.
func plain(o Options) bool {
	if getenv(o.Env, "NO_COLOR") != "" || getenv(o.Env, "TERM") == "dumb" || getenv(o.Env, "TERM") == "" {
		return true
	}
	return !term.IsTerminal(int(o.In.Fd())) || !term.IsTerminal(int(o.Out.Fd()))
}

func getenv(env []string, name string) (value string) {
	for _, kv := range env {
		if k, v, ok := strings.Cut(kv, "="); ok && k == name {
			value = v // the last one counts, as in os/exec
		}
	}
	return value
}

// Run shows a session until its user leaves or ctx ends.
func (u *UI) Run(ctx context.Context, s Session) error {
	defer u.end.Do(func() { close(u.done) })
	u.mu.Lock()
	early := u.early
	u.start.Do(func() { close(u.started) })
	u.mu.Unlock()
	told := make(chan struct{})
	go func() {
		defer close(told)
		for _, n := range early {
			u.face.send(n)
		}
	}()
	err := u.face.run(ctx, s)
	<-told // send does not block once the interface has ended
	return err
}

// question is a question to the user: about a call, or yes or no.
type question struct {
	q       agent.Question
	confirm bool // yes or no: q.Tool is the title and q.Preview the text
	offer   bool // optional: typing a message declines it
	answer  chan agent.Answer
	shown   time.Time
	wide    int // index of the rules that the longer-lasting answers add: 0 is the narrowest
}

// withdrawn means that a question was answered elsewhere, or canceled.
type withdrawn struct{ q *question }

// output is a piece of a running call's output.
type output struct{ callID, piece string }

// doing is the activity until the next event.
type doing struct{ text string }

// notice is a message from umpire.
type notice struct {
	text string
	bad  bool
}

// Ask implements agent.Asker. Questions are asked one at a time.
func (u *UI) Ask(ctx context.Context, q agent.Question) (agent.Answer, error) {
	return u.ask(ctx, &question{q: q, answer: make(chan agent.Answer, 1)})
}

// Confirm asks a yes-or-no question from umpire. The text may be untrusted.
func (u *UI) Confirm(ctx context.Context, title, text string) (bool, error) {
	a, err := u.ask(ctx, &question{
		q:       agent.Question{Tool: title, Preview: agent.Preview{Text: text}},
		confirm: true, answer: make(chan agent.Answer, 1),
	})
	if errors.Is(err, errEnded) {
		err = nil // no answer is a no
	}
	return err == nil && a.Choice == agent.Once, err
}

func (u *UI) ask(ctx context.Context, q *question) (agent.Answer, error) {
	if err := u.post(ctx, q); err != nil {
		return agent.Answer{}, err
	}
	select {
	case a, open := <-q.answer:
		if !open {
			return a, errEnded
		}
		return a, nil
	case <-u.done:
		return agent.Answer{}, ErrClosed
	case <-ctx.Done():
		u.face.send(withdrawn{q})
		return agent.Answer{}, ctx.Err()
	}
}

// Output shows a piece of a running call's output.
func (u *UI) Output(ctx context.Context, callID, piece string) {
	_ = u.post(ctx, output{callID, piece}) // it is harmless to lose output that no one sees
}

// Doing shows the current activity until the next event, if there is nothing else to show. The
// text may be untrusted.
func (u *UI) Doing(ctx context.Context, text string) {
	_ = u.post(ctx, doing{text}) // as for Output
}

// Notice shows a message from umpire, in Markdown, about the session.
func (u *UI) Notice(ctx context.Context, text string) {
	u.notify(ctx, notice{text: text})
}

// Warn is like Notice, for failures.
func (u *UI) Warn(ctx context.Context, text string) {
	u.notify(ctx, notice{text: text, bad: true})
}

func (u *UI) notify(ctx context.Context, n notice) {
	u.mu.Lock()
	select {
	case <-u.started:
	default: // the goroutine that sets up a session must not wait for Run, which follows
		if len(u.early) < maxQueued {
			u.early = append(u.early, n)
		}
		u.mu.Unlock()
		return
	}
	u.mu.Unlock()
	_ = u.post(ctx, n) // as for Output
}

func (u *UI) post(ctx context.Context, msg any) error {
	select {
	case <-u.started:
	case <-u.done:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-u.done:
		return ErrClosed
	default:
		u.face.send(msg)
		return nil
	}
}
