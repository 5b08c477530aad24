package egress

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// chunk is how much is copied between two looks at the clock, in bytes: the kernel moves
// it without this program, so it is large.
const chunk = 4 << 20

// relay copies both ways until both sides are done, or nothing came either way for as
// long as idle. Who stops sending may still receive.
func relay(a, b net.Conn, idle time.Duration) {
	var last atomic.Int64
	last.Store(time.Now().UnixNano())
	one := func(to, from net.Conn) {
		for {
			_ = from.SetReadDeadline(time.Now().Add(idle))
			_ = to.SetWriteDeadline(time.Now().Add(idle))
			n, err := io.CopyN(to, from, chunk)
			if n > 0 {
				last.Store(time.Now().UnixNano())
			}
			if err == nil || errors.Is(err, os.ErrDeadlineExceeded) && time.Since(time.Unix(0, last.Load())) < idle {
				continue
			}
			if errors.Is(err, io.EOF) {
				if half, ok := to.(interface{ CloseWrite() error }); ok && half.CloseWrite() == nil {
					return
				}
			}
			_, _ = a.Close(), b.Close()
			return
		}
	}
	var both sync.WaitGroup
	both.Go(func() { one(a, b) })
	both.Go(func() { one(b, a) })
	both.Wait()
}

// joined is a connection of which some was read already, and that tells when it is closed,
// by the server or by whoever took it over.
type joined struct {
	net.Conn
	r      io.Reader
	once   sync.Once
	closed chan struct{}
}

func (j *joined) Close() error {
	j.once.Do(func() { close(j.closed) })
	return j.Conn.Close()
}

func (j *joined) Read(b []byte) (int, error) { return j.r.Read(b) }

// single is a listener for one connection that is there.
type single struct {
	conn net.Conn
	done chan struct{}
	once sync.Once
}

func (s *single) Accept() (c net.Conn, err error) {
	s.once.Do(func() { c = s.conn })
	if c != nil {
		return c, nil
	}
	<-s.done
	return nil, net.ErrClosed
}

func (s *single) Close() error   { return nil }
func (s *single) Addr() net.Addr { return s.conn.LocalAddr() }
