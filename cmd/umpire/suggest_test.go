package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/cmd/umpire/completion"
)

// The last letter of a flag is forgotten: the error names the flag, or one as near.
func TestNearestFlag(t *testing.T) {
	everyCommand(newRoot(), func(c *cobra.Command) {
		c.InheritedFlags() // merges those of the parents
		c.Flags().VisitAll(func(f *pflag.Flag) {
			typed := "--" + f.Name[:len(f.Name)-1]
			if f.Hidden || len(f.Name) < 3 || c.Flags().Lookup(typed[2:]) != nil {
				return
			}
			if got := cli.FlagFault(c, c.ParseFlags([]string{typed})); got == nil || !strings.Contains(got.Error(), "did you mean --") {
				t.Errorf("%s %s: got error %v, want one that suggests a flag", c.CommandPath(), typed, got)
			}
		})
	})
}

// A wrong provider is a usage error, also in the variable. The token of an agent is none of an operator.
func TestWrongEnvironment(t *testing.T) {
	dir := newProject(t)
	t.Setenv("PROVIDER", "bogus")
	if out, exit := runUmpire(t, dir, "", "agent", "-p", "hi"); exit != cli.ExitUsage || !strings.Contains(out, `PROVIDER is "bogus"`) {
		t.Errorf("a wrong provider: status %d, %s, want %d and its name", exit, out, cli.ExitUsage)
	}
	t.Setenv("UMPIRE_TOKEN", "umpa_x")
	if out, exit := runUmpire(t, dir, "", "queue"); exit != cli.ExitFailure || !strings.Contains(out, "the token of an agent") {
		t.Errorf("an agent's token: status %d, %s, want %d and the reason", exit, out, cli.ExitFailure)
	}
}

func TestNearestWords(t *testing.T) {
	dir := newProject(t)
	if out, exit := runUmpire(t, dir, "", "check", "--client", "cladue", "ls"); exit != 0 || !strings.Contains(out, "did you mean claude?") {
		t.Errorf("a misspelled client: status %d, %s, want 0, because rules may name their own, and a hint", exit, out)
	}
	for _, tt := range []struct{ args, want string }{
		{"init --hook /bin/true cluade", "did you mean claude?"},
		{"uninstall codexx", "did you mean codex?"},
		{"init --hook /bin/true aider", "supported agents: claude"},
		{"policy explain delete-hom", "did you mean delete-home?"},
		{"policy explain nothing-like-it", "umpire policy list"},
		{"status --jsno", "unknown flag --jsno (did you mean --json?); see umpire status --help"},
		{"review --fromat sarif .", "unknown flag --fromat (did you mean --format?)"},
		{"agent --provder x", "unknown flag --provder (did you mean --provider?)"},
		{"status --zzzzzz", "unknown flag --zzzzzz; see"},
		{"--json status", "unknown flag --json: put the flags of a command after its name; see umpire --help"},
		{"init cluade", "did you mean claude?"},
		{"exec git push", "put -- before the command: umpire exec -- git push"},
		{"status -Z", "unknown shorthand flag"},
		{"check rm -rf /", "if the flag belongs to the command, put the command in quotes; see umpire check --help"},
		{"judge git push --force", "if the flag belongs to the command, put the command in quotes; see umpire judge --help"},
	} {
		if out, exit := runUmpire(t, dir, "", strings.Fields(tt.args)...); exit == 0 || !strings.Contains(out, tt.want) {
			t.Errorf("umpire %s: status %d, %s, want %q", tt.args, exit, out, tt.want)
		}
	}
}

// A flag whose help begins "with --live:" does nothing without --live, and says so.
func TestFlagsThatNeedAnother(t *testing.T) {
	dir, n := newProject(t), 0
	values := map[string]string{"string": "=x", "duration": "=1m", "stringToString": "=claude=/bin/true"}
	everyCommand(newRoot(), func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			_, usage := pflag.UnquoteUsage(f)
			other, ok := strings.CutPrefix(usage, "with -")
			if !ok {
				return
			}
			n++
			other, _, _ = strings.Cut(other, ":")
			value := values[f.Value.Type()]
			if closed, ok := completion.ClosedSet(strings.TrimPrefix(c.CommandPath(), "umpire "), f.Name); ok {
				value = "=" + closed[len(closed)-1] // not the default
			}
			args := append(strings.Fields(c.CommandPath())[1:], "--"+f.Name+value)
			want := "--" + f.Name + " requires -" + other
			if out, exit := runUmpireBy(t, person(), dir, "", args...); exit != cli.ExitUsage || !strings.Contains(out, want) {
				t.Errorf("umpire %q: status %d, %.200q, want %q", args, exit, out, want)
			}
		})
	})
	if n < 12 {
		t.Errorf("%d flags: this test looks at nothing", n)
	}
}

// The faults of one agent's settings do not hide among the changes of the others.
func TestInitNamesWhatFailed(t *testing.T) {
	dir := newProject(t)
	home := os.Getenv("HOME")
	for name, text := range map[string]string{".claude/settings.json": `{"model": `, ".codex/config.toml": ""} {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	hook := filepath.Join(home, "umpire-hook")
	if err := os.WriteFile(hook, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	out, exit := runUmpireBy(t, person(), dir, "", "init", "--yes", "--force", "--no-history", "--hook", hook, "claude", "codex")
	if _, after, _ := strings.Cut(out, "+++"); exit != 1 || !strings.Contains(after, "NOT installed for Claude Code: see the error above.") || !strings.Contains(after, "Installed for Codex CLI") || strings.Contains(out, "error: Claude Code:") {
		t.Errorf("status %d\n%s", exit, out)
	}
}
