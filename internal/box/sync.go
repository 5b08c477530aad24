package box

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/umpire-dev/umpire/internal/changes"
	"github.com/umpire-dev/umpire/internal/gatewayclient"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Modes of sync: how a program's changes reach the project.
const (
	ApplyAsk   = "ask"   // offer the review at the end
	ApplyRules = "rules" // write changes that rules allow while the program runs; ask about the others
	ApplyNever = "never" // wait for `umpire changes`
)

// Sync configures how changes and pushes leave the sandbox.
type Sync struct {
	Apply             string
	Push, Credentials string
	remote, pushTo    string // the push remote, as known to git in the sandbox, and to the gateway
	own               bool   // the gateway ends with the run
}

// runSync handles the changes of a run while its program runs.
type runSync struct {
	live   *changes.Live
	judge  *gatewayApprover // nil unless rules let changes through
	stop   context.CancelFunc
	revoke func()
	done   chan struct{}
	own    bool
}

// gatewayProject is a gateway's description of itself.
type gatewayProject struct {
	Root   string `json:"root"`
	PushTo string `json:"pushTo"`
}

// startSync starts watching for changes.
func startSync(ctx context.Context, errs io.Writer, r *Run, server string) (*runSync, error) {
	if r.Sync.Apply == ApplyNever {
		return nil, nil //nolint:nilnil // it does nothing
	}
	s := &runSync{own: r.Sync.own, done: make(chan struct{})}
	var judge changes.Approver
	if r.Sync.Apply == ApplyRules {
		var at gatewayProject
		if err := gatewayclient.AsOperator(ctx, server, http.MethodGet, "/api/project", nil, &at); err != nil {
			return nil, err
		}
		if at.Root != r.Config.Dir {
			return nil, fmt.Errorf("the running gateway serves another project, %s: --apply rules requires one started with --root %s", visible.Line(at.Root), visible.Line(r.Config.Dir))
		}
		// A separate token: the program in the sandbox can neither cancel nor read these questions.
		j := &gatewayApprover{server: server, run: r.ID}
		var err error
		var id string
		if j.token, id, err = agentToken(ctx, server, "changes of run "+r.ID); err != nil {
			return nil, err
		}
		s.judge, judge = j, j
		s.revoke = keepToken(ctx, errs, server, id, "?keep=requests")
	}
	s.live = r.Changes().Watch(judge)
	ctx, s.stop = context.WithCancel(ctx)
	go func() {
		defer close(s.done)
		s.live.Run(ctx)
	}()
	return s, nil
}

// end checks a last time after the program has ended, and reports the results.
func (s *runSync) end(ctx context.Context, w io.Writer) {
	if s == nil {
		return
	}
	s.stop()
	<-s.done
	if s.judge == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	open, err := s.live.Finish(ctx, s.own)
	if s.live.Done+s.live.Refusals+open > 0 {
		fmt.Fprintf(w, "umpire: %s applied by your rules and answers, %d refused, %d waiting\n", plural.Count(s.live.Done, "change"), s.live.Refusals, open)
	}
	if err == nil {
		err = s.live.Err
	}
	if err != nil {
		fmt.Fprintf(w, "umpire: some changes were not checked: %s\n", visible.Line(err.Error()))
	}
	s.revoke()
}

// gatewayApprover submits changes to a gateway, which decides on them.
type gatewayApprover struct{ server, run, token string }

var _ changes.Approver = (*gatewayApprover)(nil)

func (j *gatewayApprover) call(ctx context.Context, method, path string, in, out any) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	err := gatewayclient.Call(ctx, &http.Client{CheckRedirect: gatewayclient.NoRedirect}, method, gatewayclient.URL(j.server)+path, j.token, in, out)
	var fault *gatewayclient.Refusal
	if errors.As(err, &fault) && (fault.Status == http.StatusConflict || fault.Status == http.StatusBadRequest) {
		err = fmt.Errorf("%w: %w", changes.ErrClash, err) // it will never accept this set
	}
	return err
}

// wireChange is a change in the gateway's form.
type wireChange struct {
	Op     host.Op `json:"op"`
	Path   string  `json:"path"`
	From   string  `json:"from,omitempty"`
	Base64 *[]byte `json:"base64,omitempty"`
	Mode   string  `json:"mode,omitempty"`
	Target string  `json:"target,omitempty"`
	Was    string  `json:"was,omitempty"`
}

func wireChanges(set []*changes.Change) []wireChange {
	out := make([]wireChange, len(set))
	for i, c := range set {
		s := &c.Step
		w := wireChange{Op: s.Op, Path: s.Path, From: s.From, Target: s.Target}
		base := s.Base
		if s.Op == host.Move {
			base = s.Source
		}
		switch base.Kind {
		case host.File:
			w.Was = base.Sum
		case host.Absent:
			w.Was = host.WasAbsent
		}
		if s.Op == host.Write {
			w.Base64 = &s.Content
		}
		usual := uint32(0o644)
		if s.Base.Kind == host.File {
			usual = s.Base.Mode & 0o777
		}
		if s.Op == host.Chmod || s.Op == host.Write && s.Mode != usual {
			w.Mode = fmt.Sprintf("%o", s.Mode)
		}
		out[i] = w
	}
	return out
}

// Check returns the decision of the rules, and stores nothing.
func (j *gatewayApprover) Check(ctx context.Context, set []*changes.Change) (changes.Outcome, error) {
	var out struct {
		Effect string `json:"effect"`
	}
	in := map[string]any{"category": "filesystem", "metadata": map[string]any{"changes": wireChanges(set)}}
	if err := j.call(ctx, http.MethodPost, "/api/check", in, &out); err != nil {
		return changes.Open, err
	}
	switch out.Effect {
	case "allow":
		return changes.Written, nil
	case "deny":
		return changes.Refused, nil
	}
	return changes.Open, nil
}

// Ask creates a request, or writes the changes if rules allow them.
func (j *gatewayApprover) Ask(ctx context.Context, set []*changes.Change) (string, error) {
	var out struct {
		ID string `json:"id"`
	}
	err := j.call(ctx, http.MethodPost, "/api/files", map[string]any{"changes": wireChanges(set), "reason": "run " + j.run, "session": j.run}, &out)
	return out.ID, err
}

// Answers returns the answers to requests. One call lists the pending ones.
func (j *gatewayApprover) Answers(ctx context.Context, ids []string) (map[string]changes.Outcome, error) {
	var queue struct {
		Pending []struct {
			ID string `json:"id"`
		} `json:"pending"`
	}
	if err := j.call(ctx, http.MethodGet, "/api/queue", nil, &queue); err != nil {
		return nil, err
	}
	waits := map[string]bool{}
	for _, q := range queue.Pending {
		waits[q.ID] = true
	}
	out := map[string]changes.Outcome{}
	for _, id := range ids {
		if waits[id] {
			continue
		}
		var q struct {
			Status string `json:"status"`
		}
		if err := j.call(ctx, http.MethodGet, "/api/files/"+url.PathEscape(id)+"?wait=5s", nil, &q); err != nil {
			return nil, err
		}
		switch q.Status {
		case "completed":
			out[id] = changes.Written
		case "denied":
			out[id] = changes.Refused
		case "pending", "approved", "running", "queued":
		default: // a conflict, superseded, or too late
			out[id] = changes.Lapsed
		}
	}
	return out, nil
}

// Cancel withdraws a request.
func (j *gatewayApprover) Cancel(ctx context.Context, id string) error {
	return j.call(ctx, http.MethodDelete, "/api/queue/"+url.PathEscape(id), nil, nil)
}
