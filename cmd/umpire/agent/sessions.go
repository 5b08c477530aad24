package agent

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/agent/folder"
	"github.com/umpire-dev/umpire/internal/agent/session"
	"github.com/umpire-dev/umpire/internal/answer"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/terminal"
	"github.com/umpire-dev/umpire/internal/visible"
)

func newSessions() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "sessions",
		Short: "List the agent's sessions",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			state, err := audit.DefaultDir()
			if err != nil {
				return err
			}
			list, err := session.List(filepath.Join(state, "agent", "sessions"), func(err error) {
				fmt.Fprintf(cmd.ErrOrStderr(), "umpire: %s\n", visible.Line(err.Error()))
			})
			if err != nil {
				return err
			}
			if asJSON {
				return cli.PrintLine(cmd.OutOrStdout(), append([]session.Metadata{}, list...))
			}
			if len(list) == 0 {
				fmt.Fprintln(cmd.OutOrStdout(), "no sessions")
			}
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, m := range list {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", m.ID, visible.Clip(m.Name, 60), plural.Count(m.MessageCount, "message"), m.UpdatedAt.Format(time.DateTime), visible.Line(m.Cwd))
			}
			return w.Flush()
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

func newTrust(at func() (terminal.Person, error)) *cobra.Command {
	var revoke bool
	c := &cobra.Command{
		Use:   "trust",
		Short: "Trust the instructions and settings in this folder",
		Long: `Let the agent use .env, AGENTS.md and similar files in this folder as settings and
instructions. The trust ends when any of these files changes.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := project.At("")
			if err != nil {
				return err
			}
			state, err := audit.DefaultDir()
			if err != nil {
				return err
			}
			list := folder.Trust{Path: filepath.Join(state, "agent", "trust.json")}
			if revoke {
				if err := list.Set(p.Dir, ""); err != nil {
					return err
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s is not trusted\n", visible.Line(p.Dir))
				return answer.RecordChange(audit.Agent, answer.Change{What: "trust", Removed: true, Names: "trust", Path: p.Dir})
			}
			files, err := folder.Surface(p.Workspace, p.Dir)
			if err != nil {
				return err
			}
			if len(files) == 0 {
				return errors.New("this folder has no instructions or settings to trust")
			}
			ok, err := askTrust(at, slices.Sorted(maps.Keys(files)))
			if err != nil {
				return err
			}
			if !ok {
				return errors.New("not trusted: confirm it yourself in a terminal")
			}
			digest := folder.Digest(files)
			if err := list.Set(p.Dir, digest); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "trusted %s as it is now\n", visible.Line(p.Dir))
			return answer.RecordChange(audit.Agent, answer.Change{What: "trust", Names: "sha256 " + digest, Path: p.Dir})
		},
	}
	c.Flags().BoolVar(&revoke, "revoke", false, "revoke the trust")
	return c
}
