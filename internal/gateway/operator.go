package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/jsonfault"
	"github.com/umpire-dev/umpire/internal/store"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Limits of the requests that one page of the queue shows: the default, and the maximum.
const (
	pendingShown = 200
	pendingMost  = 1000
)

func (g *Gateway) getQueue(_ http.ResponseWriter, r *http.Request, _ Principal) (int, any, error) {
	numbers := map[string]int{"limit": pendingShown, "skip": 0}
	for name, most := range map[string]int{"limit": pendingMost, "skip": 1 << 30} {
		if text := r.URL.Query().Get(name); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 || n > most || n == 0 && name == "limit" {
				return 0, nil, bad("%s must be a number up to %d", name, most)
			}
			numbers[name] = n
		}
	}
	pending, err := g.store.List(r.Context(), approval.Filter{States: []approval.State{approval.Pending}, Fair: true, Limit: numbers["limit"], Skip: numbers["skip"]})
	if err != nil {
		return 0, nil, err
	}
	waiting, err := g.store.CountWaiting(r.Context())
	if err != nil {
		return 0, nil, err
	}
	recent, err := g.store.List(r.Context(), approval.Filter{Limit: 50})
	if err != nil {
		return 0, nil, err
	}
	shown, err := g.forPeople(r.Context(), slices.Concat(pending, recent)...)
	if err != nil {
		return 0, nil, err
	}
	out := map[string]any{"pending": shown[:len(pending)], "recent": shown[len(pending):], "waiting": waiting}
	if n := len(pending); n > 0 && n == numbers["limit"] {
		out["next"] = numbers["skip"] + n
	}
	return http.StatusOK, out, nil
}

func (g *Gateway) pending(ctx context.Context) ([]approval.Request, error) {
	return g.store.List(ctx, approval.Filter{States: []approval.State{approval.Pending}, Oldest: true, Limit: 10_000})
}

func (g *Gateway) getRequest(_ http.ResponseWriter, r *http.Request, _ Principal) (int, any, error) {
	req, err := g.store.Get(r.Context(), r.PathValue("id"))
	if err != nil {
		return 0, nil, err
	}
	shown, err := g.forPeople(r.Context(), req)
	return http.StatusOK, shown[0], err
}

// Reply holds the options of a person's answer. An answer with a digest applies only to the
// request with that digest.
type Reply struct {
	ResolvedBy  string         `json:"resolvedBy"` // where the person answered, for display: cli or web
	Digest      string         `json:"digest"`
	AlwaysAllow bool           `json:"alwaysAllow"`
	AlwaysDeny  bool           `json:"alwaysDeny"`
	Scope       approval.Scope `json:"scope"`
	Rule        string         `json:"rule"` // the rule to store, instead of the suggested one
	Note        string         `json:"note"`
}

// sentReply is a Reply as programs send it. A reply without a digest is for the request's ID, whose
// content never changes. A reply with an empty one comes from a script that failed to read it.
type sentReply struct {
	Reply
	Digest json.RawMessage `json:"digest"` // in place of that of Reply
}

func (s *sentReply) reply() (Reply, error) {
	if s.Digest != nil && (json.Unmarshal(s.Digest, &s.Reply.Digest) != nil || s.Reply.Digest == "") {
		return Reply{}, bad("digest must be the digest that you saw, as text")
	}
	return s.Reply, nil
}

func (g *Gateway) answer(approve bool) handler {
	return func(w http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
		var in sentReply
		if err := read(w, r, &in, true); err != nil {
			return 0, nil, err
		}
		reply, err := in.reply()
		if err != nil {
			return 0, nil, err
		}
		ok, err := g.Answer(r.Context(), p, r.PathValue("id"), approve, reply)
		var f fault
		switch {
		case errors.As(err, &f) && f.status == http.StatusConflict:
			return f.status, map[string]any{"ok": false, "error": f.msg}, nil
		case errors.Is(err, approval.ErrChanged), errors.Is(err, approval.ErrDuplicate):
			return http.StatusConflict, map[string]any{"ok": false, "error": err.Error()}, nil
		}
		out := map[string]any{"ok": ok}
		if err == nil && !ok {
			out["error"], err = g.whyNot(r.Context(), r.PathValue("id"))
		}
		return http.StatusOK, out, err
	}
}

// whyNot returns why Answer reported that it answered nothing.
func (g *Gateway) whyNot(ctx context.Context, id string) (string, error) {
	req, err := g.store.Get(ctx, id)
	if errors.Is(err, approval.ErrNone) {
		return err.Error(), nil
	}
	why := "the request is already settled: " + string(req.State)
	if by := cmp.Or(req.Operator, req.ResolvedBy); by != "" {
		why += " by " + by
	}
	return why, err
}

// Answer settles a request with a person's answer. With the scopes Session and Always, it also
// stores a rule and settles the pending requests that the rule covers. ok is false if the request
// does not exist or is settled already.
func (g *Gateway) Answer(ctx context.Context, p Principal, id string, approve bool, in Reply) (ok bool, err error) {
	if approve && in.AlwaysAllow || !approve && in.AlwaysDeny {
		in.Scope = approval.Always
	}
	for range maxMoved {
		if ok, err = g.answerNow(ctx, p, id, approve, in); !errors.Is(err, errMoved) {
			break
		}
	}
	return ok, err
}

// errMoved means that the rules changed after a request was judged and before its answer was
// stored.
var errMoved = fault{http.StatusConflict, "the rules just changed: review the request again"}

// maxMoved is how many times an answer is tried while the rules change.
const maxMoved = 5

// answerNow answers by the current rules. It returns errMoved if they change before the answer is
// stored.
func (g *Gateway) answerNow(ctx context.Context, p Principal, id string, approve bool, in Reply) (ok bool, err error) {
	at, err := g.judgeAt(ctx)
	if err != nil {
		return false, err
	}
	req, err := g.store.Get(ctx, id)
	if errors.Is(err, approval.ErrNone) || err == nil && req.State.Final() { // a rule for it could only fail
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if len(in.Note) > approval.MaxText || len(in.Rule) > approval.MaxText {
		return false, bad("the note or the rule is longer than %d bytes", approval.MaxText)
	}
	a := approval.Answer{ID: req.ID, Digest: cmp.Or(in.Digest, req.Digest), Approve: approve, By: personal(in.ResolvedBy), Operator: p.Name, Person: p.Person, Scope: in.Scope, Note: in.Note}
	if approve && req.Category == approval.Sandbox && !p.Role.May(Admin) {
		return false, needsRole(Admin) // only an administrator may change settings
	}
	// Check first whether the request may still be approved: otherwise it ends here, and no rule is
	// made.
	if approve {
		if err := g.fits(ctx, &req); err != nil {
			return false, err
		}
	}
	rule, err := g.scopeRule(&req, p, approve, in)
	if err != nil {
		return false, err
	}
	a.Rule = rule.Text
	a.Scope = cmp.Or(a.Scope, approval.Once)
	rule.By, rule.From = p.Name, req.ID
	if in.Scope == approval.Session {
		rule.Session, rule.Agent = req.Session, req.Agent
	}
	req, err = g.storeAnswer(ctx, a, &rule, at)
	if errors.Is(err, approval.ErrSettled) || errors.Is(err, approval.ErrNone) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if !req.State.Final() {
		return true, nil // one of several votes
	}
	g.metrics.answers.WithLabelValues(string(req.Category), string(req.State)).Inc()
	g.metrics.waited.Observe(req.Resolved.Sub(req.Created).Seconds())
	if a.Rule == "" {
		return true, nil
	}
	if err := g.enforce(ctx); err != nil {
		return true, err
	}
	return true, onceStored(g.settleByRules(ctx, rule.Effect))
}

// scopeRule returns the rule that an answer for a session, or for always, makes.
func (g *Gateway) scopeRule(req *approval.Request, p Principal, approve bool, in Reply) (Rule, error) {
	switch in.Scope {
	case "", approval.Once:
		return Rule{}, nil
	case approval.Session, approval.Always:
	default:
		return Rule{}, bad("unknown scope %q: use once, session or always", in.Scope)
	}
	switch {
	case in.Scope == approval.Session && req.Session == "":
		return Rule{}, bad("this request has no session: answer it once, or always")
	case in.Scope == approval.Always && !p.Role.May(Admin):
		return Rule{}, needsRole(Admin)
	case approve && req.Needs > 1:
		return Rule{}, bad("this needs %d people, but a rule needs only one: answer it once", req.Needs)
	case req.Category == approval.Sandbox:
		return Rule{}, bad("answer changes of the configuration one by one")
	}
	rule, err := g.ruleOf(req, p, approve, in.Scope, in.Rule)
	if err != nil {
		return Rule{}, err
	}
	err = g.checkRule(&rule)
	return rule, err
}

// judgeAt reads the stored rules again if they changed, and returns their version.
func (g *Gateway) judgeAt(ctx context.Context) (int64, error) {
	at, err := g.rulesVersion(ctx)
	if err != nil {
		return 0, err
	}
	return at, g.catchUp(ctx)
}

// storeAnswer answers a request that was judged under version at of the rules, and stores the rule of
// the answer in the same transaction. So no one sees the answer before the rule is stored, an
// answer that comes too late leaves no rule, and an approval never outlives the rules that it was
// judged by. An empty rule means none.
func (g *Gateway) storeAnswer(ctx context.Context, a approval.Answer, rule *Rule, at int64) (req approval.Request, err error) {
	if rule.Text != "" {
		if err := g.nameRule(rule); err != nil {
			return req, err
		}
	}
	err = g.store.Transact(ctx, func(t *store.Tx) error {
		now, err := storedVersion(t)
		if err != nil {
			return err
		}
		if a.Approve && now != at {
			return errMoved
		}
		var put func() error // prepared before the answer: a failure must change nothing
		if rule.Text != "" {
			if put, err = g.ruleStep(t, rule); err != nil {
				return err
			}
		}
		if req, err = t.Answer(a); err != nil || put == nil || !req.State.Final() {
			return err
		}
		return put()
	})
	return req, err
}

// settleByRules settles the pending requests on which the rules now have the effect of the answer
// that a person just gave.
func (g *Gateway) settleByRules(ctx context.Context, effect string) error {
	waiting, err := g.pending(ctx)
	if err != nil {
		return err
	}
	_, err = approval.Together(waiting, func(req approval.Request) (bool, error) {
		at, err := g.judgeAt(ctx)
		if err != nil {
			return false, err
		}
		var kept storedMetadata
		plan, err := kept.plan(&req)
		if err != nil {
			return false, nil //nolint:nilerr // leave it to a person
		}
		p := Principal{Kind: Agent, ID: req.Agent}
		d, ops, a := g.decide(plan, p, req.Session)
		if kept.Ask {
			d = g.asked(plan, p, req.Session, d, ops, a)
		}
		if !d.Explicit || d.Effect.String() != effect {
			return false, nil
		}
		_, err = g.storeAnswer(ctx, approval.Answer{ID: req.ID, Digest: req.Digest, Approve: effect == "allow", By: approval.ByAuto}, &Rule{}, at)
		if errors.Is(err, errMoved) || errors.Is(err, approval.ErrSettled) || errors.Is(err, approval.ErrPeople) {
			return false, nil
		}
		return err == nil, err
	})
	return err
}

// Seen identifies a request as a person saw it.
type Seen struct {
	ID     string `json:"id"`
	Digest string `json:"digest"`
}

// bulk answers the requests that the person saw or, without a list, all that wait now.
func (g *Gateway) bulk(w http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
	var in struct {
		Category   approval.Category `json:"category"`
		Status     approval.State    `json:"status"`
		ResolvedBy string            `json:"resolvedBy"`
		Seen       []Seen            `json:"seen"`
	}
	if err := read(w, r, &in, false); err != nil {
		return 0, nil, err
	}
	if in.Status != approval.Approved && in.Status != approval.Denied {
		return 0, nil, bad("status must be approved or denied")
	}
	if in.Seen == nil {
		waiting, err := g.store.List(r.Context(), approval.Filter{States: []approval.State{approval.Pending}, Category: in.Category, Oldest: true, Limit: 10_000})
		if err != nil {
			return 0, nil, err
		}
		for _, req := range waiting {
			in.Seen = append(in.Seen, Seen{req.ID, req.Digest})
		}
	}
	n, err := g.Bulk(r.Context(), p, in.Category, in.Status == approval.Approved, in.ResolvedBy, in.Seen)
	return http.StatusOK, map[string]int{"count": n}, err
}

// personal returns how a person answered, by what their program says. It is never approval.ByAuto,
// or an answer of a person would count as one of the rules.
func personal(by string) string {
	if by == approval.ByCLI {
		return by
	}
	return approval.ByWeb
}

// Bulk answers the requests of one category that a person saw, and returns how many it settled. It
// skips requests of other categories and requests that changed.
func (g *Gateway) Bulk(ctx context.Context, p Principal, c approval.Category, approve bool, by string, seen []Seen) (n int, err error) {
	switch {
	case !c.Known():
		return 0, unknownCategory(c)
	case !c.Bulk():
		return 0, bad("answer requests of %s one by one", c)
	}
	digests := map[string]string{}
	for _, s := range seen {
		digests[s.ID] = s.Digest
	}
	waiting, err := g.store.List(ctx, approval.Filter{States: []approval.State{approval.Pending}, Category: c, Oldest: true, Limit: 10_000})
	if err != nil {
		return 0, err
	}
	var answers []approval.Answer
	for _, req := range waiting {
		if digest, ok := digests[req.ID]; ok { // the others came after the person looked
			if plan, err := StoredPlan(&req); approve && err == nil {
				var f fault
				if err := g.permitted(ctx, &req, plan); errors.As(err, &f) {
					continue
				} else if err != nil {
					return 0, err
				}
			}
			answers = append(answers, approval.Answer{ID: req.ID, Digest: digest, Approve: approve, By: personal(by), Operator: p.Name, Person: p.Person, Scope: approval.Once})
		}
	}
	return g.queue.Bulk(ctx, answers)
}

// rulesBody returns the stored rules, as two lists of texts and with all their fields.
func (g *Gateway) rulesBody(ctx context.Context) (map[string]any, error) {
	rules, err := g.Rules(ctx)
	lists := map[string][]string{"allow": {}, "deny": {}}
	slices.SortFunc(rules, func(a, b Rule) int { return a.Created.Compare(b.Created) })
	for _, r := range rules {
		if r.Session == "" {
			lists[r.Effect] = append(lists[r.Effect], r.Text)
		}
	}
	return map[string]any{"allow": lists["allow"], "deny": lists["deny"], "stored": rules}, err
}

// maxLifetime is the longest lifetime of rules and tokens that expire.
const maxLifetime = 10 * 365 * 24 * time.Hour

// ends returns the expiry of a rule or a token with a lifetime in milliseconds. The zero time, for
// 0, means never.
func (g *Gateway) ends(ms jsonfault.Positive) (time.Time, error) {
	switch {
	case ms == 0:
		return time.Time{}, nil
	case int64(ms) > maxLifetime.Milliseconds():
		return time.Time{}, bad("expiresIn is %d: must be milliseconds, at most %d", ms, maxLifetime.Milliseconds())
	}
	return g.now().Add(time.Duration(ms) * time.Millisecond), nil
}

type ruleIn struct {
	Type string             `json:"type"`
	Rule string             `json:"rule"`
	For  jsonfault.Positive `json:"expiresIn"` // milliseconds; never expires if absent
}

func (g *Gateway) postRule(w http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
	var in ruleIn
	if err := read(w, r, &in, false); err != nil {
		return 0, nil, err
	}
	rule := Rule{Effect: in.Type, Text: in.Rule, By: p.Name}
	var err error
	if rule.Expires, err = g.ends(in.For); err != nil {
		return 0, nil, err
	}
	added, err := g.AddRule(r.Context(), rule)
	if err != nil {
		return 0, nil, err
	}
	body, err := g.rulesBody(r.Context())
	return http.StatusOK, map[string]any{"added": added, "rules": body}, onceStored(err)
}

func (g *Gateway) deleteRule(w http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
	var in ruleIn
	if err := read(w, r, &in, false); err != nil {
		return 0, nil, err
	}
	removed, err := g.RemoveRule(r.Context(), in.Type, in.Rule, p.Name)
	if err != nil {
		return 0, nil, err
	}
	body, err := g.rulesBody(r.Context())
	return http.StatusOK, map[string]any{"removed": removed, "rules": body}, onceStored(err)
}

// Config returns the settings in force, in the form of the REST API.
func (g *Gateway) Config(ctx context.Context) (map[string]any, error) {
	loaded := g.current().loaded
	settings, err := g.Settings(ctx)
	if err != nil {
		return nil, err
	}
	src := loaded.Source
	if err := layer(&src, loaded, settings); err != nil {
		return nil, err
	}
	modes := map[string]any{}
	for _, c := range approval.Categories() {
		modes[string(c)] = map[string]string{"mode": modeName(src.Modes, c)}
	}
	hosts := []string{}
	for _, e := range src.AllowedEndpoints {
		hosts = append(hosts, e.Host)
	}
	var files []string
	for _, f := range loaded.Files {
		files = append(files, f.Path)
	}
	rules, err := g.rulesBody(ctx)
	return map[string]any{"allowedEndpoints": hosts, "categories": modes, "rules": rules, "settings": settings, "policyFiles": files, "policy": g.book.Load().policy.Hash()}, err
}

func unknownCategory(c approval.Category) error {
	return bad("unknown category %q: use one of %s", c, listed(approval.Categories()))
}

// listed joins names with commas.
func listed[T ~string](names []T) string {
	text := ""
	for i, n := range names {
		text += []string{"", ", "}[min(i, 1)] + string(n)
	}
	return text
}

// history lists settled requests, newest first, one page at a time.
func (g *Gateway) history(_ http.ResponseWriter, r *http.Request, _ Principal) (int, any, error) {
	q := r.URL.Query()
	f := approval.Filter{Before: q.Get("before"), Category: approval.Category(q.Get("category")), Agent: q.Get("agent"), Session: q.Get("session"), Limit: 50}
	if f.Category != "" && !f.Category.Known() {
		return 0, nil, unknownCategory(f.Category)
	}
	f.States = []approval.State{approval.Approved, approval.Denied, approval.Expired, approval.Superseded, approval.Cancelled, approval.Conflict}
	if s := approval.State(q.Get("status")); s != "" {
		if !slices.Contains(f.States, s) {
			return 0, nil, bad("unknown status %q: use one of %s", s, listed(f.States))
		}
		f.States = []approval.State{s}
	}
	if text := q.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 1000 {
			return 0, nil, bad("limit must be a number from 1 to 1000")
		}
		f.Limit = n
	}
	list, err := g.store.List(r.Context(), f)
	if err != nil {
		return 0, nil, err
	}
	shown, err := g.forPeople(r.Context(), list...)
	if err != nil {
		return 0, nil, err
	}
	for i := range list {
		if list[i].State != approval.Approved {
			continue
		}
		ran, err := g.Outcome(r.Context(), &list[i])
		if err != nil {
			return 0, nil, err
		}
		if ran != nil {
			shown[i]["execution"] = ran.brief()
		}
	}
	out := map[string]any{"requests": shown}
	if len(list) == f.Limit {
		out["next"] = list[len(list)-1].ID
	}
	return http.StatusOK, out, nil
}

// getAudit lists entries of the audit log, newest first.
func (g *Gateway) getAudit(_ http.ResponseWriter, r *http.Request, _ Principal) (int, any, error) {
	q := r.URL.Query()
	n := 100
	if text := q.Get("limit"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil || n < 1 || n > 10_000 {
			return 0, nil, bad("limit must be a number from 1 to 10000")
		}
	}
	query := audit.Query{Tool: q.Get("tool"), Session: q.Get("session"), Kind: audit.EventKind(q.Get("kind")), Effect: q.Get("effect"), Rule: q.Get("rule"), Text: q.Get("text")}
	for name, to := range map[string]*time.Time{"since": &query.Since, "until": &query.Until} {
		if text := q.Get(name); text != "" {
			at, err := time.Parse(time.RFC3339, text)
			if err != nil {
				return 0, nil, bad("%s must be a time such as 2026-01-02T15:04:05Z", name)
			}
			*to = at
		}
	}
	if kinds := audit.Kinds(); query.Kind != "" && !slices.Contains(kinds, string(query.Kind)) {
		return 0, nil, bad("unknown kind %q: use one of %s", visible.Clip(string(query.Kind), 40), strings.Join(kinds, ", "))
	}
	if _, err := umpire.ParseEffect(query.Effect); query.Effect != "" && err != nil {
		return 0, nil, bad("%v", err)
	}
	if g.audit == "" {
		return http.StatusOK, []any{}, nil
	}
	records, err := audit.Last(g.audit, query, n)
	if err != nil {
		return 0, nil, err
	}
	slices.Reverse(records)
	if records == nil {
		records = []audit.Record{}
	}
	return http.StatusOK, records, nil
}

type tokenIn struct {
	Kind      CredentialKind     `json:"kind"`
	Name      string             `json:"name"`
	Role      Role               `json:"role"`
	ExpiresIn jsonfault.Positive `json:"expiresIn"` // milliseconds; never expires if absent
	Lease     jsonfault.Positive `json:"lease"`     // milliseconds, instead of expiresIn: it must be renewed within each
}

func (g *Gateway) postToken(w http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
	var in tokenIn
	if err := read(w, r, &in, false); err != nil {
		return 0, nil, err
	}
	t := Token{Kind: in.Kind, Name: in.Name, Role: in.Role, By: p.Name}
	var err error
	if t.Expires, err = g.ends(max(in.ExpiresIn, in.Lease)); err != nil {
		return 0, nil, err
	}
	if t.Lease = int64(in.Lease); t.Lease > maxExpiry.Milliseconds() || t.Lease > 0 && in.ExpiresIn > 0 {
		return 0, nil, bad("lease must be at most %d milliseconds, and cannot go with expiresIn", maxExpiry.Milliseconds())
	}
	also, err := g.Namesakes(r.Context(), t)
	if err != nil {
		return 0, nil, err
	}
	secret, made, err := g.NewToken(r.Context(), t)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusCreated, map[string]any{"token": secret, "about": made, "sameName": append([]string{}, also...)}, nil
}

func (g *Gateway) deleteToken(_ http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
	return http.StatusOK, map[string]bool{"ok": true}, g.revoke(r.Context(), r.PathValue("id"), p.Name, r.URL.Query().Get("keep") == "requests")
}
