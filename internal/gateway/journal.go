package gateway

import (
	"runtime"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/audit"
)

// maxTogether bounds how many events are written at once.
const maxTogether = 64

// journal writes events into the audit log. Those that come while it writes are written
// together: one after the other they would wait for the log's lock, which is a file's.
type journal struct {
	dir  string
	wait time.Duration // for the log's lock, before events are spilled; as long as the log does if zero

	mu      sync.Mutex // over what follows
	log     *audit.Log // once the folder could be opened
	waiting []*entry
	busy    bool // a goroutine is writing, and will take the waiting entries
}

// entry is an event whose sender waits for the write.
type entry struct {
	event *audit.Event
	done  chan bool // it is written, or else it is this one's turn to write
	err   error
}

// append returns when the event is in the log, or could not be written.
func (j *journal) append(e *audit.Event) error {
	own := &entry{event: e, done: make(chan bool, 1)}
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
	runtime.Gosched() // who is about to come is written as well: opening the log is most of the work
	j.mu.Lock()
	n := min(len(j.waiting), maxTogether) // this one is the first of them
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

// write writes a batch, or, if it cannot be written as one, each by itself.
func write(log *audit.Log, batch []*entry) error {
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
