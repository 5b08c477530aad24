package web

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/store"
)

// world is a gateway that serves its pages.
type world struct {
	t       testing.TB
	root    string
	g       *gateway.Gateway
	s       *store.Store
	pages   *Pages
	options gateway.Options
	srv     *httptest.Server
	url     string
	late    atomic.Int64 // how far the gateway's clock is ahead
	agent   gateway.Principal
}

func newWorld(t testing.TB, change ...func(*gateway.Options)) *world {
	t.Helper()
	home := t.TempDir()
	for _, k := range []string{"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"} {
		t.Setenv(k, "")
	}
	t.Setenv("HOME", home)
	root, policy := filepath.Join(home, "proj"), filepath.Join(home, "policy.yaml")
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(policy, []byte("version: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, root: root}
	var err error
	if w.s, err = store.Open(t.Context(), filepath.Join(home, "db")); err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(testLog{t}, nil))
	o := gateway.Options{Store: w.s, Root: root, Layers: policyfile.Paths{User: policy}, Log: log,
		Now: func() time.Time { return time.Now().Add(time.Duration(w.late.Load())) }}
	for _, f := range change {
		f(&o)
	}
	w.options, w.s = o, o.Store
	if w.g, err = gateway.New(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if w.pages, err = New(w.g, w.s, o.Log); err != nil {
		t.Fatal(err)
	}
	w.g.Mount(w.pages)
	w.srv = httptest.NewServer(w.g.Handler())
	w.url = w.srv.URL
	t.Cleanup(func() {
		_ = w.g.Close(context.WithoutCancel(t.Context()), false)
		w.srv.CloseClientConnections()
		w.srv.Close()
		_ = w.s.Close()
	})
	_, tok, err := w.g.NewToken(t.Context(), gateway.Token{Kind: gateway.Agent, Name: "builder"})
	if err != nil {
		t.Fatal(err)
	}
	w.agent = gateway.Principal{Kind: gateway.Agent, Name: tok.Name, ID: tok.ID}
	return w
}

// testLog has what the gateway logs fail the test: nothing here should.
type testLog struct{ t testing.TB }

func (l testLog) Write(b []byte) (int, error) {
	if strings.Contains(string(b), "level=ERROR") {
		l.t.Errorf("%s", b)
	}
	return len(b), nil
}

func (w *world) submit(s gateway.Submission) approval.Request {
	w.t.Helper()
	r, err := w.g.Submit(w.t.Context(), w.agent, s)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func (w *world) network(host string) approval.Request {
	return w.submit(gateway.Submission{Category: approval.Network, Action: "CONNECT " + host + ":443"})
}

func (w *world) write(file, content string) approval.Request {
	meta, err := json.Marshal(map[string]any{"toolName": "Write", "targetFile": file, "writeContent": content})
	if err != nil {
		w.t.Fatal(err)
	}
	return w.submit(gateway.Submission{Category: approval.Filesystem, Metadata: meta})
}

// put gives the project a file.
func (w *world) put(file, content string) {
	w.t.Helper()
	at := filepath.Join(w.root, file)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(content), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) get(id string) approval.Request {
	w.t.Helper()
	r, err := w.s.Get(w.t.Context(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func (w *world) code(role gateway.Role) string { return w.codeOf("ada", role) }

func (w *world) codeOf(name string, role gateway.Role) string {
	w.t.Helper()
	code, err := w.g.NewLogin(w.t.Context(), gateway.Principal{Kind: gateway.Operator, Name: name, Role: role})
	if err != nil {
		w.t.Fatal(err)
	}
	return code
}

// cookie is the name of the console's cookie.
func (w *world) cookie() string { return "umpire" + w.url[strings.LastIndex(w.url, ":")+1:] }

// person is a browser without a screen.
type person struct {
	w                 *world
	cookie, csrf, key string
}

func (w *world) person(role gateway.Role) *person { return w.personOf("ada", role) }

func (w *world) personOf(name string, role gateway.Role) *person {
	w.t.Helper()
	p := &person{w: w}
	res, body := p.do("POST", "/login", url.Values{"code": {w.codeOf(name, role)}})
	key := loginKey.FindStringSubmatch(body)
	if res.StatusCode != http.StatusOK || len(res.cookies) != 1 || key == nil {
		w.t.Fatalf("login: %d %s", res.StatusCode, body)
	}
	p.key = key[1]
	c := res.cookies[0]
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || time.Until(c.Expires) > 12*time.Hour || time.Until(c.Expires) < 11*time.Hour {
		w.t.Errorf("cookie %v", c)
	}
	p.cookie = c.Name + "=" + c.Value
	_, body = p.do("GET", "/", nil)
	if m := regexp.MustCompile(`data-csrf="([0-9a-f]{64})"`).FindStringSubmatch(body); m != nil {
		p.csrf = m[1]
	} else {
		w.t.Fatalf("no token in %s", body)
	}
	return p
}

// reply is what is of interest of a response that was read.
type reply struct {
	StatusCode int
	Header     http.Header
	cookies    []*http.Cookie
}

func (p *person) do(method, path string, form url.Values, header ...string) (reply, string) {
	p.w.t.Helper()
	var in io.Reader
	if form != nil {
		if p.key != "" {
			form.Set("key", p.key)
		}
		in = strings.NewReader(form.Encode())
	}
	req, err := http.NewRequestWithContext(p.w.t.Context(), method, p.w.url+path, in)
	if err != nil {
		p.w.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Cookie", p.cookie)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		p.w.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		p.w.t.Fatal(err)
	}
	return reply{res.StatusCode, res.Header, res.Cookies()}, string(body)
}

// post sends a form of the person's own session.
func (p *person) post(path string, pairs ...string) (int, string) {
	p.w.t.Helper()
	form := url.Values{"csrf": {p.csrf}}
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	res, body := p.do("POST", path, form, "X-Umpire", "1")
	return res.StatusCode, body
}

func TestLogin(t *testing.T) {
	w := newWorld(t)
	nobody := &person{w: w}
	code := w.code(gateway.Admin)
	for range 2 { // looking at the link uses nothing up
		if res, body := nobody.do("GET", "/login?code="+code, nil); res.StatusCode != 200 || !strings.Contains(body, code) {
			t.Errorf("%d %s", res.StatusCode, body)
		}
	}
	for _, want := range []int{200, 401} {
		if res, _ := nobody.do("POST", "/login", url.Values{"code": {code}}); res.StatusCode != want {
			t.Errorf("login answers %d, want %d", res.StatusCode, want)
		}
	}
	late := w.code(gateway.Admin)
	ada := w.person(gateway.Admin)
	w.late.Store(int64(11 * time.Minute))
	if res, _ := nobody.do("POST", "/login", url.Values{"code": {late}}); res.StatusCode != 401 {
		t.Errorf("a late login answers %d", res.StatusCode)
	}
	if res, _ := ada.do("GET", "/", nil); res.StatusCode != 200 {
		t.Errorf("the session is over after ten minutes: %d", res.StatusCode)
	}
	w.late.Store(int64(13 * time.Hour))
	if res, _ := ada.do("GET", "/", nil); res.StatusCode != 401 {
		t.Errorf("the session lives on after 13 hours: %d", res.StatusCode)
	}
	w.late.Store(0)
	if res, _ := ada.do("GET", "/", nil); res.StatusCode != 401 {
		t.Errorf("the session is back with the clock: %d", res.StatusCode)
	}
	ada = w.person(gateway.Admin)
	if res, _ := ada.do("POST", "/logout", url.Values{"csrf": {ada.csrf}}); res.StatusCode != 303 {
		t.Errorf("logout answers %d", res.StatusCode)
	}
	if res, _ := ada.do("GET", "/", nil); res.StatusCode != 401 {
		t.Errorf("the session lives on after the logout: %d", res.StatusCode)
	}
}

// A session ends with the token whose holder asked for it.
func TestRevokedTokenEndsSession(t *testing.T) {
	w := newWorld(t)
	_, tok, err := w.g.NewToken(t.Context(), gateway.Token{Kind: gateway.Operator, Role: gateway.Approver, Name: "ann"})
	if err != nil {
		t.Fatal(err)
	}
	code, err := w.g.NewLogin(t.Context(), gateway.Principal{Kind: gateway.Operator, Name: "ann", Role: gateway.Approver, ID: tok.ID})
	if err != nil {
		t.Fatal(err)
	}
	opened, err := w.g.Login(t.Context(), code)
	if err != nil {
		t.Fatal(err)
	}
	ann := &person{w: w, cookie: w.cookie() + "=" + opened.Cookie}
	if res, _ := ann.do("GET", "/", nil); res.StatusCode != 200 {
		t.Errorf("%d", res.StatusCode)
	}
	if err := w.g.Revoke(t.Context(), tok.ID, "ada"); err != nil {
		t.Fatal(err)
	}
	if res, _ := ann.do("GET", "/", nil); res.StatusCode != 401 {
		t.Errorf("a revoked token's session answers %d", res.StatusCode)
	}
}

var paths = []string{"/", "/overview", "/history", "/agents", "/rules", "/policy", "/record"}

func TestPages(t *testing.T) {
	w := newWorld(t)
	w.network("a.example")
	nobody := &person{w: w}
	for _, role := range []gateway.Role{gateway.Viewer, gateway.Approver, gateway.Admin} {
		p := w.person(role)
		for _, path := range paths {
			res, body := p.do("GET", path, nil)
			if res.StatusCode != 200 || !strings.Contains(body, "</html>") {
				t.Errorf("%s %s: %d %s", role, path, res.StatusCode, body)
			}
			if got := res.Header.Get("Content-Security-Policy"); got != loads {
				t.Errorf("%s: policy %q", path, got)
			}
			if res.Header.Get("Referrer-Policy") != "no-referrer" || res.Header.Get("X-Content-Type-Options") != "nosniff" || res.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s: headers %v", path, res.Header)
			}
			for _, inline := range []string{"<style", " style=", "<script>", " onclick=", "javascript:"} {
				if strings.Contains(body, inline) {
					t.Errorf("%s has %q, which the policy forbids", path, inline)
				}
			}
		}
		_, body := p.do("GET", "/", nil)
		if has := strings.Contains(body, `value="approve"`); has != (role != gateway.Viewer) {
			t.Errorf("%s sees buttons: %t", role, has)
		}
		if has := strings.Contains(body, `value="approve-always"`); has != (role == gateway.Admin) {
			t.Errorf("%s sees always: %t", role, has)
		}
	}
	for _, path := range append(paths, "/ui/list", "/record/export", "/ui/events?after=0") {
		if res, body := nobody.do("GET", path, nil); res.StatusCode != 401 || strings.Contains(body, "a.example") {
			t.Errorf("%s tells nobody %d %s", path, res.StatusCode, body)
		}
	}
}

// Pages say when tokens and browsers end as people say it, that a name has other tokens, and who
// answered what no person did.
func TestWords(t *testing.T) {
	w := newWorld(t)
	r := w.network("a.example")
	p := w.person(gateway.Admin)
	p.post("/agents/add", "name", "twin", "role", "")
	if _, body := p.post("/agents/add", "name", "twin", "role", ""); !strings.Contains(body, "Other tokens of this name stay valid") {
		t.Error("a second token of a name: the page does not name the first one")
	}
	_, body := p.do("GET", "/agents", nil)
	if !regexp.MustCompile(`data-left title="[^"]*">[^<]* h</time> left`).MatchString(body) || regexp.MustCompile(`>\d{4}-\d\d-\d\dT`).MatchString(body) {
		t.Errorf("the end of this browser's login: want the time left, and no timestamp:\n%s", body)
	}
	if _, err := w.s.End(t.Context(), r.ID, approval.Denied, approval.Shutdown+"it was told to"); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/history", "/request/" + r.ID} {
		if _, body := p.do("GET", path, nil); !strings.Contains(body, "the gateway") || strings.Contains(body, ">rules<") || strings.Contains(body, "by rules") {
			t.Errorf("%s: a denial at a shutdown must be by the gateway, not by rules", path)
		}
	}
}

// What a role may not do is refused, and so is every form without its session's token.
func TestForms(t *testing.T) {
	w := newWorld(t)
	r := w.network("a.example")
	answer := []string{"id", r.ID, "digest", r.Digest, "do", "approve"}
	forms := []struct {
		path  string
		least gateway.Role
		form  []string
	}{
		{"/rules/add", gateway.Admin, []string{"type", "allow", "rule", "network(b.example)"}},
		{"/rules/test", gateway.Viewer, []string{"type", "allow", "rule", "network(b.example)"}},
		{"/ui/theme", gateway.Viewer, []string{"theme", "dark", "back", "/rules"}},
		{"/record/verify", gateway.Viewer, nil},
		{"/agents/end", gateway.Admin, []string{"agent", "x", "session", "s"}},
		{"/rules/remove", gateway.Admin, []string{"type", "allow", "rule", "network(b.example)"}},
		{"/agents/add", gateway.Admin, []string{"name", "x"}},
		{"/ui/bulk", gateway.Approver, []string{"category", "network", "do", "deny", "seen", ""}},
		{"/ui/answer", gateway.Approver, answer},
		{"/agents/revoke", gateway.Admin, []string{"id", w.agent.ID}}, // which ends what the agent asked
	}
	viewer, approver, admin := w.person(gateway.Viewer), w.person(gateway.Approver), w.person(gateway.Admin)
	for _, f := range forms {
		if status, _ := viewer.post(f.path, f.form...); (status == 403) != (f.least != gateway.Viewer) {
			t.Errorf("%s answers a viewer %d", f.path, status)
		}
		if f.least == gateway.Admin {
			if status, _ := approver.post(f.path, f.form...); status != 403 {
				t.Errorf("%s answers an approver %d", f.path, status)
			}
		}
		if status, _ := admin.post(f.path, append(f.form, "csrf", approver.csrf)...); status != 403 {
			t.Errorf("%s takes another session's token: %d", f.path, status)
		}
		form := url.Values{"csrf": {admin.csrf}}
		for i := 0; i < len(f.form); i += 2 {
			form.Set(f.form[i], f.form[i+1])
		}
		if res, _ := admin.do("POST", f.path, form, "Sec-Fetch-Site", "cross-site"); res.StatusCode != 403 {
			t.Errorf("%s takes another site's form: %d", f.path, res.StatusCode)
		}
		if res, _ := (&person{w: w}).do("POST", f.path, form); res.StatusCode != 401 {
			t.Errorf("%s answers nobody %d", f.path, res.StatusCode)
		}
	}
	if got := w.get(r.ID); got.State != approval.Pending {
		t.Fatalf("it is %s", got.State)
	}
	if status, body := approver.post("/ui/answer", "id", r.ID, "digest", "other", "do", "approve"); status != 409 {
		t.Errorf("an answer to something else: %d %s", status, body)
	}
	if status, _ := approver.post("/ui/answer", "id", r.ID, "digest", r.Digest, "do", "approve-always", "rule", "network(a.example)"); status != 403 {
		t.Errorf("an approver made a rule: %d", status)
	}
	if status, body := admin.post("/ui/answer", "id", r.ID, "digest", r.Digest, "do", "approve-always", "rule", "netwrok(a.example)"); status != 400 || w.get(r.ID).State != approval.Pending {
		t.Errorf("a bad rule: %d %s", status, body)
	}
	for _, f := range forms {
		if status, body := admin.post(f.path, f.form...); status != 200 && status != 303 {
			t.Errorf("%s: %d %s", f.path, status, body)
		}
	}
	if got := w.get(r.ID); got.State != approval.Approved || got.Operator != "ada" || got.ResolvedBy != approval.ByWeb {
		t.Errorf("%+v", got)
	}
	if status, _ := approver.post("/ui/answer", answer...); status != 409 {
		t.Errorf("a second answer: %d", status)
	}
}

func TestBulkAnswersWhatWasSeen(t *testing.T) {
	w := newWorld(t)
	a, b := w.network("a.example"), w.network("b.example")
	ada := w.person(gateway.Approver)
	if status, body := ada.post("/ui/bulk", "category", "network", "do", "approve", "seen", a.ID+":"+a.Digest); status != 200 || body != "settled 1" {
		t.Errorf("%d %s", status, body)
	}
	if w.get(a.ID).State != approval.Approved || w.get(b.ID).State != approval.Pending {
		t.Error("not what was seen")
	}
	e := w.submit(gateway.Submission{Category: approval.Exec, Action: "make x"})
	if status, _ := ada.post("/ui/bulk", "category", "exec", "do", "approve", "seen", e.ID+":"+e.Digest); status != 400 || w.get(e.ID).State != approval.Pending {
		t.Errorf("commands in bulk: %d", status)
	}
}

// payloads are what an agent could write to have a page do something.
var payloads = []string{
	`<script>window.hit=1</script>`, `"><img src=x onerror="window.hit=1">`, `' autofocus onfocus='window.hit=1`, `</pre><svg onload=window.hit=1>`,
	`javascript:window.hit=1`, `{{.CSRF}}`, `</title></textarea></script><script>window.hit=1</script>`,
}

// poison puts payloads into every field that an agent controls.
func (w *world) poison() {
	w.t.Helper()
	for i, x := range payloads {
		text := x + "\x1b[2J\u202e\u200b"
		if err := os.MkdirAll(filepath.Join(w.root, text), 0o755); err != nil {
			w.t.Fatal(err)
		}
		extra, err := json.Marshal(map[string]any{"command": "echo " + text, "cwd": text, "extra": x})
		if err != nil {
			w.t.Fatal(err)
		}
		w.submit(gateway.Submission{Category: approval.Exec, Description: text, Reason: text, Session: x, Key: text, Metadata: extra})
		w.write(fmt.Sprintf("%d%s.txt", i, strings.ReplaceAll(x, "/", "")), text)
		w.put(fmt.Sprint(i, "e.txt"), text)
		edit, err := json.Marshal(map[string]any{"toolName": "Edit", "targetFile": fmt.Sprint(i, "e.txt"), "editContext": map[string]string{"old_string": text, "new_string": "new " + text}})
		if err != nil {
			w.t.Fatal(err)
		}
		w.submit(gateway.Submission{Category: approval.Filesystem, Metadata: edit})
		config, err := json.Marshal(map[string]any{"proposal": map[string]any{"path": "rules.deny", "value": []string{"filesystem(" + strings.NewReplacer("{", "", "}", "", "[", "\\[").Replace(strings.ReplaceAll(x, "/", "")) + ")"}, "reason": text}})
		if err != nil {
			w.t.Fatal(err)
		}
		w.submit(gateway.Submission{Category: approval.Sandbox, Action: text, Metadata: config})
		input, err := json.Marshal(map[string]string{"command": text, x: text})
		if err != nil {
			w.t.Fatal(err)
		}
		for _, tool := range []string{"Bash", text} {
			w.submit(gateway.Submission{Call: &gateway.Call{Platform: text, Agent: text, Tool: tool, Input: input, Dir: "/" + text, Home: "/" + text}, Reason: text, Session: x, Ask: true})
		}
	}
}

func TestAgentTextIsInert(t *testing.T) {
	w := newWorld(t)
	w.poison()
	ada := w.person(gateway.Admin)
	look := func(path string) {
		t.Helper()
		_, body := ada.do("GET", path, nil)
		for _, bad := range []string{"<script>window", "<img", "<svg onload", "onfocus='", "\x1b", "\u202e", "\u200b", "&#x202e;", ada.cookie} {
			if strings.Contains(body, bad) {
				t.Errorf("%s has %q", path, bad)
			}
		}
		if strings.Contains(body, `href="javascript`) || !strings.Contains(body, `&lt;script&gt;`) {
			t.Errorf("%s made a link, or shows nothing", path)
		}
		if path != "/record" && !strings.Contains(body, `\u202e`) {
			t.Errorf("%s hides what is invisible", path)
		}
	}
	look("/")
	look("/record")
	for _, path := range []string{"/overview", "/agents", "/rules", "/policy"} { // no payload has to be there
		if _, body := ada.do("GET", path, nil); strings.Contains(body, "<script>window") || strings.Contains(body, "<img") || strings.Contains(body, "\u202e") {
			t.Errorf("%s has a payload: %s", path, body)
		}
	}
	list, err := w.s.List(t.Context(), approval.Filter{Limit: 1000, States: []approval.State{approval.Pending}})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		if res, body := ada.do("GET", "/ui/card/"+r.ID, nil); res.StatusCode != 200 || strings.Contains(body, "<script>window") || strings.Contains(body, "<img") || strings.Contains(body, "<svg") || strings.Contains(body, "\u202e") || strings.Contains(body, "\x1b") {
			t.Errorf("card %s: %d %s", r.Action, res.StatusCode, body)
		}
		if status, body := ada.post("/ui/answer", "id", r.ID, "digest", r.Digest, "do", "deny", "note", payloads[0]); status != 200 {
			t.Errorf("%d %s", status, body)
		}
	}
	look("/history")
}

// A card that shows a part says so, and leads to all of it.
func TestWholeOfCard(t *testing.T) {
	w := newWorld(t)
	r := w.write("long.txt", strings.Repeat("a line of it\n", 10_000)+"<b>the last</b>\n")
	ada := w.person(gateway.Viewer)
	link := "/ui/whole/" + r.ID
	if _, body := ada.do("GET", "/", nil); !strings.Contains(body, "Only the beginning is shown here") || !strings.Contains(body, `href="`+link+`"`) || strings.Contains(body, "the last") {
		t.Errorf("%s", body)
	}
	res, body := ada.do("GET", link, nil)
	if res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/plain; charset=utf-8" || res.Header.Get("X-Content-Type-Options") != "nosniff" || strings.Count(body, "+a line of it\n") != 10_000 || !strings.Contains(body, "+<b>the last</b>\n") {
		t.Errorf("%d %v %s", res.StatusCode, res.Header, body[max(0, len(body)-300):])
	}
	if res, body := (&person{w: w}).do("GET", link, nil); res.StatusCode != 401 || strings.Contains(body, "line") {
		t.Errorf("nobody: %d %s", res.StatusCode, body)
	}
}

func TestHistory(t *testing.T) {
	w := newWorld(t)
	ada := w.person(gateway.Approver)
	for i := range 60 {
		r := w.network(fmt.Sprintf("h%02d.example", i))
		if _, err := w.g.Bulk(t.Context(), gateway.Principal{Name: "ada", Role: gateway.Admin}, approval.Network, i%2 == 0, approval.ByWeb, []gateway.Seen{{ID: r.ID, Digest: r.Digest}}); err != nil {
			t.Fatal(err)
		}
	}
	_, body := ada.do("GET", "/history", nil)
	if n := strings.Count(body, "CONNECT h"); n != 50 {
		t.Errorf("%d on the first page", n)
	}
	next := regexp.MustCompile(`/history\?before=[^"]*`).FindString(body)
	if _, body = ada.do("GET", strings.ReplaceAll(next, "&amp;", "&"), nil); strings.Count(body, "CONNECT h") != 10 || strings.Contains(body, "Older") {
		t.Errorf("the second page (%s) has %d", next, strings.Count(body, "CONNECT h"))
	}
	for query, want := range map[string]int{"q=h07.": 1, "status=denied&q=h0": 5, "category=git": 0, "q=ADA&status=approved": 30} {
		if _, body := ada.do("GET", "/history?"+query, nil); strings.Count(body, "CONNECT h") != want {
			t.Errorf("%s finds %d, want %d", query, strings.Count(body, "CONNECT h"), want)
		}
	}
	if _, body = ada.do("GET", "/history", nil); !strings.Contains(body, `class="approved"`) || !strings.Contains(body, "denied <b>30</b>") {
		t.Error("no chart")
	}
}

func TestRules(t *testing.T) {
	w := newWorld(t)
	ada := w.person(gateway.Admin)
	ada.post("/rules/add", "type", "deny", "rule", "network(*.bad.example)")
	if _, body := ada.do("GET", "/rules?category=network&try=x.bad.example", nil); !strings.Contains(body, `class="st deny">deny</span> <code>CONNECT x.bad.example:443`) {
		t.Errorf("%s", body)
	}
	if _, body := ada.do("GET", "/rules?category=exec&try=make", nil); !strings.Contains(body, `class="st ask">ask`) {
		t.Errorf("%s", body)
	}
	if _, body := ada.do("GET", "/rules?category=git&try=..", nil); !strings.Contains(body, "name of a branch") {
		t.Errorf("%s", body)
	}
	if _, body := ada.do("GET", "/rules?category=packages&try=left-pad", nil); !strings.Contains(body, "such as npm install left-pad</p>") {
		t.Errorf("%s", body)
	}
	ada.post("/rules/add", "type", "allow", "rule", "exec(touch *)") // and no rule for the file
	const part = "These rules do not cover all that it would do"
	if _, body := ada.do("GET", "/rules?category=exec&try=touch+a.txt", nil); !strings.Contains(body, part) {
		t.Errorf("%s", body)
	}
	ada.post("/rules/add", "type", "allow", "rule", "write(a.txt)")
	if _, body := ada.do("GET", "/rules?category=exec&try=touch+a.txt", nil); strings.Contains(body, part) || !strings.Contains(body, `class="st allow">allow`) {
		t.Errorf("%s", body)
	}
	ada.post("/rules/remove", "type", "allow", "rule", "write(a.txt)")
	ada.post("/rules/remove", "type", "allow", "rule", "exec(touch *)")
	ada.post("/rules/remove", "type", "deny", "rule", "network(*.bad.example)")
	if rules, err := w.g.Rules(t.Context()); err != nil || len(rules) != 0 {
		t.Errorf("%v %v", rules, err)
	}
}

// A token's secret is shown to who made it, once.
func TestToken(t *testing.T) {
	w := newWorld(t)
	ada := w.person(gateway.Admin)
	_, body := ada.post("/agents/add", "name", "new one")
	if !regexp.MustCompile(`umpa_[\w-]{43}`).MatchString(body) {
		t.Errorf("%s", body)
	}
	if _, body := ada.do("GET", "/agents", nil); strings.Contains(body, "umpa_") || !strings.Contains(body, "new one") {
		t.Errorf("%s", body)
	}
}

func TestEvents(t *testing.T) {
	w := newWorld(t)
	ada := w.person(gateway.Viewer)
	head, err := w.s.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	events := ada.listen(head)
	r := w.network("a.example")
	var got strings.Builder
	buf := make([]byte, 4096)
	for !strings.Contains(got.String(), "event: count\ndata: 1\n") {
		n, err := events.Read(buf)
		if err != nil {
			t.Fatalf("%v after %s", err, &got)
		}
		got.Write(buf[:n])
	}
	if s := got.String(); !strings.Contains(s, fmt.Sprintf("id: %d\nevent: change\ndata: ", head+1)) || !strings.Contains(s, r.ID) || strings.Contains(s, "session") {
		t.Errorf("%s", s)
	}
	if _, body := ada.do("GET", "/ui/events?after=999999", nil); !strings.Contains(body, "event: stale") {
		t.Errorf("%s", body)
	}
}
