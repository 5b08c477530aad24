package gateway

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/store"
	"github.com/umpire-dev/umpire/internal/store/storetest"
)

// call is one call of REST in a table.
type call struct {
	name   string
	who    string
	method string
	path   string // %s is what before returns
	body   any
	before func() string
	// again is set for a call that makes several changes, each of which may be made
	// again: when one fails, those before it stay.
	again bool
}

// faulty is a world whose database fails when its test says so.
func faulty(t *testing.T, policy string, change ...func(*Options)) (*world, *storetest.Faults) {
	t.Helper()
	f := &storetest.Faults{}
	w := newWorld(t, policy, append(change, through(t, f))...)
	w.s = w.g.store
	return w, f
}

// through has a gateway reach its database through faults.
func through(t *testing.T, f *storetest.Faults) func(*Options) {
	return func(o *Options) {
		if err := o.Store.Close(); err != nil {
			t.Fatal(err)
		}
		var err error
		if o.Store, err = store.OpenThrough(t.Context(), filepath.Join(os.Getenv("HOME"), "db"), f.Connect); err != nil {
			t.Fatal(err)
		}
	}
}

// Many tests fail each call to the database in turn, and each failure costs a pause.
func init() { retryEvery = 50 * time.Millisecond }

// numbers differ between two answers that say the same.
var numbers = regexp.MustCompile(`[0-9a-f]{12,}|[0-9]+|[0-9A-Z]{26}`)

// Every call of REST is made while the database fails at its first statement, row or commit, at its
// second, and so on until the call succeeds: once with one failure, and once with several in a row.
// A call that fails says that the gateway has a fault and not which, changes nothing and runs
// nothing. One that succeeds says what it says without a fault.
func TestEveryCallOverAFaultyDatabase(t *testing.T) {
	work := t.TempDir()
	if err := os.WriteFile(filepath.Join(work, "made.txt"), []byte("made"), 0o600); err != nil {
		t.Fatal(err)
	}
	w, f := faulty(t, "rules:\n  - allow: exec(true)\n  - allow: write(free.txt)\n", func(o *Options) { o.Workspace = work })
	w.put("old", "old")
	w.put("made.txt", "older")
	kept := &faults{t, w.open()}
	ran := filepath.Join(w.g.root, "ran")
	post := func(who, path string, body any) map[string]any {
		status, out := w.call(who, "POST", path, body)
		if status/100 != 2 {
			t.Fatalf("%s: %d %v", path, status, out)
		}
		return out
	}
	net := func() string { return fmt.Sprint(w.ask("network", "CONNECT a.example:443", nil)["id"]) }
	run := func() string {
		return fmt.Sprint(post("agent", "/api/exec", map[string]any{"command": "echo x >>" + ran})["id"])
	}
	none := func() string { return "" }
	one := func(id string) func() string { return func() string { return id } }
	done := fmt.Sprint(post("agent", "/api/exec", map[string]any{"command": "true"})["id"])
	w.until("exec", done, "completed")
	for _, rule := range []string{"exec(make deploy)", "network(b.example)"} {
		post("admin", "/api/rules", map[string]any{"type": "deny", "rule": rule})
	}
	calls := []call{
		{"own queue", "agent", "GET", "/api/queue", nil, none, false},
		{"own request", "agent", "GET", "/api/queue/%s", nil, one(net()), false},
		{"own command", "agent", "GET", "/api/exec/%s", nil, one(done), false},
		{"own output", "agent", "GET", "/api/exec/%s/output", nil, one(done), false},
		{"own tunnels' secrets", "agent", "GET", "/api/secrets", nil, none, false},
		{"files that differ", "agent", "GET", "/api/sync/files", nil, none, false},
		{"what would rules say", "agent", "POST", "/api/check", map[string]any{"category": "exec", "action": "make thing"}, none, false},
		{"ask", "agent", "POST", "/api/queue", map[string]any{"category": "network", "action": "CONNECT b.example:443"}, none, false},
		{"ask in a session", "agent", "POST", "/api/queue", map[string]any{"category": "network", "action": "CONNECT c.example:443", "session": "s"}, none, false},
		{"ask with a key", "agent", "POST", "/api/queue", map[string]any{"category": "network", "action": "CONNECT d.example:443", "key": "k"}, none, false},
		{"ask for a command", "agent", "POST", "/api/exec", map[string]any{"command": "make thing"}, none, false},
		{"ask for packages", "agent", "POST", "/api/packages", map[string]any{"manager": "npm", "packages": []string{"left-pad@1.3.0"}}, none, false},
		{"ask for files", "agent", "POST", "/api/files", map[string]any{"changes": []any{map[string]any{"op": "delete", "path": "old"}}}, none, false},
		{"propose", "agent", "POST", "/api/config/propose", map[string]any{"path": "rules.deny", "value": []string{"exec(make a)"}, "reason": "to be sure"}, none, false},
		{"cancel", "agent", "DELETE", "/api/queue/%s", nil, net, false},

		{"queue", "viewer", "GET", "/api/queue", nil, none, false},
		{"request", "viewer", "GET", "/api/queue/%s", nil, one(net()), false},
		{"output", "viewer", "GET", "/api/queue/%s/output", nil, one(done), false},
		{"all of it", "viewer", "GET", "/api/queue/%s/whole", nil, one(run()), false},
		{"rule for it", "viewer", "GET", "/api/queue/%s/rule", nil, one(net()), false},
		{"rules", "viewer", "GET", "/api/rules", nil, none, false},
		{"test a rule", "viewer", "POST", "/api/rules/test", map[string]any{"type": "deny", "rule": "exec(make thing)"}, none, false},
		{"policy", "viewer", "GET", "/api/config", nil, none, false},
		{"history", "viewer", "GET", "/api/history", nil, none, false},
		{"record", "viewer", "GET", "/api/audit", nil, none, false},
		{"project", "viewer", "GET", "/api/project", nil, none, false},
		{"tunnels", "viewer", "GET", "/api/tunnels", nil, none, false},
		{"sessions", "viewer", "GET", "/api/sessions", nil, none, false},
		{"tokens", "admin", "GET", "/api/tokens", nil, none, false},
		{"proof", "", "GET", ProofPath + "?nonce=0123456789abcdef&token=" + ProofID(w.tokens["admin"]), nil, none, false},
		{"ready", "", "GET", "/readyz", nil, none, false},

		{"deny", "approver", "POST", "/api/queue/%s/deny", nil, net, false},
		{"deny all", "approver", "POST", "/api/queue/bulk", map[string]any{"category": "network", "status": "denied"}, net, true},
		{"approve all", "approver", "POST", "/api/queue/bulk", map[string]any{"category": "network", "status": "approved"}, net, true},
		{"approve", "approver", "POST", "/api/queue/%s/approve", nil, net, false},
		{"approve always", "admin", "POST", "/api/queue/%s/approve", map[string]any{"scope": "always"}, net, false},
		{"approve for the session", "approver", "POST", "/api/queue/%s/approve", map[string]any{"scope": "session"}, func() string {
			return fmt.Sprint(post("agent", "/api/queue", map[string]any{"category": "network", "action": "CONNECT s.example:443", "session": "s"})["id"])
		}, false},
		{"login link", "viewer", "POST", "/api/login", nil, none, true},
		{"make a token", "admin", "POST", "/api/tokens", map[string]any{"kind": "agent", "name": "c"}, none, false},
		{"revoke a token", "admin", "DELETE", "/api/tokens/%s", nil, func() string {
			return fmt.Sprint(post("admin", "/api/tokens", map[string]any{"kind": "agent", "name": "d"})["about"].(map[string]any)["id"])
		}, true},
		{"add a rule", "admin", "POST", "/api/rules", map[string]any{"type": "deny", "rule": "exec(make other)"}, func() string {
			w.call("admin", "DELETE", "/api/rules", map[string]any{"type": "deny", "rule": "exec(make other)"})
			return ""
		}, false},
		{"remove a rule", "admin", "DELETE", "/api/rules", map[string]any{"type": "deny", "rule": "exec(make more)"}, func() string {
			post("admin", "/api/rules", map[string]any{"type": "deny", "rule": "exec(make more)"})
			return ""
		}, false},
	}
	for _, how := range []struct {
		rest   int
		damage bool
	}{{0, false}, {8, false}, {0, true}} {
		for _, c := range calls {
			t.Run(fmt.Sprintf("%s/%v", c.name, how), func(t *testing.T) {
				f.Arm(0)
				f.Rest, f.Damage = how.rest, how.damage
				id, want := c.before(), ""

				for n := 1; ; n++ {
					path := strings.ReplaceAll(c.path, "%s", id)
					w.g.known.Store(nil) // what was read is read again
					w.g.provable.Store(nil)
					if c.method == http.MethodGet && want == "" {
						_, want = w.hear(c.who, c.method, path, c.body)
						continue
					}
					before := kept.kept()
					f.Arm(n)
					status, said := w.hear(c.who, c.method, path, c.body)
					what := f.What()
					f.Arm(0)
					if now := w.has("ran"); now != "none" {
						t.Fatalf("call %d (%s): the command ran", n, what)
					}
					switch {
					case what == "" && status/100 != 2:
						t.Fatalf("without a fault: %d %s", status, said)
					case what == "":
						return
					case status/100 == 2 && c.method == http.MethodGet && !strings.Contains(said, `"error"`) && numbers.ReplaceAllString(said, "#") != numbers.ReplaceAllString(want, "#"):
						t.Errorf("call %d (%s): got %s, want %s", n, what, said, want)
					case status/100 == 2: // it is made anew
						id = c.before()
					case status < 500 || !strings.Contains(said, `"error"`) || strings.Contains(said, storetest.ErrFault.Error()):
						t.Errorf("call %d (%s): %d %s, want an error of the gateway that does not say what it was", n, what, status, said)
					}
					if status/100 == 2 {
						continue
					}
					if now := kept.kept(); now != before {
						if !c.again && !strings.Contains(said, "the change is stored") {
							t.Errorf("call %d (%s): %d %s, and kept is more or other than before:\n%s", n, what, status, said, unlike(before, now))
						}
						id = c.before()
					}
				}
			})
		}
	}
	f.Arm(0)
	if _, err := w.s.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}
