package web

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/gateway"
)

// An address without a page, and a form that cannot be carried out, answer with a page that
// leads back. It shows what was typed, unless another site posted it.
func TestFaultPages(t *testing.T) {
	w := newWorld(t)
	for _, tt := range []struct {
		name, method, path, site string
		script                   bool
		status                   int
		has, lacks               string
	}{
		{"no page", "GET", "/nothing", "", false, 404, `<a href="/">`, ""},
		{"no page below one", "GET", "/rules/nothing", "", false, 404, `<a href="/rules">`, ""},
		{"no page, hostile", "GET", "/%3Cscript%3E%1b", "", false, 404, `<a href="/">`, "<script>"},
		{"the address of a form", "GET", "/rules/test", "", false, 303, `"/rules"`, ""},
		{"the address of an answer", "GET", "/logout", "", false, 303, `"/"`, ""},
		{"a method that no page has", "PUT", "/rules", "", false, 404, `<a href="/rules">`, ""},
		{"logged out", "POST", "/rules/add", "same-origin", false, 401, "<pre tabindex=\"0\" role=\"region\" aria-label=\"rule\">network(&lt;x&gt;)</pre>", "<x>"},
		{"another site", "POST", "/rules/add", "cross-site", false, 403, "pages of other sites", "network("},
		{"an old browser", "POST", "/rules/add", "", false, 401, `<a href="/rules">`, "network("},
		{"a script", "POST", "/ui/answer", "same-origin", true, 401, "you are logged out", "<"},
	} {
		var header []string
		if tt.site != "" {
			header = append(header, "Sec-Fetch-Site", tt.site)
		}
		if tt.script {
			header = append(header, "X-Umpire", "1")
		}
		res, body := (&person{w: w}).do(tt.method, tt.path, url.Values{"rule": {"network(<x>)"}, "csrf": {csrf("")}}, header...)
		if res.StatusCode != tt.status || !strings.Contains(body, tt.has) || tt.lacks != "" && strings.Contains(body, tt.lacks) {
			t.Errorf("%s: %d\n%s", tt.name, res.StatusCode, body)
		}
	}
}

// A person who opens a whole text in a tab gets a page, a script one line.
func TestFaultOfWholeText(t *testing.T) {
	w := newWorld(t)
	ada := w.person(gateway.Admin)
	if res, body := ada.do("GET", "/ui/whole/none", nil, "Sec-Fetch-Mode", "navigate"); res.StatusCode != 404 || !strings.Contains(body, `<a href="/">`) {
		t.Errorf("%d %s", res.StatusCode, body)
	}
	if res, body := ada.do("GET", "/ui/whole/none", nil, "Sec-Fetch-Mode", "cors"); res.StatusCode != 404 || strings.Contains(body, "<") {
		t.Errorf("%d %s", res.StatusCode, body)
	}
}

// All pages write durations in one form: a number, a space, and a unit.
func TestDurationsAreAlike(t *testing.T) {
	w := newWorld(t)
	w.network("a.example")
	w.pages.now = func() time.Time { return time.Now().Add(4 * time.Second) }
	ada := w.person(gateway.Admin)
	_, overview := ada.do("GET", "/overview", nil)
	_, record := ada.do("POST", "/record/verify", url.Values{"csrf": {ada.csrf}})
	for want, body := range map[string]string{`<dt>Longest wait</dt><dd>\d+ s</dd>`: overview, `<dt>Runs for</dt><dd>\d+ s</dd>`: overview, `The check took [\d.]+ (µs|ms|s)\.`: record} {
		if !regexp.MustCompile(want).MatchString(body) {
			t.Errorf("no %s in\n%s", want, body)
		}
	}
}

// The pages name an agent also after its token was revoked.
func TestRevokedAgentHasName(t *testing.T) {
	w := newWorld(t)
	r := w.network("past.example")
	idle := w.as("idle")
	for _, id := range []string{w.agent.ID, idle.ID} {
		if err := w.g.Revoke(t.Context(), id, "ada"); err != nil {
			t.Fatal(err)
		}
	}
	c := w.person(gateway.Admin)
	for _, path := range []string{"/history", "/request/" + r.ID, "/overview"} {
		if _, body := c.do("GET", path, nil); !strings.Contains(body, "builder (revoked)") || strings.Contains(body, "unknown "+w.agent.ID) {
			t.Errorf("%s does not name the agent:\n%s", path, body)
		}
	}
	names, err := w.g.AgentNames(t.Context())
	if err != nil || names[idle.ID] != "" || names[r.Agent] != "builder (revoked)" {
		t.Errorf("%v %v", names, err)
	}
	if got := w.get(r.ID); got.State != approval.Cancelled {
		t.Errorf("%+v", got)
	}
}
