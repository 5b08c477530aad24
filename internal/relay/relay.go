// Package relay copies data between two connections, in both directions.
package relay

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// Join copies data between a and b, until both have stopped sending, one breaks, or no data came
// for idle; zero means no limit. A side that stops sending may still receive. Join owns both
// connections and returns at once; when both are closed it calls over, which must not block. stop
// ends it earlier.
func Join(a, b net.Conn, idle time.Duration, over func()) (stop func()) {
	if stop, ok := handOver(a, b, idle, over); ok {
		return stop
	}
	go func() {
		defer over()
		copyBoth(a, b, idle)
	}()
	return func() { _, _ = a.Close(), b.Close() }
}

// copyBoth is Join for connections without kernel events: it uses two goroutines.
func copyBoth(a, b net.Conn, idle time.Duration) {
	var last atomic.Int64
	last.Store(time.Now().UnixNano())
	soon := func() time.Time {
		if idle <= 0 {
			return time.Time{}
		}
		return time.Now().Add(idle)
	}
	one := func(to, from net.Conn) {
		buf := make([]byte, 32<<10)
		for {
			_ = from.SetReadDeadline(soon()) // a connection that breaks says so when it is read
			n, err := from.Read(buf)
			sent := true
			if n > 0 {
				last.Store(time.Now().UnixNano())
				_ = to.SetWriteDeadline(soon())
				_, failed := to.Write(buf[:n])
				sent = failed == nil
			}
			if sent && (err == nil || errors.Is(err, os.ErrDeadlineExceeded) && time.Since(time.Unix(0, last.Load())) < idle) {
				continue
			}
			if sent && errors.Is(err, io.EOF) {
				if half, ok := to.(interface{ CloseWrite() error }); ok && half.CloseWrite() == nil {
					return
				}
			}
			_, _ = a.Close(), b.Close() // closing also ends the other direction
			return
		}
	}
	var both sync.WaitGroup
	both.Go(func() { one(a, b) })
	both.Go(func() { one(b, a) })
	both.Wait()
	_, _ = a.Close(), b.Close() // once more, if both only stopped sending
}
