//go:build unix

package gateway_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
	"golang.org/x/sys/unix"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/store"
	"github.com/umpire-dev/umpire/internal/store/storetest"
)

// bench is a gateway as `umpire serve` runs it.
type bench struct {
	g   *gateway.Gateway
	s   *store.Store
	url string
	end func()
}

// transport keeps a connection for each client.
var transport = &http.Transport{MaxIdleConnsPerHost: 256}

func serveBench(b *testing.B, where string) *bench {
	b.Helper()
	home := b.TempDir()
	b.Setenv("HOME", home)
	policy := filepath.Join(home, "policy.yaml")
	if err := os.WriteFile(policy, []byte("version: 1\nrules:\n  - allow: network(good.example)\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	root := filepath.Join(home, "project")
	if err := os.MkdirAll(root, 0o755); err != nil {
		b.Fatal(err)
	}
	s, err := store.Open(b.Context(), where)
	if err != nil {
		b.Fatal(err)
	}
	g, err := gateway.New(b.Context(), gateway.Options{Store: s, Root: root, Layers: policyfile.Paths{User: policy}, AuditDir: filepath.Join(home, "audit"),
		Shared: where[0] == 'p', Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	var parts sync.WaitGroup
	parts.Go(func() { g.Run(ctx) })
	parts.Go(func() { g.Execute(ctx) })
	srv := httptest.NewServer(g.Handler())
	end := sync.OnceFunc(func() {
		transport.CloseIdleConnections()
		cancel()
		parts.Wait()
		_ = g.Close(context.WithoutCancel(ctx), false)
		srv.CloseClientConnections()
		srv.Close()
		_ = s.Close()
	})
	b.Cleanup(end)
	return &bench{g, s, srv.URL, end}
}

func (w *bench) token(b *testing.B, t gateway.Token) string {
	b.Helper()
	secret, _, err := w.g.NewToken(b.Context(), t)
	if err != nil {
		b.Fatal(err)
	}
	return secret
}

func post(b *testing.B, url, token string, body []byte) []byte {
	req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	return do(b, req, token)
}

func get(b *testing.B, url, token string) []byte {
	req, err := http.NewRequestWithContext(b.Context(), http.MethodGet, url, nil)
	if err != nil {
		b.Fatal(err)
	}
	return do(b, req, token)
}

func do(b *testing.B, req *http.Request, token string) []byte {
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := transport.RoundTrip(req)
	if err != nil {
		b.Error(err)
		return nil
	}
	defer func() { _ = res.Body.Close() }()
	data, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode >= 300 {
		b.Errorf("%s %d %s %v", req.URL, res.StatusCode, data, err)
	}
	return data
}

// spread has clients do n things together, and returns how many a second.
func spread(clients, n int, f func(client int)) float64 {
	var next atomic.Int64
	var wg sync.WaitGroup
	begin := time.Now()
	for c := range clients {
		wg.Go(func() {
			for next.Add(1) <= int64(n) {
				f(c)
			}
		})
	}
	wg.Wait()
	return float64(n) / time.Since(begin).Seconds()
}

var decision = []byte(`{"category":"network","action":"GET https://good.example/v1/items?page=2","reason":"to read the list"}`)

// Decisions a second against those of a handler that reads a body and writes one, in turn in
// one run.
func BenchmarkDecisions(b *testing.B) {
	w := serveBench(b, b.TempDir())
	token := w.token(b, gateway.Token{Kind: gateway.Agent, Name: "a"})
	reply := []byte(`{"action":"GET https://good.example/v1/items","effect":"allow"}` + "\n")
	bare := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		rw.Header().Set("Content-Type", "application/json")
		_, _ = rw.Write(reply)
	}))
	defer bare.Close()
	if got := post(b, w.url+"/api/check", token, decision); !bytes.Contains(got, []byte(`"allow"`)) {
		b.Fatalf("%s", got)
	}
	const round = 2000
	var plain, judged []float64
	for b.Loop() {
		plain = append(plain, spread(16, round, func(int) { post(b, bare.URL, token, decision) }))
		judged = append(judged, spread(16, round, func(int) { post(b, w.url+"/api/check", token, decision) }))
	}
	slices.Sort(plain)
	slices.Sort(judged)
	p, j := plain[len(plain)/2], judged[len(judged)/2]
	b.ReportMetric(p, "bare/s")
	b.ReportMetric(j, "decisions/s")
	b.ReportMetric(p/j, "bare/decision")
	b.ReportMetric(0, "ns/op")
}

// each runs a benchmark on SQLite and on PostgreSQL.
func each(b *testing.B, f func(b *testing.B, where func() string)) {
	b.Run("sqlite", func(b *testing.B) { f(b, b.TempDir) })
	b.Run("postgres", func(b *testing.B) {
		url := storetest.StartPostgres(b).URL
		f(b, func() string { return url })
	})
}

// Questions a second that are durable when their asker hears so, over HTTP.
func BenchmarkQuestions(b *testing.B) {
	each(b, func(b *testing.B, where func() string) {
		for _, clients := range []int{1, 64} {
			b.Run(fmt.Sprint("clients=", clients), func(b *testing.B) {
				w := serveBench(b, where())
				token := w.token(b, gateway.Token{Kind: gateway.Agent, Name: "a"})
				b.ResetTimer()
				b.ReportMetric(spread(clients, b.N, func(int) {
					post(b, w.url+"/api/queue", token, []byte(`{"category":"network","action":"CONNECT other.example:443"}`))
				}), "questions/s")
			})
		}
	})
}

// The same with 64 clients on one, two and three gateways on one PostgreSQL. All of them share
// this machine's processors.
func BenchmarkGateways(b *testing.B) {
	for n := 1; n <= 3; n++ {
		b.Run(fmt.Sprint("gateways=", n), func(b *testing.B) {
			url := storetest.StartPostgres(b).URL
			var all []*bench
			for range n {
				all = append(all, serveBench(b, url))
			}
			token := all[0].token(b, gateway.Token{Kind: gateway.Agent, Name: "a"})
			b.ResetTimer()
			b.ReportMetric(spread(64, b.N, func(c int) {
				post(b, all[c%n].url+"/api/queue", token, []byte(`{"category":"network","action":"CONNECT other.example:443"}`))
			}), "questions/s")
		})
	}
}

// The same with a database that is 5 ms away, on one, two and three gateways in turn. Each
// gateway has its own agents.
func BenchmarkDistance(b *testing.B) {
	const clients, gateways = 8, 3
	url := storetest.Away(b, storetest.StartPostgres(b).URL, 5*time.Millisecond)
	var all []*bench
	var tokens []string
	for i := range gateways {
		all = append(all, serveBench(b, url))
		for c := range clients {
			tokens = append(tokens, all[i].token(b, gateway.Token{Kind: gateway.Agent, Name: fmt.Sprint(i, "-", c)}))
		}
	}
	b.ResetTimer()
	var one float64
	for n := 1; n <= gateways; n++ {
		rate := spread(n*clients, n*b.N, func(c int) {
			post(b, all[c/clients].url+"/api/queue", tokens[c], []byte(`{"category":"network","action":"CONNECT other.example:443"}`))
		})
		b.ReportMetric(rate, fmt.Sprint("gateways=", n, "/s"))
		one = cmp.Or(one, rate)
		b.ReportMetric(rate/one, fmt.Sprint("gateways=", n, "/one"))
	}
	b.ReportMetric(0, "ns/op")
}

// How long after a person's answer the agent has it that waits for it: at the same gateway,
// and at another of three.
func BenchmarkAnswer(b *testing.B) {
	measure := func(b *testing.B, asked, answered *bench) {
		agent := asked.token(b, gateway.Token{Kind: gateway.Agent, Name: "a"})
		person := asked.token(b, gateway.Token{Kind: gateway.Operator, Role: gateway.Approver, Name: "p"})
		// The least there can be: a handler that waits for another one.
		release := make(chan struct{})
		bare := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				<-release
			} else {
				release <- struct{}{}
			}
		}))
		defer bare.Close()
		handOver := func(wait, answer func()) time.Duration {
			heard, waits := make(chan time.Time, 1), make(chan struct{})
			go func() {
				close(waits)
				wait()
				heard <- time.Now()
			}()
			<-waits
			time.Sleep(5 * time.Millisecond) // it is to wait by then; if it does not, it is heard the sooner
			begin := time.Now()
			answer()
			return (<-heard).Sub(begin)
		}
		disk, err := os.Create(filepath.Join(b.TempDir(), "synced"))
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = disk.Close() }()
		page := make([]byte, 4096)
		var took, least, synced []time.Duration
		for b.Loop() {
			begin := time.Now()
			if _, err := disk.Write(page); err != nil {
				b.Fatal(err)
			}
			if err := disk.Sync(); err != nil {
				b.Fatal(err)
			}
			synced = append(synced, time.Since(begin))
			least = append(least, handOver(func() { get(b, bare.URL, "") }, func() { post(b, bare.URL, "", nil) }))
			var q struct{ ID string }
			if err := json.Unmarshal(post(b, asked.url+"/api/queue", agent, []byte(`{"category":"network","action":"CONNECT other.example:443"}`)), &q); err != nil {
				b.Fatal(err)
			}
			took = append(took, handOver(func() { get(b, asked.url+"/api/queue/"+q.ID+"?wait=50s", agent) },
				func() { post(b, answered.url+"/api/queue/"+q.ID+"/approve", person, []byte(`{}`)) }))
		}
		ms := func(d []time.Duration, q float64) float64 {
			slices.Sort(d)
			return d[min(len(d)-1, int(q*float64(len(d))))].Seconds() * 1000
		}
		b.ReportMetric(ms(took, 0.5), "p50-ms")
		b.ReportMetric(ms(took, 0.99), "p99-ms")
		b.ReportMetric(ms(least, 0.5), "bare-p50-ms")
		b.ReportMetric(ms(least, 0.99), "bare-p99-ms")
		b.ReportMetric(ms(synced, 0.99), "fsync-p99-ms")
		b.ReportMetric(0, "ns/op")
	}
	b.Run("sqlite/gateways=1", func(b *testing.B) {
		w := serveBench(b, b.TempDir())
		measure(b, w, w)
	})
	b.Run("postgres/gateways=3", func(b *testing.B) {
		url := storetest.StartPostgres(b).URL
		one, two, _ := serveBench(b, url), serveBench(b, url), serveBench(b, url)
		measure(b, one, two)
	})
}

// fill stores n requests, settled unless they are to wait.
func fill(b *testing.B, s *store.Store, n int, state approval.State) {
	b.Helper()
	now := time.Now()
	metadata := json.RawMessage(`{"effective":{"category":"exec","command":"make test"},"said":{"command":"` + strings.Repeat("make test; ", 80) + `"}}`)
	spread(64, n, func(int) {
		r := approval.Request{ID: approval.NewID(now), Agent: "a", Category: approval.Exec, Action: "make test", Description: "in a folder", Digest: "d", State: state, Created: now,
			Expires: now.Add(time.Hour), Metadata: metadata}
		if state == approval.Pending {
			r.Category = approval.Network
		} else {
			r.Resolved = now
		}
		if _, _, err := s.Submit(b.Context(), r); err != nil {
			b.Error(err)
		}
	})
}

// From the start of a gateway that has 100,000 old requests until it is ready.
func BenchmarkStart(b *testing.B) {
	each(b, func(b *testing.B, where func() string) {
		at := where()
		s, err := store.Open(b.Context(), at)
		if err != nil {
			b.Fatal(err)
		}
		fill(b, s, 100_000, approval.Denied)
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		var took time.Duration
		for b.Loop() {
			begin := time.Now()
			w := serveBench(b, at)
			get(b, w.url+"/readyz", "")
			took += time.Since(begin)
			w.end()
		}
		b.ReportMetric(took.Seconds()*1000/float64(b.N), "ms")
	})
}

// The list of 10,000 requests that wait, as a person's program gets it: the first page, the largest and the last.
func BenchmarkPending(b *testing.B) {
	each(b, func(b *testing.B, where func() string) {
		w := serveBench(b, where())
		person := w.token(b, gateway.Token{Kind: gateway.Operator, Role: gateway.Viewer, Name: "p"})
		fill(b, w.s, 10_000, approval.Pending)
		for path, least := range map[string]int{"/api/queue": 200, "/api/queue?limit=1000": 1000, "/api/queue?limit=1000&skip=9000": 1000} {
			b.Run(path, func(b *testing.B) {
				began := cpu(b)
				for b.Loop() {
					if got := get(b, w.url+path, person); len(got) < least*100 {
						b.Fatalf("%d bytes", len(got))
					}
				}
				b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), "ms")
				b.ReportMetric((cpu(b)-began).Seconds()*1000/float64(b.N), "cpu-ms")
			})
		}
	})
}

// cpu is the processor time of this program, which says more than the clock of a busy machine.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// The last 100 of a million entries of the audit log, and those of one session.
func BenchmarkAudit(b *testing.B) {
	w := serveBench(b, b.TempDir())
	person := w.token(b, gateway.Token{Kind: gateway.Operator, Role: gateway.Viewer, Name: "p"})
	dir := filepath.Join(os.Getenv("HOME"), "audit")
	log, err := audit.Open(dir, audit.Options{Wait: time.Minute, Strict: true})
	if err != nil {
		b.Fatal(err)
	}
	const million = 1_000_000
	for i := 0; i < million; i += 1000 {
		var events []*audit.Event
		for k := range 1000 {
			events = append(events, &audit.Event{Kind: audit.Decision, Point: audit.Hook, Tool: "Bash", Principal: umpire.Principal{Session: fmt.Sprint("s", (i+k)/100)},
				Params: json.RawMessage(`{"command":"make test"}`), Effect: "allow"})
		}
		if err := log.Append(events...); err != nil {
			b.Fatal(err)
		}
	}
	for _, q := range []struct{ name, query string }{{"last", "limit=100"}, {"session", "limit=100&session=s5000"}, {"first", "limit=100&session=s1"}} {
		b.Run(q.name, func(b *testing.B) {
			for b.Loop() {
				if got := get(b, w.url+"/api/audit?"+q.query, person); bytes.Count(got, []byte(`"kind"`)) != 100 {
					b.Fatalf("%.300s", got)
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), "ms")
		})
	}
}
