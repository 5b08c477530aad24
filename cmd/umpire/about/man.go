package about

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/umpire-dev/umpire/internal/visible"
)

// NewMan returns the command that writes manual pages.
func NewMan() *cobra.Command {
	return &cobra.Command{
		Use:   "man FOLDER",
		Short: "Write the manual pages to a folder",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true // a date would make every build differ
			if err := doc.GenManTree(root, &doc.GenManHeader{Title: "UMPIRE", Section: "1", Manual: "umpire"}, args[0]); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "wrote manual pages to %s\n", visible.Line(args[0]))
			return nil
		},
	}
}
