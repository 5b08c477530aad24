package web

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/egress"
	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/store"
)

// The queue is by agent, the few beside the many, and who else waits for the same is on the card.
func TestQueueByAgent(t *testing.T) {
	w := newWorld(t)
	for range 12 {
		w.network("many.example")
	}
	other := w.as("other")
	mine := w.submitAs(other, gateway.Submission{Category: approval.Network, Action: "CONNECT many.example:443"})
	p := w.person(gateway.Viewer)
	_, page := p.do("GET", "/?id="+mine.ID, nil)
	if n := strings.Count(page, `class="row"`); n != perAgent+1 {
		t.Errorf("%d rows", n)
	}
	if !strings.Contains(page, "Also waiting for exactly this:") || strings.Count(page, "builder (req-") != 12 {
		t.Errorf("who else waits: %s", page)
	}
	if !strings.Contains(page, `href="/?agent=`+w.agent.ID+`">show all`) {
		t.Error("nothing leads to the rest")
	}
	if _, page = p.do("GET", "/?agent="+w.agent.ID, nil); strings.Count(page, `class="row"`) != 12 {
		t.Errorf("one agent's: %d rows", strings.Count(page, `class="row"`))
	}
	// A link to what is settled, or to nothing, is no error.
	w.settle(mine, false, gateway.Reply{Note: "never"})
	if _, page = p.do("GET", "/?id="+mine.ID, nil); !strings.Contains(page, "denied</b> by ada: never") || strings.Contains(page, `value="approve"`) {
		t.Errorf("a settled one: %s", page)
	}
	if res, page := p.do("GET", "/?id=none", nil); res.StatusCode != 200 || !strings.Contains(page, "does not exist") {
		t.Errorf("none: %d", res.StatusCode)
	}
}

// What a list does not show all of cannot be approved from the list.
func TestPlain(t *testing.T) {
	w := newWorld(t)
	plain := []approval.Request{w.network("a.example"), w.network("b.example"), w.submit(gateway.Submission{Category: approval.Git, Action: "push x"})}
	w.submit(gateway.Submission{Category: approval.Git, Action: "push y"})
	long := w.submit(gateway.Submission{Category: approval.Network, Action: "GET https://long.example/?" + strings.Repeat("x", 300)})
	files := []approval.Request{w.write("a", "x"), w.write("b", "y"), w.submit(gateway.Submission{Category: approval.Network, Action: "GET https://query.example/?q=1"})}
	_, page := w.person(gateway.Approver).do("GET", "/", nil)
	approve := ""
	for _, form := range strings.Split(page, "<form")[1:] {
		if form, _, _ = strings.Cut(form, "</form>"); strings.Contains(form, `action="/ui/bulk"`) && strings.Contains(form, `value="approve"`) {
			approve += form
		}
	}
	for _, r := range plain {
		if !strings.Contains(approve, r.ID+":"+r.Digest) {
			t.Errorf("%s cannot be approved", r.Action)
		}
	}
	for _, r := range append(files, long) {
		if strings.Contains(approve, r.ID) {
			t.Errorf("%s can be approved from the list", r.Action)
		}
	}
}

// A card shows all of an action, however long: what is cut in its title could be what leaves.
func TestCardShowsWhatLeaves(t *testing.T) {
	w := newWorld(t)
	r := w.submit(gateway.Submission{Category: approval.Network, Action: "GET https://long.example/" + strings.Repeat("p", 600) + "-endpath?q=" + strings.Repeat("x", 1000) + "-endquery"})
	long := w.submit(gateway.Submission{Category: approval.Git, Action: "push " + strings.Repeat("b", 240) + "-endref"})
	p := w.person(gateway.Viewer)
	for id, want := range map[string][]string{r.ID: {"-endpath", "-endquery"}, long.ID: {"-endref"}} {
		_, page := p.do("GET", "/ui/card/"+id, nil)
		for _, text := range want {
			if !strings.Contains(page, text) {
				t.Errorf("no %s in %s", text, page)
			}
		}
	}
	names := []string{}
	for i := range 50 {
		names = append(names, fmt.Sprintf("package-with-a-long-name-%02d", i))
	}
	meta, err := json.Marshal(map[string]any{"manager": "npm", "action": "install", "packages": names})
	if err != nil {
		t.Fatal(err)
	}
	many := w.submit(gateway.Submission{Category: approval.Packages, Metadata: meta})
	if _, page := p.do("GET", "/ui/card/"+many.ID, nil); !strings.Contains(page, `<pre tabindex="0">npm install`) || strings.Count(page, "package-with-a-long-name-49") < 2 {
		t.Errorf("%s", page)
	}
}

// A command that failed does not look like one that went well.
func TestFailedCommandLooksFailed(t *testing.T) {
	w := newWorld(t)
	p := w.person(gateway.Viewer)
	for exit, class := range map[int]string{0: "completed", 2: "failed"} {
		r := w.submit(gateway.Submission{Category: approval.Exec, Action: fmt.Sprint("make target", exit)})
		w.settle(r, true, gateway.Reply{})
		body, err := json.Marshal(gateway.Execution{Status: "completed", Started: 1, Completed: 2, Result: host.CommandResult{ExitCode: exit}})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.s.Transact(t.Context(), func(tx *store.Tx) error { return tx.Put(store.ExecutionRecord, r.ID, body) }); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"/history", "/request/" + r.ID} {
			want := fmt.Sprintf(`<span class="st %s">completed</span>, exit status %d`, class, exit)
			if _, page := p.do("GET", path, nil); !strings.Contains(page, want) {
				t.Errorf("%s: no %s in %s", path, want, page)
			}
		}
	}
}

// Ending a session takes back what was allowed in it and denies what waits of it, and touches
// no other.
func TestEndSession(t *testing.T) {
	w := newWorld(t)
	name := "s<é>&1"
	ask := func(session, action string) approval.Request {
		return w.submit(gateway.Submission{Category: approval.Exec, Action: action, Session: session})
	}
	w.settle(ask(name, "make lint"), true, gateway.Reply{Scope: approval.Session, Rule: "exec(make lint)"})
	w.settle(ask("other", "make lint"), true, gateway.Reply{Scope: approval.Session, Rule: "exec(make lint)"})
	mine, others := ask(name, "make all"), ask("other", "make all")
	p := w.person(gateway.Admin)
	_, page := p.do("GET", "/agents", nil)
	form := `name="session" value="` + strings.ReplaceAll(url.QueryEscape(name), "+", "%20") + `"`
	if !strings.Contains(page, form) || strings.Contains(page, "<é>") {
		t.Errorf("no %s in %s", form, page)
	}
	if status, said := p.post("/agents/end", "agent", w.agent.ID, "session", url.QueryEscape(name)); status != 200 {
		t.Fatalf("%d %s", status, said)
	}
	if got := w.get(mine.ID); got.State != approval.Denied || got.Note != "a person ended this session" || w.get(others.ID).State != approval.Pending {
		t.Errorf("%+v", got)
	}
	if rules, err := w.g.Rules(t.Context()); err != nil || len(rules) != 1 || rules[0].Session != "other" {
		t.Errorf("%+v %v", rules, err)
	}
	if got := ask(name, "make lint"); got.State != approval.Pending {
		t.Errorf("its rule still holds: %s", got.State)
	}
}

// The switch of colors comes back to the page, and to no other host.
func TestTheme(t *testing.T) {
	w := newWorld(t)
	p := w.person(gateway.Viewer)
	for back, want := range map[string]string{"/rules?test=x": "/rules?test=x", "//evil.example": "/", `/\evil.example`: "/", "https://evil.example": "/", "": "/", "/\t/evil.example": "/"} {
		res, _ := p.do("POST", "/ui/theme", url.Values{"csrf": {p.csrf}, "theme": {"dark"}, "back": {back}})
		if res.StatusCode != 303 || res.Header.Get("Location") != want || len(res.cookies) != 1 || res.cookies[0].Value != "dark" || !res.cookies[0].HttpOnly {
			t.Errorf("%q leads to %q: %d %v", back, res.Header.Get("Location"), res.StatusCode, res.cookies)
		}
	}
	session := p.cookie
	for _, c := range []string{"dark", "light", `"><script>`} {
		p.cookie = session + "; " + themeCookie + "=" + c
		if _, page := p.do("GET", "/rules", nil); strings.Contains(page, `data-theme="`+c+`"`) != (c != `"><script>`) || strings.Contains(page, `"><script>`) {
			t.Errorf("%s: %s", c, page[:200])
		}
	}
}

// Filters are links, each keeps the others, and times are of the time of asking.
func TestHistoryFilters(t *testing.T) {
	w := newWorld(t)
	w.settle(w.network("a.example"), true, gateway.Reply{})
	w.settle(w.network("b.example"), false, gateway.Reply{})
	w.settle(w.submitAs(w.as("other"), gateway.Submission{Category: approval.Git, Action: "push x", Session: "s"}), false, gateway.Reply{})
	p := w.person(gateway.Viewer)
	past, soon := time.Now().Add(-time.Hour).UTC().Format(time.RFC3339), time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	for query, want := range map[string]int{
		"": 3, "by=ada": 3, "by=bob": 0, "by=rules": 0, "status=denied": 2, "status=denied&agent=" + w.agent.ID: 1, "session=s": 1, "rule=x": 0,
		"since=" + past: 3, "since=" + soon: 0, "until=" + past: 0, "until=" + soon: 3, "since=" + past + "&until=" + soon + "&q=push": 1,
	} {
		if _, page := p.do("GET", "/history?"+query, nil); strings.Count(page, `<a class="action"`) != want {
			t.Errorf("%s finds %d, want %d", query, strings.Count(page, `<a class="action"`), want)
		}
	}
	for _, bad := range []string{"since=yesterday", "until=99999-01-01T00:00:00Z"} {
		if res, _ := p.do("GET", "/history?"+bad, nil); res.StatusCode != 400 {
			t.Errorf("%s: %d", bad, res.StatusCode)
		}
	}
	f := filter{Q: "x&y", Status: "denied"}
	if got := f.Link("category", "git"); got != "/history?category=git&q=x%26y&status=denied" {
		t.Errorf("link %s", got)
	}
	if got := f.Link("q", ""); got != "/history?status=denied" {
		t.Errorf("link %s", got)
	}
}

// An export has every event with its hash, and only those that a search means if one is given.
func TestExport(t *testing.T) {
	w := newWorld(t)
	w.settle(w.network("a.example"), true, gateway.Reply{})
	w.network("b.example")
	p := w.person(gateway.Viewer)
	head, err := w.s.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	res, body := p.do("GET", "/record/export", nil)
	lines := strings.Split(strings.TrimSpace(body), "\n")
	if int64(len(lines)) != head || !strings.Contains(res.Header.Get("Content-Disposition"), "attachment") {
		t.Errorf("%d lines of %d events, %v", len(lines), head, res.Header)
	}
	prev := map[string]string{} // of each chain
	for _, l := range lines {
		var e approval.ChainEvent
		err := json.Unmarshal([]byte(l), &e)
		if last, ok := prev[e.Chain]; err != nil || e.Chain == "" || e.Hash == "" || ok && e.Prev != last || !ok && e.N != 1 {
			t.Fatalf("after %q: %s: %v", last, l, err)
		}
		prev[e.Chain] = e.Hash
	}
	if _, body = p.do("GET", "/record/export?q=a.example", nil); strings.Count(body, "\n") != 2 {
		t.Errorf("a search: %s", body)
	}
	if status, page := p.post("/record/verify"); status != 200 || !strings.Contains(page, "The record is whole: ") {
		t.Errorf("%d %s", status, page)
	}
}

// A secret in a request is on no page and in no export.
func TestSecretsAreOnNoPage(t *testing.T) {
	w := newWorld(t)
	secret := "sk-ant-" + "api03-" + strings.Repeat("a1B2c3D4", 6)
	r := w.submit(gateway.Submission{Category: approval.Exec, Action: "curl -H 'Authorization: Bearer " + secret + "' http://a.example/", Reason: "with " + secret})
	short := w.submit(gateway.Submission{Category: approval.Git, Action: "push " + secret})
	p := w.person(gateway.Approver)
	look := func() {
		t.Helper()
		for _, path := range []string{"/", "/?id=" + r.ID, "/overview", "/ui/card/" + r.ID, "/ui/whole/" + r.ID, "/history", "/record", "/record/export", "/record/export?request=" + r.ID} {
			if res, page := p.do("GET", path, nil); res.StatusCode != 200 || strings.Contains(page, secret) {
				t.Errorf("%s: %d: the secret is shown in %s", path, res.StatusCode, page)
			}
		}
	}
	look()
	if _, page := p.do("GET", "/", nil); strings.Contains(page, short.ID+":"+short.Digest) {
		t.Error("an action with a masked part can be approved from the list")
	}
	w.settle(r, false, gateway.Reply{Note: "not with " + secret})
	look()
	old := approval.ChainEvent{Kind: "request", Data: json.RawMessage(`{"category":"exec","action":"curl -H 'Authorization: Bearer ` + secret + `'"}`)}
	if v := newEventView(old); strings.Contains(v.Text, secret) {
		t.Errorf("an event of an earlier version: %s", v.Text)
	}
}

// Without JavaScript, answers are refused: each page says so, and where else to answer.
func TestPagesWithoutJavaScript(t *testing.T) {
	w := newWorld(t)
	p := w.person(gateway.Admin)
	for _, path := range []string{"/", "/overview", "/history", "/rules", "/agents", "/policy", "/record"} {
		_, page := p.do("GET", path, nil)
		_, said, _ := strings.Cut(page, "<noscript>")
		if said, _, _ = strings.Cut(said, "</noscript>"); !strings.Contains(said, "JavaScript") || !strings.Contains(said, "umpire queue") {
			t.Errorf("%s: without JavaScript it says %q", path, said)
		}
	}
}

// A bar has the parts in the order given, none is lost, and what is older or in the future is
// not drawn.
func TestPlot(t *testing.T) {
	now := time.Date(2026, 1, 2, 15, 4, 30, 0, time.UTC)
	at := func(minutes int) time.Time {
		return now.Truncate(time.Minute).Add(time.Duration(minutes) * time.Minute)
	}
	counts := []store.Count{{At: at(0), State: approval.Approved, N: 300}, {At: at(0), State: approval.Denied, N: 1}, {At: at(-59), State: approval.Cancelled, N: 2}, {At: at(-60), N: 9}, {At: at(1), N: 9}}
	p := histogram{"x", time.Minute, 60, stateClasses, stateClass}.plot(counts, now, filter{}.between)
	if p.Total != 303 || p.Most != 301 || len(p.Bars) != 2 || p.Bars[0].X != 0 || p.Bars[1].X != 590 {
		t.Fatalf("%+v", p)
	}
	if b := p.Bars[1]; len(b.Parts) != 2 || b.Parts[0].Class != "approved" || b.Parts[1].Class != "denied" || b.Parts[1].Height != 1 || b.Parts[1].Y < 0 ||
		b.Link != "/history?since=2026-01-02T15%3A04%3A00Z&until=2026-01-02T15%3A05%3A00Z" {
		t.Errorf("%+v", b)
	}
	if p.Bars[0].Parts[0].Class != "ended" {
		t.Errorf("%+v", p.Bars[0])
	}
}

// The record says events in words: names with their values, and who made them.
func TestTell(t *testing.T) {
	for _, test := range []struct{ who, data, want string }{
		{"", `{"category":"exec","action":"make","status":"pending"}`, "pending exec: make"},
		{"", `{"category":"exec","action":"make","status":"approved","operator":"ada"}`, "approved exec: make (by ada)"},
		{"ada", `{"role":"admin","made":"session"}`, "made session, role admin (by ada)"},
		{"", `{"added":"deny exec(\u202e)"}`, `added deny exec(\u202e)`},
		{"ada", `null`, "(by ada)"},
		{"", `[1`, "[1"},
	} {
		if got := newEventView(approval.ChainEvent{Who: test.who, Data: []byte(test.data)}).Text; got != test.want {
			t.Errorf("%s: %q, want %q", test.data, got, test.want)
		}
	}
}

// One request is not "1 requests".
func TestPagesCount(t *testing.T) {
	names, err := fs.Glob(files, "pages/*.html")
	if err != nil || len(names) < 5 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		b, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, hit := range regexp.MustCompile(`[^"]{0,12}\}\} (requests|lines|events|agents|commands|rules)\b`).FindAllString(string(b), -1) {
			if !strings.Contains(hit, ".Of}}") { // of the last N
				t.Errorf("%s: %q: use count", name, hit)
			}
		}
	}
}

// The list of rules counts what the proxy refuses or lets pass, which is in no list of requests.
func TestRulesUsedByTheProxy(t *testing.T) {
	w := newWorld(t)
	if _, err := w.g.AddRule(t.Context(), gateway.Rule{Effect: "deny", Text: "network(bad.example)", By: "ada"}); err != nil {
		t.Fatal(err)
	}
	secret, _, err := w.g.NewToken(t.Context(), gateway.Token{Kind: gateway.Agent, Name: "browser"})
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(w.g.Proxy(egress.Options{}))
	t.Cleanup(proxy.Close)
	for _, want := range []string{"by no request", "once by the proxy, last", "2 times by the proxy, last"} {
		if _, page := w.person(gateway.Viewer).do("GET", "/rules", nil); !strings.Contains(page, want) {
			t.Errorf("no %q in the list of rules: %s", want, page)
		}
		c := http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: strings.TrimPrefix(proxy.URL, "http://"), User: url.UserPassword("s", secret)}), DisableKeepAlives: true}}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://bad.example/", nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := c.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if _ = res.Body.Close(); res.StatusCode != http.StatusForbidden {
			t.Fatal(res.Status)
		}
	}
}
