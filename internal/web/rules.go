package web

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/gateway"
)

type rulesData struct {
	Groups     []ruleGroup
	Of         int // number of requests in which uses were counted
	Categories []approval.Category
	Ends       []ruleEnd
	Test       *ruleTest
	Check      check
}

// ruleGroup is a list of stored rules: those of one category, or those of sessions.
type ruleGroup struct {
	Name  string
	Rules []ruleRow
}

type ruleRow struct {
	gateway.Rule
	Use     ruleUse
	Proxied int    // number of uses by the proxy
	Who     string // agent of the session that it is limited to
}

// ruleEnd is a choice for the lifetime of a new rule.
type ruleEnd struct {
	Value, Name string
	For         time.Duration
}

var ruleEnds = []ruleEnd{{"", "never", 0}, {"1h", "1 hour", time.Hour}, {"8h", "8 hours", 8 * time.Hour}, {"24h", "1 day", 24 * time.Hour}, {"168h", "7 days", 7 * 24 * time.Hour}, {"720h", "30 days", 30 * 24 * time.Hour}}

// ruleTest is the result of a rule on earlier requests.
type ruleTest struct {
	Effect, Rule, End string
	Stored            bool
	Problem           string
	gateway.Tested
	Names map[string]string
}

// Would returns the effect of the rule as a participle.
func (t *ruleTest) Would() string {
	if t.Effect == "deny" {
		return "denied"
	}
	return "allowed"
}

type check struct {
	Text            string
	Category        approval.Category
	Effect, Title   string
	Reasons         []reason
	Problem, Ending string
}

func (p *Pages) rules(w http.ResponseWriter, r *http.Request, v *visit) error {
	q := r.URL.Query()
	var test *ruleTest
	if id := q.Get("test"); id != "" {
		rules, err := p.g.Rules(r.Context())
		if err != nil {
			return err
		}
		i := slices.IndexFunc(rules, func(r gateway.Rule) bool { return r.ID == id })
		if i < 0 {
			return problem{http.StatusNotFound, "there is no such rule"}
		}
		if test, err = p.try(r, rules[i]); err != nil {
			return err
		}
		test.Stored = true
	}
	return p.showRules(w, r, v, test)
}

func (p *Pages) showRules(w http.ResponseWriter, r *http.Request, v *visit, test *ruleTest) error {
	q := r.URL.Query()
	d := rulesData{Categories: approval.Categories(), Ends: ruleEnds, Test: test}
	rules, err := p.g.Rules(r.Context())
	if err != nil {
		return err
	}
	names, err := p.g.AgentNames(r.Context())
	if err != nil {
		return err
	}
	recent, _, err := p.s.Recent(r.Context(), factRequests, factSize)
	if err != nil {
		return err
	}
	d.Of = len(recent)
	d.Groups = groupRules(rules, ruleUses(recent), p.g.ProxyUses(), names)
	if d.Check.Category = approval.Category(q.Get("category")); q.Get("try") != "" {
		d.Check.Text = q.Get("try")
		p.check(v, &d.Check)
	}
	return p.page(w, r, v, "rules.html", "Rules", &d)
}

// groupRules groups stored rules by category, newest first, and puts those of sessions last.
func groupRules(rules []gateway.Rule, uses map[string]*ruleUse, proxied map[string]gateway.RuleUse, names map[string]string) (out []ruleGroup) {
	for _, c := range approval.Categories() {
		out = append(out, ruleGroup{Name: string(c)})
	}
	out = append(out, ruleGroup{Name: "other"}, ruleGroup{Name: "in sessions"})
	slices.SortFunc(rules, func(a, b gateway.Rule) int { return b.Created.Compare(a.Created) })
	for _, rule := range rules {
		name := gateway.RuleCategory(rule.Text)
		switch {
		case rule.Session != "":
			name = "in sessions"
		case name == "":
			name = "other"
		}
		one := ruleRow{Rule: rule, Who: names[rule.Agent]}
		if u := uses["stored-"+rule.ID]; u != nil {
			one.Use = *u
		}
		if u := proxied[rule.ID]; u.N > 0 {
			one.Proxied = u.N
			if u.Last.After(one.Use.Last) {
				one.Use.Last = u.Last
			}
		}
		i := slices.IndexFunc(out, func(g ruleGroup) bool { return g.Name == name })
		out[i].Rules = append(out[i].Rules, one)
	}
	return slices.DeleteFunc(out, func(g ruleGroup) bool { return len(g.Rules) == 0 })
}

// try tests a rule. If the rule cannot be stored, it returns the reason in the result, not an
// error.
func (p *Pages) try(r *http.Request, rule gateway.Rule) (*ruleTest, error) {
	t := &ruleTest{Effect: rule.Effect, Rule: rule.Text}
	leave, err := p.acquireHeavy(r.Context())
	if err != nil {
		return nil, err
	}
	defer leave()
	if t.Tested, err = p.g.TestRule(r.Context(), rule); err != nil {
		status, msg := gateway.Status(err)
		if status != http.StatusBadRequest {
			return nil, err
		}
		t.Problem = msg
	}
	t.Names, err = p.g.AgentNames(r.Context())
	return t, err
}

// check decides on the text that a person typed.
func (p *Pages) check(v *visit, c *check) {
	if c.Category == approval.Packages && len(strings.Fields(c.Text)) < 3 {
		c.Problem = "write a package manager's words, such as npm install left-pad"
		return
	}
	dec, title, err := p.g.Check(v.Principal, submission(c.Category, c.Text))
	if err != nil {
		_, c.Problem = gateway.Status(err)
		return
	}
	c.Effect, c.Title = dec.Effect.String(), title
	for _, one := range dec.Reasons {
		c.Reasons = append(c.Reasons, reason{one.Rule, one.Effect.String(), one.Text})
	}
}

// submission returns the request that an agent would make for a line that a person typed.
func submission(c approval.Category, text string) gateway.Submission {
	s := gateway.Submission{Category: c, Action: text}
	var meta map[string]any
	switch c {
	case approval.Network:
		if !strings.Contains(text, " ") { // a host or an address
			if s.Action = "GET " + text; !strings.Contains(text, "://") {
				s.Action = "CONNECT " + text
				if !strings.Contains(text, ":") {
					s.Action += ":443"
				}
			}
		}
	case approval.Filesystem:
		meta = map[string]any{"toolName": "Write", "targetFile": text, "writeContent": ""}
	case approval.Git:
		if !strings.HasPrefix(text, "push ") {
			s.Action = "push " + text
		}
	case approval.Packages:
		if words := strings.Fields(text); len(words) > 2 {
			meta = map[string]any{"manager": words[0], "action": words[1], "packages": words[2:]}
		}
	}
	if meta != nil {
		s.Metadata, _ = json.Marshal(meta) // strings always marshal
	}
	return s
}

func ruleOf(r *http.Request, v *visit, now time.Time) (gateway.Rule, error) {
	rule := gateway.Rule{Effect: r.PostForm.Get("type"), Text: strings.TrimSpace(r.PostForm.Get("rule")), By: v.Name}
	end := r.PostForm.Get("end")
	i := slices.IndexFunc(ruleEnds, func(e ruleEnd) bool { return e.Value == end })
	if i < 0 {
		return rule, problem{http.StatusBadRequest, "the form has no valid end for the rule"}
	}
	if ruleEnds[i].For > 0 {
		rule.Expires = now.Add(ruleEnds[i].For)
	}
	return rule, nil
}

// testRule tests a rule that is not stored.
func (p *Pages) testRule(w http.ResponseWriter, r *http.Request, v *visit) error {
	rule, err := ruleOf(r, v, p.now())
	if err != nil {
		return err
	}
	t, err := p.try(r, rule)
	if err != nil {
		return err
	}
	t.End, v.Path = r.PostForm.Get("end"), "/rules"
	return p.showRules(w, r, v, t)
}

func (p *Pages) addRule(w http.ResponseWriter, r *http.Request, v *visit) error {
	rule, err := ruleOf(r, v, p.now())
	if err != nil {
		return err
	}
	if _, err := p.g.AddRule(r.Context(), rule); err != nil {
		return err
	}
	done(w, r, "added", "/rules")
	return nil
}

func (p *Pages) removeRule(w http.ResponseWriter, r *http.Request, v *visit) error {
	if _, err := p.g.RemoveRule(r.Context(), r.PostForm.Get("type"), r.PostForm.Get("rule"), v.Name); err != nil {
		return err
	}
	done(w, r, "removed", "/rules")
	return nil
}
