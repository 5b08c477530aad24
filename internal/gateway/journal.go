package gateway

import (
	"runtime"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/audit"
)

// maxTogether is the limit of events in one write.
const maxTogether = 64

// journal writes events to the audit log. It writes events that arrive during a write together: one
// by one, each would wait for the log's file lock.
type journal struct {
	dir  string
	wait time.Duration // wait for the log's lock before events are spilled; the log's default if zero

	mu      sync.Mutex // guards the fields below
	log     *audit.Log // nil until it is opened
	waiting []*pendingEvent
	busy    bool // a goroutine is writing, and will take the waiting entries
}

// pendingEvent is an event whose sender waits for the write.
type pendingEvent struct {
	event *audit.Event
	done  chan bool // true: the write is over; false: its sender must write
	err   error
}

// append writes an event, together with others that wait, and returns the error of the write.
func (j *journal) append(e *audit.Event) error {
	own := &pendingEvent{event: e, done: make(chan bool, 1)}
	j.mu.Lock()
	j.waiting = append(j.waiting, own)
	if j.busy {
		j.mu.Unlock()
		if <-own.done {
			return own.err
		}
		j.mu.Lock()
	}
	j.busy = true
	j.mu.Unlock()
	runtime.Gosched() // let other senders join: opening the log is most of the work
	j.mu.Lock()
	n := min(len(j.waiting), maxTogether) // own is the first
	batch := j.waiting[:n:n]
	j.waiting = j.waiting[n:]
	log, err := j.open()
	j.mu.Unlock()
	if err == nil {
		err = write(log, batch)
	}
	for _, other := range batch {
		if err != nil && other.err == nil {
			other.err = err
		}
		if other != own {
			other.done <- true
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if err != nil {
		j.log = nil // its folder may have gone
	}
	if j.busy = len(j.waiting) > 0; j.busy {
		j.waiting[0].done <- false
	}
	return own.err
}

// open returns the log. The caller holds the lock.
func (j *journal) open() (_ *audit.Log, err error) {
	if j.log == nil {
		j.log, err = audit.Open(j.dir, audit.Options{Wait: j.wait})
	}
	return j.log, err
}

// write writes a batch or, if that fails, each event by itself.
func write(log *audit.Log, batch []*pendingEvent) error {
	events := make([]*audit.Event, len(batch))
	for i, e := range batch {
		events[i] = e.event
	}
	err := log.Append(events...)
	if err == nil || len(batch) == 1 {
		return err
	}
	for _, e := range batch {
		e.err = log.Append(e.event)
	}
	return nil
}
