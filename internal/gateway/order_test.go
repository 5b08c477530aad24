package gateway

import (
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/store"
)

// database opens the world's database beside its gateway.
func (w *world) database() *sql.DB {
	w.t.Helper()
	path := filepath.Join(filepath.Dir(w.policy), "db", "gateway.db")
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?_pragma=busy_timeout(5000)")
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = db.Close() })
	return db
}

// onRules has the database do something whenever a rule is about to be stored.
func (w *world) onRules(do string) {
	w.t.Helper()
	if _, err := w.database().ExecContext(w.t.Context(), "CREATE TRIGGER on_rules BEFORE INSERT ON record WHEN NEW.kind = 'rule' BEGIN "+do+"; END"); err != nil {
		w.t.Fatal(err)
	}
}

// An agent that asks again as soon as it has the answer meets the rule that the answer stored,
// however slow the database is.
func TestRuleHoldsBeforeAnswerIsSeen(t *testing.T) {
	for _, tt := range []struct{ verb, scope, want string }{
		{"approve", "always", "approved"},
		{"approve", "session", "approved"},
		{"deny", "always", "denied"},
		{"deny", "session", "denied"},
	} {
		t.Run(tt.verb+" "+tt.scope, func(t *testing.T) {
			w := newWorld(t, "")
			w.onRules("SELECT count(*) FROM (WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) SELECT i FROM n)")
			in := map[string]any{"category": "exec", "action": "make lint", "session": "s1"}
			_, r := w.call("agent", "POST", "/api/queue", in)
			id := r["id"].(string)
			again := make(chan map[string]any, 1)
			go func() {
				w.call("agent", "GET", "/api/queue/"+id+"?wait=55s", nil)
				_, r := w.call("agent", "POST", "/api/queue", in)
				again <- r
			}()
			if status, out := w.call("admin", "POST", "/api/queue/"+id+"/"+tt.verb, map[string]any{"scope": tt.scope}); out["ok"] != true {
				t.Fatal(status, out)
			}
			if r := <-again; r["status"] != tt.want {
				t.Errorf("asked again at once: %v, want %s", r["status"], tt.want)
			}
		})
	}
}

// An answer whose rule cannot be stored is none: it may be given again.
func TestAnswerWithoutItsRule(t *testing.T) {
	w := newWorld(t, "")
	w.onRules("SELECT RAISE(ABORT, 'the disk says no')")
	id := w.ask("exec", "make lint", nil)["id"].(string)
	for _, verb := range []string{"approve", "deny"} {
		if status, out := w.call("admin", "POST", "/api/queue/"+id+"/"+verb, map[string]any{"scope": "always"}); status < http.StatusInternalServerError {
			t.Errorf("%s: %d %v", verb, status, out)
		}
		if r, err := w.s.Get(t.Context(), id); err != nil || r.State != approval.Pending {
			t.Errorf("after %s: %s, %v", verb, r.State, err)
		}
	}
	if _, out := w.call("admin", "POST", "/api/queue/"+id+"/approve", nil); out["ok"] != true {
		t.Errorf("once: %v", out)
	}
}

// An answer that comes too late stores no rule.
func TestLateAnswerStoresNoRule(t *testing.T) {
	w := newWorld(t, "")
	id := w.ask("exec", "make lint", nil)["id"].(string)
	if _, out := w.call("admin", "POST", "/api/queue/"+id+"/deny", nil); out["ok"] != true {
		t.Fatal(out)
	}
	if _, out := w.call("admin", "POST", "/api/queue/"+id+"/approve", map[string]any{"scope": "always"}); out["ok"] != false {
		t.Errorf("a second answer: %v", out)
	}
	if rules, err := w.g.Rules(t.Context()); err != nil || len(rules) > 0 {
		t.Errorf("%v, %v", rules, err)
	}
}

// Each change of the rules is one event, which says what it was.
func TestRuleEventsSayWhat(t *testing.T) {
	w := newWorld(t, "")
	rule := map[string]any{"type": "deny", "rule": "exec(make lint)"}
	for _, method := range []string{"POST", "DELETE"} {
		if status, out := w.call("admin", method, "/api/rules", rule); status != http.StatusOK {
			t.Fatal(status, out)
		}
	}
	events, err := w.s.Events(t.Context(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, e := range events {
		if e.Kind == "rules" {
			said = append(said, string(e.Data))
		}
	}
	if got := strings.Join(said, " "); got != `{"added":"deny exec(make lint)"} {"removed":"deny exec(make lint)"}` {
		t.Errorf("%s", got)
	}
}

// What is under way while its token is revoked leaves neither a session nor a question.
func TestRevokedMeanwhile(t *testing.T) {
	w := newWorld(t, "")
	admin, err := w.g.holder(t.Context(), w.tokens["admin"])
	if err != nil {
		t.Fatal(err)
	}
	agent, err := w.g.holder(t.Context(), w.tokens["agent"])
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.g.NewToken(t.Context(), Token{Kind: Operator, Name: "bob", Role: Admin}); err != nil {
		t.Fatal(err) // the last administrator's token would stay
	}
	for _, p := range []Principal{admin, agent} { // both were known when their requests began
		if err := w.g.Revoke(t.Context(), p.ID, "ada"); err != nil {
			t.Fatal(err)
		}
	}
	s := session{Name: admin.Name, Role: admin.Role, Token: admin.ID, Expires: w.g.now().Add(sessionFor)}
	if _, err := w.g.newSession(t.Context(), sessionRecord, s, hashToken(w.tokens["admin"])); !errors.Is(err, ErrNoSession) {
		t.Errorf("a login: %v", err)
	}
	if list, err := w.s.Records(t.Context(), sessionRecord); err != nil || len(list) > 0 {
		t.Errorf("%d sessions, %v", len(list), err)
	}
	if _, err := w.g.Submit(t.Context(), agent, Submission{Category: approval.Exec, Action: "make lint"}); !errors.Is(err, errNobody) {
		t.Errorf("a question: %v", err)
	}
	for _, err := range []error{errNobody, ErrNoSession} { // the client is to blame, not the gateway
		if status, msg := Status(err); status != http.StatusUnauthorized || msg != err.Error() {
			t.Errorf("%d %s", status, msg)
		}
	}
	if status, msg := Status(approval.StaleError{Kind: ruleRecord}); status != http.StatusConflict || !strings.Contains(msg, "send it again") {
		t.Errorf("%d %s", status, msg)
	}
	if waiting, err := w.g.pending(t.Context()); err != nil || len(waiting) > 0 {
		t.Errorf("%d wait, %v", len(waiting), err)
	}
}

// A rule that denies and an approval at the same time: the approval is judged by the rule.
func TestApprovalMeetsNewRule(t *testing.T) {
	w := newWorld(t, "")
	id := w.ask("exec", "make lint", nil)["id"].(string)
	rule := Rule{Effect: "deny", Text: "exec(make lint)", By: "ada"}
	if err := w.g.nameRule(&rule); err != nil {
		t.Fatal(err)
	}
	under, release := make(chan struct{}), make(chan struct{})
	stored := make(chan error, 1)
	go func() {
		stored <- w.s.Transact(t.Context(), func(tx *store.Tx) error {
			put, err := w.g.ruleStep(tx, &rule)
			close(under)
			<-release // the approval is judged by what was
			if err != nil {
				return err
			}
			return put()
		})
	}()
	<-under
	type answer struct {
		status int
		out    map[string]any
	}
	got := make(chan answer, 1)
	go func() {
		status, out := w.call("approver", "POST", "/api/queue/"+id+"/approve", nil)
		got <- answer{status, out}
	}()
	select {
	case a := <-got:
		t.Fatalf("answered while the database writes: %v", a)
	case <-time.After(200 * time.Millisecond):
	}
	close(release)
	if err := <-stored; err != nil {
		t.Fatal(err)
	}
	if a := <-got; a.status != http.StatusConflict || !strings.Contains(fmt.Sprint(a.out), "denied by now") {
		t.Errorf("%v", a)
	}
	if r, err := w.s.Get(t.Context(), id); err != nil || r.State != approval.Denied {
		t.Errorf("%s, %v", r.State, err)
	}
}
