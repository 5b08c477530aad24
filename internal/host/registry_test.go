package host

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestRegistries(t *testing.T) {
	var asked atomic.Int64
	release := make(chan struct{})
	answers := map[string]string{
		"/left-pad": `{"description":"pads\u001b[2J","license":"WTFPL","dist-tags":{"latest":"1.3.0"},"time":{"created":"2014-03-14T10:00:00Z","1.3.0":"2018-04-09T00:00:00Z"},
			"versions":{"1.2.0":{},"1.3.0":{"deprecated":"use padStart","hasInstallScript":true}},"maintainers":[{"name":"ada"}]}`,
		"/@scope%2Fx":                           `{"dist-tags":{"latest":"2.0.0"},"versions":{"2.0.0":{}}}`,
		"/pypi/requests/json":                   `{"info":{"version":"2.32.0","summary":"HTTP","license":"Apache\nmore","author":"k"},"releases":{"1":[],"2":[]},"urls":[{"upload_time_iso_8601":"2024-05-20T10:00:00Z"}]}`,
		"/api/v1/crates/serde":                  `{"crate":{"max_version":"1.0.1","downloads":7,"created_at":"2015-01-01T00:00:00Z","updated_at":"2024-01-01T00:00:00Z","repository":"https://example.org/serde"}}`,
		"/github.com/!burnt!sushi/toml/@latest": `{"Version":"v1.5.0","Time":"2025-01-01T00:00:00Z","Origin":{"URL":"https://github.com/BurntSushi/toml"}}`,
		"/api/v1/gems/rails.json":               `{"version":"8.0","version_created_at":"2025-02-01T00:00:00Z","info":"web","authors":"d","downloads":3}`,
		"/moved":                                "",
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.URL.Path == "/slow" {
			select {
			case <-release:
			case <-r.Context().Done():
			}
			return
		}
		if r.URL.Path == "/moved" {
			http.Redirect(w, r, "/left-pad", http.StatusFound)
			return
		}
		if a, ok := answers[r.URL.EscapedPath()]; ok {
			_, _ = w.Write([]byte(a))
			return
		}
		http.NotFound(w, r)
	}))
	defer srv.Close()
	defer close(release)
	r := &Registries{Bases: map[string]string{"npm": srv.URL, "pypi": srv.URL, "crates": srv.URL, "go": srv.URL, "rubygems": srv.URL}, Within: time.Minute}
	for _, tt := range []struct{ manager, name, want string }{
		{"npm", "left-pad@1.2.0", `left-pad: latest 1.3.0; of 2018-04-09; first published 2014-03-14; versions 2; install scripts: yes; deprecated: use padStart; license WTFPL; by ada; pads\u001b[2J` + "\n"},
		{"pnpm", "@scope/x@^2", "@scope/x: latest 2.0.0; versions 1\n"},
		{"pip", "requests[socks]>=2", "requests: latest 2.32.0; of 2024-05-20; versions 2; license Apache; by k; HTTP\n"},
		{"cargo", "serde@1", "serde: latest 1.0.1; of 2024-01-01; first published 2015-01-01; downloads 7; source https://example.org/serde\n"},
		{"go", "github.com/BurntSushi/toml@latest", "github.com/BurntSushi/toml: latest v1.5.0; of 2025-01-01; source https://github.com/BurntSushi/toml\n"},
		{"gem", "rails:8.0", "rails: latest 8.0; of 2025-02-01; downloads 3; by d; web\n"},
		{"npm", "lefft-pad", "lefft-pad: the registry has no such package\n"},
		{"sh", "x", ""},
	} {
		if got := r.About(t.Context(), tt.manager, []string{tt.name}); strings.ReplaceAll(got, `\x1b`, `\u001b`) != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.manager, tt.name, got, tt.want)
		}
	}
	if got := r.About(t.Context(), "pip", strings.Split(strings.Repeat("x ", 12)+"x", " ")); !strings.HasSuffix(got, "and 3 more, which were not looked up\n") {
		t.Errorf("of 13 packages it says %q, want that 3 were not looked up", got)
	}
	// One that does not answer, or sends elsewhere, holds nobody up for long, and later nobody.
	r.Within = 100 * time.Millisecond
	before := asked.Load()
	if got := r.About(t.Context(), "npm", []string{"slow"}); !strings.Contains(got, "does not answer") {
		t.Errorf("of a slow registry it says %q, want that it does not answer", got)
	}
	r.Within = time.Minute
	if got := r.About(t.Context(), "npm", []string{"left-pad"}); !strings.Contains(got, "does not answer") || asked.Load() > before+1 {
		t.Errorf("%q, asked %d times", got, asked.Load()-before)
	}
	elsewhere := &Registries{Bases: r.Bases, Within: time.Minute}
	if got := elsewhere.About(t.Context(), "npm", []string{"moved"}); strings.Contains(got, "1.3.0") {
		t.Errorf("it went where it was sent: %q", got)
	}
	if got := (*Registries)(nil).About(t.Context(), "npm", []string{"x"}); got != "" {
		t.Errorf("without registries it says %q, want nothing", got)
	}
}
