package egress

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
)

// maxHello limits the bytes to read before the server name is known.
const maxHello = 64 << 10

var errHello = errors.New("the hello was read")

// readHello reads the first message of a TLS client, and returns its server name with all bytes
// read from r. The caller sets the deadline.
func readHello(r io.Reader) (name string, raw []byte, err error) {
	var seen bytes.Buffer
	var hello *tls.ClientHelloInfo
	c := tls.Server(readOnlyConn{io.TeeReader(io.LimitReader(r, maxHello), &seen)}, &tls.Config{
		MinVersion: tls.VersionTLS12,
		GetConfigForClient: func(h *tls.ClientHelloInfo) (*tls.Config, error) {
			hello = h
			return nil, errHello
		},
	})
	if err = c.HandshakeContext(context.Background()); hello == nil {
		return "", seen.Bytes(), fmt.Errorf("no hello of a TLS client: %w", err)
	}
	return hello.ServerName, seen.Bytes(), nil
}

// rightName reports whether a server name in TLS is the approved host. Clients that connect to an
// address send no name.
func rightName(name string, t *Target) error {
	if _, ok := t.literal(); ok && name == "" {
		return nil
	}
	if h, err := Host(name); err != nil || h != t.Host {
		return fmt.Errorf("the TLS inside the tunnel is for %q, and %s was approved", strings.ToValidUTF8(name, "?"), t.Host)
	}
	return nil
}

// readOnlyConn is a read-only connection: it drops everything that TLS writes.
type readOnlyConn struct{ io.Reader }

func (readOnlyConn) Write(b []byte) (int, error)      { return len(b), nil }
func (readOnlyConn) Close() error                     { return nil }
func (readOnlyConn) LocalAddr() net.Addr              { return nil }
func (readOnlyConn) RemoteAddr() net.Addr             { return nil }
func (readOnlyConn) SetDeadline(time.Time) error      { return nil }
func (readOnlyConn) SetReadDeadline(time.Time) error  { return nil }
func (readOnlyConn) SetWriteDeadline(time.Time) error { return nil }
