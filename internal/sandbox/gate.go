package sandbox

import (
	"context"
	"net"
	"time"

	"github.com/umpire-dev/umpire/internal/relay"
)

// maxPassed limits the concurrent forwarded connections: a sandbox may open many.
const maxPassed = 512

// PassOn forwards connections from a listener to an address until the listener is closed.
// Connections beyond the limit wait.
func PassOn(ctx context.Context, l net.Listener, network, addr string) {
	open := make(chan struct{}, maxPassed)
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		open <- struct{}{} // others wait in the kernel
		go pass(ctx, c, network, addr, func() { <-open })
	}
}

func pass(ctx context.Context, c net.Conn, network, addr string, over func()) {
	out, err := (&net.Dialer{Timeout: 10 * time.Second}).DialContext(ctx, network, addr)
	if err != nil {
		_ = c.Close() // the program sees the end
		over()
		return
	}
	relay.Join(c, out, 0, over)
}
