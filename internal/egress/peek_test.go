package egress

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// A gate sees the beginning of a body, as often as it looks, and the server gets all of it. A body
// that breaks off is an error for the gate and for the server.
func TestPeek(t *testing.T) {
	for name, tt := range map[string]struct {
		body io.Reader
		size int64
		head int // how many bytes the gate sees
		all  int
		err  error
	}{
		"no body":       {nil, 0, 0, 0, nil},
		"an empty body": {strings.NewReader(""), 0, 0, 0, nil},
		"a small body":  {strings.NewReader("small"), 5, 5, 5, nil},
		"unknown size":  {iotest.OneByteReader(strings.NewReader("small")), -1, 5, 5, nil},
		"just seen":     {strings.NewReader(strings.Repeat("x", maxPeek)), maxPeek, maxPeek, maxPeek, nil},
		"a large body":  {strings.NewReader(strings.Repeat("x", maxPeek+1)), maxPeek + 1, maxPeek, maxPeek + 1, nil},
		"a broken body": {io.MultiReader(strings.NewReader("sm"), iotest.ErrReader(errBroken)), 5, 2, 2, errBroken},
	} {
		for _, looks := range []int{0, 1, 2} {
			r := httptest.NewRequest(http.MethodPost, "http://a.example/", tt.body)
			r.ContentLength = tt.size
			if s, ok := tt.body.(*strings.Reader); ok {
				if _, err := s.Seek(0, io.SeekStart); err != nil {
					t.Fatal(err)
				}
			} else if looks > 0 && tt.body != nil {
				continue // such a body is read once
			}
			control := &deadlines{ResponseRecorder: httptest.NewRecorder()}
			r = withPeek(control, r, http.Header{})
			for range looks {
				head, size, err := Body(r.Context())
				if len(head) != tt.head || size != tt.size || err != tt.err { //nolint:errorlint // the same error
					t.Errorf("%s: the gate sees %d bytes of %d, %v; want %d of %d, %v", name, len(head), size, err, tt.head, tt.size, tt.err)
				}
			}
			all, err := io.ReadAll(r.Body)
			if len(all) != tt.all || err != tt.err { //nolint:errorlint // as above
				t.Errorf("%s, after %d looks: the server gets %d bytes, %v; want %d, %v", name, looks, len(all), err, tt.all, tt.err)
			}
			if want := min(looks, 1) * 2; tt.all > 0 && control.set != want || !control.last.IsZero() {
				t.Errorf("%s, after %d looks: %d deadlines were set, the last is %v; want %d, and none", name, looks, control.set, control.last, want)
			}
		}
	}
	if head, size, err := Body(context.Background()); head != nil || size != 0 || err != nil || Header(context.Background()) != nil {
		t.Errorf("without a request the gate sees %q, %d, %v", head, size, err)
	}
}

type deadlines struct {
	*httptest.ResponseRecorder
	set  int
	last time.Time
}

func (d *deadlines) SetReadDeadline(t time.Time) error {
	d.set, d.last = d.set+1, t
	return nil
}

// A gate sees the headers of a request, and none of those about its connection.
func TestPeekedHeader(t *testing.T) {
	in := http.Header{}
	for _, name := range []string{"Proxy-Authorization", "Proxy-Connection", "Connection", "Keep-Alive", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "Content-Length"} {
		in.Set(name, "x")
	}
	in["Accept"], in["Authorization"] = []string{"a", "b"}, []string{"Bearer placeholder"}
	r := withPeek(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "http://a.example/", nil), in)
	got := Header(r.Context())
	if len(got) != 2 || len(got["Accept"]) != 2 || got.Get("Authorization") != "Bearer placeholder" {
		t.Errorf("the gate sees %v", got)
	}
	got.Set("Accept", "changed")
	if in.Get("Accept") != "a" || in.Get("Proxy-Authorization") != "x" {
		t.Errorf("what the gate does with them changes the request's own: %v", in)
	}
}
