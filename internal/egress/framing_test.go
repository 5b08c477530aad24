package egress

import (
	"bufio"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"
)

var proxyToken = "Proxy-Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("s1:token")) + "\r\n"

// refusals remembers what a proxy recorded.
type refusals struct {
	mu   sync.Mutex
	list []string
}

func (r *refusals) add(c Client, _ Target, why error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, c.Name+": "+why.Error())
}

func (r *refusals) all() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.list, "; ")
}

// sendRaw sends bytes to a proxy, and returns the answers.
func sendRaw(t *testing.T, proxy, text string) string {
	t.Helper()
	conn, err := net.Dial("tcp", proxy)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	_ = conn.(*net.TCPConn).CloseWrite()
	all, _ := io.ReadAll(conn) // the proxy may close it first
	return string(all)
}

// A request that two readers could end in different places goes nowhere, and is recorded.
func TestAmbiguousFraming(t *testing.T) {
	var mu sync.Mutex
	var reached []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, err := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		if err == nil {
			reached = append(reached, r.Method+" "+r.URL.Path)
		}
	}))
	defer server.Close()
	at := server.Listener.Addr().String()
	hidden := "GET http://" + at + "/hidden HTTP/1.1\r\nHost: " + at + "\r\n" + proxyToken + "\r\n"
	post := "POST http://" + at + "/ HTTP/1.1\r\nHost: " + at + "\r\n" + proxyToken
	for name, text := range map[string]string{
		"length and chunked":          post + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
		"chunked and length":          post + "Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n0\r\n\r\n" + hidden,
		"two lengths":                 post + "Content-Length: 0\r\nContent-Length: 4\r\n\r\n" + hidden,
		"two equal lengths":           post + "Content-Length: 0\r\nContent-Length: 0\r\n\r\n" + hidden,
		"a list of lengths":           post + "Content-Length: 0, 0\r\n\r\n" + hidden,
		"a length with a sign":        post + "Content-Length: +0\r\n\r\n" + hidden,
		"a negative length":           post + "Content-Length: -1\r\n\r\n" + hidden,
		"no length":                   post + "Content-Length: \r\n\r\n" + hidden,
		"a length in hex":             post + "Content-Length: 0x0\r\n\r\n" + hidden,
		"chunked twice":               post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
		"another encoding":            post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" + hidden,
		"identity":                    post + "Transfer-Encoding: identity\r\n\r\n" + hidden,
		"an encoding of another name": post + "Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n" + hidden,
		"chunked in HTTP/1.0":         strings.Replace(post, "HTTP/1.1", "HTTP/1.0", 1) + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
		"a folded header":             post + "X: a\r\n Transfer-Encoding: chunked\r\n\r\n" + hidden,
		"a folded first header":       "POST http://" + at + "/ HTTP/1.1\r\n X: a\r\nHost: " + at + "\r\n" + proxyToken + "\r\n",
		"bare LF":                     strings.ReplaceAll(post, "\r\n", "\n") + "\n" + hidden,
		"one bare LF":                 post + "X: a\nContent-Length: 0\r\n\r\n" + hidden,
		"bare CR":                     post + "X: a\rContent-Length: 4\r\n\r\n" + hidden,
		"a NUL":                       post + "X: a\x00b\r\n\r\n" + hidden,
		"a space before the colon":    post + "Content-Length : 4\r\n\r\n" + hidden,
		"a header without a colon":    post + "Content-Length\r\n\r\n" + hidden,
		"two hosts":                   post + "Host: other.test\r\n\r\n" + hidden,
		"a line of two spaces":        strings.Replace(post, " HTTP", "  HTTP", 1) + "\r\n" + hidden,
		"a version of its own":        strings.Replace(post, "HTTP/1.1", "HTTP/1.2", 1) + "\r\n" + hidden,
		"a CONNECT with a body":       "CONNECT " + at + " HTTP/1.1\r\nHost: " + at + "\r\n" + proxyToken + "Content-Length: 5\r\n\r\nhello",
		"a chunk extension":           post + "Transfer-Encoding: chunked\r\n\r\n0;x=y\r\n\r\n" + hidden,
		"a long chunk extension":      post + "Transfer-Encoding: chunked\r\n\r\n1;" + strings.Repeat("x", 5000) + "\r\na\r\n0\r\n\r\n" + hidden,
		"a chunk too large":           post + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\na\r\n0\r\n\r\n" + hidden,
		"the second of two":           strings.Replace(hidden, "hidden", "first", 1) + post + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
	} {
		t.Run(name, func(t *testing.T) {
			var told refusals
			proxy := open(t, Options{Private: loopback, Refused: told.add})
			answer := sendRaw(t, proxy, text)
			mu.Lock()
			got := strings.Join(reached, " ")
			reached = nil
			mu.Unlock()
			if got != "" && got != "GET /first" {
				t.Errorf("the server got %s", got)
			}
			if !strings.HasPrefix(told.all(), "builder: ") || strings.Contains(told.all(), ";") {
				t.Errorf("recorded: %q", told.all())
			}
			if name != "the second of two" && !strings.HasPrefix(answer, "HTTP/1.1 400 ") && !strings.HasPrefix(answer, "HTTP/1.1 403 ") && !strings.HasPrefix(answer, "HTTP/1.1 502 ") {
				t.Errorf("%q", answer)
			}
			if head, _, _ := strings.Cut(answer, "\r\n\r\n"); name != "the second of two" && strings.Contains(head, "X-Umpire") && !strings.Contains(head+"\r\n", "\r\nConnection: close\r\n") {
				t.Errorf("the refusal leaves the connection open: %q", head)
			}
		})
	}
}

// pipe is a connection that has sent all of its bytes.
type pipe struct {
	net.Conn
	io.Reader
}

func (p pipe) Read(b []byte) (int, error) { return p.Reader.Read(b) }

// wellFormed is every body in chunks that has one reading.
func wellFormed(body string) bool {
	for {
		line, rest, ok := strings.Cut(body, "\r\n")
		n, err := strconv.ParseUint(line, 16, 31)
		if !ok || err != nil || len(line) > maxChunk {
			return false
		}
		if body = rest; n == 0 {
			break
		}
		if uint64(len(body)) < n+2 || body[n:n+2] != "\r\n" {
			return false
		}
		body = body[n+2:]
	}
	return regexp.MustCompile("^([!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\r\n\x00]*\r\n)*\r\n$").MatchString(body)
}

// One byte of a body in chunks that is another one, is missing or is there twice: the body goes
// on to the server if it has one reading, and else ends in an error.
func TestDamagedChunks(t *testing.T) {
	head := "POST / HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n"
	body := "3\r\nabc\r\n00B\r\nhello world\r\n0\r\nX-Sum: 1\r\nY: 2\r\n\r\n"
	check := func(body string) {
		t.Helper()
		next := "GET\x00 / HTTP/1.1\r\n\r\n" // is refused, if it is seen as a request of its own
		c := &strictConn{Conn: pipe{Reader: iotest.OneByteReader(strings.NewReader(head + body + next))}}
		got, err := io.ReadAll(c)
		passed := string(got) == head+body+"GET / HTTP/1.1\r\nHost: "+refusedHost+"\r\n\r\n"
		if want := wellFormed(body); passed != want {
			t.Errorf("%q: passed on %v, %v, want %v", body, passed, err, want)
		}
	}
	check(body)
	for i := range body {
		check(body[:i] + body[i+1:])
		for _, b := range "\r\n :;x0+-\x00" {
			check(body[:i] + string(b) + body[i+1:])
			check(body[:i] + string(b) + body[i:])
		}
	}
}

// A trailer must not name what the request is judged by: some servers add it to the header.
func TestTrailersThatChangeTheRequest(t *testing.T) {
	for name, want := range map[string]bool{"X-Sum": true, "Host": false, "hOST": false, "content-length": false, "Transfer-Encoding": false, "Connection": false, "Authorization": false, "Expect": false} {
		sent := "POST / HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + name + ": 1\r\n\r\n"
		got, err := io.ReadAll(&strictConn{Conn: pipe{Reader: strings.NewReader(sent)}})
		if (string(got) == sent) != want {
			t.Errorf("%s: passed on %q, %v", name, got, err)
		}
	}
}

// A refusal without a credential is recorded without an agent.
func TestAmbiguousFramingOfNobody(t *testing.T) {
	var told refusals
	proxy := open(t, Options{Refused: told.add})
	sendRaw(t, proxy, "POST http://a.test/ HTTP/1.1\r\nHost: a.test\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n")
	if told.all() != ": the request has two Content-Length headers" {
		t.Errorf("%q", told.all())
	}
}

// Requests with one reading pass, however the bytes of a connection are cut.
func TestCleanFraming(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		_, _ = io.WriteString(w, r.URL.Path+"="+string(b)+";")
	}))
	defer server.Close()
	at := server.Listener.Addr().String()
	proxy := open(t, Options{Private: loopback})
	head := func(method, path string) string {
		return method + " http://" + at + path + " HTTP/1.1\r\nHost: " + at + "\r\n" + proxyToken
	}
	text := head("GET", "/1") + "\r\n" +
		head("POST", "/2") + "Content-Length: 5\r\n\r\nhello" +
		head("POST", "/3") + "Transfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n00B\r\nhello world\r\n0\r\nX-Sum: 1\r\n\r\n" +
		head("PUT", "/4") + "Content-Length: 0\r\n\r\n" +
		head("POST", "/5") + "Expect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
	conn, err := net.Dial("tcp", proxy)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(patience))
	go func() { _, _ = io.Copy(conn, iotest.OneByteReader(strings.NewReader(text))) }()
	r := bufio.NewReader(conn)
	for _, want := range []string{"/1=;", "/2=hello;", "/3=abchello world;", "/4=;", "/5=ok;"} {
		res, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		for res.StatusCode == http.StatusContinue {
			if res, err = http.ReadResponse(r, nil); err != nil {
				t.Fatal(err)
			}
		}
		b, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if err != nil || res.StatusCode != 200 || string(b) != want {
			t.Errorf("%d %q, %v, want %q", res.StatusCode, b, err, want)
		}
	}
}

// Bytes that a client sends with its CONNECT reach the server, complete and in order.
func TestEarlyDataOfTunnel(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	early := strings.Repeat("0123456789", 2000)
	got := make(chan string, 1)
	go func() {
		conn, err := ln.Accept()
		if err != nil {
			got <- err.Error()
			return
		}
		defer conn.Close()
		b := make([]byte, len(early)+4)
		_, _ = io.ReadFull(conn, b)
		got <- string(b)
	}()
	proxy := open(t, Options{Private: loopback})
	conn, err := net.Dial("tcp", proxy)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(conn, "CONNECT "+ln.Addr().String()+" HTTP/1.1\r\nHost: "+ln.Addr().String()+"\r\n"+proxyToken+"\r\n"+early); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(io.LimitReader(conn, 39)).ReadString('\n'); err != nil || !strings.Contains(line, "200") {
		t.Fatalf("%q %v", line, err)
	}
	if _, err := io.WriteString(conn, "last"); err != nil {
		t.Fatal(err)
	}
	if all := <-got; all != early+"last" {
		t.Errorf("%d bytes, and %d were sent", len(all), len(early)+4)
	}
}
