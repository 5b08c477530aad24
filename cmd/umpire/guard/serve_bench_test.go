package guard

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/guard"
	"github.com/umpire-dev/umpire/internal/modelproxy"
)

// BenchmarkModelProxy compares the median time of a request through the model proxy, which checks
// input for injections and masks personal data in the answer, with one through a plain reverse
// proxy. The two take turns at the same upstream.
func BenchmarkModelProxy(b *testing.B) {
	words := strings.Repeat("Your order left the warehouse this morning, and it should be with you by Friday. ", 15)
	var events strings.Builder
	for word := range strings.FieldsSeq(words) {
		text, err := json.Marshal(word + " ")
		if err != nil {
			b.Fatal(err)
		}
		fmt.Fprintf(&events, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%s},\"finish_reason\":null}]}\n\n", text)
	}
	events.WriteString("data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	pii, err := guard.PII(guard.PIIOptions{})
	if err != nil {
		b.Fatal(err)
	}
	output := guard.NewOutput([]guard.OutputStage{pii})
	for _, c := range []struct{ name, kind, answer string }{
		{"whole", "application/json", `{"choices":[{"index":0,"message":{"role":"assistant","content":"` + words + `"}}]}`},
		{"stream", "text/event-stream", events.String()},
	} {
		b.Run(c.name, func(b *testing.B) {
			up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body) // a client that is gone fails below
				w.Header().Set("Content-Type", c.kind)
				_, _ = io.WriteString(w, c.answer)
			}))
			defer up.Close()
			base, err := url.Parse(up.URL)
			if err != nil {
				b.Fatal(err)
			}
			plain := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(base) }, FlushInterval: -1, Transport: &http.Transport{DisableCompression: true}})
			defer plain.Close()
			guarded := httptest.NewServer(modelproxy.New(modelproxy.Options{
				OpenAI: base.JoinPath("v1"), Log: slog.New(slog.DiscardHandler), Output: output,
				Input: guard.NewInput([]guard.Stage{guard.Normalization(guard.NormalizationOptions{}), guard.Injection(guard.InjectionOptions{})}),
				Stream: func(ctx context.Context, a guard.Answer) modelproxy.Stream {
					return &answerStream{s: output.Stream(ctx, a)}
				},
			}))
			defer guarded.Close()
			client := http.Client{Transport: &http.Transport{}} // not the default one, whose connections a closing server takes
			var took [2][]time.Duration
			for b.Loop() {
				for i, at := range []string{plain.URL, guarded.URL} {
					start := time.Now()
					res, err := client.Post(at+"/v1/chat/completions", "application/json", strings.NewReader(`{"messages":[{"role":"user","content":"When will my order be here? It is for a birthday on Saturday."}]}`))
					if err != nil {
						b.Fatal(err)
					}
					_, err = io.Copy(io.Discard, res.Body)
					res.Body.Close()
					if err != nil && at == plain.URL {
						continue // it loses an answer now and then that comes before all of the request went
					}
					if err != nil || res.StatusCode != http.StatusOK {
						b.Fatalf("request: status %v, %v, want 200", res.Status, err)
					}
					took[i] = append(took[i], time.Since(start))
				}
			}
			for i := range took {
				slices.Sort(took[i])
			}
			a, z := took[0][len(took[0])/2], took[1][len(took[1])/2]
			b.ReportMetric(float64(a.Microseconds()), "µs-plain")
			b.ReportMetric(float64(z.Microseconds()), "µs-guarded")
			b.ReportMetric(float64(z)/float64(a), "ratio")
		})
	}
}
