package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/cmd/umpire/policy"
	"github.com/umpire-dev/umpire/internal/terminal"
)

// newRoot returns umpire as main starts it.
func newRoot() *cobra.Command { return rootCommand(cli.Process()) }

// person is this process, but never an agent: an agent may run the tests.
func person() cli.Invoker {
	by := cli.Process()
	by.Agent = func() error { return nil }
	return by
}

// runUmpire runs the program and returns what it printed and its exit status.
func runUmpire(t *testing.T, dir, stdin string, args ...string) (out string, exit int) {
	t.Helper()
	return runUmpireBy(t, cli.Process(), dir, stdin, args...)
}

// runUmpireBy runs umpire as if this invoker had started it.
func runUmpireBy(t *testing.T, by cli.Invoker, dir, stdin string, args ...string) (out string, exit int) {
	t.Helper()
	t.Chdir(dir)
	root := rootCommand(by)
	var b bytes.Buffer
	root.SetOut(&b)
	root.SetErr(&b)
	root.SetIn(strings.NewReader(stdin))
	root.SetArgs(args)
	err := root.Execute()
	if err != nil {
		b.WriteString(err.Error())
	}
	return b.String(), cli.Status(err)
}

func newProject(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, k := range []string{"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "TMPDIR"} {
		t.Setenv(k, "")
	}
	dir := filepath.Join(home, "proj")
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestCheck(t *testing.T) {
	dir := newProject(t)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	own := "version: 1\ndefaultAction: ask\nrules:\n  - allow: git(push origin *)\n"
	if err := os.WriteFile(filepath.Join(dir, "own.yaml"), []byte(own), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "warns.yaml"), []byte("version: 1\ndisable: [nope]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for quiet, want := range map[string]string{"--quiet": "", "--quiet=false": "warning: "} {
		if out, exit := runUmpire(t, dir, "", "check", quiet, "--policy", "warns.yaml", "ls"); exit != 0 || (out == "") != (want == "") || !strings.Contains(out, want) {
			t.Errorf("%s: exit %d: %s", quiet, exit, out)
		}
	}
	for _, tt := range []struct {
		args  []string
		stdin string
		exit  int
		says  string
	}{
		{[]string{"check", "ls"}, "", 0, "allow (the safe pack allows all of it)"},
		{[]string{"check", "--policy", "own.yaml", "git push origin topic"}, "", 0, "allow (by the rules above and the safe pack)"},
		{[]string{"check", "--policy", "own.yaml", "ls && go tool cover -func=c.out"}, "", cli.ExitAsk, "  exec(go tool cover -func=c.out)\n    no rule settles it: the default applies\n"},
		{[]string{"check", "--policy", "own.yaml", "--json", "ls && go tool cover -func=c.out"}, "", cli.ExitAsk, `"unsettled": [`},
		{[]string{"check", "rm -rf ~"}, "", cli.ExitDeny, "delete-home"},
		{[]string{"check", "rm", "-q"}, "", 0, ""},
		{[]string{"check", "sudo systemctl stop nginx"}, "", cli.ExitAsk, "service-stop"},
		{[]string{"check", "-"}, "ls\nrm -rf ~\n", cli.ExitDeny, "delete-home"},
		{[]string{"check"}, "rm -rf ~", cli.ExitDeny, "delete-home"},
		{[]string{"check"}, `{"hook_event_name":"PreToolUse","tool_name":"Write","cwd":"/w","tool_input":{"file_path":"/etc/passwd","content":"x"}}`, cli.ExitDeny, "write(/etc/passwd)"},
		{[]string{"check", "--tool", "Read", `{"file_path":"~/.ssh/id_rsa"}`}, "", cli.ExitDeny, "secrets-read-credentials"},
		{[]string{"check", "--tool", "Read", `{`}, "", cli.ExitUsage, "not valid JSON"},
		{[]string{"check", "--tool", "PowerShell", "ri -r -fo ~"}, "", cli.ExitDeny, "delete-home"},
		{[]string{"check", "--tool", "PowerShell", `{"command":"ri -r -fo ~"}`}, "", cli.ExitDeny, "delete-home"},
		{[]string{"check", "--tool", "Bash", ` {"command":"rm -rf ~"}`}, "", cli.ExitDeny, "delete-home"},
		{[]string{"check", "--nonsense"}, "", cli.ExitUsage, "unknown flag"},
		{[]string{"check", " "}, "", cli.ExitUsage, "empty"},
		{[]string{"check", "-C", "main.go", "ls"}, "", cli.ExitUsage, "main.go is not a folder"},
		{[]string{"check", "-C", "missing", "ls"}, "", cli.ExitUsage, "missing is not a folder"},
		{[]string{"judge", "-C", "main.go", "ls"}, "", cli.ExitUsage, "main.go is not a folder"},
		{[]string{"exec", "-C", "missing", "--", "true"}, "", cli.ExitUsage, "missing is not a folder"},
		{[]string{"policy", "compile", "-C", "missing"}, "", cli.ExitUsage, "missing is not a folder"},
		{[]string{"serve", "-C", "main.go"}, "", cli.ExitUsage, "main.go is not a folder"},
		{[]string{"run", "-C", "main.go", "--", "true"}, "", cli.ExitUsage, "main.go is not a folder"},
		{[]string{"review", "--engine", "none", "--json", "--format", "sarif", "."}, "", cli.ExitUsage, "--json and --format sarif"},
		{[]string{"check", "--policy", "none.yaml", "ls"}, "", cli.ExitFailure, "no such file"},
		{[]string{"check", "echo \x1b[2J"}, "", cli.ExitDeny, "U+001B"},
	} {
		out, exit := runUmpire(t, dir, tt.stdin, tt.args...)
		if exit != tt.exit || !strings.Contains(out, tt.says) || strings.Contains(out, "\x1b") {
			t.Errorf("umpire %q: exit %d, want %d; printed %q, want %q", tt.args, exit, tt.exit, out, tt.says)
		}
	}
}

func TestCheckJSON(t *testing.T) {
	out, exit := runUmpire(t, newProject(t), "", "check", "--json", "rm -rf ~")
	var doc struct {
		Effect     string
		Operations []struct{ Kind, Resource string }
		Reasons    []struct{ Rule string }
	}
	if err := json.NewDecoder(strings.NewReader(out)).Decode(&doc); err != nil || exit != cli.ExitDeny || doc.Effect != "deny" || len(doc.Operations) != 2 || len(doc.Reasons) == 0 {
		t.Errorf("exit %d, %v: %s", exit, err, out)
	}
	for command, safe := range map[string]string{"touch notes.txt": "true", "frobnicate": "false"} {
		if out, _ := runUmpire(t, newProject(t), "", "check", "--json", command); !strings.Contains(out, `"safe": `+safe) {
			t.Errorf("check --json %q: want safe %s:\n%s", command, safe, out)
		}
	}
	dir := newProject(t)
	ownPolicy(t, "mode: observe\n")
	if out, exit := runUmpire(t, dir, "", "check", "--json", "rm -rf ~"); exit != cli.ExitDeny || !strings.Contains(out, `"observe": true`) {
		t.Errorf("a policy that only observes: exit status %d, want \"observe\": true in\n%s", exit, out)
	}
}

// A rule that an untrusted project cannot disable is not shown as disabled.
func TestPolicyShowDisabled(t *testing.T) {
	dir := newProject(t)
	ownPolicy(t, "disable: [delete-home]\nobserve: [git-reset-hard]\n")
	put(t, filepath.Join(dir, ".umpire.yaml"), "version: 1\ndisable: [privilege]\n")
	out, exit := runUmpire(t, dir, "", "policy", "show")
	if exit != 0 || !strings.Contains(out, "disabled       delete-home (user)\n") || !strings.Contains(out, "disabled       git-reset-hard (user)\n") || strings.Contains(out, "disabled       privilege") {
		t.Errorf("exit status %d, want delete-home and git-reset-hard disabled, and not privilege:\n%s", exit, out)
	}
}

func TestReplay(t *testing.T) {
	day, err := filepath.Abs("../../examples/day.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	dir := newProject(t)
	out, exit := runUmpire(t, dir, "", "replay", day)
	if exit != 0 || !strings.Contains(out, "34 calls") || !strings.Contains(out, "git-push-force-protected") {
		t.Errorf("exit %d: %s", exit, out)
	}
	transcript := `{"type":"user","message":{"role":"user","content":"hello"},"cwd":"/home/dev/x"}
not JSON
{"type":"assistant","message":{"content":[{"type":"text","text":"x"},{"type":"tool_use","id":"t","name":"Bash","input":{"command":"rm -rf ~"}}]}}
{"type":"assistant","mess`
	out, exit = runUmpire(t, dir, transcript, "replay", "-")
	if exit != 0 || !strings.Contains(out, "1 call:") || !strings.Contains(out, "1 denied") || !strings.Contains(out, "2 lines") {
		t.Errorf("exit %d: %s", exit, out)
	}
	if out, exit := runUmpire(t, dir, "", "replay", dir); exit != cli.ExitFailure {
		t.Errorf("a folder: exit %d: %s", exit, out)
	}
}

func TestPolicyCommands(t *testing.T) {
	dir := newProject(t)
	good, bad := filepath.Join(dir, "good.yaml"), filepath.Join(dir, "bad.yaml")
	for name, text := range map[string]string{
		good:                               "version: 1\nrules:\n  - id: mine\n    deny: exec(frob *)\n    reason: no\n    hits: ['frob x']\n    misses: ['echo frob x']\n",
		bad:                                "version: 1\nruels: []\nrules:\n  - deny: exec(a\n",
		filepath.Join(dir, ".umpire.yaml"): "version: 1\nrules:\n  - deny: exec(zap)\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		args []string
		exit int
		says string
	}{
		{[]string{"policy", "check"}, 0, "ok: "},
		{[]string{"policy", "check", good}, 0, "ok: "},
		{[]string{"policy", "check", bad}, cli.ExitFailure, "bad.yaml:2:"},
		{[]string{"policy", "check", bad}, cli.ExitFailure, "2 faults"},
		{[]string{"policy", "test", good}, 0, " 0 failed"},
		{[]string{"policy", "list"}, 0, "delete-root"},
		{[]string{"policy", "list"}, 0, "exec(zap)"},
		{[]string{"policy", "list", "--json", "--pack", "git"}, 0, `"git-reset-hard"`},
		{[]string{"policy", "show"}, 0, ".umpire.yaml (project, 1 rule)"},
		{[]string{"policy", "explain", "delete-root"}, 0, "locked"},
		{[]string{"policy", "explain", "taint-upload"}, 0, "tainted   true"},
		{[]string{"policy", "explain", "taint-upload"}, 0, "git push origin fix (in a tainted session)"},
		{[]string{"policy", "explain", "none-such"}, cli.ExitFailure, "umpire policy list"},
		{[]string{"policy", "compile"}, 0, "compiled "},
		{[]string{"policy", "schema"}, 0, `"$schema"`},
		{[]string{"policy", "suggest"}, 0, "nothing to propose"},
		{[]string{"check", "zap"}, cli.ExitDeny, "zap"},
		{[]string{"trust", "--yes"}, cli.ExitFailure, ""}, // nobody is at a terminal
		{[]string{"audit", "verify"}, cli.ExitFailure, "no events are recorded yet"},
		{[]string{"trust", "--revoke"}, 0, ""},
		{[]string{"completion", "bash"}, 0, "bash completion"},
		{[]string{"man", filepath.Join(dir, "man")}, 0, "wrote manual pages"},
		{[]string{"--version"}, 0, "umpire version"},
	} {
		if out, exit := runUmpire(t, dir, "", tt.args...); exit != tt.exit || !strings.Contains(out, tt.says) {
			t.Errorf("umpire %q: exit %d, want %d; printed %.300q, want %q", tt.args, exit, tt.exit, out, tt.says)
		}
	}
}

// trust has a person run umpire trust, and answer.
func trust(t *testing.T, dir, answer string, args ...string) error {
	t.Helper()
	t.Chdir(dir)
	c := policy.NewTrust(func() (terminal.Person, error) { return &scripted{lines: strings.Fields(answer)}, nil })
	c.SetArgs(append([]string{}, args...)) // none are not nil: then they were the test program's
	c.SetOut(io.Discard)
	c.SetErr(io.Discard)
	return c.Execute()
}

// Trust ends with any change of the file.
func TestTrust(t *testing.T) {
	dir := newProject(t)
	file := filepath.Join(dir, ".umpire.yaml")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const loosening = "version: 1\nrules:\n  - allow: system(service restart nginx)\n  - allow: exec(systemctl restart nginx)\n"
	check := func() int {
		_, exit := runUmpire(t, dir, "", "check", "systemctl restart nginx")
		return exit
	}
	write(loosening)
	if got := check(); got != cli.ExitAsk {
		t.Errorf("before trust: %d", got)
	}
	if err := trust(t, dir, "n"); err == nil || check() != cli.ExitAsk {
		t.Errorf("trusted by a no: %v", err)
	}
	if out, exit := runUmpire(t, dir, "", "trust", "--yes"); exit == 0 || check() != cli.ExitAsk {
		t.Errorf("without a person: %d %s", exit, out)
	}
	if err := trust(t, dir, "", "--yes"); err != nil || check() != 0 {
		t.Errorf("a person's --yes: %v", err)
	}
	if out, exit := runUmpire(t, dir, "", "trust", "--revoke"); exit != 0 || check() != cli.ExitAsk {
		t.Errorf("revoked: %d %s", exit, out)
	}
	if err := trust(t, dir, "y", ".umpire.yaml"); err != nil {
		t.Fatal(err)
	}
	if got := check(); got != 0 {
		t.Errorf("trusted: %d", got)
	}
	write(loosening + "# changed\n")
	if got := check(); got != cli.ExitAsk {
		t.Errorf("after a change: %d", got)
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
