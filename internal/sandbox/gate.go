package sandbox

import (
	"context"
	"io"
	"net"
	"sync"
	"time"
)

// maxPassed bounds the connections that are passed on at a time: a box may open many.
const maxPassed = 512

// PassOn takes connections from a listener and passes what comes on to an address, until
// the listener is closed. Who finds no place waits.
func PassOn(ctx context.Context, l net.Listener, network, addr string) {
	open := make(chan struct{}, maxPassed)
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		open <- struct{}{} // until then others wait in the kernel
		go func() {
			defer func() { <-open }()
			pass(ctx, c, network, addr)
		}()
	}
}

func pass(ctx context.Context, c net.Conn, network, addr string) {
	defer func() { _ = c.Close() }()
	out, err := (&net.Dialer{Timeout: 10 * time.Second}).DialContext(ctx, network, addr)
	if err != nil {
		return
	}
	defer func() { _ = out.Close() }()
	join(c, out, out)
}

// join passes on what comes either way, until both sides are done. What comes from out is
// read from r.
func join(c, out net.Conn, r io.Reader) {
	one := func(to net.Conn, from io.Reader) {
		_, _ = io.Copy(to, from) // its end is told to the other side
		if half, ok := to.(interface{ CloseWrite() error }); ok {
			_ = half.CloseWrite()
		}
	}
	var both sync.WaitGroup
	both.Go(func() { one(out, c) })
	both.Go(func() { one(c, r) })
	both.Wait()
}
