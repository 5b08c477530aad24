package relay

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"
)

// ways are the ways to join: by events where there are any, and by goroutines.
var ways = map[string]func(a, b net.Conn, idle time.Duration, over func()){
	"as it is": func(a, b net.Conn, idle time.Duration, over func()) { Join(a, b, idle, over) },
	"copied": func(a, b net.Conn, idle time.Duration, over func()) {
		go func() { defer over(); copyBoth(a, b, idle) }()
	},
}

// kinds are connections with their other ends.
var kinds = map[string]func(t *testing.T) (near, far net.Conn){
	"tcp":  func(t *testing.T) (net.Conn, net.Conn) { return connected(t, "tcp", "127.0.0.1:0") },
	"unix": func(t *testing.T) (net.Conn, net.Conn) { return connected(t, "unix", filepath.Join(t.TempDir(), "s")) },
}

func connected(t *testing.T, network, addr string) (near, far net.Conn) {
	t.Helper()
	l, err := net.Listen(network, addr)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	near, err = net.Dial(network, l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	far, err = l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []net.Conn{near, far} {
		t.Cleanup(func() { _ = c.Close() })
		_ = c.SetDeadline(time.Now().Add(time.Minute)) // of the test, none of the relay
	}
	_ = far.SetDeadline(time.Time{})
	return near, far
}

type half interface{ CloseWrite() error }

// each runs a test with two clients that are joined, for all ways and kinds.
func each(t *testing.T, idle time.Duration, test func(t *testing.T, a, b net.Conn, over chan struct{})) {
	for way, join := range ways {
		for kind, connect := range kinds {
			t.Run(way+", "+kind, func(t *testing.T) {
				t.Parallel()
				a, nearA := connect(t)
				b, nearB := connect(t)
				over := make(chan struct{})
				join(nearA, nearB, idle, func() { close(over) })
				test(t, a, b, over)
			})
		}
	}
}

func wait(t *testing.T, over chan struct{}) {
	t.Helper()
	select {
	case <-over:
	case <-time.After(time.Minute):
		t.Fatal("it is not over")
	}
}

// All arrives, in order, both ways at once, in pieces of all sizes, with readers that take
// their time; and the end of one way is told while the other goes on.
func TestAllArrives(t *testing.T) {
	each(t, time.Minute, func(t *testing.T, a, b net.Conn, over chan struct{}) {
		const size = 5 << 20
		send := func(c net.Conn, seed uint64) (sum [32]byte) {
			r, h, left := rand.New(rand.NewPCG(seed, 1)), sha256.New(), size
			for left > 0 {
				piece := make([]byte, min(left, 1+r.IntN(1<<r.IntN(20))))
				for i := range piece {
					piece[i] = byte(r.Uint32())
				}
				h.Write(piece)
				if _, err := c.Write(piece); err != nil {
					t.Error(err)
					return
				}
				left -= len(piece)
			}
			if err := c.(half).CloseWrite(); err != nil {
				t.Error(err)
			}
			return [32]byte(h.Sum(nil))
		}
		take := func(c net.Conn) (sum [32]byte, n int64) {
			h := sha256.New()
			n, err := io.CopyBuffer(struct{ io.Writer }{h}, struct{ io.Reader }{c}, make([]byte, 1500))
			if err != nil {
				t.Error(err)
			}
			return [32]byte(h.Sum(nil)), n
		}
		var sent, got [2][32]byte
		var all sync.WaitGroup
		for i, c := range []net.Conn{a, b} {
			all.Go(func() { sent[i] = send(c, uint64(i)) })
			all.Go(func() {
				var n int64
				if got[1-i], n = take(c); n != size {
					t.Errorf("%d bytes of %d", n, size)
				}
			})
		}
		all.Wait()
		if sent != got {
			t.Error("what came is not what was sent")
		}
		wait(t, over)
	})
}

func TestHalf(t *testing.T) {
	each(t, time.Minute, func(t *testing.T, a, b net.Conn, over chan struct{}) {
		if _, err := a.Write([]byte("question")); err != nil {
			t.Fatal(err)
		}
		if err := a.(half).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		if q, err := io.ReadAll(b); err != nil || string(q) != "question" {
			t.Fatalf("%q, %v", q, err)
		}
		if _, err := b.Write([]byte("answer")); err != nil {
			t.Fatal(err)
		}
		b.Close()
		if q, err := io.ReadAll(a); err != nil || string(q) != "answer" {
			t.Errorf("%q, %v", q, err)
		}
		wait(t, over)
	})
}

func TestQuietEnds(t *testing.T) {
	const idle = 2 * time.Second
	each(t, idle, func(t *testing.T, a, b net.Conn, over chan struct{}) {
		last := time.Now() // what came last came after this
		for range 6 {      // one way is enough to be awake
			time.Sleep(400 * time.Millisecond) // a pause that is shorter than the limit is what is tested
			now := time.Now()
			_, err := a.Write([]byte("x"))
			if err == nil {
				_, err = io.ReadFull(b, make([]byte, 1))
			}
			if err != nil {
				if time.Since(last) >= idle { // the machine stood still for so long: it is right to end
					break
				}
				t.Fatal(err)
			}
			last = now
		}
		wait(t, over)
		if d := time.Since(last); d < idle {
			t.Errorf("over after %v", d)
		}
		if _, err := a.Read(make([]byte, 1)); err == nil {
			t.Error("one is open")
		}
	})
}

// What nobody takes is not kept: who sends has to wait.
func TestSlowReader(t *testing.T) {
	each(t, time.Minute, func(t *testing.T, a, b net.Conn, over chan struct{}) {
		_ = a.SetWriteDeadline(time.Now().Add(500 * time.Millisecond))
		sent, err := io.Copy(a, rand.NewChaCha8([32]byte{}))
		if !errors.Is(err, os.ErrDeadlineExceeded) || sent > 64<<20 {
			t.Errorf("%d bytes, %v", sent, err)
		}
		_ = a.SetWriteDeadline(time.Time{})
		a.Close()
		if n, err := io.Copy(io.Discard, b); n > sent || err != nil && !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("%d bytes of %d, %v", n, sent, err)
		}
		b.Close()
		wait(t, over)
	})
}

func TestBroken(t *testing.T) {
	each(t, time.Minute, func(t *testing.T, a, b net.Conn, over chan struct{}) {
		if tcp, ok := a.(*net.TCPConn); ok {
			if err := tcp.SetLinger(0); err != nil { // the other end gets a reset
				t.Fatal(err)
			}
		}
		a.Close()
		if _, err := io.Copy(io.Discard, b); err != nil && !errors.Is(err, syscall.ECONNRESET) {
			t.Error(err)
		}
		b.Close()
		wait(t, over)
	})
}

// What is no connection of the kernel's is joined, too.
func TestPipe(t *testing.T) {
	a, nearA := net.Pipe()
	b, nearB := connected(t, "tcp", "127.0.0.1:0")
	over := make(chan struct{})
	Join(nearA, nearB, 0, func() { close(over) })
	if _, err := a.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(b, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	a.Close()
	b.Close()
	wait(t, over)
}

// Many at once, that end in all ways, leave nothing behind.
func TestNothingIsLeft(t *testing.T) {
	loops := func() int {
		fds, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			return 0 // not on this system
		}
		return len(fds)
	}
	run := func() {
		var all sync.WaitGroup
		for i := range 100 {
			a, nearA := connected(t, "tcp", "127.0.0.1:0")
			b, nearB := connected(t, "tcp", "127.0.0.1:0")
			all.Add(1)
			Join(nearA, nearB, time.Minute, all.Done)
			all.Go(func() {
				text := bytes.Repeat([]byte("x"), i*1000)
				var both sync.WaitGroup
				both.Go(func() {
					if _, err := io.Copy(a, b2r(text)); err != nil {
						t.Error(err)
					}
					_ = a.(half).CloseWrite()
				})
				got, err := io.ReadAll(b)
				if err != nil || !bytes.Equal(got, text) {
					t.Errorf("%d: %d bytes, %v", i, len(got), err)
				}
				both.Wait()
				switch i % 3 {
				case 0:
					_ = b.(*net.TCPConn).SetLinger(0)
				case 1:
					_ = b.(half).CloseWrite()
					_, _ = io.ReadAll(a)
				}
				b.Close()
				a.Close()
			})
		}
		all.Wait()
	}
	run()
	before := loops()
	run()
	if after := loops(); after > before {
		t.Errorf("%d descriptors, %d before", after, before)
	}
}

func b2r(b []byte) io.Reader { return bytes.NewReader(b) }

// Who joined two connections can end them.
func TestStop(t *testing.T) {
	a, far := connected(t, "tcp", "127.0.0.1:0")
	b, other := connected(t, "tcp", "127.0.0.1:0")
	defer far.Close()
	defer other.Close()
	over := make(chan struct{})
	stop := Join(a, b, time.Hour, func() { close(over) })
	stop()
	<-over
	if n, err := far.Read(make([]byte, 1)); err == nil {
		t.Errorf("read %d", n)
	}
	stop() // once more does nothing
}
