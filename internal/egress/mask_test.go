package egress

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"strings"
	"testing"
	"testing/iotest"
)

const hidden = "the-very-secret-value"

// vault has one secret, for the header Authorization of a.example.
type vault struct{}

func (vault) Reveal(_ context.Context, _ Client, t Target, _ string, h http.Header) (http.Header, []string, error) {
	if h.Get("Authorization") != "placeholder" {
		return h, nil, nil
	}
	if t.Host != "a.example" || t.Scheme != "https" {
		return nil, nil, errors.New("not for " + t.Host)
	}
	h = h.Clone()
	h.Set("Authorization", hidden)
	return h, []string{hidden}, nil
}

// A server that echoes a secret, in whatever way, tells the agent nothing.
func TestSecrets(t *testing.T) {
	next := make(chan struct{})
	l := newLooked(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got := r.Header.Get("Authorization")
		w.Header().Set("Link", "<"+got+">") // before the answer
		w.WriteHeader(http.StatusEarlyHints)
		w.Header().Del("Link")
		w.Header().Set("Had", fmt.Sprint(got == hidden))
		w.Header().Set("Trailer", "End")
		w.Header().Set("Echo", "x"+got)
		switch r.URL.Path {
		case "/whole":
			fmt.Fprintf(w, "a %s b %s", got, got)
		case "/steps": // half of it, and then the rest
			fmt.Fprint(w, "event: "+got[:5])
			w.(http.Flusher).Flush()
			fmt.Fprint(w, got[5:]+"\nnow")
			w.(http.Flusher).Flush()
			<-next
		case "/gzip":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			fmt.Fprint(z, "packed "+got)
			z.Close()
		case "/br":
			w.Header().Set("Content-Encoding", "br")
			fmt.Fprint(w, "packed "+got)
		case "/accept":
			fmt.Fprint(w, r.Header.Get("Accept-Encoding"))
		}
		w.Header().Set("End", got)
	}), func(o *Options) { o.Secrets = vault{} })
	var c *http.Client
	do := func(url string, during func(io.Reader)) (a answer, trailer http.Header) {
		t.Helper()
		req, _ := http.NewRequest("GET", url, nil)
		req.Header.Set("Authorization", "placeholder")
		hints := ""
		req = req.WithContext(httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{Got1xxResponse: func(_ int, h textproto.MIMEHeader) error {
			hints += h.Get("Link")
			return nil
		}}))
		resp, err := c.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		during(resp.Body)
		b, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Error(err)
		}
		if resp.StatusCode == http.StatusOK && hints != "<"+strings.Repeat("*", len(hidden))+">" {
			t.Errorf("before the answer: %q", hints)
		}
		return answer{resp.StatusCode, resp.Header, string(b)}, resp.Trailer
	}
	later := func(io.Reader) {}
	stars := strings.Repeat("*", len(hidden))
	for _, h2 := range []bool{false, true} {
		c = l.client()
		c.Transport.(*http.Transport).ForceAttemptHTTP2 = h2
		at := "https://a.example:" + l.port
		for path, want := range map[string]string{"/whole": "a " + stars + " b " + stars, "/gzip": "packed " + stars, "/accept": "identity"} {
			got, trailer := do(at+path, later)
			if got.body != want || got.header.Get("Had") != "true" {
				t.Errorf("%s: %+v", path, got)
			}
			if got.header.Get("Echo") != "x"+stars || h2 && trailer.Get("End") != stars {
				t.Errorf("%s: %+v, %v", path, got, trailer)
			}
		}
		if got, _ := do(at+"/br", later); got.status != 502 {
			t.Errorf("what cannot be read passes: %+v", got)
		}
		do(at+"/steps", func(r io.Reader) { // while the server holds on
			b := make([]byte, len("event: "+hidden+"\nnow"))
			if _, err := io.ReadFull(r, b); err != nil || string(b) != "event: "+stars+"\nnow" {
				t.Errorf("%s, %v", b, err)
			}
			next <- struct{}{}
		})
		if got, _ := do("https://b.example:"+l.port+"/whole", later); got.status != 403 {
			t.Errorf("another host: %+v", got)
		}
	}
	if got := l.gate.questions(); strings.Contains(got, "GET https://b.example") {
		t.Errorf("asked about what no answer allows: %s", got)
	}
	if strings.Contains(l.log.String(), hidden) || strings.Contains(l.gate.questions(), hidden) {
		t.Error("the log has the secret")
	}
}

func FuzzMask(f *testing.F) {
	f.Add([]byte("a the-very-secret-value b"), 3)
	f.Fuzz(func(t *testing.T, b []byte, n int) {
		hide := []string{"abab", hidden, "b"}
		for name, r := range map[string]io.Reader{"whole": bytes.NewReader(b), "byte by byte": iotest.OneByteReader(bytes.NewReader(b)), "half": iotest.HalfReader(bytes.NewReader(b))} {
			got, err := io.ReadAll(&maskReader{r: io.NopCloser(r), masker: masker{hide: hide}, end: func() {}})
			if err != nil || len(got) != len(b) {
				t.Fatalf("%s: %d bytes became %d, %v", name, len(b), len(got), err)
			}
			for _, text := range hide {
				if bytes.Contains(got, []byte(text)) {
					t.Fatalf("%s: %q", name, got)
				}
			}
		}
	})
}
