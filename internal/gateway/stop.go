package gateway

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/store"
)

// StopRequest ends the processes of an approved request, or prevents its start. It returns an error
// if nothing runs.
func (g *Gateway) StopRequest(ctx context.Context, id string, by Principal) error {
	return g.stopFor(ctx, id, stoppedError{by: by.Name})
}

// stopFor is StopRequest with a reason.
func (g *Gateway) stopFor(ctx context.Context, id string, end stoppedError) error {
	req, err := g.store.Get(ctx, id)
	if err != nil {
		return err
	}
	nothing := fault{http.StatusConflict, "this request is not running"}
	if p, err := StoredPlan(&req); err != nil || !runs(p) || runsAgain(p) { // a damaged plan never runs
		return noCommand(&req)
	}
	if req.State != approval.Approved {
		return nothing
	}
	err = g.store.Transact(ctx, func(t *store.Tx) error {
		x, err := execution(t, req.ID)
		said := map[string]string{"stopped": req.Action}
		switch {
		case errors.Is(err, approval.ErrNone): // not begun: end it
			x = Execution{Status: "failed", Node: g.node, Started: g.now().UnixMilli(), Completed: g.now().UnixMilli(), Stopped: end.by, Why: end.why, Result: host.CommandResult{ExitCode: host.ExitNotStarted, Stderr: end.Error()}}
		case err != nil:
			return err
		case x.Completed > 0:
			return nothing
		default:
			x.Stopped, x.Why = end.by, end.why
		}
		return errors.Join(putExecution(t, req.ID, x), t.Event("stop", req.ID, end.by, said))
	})
	return err
}

// stoppedError means that a person stopped a command, or did what ends it, such as revoking the
// agent's token.
type stoppedError struct{ by, why string }

func (e stoppedError) Error() string {
	if e.why != "" {
		return fmt.Sprintf("stopped by %s, because %s", e.by, e.why)
	}
	return "stopped by " + e.by
}

// untilStopped returns a context that ends when a person stops a request. If a person already did,
// the context has ended, so that the request does not begin.
func (g *Gateway) untilStopped(ctx context.Context, id string) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	look := func() (over bool) {
		x, err := g.execution(ctx, id)
		if err == nil && x.Stopped != "" {
			cancel(stoppedError{x.Stopped, x.Why})
		}
		return ctx.Err() != nil
	}
	changed, stop := g.store.Changed(id)
	if look() {
		stop()
		return ctx, func() { cancel(nil) }
	}
	go func() {
		for {
			select {
			case <-changed:
			case <-ctx.Done():
			}
			stop()
			if ctx.Err() != nil {
				return
			}
			if changed, stop = g.store.Changed(id); look() {
				stop()
				return
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}

// begins writes to the audit log that a request is about to run. If it cannot, the request must not
// run.
func (g *Gateway) begins(r *approval.Request) error {
	if g.audit == "" {
		return nil
	}
	e := g.noted("begin", r.Operator, map[string]string{"request": r.ID, "category": string(r.Category), "action": r.Action, "digest": r.Digest, "agent": r.Agent})
	if err := g.journal.append(&e); err != nil {
		g.log.Error("nothing runs: the audit log cannot be written", "request", r.ID, "error", err)
		return errors.New("cannot write the gateway's record: nothing runs until this works")
	}
	return nil
}

// Outcome is the result of an approved request, for people.
type Outcome struct {
	ID, Status, Output string
	Completed, Command bool
	Exit               int
	Stopped            string // name of the person who stopped it
	Began, Ended       time.Time
}

// brief returns the outcome without its output, for the list of requests.
func (o *Outcome) brief() map[string]any {
	out := map[string]any{"status": o.Status}
	if o.Completed && o.Command {
		out["exitCode"] = o.Exit
	}
	if o.Stopped != "" {
		out["stoppedBy"] = o.Stopped
	}
	return out
}

// maxOutcome is the limit of the output in an Outcome, in bytes of each stream.
const maxOutcome = 4 << 10

// Outcome returns the result of a request, or nil if the gateway carried nothing out for it.
func (g *Gateway) Outcome(ctx context.Context, r *approval.Request) (*Outcome, error) {
	x, err := g.execution(ctx, r.ID)
	if errors.Is(err, store.ErrNoRecord) {
		return nil, nil //nolint:nilnil // there is none
	}
	if err != nil {
		return nil, err
	}
	tail := func(s string) string {
		if len(s) > maxOutcome {
			s = "[...]\n" + strings.ToValidUTF8(s[len(s)-maxOutcome:], "")
		}
		return s
	}
	o := &Outcome{ID: r.ID, Status: x.Status, Output: tail(x.Result.Stdout) + tail(x.Result.Stderr), Completed: x.Completed > 0, Exit: x.Result.ExitCode,
		Command: r.Category == approval.Exec || r.Category == approval.Packages, Stopped: x.Stopped, Began: time.UnixMilli(x.Started).UTC()}
	if o.Completed {
		o.Ended = time.UnixMilli(x.Completed).UTC()
	}
	return o, nil
}
