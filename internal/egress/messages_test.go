package egress

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// wire writes frames as they go over the wire: the first byte, and what is in it.
func wire(client bool, list ...string) (out []byte) {
	m := messages{client: client, key: [4]byte{1, 0xfe, 3, 'a'}}
	for _, f := range list {
		out = m.frame(out, f[0]&0xf, f[0]&0x80 != 0, []byte(f[1:]))
	}
	return out
}

const (
	first = "\x01" // of several
	next  = "\x00"
	last  = "\x80"
	whole = "\x81"
	blob  = "\x82"
	ping  = "\x89"
	bye   = "\x88"
)

// read is what an end makes of frames: messages, each in brackets, and what is about the
// connection, with its opcode.
func read(t *testing.T, client bool, b []byte) string {
	t.Helper()
	var out strings.Builder
	open := false
	for len(b) > 0 {
		h, n, err := readHead(b, client)
		if err != nil || n == 0 || len(b) < n+h.size {
			t.Fatalf("%q: %v", b, err)
		}
		text := bytes.Clone(b[n : n+h.size])
		for i := range text {
			text[i] ^= h.key[i%4]
		}
		b = b[n+h.size:]
		if h.opcode >= wsClose {
			fmt.Fprintf(&out, "<%d %s>", h.opcode, text)
			continue
		}
		if (h.opcode == 0) != open {
			t.Fatalf("opcode %d after %s", h.opcode, &out)
		}
		if !open {
			fmt.Fprintf(&out, "%d[", h.opcode)
		}
		out.Write(text)
		if open = !h.final; !open {
			out.WriteString("]")
		}
	}
	return out.String()
}

func TestMessages(t *testing.T) {
	stars := strings.Repeat("*", len(hidden))
	long := strings.Repeat("x", 100_000)
	for _, tt := range []struct {
		name   string
		frames []string
		want   string
	}{
		{"nothing to hide", []string{whole + "hello", blob + "\x00\x01", whole}, "1[hello]2[\x00\x01]1[]"},
		{"a text", []string{whole + "a " + hidden + " b"}, "1[a " + stars + " b]"},
		{"two texts", []string{whole + hidden + hidden}, "1[" + stars + stars + "]"},
		{"bytes", []string{blob + "\x00" + hidden}, "2[\x00" + stars + "]"},
		{"in two frames", []string{first + "a the-very", last + "-secret-value b"}, "1[a " + stars + " b]"},
		{"in many frames", append([]string{first}, append(each(hidden), last)...), "1[" + stars + "]"},
		{"with a ping between", []string{first + "the-very", ping + "p", last + "-secret-value"}, "<9 p>1[" + stars + "]"},
		{"only its beginning", []string{whole + "the-very-secret"}, "1[the-very-secret]"},
		{"in a ping", []string{ping + hidden}, "<9 " + stars + ">"},
		{"in a closeFrame", []string{bye + "\x03\xe8" + hidden}, "<8 \x03\xe8" + stars + ">"},
		{"in a long frame", []string{whole + long + hidden + long}, "1[" + long + stars + long + "]"},
		{"where pieces meet", []string{whole + long[:maxPiece-5] + hidden + long}, "1[" + long[:maxPiece-5] + stars + long + "]"},
		{"a length of two bytes", []string{whole + long[:300] + hidden}, "1[" + long[:300] + stars + "]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, client := range []bool{false, true} {
				for _, size := range []int{1, 7, 1 << 20} {
					m := messages{client: client, masker: masker{hide: []string{hidden}}}
					var out []byte
					for b := range chunks(wire(client, tt.frames...), size) {
						got, err := m.feed(b)
						if err != nil {
							t.Fatal(err)
						}
						out = append(out, got...)
					}
					if got := read(t, client, out); got != tt.want {
						t.Fatalf("%.200q, want %.200q", got, tt.want)
					}
				}
			}
		})
	}
}

func each(s string) (out []string) {
	for i := range s {
		out = append(out, next+s[i:i+1])
	}
	return out
}

func chunks(b []byte, size int) func(func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for len(b) > 0 && yield(bytes.Clone(b[:min(size, len(b))])) {
			b = b[min(size, len(b)):]
		}
	}
}

// What has ended is given at once, and so is a long frame, piece by piece.
func TestMessagesFlow(t *testing.T) {
	m := messages{masker: masker{hide: []string{hidden}}}
	for _, f := range []string{whole + "the-very", ping, first + "x"} {
		if out, err := m.feed(wire(false, f)); err != nil || !bytes.Equal(out, wire(false, f)) {
			t.Errorf("%q, %v", out, err)
		}
	}
	m = messages{masker: masker{hide: []string{hidden}}}
	all := wire(false, whole+strings.Repeat("x", 10*maxPiece))
	if out, err := m.feed(all[:3*maxPiece]); err != nil || len(out) < 2*maxPiece || cap(m.in) > 4*maxPiece {
		t.Errorf("%d bytes of %d, %v", len(out), 3*maxPiece, err)
	}
}

func TestMessagesThatAreNone(t *testing.T) {
	for name, b := range map[string]string{
		"compressed":                 "\xc1\x02ab",
		"another extension":          "\x91\x02ab",
		"masked by a server":         "\x81\x82\x00\x00\x00\x00ab",
		"an opcode that is reserved": "\x83\x02ab",
		"and one about connections":  "\x8b\x00",
		"a ping in parts":            "\x09\x00",
		"a ping that is too long":    "\x89\x7e\x00\x80",
		"goes on with nothing":       "\x80\x01a",
		"begins in the middle":       "\x01\x01a\x01\x01b",
		"longer than there is":       "\x81\x7f\xff\xff\xff\xff\xff\xff\xff\xff",
		"no WebSocket":               "HTTP/1.1 200 OK\r\n\r\n",
	} {
		m := messages{}
		if out, err := m.feed([]byte(b)); !errors.Is(err, errFrames) {
			t.Errorf("%s: %q, %v", name, out, err)
		}
	}
}

// Whatever comes, in whatever pieces: no secret gets by whole, and what is given are frames.
func FuzzMessages(f *testing.F) {
	f.Add(wire(false, first+"a the-very", ping+"x", last+"-secret-value"), 5)
	f.Add(wire(false, whole+hidden, bye), 1)
	f.Fuzz(func(t *testing.T, b []byte, size int) {
		var once []byte
		for _, size := range []int{len(b) + 1, max(size%64, 1)} {
			m := messages{masker: masker{hide: []string{hidden, "abab"}}, look: func(string) error { return nil }}
			var out []byte
			var err error
			for b := range chunks(b, size) {
				var given []byte
				given, err = m.feed(b)
				if out = append(out, given...); err != nil {
					break
				}
			}
			if got := read(t, false, out); strings.Contains(got, hidden) {
				t.Fatalf("%q", got)
			}
			if len(m.in) > maxPiece+maxControl+14+size {
				t.Fatalf("%d bytes wait", len(m.in))
			}
			if once == nil {
				once = append(out, fmt.Sprint(err)...)
			} else if got := append(out, fmt.Sprint(err)...); !bytes.Equal(got, once) {
				t.Fatalf("%q and %q", got, once)
			}
		}
	})
}

// echo is a server that says by a WebSocket what it was told by, and whatever it hears.
func echo(w http.ResponseWriter, r *http.Request) {
	c, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionContextTakeover, CompressionThreshold: 1})
	if err != nil {
		return
	}
	defer func() { _ = c.CloseNow() }()
	c.SetReadLimit(1 << 20)
	got := r.Header.Get("Authorization")
	_ = c.Write(r.Context(), websocket.MessageText, []byte("by "+got+" with "+r.Header.Get("Sec-WebSocket-Extensions")))
	many, err := c.Writer(r.Context(), websocket.MessageText)
	if err != nil {
		return
	}
	for i := range got {
		_, _ = io.WriteString(many, got[i:i+1])
	}
	_ = many.Close()
	for {
		kind, b, err := c.Read(r.Context())
		if err != nil {
			return
		}
		if string(b) == "end" {
			_ = c.Close(websocket.StatusNormalClosure, got)
			return
		}
		_ = c.Write(r.Context(), kind, b)
	}
}

// dial opens a WebSocket through the proxy.
func (l *looked) dial(ctx context.Context, host, authorization string) *websocket.Conn {
	l.t.Helper()
	c := l.client()
	c.Timeout = 0
	ws, res, err := websocket.Dial(ctx, "wss://"+host+":"+l.port+"/", &websocket.DialOptions{HTTPClient: c, CompressionMode: websocket.CompressionContextTakeover, HTTPHeader: http.Header{"Authorization": {authorization}}})
	if err != nil {
		l.t.Fatal(err)
	}
	if res.Body != nil {
		_ = res.Body.Close()
	}
	ws.SetReadLimit(1 << 20)
	l.t.Cleanup(func() { _ = ws.CloseNow() })
	return ws
}

// A server that echoes a secret after the upgrade tells the agent nothing either.
func TestSecretsInWebSocket(t *testing.T) {
	l := newLooked(t, http.HandlerFunc(echo), func(o *Options) { o.Secrets = vault{} })
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ws := l.dial(ctx, "a.example", "placeholder")
	stars := strings.Repeat("*", len(hidden))
	big := strings.Repeat("x", 100_000)
	for _, say := range []string{hidden, "\x00" + big + hidden + big, "the-very"} {
		if err := ws.Write(ctx, websocket.MessageBinary, []byte(say)); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"by " + stars + " with ", stars, stars, "\x00" + big + stars + big, "the-very"} {
		if _, b, err := ws.Read(ctx); err != nil || string(b) != want {
			t.Fatalf("%.200q, %v, want %.200q", b, err, want)
		}
	}
	if err := ws.Write(ctx, websocket.MessageText, []byte("end")); err != nil {
		t.Fatal(err)
	}
	var closed websocket.CloseError
	if _, _, err := ws.Read(ctx); !errors.As(err, &closed) || closed.Reason != stars {
		t.Errorf("%v", err)
	}
	// Where no secret is, ends agree on what they like.
	ws = l.dial(ctx, "b.example", "")
	if _, b, err := ws.Read(ctx); err != nil || !strings.Contains(string(b), "permessage-deflate") {
		t.Errorf("%q, %v", b, err)
	}
}

// A server that insists on an extension gets no connection that cannot be read.
func TestWebSocketExtensionUnasked(t *testing.T) {
	l := newLooked(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "Upgrade")
		w.Header().Set("Upgrade", "websocket")
		w.Header().Set("Sec-WebSocket-Extensions", "permessage-deflate")
		w.WriteHeader(http.StatusSwitchingProtocols)
	}), func(o *Options) { o.Secrets = vault{} })
	for authorization, want := range map[string]int{"placeholder": http.StatusBadGateway, "none": http.StatusSwitchingProtocols} {
		s := l.tls("a.example", "http/1.1")
		_, _ = fmt.Fprintf(s, "GET / HTTP/1.1\r\nHost: a.example:%s\r\nAuthorization: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", l.port, authorization)
		if got := hear(t, bufio.NewReader(s), "GET"); got.status != want {
			t.Errorf("%s: %+v", authorization, got)
		}
	}
}

// watcher finds a word in what passes.
type watcher struct{ strict bool }

func (w watcher) Guards(t Target) (look, strict bool) { return t.Host == "a.example", w.strict }

func (w watcher) Look(_ context.Context, _ Client, _ Target, answer bool, text string) error {
	for _, word := range []string{"leak", "order"} {
		if strings.Contains(text, word) && answer == (word == "order") {
			return errors.New("umpire found a " + word)
		}
	}
	return nil
}

// Frames of one byte are looked at together, and so is what is split over them.
func TestMessagesLook(t *testing.T) {
	var looks []string
	m := messages{look: func(text string) error { looks = append(looks, text); return nil }}
	for _, b := range [][]byte{wire(false, append([]string{first}, append(each("a le"), ping)...)...), wire(false, append(each("ak"), last)...)} {
		if _, err := m.feed(b); err != nil {
			t.Fatal(err)
		}
	}
	if len(looks) != 2 || looks[0] != "a le" || looks[1] != "a leak\n" {
		t.Errorf("%q", looks)
	}
}

// What is looked for in bodies is looked for in messages.
func TestBodiesInWebSocket(t *testing.T) {
	for _, tt := range []struct {
		name         string
		host         string
		strict       bool
		say          []string
		heard, ended string
	}{
		{"nothing in it", "a.example", true, []string{"hello", "or", "lea"}, "helloorlea", ""},
		{"something in what is sent", "a.example", true, []string{"hello", "a leak", "more"}, "hello", "EOF"},
		{"something in what comes", "a.example", true, []string{"hello", "order", "more"}, "hello", "umpire found a order"},
		{"noted only", "a.example", false, []string{"a leak", "order", "more"}, "a leakordermore", ""},
		{"another host", "b.example", true, []string{"a leak", "order", "more"}, "a leakordermore", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLooked(t, http.HandlerFunc(echo), func(o *Options) { o.Bodies = watcher{tt.strict} })
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			ws := l.dial(ctx, tt.host, "")
			_, _, _ = ws.Read(ctx)
			_, _, _ = ws.Read(ctx)
			heard := ""
			for _, text := range tt.say {
				_ = ws.Write(ctx, websocket.MessageText, []byte(text))
				_, b, err := ws.Read(ctx)
				if err != nil {
					if tt.ended == "" || !strings.Contains(err.Error(), tt.ended) {
						t.Errorf("it ended: %v", err)
					}
					break
				}
				heard += string(b)
			}
			if heard != tt.heard {
				t.Errorf("heard %q", heard)
			}
		})
	}
}

// A WebSocket that is quiet for too long ends, as a tunnel would.
func TestQuietWebSocket(t *testing.T) {
	p := New(Options{Gate: &gate{}, Idle: time.Millisecond})
	near, far := net.Pipe()
	defer far.Close()
	a := &http.Response{Body: near, Header: http.Header{}}
	if err := p.watchUpgrade(a, Client{}, Target{}, false, false, nil); err != nil {
		t.Fatal(err)
	}
	if n, err := a.Body.Read(make([]byte, 1)); err == nil { // nothing ever comes
		t.Errorf("%d bytes", n)
	}
	if err := a.Body.Close(); err != nil {
		t.Error(err)
	}
}

// The text of a body stays whole but for bytes that say nothing. Of other bytes the runs count.
func TestPlainText(t *testing.T) {
	for in, want := range map[string]string{
		"a\x00\tb\r\nc":                       "a\tb\r\nc",
		"a\xffb":                              "a\ufffdb",
		"\x80a":                               "a",
		"\x00\x01\x02a long run\x03short\xfe": "a long run\n",
		"\x00\x01\x02of\ttwo\nlines\x03\x04":  "of\ttwo\nlines\n",
		"\x00seven:7\x01\x02":                 "",
	} {
		if got := plainText([]byte(in)); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
