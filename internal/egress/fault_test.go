package egress

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
)

var errFault = errors.New("a fault of the test's")

type faultMode string

const (
	fails  faultMode = "fails"
	panics faultMode = "panics"
	stalls faultMode = "stalls" // until the one who waits gives up
)

// faulty is all that a proxy asks. Its nth answer goes wrong.
type faulty struct {
	nth  int
	mode faultMode
	over chan struct{} // closed when the test ends, for a stall that has no context
	hit  context.CancelFunc

	certificate func(host string) (*tls.Certificate, error)

	mu      sync.Mutex
	at      int
	what    string
	allowed []string // paths and hosts that were allowed
}

// step counts a call, and fails it if it is its turn.
func (f *faulty) step(what string) error {
	f.mu.Lock()
	f.at++
	now, hit := f.at == f.nth, f.hit
	if now {
		f.what = what
	}
	f.mu.Unlock()
	switch {
	case !now:
		return nil
	case f.mode == panics && what != "resolve": // it reads nothing that others choose
		panic(http.ErrAbortHandler)
	case f.mode == stalls:
		hit()
		<-f.over
	}
	return errFault
}

func (f *faulty) Identify(context.Context, string, string) (Client, error) {
	return Client{ID: "a", Name: "builder"}, f.step("identify")
}

func (f *faulty) Judge(_ context.Context, _ Client, t Target) (Decision, error) {
	if err := f.step("judge " + t.Method); err != nil {
		return Decision{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	inside := t.Method == http.MethodConnect && t.Host == "inside.example"
	if !inside {
		f.allowed = append(f.allowed, t.Host)
	}
	return Decision{Allowed: true, Inside: inside}, nil
}

func (f *faulty) LookupNetIP(_ context.Context, network, host string) ([]netip.Addr, error) {
	if err := f.step("resolve"); err != nil {
		return nil, err
	}
	return everywhere{}.LookupNetIP(context.Background(), network, host)
}

func (f *faulty) Reveal(_ context.Context, _ Client, _ Target, _ string, h http.Header) (http.Header, []string, error) {
	return h, nil, f.step("reveal")
}

func (f *faulty) Guards(Target) (look, strict bool) { return true, true }

func (f *faulty) Look(_ context.Context, _ Client, _ Target, answer bool, _ string) error {
	return f.step(fmt.Sprintf("look answer=%v", answer))
}

func (f *faulty) Certificate(host string) (*tls.Certificate, error) {
	if err := f.step("certificate"); err != nil {
		return nil, err
	}
	return f.certificate(host)
}

// A client sends a plain request, one inside of a tunnel that is looked into, and one in a tunnel
// that is not, each with a body, and whoever the proxy asks goes wrong at the nth call. No server
// gets a request that nobody allowed, the client gets no other answer for it than an error, the
// other requests pass, and in the end no place is taken.
func TestEveryAnswerFails(t *testing.T) {
	for _, mode := range []faultMode{fails, panics, stalls} {
		t.Run(string(mode), func(t *testing.T) {
			for n := 1; ; n++ {
				what := oneFault(t, n, mode)
				if t.Failed() {
					return
				}
				if what == "" {
					if n < 12 {
						t.Errorf("only %d calls went wrong, want all of three requests", n-1)
					}
					return
				}
			}
		})
	}
}

// oneFault runs the three requests with one fault, and returns what went wrong.
func oneFault(t *testing.T, n int, mode faultMode) string {
	t.Helper()
	var mu sync.Mutex
	var arrived []string
	up := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := strings.Cut(r.Host, ":")
		mu.Lock()
		arrived = append(arrived, host)
		mu.Unlock()
		if _, err := io.Copy(io.Discard, r.Body); err != nil { // it was cut
			panic(http.ErrAbortHandler)
		}
		_, _ = fmt.Fprintf(w, "hello from %s", host)
	})
	plain := httptest.NewServer(up)
	defer plain.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	f := &faulty{nth: n, mode: mode, over: make(chan struct{})}
	l := newLooked(t, up, func(o *Options) {
		f.certificate = o.Certificate
		o.Gate, o.Resolver, o.Secrets, o.Bodies, o.Certificate = f, f, f, f, f.Certificate
	})
	stop := sync.OnceFunc(func() { close(f.over) })
	defer stop()
	trusts := l.ca.pool.Clone() // a proxy that passes TLS through shows the server's certificate
	trusts.AddCert(l.far.cert)
	failed := 0
	for _, u := range []string{"http://plain.example:" + portOf(t, plain.URL), "https://inside.example:" + l.port, "https://tunnel.example:" + l.port} {
		ctx, cancel := context.WithCancel(ctx)
		f.mu.Lock()
		f.hit = cancel
		f.mu.Unlock()
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, u, io.MultiReader(strings.NewReader("some text"))) // of unknown length
		if err != nil {
			t.Fatal(err)
		}
		c := client(t, l.proxy, trusts)
		body, err := send(c, r)
		cancel()
		c.CloseIdleConnections()
		f.mu.Lock()
		what := f.what
		f.mu.Unlock()
		at := fmt.Sprintf("%s at call %d (%s)", mode, n, what)
		switch host := r.URL.Hostname(); {
		case err == nil && body != "hello from "+host:
			t.Errorf("%s: %s answers %q, want the server's answer", at, u, body)
		case err != nil:
			failed++
			if strings.Contains(err.Error(), errFault.Error()) && !strings.HasPrefix(what, "look") && what != "reveal" {
				t.Errorf("%s: %s: %v, want no details of the operator's", at, u, err)
			}
		}
	}
	stop()
	f.mu.Lock()
	defer f.mu.Unlock()
	mu.Lock()
	defer mu.Unlock()
	at := fmt.Sprintf("%s at call %d (%s)", mode, n, f.what)
	for _, host := range arrived {
		if !slices.Contains(f.allowed, host) {
			t.Errorf("%s: %s got a request that nobody allowed", at, host)
		}
	}
	if want := min(1, len(f.what)); failed != want {
		t.Errorf("%s: %d requests failed, want %d", at, failed, want)
	}
	l.ends.all(t)
	return f.what
}

// send sends a request and returns the answer's body. An answer that the proxy gives is an error.
func send(c *http.Client, r *http.Request) (string, error) {
	a, err := c.Do(r)
	if err != nil {
		return "", err
	}
	defer a.Body.Close()
	b, err := io.ReadAll(a.Body)
	if err == nil && a.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", a.Status, b)
	}
	return string(b), err
}
