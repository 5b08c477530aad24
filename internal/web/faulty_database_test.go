package web

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/store"
	"github.com/umpire-dev/umpire/internal/store/storetest"
)

// changing is what differs between two answers that say the same.
var changing = regexp.MustCompile(`[0-9a-f]{12,}|[0-9]+|[0-9A-Z]{26}`)

// ask sends a request as a script does. An answer that breaks off has status 0.
func (p *person) ask(method, path string, form []string) (status int, body string) {
	p.w.t.Helper()
	var in io.Reader
	if method == http.MethodPost {
		v := url.Values{"csrf": {p.csrf}, "key": {p.key}}
		for i := 0; i < len(form); i += 2 {
			v.Set(form[i], form[i+1])
		}
		in = strings.NewReader(v.Encode())
	}
	req, err := http.NewRequestWithContext(p.w.t.Context(), method, p.w.url+path, in)
	if err != nil {
		p.w.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("X-Umpire", "1")
	req.Header.Set("Cookie", p.cookie)
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return 0, ""
	}
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, ""
	}
	return res.StatusCode, string(b)
}

// sent is a form, and whether what it asks for has happened; a page has neither. undo keeps lists short:
// each row that is read is a call.
type sent struct {
	fields []string
	done   func() bool
	undo   func()
}

// faultyWorld is a gateway with a few requests and a rule, whose database fails when its test says so.
type faultyWorld struct {
	*world
	f                      *storetest.Faults
	ada                    *person
	hosts                  int
	pending, settled, rule string // IDs
}

func newFaultyWorld(t *testing.T) *faultyWorld {
	t.Helper()
	f := &storetest.Faults{}
	w := &faultyWorld{f: f, world: newWorld(t, func(o *gateway.Options) {
		if err := o.Store.Close(); err != nil {
			t.Fatal(err)
		}
		var err error
		if o.Store, err = store.OpenThrough(t.Context(), filepath.Join(os.Getenv("HOME"), "db"), f.Connect); err != nil {
			t.Fatal(err)
		}
		o.Log = slog.New(slog.DiscardHandler)
	})}
	now := time.Now().Add(time.Minute)
	w.pages.now = func() time.Time { return now }
	w.ada = w.person(gateway.Admin)
	settled := w.net("")
	w.pending, w.settled = w.net("").ID, settled.ID
	if ok, err := w.g.Answer(t.Context(), w.admin(), settled.ID, false, gateway.Reply{Digest: settled.Digest}); !ok || err != nil {
		t.Fatal(ok, err)
	}
	w.rule = w.deny("network(kept.example)")
	return w
}

func (w *faultyWorld) admin() gateway.Principal {
	return gateway.Principal{Kind: gateway.Operator, Name: "ada", Role: gateway.Admin}
}

func (w *faultyWorld) next(form string) string { w.hosts++; return fmt.Sprintf(form, w.hosts) }

func (w *faultyWorld) net(session string) approval.Request {
	return w.submit(gateway.Submission{Category: approval.Network, Action: w.next("CONNECT h%d.example:443"), Session: session})
}

func (w *faultyWorld) is(r approval.Request, s approval.State) func() bool {
	return func() bool { return w.get(r.ID).State == s }
}

func (w *faultyWorld) rules() []gateway.Rule {
	list, err := w.g.Rules(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

func (w *faultyWorld) has(text string) bool {
	return slices.ContainsFunc(w.rules(), func(r gateway.Rule) bool { return r.Text == text })
}

// deny stores a rule and returns its ID.
func (w *faultyWorld) deny(text string) string {
	if _, err := w.g.AddRule(w.t.Context(), gateway.Rule{Effect: "deny", Text: text, By: "ada"}); err != nil {
		w.t.Fatal(err)
	}
	list := w.rules()
	return list[slices.IndexFunc(list, func(r gateway.Rule) bool { return r.Text == text })].ID
}

// drop removes the rules with a text.
func (w *faultyWorld) drop(text string) func() {
	return func() {
		for _, r := range w.rules() {
			if r.Text == text {
				if _, err := w.g.RemoveRule(w.t.Context(), r.Effect, r.ID, "ada"); err != nil {
					w.t.Fatal(err)
				}
			}
		}
	}
}

// revoke revokes the tokens with a name.
func (w *faultyWorld) revoke(name string) func() {
	return func() {
		list, err := w.g.Tokens(w.t.Context())
		for _, tok := range list {
			if tok.Name == name {
				err = errors.Join(err, w.g.Revoke(w.t.Context(), tok.ID, "ada"))
			}
		}
		if err != nil {
			w.t.Fatal(err)
		}
	}
}

func (w *faultyWorld) token(name string) bool {
	list, err := w.g.Tokens(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return slices.ContainsFunc(list, func(tok gateway.Token) bool { return tok.Name == name })
}

// faultyForms are the pages' addresses, with their forms. {pending}, {settled} and {rule} are IDs.
var faultyForms = map[string]func(w *faultyWorld) sent{
	"POST /ui/answer": func(w *faultyWorld) sent {
		r := w.net("")
		return sent{fields: []string{"id", r.ID, "digest", r.Digest, "do", "approve"}, done: w.is(r, approval.Approved)}
	},
	"POST /ui/answer#always": func(w *faultyWorld) sent {
		r := w.net("")
		rule := fmt.Sprintf("network(h%d.example)", w.hosts)
		return sent{[]string{"id", r.ID, "digest", r.Digest, "do", "approve-always", "rule", rule}, func() bool { return w.has(rule) && w.is(r, approval.Approved)() }, w.drop(rule)}
	},
	"POST /ui/bulk": func(w *faultyWorld) sent {
		r := w.net("")
		return sent{fields: []string{"category", "network", "do", "deny", "seen", r.ID + ":" + r.Digest}, done: w.is(r, approval.Denied)}
	},
	"POST /agents/add": func(w *faultyWorld) sent {
		name := w.next("agent%d")
		return sent{[]string{"name", name}, func() bool { return w.token(name) }, w.revoke(name)}
	},
	"POST /agents/revoke": func(w *faultyWorld) sent {
		_, tok, err := w.g.NewToken(w.t.Context(), gateway.Token{Kind: gateway.Agent, Name: w.next("agent%d")})
		if err != nil {
			w.t.Fatal(err)
		}
		return sent{fields: []string{"id", tok.ID}, done: func() bool { return !w.token(tok.Name) }}
	},
	"POST /agents/end": func(w *faultyWorld) sent {
		r := w.net("s")
		return sent{fields: []string{"agent", r.Agent, "session", "s"}, done: w.is(r, approval.Denied)}
	},
	"POST /agents/logout": func(w *faultyWorld) sent {
		other, id := w.person(gateway.Viewer), ""
		list, err := w.g.Browsers(w.t.Context(), w.admin())
		for _, b := range list {
			if b.Role == gateway.Viewer {
				id = b.ID
			}
		}
		if err != nil || id == "" {
			w.t.Fatal(list, err)
		}
		return sent{fields: []string{"id", id}, done: func() bool { status, _ := other.ask("GET", "/", nil); return status == http.StatusUnauthorized }}
	},
	"POST /rules/add": func(w *faultyWorld) sent {
		rule := w.next("network(h%d.example)")
		return sent{[]string{"type", "deny", "rule", rule}, func() bool { return w.has(rule) }, w.drop(rule)}
	},
	"POST /rules/remove": func(w *faultyWorld) sent {
		rule := w.next("network(h%d.example)")
		return sent{fields: []string{"type", "deny", "rule", w.deny(rule)}, done: func() bool { return !w.has(rule) }}
	},
	"POST /rules/test": func(*faultyWorld) sent {
		return sent{fields: []string{"type", "deny", "rule", "network(b.example)"}, done: nil}
	},
	"POST /record/verify": nil, "GET /{$}": nil, "GET /{$}?id={pending}": nil, "GET /ui/list": nil, "GET /ui/card/{pending}": nil, "GET /ui/whole/{pending}": nil,
	"GET /overview": nil, "GET /history": nil, "GET /request/{settled}": nil, "GET /agents": nil, "GET /rules": nil, "GET /rules?test={rule}": nil,
	"GET /policy": nil, "GET /record": nil, "GET /record/export": nil,
}

// otherForms are addresses that other tests cover: a stream, forms without the database, a stop of
// what runs, a setting that was proposed, and the end of the session itself.
var otherForms = []string{"GET /ui/events", "POST /ui/stop", "POST /ui/theme", "POST /ui/unlock", "POST /agents/tunnel", "POST /policy/reset", "POST /logout"}

// Every page is read, and every form is sent, while the database fails at its first statement, row
// or commit, at its second, and so on until none fails. A page is whole or an error. A form that
// reports success has done what it says.
func TestEveryPageOverAFaultyDatabase(t *testing.T) {
	source, err := os.ReadFile("web.go")
	if err != nil {
		t.Fatal(err)
	}
	known := strings.NewReplacer("{pending}", "{id}", "{settled}", "{id}")
	for _, m := range regexp.MustCompile(`"((?:GET|POST) /\S*)", gateway\.`).FindAllSubmatch(source, -1) {
		route := string(m[1])
		covered := slices.Contains(otherForms, route)
		for name := range faultyForms {
			covered = covered || known.Replace(name) == route
		}
		if !covered {
			t.Errorf("no faults are tested for %s", route)
		}
	}
	for name, form := range faultyForms {
		t.Run(name, func(t *testing.T) {
			w := newFaultyWorld(t)
			method, path, _ := strings.Cut(strings.NewReplacer("{$}", "", "{pending}", w.pending, "{settled}", w.settled, "{rule}", w.rule).Replace(name), " ")
			path, _, _ = strings.Cut(path, "#")
			want := ""
			if form == nil {
				_, want = w.ada.ask(method, path, nil)
			}
			var out sent
			for n := 1; ; n++ {
				if form != nil && (n == 1 || out.done != nil && out.done()) { // otherwise it is sent again
					if out.undo != nil {
						out.undo()
					}
					out = form(w)
				}
				w.f.Arm(n)
				status, said := w.ada.ask(method, path, out.fields)
				what := w.f.What()
				w.f.Arm(0)
				switch {
				case what == "" && status != http.StatusOK || n > 500:
					t.Errorf("without a fault: %d %.300s", status, said)
				case status == http.StatusOK && out.done != nil && !out.done():
					t.Errorf("call %d (%s): it says %.300s, and nothing is done", n, what, said)
				case status == http.StatusOK && form == nil && changing.ReplaceAllString(said, "#") != changing.ReplaceAllString(want, "#"):
					t.Errorf("call %d (%s): got\n%s\nwant\n%s", n, what, said, want)
				case status != http.StatusOK && status != 0 && status < 500 || strings.Contains(said, storetest.ErrFault.Error()):
					t.Errorf("call %d (%s): %d %.300s, want an error of the gateway that does not say what it was", n, what, status, said)
				}
				if what == "" || t.Failed() {
					return
				}
			}
		})
	}
}
