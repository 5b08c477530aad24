// Package guard has `umpire guard`, which checks texts of language models.
package guard

import "github.com/spf13/cobra"

// New returns `umpire guard`.
func New() *cobra.Command {
	c := &cobra.Command{
		Use:   "guard",
		Short: "Check the input and output of a language model",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	c.AddCommand(newGuardScan(), newGuardServe(), newGuardEvaluate(), newGuardTrain())
	return c
}
