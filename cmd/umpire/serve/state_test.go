//go:build linux

package serve

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/gatewayclient"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/store"
)

// A database without an administrator is a new start only where no token is left of an old one.
func TestFirstTokenOverwritesNone(t *testing.T) {
	home := ownHome(t)
	s, err := store.Open(t.Context(), filepath.Join(home, "db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	g, err := gateway.New(t.Context(), gateway.Options{Store: s, Root: home, Layers: policyfile.Paths{}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	path, err := gatewayclient.TokenFile()
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, "umpo_old\n")
	cmd := &cobra.Command{}
	cmd.SetErr(io.Discard)
	if _, err := firstToken(t.Context(), cmd, g, false); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("firstToken: got error %v, want one with %s", err, path)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "umpo_old\n" {
		t.Errorf("the token is %q, %v", data, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	cmd.SetErr(&said)
	if made, err := firstToken(t.Context(), cmd, g, false); err != nil || !made {
		t.Errorf("firstToken: got %v, %v, want true", made, err)
	}
	if made, err := firstToken(t.Context(), cmd, g, false); err != nil || made || strings.Contains(said.String(), "warning") {
		t.Errorf("again: %v %v %s", made, err, said.String())
	}
	put(t, path, "umpo_of another database\n")
	if made, err := firstToken(t.Context(), cmd, g, false); err != nil || made || !strings.Contains(said.String(), "warning: the token in "+path) {
		t.Errorf("another: %v %v %s", made, err, said.String())
	}
}

// A start replaces a token whose file is lost, if the database is the user's own. A token that the
// person keeps elsewhere, or that an administrator revoked, does not come back.
func TestFirstTokenReplacesALostOne(t *testing.T) {
	for _, tt := range []struct {
		name    string
		lose    func(t *testing.T, g *gateway.Gateway, path, secret string)
		other   bool // the database may be another's
		want    bool
		revoked bool // the token of the first start
	}{
		{name: "file removed", lose: func(*testing.T, *gateway.Gateway, string, string) {}, want: true, revoked: true},
		{name: "shared database", lose: func(*testing.T, *gateway.Gateway, string, string) {}, other: true},
		{name: "kept in UMPIRE_TOKEN", lose: func(t *testing.T, _ *gateway.Gateway, _, secret string) { t.Setenv("UMPIRE_TOKEN", secret) }},
		{name: "another token in UMPIRE_TOKEN", lose: func(t *testing.T, _ *gateway.Gateway, _, secret string) { t.Setenv("UMPIRE_TOKEN", secret+"x") }, want: true, revoked: true},
		{name: "an agent's in UMPIRE_TOKEN", lose: func(t *testing.T, g *gateway.Gateway, _, _ string) {
			secret, _, err := g.NewToken(t.Context(), gateway.Token{Kind: gateway.Agent, Name: "bot", By: "admin"})
			if err != nil {
				t.Fatal(err)
			}
			t.Setenv("UMPIRE_TOKEN", secret)
		}, want: true, revoked: true},
		{name: "revoked", lose: func(t *testing.T, g *gateway.Gateway, _, _ string) {
			if _, _, err := g.NewToken(t.Context(), gateway.Token{Kind: gateway.Operator, Role: gateway.Admin, Name: "ada", By: "admin"}); err != nil {
				t.Fatal(err)
			}
			for _, token := range tokensOf(t, g) {
				if token.Name == "admin" {
					if err := g.Revoke(t.Context(), token.ID, "ada"); err != nil {
						t.Fatal(err)
					}
				}
			}
		}, revoked: true},
		{name: "put back", lose: func(t *testing.T, _ *gateway.Gateway, path, secret string) { put(t, path, secret+"\n") }},
		{name: "of another database", lose: func(t *testing.T, _ *gateway.Gateway, path, _ string) { put(t, path, "umpo_other\n") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			home := ownHome(t)
			s, err := store.Open(t.Context(), filepath.Join(home, "db"))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			g, err := gateway.New(t.Context(), gateway.Options{Store: s, Root: home, Layers: policyfile.Paths{}, Log: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			path, err := gatewayclient.TokenFile()
			if err != nil {
				t.Fatal(err)
			}
			cmd := &cobra.Command{}
			cmd.SetErr(io.Discard)
			if _, err := firstToken(t.Context(), cmd, g, true); err != nil {
				t.Fatal(err)
			}
			first, err := os.ReadFile(path)
			if err != nil || os.Remove(path) != nil {
				t.Fatal(err)
			}
			secret := strings.TrimSpace(string(first))
			tt.lose(t, g, path, secret)
			made, err := firstToken(t.Context(), cmd, g, !tt.other)
			if err != nil || made != tt.want {
				t.Fatalf("firstToken: got %v, %v, want %v", made, err, tt.want)
			}
			if known, err := g.Knows(t.Context(), secret); err != nil || known == tt.revoked {
				t.Errorf("the first token is valid: got %v, %v, want %v", known, err, !tt.revoked)
			}
			if !tt.want {
				return
			}
			second, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if known, err := g.Knows(t.Context(), strings.TrimSpace(string(second))); err != nil || !known {
				t.Errorf("the new token is valid: got %v, %v, want true", known, err)
			}
			if made, err := firstToken(t.Context(), cmd, g, true); err != nil || made {
				t.Errorf("the next start: got %v, %v, want false", made, err)
			}
		})
	}
}

func tokensOf(t *testing.T, g *gateway.Gateway) []gateway.Token {
	t.Helper()
	list, err := g.Tokens(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Only the user of the gateway reads and writes its state.
func TestGuardState(t *testing.T) {
	for _, tt := range []struct {
		name   string
		mode   os.FileMode
		refuse bool
		after  os.FileMode
	}{
		{"", 0o755, false, 0o700}, {"", 0o775, true, 0o775}, {"gateway", 0o777, true, 0o777}, {"gateway", 0o750, false, 0o700}, {"operator.token", 0o644, true, 0o644}, {"operator.token", 0o600, false, 0o600},
	} {
		ownHome(t)
		path, err := gatewayclient.TokenFile()
		if err != nil {
			t.Fatal(err)
		}
		put(t, path, "x\n")
		put(t, filepath.Join(filepath.Dir(path), "gateway", "x"), "x\n")
		for p, m := range map[string]os.FileMode{"": 0o700, "gateway": 0o700, "operator.token": 0o600, tt.name: tt.mode} {
			if p != tt.name || m == tt.mode {
				if err := os.Chmod(filepath.Join(filepath.Dir(path), p), m); err != nil {
					t.Fatal(err)
				}
			}
		}
		at := filepath.Join(filepath.Dir(path), tt.name)
		var said bytes.Buffer
		err = guardState(slog.New(slog.NewTextHandler(&said, nil)))
		fi, e := os.Stat(at)
		if e != nil {
			t.Fatal(e)
		}
		if (err != nil) != tt.refuse || fi.Mode().Perm() != tt.after {
			t.Errorf("%s with %o: %v, mode %o", tt.name, tt.mode, err, fi.Mode().Perm())
		}
		if tt.after != tt.mode && said.Len() == 0 {
			t.Errorf("%s with %o: nothing is said", tt.name, tt.mode)
		}
	}
}

func TestDatabaseIsAPostgres(t *testing.T) {
	for name, ok := range map[string]bool{"": true, "postgres://u@h/d": true, "postgresql://u@h/d": true, "postgre://u@h/d": false, "mysql://h": false, "host=h dbname=d": false} {
		if err := checkDatabase(name); (err == nil) != ok {
			t.Errorf("checkDatabase(%q): got error %v, want none: %v", name, err, ok)
		}
	}
}

// A variable with umpire's prefix is the one that is meant.
func TestSettings(t *testing.T) {
	t.Setenv("MAX_UPTIME", "1h")
	if v, from := setting("MAX_UPTIME"); v != "1h" || from != "MAX_UPTIME" {
		t.Errorf("MAX_UPTIME: got %q from %q, want 1h from MAX_UPTIME", v, from)
	}
	t.Setenv("UMPIRE_MAX_UPTIME", "2h")
	if v, from := setting("MAX_UPTIME"); v != "2h" || from != "UMPIRE_MAX_UPTIME" {
		t.Errorf("UMPIRE_MAX_UPTIME: got %q from %q, want 2h from UMPIRE_MAX_UPTIME", v, from)
	}
}

// A client that never ends its request delays the end, and does not make it a failure.
func TestStopWithAnOpenRequest(t *testing.T) {
	reached := make(chan struct{})
	s := &side{addr: "127.0.0.1:0", srv: gateway.Server(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(reached)
		_, _ = io.Copy(io.Discard, r.Body)
	}))}
	if err := s.listen(t.Context(), slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	failed := make(chan error, 1)
	s.start(slog.New(slog.DiscardHandler), nil, failed)
	c, err := new(net.Dialer).DialContext(t.Context(), "tcp", s.ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf"); err != nil {
		t.Fatal(err)
	}
	<-reached
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := s.stop(ctx); err != nil {
		t.Errorf("stop: got error %v, want none", err)
	}
	if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
		t.Errorf("Serve ended with %v, want %v", err, http.ErrServerClosed)
	}
	if _, err := c.Read(make([]byte, 1)); err == nil {
		t.Error("the connection is open")
	}
}

// A reload ends nothing.
func TestHangUpReads(t *testing.T) {
	home := ownHome(t)
	s, err := store.Open(context.WithoutCancel(t.Context()), filepath.Join(home, "db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	g, err := gateway.New(t.Context(), gateway.Options{Store: s, Root: home, Layers: policyfile.Paths{}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	lines, reload := make(writes, 1), make(chan os.Signal, 1)
	go rereadOn(t.Context(), reload, g, slog.New(slog.NewTextHandler(lines, nil)))
	reload <- syscall.SIGHUP
	if line := <-lines; !strings.Contains(line, "reloaded the policy") {
		t.Errorf("log: got %q, want \"reloaded the policy\"", line)
	}
}

// writes is told what is written.
type writes chan string

func (s writes) Write(b []byte) (int, error) {
	s <- string(b)
	return len(b), nil
}

// ownHome gives a test a home folder: the state folder of whoever runs it stays as it is.
func ownHome(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, ".local", "state"))
	return dir
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The link for the first login opens the pages where they are served, also if that is every address.
func TestPrintLogin(t *testing.T) {
	s, err := store.Open(t.Context(), filepath.Join(ownHome(t), "db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	g, err := gateway.New(t.Context(), gateway.Options{Store: s, Root: t.TempDir(), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		addr string
		tls  bool
		want string
	}{
		{"127.0.0.1:3700", false, "http://127.0.0.1:3700/login?code="},
		{"0.0.0.0:80", false, "http://127.0.0.1:80/login?code="},
		{"[::]:443", true, "https://127.0.0.1:443/login?code="},
		{"umpire.example:443", true, "https://umpire.example:443/login?code="},
	} {
		var said strings.Builder
		cmd := &cobra.Command{}
		cmd.SetErr(&said)
		if err := printLogin(t.Context(), cmd, g, tt.addr, tt.tls); err != nil || !strings.Contains(said.String(), " "+tt.want) {
			t.Errorf("%s: got %q, %v, want a link that begins with %s", tt.addr, said.String(), err, tt.want)
		}
	}
}
