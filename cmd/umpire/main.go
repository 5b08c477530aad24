// Command umpire judges what coding agents want to do.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"
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

func main() {
	if status, ok := alias(os.Args); ok {
		os.Exit(status)
	}
	root := newRoot()
	err := root.Execute()
	var exit exitError
	var usage usageError
	switch {
	case err == nil:
	case errors.As(err, &exit):
		os.Exit(int(exit))
	case errors.As(err, &usage):
		fmt.Fprintf(os.Stderr, "umpire: %v\n", err)
		os.Exit(exitUsage)
	default:
		fmt.Fprintf(os.Stderr, "umpire: %v\n", err)
		os.Exit(exitFailure)
	}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "umpire",
		Short: "Make the call on what coding agents do",
		Long: `Umpire judges the tool calls of coding agents: it reads what a call would do and
decides by one policy whether it is allowed, denied, or a person is asked.

Try it:  umpire check 'rm -rf ~'`,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w; see %s --help", err, c.CommandPath())}
	})
	root.AddCommand(newCheck(), newReplay(), newPolicy(), newTrust(), newAuditCommand(), newMan(), newHook(), newJudge(), newMCP(), newServe(), newLogin(), newToken(), newQueue(), newRules(), newHistory(), newInit(), newUninstall(), newDoctor())
	root.AddCommand(newApprove(atTerminal), newDeny(atTerminal), newQuestions(), newWatch(atTerminal), newExec(), newShims(), newStatus())
	root.AddCommand(newGuard())
	tellArguments(root)
	return root
}

// tellArguments makes a wrong number of arguments a fault of the call, with where to look.
func tellArguments(c *cobra.Command) {
	if check := c.Args; check != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			if err := check(c, args); err != nil {
				return usageError{fmt.Errorf("%w; usage: %s", err, c.UseLine())}
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		tellArguments(sub)
	}
}

// version tells the module's version and commit, as the Go tool recorded them.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			v += " " + s.Value[:12]
		}
	}
	return v
}
