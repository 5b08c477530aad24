package cli

import (
	"errors"

	"github.com/umpire-dev/umpire/internal/terminal"
)

// NoTerminal turns terminal.ErrNone into a usage error with the next step, for commands that ask
// before they write. It returns other errors as they are.
func NoTerminal(err error) error {
	if errors.Is(err, terminal.ErrNone) {
		return Usagef("nothing was written: no terminal to ask for confirmation; check with --dry-run, then use --yes")
	}
	return err
}

// Confirm asks a person a question and returns an error unless they say yes.
func Confirm(t terminal.Person, question string) error {
	answer, err := t.Ask(question + " [y/N] ")
	if err != nil {
		return err
	}
	if !terminal.Yes(answer) {
		return errors.New("nothing was written")
	}
	return nil
}
