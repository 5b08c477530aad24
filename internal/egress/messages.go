package egress

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"
)

// messages passes on one way of a WebSocket (RFC 6455), with texts hidden in it and looked
// at. A text may begin in one frame and end in the next: what of a message has to wait is
// given as a frame of its own, as whoever stands between two ends may do where no extension
// was agreed on. Nothing of a message that has ended waits.
type messages struct {
	client bool // from a client, whose frames are masked
	masker
	look  func(text string) error // nil: nobody looks
	seen  []byte                  // the judged window: new data, and some of the data before it
	fresh bool                    // something came

	in      []byte  // what came and is not read yet
	left    int     // of the frame that is read
	open    bool    // there is one
	last    bool    // it ends its message
	key     [4]byte // of a client's frame
	turn    int     // in key
	message bool    // one began and has not ended
	opcode  byte    // of the next frame to be given
}

const (
	wsClose = 8
	wsPong  = 10

	maxControl = 125      // bytes of a frame about the connection itself
	maxPiece   = 32 << 10 // of a frame, that are waited for
)

// errFrames is that frames are not what they have to be to be read.
var errFrames = errors.New("umpire inspects this connection, and can read only a WebSocket without extensions")

// feed takes what came and returns what may be given, in whole frames.
func (m *messages) feed(b []byte) (out []byte, err error) {
	m.in = append(m.in, b...)
	out, err = m.frames()
	if stop := m.judge(); stop != nil {
		return nil, stop
	}
	return out, err
}

// frames reads those that came.
func (m *messages) frames() (out []byte, err error) {
	rest := m.in
	defer func() { m.in = append(m.in[:0], rest...) }()
	for {
		if !m.open {
			h, n, err := readHead(rest, m.client)
			if err != nil || n == 0 {
				return out, err
			}
			if h.opcode >= wsClose {
				if len(rest) < n+h.size {
					return out, nil
				}
				out = m.control(out, &h, rest[n:n+h.size])
				rest = rest[n+h.size:]
				continue
			}
			if (h.opcode == 0) != m.message {
				return out, errFrames
			}
			if h.opcode != 0 {
				m.opcode = h.opcode
			}
			rest = rest[n:]
			m.open, m.message, m.left, m.last, m.key, m.turn = true, true, h.size, h.final, h.key, 0
		}
		n := min(m.left, maxPiece)
		if len(rest) < n {
			return out, nil
		}
		out = m.piece(out, rest[:n])
		rest = rest[n:]
	}
}

// piece takes the next bytes of the frame that is read.
func (m *messages) piece(out, b []byte) []byte {
	if m.client {
		for i := range b {
			b[i] ^= m.key[(m.turn+i)%4]
		}
		m.turn += len(b)
	}
	m.left -= len(b)
	m.open = m.left > 0
	end := !m.open && m.last
	if m.look != nil {
		m.seen, m.fresh = append(m.seen, b...), true
		if end {
			m.seen = append(m.seen, '\n')
		}
	}
	m.add(b)
	if given := m.ready(end); len(given) > 0 || end {
		out = m.frame(out, m.opcode, end, given)
		m.opcode = 0
	}
	m.message = !end
	return out
}

// control gives a frame about the connection itself, which is never one of many.
func (m *messages) control(out []byte, h *head, b []byte) []byte {
	m.key = h.key
	one := masker{hide: m.hide}
	if m.client {
		for i := range b {
			b[i] ^= h.key[i%4]
		}
	}
	one.add(b)
	return m.frame(out, h.opcode, true, one.ready(true))
}

// judge looks at what came, with what came before it. All of it is looked at together: who
// sends frames of one byte is not to have as many looks.
func (m *messages) judge() error {
	if !m.fresh {
		return nil
	}
	m.fresh = false
	if err := m.look(plainText(slices.Clone(m.seen))); err != nil {
		return &stoppedError{err}
	}
	m.seen = append(m.seen[:0], m.seen[max(len(m.seen)-lookBack, 0):]...)
	return nil
}

// head is the header of a frame.
type head struct {
	final  bool
	opcode byte
	size   int
	key    [4]byte
}

// readHead reads it, and returns how long it is: 0 if there is more to come.
func readHead(b []byte, client bool) (h head, n int, err error) {
	if len(b) < 2 {
		return h, 0, nil
	}
	h.final, h.opcode, h.size = b[0]&0x80 != 0, b[0]&0xf, int(b[1]&0x7f)
	about := h.opcode >= wsClose
	if b[0]&0x70 != 0 || (b[1]&0x80 != 0) != client || h.opcode > 2 && !about || h.opcode > wsPong || about && (!h.final || h.size > maxControl) {
		return h, 0, errFrames
	}
	n = 2
	switch h.size {
	case 126:
		n = 4
	case 127:
		n = 10
	}
	keyAt := n
	if client {
		n += 4
	}
	if len(b) < n {
		return h, 0, nil
	}
	switch h.size {
	case 126:
		h.size = int(binary.BigEndian.Uint16(b[2:]))
	case 127:
		size := binary.BigEndian.Uint64(b[2:])
		if size > math.MaxInt {
			return h, 0, errFrames
		}
		h.size = int(size)
	}
	copy(h.key[:], b[keyAt:n])
	return h, n, nil
}

// frame writes one, for who the messages are for.
func (m *messages) frame(out []byte, opcode byte, final bool, b []byte) []byte {
	if final {
		opcode |= 0x80
	}
	var masked byte
	if m.client {
		masked = 0x80
	}
	switch out = append(out, opcode); {
	case len(b) <= maxControl:
		out = append(out, masked|byte(len(b)))
	case len(b) < 1<<16:
		out = binary.BigEndian.AppendUint16(append(out, masked|126), uint16(len(b)))
	default:
		out = binary.BigEndian.AppendUint64(append(out, masked|127), uint64(len(b)))
	}
	if !m.client {
		return append(out, b...)
	}
	out = append(out, m.key[:]...)
	for i, c := range b {
		out = append(out, c^m.key[i%4])
	}
	return out
}

// farewell is the frame that ends a WebSocket for a reason, as servers send it.
func farewell(why error) []byte {
	text := why.Error()
	for text = text[:min(len(text), maxControl-2)]; !validText(text); {
		text = text[:len(text)-1]
	}
	m := messages{}
	return m.frame(nil, wsClose, true, append([]byte{1008 >> 8, 1008 & 0xff}, text...)) // against a policy
}

func validText(s string) bool { return strings.ToValidUTF8(s, "") == s }

// upgraded is the connection to a server that became a WebSocket. What passes by it is
// looked into, if anybody has to; and it ends if nothing does for too long.
type upgraded struct {
	io.ReadWriteCloser
	from, to *messages // nil: what the server sends, or the client, is not looked into
	idle     time.Duration
	quiet    *time.Timer
	closed   func(why error)

	out []byte // to be given
	err error  // after that
}

// watchUpgrade has a connection that was upgraded looked into, as its answer would have been.
func (p *Proxy) watchUpgrade(a *http.Response, c Client, t Target, look, strict bool, hide []string) error {
	conn, ok := a.Body.(io.ReadWriteCloser)
	if !ok {
		return errors.New("an upgrade without a connection")
	}
	u := &upgraded{ReadWriteCloser: conn, idle: p.idle, closed: func(why error) {
		p.log.Warn("a WebSocket was closed", "client", c.Name, "target", t.Addr(), "error", why)
	}}
	if look || len(hide) > 0 {
		if how := a.Header.Get("Sec-WebSocket-Extensions"); how != "" { // nobody asked for it
			return errEncoded(how)
		}
		u.from = &messages{masker: masker{hide: hide}}
	}
	if look {
		u.to = &messages{client: true, look: p.looker(a.Request.Context(), c, t, false, strict)}
		u.from.look = p.looker(a.Request.Context(), c, t, true, strict)
	}
	u.quiet = time.AfterFunc(p.idle, func() { _ = conn.Close() }) // wakes the waiting reader
	a.Body = u
	return nil
}

func (u *upgraded) Read(b []byte) (int, error) {
	for len(u.out) == 0 && u.err == nil {
		n, err := u.ReadWriteCloser.Read(b)
		u.quiet.Reset(u.idle)
		u.err = err
		if u.from == nil {
			return n, err
		}
		var fault error
		if u.out, fault = u.from.feed(b[:n]); fault != nil {
			u.closed(fault)
			u.out, u.err = append(u.out, farewell(fault)...), fault
		}
	}
	n := copy(b, u.out)
	u.out = u.out[n:]
	if n > 0 {
		return n, nil
	}
	return 0, u.err
}

func (u *upgraded) Write(b []byte) (int, error) {
	u.quiet.Reset(u.idle)
	if u.to == nil {
		return u.ReadWriteCloser.Write(b)
	}
	out, fault := u.to.feed(b)
	_, err := u.ReadWriteCloser.Write(out)
	if fault != nil {
		u.closed(fault)
		err = fault
	}
	if err != nil {
		return 0, err
	}
	return len(b), nil
}

// CloseWrite ends the client's direction; the server may still send.
func (u *upgraded) CloseWrite() error {
	if half, ok := u.ReadWriteCloser.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

func (u *upgraded) Close() error {
	u.quiet.Stop()
	return u.ReadWriteCloser.Close()
}
