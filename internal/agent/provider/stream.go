package provider

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/internal/wire"
)

// Limits on a server's responses.
const (
	maxLine   = 8 << 20  // bytes
	maxStream = 64 << 20 // bytes
	maxEvents = 1 << 20
)

type events interface {
	// event handles one event. The last one completes the answer.
	event(data []byte) (pieces []agent.Piece, last bool, err error)
}

// follow sends a request and yields the parts of the answer, or the fault of the request. It retries only if
// no part was yielded yet. An answer that breaks off later has no Done, so a reader knows that it is
// incomplete.
func follow(ctx context.Context, c Config, path string, params any, fault error, begin func() events) iter.Seq2[agent.Piece, error] {
	return func(yield func(agent.Piece, error) bool) {
		if fault != nil {
			yield(agent.Piece{}, fault)
			return
		}
		told, gone := false, false
		say := func(p agent.Piece) bool {
			told = told || p.Waits == nil && p.Fault == ""
			gone = gone || !yield(p, nil)
			return !gone
		}
		retry := c.Retry
		if retry.Tries == 0 && retry.Clock == nil {
			retry.Tries = 5
		}
		tell := retry.Tell
		retry.Tell = func(f *wire.Fault, wait time.Duration) bool {
			return !told && (tell == nil || tell(f, wait)) && say(agent.Piece{Waits: &agent.Waits{Why: line(f), For: wait}})
		}
		err := retry.Do(ctx, func(ctx context.Context) error {
			resp, err := c.client().Post(ctx, c.BaseURL, path, params)
			if err != nil {
				return err
			}
			defer func() { _ = resp.Body.Close() }() // the reads report the cause
			return read(ctx, resp, begin(), say)
		})
		if err != nil && !gone {
			yield(agent.Piece{}, advised(c, err))
		}
	}
}

// read yields one answer until it ends or the consumer stops.
func read(ctx context.Context, resp *http.Response, e events, say func(agent.Piece) bool) error {
	n := 0
	for data, err := range wire.Events(resp.Body, maxLine+1) { // wire.Client reports a line that is too long
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		if n++; n > maxEvents {
			return &wire.Fault{Kind: wire.TooLarge, Err: errors.New("too many events")}
		}
		if data = bytes.TrimSpace(data); len(data) == 0 {
			continue
		}
		pieces, last, err := e.event(data)
		if slices.ContainsFunc(pieces, func(p agent.Piece) bool { return !say(p) }) {
			return nil
		}
		if err != nil || last {
			return err
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if n == 0 {
		return &wire.Fault{Kind: wire.Malformed} // the body ended without one event
	}
	return &wire.Fault{Kind: wire.Cut}
}

// line describes an error for a person, with the server's message.
func line(f *wire.Fault) string {
	if f.Status == 0 || f.Status == http.StatusOK {
		if f.Kind == wire.Silent {
			return "the model's server sent nothing for too long"
		}
		if f.Kind == wire.Cut {
			return "the model's answer is incomplete; send the message again"
		}
		return "the model's server " + strings.TrimPrefix(f.Error(), "the provider ")
	}
	s := strings.TrimSpace(fmt.Sprintf("the model's server answered %d %s", f.Status, http.StatusText(f.Status)))
	if f.Said != "" {
		s += ": " + f.Said
	}
	if f.After >= time.Minute {
		s += "; retry in " + plural.Duration(f.After)
	}
	return s
}

// advised is an error with a next step for the user.
func advised(c Config, err error) error {
	var f *wire.Fault
	if !errors.As(err, &f) {
		return err
	}
	told := &faultError{line(f), f}
	base := c.baseFrom()
	switch f.Kind {
	case wire.TooLong:
		return &agent.TooLongError{Err: told}
	case wire.KeyRefused:
		if c.keyVar != "" {
			told.text += "; check the key in " + c.keyVar
		}
	case wire.Malformed:
		told.text += fmt.Sprintf("; check the address, %s (%s)", c.BaseURL, base)
	case wire.NotFound:
		told.text += fmt.Sprintf("; check the model's name, %s (MODEL_ID or --model), and the address, %s (%s)", visible.Clip(c.Model, 200), c.BaseURL, base)
	case wire.Redirected:
		told.text = "the server redirects elsewhere: set the final address with " + base
	case wire.TooLarge:
		if f.Err != nil {
			told.text = "the model's server sent " + f.Err.Error()
		}
	case wire.Unreachable, wire.Untrusted:
		cause := f.Err
		var u *url.Error
		if errors.As(cause, &u) {
			cause = u.Err // the URL is reported below
		}
		told.text = fmt.Sprintf("nothing answers at %s: %s; start a server there, or set the address with %s", c.BaseURL, visible.Clip(fmt.Sprint(cause), 200), base)
	}
	return told
}

// faultError describes a Fault for the person at the agent.
type faultError struct {
	text string
	f    *wire.Fault
}

func (e *faultError) Error() string { return e.text }
func (e *faultError) Unwrap() error { return e.f }
