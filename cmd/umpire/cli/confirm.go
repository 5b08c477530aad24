package cli

import (
	"errors"

	"github.com/umpire-dev/umpire/internal/terminal"
)

// NoTerminal says what to do where nobody can be asked before a file is written.
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
