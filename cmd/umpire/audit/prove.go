package audit

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/regular"
	"github.com/umpire-dev/umpire/internal/store"
	"github.com/umpire-dev/umpire/internal/visible"
)

// maxProof bounds a file with a proof, in bytes.
const maxProof = 64 << 20

func newAuditProve() *cobra.Command {
	var database, tree string
	c := &cobra.Command{
		Use:   "prove EVENT",
		Short: "Prove that a gateway's record has an event",
		Long: `Print a proof that a gateway's record has an event.

EVENT is its number on the page Record. umpire audit verify --proof checks the proof without the
database, against a tree that umpire audit verify --database printed. Keep that tree where no
writer of the database can change it.`,
		Example: `  umpire audit prove 41 --database ~/.local/state/umpire/gateway > proof.json
  umpire audit verify --proof proof.json --tree 1-120:9f2c...`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if database == "" {
				return cli.Usage(errors.New("name the gateway's database with --database"))
			}
			var kept store.Tree
			if tree != "" {
				var err error
				if kept, err = store.ParseTree(tree); err != nil {
					return cli.Usage(err)
				}
			}
			return giveProof(c, database, args[0], kept)
		},
	}
	c.Flags().StringVar(&database, "database", "", "the `database` of the gateway: the folder of gateway.db, or a postgres:// URL")
	c.Flags().StringVar(&tree, "tree", "", treeHelp)
	return c
}

const treeHelp = "a `tree` that you kept, as umpire audit verify --database printed it"

func giveProof(c *cobra.Command, database, event string, kept store.Tree) error {
	place, err := strconv.ParseInt(event, 10, 64)
	if err != nil || place < 1 {
		return cli.Usage(fmt.Errorf("%q must be the number of an event", visible.Clip(event, 40)))
	}
	s, err := store.OpenReader(c.Context(), database)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }() // opened for reading only
	p, err := s.Prove(c.Context(), place, kept)
	if err != nil {
		return err
	}
	return cli.PrintJSON(c.OutOrStdout(), p)
}

// verifyProof checks a proof file against a tree that the caller trusts.
func verifyProof(c *cobra.Command, file, tree string, asJSON bool) error {
	trusted, err := store.ParseTree(tree)
	if err != nil {
		return cli.Usage(err)
	}
	data, err := regular.Read(file, maxProof)
	if err != nil {
		return err
	}
	var p store.Proof
	if err := json.Unmarshal(data, &p); err != nil {
		return fmt.Errorf("%s is not a proof: %w", visible.Line(file), err)
	}
	if err := p.Check(trusted); err != nil {
		return err
	}
	e := &p.Event
	if asJSON {
		return cli.PrintLine(c.OutOrStdout(), e)
	}
	_, err = fmt.Fprintf(c.OutOrStdout(), "event %d of %s is in the record: %s %s %s\n%s\n", e.Place, e.At.UTC().Format("2006-01-02 15:04:05 UTC"), visible.Line(e.Kind), visible.Line(e.Request), visible.Line(e.Who), visible.Line(e.Data))
	return err
}
