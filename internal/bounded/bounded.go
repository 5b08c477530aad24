// Package bounded calls functions that may panic or never return, keeps output that may never end, and
// shortens texts.
package bounded

import (
	"context"
	"fmt"
	"time"
)

// Panic is the error of a call that panicked.
type Panic struct{ Value any }

// Error implements error.
func (p *Panic) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

// Call calls f with a deadline. It turns a panic into an error. If f ignores its context, Call
// returns without it and discards its later result. A result that is ready when the deadline
// passes counts.
func Call[T any](ctx context.Context, limit time.Duration, f func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	type answer struct {
		value T
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- answer{err: &Panic{p}}
			}
		}()
		v, err := f(ctx)
		done <- answer{v, err}
	}()
	select {
	case a := <-done:
		return a.value, a.err
	case <-ctx.Done():
		select {
		case a := <-done:
			return a.value, a.err
		default:
			var none T
			return none, ctx.Err()
		}
	}
}
