//go:build amd64 || arm64

package sandbox

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// allLocal makes the kernel treat every address of a family as local: a connection without a
// listener is refused at once, instead of being unreachable.
func allLocal(family uint8) error {
	s, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_ROUTE)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(s) }()
	lo, err := net.InterfaceByName("lo")
	if err != nil {
		return err
	}
	type request struct {
		head  unix.NlMsghdr
		route unix.RtMsg
		attr  unix.RtAttr
		link  uint32
	}
	r := request{
		head:  unix.NlMsghdr{Type: unix.RTM_NEWROUTE, Flags: unix.NLM_F_REQUEST | unix.NLM_F_CREATE | unix.NLM_F_ACK, Seq: 1},
		route: unix.RtMsg{Family: family, Table: unix.RT_TABLE_LOCAL, Protocol: unix.RTPROT_STATIC, Scope: unix.RT_SCOPE_HOST, Type: unix.RTN_LOCAL},
		attr:  unix.RtAttr{Len: 8, Type: unix.RTA_OIF},
		link:  uint32(lo.Index),
	}
	r.head.Len = uint32(unsafe.Sizeof(r))
	b := unsafe.Slice((*byte)(unsafe.Pointer(&r)), unsafe.Sizeof(r))
	if err := unix.Sendto(s, b, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return err
	}
	in := make([]byte, 4096)
	n, _, err := unix.Recvfrom(s, in, 0)
	if err != nil {
		return err
	}
	if n < unix.NLMSG_HDRLEN+4 {
		return errors.New("the kernel's answer is cut short")
	}
	if code := int32(binary.NativeEndian.Uint32(in[unix.NLMSG_HDRLEN:])); code != 0 {
		return unix.Errno(-code)
	}
	return nil
}

// asked reports a query without an answer here.
func (w *ways) asked(what, name string) {
	w.tally.addOf(Event{Kind: Network, What: what, Target: name})
}

// resolveUDP answers name queries to any server. The answer comes from that server's address.
func (w *ways) resolveUDP() error {
	for _, network := range []struct {
		name, addr       string
		level, info, get int
	}{{"udp4", "0.0.0.0:53", unix.IPPROTO_IP, unix.IP_PKTINFO, unix.IP_PKTINFO}, {"udp6", "[::]:53", unix.IPPROTO_IPV6, unix.IPV6_RECVPKTINFO, unix.IPV6_PKTINFO}} {
		ctl := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) error {
			var err error
			return errors.Join(c.Control(func(fd uintptr) { err = unix.SetsockoptInt(int(fd), network.level, network.info, 1) }), err)
		}}
		l, err := ctl.ListenPacket(context.Background(), network.name, network.addr)
		if err != nil {
			if network.name == "udp6" && w.port6 == 0 {
				continue // there is none
			}
			return err
		}
		b, oob := make([]byte, 4096), make([]byte, 256)
		if err := w.read(l.(*net.UDPConn), func(s int) error {
			n, o, _, from, err := unix.Recvmsg(s, b, oob, unix.MSG_DONTWAIT)
			if err != nil {
				return err
			}
			if out := w.names.answer(b[:n], w.asked); out != nil {
				_ = unix.Sendmsg(s, out, oob[:o], from, unix.MSG_DONTWAIT) // the client may have left
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// packets are the packets that arrive at a socket.
type packets struct {
	conn interface {
		syscall.Conn
		SetReadDeadline(time.Time) error
	}
	take  func(socket int) error // takes one packet, without waiting
	ended *atomic.Bool           // the program has ended
	over  chan struct{}          // closed when no one waits for more
}

// read calls take for every packet that arrives, from one goroutine.
func (w *ways) read(conn interface {
	syscall.Conn
	SetReadDeadline(time.Time) error
}, take func(socket int) error) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	p := packets{conn, take, new(atomic.Bool), make(chan struct{})}
	w.packets = append(w.packets, p)
	go func() {
		defer close(p.over)
		_ = raw.Read(func(s uintptr) bool { // ends with the deadline that [ways.settle] sets
			for !p.ended.Load() && p.drain(int(s), maxSettled) {
			}
			return false
		})
	}()
	return nil
}

// drain takes the queued packets, but at most most, and reports whether there may be more.
func (p packets) drain(s, most int) bool {
	// An error may belong to an earlier packet, so stop after two.
	for failed := 0; most > 0; most-- {
		if p.take(s) == nil {
			failed = 0
		} else if failed++; failed == 2 {
			return false
		}
	}
	return true
}

// maxSettled limits the packets of a socket that umpire reads after the program's end: processes
// that it left behind may continue to send.
const maxSettled = 4096

// reportUnanswered reports the packets that the program sent without waiting.
func (w *ways) reportUnanswered() {
	for _, p := range w.packets {
		p.ended.Store(true)
		if p.conn.SetReadDeadline(time.Unix(1, 0)) != nil {
			continue
		}
		<-p.over
		if raw, err := p.conn.SyscallConn(); err == nil {
			_ = raw.Control(func(s uintptr) { p.drain(int(s), maxSettled) })
		}
	}
}

// maxQuestions limits the queries of one connection.
const maxQuestions = 1000

// resolveTCP answers name queries over TCP.
func (w *ways) resolveTCP(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	for range maxQuestions {
		_ = conn.SetDeadline(time.Now().Add(beginTime))
		var size [2]byte
		if _, err := io.ReadFull(conn, size[:]); err != nil {
			return
		}
		b := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(conn, b); err != nil {
			return
		}
		out := w.names.answer(b, w.asked)
		if out == nil {
			return
		}
		if _, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(out))), out...)); err != nil {
			return
		}
	}
}

// watchPackets reports UDP packets that reach no one. The kernel refuses them: every address is
// local, without a listener. A raw socket gets a copy of each; a packet socket would delay the end
// of the sandbox.
func (w *ways) watchPackets() error {
	for _, family := range []int{unix.AF_INET, unix.AF_INET6} {
		if family == unix.AF_INET6 && w.port6 == 0 {
			continue
		}
		s, err := unix.Socket(family, unix.SOCK_RAW|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, unix.IPPROTO_UDP)
		if err != nil {
			return err
		}
		if family == unix.AF_INET6 {
			err = unix.SetsockoptInt(s, unix.IPPROTO_IPV6, unix.IPV6_RECVPKTINFO, 1)
		} else {
			err = unix.SetsockoptInt(s, unix.IPPROTO_IP, unix.IP_PKTINFO, 1)
		}
		if err != nil {
			return errors.Join(err, unix.Close(s))
		}
		b, oob := make([]byte, snap), make([]byte, 256)
		if err := w.read(os.NewFile(uintptr(s), "packets"), func(s int) error {
			n, o, _, _, err := unix.Recvmsg(s, b, oob, unix.MSG_DONTWAIT)
			if err != nil {
				return err
			}
			if to, ok := packetTo(b[:n], oob[:o]); ok && !to.Addr().IsLoopback() && to.Port() != 53 {
				w.tally.addOf(Event{Kind: Network, What: "udp", Target: to.String(), Why: "only TCP leaves the sandbox"})
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// snap is the number of bytes that umpire reads of a packet: an IPv4 header comes first.
const snap = 64

// packetTo returns the destination of a UDP packet from a raw socket. Some packets are answers to
// name queries.
func packetTo(b, oob []byte) (to netip.AddrPort, ok bool) {
	list, err := unix.ParseSocketControlMessage(oob)
	if err != nil || len(list) != 1 {
		return to, false
	}
	var a netip.Addr
	switch m := list[0]; {
	case m.Header.Type == unix.IP_PKTINFO && len(m.Data) >= unix.SizeofInet4Pktinfo:
		a = netip.AddrFrom4([4]byte(m.Data[8:12]))
		if len(b) == 0 || len(b) < int(b[0]&0xf)*4 {
			return to, false
		}
		b = b[int(b[0]&0xf)*4:]
	case m.Header.Type == unix.IPV6_PKTINFO && len(m.Data) >= unix.SizeofInet6Pktinfo:
		a = netip.AddrFrom16([16]byte(m.Data[:16]))
	default:
		return to, false
	}
	if len(b) < 4 || binary.BigEndian.Uint16(b) == 53 {
		return to, false
	}
	return netip.AddrPortFrom(a, binary.BigEndian.Uint16(b[2:])), true
}
