package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/jsonfault"
	"github.com/umpire-dev/umpire/internal/store"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Limits and times of executions.
const (
	maxRunning = 4                     // executions of one agent at a time
	lookPause  = 20 * time.Millisecond // between two reads of events, so that a burst of changes causes one
)

// retryEvery is the pause after a failure of the database. Tests shorten it.
var retryEvery = time.Second

// Execution is the work of an approved request, and its result. One gateway claims it, however many
// see the approval. A command never starts twice: if its gateway dies while it runs, the execution
// ends as unknown. Another gateway continues a change of files, a push or a change of settings.
type Execution struct {
	Status    string             `json:"status"` // running, completed, failed, conflict or unknown
	Node      string             `json:"node"`
	Started   int64              `json:"startedAt"`
	Completed int64              `json:"completedAt,omitempty"`
	Result    host.CommandResult `json:"result"`
	Stopped   string             `json:"stopped,omitempty"` // name of the person who stopped it
	Why       string             `json:"why,omitempty"`     // why it was stopped, if the person did not name this request
	Applied   bool               `json:"applied,omitempty"` // the change of settings is stored; it is in force when the execution is completed
}

const executionRecord = store.ExecutionRecord

// Execute runs approved requests until ctx ends, and waits for those that it started.
func (g *Gateway) Execute(ctx context.Context) {
	var running sync.WaitGroup
	defer running.Wait()
	begin := func(r approval.Request) {
		if r.State != approval.Approved {
			return
		}
		if p, err := StoredPlan(&r); err == nil && !runs(p) {
			return
		}
		running.Go(func() { g.inTurn(ctx, r) })
	}
	sweep := time.NewTicker(sweepEvery)
	defer sweep.Stop()
	sweepUp := func() {
		for _, r := range g.abandon(ctx) {
			running.Go(func() {
				defer g.inHand.Delete(r.ID)
				g.carryOut(ctx, r, true)
			})
		}
	}
	sweepUp()
	after := int64(-1) // the last event that was handled
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-pause.C:
		}
		pause.Reset(lookPause)
		changed, stop := g.store.Changed("")
		var more bool
		var err error
		if after < 0 {
			if after, err = g.leftOver(ctx, begin); err == nil {
				more = true
			}
		} else {
			after, more, err = g.next(ctx, after, begin)
		}
		if err == nil && more {
			stop()
			pause.Reset(0)
			continue
		}
		var retry <-chan time.Time
		if err != nil { // skip nothing: retry from the same event
			if ctx.Err() == nil {
				g.log.Error("cannot carry out an approved request yet", "error", err)
			}
			retry = time.After(retryEvery)
		}
		select {
		case <-ctx.Done():
			stop()
			return
		case <-changed:
		case <-retry:
		case <-sweep.C:
			sweepUp()
		}
		stop()
	}
}

// leftOver begins the requests that were approved before this gateway started and were never
// carried out. It returns the event from which to continue, or -1 with an error.
func (g *Gateway) leftOver(ctx context.Context, begin func(approval.Request)) (after int64, err error) {
	if after, err = g.store.Head(ctx); err == nil {
		err = g.notStarted(ctx, "", func(r approval.Request) error {
			begin(r)
			return nil
		})
	}
	if err != nil {
		return -1, err
	}
	return after, nil
}

// notStarted calls f for each approved request of an agent, or of all, that was never carried out. It
// skips categories that the gateway does not carry out: an agent may have any number of those.
func (g *Gateway) notStarted(ctx context.Context, agent string, f func(approval.Request) error) error {
	for _, c := range []approval.Category{approval.Exec, approval.Packages, approval.Filesystem, approval.Git, approval.Sandbox} {
		for last, more := "", true; more; {
			old, err := g.store.List(ctx, approval.Filter{States: []approval.State{approval.Approved}, Category: c, Agent: agent, Without: executionRecord, After: last, Oldest: true, Limit: 500})
			if err != nil {
				return err
			}
			for _, r := range old {
				if err := f(r); err != nil {
					return err
				}
				last = r.ID
			}
			more = len(old) == 500
		}
	}
	return nil
}

// next begins the requests that the events after an event approve, and returns the last event that
// it handled.
func (g *Gateway) next(ctx context.Context, after int64, begin func(approval.Request)) (last int64, more bool, err error) {
	events, err := g.store.Events(ctx, after, 1000)
	for _, e := range events {
		var said struct {
			Status approval.State `json:"status"`
		}
		if e.Kind == "request" || e.Kind == "resolve" {
			if err := json.Unmarshal(e.Data, &said); err != nil {
				return after, false, err
			}
		}
		if said.Status == approval.Approved {
			r, err := g.store.Get(ctx, e.Request)
			if err == nil {
				begin(r)
			} else if !errors.Is(err, approval.ErrNone) {
				return after, false, err
			}
		}
		after = e.Seq
	}
	return after, len(events) > 0, err
}

// inTurn carries a request out when its agent's turn comes, unless another gateway claims it first.
// Until then the request is unclaimed, so that after a restart the next gateway can begin it.
func (g *Gateway) inTurn(ctx context.Context, r approval.Request) {
	leave, err := g.running.enter(ctx, r.Agent)
	defer leave()
	if !g.takeInHand(r.ID) { // not before its turn: the sweep ends the claim of a gateway that died in the meantime
		return
	}
	defer g.inHand.Delete(r.ID)
	if p, fault := StoredPlan(&r); fault == nil && !g.has(ctx, p) {
		return
	}
	for err == nil {
		var claimed bool
		if err = g.lapsed(ctx, r.Agent); err == nil {
			claimed, err = g.claim(ctx, r.ID)
		}
		if claimed {
			g.carryOut(ctx, r, false)
		}
		if err == nil {
			return
		}
		if ctx.Err() == nil && !errors.Is(err, errLapsed) {
			g.log.Error("cannot claim an approved request yet", "request", r.ID, "error", err)
		}
		select {
		case <-time.After(retryEvery):
			err = nil
		case <-ctx.Done():
		}
	}
}

// carryOut carries out the plan that the answer was bound to. If begun is set, it continues the
// work of another gateway. Otherwise it judges the request again first.
func (g *Gateway) carryOut(ctx context.Context, r approval.Request, begun bool) {
	renewing, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var renewed sync.WaitGroup
	renewed.Go(func() { g.renew(renewing, r.ID) })
	defer func() {
		cancel()
		renewed.Wait()
	}()
	plan, err := StoredPlan(&r)
	again := err == nil && runsAgain(plan)
	if begun {
		leave, err := g.running.enter(ctx, r.Agent)
		defer leave()
		if err != nil {
			return // the next gateway takes it over
		}
	}
	status, result := "failed", host.CommandResult{ExitCode: host.ExitNotStarted}
	ctx, over := g.untilStopped(ctx, r.ID)
	defer over()
	if _, installs := plan.(*PackagePlan); err == nil && installs {
		var leave func()
		leave, err = g.installing.enter(ctx, r.Agent)
		defer leave()
		if err == nil {
			leave, err = g.installs.enter(ctx)
			defer leave()
		}
	}
	if stopped := (stoppedError{}); err == nil && errors.As(context.Cause(ctx), &stopped) { // stopped while it waited for its turn
		err = stopped
	}
	if err == nil && !begun { // judge after the wait, because an installation before this one may change files
		why := "it expired before it began: ask again"
		if g.now().Before(r.Expires) {
			why, err = g.forbidden(ctx, &r, plan)
		}
		if why != "" {
			err = errors.New(why)
		}
	}
	g.at("judged")
	if err == nil { // last, because this gateway may have been paused until here
		err = g.held(ctx, r.ID)
	}
	if errors.Is(err, errUnchanged) {
		return
	}
	if err == nil {
		err = g.begins(&r)
	}
	g.at("begun")
	switch x, ok := plan.(executable); {
	case err != nil:
		result.Stderr = agentError(err)
	case !ok || !x.runs():
		result.Stderr = "the gateway only answers this request and does not carry it out"
	default:
		status, result = x.carryOut(ctx, g, &r)
		defer g.live.finish(r.ID) // after finish stored the result
	}
	if again && status == "failed" && ctx.Err() != nil {
		return // the next gateway takes it over
	}
	g.at("carried out")
	g.finish(ctx, r, status, result)
	g.at("told")
}

func (g *Gateway) at(step string) {
	if g.step != nil {
		g.step(step)
	}
}

// finish stores the result of an execution. It keeps trying while the database does not answer,
// because only this gateway knows the result.
func (g *Gateway) finish(ctx context.Context, r approval.Request, status string, result host.CommandResult) {
	note := map[string]string{"status": status, "exit": strconv.Itoa(result.ExitCode), "ms": strconv.FormatInt(result.Took.Milliseconds(), 10)}
	last, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	late := false
	defer func() {
		if late { // the audit log still records the result
			g.note("late result", g.node, map[string]string{"request": r.ID, "status": status, "exit": note["exit"]})
		}
	}()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(finishWithin, cancel) })()
	for {
		err := g.store.Transact(last, func(t *store.Tx) error {
			x, err := execution(t, r.ID)
			if err != nil {
				return err
			}
			if x.Node != g.node || x.Completed > 0 { // another gateway ended it: the agent already has a final answer
				late = true
				return errUnchanged
			}
			x.Status, x.Completed, x.Result = status, g.now().UnixMilli(), result
			return errors.Join(putExecution(t, r.ID, x), t.Put(leaseRecord, r.ID, nil), t.Event("result", r.ID, g.node, note))
		})
		if err == nil || errors.Is(err, errUnchanged) {
			return
		}
		g.log.Error("cannot store the result of a command", "request", r.ID, "error", err)
		select {
		case <-time.After(retryEvery):
		case <-last.Done():
			return
		}
	}
}

// belowRoot returns a request's folder relative to the project's root, "" for the root itself.
func (g *Gateway) belowRoot(dir string) (string, error) {
	to, err := g.folder(dir)
	if err != nil {
		return "", err
	}
	root, err := g.top()
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(root, to)
	if rel == "." {
		rel = ""
	}
	return rel, err
}

// errLeadsElsewhere means that someone replaced the project's folder, or a folder above it, by a link. Then
// nothing runs: people approved changes of the folder that was there.
var errLeadsElsewhere = fault{http.StatusConflict, "the project folder is not the one that the gateway started with: if that is intended, restart the gateway"}

// top returns the project's folder with all links resolved.
func (g *Gateway) top() (string, error) {
	root, err := filepath.EvalSymlinks(g.root)
	if err == nil && root != g.leads {
		return "", errLeadsElsewhere
	}
	return root, err
}

// openWorkspace opens the workspace. The agents that work in it may have put a link to other files
// of this machine in its place.
func (g *Gateway) openWorkspace() (*host.Tree, error) {
	at, err := filepath.EvalSymlinks(g.workspace)
	if err == nil && at != g.work {
		err = fault{http.StatusConflict, "the workspace is not the folder that the gateway started with: if you moved it, restart the gateway"}
	}
	if err != nil {
		return nil, err
	}
	return host.OpenTree(at)
}

// tree opens the project's folder.
func (g *Gateway) tree() (*host.Tree, error) {
	root, err := g.top()
	if err != nil {
		return nil, err
	}
	return host.OpenTree(root)
}

// folder returns a request's folder with all links resolved. It must be in the project: rules name
// no folder, so a rule that allows "make check" would run the Makefile of any folder that an agent
// can write to. It must exist: people would approve what cannot run, or what an agent puts there later.
func (g *Gateway) folder(dir string) (string, error) {
	root, err := g.top()
	if err != nil || dir == "" {
		return root, err
	}
	at := filepath.Clean(dir)
	if !filepath.IsAbs(at) {
		at = filepath.Join(g.root, at)
	}
	to, err := filepath.EvalSymlinks(at)
	if below, e := filepath.Rel(g.root, at); errors.Is(err, fs.ErrNotExist) && e == nil && filepath.IsLocal(below) {
		return "", bad("the folder %s does not exist in the project: create it first, or leave cwd out", visible.Line(dir))
	}
	in, outside := filepath.Rel(root, to)
	if err != nil || outside != nil || !filepath.IsLocal(in) || !isFolder(to) {
		return "", bad("%s is not a folder of the project: leave cwd out, or name one", visible.Line(dir))
	}
	return to, nil
}

// commandIn and installIn describe what to run. execIn and packagesIn are the bodies of the two
// routes for it. Times are in milliseconds.
type (
	commandIn struct {
		Command string             `json:"command"`
		Dir     string             `json:"cwd,omitempty"`
		Timeout jsonfault.Positive `json:"timeout,omitempty"`
	}
	installIn struct {
		Manager  string             `json:"manager"`
		Packages []string           `json:"packages"`
		Verb     string             `json:"action,omitempty"`
		Scripts  bool               `json:"scripts,omitempty"`
		Dir      string             `json:"cwd,omitempty"`
		Timeout  jsonfault.Positive `json:"timeout,omitempty"`
	}
	askedIn struct {
		Reason  string             `json:"reason,omitempty"`
		Session string             `json:"session,omitempty"`
		Key     string             `json:"key,omitempty"`
		Lease   jsonfault.Positive `json:"lease,omitempty"`
	}
	execIn struct {
		commandIn
		askedIn
	}
	packagesIn struct {
		installIn
		askedIn
	}
)

// postRun submits the request in a body of type T.
func postRun[T any, P interface {
	*T
	submission() (Submission, error)
}](g *Gateway) handler {
	return func(w http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
		in := P(new(T))
		if err := read(w, r, in, false); err != nil {
			return 0, nil, err
		}
		s, err := in.submission()
		if err != nil {
			return 0, nil, err
		}
		return g.submitted(r.Context(), p, s)
	}
}

func (in execIn) submission() (Submission, error) {
	meta, err := json.Marshal(in.commandIn)
	return Submission{Category: approval.Exec, Action: in.Command, Reason: in.Reason, Metadata: meta, Session: in.Session, Key: in.Key, Lease: in.Lease}, err
}

func (in packagesIn) submission() (Submission, error) {
	meta, err := json.Marshal(in.installIn)
	return Submission{Category: approval.Packages, Reason: in.Reason, Metadata: meta, Session: in.Session, Key: in.Key, Lease: in.Lease}, err
}

func (g *Gateway) submitted(ctx context.Context, p Principal, s Submission) (int, any, error) {
	req, err := g.Submit(ctx, p, s)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusCreated, wire(req, true), nil
}

// execution returns the execution of a request, or store.ErrNoRecord.
func (g *Gateway) execution(ctx context.Context, id string) (x Execution, err error) {
	rec, err := g.store.Record(ctx, executionRecord, id)
	if err == nil {
		err = json.Unmarshal(rec.Body, &x)
	}
	return x, err
}

// waitExecution returns the execution of an approved request as soon as it has ended, or ctx's
// error.
func (g *Gateway) waitExecution(ctx context.Context, id string) (Execution, error) {
	for {
		changed, stop := g.store.Changed(id)
		x, err := g.execution(ctx, id)
		if err == nil && x.Completed > 0 || err != nil && !errors.Is(err, store.ErrNoRecord) {
			stop()
			return x, err
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
		stop()
		if ctx.Err() != nil {
			return x, ctx.Err()
		}
	}
}

// getExecution returns the state of an agent's execution. With a wait, it returns once the request
// is answered and, if it is approved, its execution has ended.
func (g *Gateway) getExecution(_ http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
	req, err := g.own(r.Context(), r.PathValue("id"), p)
	var plan Plan
	if err == nil {
		if plan, err = StoredPlan(&req); err == nil && !runs(plan) {
			err = noCommand(&req)
		}
	}
	if err != nil {
		return 0, nil, err
	}
	ctx, cancel, err := g.patience(r)
	if err != nil {
		return 0, nil, err
	}
	defer cancel()
	if ctx != nil {
		later, err := g.queue.Wait(ctx, req.ID)
		if err == nil {
			req = later
		}
		if err == nil && req.State == approval.Approved {
			_, err = g.waitExecution(ctx, req.ID)
		}
		if err != nil && ctx.Err() == nil {
			return 0, nil, err
		}
	}
	out := map[string]any{"id": req.ID, "status": req.State, "createdAt": req.Created.UnixMilli()}
	switch p := plan.(type) {
	case *CommandPlan:
		out["command"] = p.Command
	case *PackagePlan:
		if p.Scripts {
			out["scripts"] = true
		}
		out["manager"], out["packages"], out["action"] = p.Manager, p.Names, p.Verb
	default:
		out["action"] = req.Action
	}
	if p, ok := plan.(program); ok {
		out["timeout"] = cmp.Or(p.proc().Timeout, host.DefaultTimeout.Milliseconds())
		if dir := p.proc().Dir; dir != "" {
			out["cwd"] = dir
		}
	}
	if req.Reason != "" {
		out["reason"] = req.Reason
	}
	if req.Note != "" {
		out["note"] = req.Note
	}
	x, err := g.execution(r.Context(), req.ID)
	if errors.Is(err, store.ErrNoRecord) {
		return http.StatusOK, out, nil
	}
	if err != nil {
		return 0, nil, err
	}
	if out["status"] = x.Status; x.Completed > 0 {
		out["completedAt"] = x.Completed
		if runsAgain(plan) { // no program ran, so there is no output
			if x.Result.Stderr != "" {
				out["error"] = x.Result.Stderr
			}
			return http.StatusOK, out, nil
		}
		if x.Stopped != "" {
			out["stopped"] = true
		}
		out["result"] = map[string]any{"stdout": x.Result.Stdout, "stderr": x.Result.Stderr, "exitCode": x.Result.ExitCode}
	}
	return http.StatusOK, out, nil
}
