package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/grant"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/packs/parsed"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/reload"
	"github.com/umpire-dev/umpire/internal/secret"
	"github.com/umpire-dev/umpire/internal/store"
	"github.com/umpire-dev/umpire/policy"
)

// maxExpiry is the longest time that a request may wait.
const maxExpiry = 7 * 24 * time.Hour

func durationMS(ms int64) time.Duration {
	return time.Duration(min(ms, maxExpiry.Milliseconds())) * time.Millisecond
}

// expiry returns how long a request waits that sets no time of its own.
func (g *Gateway) expiry() time.Duration {
	if g.options.Expiry > 0 {
		return g.options.Expiry
	}
	return approval.DefaultExpiry
}

// Options configure a gateway.
type Options struct {
	Store     *store.Store
	Root      string // the project's folder
	Workspace string // project folder, for the routes of sync; optional
	Layers    policyfile.Paths
	AuditDir  string // folder of the record; optional
	Expiry    time.Duration
	Keep      time.Duration // how long settled requests and their events are kept; forever if zero
	MaxUptime time.Duration // 0: no limit
	Needs     map[approval.Category]int
	Waiting   int // limit of an agent's waiting requests; no limit if zero
	Version   string
	Log       *slog.Logger
	Shared    bool             // other gateways use the same store
	Webhooks  []Webhook        // receive events
	Rate      float64          // calls per second of each credential; 0: no limit
	Profile   bool             // serve Go's profiles to administrators
	Staging   *host.Staging    // takes the pushes of agents; if nil, pushes are refused
	People    string           // identifies the settings that give a provider's users their roles
	Lookup    *host.Registries // describes packages; if nil, there are no lookups
	Now       func() time.Time

	Intercept   []policy.Pattern // hosts whose tunnels the proxy intercepts, in addition to those that rules require
	PassThrough []policy.Pattern // hosts whose tunnels it never intercepts
	Secrets     *secret.Set      // secrets that it adds to requests; optional
	GuardBodies GuardBodies      // hosts whose bodies it checks
}

// Gateway holds the pipeline, the queue and their servers.
type Gateway struct {
	step      func(string) // called at every step of an execution, for tests that stop the gateway there
	store     *store.Store
	queue     *approval.Queue
	files     *reload.Files[*policyfile.Loaded]
	book      atomic.Pointer[inForce]
	mu        sync.Mutex // held while the policy in force is replaced
	options   Options
	bodies    *bodies // nil if no bodies are checked
	journal   journal
	root      string
	leads     string // root with all links resolved, at the start
	workspace string
	work      string // workspace with all links resolved, at the start
	staging   *host.Staging
	pushing   pushSlots
	lookup    *host.Registries
	live      liveOutputs
	holdFor   time.Duration // how long the client of a push waits for its answer
	home      string
	needs     map[approval.Category]int
	audit     string
	log       *slog.Logger
	now       func() time.Time
	version   string
	started   time.Time
	uptime    time.Duration
	node      string // name of this process among those that share a store
	shared    bool   // other gateways may share the store
	pages     http.Handler
	extra     []Extra
	hooks     []Webhook
	metrics   *metrics
	limits    *limiter
	trials    *limiter // limits records of wrong tokens and similar attempts
	profile   bool
	people    string // as in Options
	known     atomic.Pointer[known]
	provable  atomic.Pointer[provable]
	lost      time.Time // when abandon last failed to read the database; only Execute's goroutine uses it
	head      int64     // the store's last event at the start
	from      int64     // the event after which a new audit log of this store begins

	life       context.Context // ends when the gateway must shut down
	end        context.CancelFunc
	inHand     sync.Map // IDs of the requests that a goroutine claims or carries out
	running    turns    // turns of requests that are carried out
	installing turns    // turns of package managers, taken before installs: an agent waits there with one at most
	installs   one      // held by the package manager that runs
	tests      one      // held by the rule test that runs
	channels   channels
	awake      sleepDetector
	proxies    proxies
	proxied    ruleUses
	renewed    chan struct{} // the policy in force was replaced

	connections sync.Map // MCP connections by ID: contexts that end when the connection closes

	stopped chan struct{}
	reason  atomic.Pointer[string] // why the gateway shuts down
}

// New returns a gateway with the policy in force. A fault in a policy file or a stored rule is
// an error.
func New(ctx context.Context, o Options) (*Gateway, error) {
	g := &Gateway{options: o, store: o.Store, root: o.Root, workspace: o.Workspace, needs: o.Needs, audit: o.AuditDir, log: o.Log, now: o.Now, version: o.Version, uptime: o.MaxUptime,
		stopped: make(chan struct{}), renewed: make(chan struct{}, 1), running: turns{most: maxRunning}, installing: turns{most: 1}, installs: make(one, 1), tests: make(one, 1)}
	if g.log == nil {
		g.log = slog.Default()
	}
	if g.now == nil {
		g.now = time.Now
	}
	if g.root == "" {
		return nil, errors.New("a gateway needs the folder of the project")
	}
	g.home, _ = os.UserHomeDir()
	g.leads, _ = filepath.EvalSymlinks(g.root) // if it fails, top fails as well
	g.work, _ = filepath.EvalSymlinks(g.workspace)
	g.hooks, g.profile, g.metrics = o.Webhooks, o.Profile, newMetrics(g)
	g.limits = &limiter{rate: o.Rate, now: g.now, left: map[string]*bucket{}}
	g.trials = &limiter{rate: 1, now: g.now, left: map[string]*bucket{}}
	g.life, g.end = context.WithCancel(context.WithoutCancel(ctx))
	g.staging, g.holdFor, g.lookup = o.Staging, holdFor, o.Lookup
	g.started, g.node, g.shared = g.now(), approval.NewID(g.now()), o.Shared
	g.people, g.journal.dir = o.People, o.AuditDir
	var err error
	if len(o.GuardBodies.Hosts) > 0 {
		if g.bodies, err = g.newBodies(o.GuardBodies); err != nil {
			return nil, err
		}
	}
	packs, err := parsed.Packs()
	if err != nil {
		return nil, err
	}
	g.files, err = reload.Open(o.Layers, func() (*policyfile.Loaded, error) { return policyfile.Load(o.Layers, packs) }, g.tellFault)
	if err != nil {
		return nil, err
	}
	if err := g.reload(ctx); err != nil {
		return nil, err
	}
	if g.from, err = o.Store.Head(ctx); err != nil {
		return nil, err
	}
	g.head = g.from
	if g.from < copyMost { // a new store: its audit log begins with the first token
		g.from = 0
	}
	g.queue = approval.Open(o.Store, approval.Options{Expiry: o.Expiry, Keep: o.Keep, Failed: func(err error) {
		g.log.Error("cannot remove old requests", "error", err)
	}})
	return g, nil
}

// Run does the background work until ctx ends, Stop is called or the maximum uptime is over. It
// reports faults of the policy as soon as its files change, and writes the outcome of requests to
// the audit log.
func (g *Gateway) Run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	var copying sync.WaitGroup
	copying.Go(func() { g.copyEvents(ctx) })
	for _, h := range g.hooks {
		copying.Go(func() { g.notify(ctx, h) })
	}
	defer copying.Wait()
	defer cancel()
	g.note("start", "", map[string]string{"node": g.node, "root": g.root})
	defer func() {
		why := "the program ends"
		if r := g.reason.Load(); r != nil {
			why = *r
		}
		g.note("stop", "", map[string]string{"node": g.node, "why": why})
	}()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	changed, stop := g.store.Changed("")
	defer func() { stop() }()
	credentials := g.store.Version(tokenRecord)
	var over endings
	for {
		select {
		case <-ctx.Done():
			return
		case <-g.stopped:
			return
		case <-changed:
			stop()
			changed, stop = g.store.Changed("")
			if now := g.store.Version(tokenRecord); now != credentials { // another gateway may have revoked one
				credentials = now
				g.endChannels(ctx)
			}
		case <-g.renewed:
			g.reviewTunnels(ctx, true)
		case <-tick.C:
			if err := over.sweep(ctx, g); err != nil && ctx.Err() == nil {
				g.log.Error("cannot end expired requests and tokens", "error", err)
			}
			g.endChannels(ctx) // those that expired
			if g.uptime > 0 && g.now().Sub(g.started) >= g.uptime {
				g.Stop("the maximum uptime of " + plural.Duration(g.uptime) + " is over")
				return
			}
		}
		g.current()
	}
}

// Mount makes the operators' side serve pages on every path without a route. The gateway checks
// Host and Origin for them; the pages must do all other checks. Call Mount before OperatorHandler
// and Handler.
func (g *Gateway) Mount(pages http.Handler) { g.pages = pages }

// Stop shuts the gateway down. Done is closed afterwards.
func (g *Gateway) Stop(reason string) {
	if g.reason.CompareAndSwap(nil, &reason) {
		close(g.stopped)
		g.end()
	}
}

// Done is closed when the gateway must shut down.
func (g *Gateway) Done() <-chan struct{} { return g.stopped }

// Close stops the gateway and ends the queue's work. If forGood is set, it denies pending requests.
func (g *Gateway) Close(ctx context.Context, forGood bool) error {
	g.Stop("shutdown")
	defer g.queue.Close()
	if !forGood {
		return nil
	}
	n, err := g.queue.EndAll(ctx, approval.Filter{}, approval.Denied, approval.Shutdown+*g.reason.Load())
	if n > 0 {
		g.log.Warn("denied the requests that waited for an answer", "requests", n)
	}
	return err
}

// record writes the decision of the rules on a request to the audit log. It only logs a failure,
// because the store's record is complete without it.
func (g *Gateway) record(a *umpire.Action, ops []umpire.Operation, d umpire.Decision, r approval.Request) {
	if g.audit == "" {
		return
	}
	e := g.decided(a, ops, d, r)
	g.write(&e)
}

// decided returns the audit event of a decision of the rules on a request.
func (g *Gateway) decided(a *umpire.Action, ops []umpire.Operation, d umpire.Decision, r approval.Request) audit.Event {
	e := audit.Decided(a, ops, d)
	e.Point, e.Policy, e.Version = audit.Gateway, g.book.Load().policy.Hash(), g.version
	e.Data = map[string]string{"request": r.ID, "category": string(r.Category), "status": string(r.State)}
	return e
}

// write writes an event to the audit log, and logs a failure.
func (g *Gateway) write(e *audit.Event) {
	if err := g.journal.append(e); err != nil {
		g.log.Error("cannot write the audit log", "error", err)
	}
}

// Rule is a rule that people made at run time.
type Rule struct {
	ID      string    `json:"id"`
	Effect  string    `json:"type"` // "allow" or "deny"
	Text    string    `json:"rule"` // kind(pattern), one or more, each on its own line
	By      string    `json:"by,omitempty"`
	From    string    `json:"from,omitempty"` // the request whose answer created the rule
	Session string    `json:"session,omitempty"`
	Agent   string    `json:"agent,omitempty"` // the agent of the session
	Created time.Time `json:"createdAt"`
	Expires time.Time `json:"expiresAt,omitzero"`
	// Grant is the exact grant, with its exclusions, if an answer created the rule.
	Grant *grant.Grant `json:"grant,omitempty"`
}

const (
	ruleRecord    = "rule"
	versionRecord = "version" // counts changes of all stored rules and settings, under the ID ruleRecord
	storedRule    = "stored-" // prefix of the rule's ID in decisions
)

func sessionKey(agent, session string) string { return agent + "\x00" + session }

// Rules lists the stored rules that have not expired.
func (g *Gateway) Rules(ctx context.Context) ([]Rule, error) {
	records, err := g.store.Records(ctx, ruleRecord)
	if err != nil {
		return nil, err
	}
	out := []Rule{}
	for _, rec := range records {
		var r Rule
		if err := json.Unmarshal(rec.Body, &r); err != nil {
			return nil, err
		}
		if r.holds(g.now()) {
			out = append(out, r)
		}
	}
	return out, nil
}

// rulesVersion returns a number that changes with every change of stored rules and settings.
func (g *Gateway) rulesVersion(ctx context.Context) (int64, error) {
	rec, err := g.store.Record(ctx, versionRecord, ruleRecord)
	if errors.Is(err, store.ErrNoRecord) {
		return 0, nil
	}
	var n int64
	if err == nil {
		err = json.Unmarshal(rec.Body, &n)
	}
	return n, err
}

// grant returns what an allow rule covers.
func (r *Rule) grant() (grant.Grant, error) {
	if r.Grant != nil {
		return *r.Grant, nil
	}
	for line := range strings.SplitSeq(r.Text, "\n") {
		if _, err := parseRule(line); err != nil {
			return grant.Grant{}, err
		}
	}
	return grant.Parse(categoryRules(r.Text))
}

// policy returns the rules of the policy that the stored rule stands for.
func (r *Rule) policy() ([]policy.Rule, error) {
	g, err := r.grant()
	if err != nil {
		return nil, err
	}
	list, err := g.Rules(storedRule+r.ID, policy.User, "the stored rule "+strings.ReplaceAll(r.Text, "\n", " and "))
	if err != nil {
		return nil, err
	}
	effect := umpire.Allow
	switch r.Effect {
	case "allow":
	case "deny":
		effect = umpire.Deny
	default:
		return nil, fmt.Errorf("unknown type %q: use allow or deny", r.Effect)
	}
	for i := range list {
		list[i].Title, list[i].Effect = "a rule made by "+r.By, effect
	}
	return list, nil
}

// parseRule parses kind(pattern), or the name of a category alone, which means all of it.
func parseRule(text string) (policy.Pattern, error) {
	p, err := policy.ParsePattern(categoryRules(text))
	if err != nil {
		return p, err
	}
	if p.Kind == umpire.Text || p.Kind == umpire.TraitKind {
		return p, fmt.Errorf("%q is neither a category nor a kind of operation", p.Kind)
	}
	return p, nil
}

// AddRule stores a rule, unless the same rule with the same expiry is stored already. The rule is
// in force when AddRule returns.
func (g *Gateway) AddRule(ctx context.Context, r Rule) (added bool, err error) {
	if err := errors.Join(lintTyped(r.Text), g.nameRule(&r)); err != nil {
		return false, err
	}
	err = g.store.Transact(ctx, func(t *store.Tx) error {
		put, err := g.ruleStep(t, &r)
		if added = put != nil; err != nil || !added {
			return err
		}
		return put()
	})
	if err != nil {
		return false, err
	}
	return added, g.enforce(ctx) // also if nothing was added: another gateway may have stored it
}

// nameRule sets the time, the text and the ID of a rule before it is stored, and reports its
// faults.
func (g *Gateway) nameRule(r *Rule) error {
	r.Created, r.Text = g.now().UTC().Truncate(time.Millisecond), ruleText(r.Text)
	in := r.Session
	if in != "" {
		in = sessionKey(r.Agent, r.Session)
	}
	r.ID = ruleID(r.Effect, r.Text, in)
	return g.checkRule(r)
}

// ruleStep returns a function that stores a rule in the transaction t, or nil if there is nothing
// to store. ruleStep itself stores nothing.
func (g *Gateway) ruleStep(t *store.Tx, r *Rule) (put func() error, err error) {
	old, err := t.Get(ruleRecord, r.ID)
	if err != nil {
		return nil, err
	}
	body := encode(r)
	if old != nil {
		var was Rule
		if err := json.Unmarshal(old, &was); err != nil {
			return nil, err
		}
		if was.holds(g.now()) && was.Expires.Equal(r.Expires) {
			if body, err = r.over(was, old); err != nil || body == nil {
				return nil, err
			}
		}
	}
	return rulesStep(t, ruleRecord, r.ID, r.By, body, map[string]string{"added": r.Effect + " " + r.Text})
}

// rulesStep returns a function that changes a stored rule or setting in the transaction t, together
// with the version that all gateways on the database read.
func rulesStep(t *store.Tx, kind, id, by string, body json.RawMessage, note any) (put func() error, err error) {
	version, err := storedVersion(t)
	if err != nil {
		return nil, err
	}
	return func() error {
		return errors.Join(t.Put(kind, id, body), t.Put(versionRecord, ruleRecord, encode(version+1)), t.Event("rules", id, by, note))
	}, nil
}

// dropRules removes a stored rule or setting, and reports whether it was stored. The rules in the
// database are in force when it returns.
func (g *Gateway) dropRules(ctx context.Context, kind, id, by string, note any) (was bool, err error) {
	err = g.store.Transact(ctx, func(t *store.Tx) error {
		old, err := t.Get(kind, id)
		if was = old != nil; err != nil || !was {
			return err
		}
		put, err := rulesStep(t, kind, id, by, nil, note)
		if err != nil {
			return err
		}
		return put()
	})
	if err != nil {
		return false, err
	}
	return was, g.enforce(ctx)
}

// over returns was, a stored rule with the same text, extended by the grant of r. It returns nil if
// r adds nothing.
func (r *Rule) over(was Rule, old json.RawMessage) (json.RawMessage, error) {
	switch {
	case was.Grant == nil:
		return nil, nil
	case r.Grant == nil:
		was.Grant = nil
	default:
		was.Grant.Merge(r.Grant)
	}
	now, err := json.Marshal(was)
	if err != nil || bytes.Equal(now, old) {
		return nil, err
	}
	return now, nil
}

// checkRule reports the faults of a rule before it is stored.
func (g *Gateway) checkRule(r *Rule) error {
	if err := checkRule(r); err != nil {
		return err
	}
	return g.matchesSome(strings.Split(r.Text, "\n"))
}

// matchesSome reports rules that can never match, by the descriptions of programs in the policy.
func (g *Gateway) matchesSome(rules []string) error {
	loaded, _ := g.files.Now() // if the files have a fault, the last valid ones
	for _, text := range rules {
		p, err := parseRule(text)
		if err != nil {
			return bad("%v", err)
		}
		if why := loaded.NeverMatches(p); why != "" {
			return bad("%s", why)
		}
	}
	return nil
}

func checkRule(r *Rule) error {
	if len(r.Text) > approval.MaxText {
		return bad("the rule is longer than %d bytes", approval.MaxText)
	}
	list, err := r.policy()
	if err != nil {
		return bad("%v", err)
	}
	for line := range strings.SplitSeq(r.Text, "\n") {
		if err := lint(line); err != nil {
			return err
		}
	}
	compiled, err := policy.Compile(policy.Source{Rules: list})
	if err != nil {
		return bad("%v", err)
	}
	if w := compiled.Warnings(); len(w) > 0 { // the rule, such as exec(*), would be stored and never match
		return bad("%s", w[0].Msg)
	}
	return nil
}

func ruleID(effect, text, session string) string {
	return hashToken(effect + "\x00" + text + "\x00" + session)[:12]
}

var errUnchanged = errors.New("nothing changed")

// RemoveRule removes a stored rule by its type and its text or ID.
func (g *Gateway) RemoveRule(ctx context.Context, effect, text, by string) (removed bool, err error) {
	text = ruleText(text)
	id := ruleID(effect, text, "")
	rules, err := g.Rules(ctx)
	if err != nil {
		return false, err
	}
	for _, r := range rules {
		if r.ID == text && r.Effect == effect {
			id, text = r.ID, r.Text
		}
	}
	return g.dropRules(ctx, ruleRecord, id, by, map[string]string{"removed": effect + " " + text})
}

// DefaultState is the default folder of a gateway's database.
func DefaultState() (string, error) {
	dir, err := audit.DefaultDir()
	return filepath.Join(dir, "gateway"), err
}
