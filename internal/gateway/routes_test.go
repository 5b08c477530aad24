package gateway

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/guardserver"
)

// The document names each route that there is, and none besides, for the side that has it.
func TestOpenAPI(t *testing.T) {
	w := newWorld(t, "")
	_, doc := w.call("", "GET", "/api/openapi.json", nil)
	described := map[string][]string{}
	for path, methods := range doc["paths"].(map[string]any) {
		for method, op := range methods.(map[string]any) {
			for _, side := range op.(map[string]any)["tags"].([]any) {
				if side != "open" {
					described[side.(string)] = append(described[side.(string)], strings.ToUpper(method)+" "+path)
				}
			}
		}
	}
	for side, routes := range map[string][]route{"agent": w.g.agentRoutes(), "operator": w.g.operatorRoutes()} {
		var real []string
		for _, r := range routes {
			real = append(real, r.pattern)
		}
		if side == "agent" {
			real = append(real, "GET /api/pushes/{id}") // where pushes are taken
		}
		slices.Sort(real)
		slices.Sort(described[side])
		if !slices.Equal(real, described[side]) {
			t.Errorf("%s: there are %v, described are %v", side, real, described[side])
		}
	}
}

// What REST has not is told as JSON, with the methods that there are.
func TestUnknownPaths(t *testing.T) {
	w := newWorld(t, "")
	for _, tt := range []struct {
		who, method, path string
		want              int
		allow             string
	}{
		{"agent", "GET", "/api/nothing", 404, ""},
		{"admin", "GET", "/api/nothing", 404, ""},
		{"", "GET", "/api/", 401, ""}, // nobody learns here which routes there are
		{"", "POST", "/api/exec", 401, ""},
		{"", "POST", "/api/queue", 401, ""},
		{"agent", "DELETE", "/api/exec", 405, "POST"},
		{"admin", "PUT", "/api/rules", 405, "GET, POST, DELETE, HEAD"},
		{"admin", "POST", "/api/status", 405, "GET, HEAD"},
		{"agent", "POST", "/api/rules", 404, ""}, // for agents it does not exist
	} {
		status, out := w.call(tt.who, tt.method, tt.path, map[string]any{})
		if status != tt.want || out["error"] == nil || tt.allow != "" && out["error"] != "this path takes "+tt.allow {
			t.Errorf("%s %s: %d %v", tt.method, tt.path, status, out)
		}
	}
}

func TestMetrics(t *testing.T) {
	w := newWorld(t, "rules:\n  - deny: network(*.bad.example)\n", func(o *Options) { o.Profile = true })
	id := w.ask("exec", "make x", nil)["id"].(string)
	w.ask("exec", "make y", nil)
	w.ask("network", "CONNECT x.bad.example:443", nil)
	w.call("approver", "POST", "/api/queue/"+id+"/deny", nil)
	_, out := w.call("viewer", "GET", "/metrics", nil)
	for _, want := range []string{
		`umpire_gateway_pending_requests{category="exec"} 1`, `umpire_gateway_requests_total{category="exec",status="pending"} 2`,
		`umpire_gateway_requests_total{category="network",status="denied"} 1`, `umpire_gateway_answers_total{category="exec",status="denied"} 1`, "umpire_gateway_answer_duration_seconds_count 1", "umpire_gateway_database_up 1", "go_goroutines",
	} {
		if text, _ := out["text"].(string); !strings.Contains(text, want) {
			t.Errorf("there is no %s", want)
		}
	}
	for _, path := range []string{"/metrics", "/debug/pprof/"} {
		if status, _ := w.call("", "GET", path, nil); status != 401 {
			t.Errorf("%s for nobody: %d", path, status)
		}
		if status, _ := w.call("agent", "GET", path, nil); status != 404 {
			t.Errorf("%s for an agent: %d", path, status)
		}
	}
	if status, _ := w.call("approver", "GET", "/debug/pprof/", nil); status != 403 {
		t.Errorf("profiles for an approver: %d", status)
	}
	if status, _ := w.call("admin", "GET", "/debug/pprof/", nil); status != 200 {
		t.Errorf("profiles for an administrator: %d", status)
	}
	plain := newWorld(t, "")
	if status, _ := plain.call("admin", "GET", "/debug/pprof/", nil); status != 404 {
		t.Errorf("profiles that nobody asked for: %d", status)
	}
}

// TestFlood: a credential that makes too many calls is told to wait, and no other is.
func TestFlood(t *testing.T) {
	now := time.Now()
	l := &limiter{rate: 10, now: func() time.Time { return now }, left: map[string]*bucket{}}
	allowed := func(id string) (n int) {
		for range 100 {
			if _, ok := l.allow(id); ok {
				n++
			}
		}
		return n
	}
	if a, b := allowed("a"), allowed("b"); a != 20 || b != 20 {
		t.Errorf("at once: %d and %d", a, b)
	}
	now = now.Add(500 * time.Millisecond)
	if n := allowed("a"); n != 5 {
		t.Errorf("after half a second: %d", n)
	}
	now = now.Add(2 * sweepLimits)
	if n := allowed("c"); n != 20 || len(l.left) != 1 {
		t.Errorf("%d, and %d are remembered", n, len(l.left))
	}
	w := newWorld(t, "", func(o *Options) { o.Rate, o.Now = 2, func() time.Time { return now } })
	var last int
	for range 6 {
		last, _ = w.call("agent", "GET", "/api/queue", nil)
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("the sixth call: %d", last)
	}
	if status, _ := w.call("other", "GET", "/api/queue", nil); status != 200 {
		t.Errorf("another agent: %d", status)
	}
}

// Requests through the proxy count as calls, too.
func TestProxyIsLimited(t *testing.T) {
	now := time.Now()
	o := newOut(t, "rules:\n  - allow: network(good.example:*)\n", func(o *Options) { o.Rate, o.Now = 2, func() time.Time { return now } })
	var last got
	for range 6 {
		last = o.get(t.Context(), "good.example", "/")
	}
	if last.status != http.StatusTooManyRequests || last.after != "1" {
		t.Errorf("the sixth request: %+v", last)
	}
	if status, _ := o.call("agent", "GET", "/api/queue", nil); status != http.StatusTooManyRequests {
		t.Errorf("another call: %d", status)
	}
}

// The record is searched by what it has, the newest first.
func TestAuditFilters(t *testing.T) {
	w := newWorld(t, "rules:\n  - deny: network(*.bad.example)\n")
	w.ask("network", "CONNECT x.bad.example:443", nil)
	w.ask("exec", "make one", nil)
	w.ask("exec", "make two", nil)
	get := func(query string) (list []map[string]any) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.url+"/api/audit?"+query, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+w.tokens["viewer"])
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		data, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != http.StatusOK || json.Unmarshal(data, &list) != nil {
			t.Fatalf("%s: %d %s %v", query, res.StatusCode, data, err)
		}
		return list
	}
	for query, want := range map[string]int{"kind=decision": 3, "kind=decision&effect=deny": 1, "kind=decision&effect=ask&limit=1": 1, "kind=decision&text=MAKE+TWO": 1, "until=2020-01-01T00:00:00Z": 0, "kind=decision&since=2020-01-01T00:00:00Z": 3} {
		if got := get(query); len(got) != want {
			t.Errorf("%s: %d, want %d", query, len(got), want)
		}
	}
	if list := get("kind=decision&effect=ask"); len(list) != 2 || !strings.Contains(list[0]["time"].(string), "T") || list[0]["time"].(string) < list[1]["time"].(string) {
		t.Errorf("not the newest first: %v", list)
	}
	for _, query := range []string{"limit=0", "limit=x", "since=yesterday", "until=x"} {
		if status, out := w.call("viewer", "GET", "/api/audit?"+query, nil); status != 400 || out["error"] == nil {
			t.Errorf("%s: %d %v", query, status, out)
		}
	}
}

// A database that does not answer leaves the other metrics, and its words stay in the log.
func TestMetricsWithoutDatabase(t *testing.T) {
	w := newWorld(t, "")
	w.ask("exec", "make x", nil)
	if err := w.s.Close(); err != nil {
		t.Fatal(err)
	}
	got := httptest.NewRecorder()
	w.g.metrics.ServeHTTP(got, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	text := got.Body.String()
	if got.Code != http.StatusOK || !strings.Contains(text, "umpire_gateway_database_up 0") || !strings.Contains(text, `umpire_gateway_requests_total{category="exec",status="pending"} 1`) {
		t.Errorf("%d %.300s", got.Code, text)
	}
	for _, word := range []string{"sql", "closed", "pending_requests{"} {
		if strings.Contains(text, word) {
			t.Errorf("the metrics have %q", word)
		}
	}
}

// The metrics have the names and units that Prometheus expects, and docs/metrics.md lists them.
// UPDATE_DOCS=1 writes the page.
func TestMetricsDocumented(t *testing.T) {
	const page = "../../docs/metrics.md"
	guard := guardserver.NewMetrics()
	w := newWorld(t, "")
	if err := w.g.MountRoutes(nil, guard.Collectors()...); err != nil {
		t.Fatal(err)
	}
	all := make(chan *prometheus.Desc, 1000)
	w.g.metrics.registry.Describe(all)
	close(all)
	var rows []string
	for desc := range all {
		part := regexp.MustCompile(`fqName: "(umpire_\w+)", help: ("(?:[^"\\]|\\.)*"), .*variableLabels: \{([^}]*)\}`).FindStringSubmatch(desc.String())
		if part == nil {
			continue
		}
		help, err := strconv.Unquote(part[2])
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |\n", part[1], strings.ReplaceAll(part[3], ",", ", "), help))
	}
	slices.Sort(rows)
	text := "# Metrics of the gateway\n\nThis page is generated. To update it, run `UPDATE_DOCS=1 go test ./internal/gateway -run TestMetricsDocumented`.\n\n" +
		"[The gateway](gateway.md#watching-it) serves these metrics for Prometheus; `umpire_http_*` and `umpire_guard_*` only with `--guard`. `umpire guard serve` serves those too, and `umpire_model_proxy_*`.\n\n" +
		"| metric | labels | meaning |\n| --- | --- | --- |\n" + strings.Join(rows, "")
	if os.Getenv("UPDATE_DOCS") != "" {
		if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(page); err != nil || string(have) != text {
		t.Errorf("docs/metrics.md is out of date (%v): run UPDATE_DOCS=1 go test ./internal/gateway -run TestMetricsDocumented", err)
	}
	families, err := w.g.metrics.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	problems, err := promlint.NewWithMetricFamilies(families).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

// Each field of a type that the document describes is named there, and no other field.
func TestOpenAPIFields(t *testing.T) {
	w := newWorld(t, "")
	_, doc := w.call("", "GET", "/api/openapi.json", nil)
	schemas := doc["components"].(map[string]any)["schemas"].(map[string]any)
	types := map[string]reflect.Type{"Request": reflect.TypeFor[approval.Request](), "Token": reflect.TypeFor[Token](), "Error": reflect.TypeFor[struct {
		Error string `json:"error"`
	}]()}
	for name := range schemas {
		if types[name] == nil {
			t.Errorf("no type belongs to %s: add it here", name)
		}
	}
	for name, typ := range types {
		var fields []string
		for i := range typ.NumField() {
			if field, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ","); field != "-" {
				fields = append(fields, field)
			}
		}
		described := slices.Sorted(maps.Keys(schemas[name].(map[string]any)["properties"].(map[string]any)))
		slices.Sort(fields)
		if !slices.Equal(fields, described) {
			t.Errorf("%s has %v, described are %v", name, fields, described)
		}
	}
}
