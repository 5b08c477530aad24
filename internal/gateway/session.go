package gateway

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/umpire-dev/umpire/internal/store"
)

// The lifetimes of a login link and of a browser's session.
const (
	loginFor   = 10 * time.Minute
	sessionFor = 12 * time.Hour
)

const (
	loginRecord   = "login"
	sessionRecord = "session"
)

// ErrNoSession means that a login code or a cookie is not valid.
var ErrNoSession error = fault{http.StatusUnauthorized, "this login link was used or has expired: get a new one with `umpire login`"}

// session is a browser in which a person is logged in, or a link that logs one in. The store has it
// under the hash of its secret.
type session struct {
	Name    string    `json:"name"`
	Role    Role      `json:"role"`
	Token   string    `json:"token,omitempty"` // ID of the credential that requested the link; the session ends with it
	Hash    string    `json:"hash,omitempty"`  // hash of that credential
	Expires time.Time `json:"expiresAt"`
	// For a user of a provider: the settings that grant the role. A gateway with other settings
	// does not accept the role.
	Person   string `json:"person,omitempty"`
	Settings string `json:"settings,omitempty"`
	// Key is the hash of the key that the browser's forms must send in addition to the cookie.
	Key string `json:"key,omitempty"`
	// Keyless means that the person uses a browser without scripts: its forms send no key.
	Keyless bool `json:"keyless,omitempty"`
}

// Opened is a session that a login opened.
type Opened struct {
	Cookie  string // the browser sends it to every port of the host
	Key     string // its forms send it too; only the answer to the login contains it
	Expires time.Time
}

// NewLogin returns the code of a link that logs a person in once, within ten minutes.
func (g *Gateway) NewLogin(ctx context.Context, p Principal) (code string, err error) {
	if p.Kind != Operator || ranks[p.Role] == 0 {
		return "", errForbidden
	}
	if err := g.sweepSessions(ctx); err != nil {
		return "", err
	}
	return g.newSession(ctx, loginRecord, session{Name: p.Name, Role: p.Role, Token: p.ID, Expires: g.now().Add(loginFor).UTC()}, "")
}

// openSession opens a session with a key that only the answer to the login contains.
func (g *Gateway) openSession(ctx context.Context, s session, token string) (o Opened, err error) {
	o = Opened{Key: rand.Text(), Expires: s.Expires}
	s.Key, s.Hash = hashToken(o.Key), token
	o.Cookie, err = g.newSession(ctx, sessionRecord, s, token)
	return o, err
}

// newSession stores a session. If token is set and its record is gone, it fails with ErrNoSession:
// a revocation ends only the sessions that it finds.
func (g *Gateway) newSession(ctx context.Context, kind string, s session, token string) (secret string, err error) {
	var raw [32]byte
	_, _ = rand.Read(raw[:]) // never fails, by its documentation
	secret = base64.RawURLEncoding.EncodeToString(raw[:])
	body := encode(s)
	id := hashToken(secret)
	return secret, g.store.Transact(ctx, func(t *store.Tx) error {
		if token != "" {
			if held, err := t.Get(tokenRecord, token); err != nil {
				return err
			} else if held == nil {
				return ErrNoSession
			}
		}
		return errors.Join(t.Put(kind, id, body), t.Event(kind, id, s.Name, map[string]string{"made": kind, "role": string(s.Role)}))
	})
}

// Login opens a session for a link's code, which works once. Of two calls with the same code, one
// fails.
func (g *Gateway) Login(ctx context.Context, code string) (Opened, error) {
	var s session
	err := g.store.Update(ctx, loginRecord, hashToken(code), loginRecord, "", func(old json.RawMessage) (json.RawMessage, any, error) {
		if old == nil {
			return nil, nil, ErrNoSession
		}
		return nil, map[string]string{"used": "login link"}, json.Unmarshal(old, &s)
	})
	if err != nil {
		return Opened{}, err
	}
	if !g.now().Before(s.Expires) {
		return Opened{}, ErrNoSession
	}
	s.Expires = g.now().Add(sessionFor).UTC().Truncate(time.Second)
	token := ""
	if s.Token != "" {
		records, err := g.store.Records(ctx, tokenRecord)
		if err != nil {
			return Opened{}, err
		}
		for _, rec := range records {
			var t Token
			if err := json.Unmarshal(rec.Body, &t); err != nil {
				return Opened{}, err
			}
			if t.ID == s.Token {
				token = rec.ID
				if !t.Expires.IsZero() && t.Expires.Before(s.Expires) {
					s.Expires = t.Expires
				}
			}
		}
		if token == "" || !g.now().Before(s.Expires) {
			return Opened{}, ErrNoSession
		}
	}
	return g.openSession(ctx, s, token)
}

// Session returns the principal of a session by its cookie, or fails with ErrNoSession.
func (g *Gateway) Session(ctx context.Context, secret string) (Principal, error) {
	if secret == "" || len(secret) > 200 {
		return Principal{}, ErrNoSession
	}
	rec, err := g.store.Record(ctx, sessionRecord, hashToken(secret))
	if errors.Is(err, store.ErrNoRecord) {
		return Principal{}, ErrNoSession
	}
	if err != nil {
		return Principal{}, err
	}
	var s session
	if err := json.Unmarshal(rec.Body, &s); err != nil {
		return Principal{}, err
	}
	if !g.now().Before(s.Expires) {
		if err := g.dropSession(ctx, sessionRecord, rec.ID, ""); err != nil {
			return Principal{}, err
		}
		return Principal{}, ErrNoSession
	}
	if s.Person != "" && s.Settings != g.people {
		return Principal{}, ErrNoSession
	}
	if s.Token != "" { // a revocation may have failed before it ended this session
		now, err := g.byHash(ctx, s.Hash)
		if errors.Is(err, errNobody) {
			return Principal{}, ErrNoSession
		}
		if err != nil {
			return Principal{}, err
		}
		if s.Role.May(now.Role) { // the lower one, since the token may have lost rights since the login
			s.Role = now.Role
		}
	}
	return Principal{Kind: Operator, Name: s.Name, Role: s.Role, ID: s.Token, Person: s.Person, key: s.Key, keyless: s.Keyless}, nil
}

// Keyed reports whether the forms of a session need its key.
func (p *Principal) Keyed() bool { return !p.keyless }

// Unlocks reports whether key is the key of the session, or the session needs none.
func (p *Principal) Unlocks(key string) bool {
	return p.keyless || subtle.ConstantTimeCompare([]byte(hashToken(key)), []byte(p.key)) == 1
}

// Unlock makes a session work without its key, for a browser that runs no scripts. The caller must
// check the key first: browsers send a cookie to every port of a host, where an agent's server can
// steal it.
func (g *Gateway) Unlock(ctx context.Context, secret string) error {
	return g.store.Update(ctx, sessionRecord, hashToken(secret), sessionRecord, "", func(old json.RawMessage) (json.RawMessage, any, error) {
		if old == nil {
			return nil, nil, ErrNoSession
		}
		var s session
		if err := json.Unmarshal(old, &s); err != nil {
			return nil, nil, err
		}
		s.Keyless = true
		body, err := json.Marshal(s)
		return body, map[string]string{"unlocked": sessionRecord}, err
	})
}

// Browser is a browser with a login session.
type Browser struct {
	ID      string    `json:"id"` // the beginning of the hash of its secret
	Name    string    `json:"name"`
	Role    Role      `json:"role"`
	Since   time.Time `json:"since"`
	Expires time.Time `json:"expiresAt"`
}

// BrowserID returns the ID of a cookie's session.
func BrowserID(secret string) string { return hashToken(secret)[:16] }

// Browsers lists the browser sessions of a person, or of everyone for administrators, newest
// first.
func (g *Gateway) Browsers(ctx context.Context, p Principal) ([]Browser, error) {
	records, err := g.store.Records(ctx, sessionRecord)
	if err != nil {
		return nil, err
	}
	out := []Browser{}
	for _, r := range records {
		var s session
		if err := json.Unmarshal(r.Body, &s); err != nil {
			return nil, err
		}
		if g.now().Before(s.Expires) && (p.Role.May(Admin) || s.Name == p.Name && s.Token == p.ID) {
			out = append(out, Browser{r.ID[:16], s.Name, s.Role, s.Expires.Add(-sessionFor), s.Expires})
		}
	}
	slices.SortFunc(out, func(a, b Browser) int { return b.Since.Compare(a.Since) })
	return out, nil
}

// EndBrowser logs out a browser that Browsers lists for the person.
func (g *Gateway) EndBrowser(ctx context.Context, p Principal, id string) error {
	list, err := g.Browsers(ctx, p)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(list, func(b Browser) bool { return b.ID == id }) {
		return errNotFound
	}
	records, err := g.store.Records(ctx, sessionRecord)
	if err != nil {
		return err
	}
	for _, r := range records {
		if r.ID[:16] == id {
			defer g.endChannels(context.WithoutCancel(ctx))
			return g.dropSession(ctx, sessionRecord, r.ID, p.Name)
		}
	}
	return nil // it ended in the meantime
}

// Logout ends a session.
func (g *Gateway) Logout(ctx context.Context, secret, by string) error {
	defer g.endChannels(context.WithoutCancel(ctx))
	return g.dropSession(ctx, sessionRecord, hashToken(secret), by)
}

func (g *Gateway) dropSession(ctx context.Context, kind, id, by string) error {
	return g.store.Update(ctx, kind, id, kind, by, func(json.RawMessage) (json.RawMessage, any, error) {
		return nil, map[string]string{"ended": kind}, nil
	})
}

// sweepSessions removes expired sessions and login links.
func (g *Gateway) sweepSessions(ctx context.Context) error {
	return g.dropSessions(ctx, "", func(s session) bool { return !g.now().Before(s.Expires) })
}

func (g *Gateway) dropSessions(ctx context.Context, by string, which func(session) bool) error {
	for _, kind := range []string{loginRecord, sessionRecord, usedRecord} {
		records, err := g.store.Records(ctx, kind)
		if err != nil {
			return err
		}
		for _, r := range records {
			var s session
			if json.Unmarshal(r.Body, &s) == nil && !which(s) {
				continue
			}
			if err := g.dropSession(ctx, kind, r.ID, by); err != nil {
				return err
			}
		}
	}
	return nil
}

// getSessions lists the caller's browser sessions, or everyone's for an administrator.
func (g *Gateway) getSessions(_ http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
	list, err := g.Browsers(r.Context(), p)
	return http.StatusOK, map[string]any{"sessions": list}, err
}

func (g *Gateway) postLogin(_ http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
	code, err := g.NewLogin(r.Context(), p)
	return http.StatusCreated, map[string]string{"path": "/login?code=" + code}, err
}
