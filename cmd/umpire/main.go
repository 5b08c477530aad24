// Command umpire decides on the tool calls of coding agents.
package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/internal/doclink"
	"github.com/umpire-dev/umpire/internal/home"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/quarantine/engine"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Exit statuses. A script can tell a verdict from a failure.
const (
	exitFailure = 1
	exitDeny    = 2 // as the hook's own, which coding agents know
	exitAsk     = 3
	exitUsage   = 64
)

// exitError ends the program with a status and prints nothing more.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// usageError is a fault in how the program was called.
type usageError struct{ error }

// settle decides whether the environment is believed about umpire's folders.
var settle = home.Settle

func main() {
	host.Supervise()
	engine.Main()
	settle(os.Getenv) // for every command alike: a gateway's token is where the others look for it
	if status, ok := alias(os.Args); ok {
		os.Exit(status)
	}
	root, out := newRoot(), &output{file: os.Stdout}
	root.SetOut(out)
	err := root.Execute()
	var exit exitError
	var usage usageError
	if fault := out.fault(); fault != nil && (err == nil || errors.As(err, &exit)) {
		fmt.Fprintf(os.Stderr, "umpire: %v\n", fault)
		if err == nil {
			os.Exit(exitFailure)
		}
	}
	if err == nil {
		return
	}
	if errors.As(err, &exit) {
		os.Exit(int(exit))
	}
	fmt.Fprintf(os.Stderr, "umpire: %s\n", visible.Block(err.Error())) // names of files are in it, which anybody may have chosen
	if page := doclink.Of(err); page != "" {
		fmt.Fprintf(os.Stderr, "See %s\n", page)
	}
	if errors.As(err, &usage) {
		os.Exit(exitUsage)
	}
	os.Exit(exitFailure)
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "umpire",
		Short: "Make the call on what coding agents do",
		Long: `Umpire decides on every tool call of your coding agents. It works out what a call would
do, and one policy allows it, denies it, or asks you.

Without a command it says which agents are guarded, and the next step.

Try it:  umpire demo
         umpire check 'rm -rf ~'`,
		Version:       version(),
		Args:          known,
		RunE:          runOverview,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w; see %s --help", err, c.CommandPath())}
	})
	for _, g := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Guard the agents on this machine:", []*cobra.Command{newInit(), newUninstall(), newDemo(), newDoctor(), newStatus(), newExec(), newRun(), newChanges(), newShims(), newMCP()}},
		{"Work with a coding agent:", []*cobra.Command{newAgent(atTerminal)}},
		{"Answer questions on this machine:", []*cobra.Command{newQuestions(), newApprove(atTerminal), newDeny(atTerminal), newWatch(atTerminal)}},
		{"Inspect decisions and the policy:", []*cobra.Command{newCheck(), newReplay(), newPolicy(), newDescribe(), newTrust(atTerminal), newJudge(), newAuditCommand()}},
		{"Guard the input and output of a language model:", []*cobra.Command{newGuard()}},
		{"Review untrusted code:", []*cobra.Command{newCodeReview()}},
		{"Run a gateway for remote agents:", []*cobra.Command{newServe(), newCA(), newLogin(), newToken(), newQueue(atTerminal), newRules(), newHistory()}},
	} {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	root.AddCommand(newMan(), newCompletion(), newVersion(), newHook())
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() == "help" {
			c.Args = topic
		}
		tellArguments(c)
	}
	return root
}

// known takes no argument that names no command.
func known(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := "see " + c.CommandPath() + " --help"
	c.SuggestionsMinimumDistance = 2 // without it cobra suggests what begins alike only
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	what := "command"
	if c.HasParent() {
		what = strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ") + " command"
	}
	return usageError{fmt.Errorf("unknown %s %q; %s", what, args[0], hint)}
}

// topic takes the names of a command.
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

// tellArguments makes a wrong number of arguments, and what a group of commands does not
// know, a fault of the call, with where to look.
func tellArguments(c *cobra.Command) {
	group := c.HasSubCommands()
	if group && !c.Runnable() {
		c.Args, c.RunE = known, func(c *cobra.Command, _ []string) error { return c.Help() }
	}
	if check := c.Args; check != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			err := check(c, args)
			var usage usageError
			switch {
			case err == nil || errors.As(err, &usage):
				return err
			case group:
				return known(c, args)
			}
			return usageError{fmt.Errorf("%w; usage: %s", err, c.UseLine())}
		}
	}
	for _, sub := range c.Commands() {
		tellArguments(sub)
	}
}
