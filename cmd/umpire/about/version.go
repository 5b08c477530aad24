// Package about prints the version of umpire and its manual pages.
package about

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/version"
)

// NewVersion returns `umpire version`.
func NewVersion() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit and its date",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			b := version.Read()
			if asJSON {
				return cli.PrintJSON(c.OutOrStdout(), b)
			}
			_, err := io.WriteString(c.OutOrStdout(), b.Text())
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}
