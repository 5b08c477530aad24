package egress

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
)

// After CloseIdle, no request uses a connection from before, also one that was busy then.
func TestCloseIdleDropsBusyConnections(t *testing.T) {
	p := New(Options{Gate: &gate{}, Private: loopback})
	proxy := start(t, p)
	var from sync.Map // path to the proxy's address
	busy, goOn := make(chan struct{}), make(chan struct{})
	up := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		from.Store(r.URL.Path, r.RemoteAddr)
		if r.URL.Path == "/busy" {
			close(busy)
			<-goOn
		}
	}))
	defer up.Close()
	done := make(chan error, 1)
	go func() {
		res, err := client(t, proxy, nil).Get(up.URL + "/busy")
		if err == nil {
			_, err = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
		}
		done <- err
	}()
	<-busy
	p.CloseIdle()
	get(t, client(t, proxy, nil), up.URL+"/other") // net/http keeps connections again from here on
	close(goOn)
	if err := <-done; err != nil {
		t.Fatalf("the busy request: %v, want its answer", err)
	}
	status, _ := get(t, client(t, proxy, nil), up.URL+"/next")
	old, _ := from.Load("/busy")
	if now, _ := from.Load("/next"); status != http.StatusOK || now == old {
		t.Errorf("the next request: %d from %v, want 200 from another address than %v", status, now, old)
	}
}

// A kept connection to an address that is denied for a request carries nothing of it: the server sees
// neither its header nor its body.
func TestDeniedConnectionIsNotUsedAgain(t *testing.T) {
	var denies atomic.Bool
	var seen atomic.Int64
	up := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen.Add(1)
		_, _ = io.Copy(w, r.Body)
	})
	plain := httptest.NewServer(up)
	defer plain.Close()
	tls, roots := secure(t, up)
	for name, server := range map[string]*httptest.Server{"HTTP/1.1": plain, "HTTP/2": tls} {
		g := &gate{say: func(Target) Decision {
			return Decision{Allowed: true, Denies: func(netip.Addr) (string, bool) {
				if denies.Load() {
					return "no", false
				}
				return "", false
			}}
		}}
		p := New(Options{Gate: g, Private: loopback, Roots: roots})
		at := server.Listener.Addr().(*net.TCPAddr).AddrPort()
		target := Target{Scheme: server.URL[:len(server.URL)-len("://"+at.String())], Host: at.Addr().String(), Port: portOf(t, server.URL)}
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			for _, deny := range []bool{false, true} {
				denies.Store(deny)
				seen.Store(0)
				w := httptest.NewRecorder()
				r := httptest.NewRequest(method, server.URL+"/x", http.NoBody)
				if method == http.MethodPost {
					r = httptest.NewRequest(method, server.URL+"/x", io.LimitReader(neverEnding('x'), 1<<20))
				}
				target.Method, target.Path = method, "/x"
				p.judge(w, r, Client{ID: "a"}, target)
				if want := map[bool]int{false: 200, true: 403}[deny]; w.Code != want || (seen.Load() == 0) != deny {
					t.Errorf("%s, %s, denied %v: got %d, and the server saw %d requests, want %d", name, method, deny, w.Code, seen.Load(), want)
				}
			}
		}
	}
}

type neverEnding byte

func (n neverEnding) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(n)
	}
	return len(b), nil
}
