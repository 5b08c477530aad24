package gateway

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/jsonfault"
)

// A lifetime that is over before it begins is a mistake: taken for none, it would be for ever.
func TestLifetimes(t *testing.T) {
	w := newWorld(t, "")
	for _, ms := range []int64{-1, 0, maxLifetime.Milliseconds() + 1} {
		for path, in := range map[string]map[string]any{
			"/api/tokens": {"kind": "operator", "name": "eve", "role": "viewer"}, "/api/rules": {"type": "allow", "rule": "network(h.test)"},
		} {
			in["expiresIn"] = ms
			if status, out := w.call("admin", "POST", path, in); status != http.StatusBadRequest || !strings.Contains(fmt.Sprint(out["error"]), "expiresIn ") {
				t.Errorf("%s, %d ms: %d %v", path, ms, status, out)
			}
		}
	}
	month := 30 * 24 * time.Hour
	if status, out := w.call("admin", "POST", "/api/rules", map[string]any{"type": "allow", "rule": "network(h.test)", "expiresIn": month.Milliseconds()}); status != http.StatusOK || !strings.Contains(fmt.Sprint(out), w.g.now().Add(month).UTC().Format("2006-01-02")) {
		t.Errorf("a month: %d %v", status, out)
	}
}

// Errors are JSON at every door, whoever comes.
func TestErrorsAreJSON(t *testing.T) {
	w := newWorld(t, "")
	for _, tt := range []struct {
		who, method, path string
		header            []string
		status            int
		says              string
	}{
		{"", "POST", "/mcp", nil, http.StatusUnauthorized, "token"},
		{"approver", "POST", "/api/rules", nil, http.StatusForbidden, "it needs the role admin"},
		{"viewer", "POST", "/api/queue/x/approve", nil, http.StatusForbidden, "it needs the role approver"},
		{"admin", "POST", "/mcp", nil, http.StatusForbidden, "wrong kind of credential"},
		{"agent", "POST", "/mcp", []string{"Origin", "http://evil.test"}, http.StatusForbidden, "pages of other sites"},
		{"agent", "POST", "/api/exec", []string{"Origin", "http://evil.test"}, http.StatusForbidden, "pages of other sites"},
		{"agent", "POST", "/api/exec", nil, http.StatusBadRequest, "JSON: command must be text"},
		{"viewer", "GET", "/api/audit?effect=denied", nil, http.StatusBadRequest, "use deny, ask or allow"},
		{"viewer", "GET", "/api/audit?kind=x", nil, http.StatusBadRequest, "use one of decision, approval"},
	} {
		if status, out := w.call(tt.who, tt.method, tt.path, object{"command": 1}, tt.header...); status != tt.status || !strings.Contains(fmt.Sprint(out["error"]), tt.says) {
			t.Errorf("%+v: %d %v", tt, status, out)
		}
	}
}

// People learn that the gateway's disk is full, and agents do not: one of them may have filled it.
func TestFullDiskIsNamedToPeople(t *testing.T) {
	w := newWorld(t, "")
	for _, c := range []struct {
		side  CredentialKind
		who   string
		names bool
	}{{Operator, "viewer", true}, {Agent, "agent", false}} {
		h := w.g.wrap(c.side, Viewer, func(http.ResponseWriter, *http.Request, Principal) (int, any, error) {
			return 0, nil, fmt.Errorf("%w: no space", approval.ErrDiskFull)
		})
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/queue", nil)
		r.Header.Set("Authorization", "Bearer "+w.tokens[c.who])
		got := httptest.NewRecorder()
		h.ServeHTTP(got, r)
		if body := got.Body.String(); got.Code != http.StatusServiceUnavailable || strings.Contains(body, "disk is full") != c.names || strings.Contains(body, "no space") {
			t.Errorf("%s: %d %s, want 503, with the full disk named: %v", c.who, got.Code, body, c.names)
		}
	}
}

// A 0 would select the default or no limit at all, at every door and in every number of a body.
func TestZeroIsNoLimit(t *testing.T) {
	w := newWorld(t, "")
	meta := func(category, action string, m map[string]any) map[string]any {
		m["timeout"] = 0
		return map[string]any{"category": category, "action": action, "metadata": m}
	}
	for name, tt := range map[string]struct {
		path string
		in   map[string]any
	}{
		"timeout":              {"exec", map[string]any{"command": "true"}},
		"lease":                {"exec", map[string]any{"command": "true"}},
		"timeout of a package": {"packages", map[string]any{"manager": "npm", "packages": []string{"a"}}},
		"lease of a package":   {"packages", map[string]any{"manager": "npm", "packages": []string{"a"}}},
		"lease of files":       {"files", map[string]any{"changes": []any{}}},
		"lease of a request":   {"queue", map[string]any{"category": "network", "action": "GET https://example.com/"}},
		"expiresIn":            {"queue", map[string]any{"category": "network", "action": "GET https://example.com/"}},
		"expiresIn of a check": {"check", map[string]any{"category": "network", "action": "GET https://example.com/"}},
		"timeout in metadata":  {"queue", meta("exec", "true", map[string]any{})},
		"timeout in package":   {"queue", meta("packages", "", map[string]any{"manager": "npm", "packages": []string{"a"}})},
	} {
		field, _, _ := strings.Cut(name, " ")
		for _, n := range []any{0, -1} {
			if m, ok := tt.in["metadata"].(map[string]any); ok {
				m[field] = n
			} else {
				tt.in[field] = n
			}
			if status, out := w.call("agent", "POST", "/api/"+tt.path, tt.in); status != http.StatusBadRequest || !strings.Contains(fmt.Sprint(out["error"]), field+" must be more than 0") {
				t.Errorf("%s, %v: %d %v", name, n, status, out)
			}
		}
	}
	if status, out := w.call("viewer", "GET", "/api/queue?limit=0", nil); status != http.StatusBadRequest {
		t.Errorf("a limit of 0: %d %v", status, out)
	}
	s, _ := w.mcp("agent")
	for _, field := range []string{"timeout", "lease"} {
		out := <-use(t.Context(), s, "request_exec", map[string]any{"command": "true", field: 0})
		if !out.failed || !strings.HasPrefix(out.text, field+" must be more than 0") {
			t.Errorf("MCP, %s: %+v", field, out)
		}
	}
	// The next body must have a test above for its numbers: they are all of the type that refuses 0.
	var walk func(reflect.Type)
	walk = func(b reflect.Type) {
		for f := range b.Fields() {
			switch f.Type.Kind() {
			case reflect.Struct:
				walk(f.Type)
			case reflect.Int, reflect.Int64, reflect.Float64:
				if f.Type != reflect.TypeFor[jsonfault.Positive]() {
					t.Errorf("%v.%s takes a 0", b, f.Name)
				}
			}
		}
	}
	for _, b := range []any{Submission{}, execIn{}, packagesIn{}, filesIn{}, ruleIn{}, tokenIn{}, Reply{}, proposal{}} {
		walk(reflect.TypeOf(b))
	}
}

// Filters that can match nothing are mistakes.
func TestHistoryFilters(t *testing.T) {
	w := newWorld(t, "")
	for query, want := range map[string]string{
		"category=netwrk": `unknown category "netwrk": use one of network, filesystem,`, "status=pending": `unknown status "pending": use one of approved, denied,`,
	} {
		if status, out := w.call("viewer", "GET", "/api/history?"+query, nil); status != http.StatusBadRequest || !strings.HasPrefix(fmt.Sprint(out["error"]), want) {
			t.Errorf("%s: %d %v", query, status, out)
		}
	}
}

// What is wrong with a body is said in the words of JSON, and not in those of Go.
func TestBodyFaults(t *testing.T) {
	w := newWorld(t, "")
	for body, want := range map[string]any{"category must be text, not this number": map[string]any{"category": 5}, "it must be an object, not a list": []int{1}, `unknown field "cmd"`: map[string]any{"cmd": "x"}} {
		if status, out := w.call("agent", "POST", "/api/queue", want); status != http.StatusBadRequest || out["error"] != "the body is not the expected JSON: "+body {
			t.Errorf("%v: %d %v", want, status, out)
		}
	}
}

// A key stands for one request: a repetition gets it, and another request gets no answer of it.
func TestKeyOfAnotherRequest(t *testing.T) {
	w := newWorld(t, "")
	_, first := w.call("agent", "POST", "/api/exec", object{"command": "frob a", "key": "k"})
	if _, again := w.call("agent", "POST", "/api/exec", object{"command": "frob a", "key": "k"}); again["id"] != first["id"] {
		t.Errorf("%v, %v", first, again)
	}
	for _, other := range []object{{"command": "frob b", "key": "k"}, {"command": "frob c", "cwd": "missing/..", "key": "k"}} {
		if status, out := w.call("agent", "POST", "/api/exec", other); status != http.StatusConflict || !strings.Contains(fmt.Sprint(out["error"]), "use a new key") {
			t.Errorf("%v: %d %v", other, status, out)
		}
	}
}
