package gateway

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/policy"
)

// inForce is the policy in force with everything that depends on it. It is replaced as a whole.
type inForce struct {
	policy *policy.Policy
	// sessions has what people granted for one session. Grants only answer questions: they do not
	// override a denial.
	sessions map[string]*granted
	insight  *interception

	loaded *policyfile.Loaded // the files
	stored
}

// stored is the part of the policy that comes from the database.
type stored struct {
	rules    []Rule // those that have not expired
	settings []Setting
	version  int64     // version of the rules and settings, which gateways on one database share
	noticed  uint64    // version of the events about them that this process had seen before it read them
	ends     time.Time // when the first rule expires; zero if none does
	retry    time.Time // time before which an unreadable database is not tried again
}

// current returns the policy in force: the current files with the stored rules that have not
// expired. Every decision calls it.
func (g *Gateway) current() *inForce {
	now := g.book.Load()
	loaded, _ := g.files.Now()
	if g.fresh(now, loaded) {
		return now
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if now = g.book.Load(); g.fresh(now, loaded) { // another goroutine replaced it
		return now
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(g.life), rereadWithin)
	defer cancel()
	err := g.renewPolicy(ctx, loaded, g.store.Version("rules") != now.noticed)
	if err != nil {
		g.tellFault(err)
	} else {
		g.log.Info("reloaded the policy", "policy", g.book.Load().policy.Hash())
	}
	return g.book.Load()
}

func (g *Gateway) tellFault(err error) {
	g.log.Error("the policy has faults: the last good one stays in force", "error", err)
}

// rereadWithin is how long a decision waits for a database that does not answer, and how long later
// decisions do not try again.
const rereadWithin = time.Second

// fresh reports whether b still is the policy in force.
func (g *Gateway) fresh(b *inForce, loaded *policyfile.Loaded) bool {
	t := g.now()
	return b.loaded == loaded && (b.ends.IsZero() || t.Before(b.ends)) && (b.noticed == g.store.Version("rules") || t.Before(b.retry))
}

// Reload reads files, stored rules and settings again.
func (g *Gateway) Reload(ctx context.Context) error {
	if _, err := g.files.Now(); err != nil {
		return err
	}
	return g.reload(ctx)
}

// reload reads stored rules and settings again, and puts them in force.
func (g *Gateway) reload(ctx context.Context) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	loaded, _ := g.files.Now()
	return g.renewPolicy(ctx, loaded, true)
}

// enforce puts a stored change of rules in force.
func (g *Gateway) enforce(ctx context.Context) error {
	return onceStored(g.reload(ctx))
}

// catchUp reads stored rules again if another gateway changed them, even if its notice has not
// arrived. It is for decisions that cannot be undone: for every decision, the look at the database
// would cost too much.
func (g *Gateway) catchUp(ctx context.Context) error {
	if !g.shared { // this process makes every change and knows of it
		if g.book.Load().noticed == g.store.Version("rules") {
			return nil
		}
		return g.reload(ctx)
	}
	at, err := g.rulesVersion(ctx)
	if err != nil || at == g.book.Load().version {
		return err
	}
	return g.reload(ctx)
}

// renewPolicy compiles the policy of the files and the stored rules. If it cannot read one of them,
// it keeps the last state of that part and renews the other: a broken file must not keep a stored
// rule from expiring. The caller holds g.mu.
func (g *Gateway) renewPolicy(ctx context.Context, loaded *policyfile.Loaded, read bool) error {
	last := g.book.Load()
	var s stored
	if last != nil {
		s = last.stored
	}
	var unread error
	if read || last == nil {
		var now stored
		if now, unread = g.readStored(ctx); unread == nil {
			s = now
		} else {
			s.retry = g.now().Add(rereadWithin)
		}
	}
	if unread != nil && last == nil {
		return unread
	}
	next, err := g.compile(loaded, s)
	if err == nil {
		g.book.Store(next)
		select {
		case g.renewed <- struct{}{}:
		default: // a notice is pending already
		}
		return unread
	}
	if last == nil {
		return err
	}
	// The stored rules and the files do not compile together. Rules still expire, and the fault is
	// not reported again until something changes.
	kept := *last
	if older, again := g.compile(last.loaded, last.stored); again == nil {
		kept = *older
	}
	kept.loaded, kept.noticed, kept.retry = loaded, s.noticed, s.retry
	g.book.Store(&kept)
	return errors.Join(unread, err)
}

// readStored reads stored rules and settings.
func (g *Gateway) readStored(ctx context.Context) (s stored, err error) {
	s.noticed = g.store.Version("rules") // taken before the read, so that a later change is read next time
	if s.version, err = g.rulesVersion(ctx); err != nil {
		return s, err
	}
	if s.rules, err = g.Rules(ctx); err != nil {
		return s, err
	}
	s.settings, err = g.Settings(ctx)
	return s, err
}

// compile returns the policy of the files and of the stored rules that have not expired.
func (g *Gateway) compile(loaded *policyfile.Loaded, s stored) (*inForce, error) {
	src := loaded.Source
	src.Rules = append([]policy.Rule(nil), src.Rules...)
	bySession := map[string][]Rule{}
	all := s.rules
	s.rules, s.ends = nil, time.Time{}
	for _, r := range all {
		if !r.holds(g.now()) {
			continue
		}
		list, err := r.policy()
		if err != nil {
			return nil, fmt.Errorf("stored rule %s: %w", r.ID, err)
		}
		s.rules = append(s.rules, r)
		if !r.Expires.IsZero() && (s.ends.IsZero() || r.Expires.Before(s.ends)) {
			s.ends = r.Expires
		}
		if r.Session != "" {
			key := sessionKey(r.Agent, r.Session)
			bySession[key] = append(bySession[key], r)
			continue
		}
		src.Rules = append(src.Rules, list...)
	}
	if err := layer(&src, loaded, s.settings); err != nil {
		return nil, err
	}
	p, err := policy.Compile(src)
	if err != nil {
		return nil, err
	}
	next := &inForce{policy: p, sessions: map[string]*granted{}, loaded: loaded, stored: s}
	for id, list := range bySession {
		if next.sessions[id], err = newGranted(list); err != nil {
			return nil, err
		}
	}
	next.insight, err = g.options.interception(p)
	return next, err
}

func (r *Rule) holds(now time.Time) bool { return r.Expires.IsZero() || now.Before(r.Expires) }

// forbidden returns why a request must not be approved or carried out now, or "". Since it was
// made, rules, modes and the session's taint may have changed. A person's approval outweighs a
// question but not a denial. An approval by a rule needs a rule that still allows.
func (g *Gateway) forbidden(ctx context.Context, r *approval.Request, plan Plan) (string, error) {
	if err := g.catchUp(ctx); err != nil {
		return "", err
	}
	d, ops, _ := g.decide(plan, Principal{Kind: Agent, ID: r.Agent}, r.Session)
	switch {
	case d.Effect == umpire.Deny:
		return "denied by now: " + platform.Reason(d, ops), nil
	case r.State == approval.Approved && r.ResolvedBy == approval.ByAuto && d.Effect != umpire.Allow:
		return "the rule that allowed it no longer applies: ask again", nil
	}
	return "", nil
}

// permitted denies a request that must not be approved any more, and returns a fault with the
// reason.
func (g *Gateway) permitted(ctx context.Context, r *approval.Request, plan Plan) error {
	why, err := g.forbidden(ctx, r, plan)
	if err != nil || why == "" {
		return err
	}
	_, err = g.queue.Answer(ctx, approval.Answer{ID: r.ID, Digest: r.Digest, By: approval.ByAuto, Note: clipTo(why, approval.MaxText)})
	if err != nil && !errors.Is(err, approval.ErrSettled) {
		return err
	}
	return fault{http.StatusConflict, why}
}
