package egress

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/iotest"
)

// errBroken is a fault of a body or of a look.
var errBroken = errors.New("broken")

// A body passes as it is, in whatever pieces it comes, and an order in it stops it, wherever the
// pieces cut it: not a byte of the piece with its end passes.
func TestBodyInPieces(t *testing.T) {
	const needle = "ignore all of this"
	filler := strings.Repeat("x", 100<<10)
	look := func(text string) error {
		if strings.Contains(text, needle) {
			return errBroken
		}
		return nil
	}
	for name, pieces := range map[string]func(io.Reader) io.Reader{
		"whole": func(r io.Reader) io.Reader { return r }, "with its end": iotest.DataErrReader, "half of each": iotest.HalfReader,
	} {
		w := &watched{ReadCloser: io.NopCloser(pieces(strings.NewReader(filler))), look: look}
		if err := iotest.TestReader(w, []byte(filler)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, at := range []int{0, 1, 32<<10 - len(needle), 32<<10 - 5, 32 << 10, len(filler)} {
			text := filler[:at] + needle + filler[at:]
			w := &watched{ReadCloser: io.NopCloser(pieces(strings.NewReader(text))), look: look}
			got, err := io.ReadAll(w)
			var stop *stoppedError
			if !errors.As(err, &stop) || err.Error() != "broken" || !strings.HasPrefix(text, string(got)) || len(got) >= at+len(needle) {
				t.Errorf("%s, an order at %d: %d bytes passed, %v; want it stopped before its end", name, at, len(got), err)
			}
			if n, err := w.Read(make([]byte, 8)); n > 0 || !errors.As(err, &stop) {
				t.Errorf("%s: %d bytes, %v after the stop, want none", name, n, err)
			}
		}
		w = &watched{ReadCloser: io.NopCloser(pieces(io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(errBroken)))), look: look}
		if got, err := io.ReadAll(w); string(got) != "abc" || !errors.Is(err, errBroken) {
			t.Errorf("%s, a broken body: got %q, %v, want what came, and the fault", name, got, err)
		}
	}
	if n, err := (&watched{ReadCloser: io.NopCloser(strings.NewReader("abc")), look: look}).Read(nil); n != 0 || err != nil {
		t.Errorf("no room: got %d, %v, want neither bytes nor an end", n, err)
	}
}

// A body of up to the bound is looked at before any of it passes; a longer one, and one of no known
// length, as it is read.
func TestBodyBeforeItPasses(t *testing.T) {
	for length, before := range map[int64]bool{0: true, 1: true, wholeBody - 1: true, wholeBody: true, wholeBody + 1: false, -1: false} {
		text := strings.Repeat("y", max(int(length), 3))
		seen := 0
		body, err := watch(io.NopCloser(strings.NewReader(text)), length, func(s string) error { seen = max(seen, len(s)); return nil })
		if err != nil {
			t.Errorf("length %d: %v", length, err)
			continue
		}
		want := text
		if before {
			want = text[:length]
		}
		if (seen > 0) != (before && length > 0) || before && seen != int(length) {
			t.Errorf("length %d: looked at %d bytes before the first is read, want all of them: %v", length, seen, before)
		}
		if got, err := io.ReadAll(body); err != nil || string(got) != want {
			t.Errorf("length %d: %d bytes passed, %v, want %d", length, len(got), err, len(want))
		}
		if body, err = watch(io.NopCloser(strings.NewReader(text)), length, func(string) error { return errBroken }); err == nil {
			_, err = io.ReadAll(body)
		} else if !before {
			t.Errorf("length %d: stopped before it is read", length)
		}
		var stop *stoppedError
		if !errors.As(err, &stop) {
			t.Errorf("length %d with a finding: %v, want it stopped", length, err)
		}
	}
	if _, err := watch(io.NopCloser(iotest.ErrReader(errBroken)), 5, func(string) error { t.Error("looked at a body that did not come"); return nil }); !errors.Is(err, errBroken) {
		t.Errorf("a broken body: %v, want the fault", err)
	}
}

// Each encoding that servers use is undone, and any other is an error. The header then no longer
// speaks of it.
func TestEncodings(t *testing.T) {
	zip := func(w io.WriteCloser, b *bytes.Buffer) []byte {
		_, _ = io.WriteString(w, "hello")
		_ = w.Close()
		return b.Bytes()
	}
	var g, z bytes.Buffer
	zipped := map[string][]byte{"gzip": zip(gzip.NewWriter(&g), &g), "deflate": zip(zlib.NewWriter(&z), &z)}
	for how, body := range map[string]string{
		"": "hello", "identity": "hello", " Identity ": "hello", "gzip": string(zipped["gzip"]), "x-gzip": string(zipped["gzip"]), " GZIP ": string(zipped["gzip"]), "deflate": string(zipped["deflate"]),
		"br": "", "zstd": "", "gzip,gzip": "", "gzip, br": "",
	} {
		for method, bodyless := range map[string]bool{"GET": false, "HEAD": true} {
			a := &http.Response{Request: &http.Request{Method: method}, Header: http.Header{"Content-Encoding": {how}, "Content-Length": {"9"}}, ContentLength: 9, Body: io.NopCloser(strings.NewReader(body))}
			err := decode(a)
			if body == "" {
				var encoded errEncoded
				if !errors.As(err, &encoded) {
					t.Errorf("%q: %v, want an error that names the encoding", how, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%q: %v", how, err)
				continue
			}
			plain := strings.TrimSpace(strings.ToLower(how)) == "identity" || how == ""
			if got := a.Header.Get("Content-Encoding") + a.Header.Get("Content-Length"); (got == "") == plain || (a.ContentLength == -1) == plain {
				t.Errorf("%q: the header still says %q, length %d", how, got, a.ContentLength)
			}
			got, err := io.ReadAll(a.Body)
			want := "hello"
			if bodyless {
				want = body
			}
			if string(got) != want || err != nil {
				t.Errorf("%q, %s: got %q, %v, want %q", how, method, got, err, want)
			}
		}
	}
	for _, how := range []string{"gzip", "deflate"} {
		a := &http.Response{Header: http.Header{"Content-Encoding": {how}}, Body: io.NopCloser(strings.NewReader("no such thing"))}
		if err := decode(a); err != nil {
			t.Fatal(err)
		}
		if b, err := io.ReadAll(a.Body); err == nil {
			t.Errorf("%s that is none: got %q without an error", how, b)
		}
	}
}

// A frame of a WebSocket says its length in each of three ways, masked from a client.
func TestFrameLengths(t *testing.T) {
	for _, n := range []int{0, 1, 125, 126, 127, 255, 256, 1<<16 - 1, 1 << 16, 1<<16 + 1} {
		for _, client := range []bool{true, false} {
			for _, final := range []bool{true, false} {
				m := messages{client: client, key: [4]byte{1, 2, 3, 4}}
				want := bytes.Repeat([]byte{'a', 'b', 'c'}, n/3+1)[:n]
				b := m.frame([]byte("before"), 2, final, want)[len("before"):]
				if (b[0] == 0x82) != final || (b[0] == 2) == final || (b[1]&0x80 != 0) != client {
					t.Errorf("%d bytes, client %v, final %v: begins with %x", n, client, final, b[:2])
				}
				size, at := int(b[1]&0x7f), 2
				switch size {
				case 126:
					size, at = int(binary.BigEndian.Uint16(b[2:])), 4
				case 127:
					size, at = int(binary.BigEndian.Uint64(b[2:])), 10
				}
				if shortest := n < 126 && at == 2 || n >= 126 && n < 1<<16 && at == 4 || n >= 1<<16 && at == 10; size != n || !shortest {
					t.Errorf("%d bytes: says %d in %d bytes", n, size, at)
				}
				if client {
					if !bytes.Equal(b[at:at+4], m.key[:]) {
						t.Errorf("%d bytes: the key is %x", n, b[at:at+4])
					}
					at += 4
				}
				got := bytes.Clone(b[at:])
				for i := range got {
					if client {
						got[i] ^= m.key[i%4]
					}
				}
				if !bytes.Equal(got, want) {
					t.Errorf("%d bytes, client %v: another text comes out", n, client)
				}
			}
		}
	}
}

// Each reason why a target cannot be reached has its status and words of its own.
func TestUnreached(t *testing.T) {
	p := &Proxy{log: slog.New(slog.DiscardHandler)}
	target := Target{Host: "h.example", Port: "443"}
	for _, tt := range []struct {
		err    error
		status int
		says   string
	}{
		{&stoppedError{errBroken}, 403, "broken"},
		{errEncoded("br"), 502, `decode its encoding \"br\"`},
		{&RefusedError{Host: "h.example", Addr: netip.MustParseAddr("10.0.0.1"), Class: "private"}, 403, "h.example is at 10.0.0.1 (private): to reach it"},
		{errSelf, 403, "this is umpire's address"},
		{&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}, 502, "the certificate of h.example is not valid: x509"},
		{&net.OpError{Op: "remote error", Err: errBroken}, 502, "h.example ended the handshake: broken. If it requires a client certificate"},
		{&net.OpError{Op: "dial", Err: errBroken}, 502, "h.example:443 cannot be reached"},
		{tls.RecordHeaderError{}, 502, "h.example:443 does not speak TLS"},
		{&net.DNSError{}, 502, "h.example: the name cannot be resolved"},
		{errBroken, 502, "h.example:443 cannot be reached"},
	} {
		w := httptest.NewRecorder()
		p.unreached(w, &target, fmt.Errorf("outer: %w", tt.err))
		if w.Code != tt.status || !strings.Contains(w.Body.String(), `{"error":"`+tt.says) && !strings.Contains(w.Body.String(), tt.says) || w.Header().Get("X-Umpire") != "refused" || w.Header().Get("Retry-After") != "" {
			t.Errorf("%v: got %d %s, want %d and %q", tt.err, w.Code, w.Body, tt.status, tt.says)
		}
	}
	w := httptest.NewRecorder()
	refuse(w, 403, Decision{Why: "wait", ID: "7", Open: true})
	if want := `{"error":"wait","request":"7","pending":true}`; strings.TrimSpace(w.Body.String()) != want || w.Header().Get("Retry-After") != "30" || w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("an open question: got %v %s, want %s and when to come again", w.Header(), w.Body, want)
	}
}

// bodies is a look with one answer.
type bodies struct{ err error }

func (b bodies) Guards(Target) (look, strict bool) { return true, true }

func (b bodies) Look(context.Context, Client, Target, bool, string) error { return b.err }

// A request's body is looked at where it can be, its answer is asked for in an encoding that can be
// read, and a strict look refuses what it cannot read.
func TestRequestBodies(t *testing.T) {
	for _, strict := range []bool{true, false} {
		for how, refused := range map[string]bool{"": false, "identity": false, "gzip": strict, "br": strict} {
			for accepts, want := range map[string]string{"": "identity", "br": "identity", "gzip, br": "gzip", "deflate": "identity"} {
				p := &Proxy{log: slog.New(slog.DiscardHandler), bodies: bodies{}}
				r := httptest.NewRequest("POST", "http://h.example/", strings.NewReader("text"))
				header := r.Header
				r.Header.Set("Content-Encoding", how)
				r.Header.Set("Accept-Encoding", accepts)
				r.Header.Set("Sec-Websocket-Extensions", "permessage-deflate")
				err := p.watchRequest(r, Client{}, Target{}, strict)
				var stop *stoppedError
				if refused != errors.As(err, &stop) || !refused && err != nil {
					t.Errorf("%q, strict %v: %v, want it refused: %v", how, strict, err, refused)
				}
				if refused {
					continue
				}
				if got := r.Header.Get("Accept-Encoding"); got != want || r.Header.Get("Sec-Websocket-Extensions") != "" || header.Get("Sec-Websocket-Extensions") == "" {
					t.Errorf("accepts %q: asks for %q, want %q, no extensions, and the caller's header as it was", accepts, got, want)
				}
				if b, err := io.ReadAll(r.Body); err != nil || string(b) != "text" {
					t.Errorf("%q: the body is %q, %v", how, b, err)
				}
			}
		}
		p := &Proxy{log: slog.New(slog.DiscardHandler), bodies: bodies{errBroken}}
		r := httptest.NewRequest("POST", "http://h.example/", strings.NewReader("text"))
		if err := p.watchRequest(r, Client{}, Target{}, strict); (err != nil) != strict {
			t.Errorf("a finding, strict %v: %v", strict, err)
		}
	}
}

// An address of this machine's is known by each of its spellings, and a port is a number.
func TestThisMachine(t *testing.T) {
	d := &dialer{own: func() []netip.AddrPort { return []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:3700")} }}
	list, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range list {
		p := netip.MustParsePrefix(n.String())
		if !d.here(p.Addr()) || !d.here(netip.AddrFrom16(p.Addr().As16())) {
			t.Errorf("%s is not taken for this machine's", p)
		}
	}
	if d.here(netip.MustParseAddr("203.0.113.7")) {
		t.Error("an address for documents is taken for this machine's")
	}
	for host, ports := range map[string]map[string]bool{
		"localhost": {"3700": true, "3701": false, "": false, "x": false, "69236": false}, "a.localhost": {"3700": true}, "127.0.0.1": {"3700": true}, "::1": {"3700": true},
		"localhost.example": {"3700": false}, "h.example": {"3700": false}, "203.0.113.7": {"3700": false},
	} {
		for port, want := range ports {
			if got := d.self(&Target{Host: host, Port: port}); got != want {
				t.Errorf("%s, port %q: umpire itself %v, want %v", host, port, got, want)
			}
		}
	}
	for _, port := range []string{"", "x", "-1", "65536", "80x"} {
		if c, err := d.dial(t.Context(), &Target{Host: "203.0.113.7", Port: port}, &Decision{Named: true}); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q is not a port", port)) {
			t.Errorf("port %q: got %v, %v, want an error that names it", port, c, err)
		}
	}
}

// One level of escapes is undone, and what is no escape stays.
func TestDecoded(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "/a/b": "/a/b", "%2e%2E": "..", "a%2fb": "a/b", "%252e": "%2e", "%": "%", "%2": "%2", "a%2": "a%2", "%zz": "%zz", "%2g": "%2g", "%%2e": "%.", "%2e%": ".%", "x%41": "xA",
	} {
		if got := decoded(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
