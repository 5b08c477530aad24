// Package completion has `umpire completion` and installs completions for shells.
package completion

import (
	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
)

// New returns `umpire completion`. It replaces cobra's command, which writes to the standard output
// of its construction time and accepts any argument.
func New(by cli.Invoker) *cobra.Command {
	c := &cobra.Command{
		Use:   "completion",
		Short: "Install or print a shell completion script",
		Example: `  umpire completion install
  source <(umpire completion bash)
  umpire completion powershell | Out-String | Invoke-Expression`,
	}
	plain := c.PersistentFlags().Bool("no-descriptions", false, "complete names without descriptions")
	shells := ShellCompletions(plain)
	for _, shell := range shells {
		c.AddCommand(&cobra.Command{
			Use: shell.name, Short: "Print the script for " + shell.name, Args: cobra.NoArgs, DisableFlagsInUseLine: true,
			RunE: func(cmd *cobra.Command, _ []string) error { return shell.print(cmd.Root(), cmd.OutOrStdout()) },
		})
	}
	c.AddCommand(newCompletionInstall(shells, by), newCompletionUninstall(shells))
	return c
}
