package main

import (
	"bufio"
	"bytes"
	"context"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/login"
	"github.com/umpire-dev/umpire/internal/login/logintest"
)

// A team's member logs in to the program's pages through a provider, and is in the audit
// log.
func TestServeLogin(t *testing.T) {
	bin := program(t)
	dir := newProject(t)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte(logintest.Secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	idp := logintest.Start(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	env := []string{"HOME=" + filepath.Dir(dir), "PATH=" + os.Getenv("PATH")}
	gw := exec.CommandContext(ctx, bin, "serve", "--listen", "127.0.0.1:0", "--oidc-issuer", idp.Issuer, "--oidc-client-id", logintest.ClientID, "--oidc-client-secret-file", secret,
		"--oidc-role", "approver=groups=ops", "--oidc-scope", "groups", "--oidc-name", "Example")
	gw.Dir, gw.Env = dir, env
	log, err := gw.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := gw.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = gw.Process.Kill()
		_ = gw.Wait()
	}()
	var at string
	lines := bufio.NewScanner(log)
	for at == "" && lines.Scan() {
		if m := regexp.MustCompile(`address=(127\.0\.0\.1:\d+)`).FindStringSubmatch(lines.Text()); m != nil {
			at = "http://" + m[1]
		}
	}
	go func() {
		for lines.Scan() { // else it would wait for somebody to read
		}
	}()
	idp.Serve(at+login.Path, map[string]logintest.Claims{"ada": {"email": "ada@team.example", "email_verified": true, "groups": []string{"ops"}}}, false)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	do := func(method, address string, form url.Values) string {
		t.Helper()
		req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader([]byte(form.Encode())))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		res, err := browser.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	if page := do("GET", at+"/", nil); !strings.Contains(page, "Log in with Example") {
		t.Fatalf("the first page: want a link to the provider:\n%s", page)
	}
	page := do("GET", at+"/login/oidc", nil)
	m := regexp.MustCompile(`<form[^>]* action="([^"]+)"`).FindStringSubmatch(page)
	if m == nil {
		t.Fatalf("the provider's page: want a form:\n%s", page)
	}
	if page = do("POST", html.UnescapeString(m[1]), url.Values{"prompt": {"login"}, "login": {"ada"}, "password": {"x"}}); !strings.Contains(page, "You are logged in") {
		t.Fatalf("after the login: want a page that says so:\n%s", page)
	}
	who := "ada@team.example (ada at " + idp.Issuer + ")"
	if page = html.UnescapeString(do("GET", at+"/", nil)); !strings.Contains(page, who+" (approver)") {
		t.Errorf("the first page after the login: want %s as approver:\n%s", who, page)
	}
	for { // the audit log follows the store's record
		cmd := exec.CommandContext(ctx, bin, "audit", "tail", "-n", "50", "--json")
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		if err == nil && strings.Contains(string(out), `"by":"`+who+`"`) && strings.Contains(string(out), `"subject":"ada"`) {
			break
		}
		if ctx.Err() != nil {
			t.Fatalf("the gateway did not end in time: %v\n%s", err, out)
		}
	}
}

func TestServeLoginFlags(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	full := func(more ...string) []string {
		return append([]string{"serve", "--listen", "127.0.0.1:0", "--oidc-issuer", "https://login.example.org", "--oidc-client-id", "umpire"}, more...)
	}
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no issuer":             {[]string{"serve", "--oidc-client-id", "umpire"}, "--oidc-client-id requires --oidc-issuer"},
		"a session of nobody":   {[]string{"serve", "--oidc-session", "1h"}, "--oidc-session requires --oidc-issuer"},
		"nobody":                {full(), "no one has access"},
		"no role":               {full("--oidc-role", "groups=ops"), "ROLE=CLAIM=VALUE"},
		"an unknown role":       {full("--oidc-role", "root=groups=ops"), "unknown role"},
		"no value":              {full("--oidc-role", "admin=groups="), "with a value"},
		"everybody":             {full("--oidc-role", "admin=email=*"), "does not match the addresses of one domain"},
		"a domain without at":   {full("--oidc-role", "admin=email=*example.org"), "does not match the addresses of one domain"},
		"a pattern":             {full("--oidc-role", "admin=groups=*"), "must have the form"},
		"no TLS":                {full("--oidc-role", "admin=groups=ops", "--oidc-issuer", "http://login.example.org"), "not https"},
		"a redirect elsewhere":  {full("--oidc-role", "admin=groups=ops", "--oidc-redirect", "https://gateway.lan/"), "ends with /login/oidc/callback"},
		"a session for ever":    {full("--oidc-role", "admin=groups=ops", "--oidc-session", "800h"), "at most"},
		"no such file":          {full("--oidc-role", "admin=groups=ops", "--oidc-client-secret-file", filepath.Join(dir, "none")), "no such file"},
		"an empty file":         {full("--oidc-role", "admin=groups=ops", "--oidc-client-secret-file", file("empty", "\n")), "has no secret"},
		"a file of two lines":   {full("--oidc-role", "admin=groups=ops", "--oidc-client-secret-file", file("two", "a\nb\n")), "has no secret"},
		"a file without an end": {full("--oidc-role", "admin=groups=ops", "--oidc-client-secret-file", "/dev/zero"), "is larger than"},
	} {
		t.Run(name, func(t *testing.T) {
			out, exit := runUmpire(t, newProject(t), "", c.args...)
			if exit == 0 || !strings.Contains(out, c.want) {
				t.Errorf("got exit status %d, output %q, want a failure with %q", exit, out, c.want)
			}
		})
	}
}
