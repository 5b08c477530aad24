package gateway

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/store"
	"github.com/umpire-dev/umpire/internal/visible"
)

// CredentialKind says whether a credential is an agent's or an operator's.
type CredentialKind string

// The kinds.
const (
	Agent    CredentialKind = "agent"
	Operator CredentialKind = "operator"
)

// Role is the role of an operator. Each role includes the rights of the previous ones.
type Role string

// The roles.
const (
	Viewer   Role = "viewer"   // may read
	Approver Role = "approver" // may also answer requests
	Admin    Role = "admin"    // may also change rules, settings and tokens
)

var ranks = map[Role]int{Viewer: 1, Approver: 2, Admin: 3}

// May reports whether a role is at least another.
func (r Role) May(least Role) bool { return ranks[r] >= ranks[least] && ranks[r] > 0 }

// Token is a stored credential. The store has only its hash.
type Token struct {
	ID      string         `json:"id"` // the beginning of its hash
	Kind    CredentialKind `json:"kind"`
	Name    string         `json:"name"` // its holder
	Role    Role           `json:"role,omitempty"`
	Created time.Time      `json:"createdAt"`
	Expires time.Time      `json:"expiresAt,omitzero"`
	Ended   bool           `json:"ended,omitempty"` // it is over: it expired, or is being revoked
	// Lease is how long the token is valid after its last renewal, in milliseconds. The holder of a
	// lease may outlive Expires: its requests do not end then.
	Lease int64  `json:"lease,omitempty"`
	By    string `json:"by,omitempty"`
}

// Principal is the sender of a request.
type Principal struct {
	Kind CredentialKind
	Name string
	Role Role
	ID   string // ID of the token; an agent's requests belong to it
	// Person identifies a user of a provider. It is the same at every login; the name may change.
	Person string
	// Expires is when the credential ends; never if zero. Requests that an agent made with it end
	// then too.
	Expires time.Time
	// token is the record of the credential, empty if the proxy's caller vouches for the agent.
	token string
	// For a browser's session: the hash of its key, and whether it needs none.
	key     string
	keyless bool
}

const (
	tokenRecord = "token"
	pastRecord  = "past-agent" // the name of an agent whose token was revoked, by the token's ID
)

// prefixes show a token's kind to people and to secret scanners.
var prefixes = map[CredentialKind]string{Agent: "umpa_", Operator: "umpo_"}

func hashToken(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// NewToken makes a credential and returns its secret, which is not stored.
func (g *Gateway) NewToken(ctx context.Context, t Token) (secret string, made Token, err error) {
	switch {
	case t.Kind != Agent && t.Kind != Operator:
		return "", Token{}, bad("unknown kind %q: use agent or operator", t.Kind)
	case t.Name == "" || len(t.Name) > 200:
		return "", Token{}, bad("a token needs a name of at most 200 bytes")
	case visible.Line(t.Name) != t.Name, strings.TrimSpace(t.Name) != t.Name: // people read it to know who answered
		return "", Token{}, bad("the name %q has invisible characters, or spaces around it", visible.Line(t.Name))
	case t.Kind == Operator && ranks[t.Role] == 0:
		return "", Token{}, bad("unknown role %q: use viewer, approver or admin", t.Role)
	case t.Kind == Agent && t.Role != "":
		return "", Token{}, bad("an agent has no role")
	}
	var raw [32]byte
	_, _ = rand.Read(raw[:]) // never fails, by its documentation
	secret = prefixes[t.Kind] + base64.RawURLEncoding.EncodeToString(raw[:])
	hash := hashToken(secret)
	t.ID, t.Created = hash[:12], g.now().UTC().Truncate(time.Second)
	body := encode(t)
	err = g.store.Update(ctx, tokenRecord, hash, "token", t.By, func(json.RawMessage) (json.RawMessage, any, error) {
		return body, map[string]string{"made": t.ID, "kind": string(t.Kind), "name": t.Name}, nil
	})
	return secret, t, err
}

// Namesakes returns the IDs of the valid tokens of t's kind and name, before t is made: each of them stays
// valid until it is revoked.
func (g *Gateway) Namesakes(ctx context.Context, t Token) (ids []string, err error) {
	list, err := g.Tokens(ctx)
	for i := range list {
		if o := &list[i]; o.Kind == t.Kind && o.Name == t.Name && !o.over(g.now()) {
			ids = append(ids, o.ID)
		}
	}
	return ids, err
}

// Tokens lists all credentials.
func (g *Gateway) Tokens(ctx context.Context) ([]Token, error) {
	records, err := g.store.Records(ctx, tokenRecord)
	if err != nil {
		return nil, err
	}
	out := []Token{}
	for _, r := range records {
		var t Token
		if err := json.Unmarshal(r.Body, &t); err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// AgentNames returns the names of tokens, by ID. Names of revoked agents end in " (revoked)".
func (g *Gateway) AgentNames(ctx context.Context) (map[string]string, error) {
	tokens, err := g.Tokens(ctx)
	if err != nil {
		return nil, err
	}
	past, err := g.store.Records(ctx, pastRecord)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, r := range past {
		var name string
		if err := json.Unmarshal(r.Body, &name); err != nil {
			return nil, err
		}
		names[r.ID] = name + " (revoked)"
	}
	for _, t := range tokens {
		names[t.ID] = t.Name
	}
	return names, nil
}

// renewToken renews the lease of a token. If it has expired, it becomes valid again: the machine of
// its holder may have slept.
func (g *Gateway) renewToken(ctx context.Context, id string, p Principal) error {
	records, err := g.store.Records(ctx, tokenRecord)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(records, func(r store.Record) bool { return r.ID[:12] == id })
	if at < 0 {
		return noToken(id)
	}
	err = g.store.Transact(ctx, func(tx *store.Tx) error {
		old, err := tx.Get(tokenRecord, records[at].ID)
		if err != nil {
			return err
		}
		if old == nil {
			return noToken(id)
		}
		var t Token
		if err := json.Unmarshal(old, &t); err != nil {
			return err
		}
		if t.Lease == 0 {
			return fault{http.StatusConflict, "this token has no lease to renew"}
		}
		ended := t.Ended
		t.Ended, t.Expires = false, g.now().Add(durationMS(t.Lease))
		if err := tx.Put(tokenRecord, records[at].ID, encode(t)); err != nil || !ended {
			return err // the record lists only renewals that change who may act
		}
		return tx.Event(tokenRecord, records[at].ID, p.Name, map[string]string{"renewed": id})
	})
	g.known.Store(nil)
	return err
}

func noToken(id string) error {
	return fault{http.StatusNotFound, fmt.Sprintf("there is no token %q", id)}
}

// Revoke ends a credential, the browser sessions that it opened, and the pending requests and
// running programs of its agent. It takes effect at the next request.
func (g *Gateway) Revoke(ctx context.Context, id, by string) error {
	return g.revoke(ctx, id, by, false)
}

// lastAdmin reports whether records[at] is the only valid administrator token. Without one, no one
// could make a token, and the gateway would not start again.
func (g *Gateway) lastAdmin(records []store.Record, at int) (last bool, err error) {
	n := 0
	for i, r := range records {
		var t Token
		if err := json.Unmarshal(r.Body, &t); err != nil {
			return false, err
		}
		if t.Role == Admin && !t.over(g.now()) {
			n++
			last = last || i == at
		}
	}
	return last && n == 1, nil
}

// revoke ends a credential. If keep is set, pending requests stay open for people, and approved
// ones are still carried out: the agent has finished, but its questions still count.
func (g *Gateway) revoke(ctx context.Context, id, by string, keep bool) error {
	records, err := g.store.Records(ctx, tokenRecord)
	if err != nil {
		return err
	}
	gone := noToken(id)
	if len(id) < 12 {
		return gone
	}
	at := slices.IndexFunc(records, func(r store.Record) bool { return strings.HasPrefix(r.ID, id) })
	if at < 0 && slices.ContainsFunc(records, func(r store.Record) bool { return strings.HasPrefix(r.ID, id[:12]) }) {
		return gone // id begins like a valid ID but is not one: never revoke by a mistyped ID
	}
	if at >= 0 {
		if last, err := g.lastAdmin(records, at); err != nil {
			return err
		} else if last {
			return fault{http.StatusConflict, "this is the last administrator token: create another first, with `umpire token add --operator NAME --role admin`"}
		}
		ctx = context.WithoutCancel(ctx) // the end of the caller's own token ends its request
		if !keep {
			waiting, err := g.store.List(ctx, approval.Filter{Agent: id[:12], States: []approval.State{approval.Pending}, Limit: 1})
			if err == nil && len(waiting) > 0 { // first, so that people are not asked in its name if the gateway dies in between
				if err = g.endToken(ctx, records[at].ID, by, "ended"); err == nil {
					g.endChannels(ctx) // a call that waits learns of its token, not of a cancelled request
					err = g.endWork(ctx, id[:12], by, tokenRevoked)
				}
			}
			if err != nil {
				return err
			}
		}
		if err := g.removeToken(ctx, records[at].ID, by); err != nil {
			return err
		}
	}
	// Do this even if the token is gone: an earlier call may have failed halfway.
	if err := g.dropSessions(ctx, by, func(s session) bool { return s.Token == id[:12] }); err != nil {
		return err
	}
	g.endChannels(context.WithoutCancel(ctx))
	if !keep { // requests that it made in the meantime
		if err := g.endWork(context.WithoutCancel(ctx), id[:12], by, tokenRevoked); err != nil {
			return err
		}
	}
	if at < 0 {
		return gone
	}
	return nil
}

// removeToken removes a token's record. It keeps the name of an agent that made requests, because
// the history would otherwise show only an ID.
func (g *Gateway) removeToken(ctx context.Context, hash, by string) error {
	id := hash[:12]
	asked, err := g.store.List(ctx, approval.Filter{Agent: id, Limit: 1})
	if err != nil {
		return err
	}
	return g.store.Transact(ctx, func(tx *store.Tx) error {
		old, err := tx.Get(tokenRecord, hash)
		if err != nil || old == nil {
			return err
		}
		if err := tx.Put(tokenRecord, hash, nil); err != nil {
			return err
		}
		if len(asked) > 0 {
			var t Token
			if err := json.Unmarshal(old, &t); err != nil {
				return err
			}
			name := encode(t.Name)
			if err := tx.Put(pastRecord, id, name); err != nil {
				return err
			}
		}
		return tx.Event("token", hash, by, map[string]string{"revoked": id})
	})
}

const tokenRevoked = "the agent's token was revoked"

// endWork stops the programs of an agent whose token is over, including those that wait for their
// turn, and cancels its pending requests, with a note that says why: such an agent must do no more.
func (g *Gateway) endWork(ctx context.Context, agent, by, why string) error {
	stop := func(r approval.Request) error {
		err := g.stopFor(ctx, r.ID, stoppedError{by, why})
		if errors.As(err, new(fault)) { // it runs no program or has ended
			return nil
		}
		return err
	}
	if err := g.notStarted(ctx, agent, stop); err != nil { // first: a program that ends gives its turn to the next
		return err
	}
	running, err := g.store.Records(ctx, leaseRecord)
	if err != nil {
		return err
	}
	for _, l := range running {
		r, err := g.store.Get(ctx, l.ID)
		if err == nil && r.Agent == agent {
			err = stop(r)
		}
		if err != nil && !errors.Is(err, approval.ErrNone) {
			return err
		}
	}
	_, err = g.queue.EndAll(ctx, approval.Filter{Agent: agent}, approval.Cancelled, why)
	return err
}

// errNobody is the answer to a request without a valid credential. It does not say what is wrong,
// so that a guesser learns nothing.
var errNobody = fault{http.StatusUnauthorized, "missing or invalid token: send Authorization: Bearer TOKEN"}

// known caches tokens that were looked up lately, as long as none is made or revoked.
type known struct {
	version uint64
	read    time.Time
	tokens  sync.Map // Token by hash, only those in the store
}

// knownFor is how long a gateway without notices from the others trusts its cache.
const knownFor = 2 * time.Second

// who identifies the sender of a request. It looks tokens up by their hash, so that the time
// reveals nothing about how much of a guess was right.
func (g *Gateway) who(r *http.Request) (Principal, error) {
	secret, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return Principal{}, errNobody
	}
	return g.holder(r.Context(), secret)
}

// holder returns the holder of a token.
func (g *Gateway) holder(ctx context.Context, secret string) (Principal, error) {
	if len(secret) > 200 {
		return Principal{}, errNobody
	}
	return g.byHash(ctx, hashToken(secret))
}

// byHash returns the holder of a token by its hash.
func (g *Gateway) byHash(ctx context.Context, hash string) (Principal, error) {
	k, version := g.known.Load(), g.store.Version(tokenRecord) // before the read, so that a later change is noticed
	if k == nil || k.version != version || g.now().Sub(k.read).Abs() > knownFor {
		k = &known{version: version, read: g.now()}
		g.known.Store(k)
	}
	t, err := g.token(ctx, hash, k)
	if err != nil {
		return Principal{}, err
	}
	if now := g.now().Round(0); t.over(now) {
		if t.Lease > 0 && g.awake.allowsLateRenewal(now) {
			return Principal{}, errLapsed
		}
		if !t.Ended {
			if err := g.endToken(ctx, hash, "", "expired"); err != nil {
				return Principal{}, err
			}
		}
		return Principal{}, errNobody
	}
	p := Principal{Kind: t.Kind, Name: t.Name, Role: t.Role, ID: t.ID, Expires: t.Expires, token: hash}
	if t.Lease > 0 {
		p.Expires = time.Time{}
	}
	return p, nil
}

// Knows reports whether a token is valid in the database.
func (g *Gateway) Knows(ctx context.Context, secret string) (bool, error) {
	_, err := g.byHash(ctx, hashToken(secret))
	if over(err) {
		return false, nil
	}
	return err == nil, err
}

func (g *Gateway) token(ctx context.Context, hash string, k *known) (t Token, err error) {
	if t, ok := k.tokens.Load(hash); ok {
		return t.(Token), nil
	}
	rec, err := g.store.Record(ctx, tokenRecord, hash)
	if errors.Is(err, store.ErrNoRecord) {
		return t, errNobody
	}
	if err == nil {
		err = json.Unmarshal(rec.Body, &t)
	}
	if err == nil {
		k.tokens.Store(hash, t)
	}
	return t, err
}
