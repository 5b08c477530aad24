package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// screen is the interface that redraws itself.
type screen struct {
	opts  Options
	ready chan struct{} // closed when prog is set
	prog  *tea.Program
}

func newScreen(o Options) *screen { return &screen{opts: o, ready: make(chan struct{})} }

func (f *screen) send(msg any) {
	<-f.ready
	f.prog.Send(msg)
}

func (f *screen) run(ctx context.Context, s Session) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // for work that continues when the program is left
	m := newModel(ctx, s, f.opts)
	f.prog = tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(characters(f.opts.In)), tea.WithOutput(f.opts.Out), tea.WithEnvironment(f.opts.Env))
	m.post = func(msg tea.Msg) { f.prog.Send(msg) }
	close(f.ready)
	_, err := f.prog.Run()
	cancel()
	m.work.wait(saveTime)
	if f.opts.Inline { // keep the conversation in the terminal
		_, printErr := io.WriteString(f.opts.Out, strings.Join(append(m.rest(), ""), "\n"))
		err = errors.Join(err, printErr)
	}
	if !m.saved {
		// The terminal closed, or the process got a signal: save the conversation nevertheless.
		save, stop := context.WithTimeout(context.WithoutCancel(ctx), saveTime)
		defer stop()
		err = errors.Join(err, s.Save(save))
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("screen: %w", err)
	}
	return nil
}

// saveTime limits how long leaving waits for stopped work and for saving.
const saveTime = 10 * time.Second

// works counts goroutines, so that leaving can wait for them.
type works struct {
	mu   sync.Mutex
	n    int
	over chan struct{} // closed when n is 0; nil if no one waits
}

// add counts another goroutine, unless wait was called.
func (w *works) add() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over != nil {
		return false
	}
	w.n++
	return true
}

func (w *works) done() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.n--; w.n == 0 && w.over != nil {
		close(w.over)
	}
}

// wait admits no more goroutines, and waits for the others, but not longer than most.
func (w *works) wait(most time.Duration) {
	w.mu.Lock()
	over := make(chan struct{})
	if w.over = over; w.n == 0 {
		close(over)
	}
	w.mu.Unlock()
	select {
	case <-over:
	case <-time.After(most):
	}
}
