package cli

import (
	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/terminal"
)

// Invoker is the party that started umpire: a person at a terminal, or a coding agent. Commands
// that change the user's protection take it as an argument.
type Invoker struct {
	// Terminal opens the terminal of the person.
	Terminal func() (terminal.Person, error)
	// Agent returns an error if a coding agent started umpire. An agent must not change its own
	// guard.
	Agent func() error
}

// Process returns the invoker of this process.
func Process() Invoker {
	return Invoker{
		Terminal: func() (terminal.Person, error) { return terminal.Open() },
		Agent:    terminal.Agent,
	}
}

// EffectError returns the exit status for an effect, or nil for allow.
func EffectError(e umpire.Effect) error {
	switch e {
	case umpire.Allow:
		return nil
	case umpire.Ask:
		return ExitError(ExitAsk)
	}
	return ExitError(ExitDeny)
}
