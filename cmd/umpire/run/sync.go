package run

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/box"
	"github.com/umpire-dev/umpire/internal/changes"
	"github.com/umpire-dev/umpire/internal/terminal"
)

func addSync(f *pflag.FlagSet, s *box.Sync) {
	f.StringVar(&s.Apply, "apply", box.ApplyAsk, "how to apply changes: ask (review at the end), rules (apply allowed ones, ask at the gateway about others) or never")
	f.StringVar(&s.Push, "push", "", "remote that git in the sandbox may push to, if rules or a person allow it")
	f.StringVar(&s.Credentials, "push-credentials", "", "credentials for the push, a file of git credential-store")
}

func checkSync(s *box.Sync) error {
	if s.Push == "" && s.Credentials != "" {
		return cli.Usagef("--push-credentials requires --push")
	}
	return nil
}

// offerReview offers a review of the changes to the person who started the run.
func offerReview(cmd *cobra.Command, r *box.Run, at func() (terminal.Person, error)) error {
	if r.Sync.Apply == box.ApplyNever {
		return nil
	}
	list, err := r.Changes().List(cmd.Context())
	if err != nil || !slices.ContainsFunc(list, func(e changes.ChangedPath) bool { return e.Not == "" }) {
		return err
	}
	t, err := at()
	if err != nil {
		return nil //nolint:nilerr // nobody is there
	}
	said, err := t.Ask("Review the changes now? [y/N] ")
	if err != nil || !terminal.Yes(said) {
		return errors.Join(err, t.Close())
	}
	return review(cmd, r, func() (terminal.Person, error) { return t, nil }, nil) // a terminal is opened only once, because its reader goroutine stays
}
