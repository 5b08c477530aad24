package guard

import (
	"sync"
	"sync/atomic"
)

func async(o Observer, size int) (Observer, func() int64, func()) {
	queue := make(chan Event, size)
	var lost atomic.Int64
	var mu sync.RWMutex // guards closed: a send on a closed channel would panic
	closed := false
	done := make(chan struct{})
	go func() {
		defer close(done)
		for e := range queue {
			deliver(o, e, &lost)
		}
	}()
	send := func(e Event) {
		mu.RLock()
		defer mu.RUnlock()
		if closed {
			lost.Add(1)
			return
		}
		select {
		case queue <- e:
		default:
			lost.Add(1)
		}
	}
	stop := func() {
		mu.Lock()
		already := closed
		closed = true
		mu.Unlock()
		if !already {
			close(queue)
		}
		<-done
	}
	return send, lost.Load, stop
}

// deliver calls o and counts an event as lost if o panics: an observer must not affect a check.
func deliver(o Observer, e Event, lost *atomic.Int64) {
	defer func() {
		if recover() != nil {
			lost.Add(1)
		}
	}()
	o(e)
}
