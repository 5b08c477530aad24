package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/cmd/umpire/serve"
)

func TestCA(t *testing.T) {
	dir := newProject(t)
	if out, exit := runUmpire(t, dir, "", "ca", "show"); exit != cli.ExitFailure || !strings.Contains(out, "umpire ca create") {
		t.Errorf("before there is one: %d %s", exit, out)
	}
	for flag, value := range map[string]string{"--guard-bodies": "*", "--intercept": "example.com"} {
		if out, exit := runUmpire(t, dir, "", "serve", "--listen", "127.0.0.1:0", "--proxy", "127.0.0.1:0", flag, value); exit != cli.ExitFailure || !strings.Contains(out, flag+": to read inside TLS, the proxy needs a CA") || !strings.Contains(out, "umpire ca create") {
			t.Errorf("serve %s without one: %d %s", flag, exit, out)
		}
	}
	out, exit := runUmpire(t, dir, "", "ca", "create", "--json")
	var about serve.AboutCA
	if err := json.Unmarshal([]byte(out), &about); err != nil || exit != 0 {
		t.Fatalf("ca as JSON: got exit status %d, %v: %s", exit, err, out)
	}
	if out, exit := runUmpire(t, dir, "", "ca", "create"); exit != cli.ExitFailure || !strings.Contains(out, "rotate") {
		t.Errorf("a second one: %d %s", exit, out)
	}
	if out, exit := runUmpire(t, dir, "", "ca", "show"); exit != 0 || !strings.Contains(out, about.Fingerprint) {
		t.Errorf("exit %d and %q, want %d and %q", exit, out, 0, about.Fingerprint)
	}
	if out, _ := runUmpire(t, dir, "", "ca", "path"); strings.TrimSpace(out) != about.Certificate {
		t.Errorf("ca path: got %q, want %q", out, about.Certificate)
	}
	if out, _ := runUmpire(t, dir, "", "ca", "path", "--bundle"); strings.TrimSpace(out) != about.Bundle {
		t.Errorf("ca path --bundle: got %q, want %q", out, about.Bundle)
	}
	for _, name := range []string{"NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "GIT_SSL_CAINFO"} {
		if out, _ := runUmpire(t, dir, "", "ca", "trust"); !strings.Contains(out, "export "+name+"='"+about.Bundle+"'\n") {
			t.Errorf("ca trust: want %s set to %s:\n%s", name, about.Bundle, out)
		}
	}
	out, exit = runUmpire(t, dir, "", "ca", "rotate", "--json")
	var next serve.AboutCA
	if err := json.Unmarshal([]byte(out), &next); err != nil || exit != 0 || next.Fingerprint == about.Fingerprint {
		t.Fatalf("a new ca: got exit status %d, %v, want another fingerprint than %s:\n%s", exit, err, about.Fingerprint, out)
	}
	// No command prints the key.
	key, err := os.ReadFile(filepath.Join(filepath.Dir(about.Certificate), "key.pem"))
	if err != nil {
		t.Fatal(err)
	}
	secret := strings.Split(string(key), "\n")[1]
	for _, args := range [][]string{{"show"}, {"show", "--json"}, {"trust"}, {"trust", "--json"}, {"path"}} {
		if out, _ := runUmpire(t, dir, "", append([]string{"ca"}, args...)...); strings.Contains(out, secret) {
			t.Errorf("%v prints the key", args)
		}
	}
}
