package web

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/store"
	"github.com/umpire-dev/umpire/internal/tools/poll"
)

// A category that two people must approve: the first one's approval counts and settles
// nothing, the same person's again does not, and no rule can be made of it.
func TestTwoPeople(t *testing.T) {
	w := newWorld(t, func(o *gateway.Options) { o.Needs = map[approval.Category]int{approval.Exec: 2} })
	ann, bob := w.personOf("ann", gateway.Admin), w.personOf("bob", gateway.Approver)
	r := w.submit(gateway.Submission{Category: approval.Exec, Action: "make release", Session: "s"})
	if _, page := ann.do("GET", "/", nil); !strings.Contains(page, "0 of 2 approvals") || strings.Contains(page, "Allow always") || strings.Contains(page, "Allow in this session") {
		t.Errorf("%s", page)
	}
	if status, said := ann.post("/ui/answer", "id", r.ID, "digest", r.Digest, "do", "approve"); status >= 400 || w.get(r.ID).State != approval.Pending {
		t.Errorf("the first: %d %s", status, said)
	}
	if _, page := ann.do("GET", "/", nil); !strings.Contains(page, "1 of 2 approvals: ann") || !strings.Contains(page, "You approved it") {
		t.Errorf("%s", page)
	}
	if status, _ := ann.post("/ui/answer", "id", r.ID, "digest", r.Digest, "do", "approve"); status != 409 || w.get(r.ID).State != approval.Pending {
		t.Errorf("the same person again: %d", status)
	}
	if status, _ := ann.post("/ui/answer", "id", r.ID, "digest", r.Digest, "do", "approve-always", "rule", "exec(make release)"); status != 400 || w.get(r.ID).State != approval.Pending {
		t.Errorf("a rule: %d", status)
	}
	if _, page := bob.do("GET", "/", nil); strings.Contains(page, "You approved it") {
		t.Error("bob did not")
	}
	if status, said := bob.post("/ui/answer", "id", r.ID, "digest", r.Digest, "do", "approve"); status >= 400 || w.get(r.ID).State != approval.Approved {
		t.Errorf("the second: %d %s", status, said)
	}
	other := w.submit(gateway.Submission{Category: approval.Exec, Action: "make other"})
	if status, _ := bob.post("/ui/answer", "id", other.ID, "digest", other.Digest, "do", "deny"); status >= 400 || w.get(other.ID).State != approval.Denied {
		t.Errorf("one person denies: %d", status)
	}
}

// People see where they are logged in, and end it; administrators see everybody.
func TestBrowsers(t *testing.T) {
	w := newWorld(t)
	admin, here, there, eve := w.personOf("ada", gateway.Admin), w.personOf("ann", gateway.Approver), w.personOf("ann", gateway.Approver), w.personOf("eve", gateway.Viewer)
	ids := func(p *person) []string {
		_, page := p.do("GET", "/agents", nil)
		var out []string
		for _, m := range regexp.MustCompile(`action="/agents/logout"><input[^>]*><input type="hidden" name="id" value="([0-9a-f]{16})"`).FindAllStringSubmatch(page, -1) {
			out = append(out, m[1])
		}
		if !strings.Contains(page, "this one") {
			t.Error("its own browser is not listed")
		}
		return out
	}
	if n := len(ids(admin)); n != 3 {
		t.Errorf("an administrator sees %d others", n)
	}
	if n := len(ids(eve)); n != 0 {
		t.Errorf("eve sees %d others", n)
	}
	others := ids(here)
	if len(others) != 1 {
		t.Fatalf("ann sees %v", others)
	}
	if status, _ := eve.post("/agents/logout", "id", others[0]); status != 404 {
		t.Errorf("eve ends another's: %d", status)
	}
	if res, _ := there.do("GET", "/", nil); res.StatusCode != 200 {
		t.Errorf("eve ended another's: %d", res.StatusCode)
	}
	if status, _ := here.post("/agents/logout", "id", others[0]); status >= 400 {
		t.Errorf("ann ends her other one: %d", status)
	}
	if res, _ := there.do("GET", "/", nil); res.StatusCode != 401 {
		t.Errorf("it goes on: %d", res.StatusCode)
	}
	if res, _ := here.do("GET", "/", nil); res.StatusCode != 200 {
		t.Errorf("this one ended: %d", res.StatusCode)
	}
}

// A call that cannot be taken back, or reaches beyond the project, stands out.
func TestRisk(t *testing.T) {
	w := newWorld(t)
	ada := w.person(gateway.Viewer)
	w.submit(gateway.Submission{Category: approval.Exec, Action: "make test"})
	if _, page := ada.do("GET", "/", nil); strings.Contains(page, "high risk") {
		t.Errorf("a test is none: %s", page)
	}
	r := w.submit(gateway.Submission{Category: approval.Exec, Action: "sudo systemctl restart nginx"})
	if _, page := ada.do("GET", "/?id="+r.ID, nil); strings.Count(page, "high risk") != 1 || !strings.Contains(page, "runs with another user&#39;s rights") {
		t.Errorf("%s", page)
	}
}

// listen opens the stream of events after one, as a page does.
func (p *person) listen(after int64) io.Reader {
	t := p.w.t
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, "GET", p.w.url+"/ui/events?after=0", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Cookie", p.cookie)
	req.Header.Set("Last-Event-Id", fmt.Sprint(after)) // counts before the address
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	return res.Body
}

// A browser that another gateway logged out hears of nothing more.
func TestEventsEndWithTheirSession(t *testing.T) {
	w := newWorld(t)
	ada := w.person(gateway.Viewer)
	other, err := gateway.New(t.Context(), w.options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Close(context.WithoutCancel(t.Context()), false) })
	head, err := w.s.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	events := ada.listen(head)
	if _, err := io.ReadAtLeast(events, make([]byte, 100), 10); err != nil { // it has begun
		t.Fatal(err)
	}
	_, secret, _ := strings.Cut(ada.cookie, "=")
	if err := other.Logout(t.Context(), secret, "ada"); err != nil {
		t.Fatal(err)
	}
	w.network("secret.example")
	if rest, err := io.ReadAll(events); err != nil || strings.Contains(string(rest), "event: change") {
		t.Errorf("%v, it heard %s", err, rest)
	}
}

// A form whose body is still on its way decides nothing once its session has ended, or its person has
// lost the right to answer.
func TestFormEndsWithItsSession(t *testing.T) {
	lowered := func(to gateway.Role) func(w *world, tok gateway.Token, _ string) error {
		return func(w *world, tok gateway.Token, _ string) error {
			records, err := w.s.Records(t.Context(), "token")
			at := slices.IndexFunc(records, func(r store.Record) bool { return strings.HasPrefix(r.ID, tok.ID) })
			tok.Role = to
			body, e := json.Marshal(tok)
			return errors.Join(err, e, w.s.Update(t.Context(), "token", records[at].ID, "token", "ada", func(json.RawMessage) (json.RawMessage, any, error) { return body, "lowered", nil }))
		}
	}
	for name, end := range map[string]func(w *world, tok gateway.Token, secret string) error{
		"none":       func(*world, gateway.Token, string) error { return nil },
		"logged out": func(w *world, _ gateway.Token, secret string) error { return w.g.Logout(t.Context(), secret, "ann") },
		"revoked":    func(w *world, tok gateway.Token, _ string) error { return w.g.Revoke(t.Context(), tok.ID, "ada") },
		"viewer":     lowered(gateway.Viewer),
		"approver":   lowered(gateway.Approver), // may answer, but not always
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			running, stop := context.WithCancel(t.Context())
			defer stop()
			go w.g.Run(running)
			if _, _, err := w.g.NewToken(t.Context(), gateway.Token{Kind: gateway.Operator, Role: gateway.Admin, Name: "ada"}); err != nil { // the last one cannot be revoked
				t.Fatal(err)
			}
			_, tok, err := w.g.NewToken(t.Context(), gateway.Token{Kind: gateway.Operator, Role: gateway.Admin, Name: "ann"})
			if err != nil {
				t.Fatal(err)
			}
			code, err := w.g.NewLogin(t.Context(), gateway.Principal{Kind: gateway.Operator, Name: "ann", Role: gateway.Admin, ID: tok.ID})
			if err != nil {
				t.Fatal(err)
			}
			opened, err := w.g.Login(t.Context(), code)
			if err != nil {
				t.Fatal(err)
			}
			r := w.network("slow.example")
			form := url.Values{"csrf": {csrf(opened.Cookie)}, "key": {opened.Key}, "id": {r.ID}, "digest": {r.Digest}, "do": {"approve-always"}, "rule": {"network(slow.example)"}}.Encode()
			c, err := new(net.Dialer).DialContext(t.Context(), "tcp", strings.TrimPrefix(w.url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			_ = c.SetDeadline(time.Now().Add(30 * time.Second))
			fmt.Fprintf(c, "POST /ui/answer HTTP/1.1\r\nHost: %s\r\nCookie: %s=%s\r\nExpect: 100-continue\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n", strings.TrimPrefix(w.url, "http://"), w.cookie(), opened.Cookie, len(form))
			in := bufio.NewReader(c)
			head := make([]byte, len("HTTP/1.1 100 Continue\r\n\r\n"))
			if _, err := io.ReadFull(in, head); err != nil || !strings.Contains(string(head), "100 Continue") { // it reads the body now
				t.Fatalf("%q, %v", head, err)
			}
			if err := end(w, tok, opened.Cookie); err != nil {
				t.Fatal(err)
			}
			if name == "viewer" || name == "approver" { // as long as it takes until the gateway sees it
				poll.Until(t, func() (bool, string) {
					p, err := w.g.Session(t.Context(), opened.Cookie)
					return err == nil && string(p.Role) == name, fmt.Sprintf("%+v, %v", p, err)
				})
			}
			_, _ = io.WriteString(c, form)
			res, err := http.ReadResponse(in, nil)
			if err != nil {
				t.Fatal(err)
			}
			_ = res.Body.Close()
			if state := w.get(r.ID).State; (state == approval.Pending) != (name != "none") || (res.StatusCode >= 400) != (name != "none") {
				t.Errorf("it is answered %d, and the request is %s", res.StatusCode, state)
			}
		})
	}
}
