// Command umpire decides on the tool calls of coding agents.
package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/about"
	"github.com/umpire-dev/umpire/cmd/umpire/agent"
	"github.com/umpire-dev/umpire/cmd/umpire/audit"
	"github.com/umpire-dev/umpire/cmd/umpire/check"
	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/cmd/umpire/completion"
	"github.com/umpire-dev/umpire/cmd/umpire/demo"
	"github.com/umpire-dev/umpire/cmd/umpire/describe"
	"github.com/umpire-dev/umpire/cmd/umpire/doctor"
	"github.com/umpire-dev/umpire/cmd/umpire/exec"
	"github.com/umpire-dev/umpire/cmd/umpire/guard"
	"github.com/umpire-dev/umpire/cmd/umpire/hook"
	"github.com/umpire-dev/umpire/cmd/umpire/judge"
	"github.com/umpire-dev/umpire/cmd/umpire/mcp"
	"github.com/umpire-dev/umpire/cmd/umpire/policy"
	"github.com/umpire-dev/umpire/cmd/umpire/queue"
	"github.com/umpire-dev/umpire/cmd/umpire/replay"
	"github.com/umpire-dev/umpire/cmd/umpire/review"
	"github.com/umpire-dev/umpire/cmd/umpire/run"
	"github.com/umpire-dev/umpire/cmd/umpire/serve"
	"github.com/umpire-dev/umpire/cmd/umpire/setup"
	"github.com/umpire-dev/umpire/cmd/umpire/status"
	"github.com/umpire-dev/umpire/internal/doclink"
	"github.com/umpire-dev/umpire/internal/home"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/quarantine/engine"
	"github.com/umpire-dev/umpire/internal/shim"
	"github.com/umpire-dev/umpire/internal/version"
	"github.com/umpire-dev/umpire/internal/visible"
)

// checkEnvironment decides whether the environment may set umpire's folders. Tests replace it.
var checkEnvironment = home.CheckEnvironment

func main() { mainBy(cli.Process()) }

// mainBy runs the command line of this process and exits.
func mainBy(by cli.Invoker) {
	host.Supervise()
	engine.Main()
	home.Ensure()
	checkEnvironment(os.Getenv) // for every command, so that all of them look for the gateway's token in the same place
	if status, ok := shim.Alias(os.Args); ok {
		os.Exit(status)
	}
	if len(os.Args) == 2 && os.Args[1] == "--version" { // without building the commands, which takes a quarter of the time
		if _, err := fmt.Println("umpire version", version.String()); err != nil {
			fmt.Fprintf(os.Stderr, "umpire: %v\n", err)
			os.Exit(1)
		}
		return
	}
	root, out := rootCommand(by), cli.NewOutput(os.Stdout)
	root.SetOut(out)
	if len(os.Args) > 1 && strings.HasPrefix(os.Args[1], cobra.ShellCompRequestCmd) { // called by a shell
		completion.Attach(root)
	}
	command, err := root.ExecuteC()
	if err == nil {
		err = unknownTopic(command)
	}
	var exit cli.ExitError
	if fault := out.Fault(); fault != nil && (err == nil || errors.As(err, &exit)) {
		fmt.Fprintf(os.Stderr, "umpire: %v\n", fault)
		if err == nil {
			os.Exit(cli.ExitFailure)
		}
	}
	if err != nil && !errors.As(err, &exit) {
		fmt.Fprintf(os.Stderr, "umpire: %s\n", visible.Block(err.Error())) // an agent may have chosen a file name in the error
		if page := doclink.Of(err); page != "" {
			fmt.Fprintf(os.Stderr, "See %s\n", page)
		}
	}
	if status := cli.Status(err); status != 0 {
		os.Exit(status)
	}
}

func rootCommand(by cli.Invoker) *cobra.Command {
	root := &cobra.Command{
		Use:   "umpire",
		Short: "Decide on the tool calls of coding agents",
		Long: `Umpire decides on every tool call of your coding agents. It works out what a call would
do, and one policy allows it, denies it, or asks you.

Without a command, it shows which agents are guarded and the next step.

Try it:  umpire demo
         umpire check 'rm -rf ~'`,
		Version:       version.String(),
		Args:          known,
		RunE:          status.Overview,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		fault := cli.FlagFault(c, err)
		if words := c.Flags().Args(); len(words) > 0 && strings.HasSuffix(c.Use, "[COMMAND | -]") {
			fault = fmt.Errorf("%w; if the flag belongs to the command, put the command in quotes", fault)
		} else if unknown := c.ValidateArgs(words); unknown != nil && c.HasSubCommands() {
			return unknown // an unknown command is the reason, and not its flags
		}
		return cli.Usagef("%w; see %s --help", fault, c.CommandPath())
	})
	for _, g := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Guard the agents on this machine:", []*cobra.Command{setup.NewInit(by), setup.NewUninstall(by), demo.New(by), doctor.New(), status.New(), exec.New(), run.New(by), run.NewChanges(by), exec.NewShims(), mcp.New()}},
		{"Work with a coding agent:", []*cobra.Command{agent.New(by)}},
		{"Answer questions on this machine:", []*cobra.Command{queue.NewQuestions(), queue.NewApprove(by.Terminal), queue.NewDeny(by.Terminal), queue.NewWatch(by.Terminal)}},
		{"Inspect decisions and the policy:", []*cobra.Command{check.New(), replay.New(), policy.New(), describe.New(), policy.NewTrust(by.Terminal), judge.New(by), audit.New()}},
		{"Guard the input and output of a language model:", []*cobra.Command{guard.New()}},
		{"Review untrusted code:", []*cobra.Command{review.New(by)}},
		{"Run a gateway for remote agents:", []*cobra.Command{serve.New(), serve.NewCA(), queue.NewLogin(), queue.NewToken(), queue.New(by.Terminal), queue.NewRules(), queue.NewHistory()}},
	} {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	root.AddCommand(about.NewMan(), completion.New(by), about.NewVersion(), hook.New())
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() == "help" {
			c.Args = topic
		}
		tellArguments(c)
	}
	cli.BoundNumbers(root)
	completion.Bind(root)
	help := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		if unknownTopic(c) == nil {
			help(c, args)
		}
	})
	return root
}

// unknownTopic checks the words that cobra ignores when it shows help.
func unknownTopic(c *cobra.Command) error {
	if words := c.Flags().Args(); len(words) > 0 && c.HasSubCommands() {
		return c.ValidateArgs(words)
	}
	return nil
}

// known rejects all arguments. Its error suggests the command that was probably meant.
func known(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := "see " + c.CommandPath() + " --help"
	c.SuggestionsMinimumDistance = 2 // otherwise cobra suggests only names with the same prefix
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	what := "command"
	if c.HasParent() {
		what = strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ") + " command"
	}
	return cli.Usagef("unknown %s %q; %s", what, args[0], hint)
}

// topic accepts the words of a command, such as "token add".
func topic(c *cobra.Command, args []string) error {
	at := c.Root()
	for _, name := range args {
		i := slices.IndexFunc(at.Commands(), func(sub *cobra.Command) bool { return sub.Name() == name || sub.HasAlias(name) })
		if i < 0 {
			return known(at, []string{name})
		}
		at = at.Commands()[i]
	}
	return nil
}

// misfit returns an error for the first argument that does not fit, or for a missing one.
func misfit(c *cobra.Command, check cobra.PositionalArgs, args []string) string {
	for n := len(args) - 1; n >= 0; n-- { // the longest prefix that fits ends before the first argument that does not
		if check(c, args[:n]) == nil {
			return fmt.Sprintf("%s does not take the argument %q", c.CommandPath(), args[n])
		}
	}
	return "an argument is missing"
}

// tellArguments turns wrong arguments and unknown subcommands into usage errors with the next step.
func tellArguments(c *cobra.Command) {
	group := c.HasSubCommands()
	if group && !c.Runnable() {
		c.Args, c.RunE = known, func(c *cobra.Command, _ []string) error {
			if c.Flags().NFlag() > 0 {
				return cli.Usagef("a command is missing; see %s --help", c.CommandPath())
			}
			return c.Help()
		}
	}
	if check := c.Args; check != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			err := check(c, args)
			var usage cli.UsageError
			switch {
			case err == nil || errors.As(err, &usage):
				return err
			case group:
				return known(c, args)
			}
			return cli.Usagef("%s; usage: %s", misfit(c, check, args), c.UseLine())
		}
	}
	for _, sub := range c.Commands() {
		tellArguments(sub)
	}
}
