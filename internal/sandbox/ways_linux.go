//go:build amd64 || arm64

package sandbox

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/umpire-dev/umpire/internal/relay"
)

// ways redirects connections of programs that ignore the proxy to the proxy.
type ways struct {
	through   Through
	tally     *tally
	names     names
	redirects redirects
	port4     int // port on 127.0.0.1 for redirected connections
	port6     int // on ::1; 0 without IPv6
	packets   []packets
}

// openWays makes every address local to the sandbox. This process answers name queries to any
// server, [ways.connect] redirects connections to this process, and the kernel refuses everything
// else at once.
func openWays(c *Config, t *tally) (*ways, error) {
	w := &ways{tally: t}
	if c.Through == nil {
		return w, nil
	}
	w.through = *c.Through
	for _, family := range []uint8{unix.AF_INET, unix.AF_INET6} {
		if err := allLocal(family); err != nil && (family == unix.AF_INET || !noIPv6(err)) {
			return w, c.need(t, "transparent", step("make every address the box's own", err))
		}
	}
	var ctl net.ListenConfig
	ctl.SetMultipathTCP(false)
	ctx := context.Background()
	l, err := ctl.Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, step("listen for connections", err)
	}
	w.port4 = l.Addr().(*net.TCPAddr).Port
	go w.accept(l)
	if l, err := ctl.Listen(ctx, "tcp6", "[::1]:0"); err == nil {
		w.port6 = l.Addr().(*net.TCPAddr).Port
		w.names.six = true
		go w.accept(l)
	}
	dns, err := ctl.Listen(ctx, "tcp4", "127.0.0.1:53")
	if err != nil {
		return nil, step("answer for names", err)
	}
	go func() {
		slots := make(chan struct{}, maxPassed)
		for {
			slots <- struct{}{} // others wait in the kernel
			conn, err := dns.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { <-slots }()
				w.resolveTCP(conn)
			}()
		}
	}()
	if err := w.resolveUDP(); err != nil {
		return nil, step("answer for names", err)
	}
	return w, step("see packets that go nowhere", w.watchPackets())
}

func noIPv6(err error) bool {
	return errors.Is(err, unix.EAFNOSUPPORT) || errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENODEV) || errors.Is(err, unix.EACCES)
}

// redirectAddress returns the address to which a connection is redirected, for a socket of that family.
func (w *ways) redirectAddress(domain int, to netip.AddrPort) unix.Sockaddr {
	switch {
	case domain == unix.AF_INET:
		return &unix.SockaddrInet4{Port: w.port4, Addr: [4]byte{127, 0, 0, 1}}
	case to.Addr().Is4():
		return &unix.SockaddrInet6{Port: w.port4, Addr: netip.MustParseAddr("::ffff:127.0.0.1").As16()}
	}
	return &unix.SockaddrInet6{Port: w.port6, Addr: netip.IPv6Loopback().As16()}
}

func (w *ways) accept(l net.Listener) {
	slots := make(chan struct{}, maxPassed)
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		slots <- struct{}{} // others wait in the kernel
		go w.redirectToProxy(conn.(*net.TCPConn), func() { <-slots })
	}
}

// Time limits of a redirected connection.
const (
	answerTime = 2 * time.Minute // of the proxy, which may ask a person
	beginTime  = 10 * time.Second
)

// redirectToProxy asks the proxy for a connection, and passes on the data. It reports a refusal in the
// program's protocol, if possible.
func (w *ways) redirectToProxy(conn *net.TCPConn, over func()) {
	joined := false
	defer func() {
		if !joined {
			_ = conn.Close() // all data was sent
			over()
		}
	}()
	from, _ := netip.ParseAddrPort(conn.RemoteAddr().String())
	to, ok := w.redirects.take(netip.AddrPortFrom(from.Addr().Unmap(), from.Port()))
	if !ok {
		return // another process found the port
	}
	if to.Port() == 53 {
		w.resolveTCP(conn)
		return
	}
	host, ok := w.names.of(to.Addr())
	if !ok {
		w.tally.add(Event{Kind: Network, What: "tcp", Target: to.String(), Why: "no name resolved to this address"})
		_ = conn.SetLinger(0)
		return
	}
	target := net.JoinHostPort(host, strconv.Itoa(int(to.Port())))
	out, err := net.DialTimeout("unix", socketOf(w.through.Gate), beginTime) //nolint:noctx // it has a deadline
	if err != nil {
		w.tally.add(Event{Kind: Network, What: "tcp", Target: target, Why: "the proxy does not answer"})
		_ = conn.SetLinger(0)
		return
	}
	defer func() {
		if !joined {
			_ = out.Close() // nothing important was sent
		}
	}()
	answer, r, err := w.ask(out, target)
	if err != nil {
		w.tally.add(Event{Kind: Network, What: "tcp", Target: target, Why: "the proxy: " + err.Error()})
		_ = conn.SetLinger(0)
		return
	}
	if answer.status == 200 {
		if first, err := r.Peek(r.Buffered()); err == nil && len(first) > 0 { // a server that speaks first
			if _, err := conn.Write(first); err != nil {
				return
			}
		}
		joined = true
		relay.Join(conn, out, 0, over)
		return
	}
	w.tally.add(Event{Kind: Network, What: "tcp", Target: target, Why: answer.why()})
	answer.refuse(conn)
}

// ask opens a tunnel. The returned reader has the bytes after the proxy's answer.
func (w *ways) ask(out net.Conn, target string) (*refusal, *bufio.Reader, error) {
	_ = out.SetDeadline(time.Now().Add(answerTime))
	by := base64.StdEncoding.EncodeToString([]byte(w.through.User + ":" + w.through.Password))
	if _, err := fmt.Fprintf(out, "CONNECT %s HTTP/1.1\r\nHost: %s\r\nProxy-Authorization: Basic %s\r\n\r\n", target, target, by); err != nil {
		return nil, nil, err
	}
	r := bufio.NewReaderSize(out, maxAnswer)
	answer, err := readAnswer(r)
	_ = out.SetDeadline(time.Time{})
	return answer, r, err
}

// maxAnswer limits a proxy's response to CONNECT, in bytes.
const maxAnswer = 16 << 10

// refusal is a proxy's response with a status other than 200.
type refusal struct {
	status int
	line   string // its status line
	body   []byte
}

// readAnswer reads a proxy's response, and the body of a refusal.
func readAnswer(r *bufio.Reader) (*refusal, error) {
	line := func() (string, error) {
		b, err := r.ReadSlice('\n')
		return strings.TrimRight(string(b), "\r\n"), err
	}
	first, err := line()
	if err != nil {
		return nil, err
	}
	a := &refusal{line: first}
	if _, err := fmt.Sscanf(first, "HTTP/1.1 %d ", &a.status); err != nil {
		return nil, errors.New("its answer is not HTTP")
	}
	length := maxAnswer
	for range 100 {
		field, err := line()
		if err != nil {
			return nil, err
		}
		if field == "" {
			if a.status == 200 {
				return a, nil
			}
			a.body, err = io.ReadAll(io.LimitReader(r, int64(length)))
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return a, err
		}
		if name, value, _ := strings.Cut(field, ":"); strings.EqualFold(name, "Content-Length") {
			if n, err := strconv.Atoi(strings.TrimSpace(value)); err == nil && n >= 0 && n < length {
				length = n
			}
		}
	}
	return nil, errors.New("the answer has no end")
}

// why returns the reason in the response.
func (a *refusal) why() string {
	if _, rest, ok := strings.Cut(string(a.body), `"error":"`); ok {
		if text, _, ok := strings.Cut(rest, `"`); ok && !strings.Contains(text, `\`) {
			return text
		}
	}
	return "the proxy answered " + a.line
}

// refuse reports a refusal to a program: TLS gets an alert, HTTP gets the proxy's response, and
// everything else is reset.
func (a *refusal) refuse(conn *net.TCPConn) {
	_ = conn.SetDeadline(time.Now().Add(beginTime))
	r := bufio.NewReaderSize(conn, 4096)
	first, _ := r.Peek(1)
	tls := len(first) == 1 && first[0] == 0x16
	plain := false
	if !tls {
		plain, _ = relay.LooksHTTP(r)
	}
	switch {
	case tls:
		_, _ = conn.Write([]byte{21, 3, 1, 0, 2, 2, 49}) // a fatal alert: access_denied
	case plain:
		_, _ = fmt.Fprintf(conn, "%s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nX-Umpire: refused\r\nConnection: close\r\n\r\n%s", a.line, len(a.body), a.body)
	default:
		_ = conn.SetLinger(0)
		return
	}
	// Read the rest of the program's data: otherwise the kernel resets the connection and drops the
	// response.
	_ = conn.CloseWrite()
	_, _ = io.Copy(io.Discard, io.LimitReader(r, 1<<20))
}
