package web

import (
	"html"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/login"
	"github.com/umpire-dev/umpire/internal/login/logintest"
)

var people = map[string]logintest.Claims{
	"ada":     {"email": "Ada@Team.example", "email_verified": true, "groups": []string{"dev", "ops"}},
	"vic":     {"email": "vic@team.example", "email_verified": true},
	"mallory": {"email": "vic@team.example", "email_verified": false},
	"eve":     {"email": "eve@team.example.evil.example", "email_verified": true, "groups": []string{"ops2", "op"}},
	"x y)":    {"realm_access": map[string]any{"roles": []string{"umpire"}}},
}

var grants = []login.Grant{
	{Role: gateway.Admin, Claim: "groups", Value: "ops"},
	{Role: gateway.Viewer, Claim: "email", Value: "*@team.example"},
	{Role: gateway.Approver, Claim: "realm_access.roles", Value: "umpire"},
}

// team is a gateway that a provider's people log in to. Its pages are at localhost, the
// provider is at 127.0.0.1: to a browser they are different sites.
type team struct {
	*world
	idp *logintest.Provider
	at  string
}

func newTeam(t *testing.T, lean bool, change ...func(*login.Config)) *team {
	t.Helper()
	c := login.Config{ClientID: logintest.ClientID, Secret: logintest.Secret, Grants: grants, Scopes: []string{"groups"}, Name: "the <b>team</b>"}
	idp := logintest.Start(t)
	c.Issuer = idp.Issuer
	w := newWorld(t, func(o *gateway.Options) {
		o.People, o.Needs = c.Settings(), map[approval.Category]int{approval.Exec: 2}
	})
	_, port, err := net.SplitHostPort(strings.TrimPrefix(w.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	tm := &team{world: w, idp: idp, at: "http://localhost:" + port}
	idp.Serve(tm.at+login.Path, people, lean)
	c.Now = func() time.Time { return time.Now().Add(time.Duration(w.late.Load())) }
	for _, f := range change {
		f(&c)
	}
	l, err := login.New(c)
	if err != nil {
		t.Fatal(err)
	}
	w.pages.LoginWith(l)
	return tm
}

// heard is an answer, less what has to be closed.
type heard struct {
	StatusCode int
	Header     http.Header
	to         string // where it sends the browser
}

// surfer is a browser's cookies and habits, less the screen.
type surfer struct {
	t    *team
	http *http.Client
	jar  *cookiejar.Jar
	key  string // of the last login
}

func (tm *team) surfer() *surfer {
	tm.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		tm.t.Fatal(err)
	}
	return &surfer{t: tm, http: &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, jar: jar}
}

func (s *surfer) do(method, address string, form url.Values) (heard, string) {
	s.t.t.Helper()
	var body io.Reader
	if form != nil {
		form.Set("key", s.key)
		body = strings.NewReader(form.Encode())
	}
	req, err := http.NewRequestWithContext(s.t.t.Context(), method, address, body)
	if err != nil {
		s.t.t.Fatal(err)
	}
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	res, err := s.http.Do(req)
	if err != nil {
		s.t.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.t.Fatal(err)
	}
	if m := loginKey.FindSubmatch(data); m != nil {
		s.key = string(m[1])
	}
	h := heard{res.StatusCode, res.Header, ""}
	if to, err := res.Location(); err == nil {
		h.to = to.String()
	}
	return h, string(data)
}

var loginKey = regexp.MustCompile(`data-key="(\w+)"`)

var action = regexp.MustCompile(`<form[^>]* action="([^"]+)"`)

// begin begins a login at the gateway, and returns the address at the provider.
func (s *surfer) begin() string {
	s.t.t.Helper()
	res, body := s.do("GET", s.t.at+"/login/oidc", nil)
	if res.StatusCode != http.StatusSeeOther {
		s.t.t.Fatalf("%d %s", res.StatusCode, body)
	}
	return res.Header.Get("Location")
}

// through logs a user in at the provider, and returns where that sends the browser to.
func (s *surfer) through(address, user string) string {
	s.t.t.Helper()
	for range 10 {
		res, body := s.do("GET", address, nil)
		if m := action.FindStringSubmatch(body); m != nil && res.StatusCode == http.StatusOK {
			res, body = s.do("POST", html.UnescapeString(m[1]), url.Values{"prompt": {"login"}, "login": {user}, "password": {"x"}})
		}
		if res.to == "" {
			s.t.t.Fatalf("%s: %d %s", address, res.StatusCode, body)
		}
		if address = res.to; strings.Contains(address, login.Path) {
			return address
		}
	}
	s.t.t.Fatal("the provider sends the browser in circles")
	return ""
}

// login goes all the way, and returns the last answer.
func (s *surfer) login(user string) (int, string) {
	s.t.t.Helper()
	res, body := s.do("GET", s.through(s.begin(), user), nil)
	return res.StatusCode, body
}

// who tells as whom the queue is shown, or that nobody is logged in.
func (s *surfer) who() string {
	s.t.t.Helper()
	_, body := s.do("GET", s.t.at+"/", nil)
	if m := regexp.MustCompile(`<span class="who">([^<]*)</span>`).FindStringSubmatch(body); m != nil {
		return html.UnescapeString(m[1])
	}
	if strings.Contains(body, "You are not logged in") {
		return "nobody"
	}
	return body
}

func TestLoginByProvider(t *testing.T) {
	for name, lean := range map[string]bool{"the token says all": false, "the userinfo endpoint says the rest": true} {
		t.Run(name, func(t *testing.T) {
			tm := newTeam(t, lean)
			at := " at " + tm.idp.Issuer + ") "
			for user, want := range map[string]string{
				"ada":  "ada@team.example (ada" + at + "(admin)",
				"vic":  "vic@team.example (vic" + at + "(viewer)",
				"x y)": `somebody ("x y)"` + at + "(approver)",
			} {
				s := tm.surfer()
				if got := s.who(); got != "nobody" {
					t.Fatal(got)
				}
				if status, _ := s.login(user); status != 200 || s.who() != want {
					t.Errorf("%s: %d, %s; not %s", user, status, s.who(), want)
				}
			}
			for user, want := range map[string]string{"mallory": "is not verified", "eve": "has no role here"} {
				s := tm.surfer()
				if status, body := s.login(user); status != http.StatusForbidden || !strings.Contains(body, want) || s.who() != "nobody" {
					t.Errorf("%s: %d %s", user, status, body)
				}
			}
		})
	}
}

// What somebody decided says who it was, wherever it is shown.
func TestLoginIsInHistory(t *testing.T) {
	tm := newTeam(t, false)
	s := tm.surfer()
	s.login("ada")
	req := tm.network("a.example")
	csrf := regexp.MustCompile(`data-csrf="([0-9a-f]+)"`)
	_, page := s.do("GET", tm.at+"/", nil)
	form := url.Values{"csrf": {csrf.FindStringSubmatch(page)[1]}, "id": {req.ID}, "digest": {req.Digest}, "do": {"approve"}}
	if res, body := s.do("POST", tm.at+"/ui/answer", form); res.StatusCode >= 400 {
		t.Fatalf("%d %s", res.StatusCode, body)
	}
	who := "ada@team.example (ada at " + tm.idp.Issuer + ")"
	if got := tm.get(req.ID); got.State != approval.Approved || got.Operator != who {
		t.Errorf("%+v", got)
	}
	for _, path := range []string{"/history", "/record"} {
		if _, body := s.do("GET", tm.at+path, nil); !strings.Contains(html.UnescapeString(body), who) {
			t.Errorf("%s does not tell who it was", path)
		}
	}
	kinds := map[string]bool{}
	events, err := tm.s.Events(t.Context(), 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if e.Who == who {
			kinds[e.Kind] = true
		}
		if strings.Contains(string(e.Data), "code=") {
			t.Errorf("%s", e.Data)
		}
	}
	if !kinds["login"] || !kinds["session"] || !kinds["resolve"] {
		t.Errorf("%v", kinds)
	}
}

// Two approvals of one person are not those of two, whatever address they have by then.
func TestLoginIsOnePerson(t *testing.T) {
	tm := newTeam(t, false)
	ada := gateway.Person{Issuer: tm.idp.Issuer, Subject: "ada", Email: "ada@team.example", Role: gateway.Approver, Until: time.Now().Add(time.Hour)}
	renamed := ada
	renamed.Email = "countess@team.example"
	req := tm.submit(gateway.Submission{Category: approval.Exec, Action: "make x"})
	for i, p := range []gateway.Person{ada, renamed} {
		opened, err := tm.g.OpenSession(t.Context(), p, string(rune('a'+i)))
		if err != nil {
			t.Fatal(err)
		}
		who, err := tm.g.Session(t.Context(), opened.Cookie)
		if err != nil {
			t.Fatal(err)
		}
		_, err = tm.g.Answer(t.Context(), who, req.ID, true, gateway.Reply{})
		if (err != nil) != (i == 1) {
			t.Errorf("%d: %v", i, err)
		}
	}
	if got := tm.get(req.ID); got.State != approval.Pending {
		t.Errorf("%+v", got)
	}
}

// A session ends by itself, by logging out, and when people have their roles by other
// settings.
func TestLoginSessionEnds(t *testing.T) {
	tm := newTeam(t, false, func(c *login.Config) { c.For = time.Hour })
	s := tm.surfer()
	if s.login("ada"); !strings.HasPrefix(s.who(), "ada@") {
		t.Fatal(s.who())
	}
	tm.late.Store(int64(59 * time.Minute))
	if !strings.HasPrefix(s.who(), "ada@") {
		t.Error(s.who())
	}
	tm.late.Store(int64(61 * time.Minute))
	if s.who() != "nobody" {
		t.Error(s.who())
	}
	tm.late.Store(0)
	s.login("ada")
	at, err := url.Parse(tm.at)
	if err != nil {
		t.Fatal(err)
	}
	var secret string
	for _, c := range s.jar.Cookies(at) {
		if c.Name == tm.cookie() {
			secret = c.Value
		}
	}
	for settings, want := range map[string]bool{tm.options.People: true, "others": false, "": false} {
		o := tm.options
		o.People = settings
		g, err := gateway.New(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.Session(t.Context(), secret); (err == nil) != want {
			t.Errorf("%q: %v", settings, err)
		}
		if err := g.Close(t.Context(), false); err != nil {
			t.Error(err)
		}
	}
	_, page := s.do("GET", tm.at+"/", nil)
	csrf := regexp.MustCompile(`data-csrf="([0-9a-f]+)"`).FindStringSubmatch(page)[1]
	if res, _ := s.do("POST", tm.at+"/logout", url.Values{"csrf": {csrf}}); res.StatusCode != http.StatusSeeOther || s.who() != "nobody" {
		t.Error(res.StatusCode, s.who())
	}
	if _, err := tm.g.Session(t.Context(), secret); err == nil {
		t.Error("the cookie still counts")
	}
}

// as logs a user in at the provider whose button the page has.
func (b *browser) as(user string) {
	b.w.t.Helper()
	b.run(chromedp.Click(`a[href^="/login/oidc"]`, chromedp.ByQuery), chromedp.SendKeys(`input[name=login]`, user, chromedp.ByQuery), chromedp.SendKeys(`input[name=password]`, "x\r", chromedp.ByQuery))
}

// In a real browser, where gateway and provider are different sites: people come back to the page that
// they opened, and answer in every tab, after a restart and on a phone. Another window, another person,
// an expired session and one without its key say what they are.
func TestLoginInBrowser(t *testing.T) {
	tm := newTeam(t, false)
	dir := profile(t)
	b := tm.launch(dir)
	req := tm.network("first.example")
	b.run(chromedp.Navigate(tm.at + "/history?category=network"))
	b.as("ada")
	b.until(live)
	if who, at := b.value(`document.querySelector(".who").textContent`), b.value("location.href"); !strings.HasPrefix(who, "ada@team.example (ada at http://127.0.0.1:") || at != tm.at+"/history?category=network" {
		t.Errorf("%s is logged in at %s", who, at)
	}
	b.approves(tm.at, req)
	b.run(chromedp.Reload())
	b.approves(tm.at, tm.network("reload.example"))
	second := b.tab()
	second.run(chromedp.Navigate(tm.at))
	second.approves(tm.at, tm.network("tab.example"))
	b.approves(tm.at, tm.network("old-tab.example"))

	private := tm.launch(profile(t))
	private.run(chromedp.Navigate(tm.at))
	if text := private.value("document.body.innerText"); !strings.Contains(text, "You are not logged in") {
		t.Errorf("a private window: %s", text)
	}
	private.as("ada")
	private.until(live)
	private.approves(tm.at, tm.network("private.example"))

	b.quit()
	b = tm.launch(dir)
	b.run(chromedp.Navigate(tm.at))
	b.approves(tm.at, tm.network("restart.example"))
	b.run(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	b.approves(tm.at, tm.network("phone.example"))

	// The key is gone, as if the person had cleared it: the page says so, and logging in again mends it.
	req = tm.network("no-key.example")
	b.run(chromedp.Evaluate("localStorage.clear()", nil), chromedp.Navigate(tm.at))
	b.until(`!document.querySelector("#keyless").hidden`)
	b.until(live) // the first events replace the buttons
	b.run(chromedp.Click(sel(req, "button.approve"), chromedp.ByQuery))
	b.until(`document.querySelector("#detail .fault")?.textContent.includes("log out, and log in again")`)
	if !tm.still(req) {
		t.Error("answered without a key")
	}
	b.run(chromedp.Submit("form[action='/logout']", chromedp.ByQuery))
	b.until(`location.pathname === "/login"`)
	b.as("vic") // the provider still knows ada, and asks who it is
	b.until(live)
	if who := b.value(`document.querySelector(".who").textContent`); !strings.HasPrefix(who, "vic@team.example") || b.value(`document.querySelector("button.approve")`) != "null" {
		t.Errorf("%s is logged in", who)
	}

	tm.late.Store(int64(5 * time.Hour))
	b.run(chromedp.Navigate(tm.at + "/rules"))
	tm.late.Store(0)
	b.run(chromedp.Click(`a[href="/login/oidc"]`, chromedp.ByQuery)) // the provider knows vic
	b.until(live + ` && location.pathname === "/rules"`)
}

// A server on another port gets the cookie at the moment of the login, before any script of the console
// has run. The cookie alone answers nothing and unlocks nothing, whichever way the login went.
func TestLoginCookieAlone(t *testing.T) {
	tm := newTeam(t, false)
	for name, login := range map[string]func(*surfer){
		"provider": func(s *surfer) { s.login("ada") },
		"link":     func(s *surfer) { s.do("POST", tm.at+"/login", url.Values{"code": {tm.code(gateway.Admin)}}) },
	} {
		t.Run(name, func(t *testing.T) {
			s, req := tm.surfer(), tm.network(name+".example")
			login(s)
			own := s.key
			for i, key := range []string{"", strings.Repeat("0", len(own)), own} {
				s.key = key
				_, page := s.do("GET", tm.at+"/", nil)
				token := regexp.MustCompile(`data-csrf="([0-9a-f]+)"`).FindStringSubmatch(page)
				if token == nil || strings.Contains(page, own) {
					t.Fatalf("%s", page)
				}
				for _, path := range []string{"/ui/unlock", "/ui/answer"} {
					res, body := s.do("POST", tm.at+path, url.Values{"csrf": {token[1]}, "id": {req.ID}, "digest": {req.Digest}, "do": {"approve"}})
					if (res.StatusCode == http.StatusForbidden) != (i < 2) || tm.still(req) != (i < 2 || path == "/ui/unlock") {
						t.Errorf("%s with the key %q: %d %s", path, key, res.StatusCode, body)
					}
				}
			}
		})
	}
}

// Providers send browsers to every port of a loopback address, and a server of an agent's can listen
// there. The gateway takes a login only at its own port, unless it was given its address.
func TestLoginAtAnotherPort(t *testing.T) {
	tm := newTeam(t, false)
	for host, want := range map[string]int{strings.TrimPrefix(tm.at, "http://"): http.StatusSeeOther, strings.TrimPrefix(tm.url, "http://"): http.StatusSeeOther,
		"localhost:1": http.StatusBadRequest, "LOCALHOST.:1": http.StatusBadRequest, "127.0.0.1:1": http.StatusBadRequest, "[::1]:1": http.StatusBadRequest, "localhost": http.StatusBadRequest} {
		for _, path := range []string{"/login/oidc", login.Path} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, tm.url+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Host = host
			res, err := http.DefaultTransport.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(res.Body)
			_ = res.Body.Close()
			if err != nil || path == "/login/oidc" && res.StatusCode != want || want != http.StatusSeeOther && !strings.Contains(string(body), "--oidc-redirect") {
				t.Errorf("%s at %s: %d %v %s", path, host, res.StatusCode, err, body)
			}
		}
	}
}

// Browsers send cookies to every port of a host: two gateways there do not log people out of each other.
func TestTwoGatewaysOfAHost(t *testing.T) {
	a, b := newTeam(t, false), newTeam(t, false)
	s := a.surfer()
	s.login("ada")
	other := &surfer{t: b, http: s.http, jar: s.jar}
	other.login("vic")
	if s.who() == "nobody" || !strings.HasPrefix(s.who(), "ada@") || !strings.HasPrefix(other.who(), "vic@") {
		t.Errorf("logged in are %s and %s", s.who(), other.who())
	}
}
