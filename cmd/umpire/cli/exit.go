// Package cli has the code that umpire's commands share: exit statuses, the person at the
// terminal, and output formats.
package cli

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/umpire-dev/umpire/internal/gatewayclient"
)

// Exit statuses. They let a script distinguish a decision from a failure.
const (
	ExitFailure = 1
	ExitDeny    = 2 // the status of the hook, which coding agents know
	ExitAsk     = 3
	ExitUsage   = 64
)

// ExitError ends the program with a status and prints nothing more.
type ExitError int

// Error implements error.
func (e ExitError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// UsageError means that the command line is wrong. main prints it and exits with exitUsage.
type UsageError struct{ error }

// Status returns the exit status for an error of a command.
func Status(err error) int {
	var exit ExitError
	var usage UsageError
	var address *gatewayclient.AddressError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return int(exit)
	case errors.As(err, &usage), errors.As(err, &address):
		return ExitUsage
	}
	return ExitFailure
}

// EndSignals end a command that holds a terminal. The command restores the terminal first.
var EndSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// Usage returns a usageError.
func Usage(err error) error { return UsageError{err} }

// Usagef formats a usageError as fmt.Errorf does.
func Usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }
