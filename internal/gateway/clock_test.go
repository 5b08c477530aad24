package gateway

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
)

// The clock jumps. What has an end is over after a jump forward, an answer that nobody waited for
// does not get a new life by a jump back, and the gateway goes on after either.
func TestClockJumps(t *testing.T) {
	begin := time.Now()
	var jump atomic.Int64
	w := newWorld(t, "", func(o *Options) { o.Now = func() time.Time { return begin.Add(time.Duration(jump.Load())) } })
	to := func(d time.Duration) { jump.Store(int64(d)) }
	secret, _, err := w.g.NewToken(t.Context(), Token{Kind: Agent, Name: "short", Expires: begin.Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	w.tokens["short"] = secret
	if _, err := w.g.AddRule(t.Context(), Rule{Effect: "allow", Text: "network(soon.example)", By: "ada", Expires: begin.Add(time.Hour)}); err != nil {
		t.Fatal(err)
	}
	code, err := w.g.NewLogin(t.Context(), Principal{Kind: Operator, Name: "ada", Role: Admin})
	if err != nil {
		t.Fatal(err)
	}
	opened, err := w.g.Login(t.Context(), code)
	if err != nil {
		t.Fatal(err)
	}
	unused, err := w.g.NewLogin(t.Context(), Principal{Kind: Operator, Name: "ada", Role: Admin})
	if err != nil {
		t.Fatal(err)
	}
	asked := func(who string) (int, any) {
		status, out := w.call(who, http.MethodPost, "/api/queue", map[string]any{"category": "network", "action": "CONNECT soon.example:443"})
		return status, out["status"]
	}
	for _, step := range []struct {
		name    string
		jump    time.Duration
		short   int // status for the token that ends
		state   any // of a request that the rule lets through while it holds
		session bool
	}{
		{"before the end", time.Hour - time.Second, http.StatusCreated, "approved", true},
		{"at the end", time.Hour, http.StatusUnauthorized, "pending", true},
		{"a day later", 24 * time.Hour, http.StatusUnauthorized, "pending", false},
	} {
		to(step.jump)
		if status, _ := asked("short"); status != step.short {
			t.Errorf("%s: the token gets %d, want %d", step.name, status, step.short)
		}
		if status, state := asked("agent"); status != http.StatusCreated || state != step.state {
			t.Errorf("%s: a request is %v (%d), want %v", step.name, state, status, step.state)
		}
		if _, err := w.g.Session(t.Context(), opened.Cookie); (err == nil) != step.session {
			t.Errorf("%s: the session that ends at %v: %v", step.name, opened.Expires, err)
		}
	}
	if _, err := w.g.Login(t.Context(), unused); !errors.Is(err, ErrNoSession) {
		t.Errorf("a link of yesterday: %v", err)
	}
	// What was seen past stays past: the clock is set back, and a new gateway begins on the store.
	eventually(t, func() (bool, string) {
		records, err := w.s.Records(t.Context(), ruleRecord)
		return err == nil && len(records) == 0, fmt.Sprintf("rules %v, %v", records, err)
	})
	to(0)
	again, err := New(t.Context(), w.g.options)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close(context.WithoutCancel(t.Context()), false) }()
	for _, g := range []*Gateway{w.g, again} {
		if p, err := g.holder(t.Context(), secret); !errors.Is(err, errNobody) {
			t.Errorf("the expired token is %+v, %v after the clock was set back", p, err)
		}
		if _, err := g.Session(t.Context(), opened.Cookie); !errors.Is(err, ErrNoSession) {
			t.Errorf("the session is good again after the clock was set back: %v", err)
		}
		if rules, err := g.Rules(t.Context()); err != nil || len(rules) > 0 || len(g.book.Load().rules) > 0 {
			t.Errorf("rules %v, %v hold again after the clock was set back", rules, err)
		}
	}
	to(-24 * time.Hour)
	id := w.ask("network", "CONNECT back.example:443", nil)["id"].(string)
	if status, out := w.call("approver", http.MethodPost, "/api/queue/"+id+"/approve", nil); status != http.StatusOK {
		t.Errorf("the clock was set back: %d %v", status, out)
	}
	for _, age := range []struct {
		age     time.Duration
		allowed bool
	}{{0, true}, {time.Minute, true}, {-time.Minute, true}, {grantFor, false}, {-grantFor, false}, {-24 * time.Hour, false}} {
		to(0)
		k := &gate{g: w.g, held: map[string]*question{}}
		r := approval.Request{ID: "x", State: approval.Approved, Resolved: begin.Add(-age.age)}
		if got := k.answered("k", &question{}, r, &NetworkPlan{Host: "back.example"}); got.Allowed != age.allowed {
			t.Errorf("an answer that is %v old: allowed %v, want %v", age.age, got.Allowed, age.allowed)
		}
	}
}
