package gateway

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/umpire-dev/umpire/internal/approval"
)

// A rule is tried on what was asked before: what it would have settled by itself counts, and
// nothing is stored.
func TestTestRule(t *testing.T) {
	w := newWorld(t, "")
	for i := range 3 {
		w.ask("network", fmt.Sprintf("CONNECT h%d.example.com:443", i), nil)
	}
	w.ask("network", "CONNECT h.example.com:8443", nil) // a rule for a host is one for its web server
	w.ask("network", "CONNECT example.org:443", nil)
	w.ask("git", "push main", nil)
	w.ask("exec", "make lint && make test", nil)
	id := w.ask("exec", "make lint", nil)["id"].(string)
	if status, out := w.call("admin", "POST", "/api/queue/"+id+"/deny", nil); status != http.StatusOK {
		t.Fatal(status, out)
	}
	for _, c := range []struct {
		effect, rule string
		want         int
	}{
		{"allow", "network(*.example.com)", 3}, {"deny", "network(*.example.com)", 4}, {"allow", "network(example.net)", 0},
		{"allow", "git(main)", 1}, {"allow", "exec(make lint)", 1}, {"deny", "exec(make lint)", 2}, {"allow", "exec(make lint)\nexec(make test)", 2},
	} {
		got, err := w.g.TestRule(t.Context(), Rule{Effect: c.effect, Text: c.rule})
		if err != nil || got.Of != 8 || got.Matched != c.want || len(got.Examples) != min(c.want, testExamples) || got.Skipped != 0 {
			t.Errorf("%s %s: %+v %v", c.effect, c.rule, got, err)
		}
		if c.rule == "exec(make lint)" && got.Became[approval.Denied] != 1 {
			t.Errorf("%s: nothing says that a person denied it: %v", c.rule, got.Became)
		}
	}
	for _, rule := range []string{"exec(*)", "netwrok(x)", "network(exa mple)", ""} {
		if _, err := w.g.TestRule(t.Context(), Rule{Effect: "allow", Text: rule}); err == nil {
			t.Errorf("%q is tried, and could not be stored", rule)
		}
	}
	if rules, err := w.g.Rules(t.Context()); err != nil || len(rules) != 0 {
		t.Errorf("a test stored %v %v", rules, err)
	}
}

// People see which file or pack each rule comes from, and what is wrong with the files.
func TestPolicyView(t *testing.T) {
	w := newWorld(t, "rules:\n  - id: mine\n    deny: exec(make deploy)\n    reason: deploys are made by the pipeline\n")
	v := w.g.PolicyView()
	if v.Fault != "" || len(v.Layers) < 2 || v.Layers[0].Name != w.policy || v.Layers[0].Layer != "user" || len(v.Layers[0].Rules) != 1 {
		t.Fatalf("%+v", v)
	}
	if r := v.Layers[0].Rules[0]; r.ID != "mine" || r.Effect != "deny" || len(r.Patterns) != 1 || r.Patterns[0] != "exec(make deploy)" {
		t.Errorf("%+v", r)
	}
	if v.Layers[1].Layer != "builtin" || len(v.Layers[1].Rules) == 0 {
		t.Errorf("%+v", v.Layers[1])
	}
	w.write("rules: 3\n")
	if v = w.g.PolicyView(); v.Fault == "" || len(v.Layers[0].Rules) != 1 {
		t.Errorf("a fault in the file: %q, %+v", v.Fault, v.Layers[0])
	}
}

// The test of a rule has a route, for every operator and for no agent.
func TestRuleTestRoute(t *testing.T) {
	w := newWorld(t, "")
	w.ask("network", "CONNECT a.example.com:443", nil)
	w.ask("network", "CONNECT example.org:443", nil)
	in := map[string]any{"type": "allow", "rule": "network(*.example.com)"}
	status, out := w.call("viewer", "POST", "/api/rules/test", in)
	examples, _ := out["examples"].([]any)
	if status != http.StatusOK || out["of"] != 2.0 || out["matched"] != 1.0 || out["outcomes"].(map[string]any)["pending"] != 1.0 || len(examples) != 1 || examples[0].(map[string]any)["action"] != "CONNECT a.example.com:443" {
		t.Errorf("%d %v", status, out)
	}
	if status, _ := w.call("agent", "POST", "/api/rules/test", in); status != http.StatusNotFound {
		t.Errorf("an agent tests rules: %d", status)
	}
	if status, out := w.call("viewer", "POST", "/api/rules/test", map[string]any{"type": "allow", "rule": "netwrok(x)"}); status != http.StatusBadRequest {
		t.Errorf("%d %v", status, out)
	}
}
