package main

import (
	"io"

	"github.com/spf13/cobra"
)

// newCompletion takes the place of cobra's own, which prints to where standard output was
// when it was made, and takes any argument.
func newCompletion() *cobra.Command {
	c := &cobra.Command{
		Use:   "completion",
		Short: "Print a shell completion script",
		Example: `  source <(umpire completion bash)
  umpire completion zsh > "${fpath[1]}/_umpire"
  umpire completion fish > ~/.config/fish/completions/umpire.fish
  umpire completion powershell | Out-String | Invoke-Expression`,
	}
	plain := c.PersistentFlags().Bool("no-descriptions", false, "complete names without descriptions")
	for _, shell := range []struct {
		name  string
		print func(root *cobra.Command, w io.Writer) error
	}{
		{"bash", func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, !*plain) }},
		{"fish", func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, !*plain) }},
		{"powershell", func(root *cobra.Command, w io.Writer) error {
			if *plain {
				return root.GenPowerShellCompletion(w)
			}
			return root.GenPowerShellCompletionWithDesc(w)
		}},
		{"zsh", func(root *cobra.Command, w io.Writer) error {
			if *plain {
				return root.GenZshCompletionNoDesc(w)
			}
			return root.GenZshCompletion(w)
		}},
	} {
		c.AddCommand(&cobra.Command{
			Use: shell.name, Short: "Print the script for " + shell.name, Args: cobra.NoArgs, DisableFlagsInUseLine: true,
			RunE: func(cmd *cobra.Command, _ []string) error { return shell.print(cmd.Root(), cmd.OutOrStdout()) },
		})
	}
	return c
}
