package gateway

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
)

// TestSessions: an administrator ends anybody's browser, others only their own.
func TestSessions(t *testing.T) {
	w := newWorld(t, "")
	login := func(who string) string {
		t.Helper()
		_, out := w.call(who, "POST", "/api/login", nil)
		opened, err := w.g.Login(t.Context(), out["path"].(string)[len("/login?code="):])
		if err != nil {
			t.Fatal(err)
		}
		return opened.Cookie
	}
	ann, vic := login("approver"), login("viewer")
	for who, want := range map[string]int{"admin": 2, "approver": 1, "viewer": 1} {
		if _, out := w.call(who, "GET", "/api/sessions", nil); len(out["sessions"].([]any)) != want {
			t.Errorf("%s sees %v", who, out)
		}
	}
	for _, tt := range []struct {
		who, secret string
		status      int
	}{{"agent", ann, 404}, {"viewer", ann, 404}, {"admin", ann, 200}, {"admin", ann, 404}, {"viewer", vic, 200}} {
		if status, out := w.call(tt.who, "DELETE", "/api/sessions/"+BrowserID(tt.secret), nil); status != tt.status {
			t.Errorf("%s: %d %v", tt.who, status, out)
		}
	}
	for _, secret := range []string{ann, vic} {
		if _, err := w.g.Session(t.Context(), secret); err == nil {
			t.Error("a session that was ended goes on")
		}
	}
}

// Two names that look the same would hide who asked, and who answered.
func TestNamesOfTokens(t *testing.T) {
	w := newWorld(t, "")
	for _, name := range []string{"", " ", "ada ", " ada", "ada\t", "a\u200bda", "ada\u00a0"} {
		if status, out := w.call("admin", "POST", "/api/tokens", map[string]any{"kind": "operator", "role": "viewer", "name": name}); status != http.StatusBadRequest {
			t.Errorf("%q is taken: %d %v", name, status, out)
		}
	}
	if status, out := w.call("admin", "POST", "/api/tokens", map[string]any{"kind": "agent", "name": "Ada L. (laptop)"}); status != http.StatusCreated {
		t.Error(status, out)
	}
}

// A token is of a known kind, and only an operator's has a role, which is a known one.
func TestKindsOfTokens(t *testing.T) {
	w := newWorld(t, "")
	for _, c := range []struct{ kind, role, want string }{
		{"operator", "viewer", ""}, {"operator", "approver", ""}, {"operator", "admin", ""}, {"agent", "", ""},
		{"operator", "", "unknown role"}, {"operator", "root", "unknown role"}, {"operator", "Admin", "unknown role"},
		{"agent", "viewer", "an agent has no role"}, {"agent", "admin", "an agent has no role"}, {"agent", "root", "an agent has no role"},
		{"", "admin", "unknown kind"}, {"person", "admin", "unknown kind"}, {"Operator", "admin", "unknown kind"},
	} {
		_, made, err := w.g.NewToken(t.Context(), Token{Kind: CredentialKind(c.kind), Role: Role(c.role), Name: "n" + c.kind + c.role})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q with the role %q: got %+v, %v, want %q", c.kind, c.role, made, err, c.want)
		}
	}
}

// Without an administrator nobody could make a token, and the gateway would not start again.
func TestLastAdministrator(t *testing.T) {
	w := newWorld(t, "")
	id := func(name string) string {
		tokens := must(w.g.Tokens(t.Context()))
		return tokens[slices.IndexFunc(tokens, func(tok Token) bool { return tok.Name == name })].ID
	}
	if status, out := w.call("admin", "DELETE", "/api/tokens/"+id("ada"), nil); status != http.StatusConflict || !strings.Contains(fmt.Sprint(out), "last administrator") {
		t.Errorf("the only one: %d %v, want it refused", status, out)
	}
	for _, tok := range []Token{{Name: "old", Expires: time.Now().Add(-time.Hour)}, {Name: "bob"}} {
		tok.Kind, tok.Role = Operator, Admin
		if _, _, err := w.g.NewToken(t.Context(), tok); err != nil {
			t.Fatal(err)
		}
		want := http.StatusOK
		if tok.Name == "old" {
			want = http.StatusConflict
		}
		if status, out := w.call("admin", "DELETE", "/api/tokens/"+id("ada"), nil); status != want {
			t.Errorf("beside %s: %d %v, want %d", tok.Name, status, out, want)
		}
	}
}

// A second token of a name is made, and its maker is told of the first.
func TestTokensOfOneName(t *testing.T) {
	w := newWorld(t, "")
	add := func(kind, name string) (id string, others []any) {
		_, out := w.call("admin", "POST", "/api/tokens", map[string]any{"kind": kind, "name": name, "role": map[string]string{"operator": "viewer"}[kind]})
		return out["about"].(map[string]any)["id"].(string), out["sameName"].([]any)
	}
	first, others := add("agent", "twin")
	if len(others) != 0 {
		t.Errorf("the first token: others %v, want none", others)
	}
	second, others := add("agent", "twin")
	if len(others) != 1 || others[0] != first {
		t.Errorf("the second token: others %v, want %s", others, first)
	}
	if _, others = add("operator", "twin"); len(others) != 0 {
		t.Errorf("a person of that name: others %v, want none", others)
	}
	w.call("admin", "DELETE", "/api/tokens/"+first, nil)
	if _, others = add("agent", "twin"); len(others) != 1 || others[0] != second {
		t.Errorf("after a revocation: others %v, want %s", others, second)
	}
}

// A token with a lease ends soon after its last renewal. A renewal brings it back, because the
// machine of its holder may have slept, but not if it was revoked. Its questions outlive the lease.
func TestLeaseOfToken(t *testing.T) {
	var skew atomic.Int64
	w := newWorld(t, "", func(o *Options) { o.Now = func() time.Time { return time.Now().Add(time.Duration(skew.Load())) } })
	_, out := w.call("admin", "POST", "/api/tokens", map[string]any{"kind": "agent", "name": "run", "lease": 60_000})
	id := out["about"].(map[string]any)["id"].(string)
	w.tokens["run"] = out["token"].(string)
	renew := func(want int) {
		t.Helper()
		if status, out := w.call("admin", "POST", "/api/tokens/"+id+"/renew", nil); status != want {
			t.Errorf("a renewal: got %d %v, want %d", status, out, want)
		}
	}
	works := func(want int) {
		t.Helper()
		if status, out := w.call("run", "GET", "/api/queue", nil); status != want {
			t.Errorf("after %v: got %d %v, want %d", time.Duration(skew.Load()), status, out, want)
		}
	}
	works(http.StatusOK)
	if _, out := w.call("run", "POST", "/api/queue", map[string]any{"category": "network", "action": "CONNECT new.example:443"}); out["expiresAt"].(float64) < float64(time.Now().Add(10*time.Minute).UnixMilli()) {
		t.Errorf("a question ends with the lease: %v", out)
	}
	skew.Store(int64(50 * time.Second))
	renew(http.StatusOK)
	skew.Store(int64(100 * time.Second))
	works(http.StatusOK)
	skew.Store(int64(200 * time.Second)) // at once, as after the sleep of the machine
	works(http.StatusServiceUnavailable)
	renew(http.StatusOK)
	works(http.StatusOK)
	if status, out := w.call("run", "POST", "/api/tokens/"+id+"/renew", nil); status != http.StatusNotFound {
		t.Errorf("an agent renews its own token: got %d %v, want 404", status, out)
	}
	if err := w.g.endToken(t.Context(), hashToken(w.tokens["run"]), "ada", "ended"); err != nil { // a revocation that got no further
		t.Fatal(err)
	}
	renew(http.StatusConflict)
	works(http.StatusUnauthorized)
	_, out = w.call("admin", "POST", "/api/tokens", map[string]any{"kind": "agent", "name": "late", "lease": 60_000})
	late := out["about"].(map[string]any)["id"].(string)
	hash := hashToken(out["token"].(string))
	skew.Store(int64(300 * time.Second))
	for _, why := range []string{"expired", "ended"} { // revoked after it expired
		if err := w.g.endToken(t.Context(), hash, "ada", why); err != nil {
			t.Fatal(err)
		}
	}
	if status, out := w.call("admin", "POST", "/api/tokens/"+late+"/renew", nil); status != http.StatusConflict {
		t.Errorf("a renewal of one that is being revoked: got %d %v, want 409", status, out)
	}
	if err := w.g.Revoke(t.Context(), id, "ada"); err != nil {
		t.Fatal(err)
	}
	renew(http.StatusNotFound)
	for _, body := range []object{{"lease": 1000, "expiresIn": 1000}, {"lease": maxExpiry.Milliseconds() + 1}} {
		body["kind"], body["name"] = "agent", "x"
		if status, out := w.call("admin", "POST", "/api/tokens", body); status != http.StatusBadRequest {
			t.Errorf("%v: got %d %v, want 400", body, status, out)
		}
	}
}

// A call that waits while the machine sleeps goes on after it, and others are told to try again, until
// the holder of the lease had time to renew it.
func TestWaitOutlivesSleep(t *testing.T) {
	var skew atomic.Int64
	w := newWorld(t, "", func(o *Options) { o.Now = func() time.Time { return time.Now().Add(time.Duration(skew.Load())) } })
	_, out := w.call("admin", "POST", "/api/tokens", map[string]any{"kind": "agent", "name": "run", "lease": 60_000})
	id := out["about"].(map[string]any)["id"].(string)
	w.tokens["run"] = out["token"].(string)
	_, req := w.call("run", "POST", "/api/queue", map[string]any{"category": "network", "action": "CONNECT a.example:443"})
	type reply struct {
		status int
		out    map[string]any
	}
	answered := make(chan reply, 1)
	go func() {
		status, out := w.call("run", "GET", fmt.Sprintf("/api/queue/%s?wait=50s", req["id"]), nil)
		answered <- reply{status, out}
	}()
	eventually(t, func() (bool, string) {
		w.g.channels.mu.Lock()
		defer w.g.channels.mu.Unlock()
		return len(w.g.channels.open) == 1, "it does not wait"
	})
	skew.Store(int64(5 * time.Minute))
	if status, out := w.call("run", "GET", "/api/queue", nil); status != http.StatusServiceUnavailable {
		t.Errorf("a call right after the sleep: got %d %v, want 503", status, out)
	}
	w.g.endChannels(t.Context()) // as it comes by itself
	if status, out := w.call("admin", "POST", "/api/tokens/"+id+"/renew", nil); status != http.StatusOK {
		t.Fatal(status, out)
	}
	w.call("approver", "POST", fmt.Sprintf("/api/queue/%s/approve", req["id"]), nil)
	if got := <-answered; got.status != http.StatusOK || got.out["status"] != "approved" {
		t.Errorf("the call that waited: got %d %v, want the approval", got.status, got.out)
	}
}

// After a gap, such as the sleep of the machine, the holder of a lease has time to renew it before
// its questions are cancelled.
func TestLateRenewal(t *testing.T) {
	var skew atomic.Int64
	w := newWorld(t, "", func(o *Options) { o.Now = func() time.Time { return time.Now().Add(time.Duration(skew.Load())) } })
	secret, about, err := w.g.NewToken(t.Context(), Token{Kind: Agent, Name: "run", Lease: 60_000, Expires: time.Now().Add(time.Minute)})
	if err != nil {
		t.Fatal(err)
	}
	asked := must(w.g.Submit(t.Context(), must(w.g.holder(t.Context(), secret)), Submission{Category: approval.Network, Action: "CONNECT a.example:443"})).ID
	var e endings
	after := func(d time.Duration) approval.Request {
		t.Helper()
		skew.Add(int64(d))
		if err := e.sweep(t.Context(), w.g); err != nil {
			t.Fatal(err)
		}
		return must(w.s.Get(t.Context(), asked))
	}
	after(0)
	if r := after(5 * time.Minute); r.State != approval.Pending {
		t.Fatalf("right after a gap: %s, %s", r.State, r.Note)
	}
	if status, out := w.call("admin", "POST", "/api/tokens/"+about.ID+"/renew", nil); status != http.StatusOK {
		t.Fatal(status, out)
	}
	for range 6 { // 54 seconds
		if r := after(9 * time.Second); r.State != approval.Pending {
			t.Fatalf("renewed: %s, %s", r.State, r.Note)
		}
	}
	if r := after(9 * time.Second); r.State != approval.Pending {
		t.Fatalf("63 seconds after the gap: %s, %s", r.State, r.Note)
	}
	for range 4 {
		after(9 * time.Second)
	}
	if r := must(w.s.Get(t.Context(), asked)); r.State != approval.Cancelled || !strings.Contains(r.Note, "lease") {
		t.Errorf("99 seconds after the gap: %s, %q", r.State, r.Note)
	}
}

// A gateway proves that it knows a token only for a whole ID and a nonce that nobody has used.
func TestProofNeedsItsLengths(t *testing.T) {
	w := newWorld(t, "")
	id := ProofID(w.tokens["admin"])
	for _, c := range []struct {
		id    string
		nonce int
		want  int
	}{{id, 16, 200}, {id, 200, 200}, {strings.Repeat("0", 12), 16, 200}, {id, 15, 400}, {id, 201, 400}, {id, 0, 400}, {id[:11], 16, 400}, {id + "0", 16, 400}, {"", 16, 400}} {
		if status, out := w.text("agent", ProofPath+"?token="+c.id+"&nonce="+strings.Repeat("n", c.nonce)); status != c.want {
			t.Errorf("token %q with a nonce of %d bytes: %d %s, want %d", c.id, c.nonce, status, out, c.want)
		}
	}
}
