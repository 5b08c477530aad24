package decision_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/decision"
	"github.com/umpire-dev/umpire/policy"
	"github.com/umpire-dev/umpire/reader"
)

func bash(command string) umpire.Action {
	input, _ := json.Marshal(map[string]string{"command": command})
	return umpire.Action{Tool: "Bash", Input: input, Dir: "/home/dev/shop"}
}

// A call that cannot be read is denied, even by a caller that drops the error.
func TestUnreadIsDenied(t *testing.T) {
	p, err := policy.Compile(policy.Source{Default: umpire.Allow})
	if err != nil {
		t.Fatal(err)
	}
	res, err := decision.New(p, machine{}).Decide(t.Context(), umpire.Action{Tool: "Bash", Dir: "shop"})
	if !errors.Is(err, reader.ErrIncomplete) || res.Effect != umpire.Deny {
		t.Errorf("%v, %v", res.Effect, err)
	}
	if res, err := decision.New(nil, machine{}).Decide(t.Context(), bash("ls")); err != nil || res.Effect != umpire.Deny {
		t.Errorf("without a policy: %v, %v", res.Effect, err)
	}
}

// Decide says what to set where nothing says where a call would run, or by which policy.
func TestIncompletePoint(t *testing.T) {
	p, err := policy.Compile(policy.Source{Default: umpire.Allow})
	if err != nil {
		t.Fatal(err)
	}
	a := bash("ls")
	a.Dir = ""
	point := decision.New(p, machine{})
	if res, err := point.Decide(t.Context(), a); !errors.Is(err, reader.ErrIncomplete) || !strings.Contains(err.Error(), "Dir") || res.Effect != umpire.Deny {
		t.Errorf("without a folder: %v, %v", res.Effect, err)
	}
	point.Dir = "/home/dev/shop"
	if res, err := point.Decide(t.Context(), a); err != nil || res.Effect != umpire.Allow || res.Action.Dir != point.Dir {
		t.Errorf("with a folder: %v in %q, %v", res.Effect, res.Action.Dir, err)
	}
	if res, err := new(decision.Point).Decide(t.Context(), a); err == nil || !strings.Contains(err.Error(), "decision.New") || res.Effect != umpire.Deny {
		t.Errorf("a zero Point: %v, %v", res.Effect, err)
	}
	var none *decision.Point
	if res, err := none.Decide(t.Context(), a); err == nil || res.Effect != umpire.Deny {
		t.Errorf("a nil Point: %v, %v", res.Effect, err)
	}
	if res, err := decision.New(p, nil).Decide(t.Context(), a); !errors.Is(err, reader.ErrIncomplete) || res.Effect != umpire.Deny {
		t.Errorf("without a machine: %v, %v", res.Effect, err)
	}
}

// A rule that is added counts from the next decision on, and a fault keeps the last good
// policy.
func TestOpenFileSeesChanges(t *testing.T) {
	file := filepath.Join(t.TempDir(), "policy.yaml")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("version: 1\n")
	point, err := decision.OpenFile(file)
	if err != nil {
		t.Fatal(err)
	}
	decide := func(want umpire.Effect, fault bool) {
		t.Helper()
		a := bash("frobnicate x")
		a.Home = "/home/dev"
		if res, err := point.Decide(t.Context(), a); err != nil || res.Effect != want || (res.Fault != nil) != fault {
			t.Errorf("%v, fault %v, %v: want %v", res.Effect, res.Fault, err, want)
		}
	}
	decide(umpire.Allow, false)
	write("version: 1\nrules:\n  - deny: exec(frobnicate *)\n")
	decide(umpire.Deny, false)
	write("version: 1\nrules:\n  - deny: exec(frobnicate\n")
	decide(umpire.Deny, true)
	if point.Policy() == nil {
		t.Error("there is no policy")
	}
	if _, err := decision.OpenFile(filepath.Join(t.TempDir(), "none.yaml")); err == nil {
		t.Error("a file that is not there was opened")
	}
	for _, dir := range []string{file, filepath.Join(file, "sub"), filepath.Join(t.TempDir(), "none")} {
		if _, err := decision.Open(dir); err == nil {
			t.Errorf("%s is not a folder, and was opened", dir)
		}
	}
}

func TestOpen(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	dir := filepath.Join(home, "shop")
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".umpire.yaml"), []byte("version: 1\nrules:\n  - deny: exec(frobnicate *)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	point, err := decision.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]umpire.Effect{"frobnicate x": umpire.Deny, "rm -rf ~": umpire.Deny, "ls": umpire.Allow} {
		a := bash(command)
		a.Dir = "" // the folder of the Point
		if res, err := point.Decide(t.Context(), a); err != nil || res.Effect != want {
			t.Errorf("%s: %v, %v", command, res.Effect, err)
		}
	}
}

func TestLoadNamesFaults(t *testing.T) {
	_, err := decision.Load("policy.yaml", []byte("version: 1\ndefaultActoin: ask\nrules:\n  - deny: exec(git pus\n"))
	if err == nil || !strings.Contains(err.Error(), "policy.yaml:2:1") || !strings.Contains(err.Error(), "policy.yaml:4:") {
		t.Errorf("%v", err)
	}
	src, err := decision.Load("policy.yaml", []byte("version: 1\npacks: [git]\n"))
	if err != nil || len(src.Rules) == 0 {
		t.Errorf("%d rules, %v", len(src.Rules), err)
	}
}
