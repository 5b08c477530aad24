package modelproxy_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/modelproxy"
)

// conversationOf is a request of an agent after some turns, of about size bytes.
func conversationOf(size int) string {
	var b strings.Builder
	b.WriteString(`{"model":"m","messages":[{"role":"user","content":"Fix the tests in this project, please."}`)
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `,{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.go\"}"}}]},{"role":"tool","tool_call_id":"c%d","content":%s}`,
			i, i, q(strings.Repeat("func main() {\n\tfmt.Println(\"hello\")\n}\n", 50)))
	}
	b.WriteString(`]}`)
	return b.String()
}

// BenchmarkProxy compares the proxy to one that only passes on, at the same upstream. Take
// the ratios of one run.
func BenchmarkProxy(b *testing.B) {
	for _, c := range []struct {
		name, body, answer, kind string
	}{
		{"small", conversationOf(100), `{"choices":[{"index":0,"message":{"role":"assistant","content":"` + strings.Repeat("All is well. ", 100) + `"}}]}`, "application/json"},
		{"100KB", conversationOf(100 << 10), `{"choices":[{"index":0,"message":{"role":"assistant","content":"` + strings.Repeat("All is well. ", 100) + `"}}]}`, "application/json"},
		{"1MB", conversationOf(1 << 20), `{"choices":[{"index":0,"message":{"role":"assistant","content":"` + strings.Repeat("All is well. ", 100) + `"}}]}`, "application/json"},
		{"stream of 200 events", conversationOf(100), sse(events("chat", strings.Repeat("All is well. ", 100), 6)), "text/event-stream"},
	} {
		up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", c.kind)
			_, _ = io.WriteString(w, c.answer)
		}))
		base, _ := url.Parse(up.URL)
		o := options()
		o.OpenAI, o.Log = base.JoinPath("v1"), slog.New(slog.DiscardHandler)
		bare := modelproxy.Options{OpenAI: o.OpenAI, Log: o.Log}
		for _, p := range []struct {
			name string
			http.Handler
		}{
			{"ReverseProxy", &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(base) }, FlushInterval: -1, Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}}},
			{"without guards", modelproxy.New(bare)},
			{"with guards", modelproxy.New(o)},
		} {
			b.Run(c.name+"/"+p.name, func(b *testing.B) {
				s := httptest.NewServer(p)
				defer s.Close()
				b.ReportAllocs()
				b.SetBytes(int64(len(c.body) + len(c.answer)))
				for b.Loop() {
					res, err := http.Post(s.URL+"/v1/chat/completions", "application/json", strings.NewReader(c.body))
					if err != nil {
						b.Fatal(err)
					}
					_, _ = io.Copy(io.Discard, res.Body)
					res.Body.Close()
					if res.StatusCode != 200 {
						b.Fatal(res.Status)
					}
				}
			})
		}
		up.Close()
	}
}
