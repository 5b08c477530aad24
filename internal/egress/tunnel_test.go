package egress

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// A way that is ended is closed each time somebody asks for it, and so is what opens behind it.
func TestWaysEnd(t *testing.T) {
	p := New(Options{Gate: &gate{}})
	closed := map[string]int{}
	add := func(host string, before int) *openTunnel {
		w := &openTunnel{Tunnel: Tunnel{Target: Target{Host: host}}, end: func() { closed[host]++ }}
		p.tunnels.add(w, before)
		return w
	}
	a, b := add("a", p.tunnels.before()), add("b", p.tunnels.before())
	if got := p.Tunnels(); len(got) != 2 || got[0].Target.Host != "a" || got[1].Target.Host != "b" || got[0].ID == got[1].ID {
		t.Errorf("the tunnels are %+v, want a and b, the oldest first", got)
	}
	if w, ok := p.End("nobody"); ok || w.ID != "" {
		t.Errorf("ended %+v, want none of that name", w)
	}
	for n := 1; n <= 2; n++ { // it is listed until its server is gone
		if w, ok := p.End(a.ID); !ok || w.Target.Host != "a" || closed["a"] != n || closed["b"] != 0 {
			t.Errorf("end %d: got %+v, %v, and closed %v, want a alone", n, w, ok, closed)
		}
	}
	a.ends(func() { closed["behind a"]++ })
	b.ends(func() { closed["behind b"]++ })
	if closed["behind a"] != 1 || closed["behind b"] != 0 {
		t.Errorf("closed %v, want what opens behind the ended way at once, and behind the other not", closed)
	}
	p.tunnels.drop(a)
	if _, ok := p.End(a.ID); ok {
		t.Error("a way that was dropped is open")
	}
	early := p.tunnels.before()
	if got := p.Review(func(w Tunnel) bool { return w.Target.Host != "b" }); len(got) != 1 || got[0].Target.Host != "b" || closed["behind b"] != 1 {
		t.Errorf("a review closed %+v, want b: %v", got, closed)
	}
	for _, before := range []int{early, p.tunnels.before()} { // judged before the review, and after it
		clear(closed)
		for _, host := range []string{"b", "c"} {
			p.tunnels.drop(add(host, before))
		}
		if want := map[bool]int{true: 1}[before == early]; closed["b"] != want || closed["c"] != 0 {
			t.Errorf("judged at review %d of %d: closed %v, want b %d times", before, p.tunnels.before(), closed, want)
		}
	}
}

// The Host field that goes out has the judged host in its one spelling, and the client's port.
func TestHostField(t *testing.T) {
	for _, tt := range []struct{ field, host, want string }{
		{"A.example", "a.example", "a.example"},
		{"A.example:80", "a.example", "a.example:80"},
		{"", "a.example", "a.example"},
		{"[::0001]", "::1", "[::1]"},
		{"[::0001]:8080", "::1", "[::1]:8080"},
	} {
		if got := hostField(tt.field, &Target{Scheme: "http", Host: tt.host, Port: "80"}); got != tt.want {
			t.Errorf("%q of %s: got %q, want %q", tt.field, tt.host, got, tt.want)
		}
	}
}

// Each longer or wider form of a dot or a slash is read as one.
func TestClimbsSpelled(t *testing.T) {
	dots := []string{"\xc0\xae", "\xe0\x80\xae", "\xf0\x80\x80\xae", "\uff0e", "\u2024"}
	slashes := []string{"\xc0\xaf", "\xe0\x80\xaf", "\xf0\x80\x80\xaf", "\xc1\x9c", "\xe0\x81\x9c", "\uff0f", "\uff3c"}
	var paths []string
	for _, dot := range dots {
		paths = append(paths, "/a/"+dot+dot+"/b", "/a/."+dot, "/"+dot)
	}
	for _, slash := range slashes {
		paths = append(paths, "/a"+slash+".."+slash+"b", slash+"..")
	}
	paths = append(paths, "/\u2025", "/a/\u2025/b")
	for _, p := range paths {
		escaped := ""
		for i := range len(p) {
			escaped += fmt.Sprintf("%%%02x", p[i])
		}
		for _, p := range []string{p, escaped} {
			if !climbs(p) {
				t.Errorf("%q does not climb", p)
			}
		}
	}
}

// A request of HTTP/1.0 in a tunnel need not name its host: it is the tunnel's.
func TestNoHostFieldInTunnel(t *testing.T) {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "for ", r.Host) }))
	defer up.Close()
	at := strings.TrimPrefix(up.URL, "http://")
	_, c, r := speak(t, open(t, Options{Private: loopback}), "CONNECT "+at+" HTTP/1.1\r\nHost: x\r\n"+auth+"\r\n")
	if _, err := io.WriteString(c, "GET / HTTP/1.0\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if got := hear(t, r, "GET"); got.status != http.StatusOK || got.body != "for "+at {
		t.Errorf("got %d %q, want 200 for %s", got.status, got.body, at)
	}
}

// An answer of a known length that takes its time passes as it comes, unless it is short.
func TestLongAnswerComesAsItIsWritten(t *testing.T) {
	const size = 4<<10 + 1
	next := make(chan struct{})
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(size))
		_, _ = io.WriteString(w, "begin")
		w.(http.Flusher).Flush()
		<-next
		_, _ = w.Write(slices.Repeat([]byte("x"), size-len("begin")))
	}))
	defer up.Close()
	resp, err := client(t, open(t, Options{Private: loopback}), nil).Get(up.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	begin := make([]byte, len("begin"))
	if _, err := io.ReadFull(resp.Body, begin); err != nil || string(begin) != "begin" {
		t.Fatalf("got %q, %v, want what the server wrote before it paused", begin, err)
	}
	close(next)
	if rest, err := io.ReadAll(resp.Body); err != nil || len(rest) != size-len(begin) {
		t.Errorf("the rest has %d bytes, %v, want %d", len(rest), err, size-len(begin))
	}
}
