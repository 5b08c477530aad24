package relay

import (
	"errors"
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Work of a loop for one connection before it serves the others.
const (
	moveSize = 64 << 10 // bytes at a time
	moves    = 8
)

// maxLoops limits the number of loops. One can use a whole processor.
const maxLoops = 4

// loop is a thread that serves many connections. Two goroutines per pair would be woken one by one,
// and use ten times the memory.
type loop struct {
	epoll int

	mu   sync.Mutex // guards the fields below, and those of all ends
	ends []*end     // by the number in their events; nil for a free number
	free []int32    // the free numbers
	more []*end     // ends that probably have more to read
	over []func()
	now  time.Time
	buf  [moveSize]byte
}

// pair is two connections that are joined.
type pair struct {
	loop   *loop
	ends   [2]end
	idle   time.Duration
	last   time.Time // time of the last data
	quiet  *time.Timer
	over   func()
	closed bool
}

// end is one connection of a pair.
type end struct {
	pair  *pair
	other *end
	fd    int
	at    int32 // in the loop's list
	tcp   bool
	held  []byte // data that the peer sent and this end could not accept yet, at most moveSize
	done  bool   // it has stopped sending
	more  bool   // it is in the list more
}

// loops are started when they are first needed.
var loops = sync.OnceValue(func() (list []*loop) {
	for range min(max(runtime.GOMAXPROCS(0)/2, 1), maxLoops) {
		fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
		if err != nil {
			break // use the loops that started, or goroutines
		}
		l := &loop{epoll: fd}
		go l.run()
		list = append(list, l)
	}
	return list
})

var turn atomic.Uint32

// handOver gives both connections to a loop, unless they have no descriptors.
func handOver(a, b net.Conn, idle time.Duration, over func()) (stop func(), ok bool) {
	list := loops()
	if len(list) == 0 {
		return nil, false
	}
	p := &pair{loop: list[int(turn.Add(1))%len(list)], idle: idle, over: over}
	for i, c := range []net.Conn{a, b} {
		fd, err := duplicate(c)
		if err != nil {
			if i > 0 {
				_ = unix.Close(p.ends[0].fd)
			}
			return nil, false
		}
		_, tcp := c.(*net.TCPConn)
		p.ends[i] = end{pair: p, fd: fd, tcp: tcp, other: &p.ends[1-i]}
	}
	if p.loop.add(p) != nil {
		_, _ = unix.Close(p.ends[0].fd), unix.Close(p.ends[1].fd)
		return nil, false
	}
	_, _ = a.Close(), b.Close() // the loop has duplicates
	return p.stop, true
}

func (p *pair) stop() {
	p.loop.mu.Lock()
	p.loop.end(p)
	p.loop.finish()
}

// duplicate returns a descriptor of a connection that Go's own poller knows nothing of.
func duplicate(c net.Conn) (fd int, err error) {
	s, ok := c.(syscall.Conn)
	if !ok {
		return 0, errors.ErrUnsupported
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return 0, err
	}
	refused := raw.Control(func(f uintptr) { fd, err = unix.FcntlInt(f, unix.F_DUPFD_CLOEXEC, 0) })
	return fd, errors.Join(refused, err)
}

func (l *loop) add(p *pair) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	p.last = time.Now()
	for i := range p.ends {
		e := &p.ends[i]
		if n := len(l.free); n > 0 {
			e.at, l.free = l.free[n-1], l.free[:n-1]
		} else {
			e.at = int32(len(l.ends)) //nolint:gosec // there are not that many descriptors
			l.ends = append(l.ends, nil)
		}
		// Edge-triggered: data that is there already counts as a change.
		err := unix.EpollCtl(l.epoll, unix.EPOLL_CTL_ADD, e.fd, &unix.EpollEvent{Fd: e.at, Events: unix.EPOLLIN | unix.EPOLLOUT | unix.EPOLLRDHUP | unix.EPOLLET})
		if err != nil {
			if i > 0 { // closing does not remove it, because the connection has another descriptor
				_ = unix.EpollCtl(l.epoll, unix.EPOLL_CTL_DEL, p.ends[0].fd, nil)
				l.drop(&p.ends[0])
			}
			l.drop(e)
			return err
		}
		l.ends[e.at] = e
	}
	if p.idle > 0 {
		p.quiet = time.AfterFunc(p.idle, p.endIfIdle)
	}
	return nil
}

// drop removes an end from the list. A late event for it only causes a useless read.
func (l *loop) drop(e *end) {
	l.ends[e.at] = nil
	l.free = append(l.free, e.at)
}

// endIfIdle ends a pair that has been idle for too long.
func (p *pair) endIfIdle() {
	p.loop.mu.Lock()
	left := p.idle - time.Since(p.last)
	switch {
	case p.closed:
	case left > 0:
		p.quiet.Reset(left)
	default:
		p.loop.end(p)
	}
	p.loop.finish()
}

// finish releases the lock and reports the pairs that have ended.
func (l *loop) finish() {
	over := l.over
	l.over = nil
	l.mu.Unlock()
	for _, f := range over {
		f()
	}
}

// run waits and passes on.
func (l *loop) run() {
	runtime.LockOSThread()
	// As a batch job (sched(7)), the loop does not interrupt senders and receivers on the same
	// processor, so each wake-up has more to do. It also works without.
	_ = unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_BATCH}, 0)
	events := make([]unix.EpollEvent, 256)
	for {
		wait := -1
		if len(l.more) > 0 { // only this goroutine adds to it
			wait = 0
		}
		n, err := unix.EpollWait(l.epoll, events, wait)
		if err != nil && !errors.Is(err, unix.EINTR) {
			panic(err) // the descriptor is invalid, so nothing can be relied on
		}
		l.mu.Lock()
		l.now = time.Now()
		more := l.more
		l.more = nil
		for _, e := range more {
			e.more = false
			l.read(e, true)
		}
		for _, ev := range events[:max(n, 0)] {
			e := l.ends[ev.Fd]
			if e == nil {
				continue // it ended since
			}
			if ev.Events&unix.EPOLLOUT != 0 && len(e.held) > 0 {
				l.flush(e)
			}
			if ev.Events&^unix.EPOLLOUT != 0 {
				l.read(e, ev.Events&^(unix.EPOLLIN|unix.EPOLLOUT) != 0)
			}
		}
		l.finish()
	}
}

// read forwards the data of an end. A TCP read that returns less than it could was the last one
// (epoll(7)), except before a known end of the stream, which is not reported again.
func (l *loop) read(e *end, all bool) {
	to := e.other
	for range moves {
		if e.pair.closed || e.done || len(to.held) > 0 {
			return
		}
		n, err := at(unix.SYS_READ, e.fd, l.buf[:])
		switch {
		case errors.Is(err, unix.EAGAIN):
			return
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			l.end(e.pair)
			return
		case n == 0:
			e.done = true
			l.stop(to)
			return
		}
		e.pair.last = l.now
		if l.write(to, l.buf[:n]) < n || n < moveSize && e.tcp && !all {
			return
		}
	}
	if !e.more { // others first
		e.more = true
		l.more = append(l.more, e)
	}
}

// at makes a nonblocking system call that reads or writes, without informing Go's scheduler.
func at(call uintptr, fd int, b []byte) (int, error) {
	n, _, errno := unix.RawSyscall(call, uintptr(fd), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)))
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}

// write sends as much as possible, and holds the rest.
func (l *loop) write(to *end, b []byte) int {
	n, err := at(unix.SYS_WRITE, to.fd, b)
	for errors.Is(err, unix.EINTR) {
		n, err = at(unix.SYS_WRITE, to.fd, b)
	}
	if errors.Is(err, unix.EAGAIN) {
		n, err = 0, nil
	}
	if err != nil {
		l.end(to.pair)
		return 0
	}
	if n < len(b) {
		to.held = append([]byte(nil), b[n:]...)
	}
	return n
}

// flush sends held data, and continues with the peer's.
func (l *loop) flush(e *end) {
	held := e.held
	e.held = nil
	e.pair.last = l.now
	if l.write(e, held) < len(held) || e.pair.closed {
		return
	}
	l.read(e.other, true)
}

// stop shuts an end down for writing. All data has been written.
func (l *loop) stop(e *end) {
	if unix.Shutdown(e.fd, unix.SHUT_WR) != nil || e.done {
		l.end(e.pair)
	}
}

// end closes both.
func (l *loop) end(p *pair) {
	if p.closed {
		return
	}
	p.closed = true
	if p.quiet != nil {
		p.quiet.Stop()
	}
	for i := range p.ends {
		l.drop(&p.ends[i])
		_ = unix.Close(p.ends[i].fd) // the peer has left
	}
	l.over = append(l.over, p.over)
}
