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

// messages passes on one direction of a WebSocket (RFC 6455), and masks and checks its texts. A
// text may continue in the next frame, so part of a message may have to wait. It then follows in a
// separate frame, as RFC 6455 allows without extensions. Nothing of a complete message waits.
type messages struct {
	client bool // from a client, with masked frames
	masker
	look  func(text string) error // nil: no check
	seen  []byte                  // the text window to check: new data, and some before it
	fresh bool                    // there is new data

	in      []byte  // received data that is not read yet
	left    int     // remaining bytes of the current frame
	open    bool    // there is a current frame
	last    bool    // it is the last one of its message
	key     [4]byte // key of a client's frame
	turn    int     // position in key
	message bool    // a message has begun and not ended
	opcode  byte    // opcode of the next frame to write
}

const (
	wsClose = 8
	wsPong  = 10

	maxControl = 125      // size limit of a control frame
	maxPiece   = 32 << 10 // bytes of a frame to wait for
)

// errFrames means that frames violate the protocol.
var errFrames = errors.New("umpire inspects this connection, and can read only a WebSocket without extensions")

// feed takes received data and returns data to pass on, in whole frames.
func (m *messages) feed(b []byte) (out []byte, err error) {
	m.in = append(m.in, b...)
	out, err = m.frames()
	if stop := m.judge(); stop != nil {
		return nil, stop
	}
	return out, err
}

// frames reads the received frames.
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

// piece takes the next bytes of the current frame.
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

// control passes on a control frame, which is never fragmented.
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

// judge checks the new text together with the preceding one. It checks all of it at once: a sender
// of one-byte frames must not cause as many checks.
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

// readHead parses the header, and returns its length, or 0 if more data is needed.
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

// frame appends a frame for the receiver of the messages.
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

// closeFrame returns the frame with which a server closes a WebSocket for a reason.
func closeFrame(why error) []byte {
	text := why.Error()
	for text = text[:min(len(text), maxControl-2)]; !validText(text); {
		text = text[:len(text)-1]
	}
	m := messages{}
	return m.frame(nil, wsClose, true, append([]byte{1008 >> 8, 1008 & 0xff}, text...)) // policy violation
}

func validText(s string) bool { return strings.ToValidUTF8(s, "") == s }

// upgraded is the connection to a server that became a WebSocket. It checks the messages if
// required, and closes after a long pause.
type upgraded struct {
	io.ReadWriteCloser
	from, to *messages // nil: this direction is not checked
	idle     time.Duration
	quiet    *time.Timer
	closed   func(why error)

	out []byte // next bytes to return
	err error  // returned after out
}

// watchUpgrade makes the messages of an upgraded connection checked, like a response.
func (p *Proxy) watchUpgrade(a *http.Response, c Client, t Target, look, strict bool, hide []string) error {
	conn, ok := a.Body.(io.ReadWriteCloser)
	if !ok {
		return errors.New("an upgrade without a connection")
	}
	u := &upgraded{ReadWriteCloser: conn, idle: p.idle, closed: func(why error) {
		p.log.Warn("a WebSocket was closed", "client", c.Name, "target", t.Addr(), "error", why)
	}}
	if look || len(hide) > 0 {
		if how := a.Header.Get("Sec-WebSocket-Extensions"); how != "" { // the client did not offer it
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
			u.out, u.err = append(u.out, closeFrame(fault)...), fault
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
