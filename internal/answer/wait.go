package answer

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/hook"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/policy"
)

// How long a hook waits for a person. It must answer before the client gives up.
const (
	DefaultWait = 45 * time.Second
	margin      = 5 * time.Second
	maxWait     = hook.SlowTime - margin
)

// Wait waits until a person answers a question: with a command, in a watch, on the desktop or at a
// gateway. Without an answer it returns false: the hook denies the call, and the question stays
// open.
func Wait(ctx context.Context, c *hook.Call, q question.Question) (question.Question, bool) {
	a := &c.Event.Action
	var settings policyfile.Approval
	if loaded, err := project.OwnSettings(a.Home, a.Workspace); err == nil {
		settings = loaded.Approval
	}
	return waitFor(ctx, q, settings, func(ctx context.Context, box question.Box, dir string) error {
		err := AskGateway(ctx, box, dir, settings.Gateway, a, q)
		if err != nil {
			c.Failure = strings.TrimPrefix(c.Failure+"; gateway: "+err.Error(), "; ")
		}
		return err
	})
}

// waitFor waits for the first answer. ask, if not nil, sends the question to the gateway and
// returns when the gateway has answered or failed.
func waitFor(ctx context.Context, q question.Question, settings policyfile.Approval, ask func(context.Context, question.Box, string) error) (question.Question, bool) {
	box, dir, err := Questions()
	if err != nil {
		return q, false
	}
	limit := settings.Wait
	if limit <= 0 {
		limit = DefaultWait
	}
	limit = min(limit, maxWait)
	if end, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(end)-margin)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var asked sync.WaitGroup
	if settings.Desktop {
		asked.Go(func() { askOnDesktop(ctx, box, dir, q, limit) })
	}
	if settings.Gateway != nil && ask != nil {
		asked.Go(func() {
			// If only the gateway can answer, and it is unreachable, do not wait.
			if err := ask(ctx, box, dir); err != nil && settings.CannotAsk != policy.AskWait && !settings.Desktop {
				cancel()
			}
		})
	}
	got, ok := box.Wait(q, ctx.Done())
	cancel() // closes the window, and withdraws the question
	asked.Wait()
	return got, ok
}
