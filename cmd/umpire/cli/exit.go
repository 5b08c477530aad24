// Package cli has the code that umpire's commands share: exit statuses, the person at the
// terminal, and output formats.
package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/umpire-dev/umpire/internal/gatewayclient"
	"github.com/umpire-dev/umpire/internal/terminal"
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

// UntilEnded returns a context that an interrupt, SIGTERM or a closed terminal ends, so that the
// command can clean up. Signals that the process ignores from its start, as nohup has it, stay
// ignored.
func UntilEnded(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, slices.DeleteFunc([]os.Signal{syscall.SIGTERM, os.Interrupt, syscall.SIGHUP}, func(s os.Signal) bool {
		return s != syscall.SIGTERM && signal.Ignored(s)
	})...)
}

// UntilStopped returns the context of a server. An interrupt, SIGTERM or a closed terminal ends it,
// and its cause names the signal. It sends any other SIGHUP to reload: one while the terminal is
// open. A server that started under nohup, or without a terminal, stays, and all are for reload.
func UntilStopped(ctx context.Context) (until context.Context, reload <-chan os.Signal, stop func()) {
	stays := signal.Ignored(syscall.SIGHUP) || !terminal.Attached()
	until, end := context.WithCancelCause(ctx)
	ends, hangUps, reloads := make(chan os.Signal, 1), make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(ends, syscall.SIGTERM, os.Interrupt)
	signal.Notify(hangUps, syscall.SIGHUP)
	go func() {
		for {
			select {
			case s := <-ends:
				end(errors.New(map[bool]string{true: "SIGINT", false: "SIGTERM"}[s == os.Interrupt]))
			case <-hangUps:
				if !stays && !terminal.Attached() {
					end(errors.New("SIGHUP"))
					continue
				}
				select {
				case reloads <- syscall.SIGHUP:
				default: // a reload that is yet to begin reads the latest state, too
				}
			case <-until.Done():
				return
			}
		}
	}()
	return until, reloads, func() {
		signal.Stop(ends)
		signal.Stop(hangUps)
		end(nil)
	}
}

// Usage returns a usageError.
func Usage(err error) error { return UsageError{err} }

// Usagef formats a usageError as fmt.Errorf does.
func Usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }
