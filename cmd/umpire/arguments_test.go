package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
)

// Who gives too few or too many arguments is told how it goes.
func TestArguments(t *testing.T) {
	t.Setenv("UMPIRE_TOKEN", "umpo_x")
	for _, tt := range []struct{ name, args, want string }{
		{"too few", "shims", "usage: umpire shims DIR [PROGRAM...]"},
		{"too many", "questions now", `umpire questions does not take the argument "now"; usage: umpire questions`},
		{"one of two", "rules add allow", "an argument is missing; usage: umpire rules add allow|deny RULE"},
		{"a third", "rules add allow a b", `does not take the argument "b"`},
		{"a duration without a unit", "token add --agent a --expires 3", `--expires is "3": must be a duration such as 4h, 90m or 30d; see umpire token add --help`},
		{"a lifetime that is over before it begins", "token add --agent a --expires=-1h", `--expires is "-1h": must be a duration such as 4h, 90m or 30d`},
		{"a lifetime of nothing, which is not forever", "token add --agent a --expires 0s", `--expires is "0s": must be more than 0`},
		{"a session to which nothing is released", "review show --session s1", "--session requires --release"},
		{"one argument too many", "trust a.yaml b.yaml", `umpire trust does not take the argument "b.yaml"; usage: umpire trust [FILE] [flags]`},
		{"no number", "run --processes many -- true", `--processes is "many": must be a whole number`},
		{"no truth", "check --json=perhaps ls", `--json is "perhaps": must be true or false`},
		{"an address without a scheme", "queue --server gateway.example:3700", "the gateway's address must be a URL such as http://127.0.0.1:3700"},
		{"an address of no host", "login --server nope", "the gateway's address must be a URL"},
		{"requests that expire at once", "serve --listen 127.0.0.1:0 --expiry 0", `--expiry is "0": must be more than 0; see umpire serve --help`},
		{"the last of less than nothing", "audit tail -n -1", "must be 0 or more"},
		{"a bound of the record without an archive", "serve --listen 127.0.0.1:0 --keep-events 1000", "--keep-events requires --archive"},
		{"an archive of what stays", "serve --listen 127.0.0.1:0 --keep 0 --archive x", "--archive requires --keep"},
		{"a host name of two words", "serve --listen 127.0.0.1:0 --host gateway --host=a/b", `--host is "a/b": must be a host name`},
		{"a host name with a port", "guard serve --listen 127.0.0.1:0 --host gw.example:3700", `--host is "gw.example:3700": must be a host name`},
		{"a flag of a command below one with its own status", "review show --nope", "unknown flag --nope; see umpire review show --help"},
		{"another", "agent trust --nope", "unknown flag --nope; see umpire agent trust --help"},
		{"an argument there", "agent trust a b", `umpire agent trust does not take the argument "a"`},
		{"what a command requires", "guard train", "train requires --corpora and --output"},
		{"nobody's token", "token add", "name the owner of the token"},
		{"two people's token", "token add --agent a --operator b", "not both"},
		{"an agent's role", "token add --agent a --role viewer", "--role requires --operator"},
		{"no request", "queue approve", "pass the IDs of requests"},
		{"a prompt as JSON", "judge --prompt --json ls", "use --prompt or --json, not both"},
		{"an unknown profile", "run --profile nope -- true", `unknown profile "nope"; profiles: none `},
		{"an unknown scope", "queue approve --scope forever req-1", "must be one of once, session, always"},
		{"a rule for once", "queue approve --rule exec(ls) req-1", "--rule requires --scope"},
		{"a scope for all", "queue approve --all git --scope always", "cannot go with --all"},
		{"of a command below", "queue show", "usage: umpire queue show ID"},
		{"an unknown status", "history --status maybe", `--status is "maybe": must be one of approved, denied`},
		{"an unknown category", "history --category mail", `--category is "mail": must be one of network`},
		{"a limit of none", "history --limit 0", `--limit is "0": must be more than 0`},
		{"an unknown role", "token add --operator a --role king", `--role is "king": must be one of viewer, approver, admin`},
		{"an unknown type of rule", "rules add alow network(x)", "use allow or deny"},
		{"an unknown type to try", "rules test x network(x)", "use allow or deny"},
		{"all of a category that is answered singly", "queue approve --all exec", `--all is "exec": must be one of network, filesystem, git`},
		{"no command, with a flag", "policy add ask exec(x) --reason y", `unknown policy command "add"; see umpire policy --help`},
		{"no command", "chek", "did you mean check?"},
		{"a command by another word", "allow npm", "did you mean approve?"},
		{"a question in one word", "why ls", "did you mean check?"},
		{"a command of a group by another word", "audit list", "did you mean search?"},
		{"a group with a flag of its commands", "ca --json", "a command is missing; see umpire ca --help"},
		{"another group", "token --json", "a command is missing; see umpire token --help"},
		{"an address of no guard", "guard serve --listen x", "--listen is \"x\": must be HOST:PORT"},
		{"an address of no listener", "serve --listen nonsense", "--listen is \"nonsense\": must be HOST:PORT"},
		{"a port of no listener", "serve --listen 127.0.0.1:0 --proxy 127.0.0.1:99999", "must be HOST:PORT"},
		{"people who are no number", "serve --listen 127.0.0.1:0 --people exec=x", `--people is "exec=x": must be one or more NAME=NUMBER`},
		{"an invalid network", "serve --listen 127.0.0.1:0 --private lan", `--private is "lan": must be a network such as 10.1.0.0/16`},
		{"a rule with a lifetime of nothing", "rules add allow network(x) --expires 0s", `--expires is "0s": must be more than 0`},
		{"an unknown flag after a word of one's own", "review . --nope", "unknown flag --nope; see umpire review --help"},
		{"a misspelt command that could be a target", "review sohw", "did you mean umpire review show?"},
		{"an unknown effect", "audit search --effect maybe", "must be one of deny, ask, allow"},
		{"an unknown format", "audit export --format xml", "must be one of jsonl, csv"},
		{"an unknown way to apply", "run --apply maybe -- true", "must be one of ask, rules, never"},
		{"a model for nothing known", "guard train --for x --corpora a -o b", "must be one of input, tool-output"},
		{"an empty value of a closed set", "questions --state=", "must be one of pending"},
		{"a tree without a proof", "audit verify --tree x", "--tree requires --proof"},
		{"a proof without a tree", "audit verify --proof x", "--proof requires --tree"},
		{"an address with a port and no scheme", "queue --server 127.0.0.1:3790", "the gateway's address must be a URL"},
		{"a folder that is none", "serve --root /there/is/none", "name the folder of the project"},
		{"a workspace that is none", "serve --listen 127.0.0.1:0 --workspace /there/is/none", "not a folder"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := newRoot()
			root.SetArgs(strings.Fields(tt.args))
			err := root.Execute()
			if cli.Status(err) != cli.ExitUsage || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got error %v, want one about usage with %q", err, tt.want)
			}
		})
	}
}

// A limit of zero, or of less, must not be taken for no limit: not in any command, unless its
// help says so.
func TestNumbersAreLimits(t *testing.T) {
	var found int
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if kind := f.Value.Type(); kind != "int" && kind != "float64" && kind != "duration" {
				return
			}
			found++
			none := strings.Contains(f.Usage, "0 means")
			for _, text := range []string{"0", "-1", "-1s"} {
				if err := c.Flags().Set(f.Name, text); (err == nil) != (none && text == "0") {
					t.Errorf("%s --%s %s: %v, help %q", c.CommandPath(), f.Name, text, err, f.Usage)
				}
			}
		})
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot())
	if found < 20 {
		t.Errorf("%d flags with a number, want all", found)
	}
}
