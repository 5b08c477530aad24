package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/store"
)

// How approved commands are carried out.
const (
	maxRunning = 4 // at once
	leaseFor   = 30 * time.Second
	renewEvery = 10 * time.Second
)

// Execution is what becomes of an approved command. It is claimed once, whoever and
// however many approve it, and never begun a second time: one that was running when its
// gateway died ends as unknown.
type Execution struct {
	Status    string      `json:"status"` // running, completed, failed or unknown
	Node      string      `json:"node"`
	Lease     int64       `json:"lease"` // ms; the node renews it while it runs
	Started   int64       `json:"startedAt"`
	Completed int64       `json:"completedAt,omitempty"`
	Result    host.Result `json:"result"`
}

const executionRecord = "execution"

// runs reports whether an approval of the category is carried out here.
func runs(c approval.Category) bool { return c == approval.Exec || c == approval.Packages }

// Execute carries out what is approved, until ctx ends, and waits for what it began.
func (g *Gateway) Execute(ctx context.Context) {
	var running sync.WaitGroup
	defer running.Wait()
	slots := make(chan struct{}, maxRunning)
	after, err := g.store.Head(ctx)
	if err != nil {
		g.log.Error("nothing is carried out", "error", err)
		return
	}
	begin := func(r approval.Request) {
		if !runs(r.Category) || r.State != approval.Approved || !g.claim(ctx, r.ID) {
			return
		}
		running.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			g.carryOut(ctx, r)
		})
	}
	// What was approved before this gateway began, and nobody carried out.
	for _, c := range []approval.Category{approval.Exec, approval.Packages} {
		old, err := g.store.List(ctx, approval.Filter{States: []approval.State{approval.Approved}, Category: c, Limit: 1000})
		if err != nil {
			g.log.Error("the approved commands cannot be read", "error", err)
		}
		for _, r := range old {
			begin(r)
		}
	}
	sweep := time.NewTicker(renewEvery)
	defer sweep.Stop()
	g.abandon(ctx)
	for {
		changed, stop := g.store.Changed("")
		events, err := g.store.Events(ctx, after, 1000)
		for _, e := range events {
			after = e.Seq
			if e.Kind != "request" && e.Kind != "resolve" {
				continue
			}
			if r, err := g.store.Get(ctx, e.Request); err == nil {
				begin(r)
			}
		}
		if len(events) > 0 && err == nil {
			stop()
			continue
		}
		select {
		case <-ctx.Done():
			stop()
			return
		case <-changed:
		case <-sweep.C:
			stop()
			g.abandon(ctx)
		}
	}
}

// claim reports whether this gateway is the one that carries a request out.
func (g *Gateway) claim(ctx context.Context, id string) bool {
	now := g.now()
	body, err := json.Marshal(Execution{Status: "running", Node: g.node, Started: now.UnixMilli(), Lease: now.Add(leaseFor).UnixMilli()})
	if err != nil {
		return false
	}
	err = g.store.Update(ctx, executionRecord, id, "execute", g.node, func(old json.RawMessage) (json.RawMessage, any, error) {
		if old != nil {
			return nil, nil, errUnchanged
		}
		return body, map[string]string{"status": "running"}, nil
	})
	if err != nil && !errors.Is(err, errUnchanged) && ctx.Err() == nil {
		g.log.Error("a command cannot be claimed", "request", id, "error", err)
	}
	return err == nil
}

// carryOut runs what was approved: of the checked fields that the answer was bound to.
func (g *Gateway) carryOut(ctx context.Context, r approval.Request) {
	renewing, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var renewed sync.WaitGroup
	renewed.Go(func() { g.renew(renewing, r.ID) })
	status, result := "completed", host.Result{ExitCode: host.ExitNotStarted}
	c, err := g.command(&r)
	if err != nil {
		status, result.Stderr = "failed", err.Error()
	} else if result = host.Run(ctx, c); result.ExitCode == host.ExitNotStarted {
		status = "failed"
	}
	cancel()
	renewed.Wait()
	g.finish(context.WithoutCancel(ctx), r, status, result)
}

func (g *Gateway) command(r *approval.Request) (host.Command, error) {
	var kept struct {
		Effective Effective `json:"effective"`
	}
	if err := json.Unmarshal(r.Metadata, &kept); err != nil {
		return host.Command{}, err
	}
	e := &kept.Effective
	if e.Digest() != r.Digest {
		return host.Command{}, errors.New("what is kept is not what was approved")
	}
	c := host.Command{Dir: g.root, Timeout: time.Duration(e.Timeout) * time.Millisecond}
	if filepath.IsAbs(e.Dir) {
		c.Dir = e.Dir
	} else if e.Dir != "" {
		c.Dir = filepath.Join(g.root, e.Dir)
	}
	if e.Category == approval.Exec {
		c.Shell = e.Command
		return c, nil
	}
	argv, err := host.PackageCommand(e.Manager, e.Verb, e.Names, false)
	c.Argv = argv
	return c, err
}

// renew keeps the claim while the command runs.
func (g *Gateway) renew(ctx context.Context, id string) {
	tick := time.NewTicker(renewEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		_ = g.change(ctx, id, "renew", func(x *Execution) error { // tried again in a while
			x.Lease = g.now().Add(leaseFor).UnixMilli()
			return nil
		})
	}
}

// change changes an execution that this node still has.
func (g *Gateway) change(ctx context.Context, id, event string, f func(*Execution) error) error {
	return g.store.Update(ctx, executionRecord, id, event, g.node, func(old json.RawMessage) (json.RawMessage, any, error) {
		var x Execution
		if err := json.Unmarshal(old, &x); err != nil {
			return nil, nil, err
		}
		if x.Status != "running" {
			return nil, nil, errUnchanged
		}
		if err := f(&x); err != nil {
			return nil, nil, err
		}
		body, err := json.Marshal(x)
		return body, map[string]string{"status": x.Status}, err
	})
}

func (g *Gateway) finish(ctx context.Context, r approval.Request, status string, result host.Result) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	err := g.change(ctx, r.ID, "result", func(x *Execution) error {
		if x.Node != g.node {
			return errUnchanged // it took so long that another node gave it up
		}
		x.Status, x.Completed, x.Result = status, g.now().UnixMilli(), result
		return nil
	})
	if err != nil {
		g.log.Error("the result of a command cannot be kept", "request", r.ID, "error", err)
	}
	if g.audit != "" {
		e := audit.Event{Kind: audit.Result, Point: audit.Gateway, Version: g.version, Data: map[string]string{"request": r.ID, "category": string(r.Category),
			"status": status, "exit": fmt.Sprint(result.ExitCode), "ms": fmt.Sprint(result.Took.Milliseconds())}}
		if err := audit.Append(g.audit, &e); err != nil {
			g.log.Error("the audit log cannot be written", "error", err)
		}
	}
}

// abandon ends executions whose node is gone: what they did is not known, and they are
// not begun again.
func (g *Gateway) abandon(ctx context.Context) {
	records, err := g.store.Records(ctx, executionRecord)
	if err != nil {
		return // tried again in a while
	}
	for _, rec := range records {
		var x Execution
		if json.Unmarshal(rec.Body, &x) != nil || x.Status != "running" || x.Lease > g.now().UnixMilli() && (x.Node == g.node || g.shared) {
			continue
		}
		if x.Node == g.node && x.Lease > g.started.UnixMilli() {
			continue // this process's own, whose renewal is late
		}
		err := g.store.Update(ctx, executionRecord, rec.ID, "result", g.node, func(old json.RawMessage) (json.RawMessage, any, error) {
			var now Execution
			if err := json.Unmarshal(old, &now); err != nil {
				return nil, nil, err
			}
			if now.Status != "running" || now.Lease != x.Lease {
				return nil, nil, errUnchanged
			}
			now.Status, now.Completed = "unknown", g.now().UnixMilli()
			now.Result.Stderr = "the gateway ended while this ran: what it did is not known"
			body, err := json.Marshal(now)
			return body, map[string]string{"status": "unknown"}, err
		})
		if err != nil && !errors.Is(err, errUnchanged) {
			g.log.Error("an abandoned command cannot be ended", "request", rec.ID, "error", err)
		}
	}
}

// execIn and packagesIn are the bodies of the two calls that run something.
type execIn struct {
	Command string `json:"command"`
	Dir     string `json:"cwd,omitempty"`
	Reason  string `json:"reason,omitempty"`
	Timeout int64  `json:"timeout,omitempty"`
	Session string `json:"session,omitempty"`
	Key     string `json:"key,omitempty"`
}

type packagesIn struct {
	Manager  string   `json:"manager"`
	Packages []string `json:"packages"`
	Verb     string   `json:"action,omitempty"`
	Dir      string   `json:"cwd,omitempty"`
	Reason   string   `json:"reason,omitempty"`
	Timeout  int64    `json:"timeout,omitempty"`
	Session  string   `json:"session,omitempty"`
	Key      string   `json:"key,omitempty"`
}

func (g *Gateway) postExec(w http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
	var in execIn
	if err := read(w, r, &in, false); err != nil {
		return 0, nil, err
	}
	meta, err := json.Marshal(map[string]any{"command": in.Command, "cwd": in.Dir, "timeout": in.Timeout})
	if err != nil {
		return 0, nil, err
	}
	return g.submitted(r.Context(), p, Submission{Category: approval.Exec, Action: in.Command, Reason: in.Reason, Metadata: meta, Session: in.Session, Key: in.Key})
}

func (g *Gateway) postPackages(w http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
	var in packagesIn
	if err := read(w, r, &in, false); err != nil {
		return 0, nil, err
	}
	meta, err := json.Marshal(map[string]any{"manager": in.Manager, "packages": in.Packages, "action": in.Verb, "cwd": in.Dir, "timeout": in.Timeout})
	if err != nil {
		return 0, nil, err
	}
	return g.submitted(r.Context(), p, Submission{Category: approval.Packages, Reason: in.Reason, Metadata: meta, Session: in.Session, Key: in.Key})
}

func (g *Gateway) submitted(ctx context.Context, p Principal, s Submission) (int, any, error) {
	req, err := g.Submit(ctx, p, s)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusCreated, wire(req, true), nil
}

// getExecution shows what became of an agent's command.
func (g *Gateway) getExecution(_ http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
	req, err := g.own(r.Context(), r.PathValue("id"), p)
	if err == nil && !runs(req.Category) {
		err = approval.ErrNone
	}
	if err != nil {
		return 0, nil, err
	}
	var kept struct {
		Effective Effective `json:"effective"`
	}
	if err := json.Unmarshal(req.Metadata, &kept); err != nil {
		return 0, nil, err
	}
	e := &kept.Effective
	timeout := e.Timeout
	if timeout == 0 {
		timeout = host.DefaultTimeout.Milliseconds()
	}
	out := map[string]any{"id": req.ID, "timeout": timeout, "status": req.State, "createdAt": req.Created.UnixMilli()}
	if e.Category == approval.Exec {
		out["command"] = e.Command
	} else {
		out["manager"], out["packages"], out["action"] = e.Manager, e.Names, e.Verb
	}
	if e.Dir != "" {
		out["cwd"] = e.Dir
	}
	if req.Reason != "" {
		out["reason"] = req.Reason
	}
	if req.Note != "" {
		out["note"] = req.Note
	}
	rec, err := g.store.Record(r.Context(), executionRecord, req.ID)
	if errors.Is(err, store.ErrNoRecord) {
		return http.StatusOK, out, nil
	}
	var x Execution
	if err == nil {
		err = json.Unmarshal(rec.Body, &x)
	}
	if err != nil {
		return 0, nil, err
	}
	if out["status"] = x.Status; x.Completed > 0 {
		out["completedAt"] = x.Completed
		out["result"] = map[string]any{"stdout": x.Result.Stdout, "stderr": x.Result.Stderr, "exitCode": x.Result.ExitCode}
	}
	return http.StatusOK, out, nil
}
