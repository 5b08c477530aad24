package agent

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"

	"github.com/umpire-dev/umpire/internal/visible"
)

// programLog is a writer whose target can change: once the screen is up, log lines must not disturb
// it.
type programLog struct {
	mu sync.Mutex
	to io.Writer
}

func (l *programLog) set(to io.Writer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.to = to
}

func (l *programLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	to := l.to
	l.mu.Unlock()
	return to.Write(b)
}

// lineWriter is a writer that passes on complete lines.
type lineWriter func(line string)

func (t lineWriter) Write(b []byte) (int, error) {
	t(strings.TrimSpace(string(b)))
	return len(b), nil
}

// notices is a slog.Handler for the person at the screen. Each record is one sentence: its
// message, then the values of its attributes, without time, level and quotes.
type notices struct {
	to    io.Writer
	attrs []slog.Attr
}

func (notices) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelInfo }

func (n notices) WithAttrs(attrs []slog.Attr) slog.Handler {
	n.attrs = append(n.attrs[:len(n.attrs):len(n.attrs)], attrs...)
	return n
}

func (n notices) WithGroup(string) slog.Handler { return n }

// Handle writes a record. Its values may quote project files or the output of programs, so they
// are escaped.
func (n notices) Handle(_ context.Context, r slog.Record) error {
	var values []string
	add := func(a slog.Attr) bool {
		if v := strings.TrimSpace(a.Value.Resolve().String()); v != "" {
			values = append(values, v)
		}
		return true
	}
	for _, a := range n.attrs {
		add(a)
	}
	r.Attrs(add)
	text := strings.Join(append([]string{r.Message}, values...), ": ")
	_, err := io.WriteString(n.to, visible.Block(text)+"\n")
	return err
}
