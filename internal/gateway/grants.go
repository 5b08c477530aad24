package gateway

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/grant"
	"github.com/umpire-dev/umpire/policy"
)

// Choices are the rules that an answer to a request can store. Each is one text with one pattern
// per line.
type Choices struct {
	Allow   []string `json:"rules"` // narrowest first; each covers the complete request
	NoAllow string   `json:"why,omitempty"`
	// NotKept says why a rule of Allow lasts for a session at most.
	NotKept string   `json:"notAlways,omitempty"`
	Deny    []string `json:"deny"`
	// NeedsDeny means that the person must choose one of Deny: the request runs several programs,
	// and a rule that denies one of them also denies it in other requests.
	NeedsDeny bool `json:"chooseDeny,omitempty"`
}

// granted is what people answered for one session.
type granted struct {
	allow *grant.Session
	deny  *policy.Policy // nil if they denied nothing
}

// newGranted returns the granted for the stored rules of a session.
func newGranted(rules []Rule) (*granted, error) {
	var grants []grant.Grant
	var denials []policy.Rule
	for _, r := range rules {
		if r.Effect == umpire.Deny.String() {
			list, err := r.policy()
			if err != nil {
				return nil, err
			}
			denials = append(denials, list...)
			continue
		}
		g, err := r.grant()
		if err != nil {
			return nil, err
		}
		g.ID = storedRule + r.ID
		grants = append(grants, g)
	}
	out := &granted{}
	var err error
	if out.allow, err = grant.NewSession(grants...); err == nil && len(denials) > 0 {
		out.deny, err = policy.Compile(policy.Source{Default: umpire.Ask, Rules: denials})
	}
	return out, err
}

// has reports whether a decision is a person's answer for this session.
func (s *granted) has(d umpire.Decision) bool {
	return s != nil && len(d.Reasons) > 0 && d.Reasons[0].Text == grantedText
}

// grantedText is the reason of a decision that a person's answer for the session made.
const grantedText = "a person allowed it for this session"

// covers reports whether the answers for the session cover every operation that needs one, and
// returns the decision with their rule.
func (s *granted) covers(plan Plan, a *umpire.Action, ops []umpire.Operation, decide func([]umpire.Operation) umpire.Decision) (umpire.Decision, bool) {
	if s == nil {
		return umpire.Decision{}, false
	}
	id, ok := s.allow.Covers(a, ops, decide)
	if n, is := plan.(*NetworkPlan); ok && is && n.otherPort() { // a rule for a host covers its web server only, unless it names the port
		_, wide := s.allow.Covers(a, withoutPort(ops, n.Port), decide)
		ok = !wide
	}
	return umpire.Decision{Effect: umpire.Allow, Explicit: true, Reasons: []umpire.Reason{{Rule: id, Effect: umpire.Allow, Text: grantedText, Op: -1}}}, ok
}

// Choices returns the rules that an answer to a request can store.
func (g *Gateway) Choices(req *approval.Request) (c Choices, err error) {
	o, r, err := g.offer(req)
	if err != nil {
		return c, err
	}
	c.Allow = []string{}
	for i := range o.Choices {
		c.Allow = append(c.Allow, o.Choices[i].String())
	}
	c.NoAllow, c.NotKept = o.None, o.NotKept
	c.Deny, c.NeedsDeny = g.denials(r)
	return c, nil
}

// denials returns the deny rules that cover a request, and whether an answer must name one. It
// leaves out rules that cannot be stored.
func (g *Gateway) denials(r *grant.PendingCall) (list []string, choose bool) {
	all, sure := r.Denials()
	list = []string{}
	for _, text := range all {
		if g.checkRule(&Rule{Effect: "deny", Text: text}) == nil {
			list = append(list, text)
		}
	}
	return list, !sure
}

// offer returns what an answer to a request can cover.
func (g *Gateway) offer(req *approval.Request) (o grant.Offer, r *grant.PendingCall, err error) {
	plan, err := StoredPlan(req)
	if err != nil {
		return o, nil, err
	}
	d, ops, a := g.decide(plan, Principal{Kind: Agent, ID: req.Agent}, req.Session)
	r = &grant.PendingCall{Action: a, Operations: ops, Decision: d, Policy: g.current().policy, Passing: grant.Grave, Wider: wider(plan, a), Narrow: g.narrow(plan, a)}
	if s, ok := plan.(single); ok {
		if why := s.oneByOne(); why != "" {
			return grant.Offer{None: why, NotKept: why}, r, nil
		}
	}
	o = r.Offer()
	why := ""
	o.Choices = slices.DeleteFunc(o.Choices, func(c grant.Grant) bool {
		if err := g.checkRule(&Rule{Effect: "allow", Text: c.String(), Grant: &c}); err != nil {
			why = err.Error()
			return true
		}
		d, ok := g.would(req, plan, c)
		if !ok {
			for _, reason := range d.Reasons {
				if reason.Effect != umpire.Allow {
					why = reason.Text
				}
			}
		}
		return !ok
	})
	if len(o.Choices) == 0 && o.None == "" {
		why = cmp.Or(why, "no rule lets it through")
		o.None, o.NotKept = why, why
	}
	return o, r, nil
}

// would decides on a request as if a person had granted c for its session, and reports whether it
// passes.
func (g *Gateway) would(req *approval.Request, plan Plan, c grant.Grant) (umpire.Decision, bool) {
	s, err := grant.NewSession(c)
	if err != nil {
		return umpire.Decision{}, false
	}
	d, _, _ := g.decideWith(plan, Principal{Kind: Agent, ID: req.Agent}, req.Session, g.current().policy, &granted{allow: s})
	return d, d.Effect == umpire.Allow
}

// narrow returns a function that writes the narrowest pattern of an operation: paths relative to
// the project's root, and hosts without the parts that only an intercepted tunnel shows.
func (g *Gateway) narrow(plan Plan, a *umpire.Action) func(umpire.Operation) string {
	n, network := plan.(*NetworkPlan)
	_, call := plan.(*CallPlan)
	return func(op umpire.Operation) string {
		switch op.Kind {
		case umpire.Network:
			if network && (n.Scheme == "http" || n.Method != "CONNECT" && g.decidesInside(a, []umpire.Operation{op})) {
				return grant.Exact(op)
			}
			op.Resource = grant.Host(op.Resource)
		case umpire.Write, umpire.Delete:
			if rel, ok := strings.CutPrefix(op.Resource, g.root+"/"); ok && !call && plainStart(rel) {
				if p := grant.Exact(op); p != "" {
					return strings.Replace(p, g.root+"/", "", 1)
				}
			}
		}
		return grant.Exact(op)
	}
}

// plainStart reports whether a relative path has no special meaning at the beginning of a pattern.
func plainStart(rel string) bool {
	return rel != "" && (rel[0] == '.' || rel[0] >= '0' && rel[0] <= '9' || rel[0] >= 'A' && rel[0] <= 'Z' || rel[0] >= 'a' && rel[0] <= 'z')
}

// wider returns a function that lists wider patterns for an operation, which a person may choose:
// at most one registrable domain, one folder or one command.
func wider(plan Plan, a *umpire.Action) func(umpire.Operation) []string {
	n, network := plan.(*NetworkPlan)
	return func(op umpire.Operation) []string {
		switch op.Kind {
		case umpire.Network:
			at := grant.Host(op.Resource)
			host, port := at, ""
			if i := strings.LastIndexByte(at, ':'); i >= 0 && !strings.HasSuffix(at, "]") {
				host, port = at[:i], at[i:]
			}
			list := []string{"network(" + at + ")"}
			if !network || !n.otherPort() {
				port = ""
				list = append(list, "network("+host+")")
			}
			if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil && !strings.ContainsAny(host, ":[") {
				list = append(list, "network(*."+domain+port+")")
			}
			return list
		case umpire.Write, umpire.Delete:
			narrow := grant.Wider(a.Workspace)(op)
			return narrow[:min(1, len(narrow))]
		}
		return nil
	}
}

// ruleOf returns the rule that a person's answer stores: one from the offer or, for an
// administrator, one of their own that covers the request.
func (g *Gateway) ruleOf(req *approval.Request, p Principal, approve bool, scope approval.Scope, text string) (Rule, error) {
	o, r, err := g.offer(req)
	if err != nil {
		return Rule{}, err
	}
	text = ruleText(text)
	if !approve {
		list, choose := g.denials(r)
		switch {
		case text == "" && len(list) == 0:
			return Rule{}, bad("no rule can deny this request: deny it once")
		case text == "" && choose:
			return Rule{}, bad("a deny rule covers one operation: choose one of %s", strings.Join(list, ", "))
		case text == "":
			return Rule{Effect: "deny", Text: list[0]}, nil
		case slices.Contains(list, text):
		case !p.Role.May(Admin):
			return Rule{}, fault{http.StatusForbidden, "only administrators can write other rules: choose one of " + strings.Join(list, ", ")}
		case !grant.Denies(categoryRules(text), r.Action, r.Operations):
			return Rule{}, bad("the rule %s does not deny this request", text)
		}
		return Rule{Effect: "deny", Text: text}, nil
	}
	if o.None != "" {
		return Rule{}, bad("%s: answer it once", o.None)
	}
	if scope == approval.Always && o.NotKept != "" {
		return Rule{}, bad("%s: answer it once, or for the session", o.NotKept)
	}
	for i := range o.Choices {
		if c := &o.Choices[i]; text == "" || c.String() == text {
			return Rule{Effect: "allow", Text: c.String(), Grant: c}, nil
		}
	}
	if !p.Role.May(Admin) {
		return Rule{}, fault{http.StatusForbidden, "only administrators can write other rules: use a suggested one, such as " + o.Choices[0].String()}
	}
	own, err := grant.Parse(categoryRules(text))
	if err != nil {
		return Rule{}, bad("%v", err)
	}
	own.Tainted, own.Operations, own.Input = o.Choices[0].Tainted, o.Choices[0].Operations, o.Choices[0].Input
	// would checks the decision; Covers checks that the patterns themselves match the operations,
	// because the grant also has the operations of the offer.
	if plan, err := StoredPlan(req); err != nil {
		return Rule{}, err
	} else if _, ok := g.would(req, plan, own); !ok || !own.Covers(r.Action, r.Operations) {
		return Rule{}, bad("the rule does not cover this request: the narrowest that does is %s", o.Choices[0].String())
	}
	rule := Rule{Effect: "allow", Text: text}
	if len(own.Operations) > 0 && scope == approval.Session {
		rule.Grant = &own
	}
	return rule, nil
}

// ruleText returns the canonical text of a rule: one pattern per line, without duplicates.
func ruleText(s string) string {
	var out []string
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" && !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// categoryRules replaces the name of a category by the pattern for all of it.
func categoryRules(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if slices.Contains(approval.Categories(), approval.Category(l)) {
			lines[i] = l + "(*)"
		}
	}
	return strings.Join(lines, "\n")
}

func (g *Gateway) suggestRule(_ http.ResponseWriter, r *http.Request, _ Principal) (int, any, error) {
	req, err := g.store.Get(r.Context(), r.PathValue("id"))
	if err != nil {
		return 0, nil, err
	}
	c, err := g.Choices(&req)
	first := ""
	if len(c.Allow) > 0 {
		first = c.Allow[0]
	}
	return http.StatusOK, struct {
		Rule string `json:"rule"` // the narrowest
		Choices
	}{first, c}, err
}
