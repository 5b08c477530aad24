package main

import "github.com/spf13/cobra"

func newGuard() *cobra.Command {
	c := &cobra.Command{
		Use:   "guard",
		Short: "Check texts that go into a language model and come out of it",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	c.AddCommand(newGuardScan(), newGuardServe(), newGuardEvaluate(), newGuardTrain())
	return c
}
