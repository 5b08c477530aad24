// Package reload keeps the policy of long-running programs up to date: it compares the policy
// files before every use, and reads them again if one changed. The hook runs once for each
// call and uses the snapshot instead.
package reload

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/umpire-dev/umpire/internal/snapshot"
)

// Files holds a value that is made from the policy files of some layers. It is safe for concurrent
// use.
type Files[T any] struct {
	layers snapshot.Layers
	read   func() (T, error)
	tell   func(error)

	mu  sync.Mutex // held while the files are read
	now atomic.Pointer[state[T]]
}

type state[T any] struct {
	value T
	fault error
	seen  snapshot.Snapshot // state of the files before they were read
}

// Open reads the files. A fault in them is an error. A later fault is reported
// once, until it changes.
func Open[T any](layers snapshot.Layers, read func() (T, error), tell func(fault error)) (*Files[T], error) {
	f := &Files[T]{layers: layers, read: read, tell: tell}
	s := f.look(nil)
	if s.fault != nil {
		return nil, s.fault
	}
	f.now.Store(s)
	return f, nil
}

// Now returns the value of the present files. If they have a fault, it returns the value of the
// last valid files, and the fault.
func (f *Files[T]) Now() (T, error) {
	s := f.now.Load()
	if s.seen.Fresh(snapshot.Stat) {
		return s.value, s.fault
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if s = f.now.Load(); !s.seen.Fresh(snapshot.Stat) { // otherwise another goroutine has read them
		last := s.fault
		s = f.look(s)
		f.now.Store(s)
		if s.fault != nil && (last == nil || last.Error() != s.fault.Error()) {
			f.tell(s.fault)
		}
	}
	return s.value, s.fault
}

// look reads the files. With a fault, it keeps the last value.
func (f *Files[T]) look(last *state[T]) *state[T] {
	// Stat the files before reading them, so that a change in between is noticed next time.
	s := &state[T]{seen: snapshot.Snapshot{Written: time.Now(), Sources: snapshot.StatAll(f.layers.Watched())}}
	if s.value, s.fault = f.read(); s.fault != nil && last != nil {
		s.value = last.value
	}
	return s
}
