package gateway

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
)

// browser logs somebody in, and returns the secret of the cookie.
func (w *world) browser(p Principal) string {
	w.t.Helper()
	return w.opened(p).Cookie
}

func (w *world) opened(p Principal) Opened {
	w.t.Helper()
	code, err := w.g.NewLogin(w.t.Context(), p)
	if err != nil {
		w.t.Fatalf("make a login link for %s: %v", p.Name, err)
	}
	opened, err := w.g.Login(w.t.Context(), code)
	if err != nil {
		w.t.Fatalf("log %s in: %v", p.Name, err)
	}
	return opened
}

var ann = Principal{Kind: Operator, Name: "ann", Role: Approver}

// What is no cookie, or is one no longer, lets nobody in.
func TestWhoHasNoSession(t *testing.T) {
	w := newWorld(t, "")
	stored := func(s session) string {
		t.Helper()
		if s.Expires.IsZero() {
			s.Expires = time.Now().Add(time.Hour)
		}
		secret, err := w.g.newSession(t.Context(), sessionRecord, s, "")
		if err != nil {
			t.Fatalf("store the session %+v: %v", s, err)
		}
		return secret
	}
	code, err := w.g.NewLogin(t.Context(), ann)
	if err != nil {
		t.Fatalf("make a login link: %v", err)
	}
	out := w.browser(ann)
	if err := w.g.Logout(t.Context(), out, "ann"); err != nil {
		t.Fatalf("log out: %v", err)
	}
	for name, secret := range map[string]string{
		"nothing": "", "noise": "x", "the code of a link": code, "a very long one": strings.Repeat("x", 201), "one that logged out": out,
		"one of a token that is gone": stored(session{Name: "ann", Role: Approver, Token: "id", Hash: "id"}),
		"one that has expired":        stored(session{Name: "ann", Role: Approver, Expires: time.Now().Add(-time.Second)}),
		"a person of other providers": stored(session{Name: "ann", Role: Approver, Person: "ann", Settings: "others"}),
	} {
		if p, err := w.g.Session(t.Context(), secret); !errors.Is(err, ErrNoSession) || p != (Principal{}) {
			t.Errorf("%s: got %+v, %v, want ErrNoSession", name, p, err)
		}
	}
	w.g.people = "ours"
	if p, err := w.g.Session(t.Context(), stored(session{Name: "ann", Role: Viewer, Person: "a", Settings: "ours"})); err != nil || p != (Principal{Kind: Operator, Name: "ann", Role: Viewer, Person: "a"}) {
		t.Errorf("a person of this gateway's provider: got %+v, %v", p, err)
	}
	for _, p := range []Principal{{}, {Kind: Agent, Name: "a", Role: Admin}, {Kind: Operator, Name: "ann"}, {Kind: Operator, Name: "ann", Role: "owner"}} {
		if code, err := w.g.NewLogin(t.Context(), p); !errors.Is(err, errForbidden) || code != "" {
			t.Errorf("a login link for %+v: got %q, %v, want errForbidden", p, code, err)
		}
	}
}

// A link of a token lets nobody in after the token, and not for longer than it.
func TestLoginEndsWithItsToken(t *testing.T) {
	w := newWorld(t, "")
	for name, tt := range map[string]struct {
		expires time.Duration // of the token, from now; 0 means never
		revoke  bool
		lasts   time.Duration // of the session; 0 means that there is none
	}{
		"a token that stays": {lasts: sessionFor}, "one that ends before": {expires: time.Hour, lasts: time.Hour}, "one that ends after": {expires: 48 * time.Hour, lasts: sessionFor},
		"one that was revoked": {revoke: true},
	} {
		tok := Token{Kind: Operator, Name: "bob", Role: Approver}
		if tt.expires > 0 {
			tok.Expires = time.Now().Add(tt.expires)
		}
		_, about, err := w.g.NewToken(t.Context(), tok)
		if err != nil {
			t.Fatalf("%s: make it: %v", name, err)
		}
		code, err := w.g.NewLogin(t.Context(), Principal{Kind: Operator, Name: "bob", Role: Approver, ID: about.ID})
		if err != nil {
			t.Fatalf("%s: make a login link: %v", name, err)
		}
		if tt.revoke {
			if err := w.g.Revoke(t.Context(), about.ID, "ada"); err != nil {
				t.Fatalf("%s: revoke it: %v", name, err)
			}
		}
		opened, err := w.g.Login(t.Context(), code)
		if (err == nil) != (tt.lasts > 0) || (opened.Cookie != "") != (tt.lasts > 0) {
			t.Errorf("%s: log in: got %v, want a session that lasts %v", name, err, tt.lasts)
		} else if left := time.Until(opened.Expires); err == nil && (left > tt.lasts || left < tt.lasts-time.Minute) {
			t.Errorf("%s: the session lasts %v, want %v", name, left, tt.lasts)
		}
		if _, err := w.g.Login(t.Context(), code); !errors.Is(err, ErrNoSession) {
			t.Errorf("%s: the link a second time: got %v, want ErrNoSession", name, err)
		}
	}
}

// The database fails at its first call, at its second, and so on. Nobody is let in without an
// entry, and a session that is said to have ended has ended.
func TestSessionsOverAFaultyDatabase(t *testing.T) {
	w, f := faulty(t, "")
	admin := Principal{Kind: Operator, Name: "ada", Role: Admin}
	for name, tt := range map[string]struct {
		do   func(secret string) error
		ends bool
	}{
		"look": {func(secret string) error {
			p, err := w.g.Session(t.Context(), secret)
			p.key = ""
			if (err == nil) != (p == ann) {
				t.Errorf("look: got %+v and %v", p, err)
			}
			return err
		}, false},
		"log in": {func(string) error {
			code, err := w.g.NewLogin(t.Context(), ann)
			if err != nil {
				return err
			}
			opened, err := w.g.Login(t.Context(), code)
			if err != nil {
				return err
			}
			_, err = w.g.Session(t.Context(), opened.Cookie)
			return err
		}, false},
		"list":       {func(string) error { _, err := w.g.Browsers(t.Context(), admin); return err }, false},
		"log out":    {func(secret string) error { return w.g.Logout(t.Context(), secret, "ann") }, true},
		"is ended":   {func(secret string) error { return w.g.EndBrowser(t.Context(), admin, BrowserID(secret)) }, true},
		"all ended":  {func(string) error { return w.g.dropSessions(t.Context(), "ada", func(session) bool { return true }) }, true},
		"sweep late": {func(string) error { return w.g.sweepSessions(t.Context()) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			for n := 1; ; n++ {
				f.Arm(0)
				if err := w.g.dropSessions(t.Context(), "", func(session) bool { return true }); err != nil { // each row that is read is a call
					t.Fatalf("end the sessions before: %v", err)
				}
				secret := w.browser(ann)
				f.Arm(n)
				err := tt.do(secret)
				what := f.What()
				f.Arm(0)
				_, now := w.g.Session(t.Context(), secret)
				if now != nil && !errors.Is(now, ErrNoSession) {
					t.Fatalf("call %d (%s): look at the session: %v", n, what, now)
				}
				if what == "" {
					if err != nil || (now != nil) != tt.ends {
						t.Fatalf("without a fault: got %v, and then %v", err, now)
					}
					return
				}
				if errors.Is(err, ErrNoSession) {
					t.Errorf("call %d (%s): got %v, want what failed", n, what, err)
				}
				if err == nil && tt.ends && now == nil {
					t.Errorf("call %d (%s): no error, and the session goes on", n, what)
				}
				if !tt.ends && now != nil {
					t.Errorf("call %d (%s): the session has ended", n, what)
				}
			}
		})
	}
}

// A session needs the key that came with its login until it is unlocked, whatever call to the database
// fails.
func TestSessionNeedsItsKey(t *testing.T) {
	w, f := faulty(t, "")
	other := w.opened(ann)
	each(t, f, func(n int) string {
		o := w.opened(ann)
		p := must(w.g.Session(t.Context(), o.Cookie))
		for _, key := range []string{"", o.Key[1:], o.Cookie, other.Key, hashToken(o.Key)} {
			if p.Unlocks(key) {
				t.Errorf("%q unlocks the session with the key %q", key, o.Key)
			}
		}
		if !p.Keyed() || !p.Unlocks(o.Key) {
			t.Errorf("the key %q unlocks nothing", o.Key)
		}
		if err := w.g.Unlock(t.Context(), o.Key); !errors.Is(err, ErrNoSession) {
			t.Errorf("no session: %v", err)
		}
		f.Arm(n)
		err := w.g.Unlock(t.Context(), o.Cookie)
		at := f.What()
		f.Arm(0)
		if p := must(w.g.Session(t.Context(), o.Cookie)); p.Keyed() != (err != nil) || p.Unlocks("") != (err == nil) {
			t.Errorf("call %d (%s): %v, and it needs a key: %v", n, at, err, p.Keyed())
		}
		return at
	})
}

// A token that is revoked lets no browser in, whatever call to the database fails on the way, and
// nobody is asked in its name.
func TestRevokeLeavesNothingOpen(t *testing.T) {
	w, f := faulty(t, "")
	for _, kind := range []CredentialKind{Operator, Agent} {
		each(t, f, func(n int) string {
			tok := Token{Kind: kind, Name: "bob"}
			if kind == Operator {
				tok.Role = Approver
			}
			secret, about, err := w.g.NewToken(t.Context(), tok)
			if err != nil {
				t.Fatal(err)
			}
			p := must(w.g.holder(t.Context(), secret))
			var cookie, asked string
			if kind == Operator {
				cookie = w.browser(p)
			} else {
				asked = must(w.g.Submit(t.Context(), p, Submission{Category: approval.Network, Action: "CONNECT a.example:443"})).ID
			}
			f.Arm(n)
			err = w.g.Revoke(t.Context(), about.ID, "ada")
			at := f.What()
			f.Arm(0)
			_, gone := w.g.holder(t.Context(), secret)
			if at == "" && (err != nil || gone == nil) {
				t.Errorf("without a fault: %v, %v", err, gone)
			}
			if _, err := w.g.Session(t.Context(), cookie); gone != nil && !errors.Is(err, ErrNoSession) {
				t.Errorf("call %d (%s): the token is gone, and its browser is let in", n, at)
			}
			if err := new(endings).sweep(t.Context(), w.g); err != nil {
				t.Errorf("call %d (%s): sweep: %v", n, at, err)
			}
			if gone != nil && asked != "" && !must(w.s.Get(t.Context(), asked)).State.Final() {
				t.Errorf("call %d (%s): the token is gone, and its request waits", n, at)
			}
			if err := w.g.Revoke(t.Context(), about.ID, "ada"); err != nil && gone == nil { // each row that is read is a call
				t.Errorf("call %d (%s): revoke it again: %v", n, at, err)
			}
			return at
		})
	}
}
