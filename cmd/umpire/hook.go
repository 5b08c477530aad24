package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/hook"
)

// newHook is what umpire-hook starts when rules alone do not answer a call.
func newHook() *cobra.Command {
	return &cobra.Command{
		Use:    "hook CLIENT",
		Short:  "Answer a hook, and ask a model or a person if no rule settles the call",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			h := fullHook(args[0])
			a := h.Answer(cmd.InOrStdin(), hook.RulesTime)
			_, _ = os.Stderr.WriteString(a.Stderr)
			_, _ = os.Stdout.WriteString(a.Stdout)
			return cli.ExitError(hook.Answered + a.Exit)
		},
	}
}

// fullHook answers for a client with all there is: rules, the model and people.
func fullHook(client string) *hook.Hook { return full(hook.New(client)) }

func full(h *hook.Hook) *hook.Hook {
	h.Look = lookAtSettings
	h.Judge = judgeCall
	h.Wait = waitForPerson
	h.Scan = scanText
	return h
}
