// Package hook has the hidden command that umpire-hook starts for the slow path.
package hook

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/hook"
	"github.com/umpire-dev/umpire/internal/slowpath"
)

// New returns the hidden command that umpire-hook starts if rules alone cannot answer a call.
func New() *cobra.Command {
	return &cobra.Command{
		Use:    "hook CLIENT",
		Short:  "Answer a hook, and ask a model or a person if no rule settles the call",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			h := slowpath.New(args[0])
			a := h.Answer(cmd.InOrStdin(), hook.RulesTime)
			_, _ = os.Stderr.WriteString(a.Stderr)
			_, _ = os.Stdout.WriteString(a.Stdout)
			return cli.ExitError(hook.Answered + a.Exit)
		},
	}
}
