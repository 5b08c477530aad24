package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/cmd/umpire/completion"
	"github.com/umpire-dev/umpire/internal/answer"
	"github.com/umpire-dev/umpire/internal/project"
)

// Each flag with a value and each argument says what a shell proposes, if only nothing: without
// a word about it a shell proposes the files of the folder.
func TestEveryValueCompletes(t *testing.T) {
	root := newRoot()
	completion.Attach(root)
	known := map[string]bool{}
	everyCommand(root, func(c *cobra.Command) {
		path := strings.TrimPrefix(c.CommandPath(), "umpire ")
		known[path] = true
		c.Flags().VisitAll(func(f *pflag.Flag) { known[f.Name], known[path+" --"+f.Name] = true, true })
		if c.Runnable() && c.HasParent() && c.ValidArgsFunction == nil {
			t.Errorf("umpire %s: add its arguments to the table of cmd/umpire/completion", path)
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if _, ok := c.GetFlagCompletionFunc(f.Name); !ok && f.Value.Type() != "bool" {
				t.Errorf("umpire %s --%s: add it to the tables of cmd/umpire/completion", path, f.Name)
			}
		})
	})
	for _, name := range completion.Names() {
		if !known[name] {
			t.Errorf("the tables name %q, which does not exist", name)
		}
	}
}

var (
	aside   = regexp.MustCompile(`\([^)]*\)|"[^"]*"`)
	between = regexp.MustCompile(`,? or |, `)
	oneWord = regexp.MustCompile(`^[a-z][a-z_-]*$`)
)

// listed returns the values that the help of a flag lists.
func listed(usage string) (list []string) {
	_, after, ok := strings.Cut(aside.ReplaceAllString(usage, ""), ": ")
	if !ok {
		return nil
	}
	words := between.Split(after, -1)
	for i, word := range words {
		if i == len(words)-1 {
			word, _, _ = strings.Cut(word, " ") // a sentence may go on
		}
		if word = strings.TrimSpace(word); !oneWord.MatchString(word) {
			return nil // not a list
		}
		list = append(list, word)
	}
	return list
}

// The help of a flag with a closed set of values lists the values that complete, all and only
// those.
func TestClosedSetsMatchTheHelp(t *testing.T) {
	everyCommand(newRoot(), func(c *cobra.Command) {
		path := strings.TrimPrefix(c.CommandPath(), "umpire ")
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			values, closed := completion.ClosedSet(path, f.Name)
			_, usage := pflag.UnquoteUsage(f)
			help := listed(usage)
			switch {
			case !closed && len(help) > 1 && f.Name != "push-to": // its list ends with a path
				t.Errorf("umpire %s --%s: its help lists %q: add the set to the table of cmd/umpire/completion", path, f.Name, help)
			case closed && f.Name != "taint-provider":
				for _, v := range values {
					if !regexp.MustCompile(`\b` + v + `\b`).MatchString(usage + " " + f.DefValue) {
						t.Errorf("umpire %s --%s: its help does not name %s", path, f.Name, v)
					}
				}
			}
		})
	})
}

// completed returns what a shell would propose after the words.
func completed(t *testing.T, words ...string) []string {
	t.Helper()
	root := newRoot()
	completion.Attach(root)
	var out strings.Builder
	root.SetOut(&out)
	root.SetErr(io.Discard)
	root.SetArgs(append([]string{cobra.ShellCompNoDescRequestCmd}, words...))
	if err := root.Execute(); err != nil {
		t.Fatalf("completion of %q: %v", words, err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, ":") })
	if i < 0 {
		t.Fatalf("completion of %q: no directive in the output:\n%s", words, out.String())
	}
	return lines[:i]
}

func TestCompletedValues(t *testing.T) {
	dir := newProject(t)
	t.Chdir(dir)
	config := filepath.Join(os.Getenv("HOME"), ".config", "umpire")
	if err := os.MkdirAll(config, 0o700); err != nil {
		t.Fatal(err)
	}
	rules := "version: 1\nrules:\n  - id: always-abcd2345\n    allow: exec(make test)\n  - id: mine\n    deny: exec(make clean)\n"
	if err := os.WriteFile(filepath.Join(config, "policy.yaml"), []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	box, _, err := answer.Questions()
	if err != nil {
		t.Fatal(err)
	}
	a := &umpire.Action{Tool: "Bash", Dir: dir, Input: []byte(`{"command":"sudo ls"}`)}
	p, _, err := project.Project{Home: os.Getenv("HOME"), Dir: dir, Workspace: dir}.Policy("")
	if err != nil {
		t.Fatal(err)
	}
	ops, d, err := project.Decide(p, a)
	if err != nil {
		t.Fatal(err)
	}
	q, err := box.Ask(a, ops, d)
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string][]string{
		"audit search --effect=":     {"deny", "ask", "allow"},
		"audit export --format ":     {"jsonl", "csv"},
		"queue approve --scope ":     {"once", "session", "always"},
		"history --status den":       {"denied"},
		"review --fail-on h":         {"high"},
		"review --format s":          {"sarif"},
		"agent --output ":            {"text", "json", "stream-json"},
		"init cla":                   {"claude"},
		"init claude cla":            {},
		"uninstall cod":              {"codex"},
		"run --profile pi":           {"pi"},
		"judge use of":               {"off"},
		"judge use off ":             {},
		"approve ":                   {q.ID},
		"deny ":                      {q.ID},
		"policy explain mi":          {"mine"},
		"policy revoke ":             {"always-abcd2345"},
		"rules add ":                 {"allow", "deny"},
		"completion install f":       {"fish"},
		"status ":                    {},
		"queue show ":                {}, // no gateway runs
		"doctor --bin codex":         {"codex="},
		"guard scan --kind tool":     {"tool_output"},
		"token add --role ":          {"viewer", "approver", "admin"},
		"policy list --pack sa":      {"safe"},
		"agent sessions ":            {},
		"review --base-url ":         {},
		"audit tail --lines ":        {},
		"review --token-env HOM":     {"HOME"},
		"exec -- umpire-no-program-": {},
	} {
		words := strings.Split(line, " ")
		if got := completed(t, words...); !slices.Equal(got, want) && len(got)+len(want) > 0 {
			t.Errorf("umpire %s: %q, want %q", line, got, want)
		}
	}
}
