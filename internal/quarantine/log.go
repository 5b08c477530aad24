package quarantine

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// When a log is flushed.
const (
	flushEvents = 10
	flushTime   = time.Second
)

// Log writes events, one JSON object per line. It writes grave ones at once.
type Log struct {
	out    io.WriteCloser
	errors io.Writer
	counts Counter

	mu      sync.Mutex
	pending []byte
	waiting int
	failed  error
	told    bool
	torn    bool // the last line is incomplete
	stop    chan struct{}
	done    chan struct{}
}

// OpenLog opens the log at a path for appending. It reports the first write error on stderr.
func OpenLog(path string, stderr io.Writer) (*Log, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("%w; name another file with --audit", err)
	}
	return newLog(f, stderr), nil
}

// newLog returns a Log that writes to out. Close also closes out.
func newLog(out io.WriteCloser, stderr io.Writer) *Log {
	l := &Log{out: out, errors: stderr, stop: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(l.done)
		for tick := time.NewTicker(flushTime); ; {
			select {
			case <-tick.C:
				_ = l.Flush() // Err keeps the error
			case <-l.stop:
				tick.Stop()
				return
			}
		}
	}()
	return l
}

// Add writes an event.
func (l *Log) Add(e SecurityEvent) {
	l.counts.Add(e.Type)
	line, err := e.encode()
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.fail(err)
		return
	}
	l.pending = append(l.pending, line...)
	if l.waiting++; l.waiting >= flushEvents || e.Severity == High || e.Severity == Critical {
		l.flush()
	}
}

// Flush writes pending events.
func (l *Log) Flush() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flush()
	return l.failed
}

func (l *Log) flush() {
	if len(l.pending) == 0 {
		return
	}
	if l.torn {
		l.pending = append([]byte{'\n'}, l.pending...)
	}
	n, err := l.out.Write(l.pending)
	if err != nil {
		l.fail(err)
	}
	if n > 0 {
		l.torn = l.pending[n-1] != '\n'
	}
	l.pending, l.waiting = l.pending[:0], 0
}

// fail keeps the first error and reports it once.
func (l *Log) fail(err error) {
	if l.failed == nil {
		l.failed = fmt.Errorf("cannot write security events: %w", err)
	}
	if !l.told {
		l.told = true
		fmt.Fprintf(l.errors, "umpire: %v\n", l.failed)
	}
}

// Err returns the first write error.
func (l *Log) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed
}

// Counts returns the number of events of each type.
func (l *Log) Counts() map[EventType]int { return l.counts.All() }

// Close writes pending events and closes the file.
func (l *Log) Close() error {
	close(l.stop)
	<-l.done
	return errors.Join(l.Flush(), l.out.Close())
}
