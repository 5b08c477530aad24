package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	chat "github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/quarantine"
	"github.com/umpire-dev/umpire/internal/quarantine/cell"
	"github.com/umpire-dev/umpire/internal/quarantine/reading"
	"github.com/umpire-dev/umpire/internal/review"
	"github.com/umpire-dev/umpire/internal/review/finding"
	"github.com/umpire-dev/umpire/internal/review/snapshot"
	"github.com/umpire-dev/umpire/internal/wire"
)

// agent is one run of a reviewer, seen from the main process.
type agent struct {
	ID, Model string
	task      *task

	session quarantine.Session
	system  string
	user    string
	refs    map[string]string // by path
	mu      sync.Mutex        // guards the fields below: a foreign client's calls arrive in two ways
	calls   int
	denied  int
	owed    []unsentText
	passing sync.Mutex // held while a request is searched for owed texts
	output  int
	until   time.Time // time limit
	used    chat.Usage
	retried bool
	answer  *quarantine.Parsed
	exit    string
	why     string // why it failed, in umpire's words
}

// errLimit stops an agent that has reached a limit.
var errLimit = errors.New("a reviewer reached a limit")

func (a *agent) file(path string) *snapshot.File {
	for _, f := range a.task.files {
		if f.Path == path {
			return f
		}
	}
	return nil
}

// agent runs one agent, from its session to its report. Only a failure to start is an error.
func (d *reviewState) agent(ctx context.Context, a *agent, run runner) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	slot, err := d.slot(ctx)
	if err != nil {
		d.incomplete("cannot start another reviewer: too many are running")
		return nil
	}
	defer func() { _ = slot.Free() }()
	if err := d.begin(a); err != nil {
		d.incomplete("a reviewer could not be started")
		fmt.Fprintf(d.Stderr, "umpire: a reviewer could not be started: %v\n", err)
		return nil
	}
	started := d.clock()
	a.until = time.Now().Add(d.Timeout)
	d.timers.Track(a.ID, d.Timeout, func(limit, elapsed time.Duration) {
		d.event(quarantine.AgentTimedOut, a.session, "the reviewer took too long", map[string]any{"limit": limit.Milliseconds(), "elapsed": elapsed.Milliseconds()})
		cancel(context.DeadlineExceeded)
	})
	d.event(quarantine.Spawned, a.session, "a reviewer begins", map[string]any{"files": len(a.task.files), "model": a.Model})
	d.progress("%s reviews files: %d", a.ID, len(a.task.files))
	fault := run(ctx, d, a)
	end := quarantine.Completed
	if fault != nil {
		end = quarantine.Failed
	}
	switch end = d.timers.End(a.ID, end); {
	case end == quarantine.TimedOut:
		a.exit = "timeout"
		d.incomplete(fmt.Sprintf("a reviewer took too long: more than %s (--timeout)", plural.Duration(d.Timeout)))
	case errors.Is(fault, errLimit):
		a.exit = "limit"
		d.incomplete(fault.Error())
	case fault != nil:
		a.exit = "error"
		if ctx.Err() == nil && !errors.Is(fault, ErrIsolation) { // the whole review reports that
			a.why = cause(fault)
			d.incomplete("a reviewer failed: " + a.why)
			fmt.Fprintf(d.Stderr, "umpire: %s: %v\n", a.ID, fault)
		}
	default:
		a.exit = "normal"
	}
	d.finish(a, d.clock().Sub(started))
	if errors.Is(fault, ErrIsolation) {
		return fault
	}
	return nil
}

// cause describes in umpire's words why a reviewer failed. The report, which agents read, contains
// it: no text of a provider, a client or a model may be in it.
func cause(fault error) string {
	var f *wire.Fault
	if errors.As(fault, &f) {
		return (&wire.Fault{Kind: f.Kind, Status: f.Status}).Error()
	}
	for _, own := range []error{errSaid, errRefused, errClient} {
		if errors.Is(fault, own) {
			return own.Error()
		}
	}
	return "its process ended"
}

// begin creates an agent's session, key and references.
func (d *reviewState) begin(a *agent) (err error) {
	if err = d.limiter.Register(a.ID); err != nil {
		return err
	}
	if a.session, err = d.sessions.Create(a.ID, true); err != nil {
		return err
	}
	files := make([]quarantine.File, len(a.task.files))
	for i, f := range a.task.files {
		files[i] = quarantine.File{Path: f.Path, Digest: f.Digest}
	}
	refs, err := d.enforcer.Issue(a.session.ID, files, d.Once)
	if err != nil {
		return err
	}
	a.refs = map[string]string{}
	var list []quarantine.Listed
	for i, f := range a.task.files {
		if refs[i] == "" {
			d.incomplete("not every file could be shown to a reviewer")
			continue
		}
		a.refs[f.Path] = refs[i]
		list = append(list, quarantine.Listed{Number: i + 1, Name: f.Path, Description: describe(f), Reference: refs[i]})
	}
	instructions := d.Instructions
	if a.task.lines != "" {
		instructions += "\n\n" + a.task.lines
	}
	a.system, a.user = d.SystemPrompt(a.session.ID), quarantine.UserPrompt(list, instructions)
	return nil
}

// describe describes a file in fixed words.
func describe(f *snapshot.File) string {
	text := fmt.Sprintf("%d lines", f.Lines)
	if f.Partial && len(f.Changed) > 0 {
		text += ", changed:"
		for i, s := range f.Changed {
			if i == 20 {
				text += " and more"
				break
			}
			text += fmt.Sprintf(" %d-%d", s.First, s.Last)
		}
	}
	return text
}

// finish evaluates an agent's answer, and revokes everything from the agent.
func (d *reviewState) finish(a *agent, took time.Duration) {
	s, _ := d.sessions.Get(a.session.ID)
	d.event(quarantine.Exited, a.session, "a reviewer ends", map[string]any{"reason": a.exit})
	d.sessions.Deactivate(a.session.ID)
	d.enforcer.Forget(a.session.ID)
	d.sessions.Destroy(a.session.ID)
	d.limiter.Unregister(a.ID)
	d.progress("%s: %s, calls: %d", a.ID, a.exit, s.ToolCalls)
	switch {
	case a.why != "" || a.exit == "timeout" || a.exit == "limit": // already in the report
	case a.answer == nil || !a.answer.Success:
		d.incomplete("a reviewer returned an unreadable answer")
	case a.answer.Attempt == quarantine.Partial:
		d.incomplete("a reviewer's answer could be read in part")
	case a.answer.Bare:
		d.incomplete("a reviewer claimed a high risk and reported no finding that has it")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, f := range a.task.files {
		switch {
		case a.why != "":
			d.failed[f.Path] = "its reviewer failed: " + a.why
		case a.exit == "timeout":
			d.failed[f.Path] = "its reviewer took too long"
		case a.exit == "limit":
			d.failed[f.Path] = "its reviewer reached a limit"
		}
	}
	d.result.Agents = append(d.result.Agents, review.Agent{ID: a.ID, Model: a.Model, ToolCalls: s.ToolCalls, DeniedCalls: a.denied, Tokens: a.used.TotalTokens, CachedTokens: a.used.CachedTokens, Duration: took.Milliseconds(), Exit: a.exit})
	if a.answer == nil || !a.answer.Success {
		return
	}
	data := a.answer.Data
	data.Metadata = finding.Metadata{AgentID: a.ID, ExecutionTime: took.Milliseconds(), ToolCallCount: s.ToolCalls, Model: a.Model}
	if a.task.doubt != nil {
		a.task.confirm(data.Findings)
		return
	}
	for _, f := range data.Findings {
		d.result.Findings = append(d.result.Findings, review.Found{Finding: f, Agent: a.ID})
	}
	d.result.Actions = append(d.result.Actions, data.RecommendedActions...)
}

// decide decides on a call, and counts it.
func (d *reviewState) decide(a *agent, tool string, args json.RawMessage, client string) (callSaid, []reading.Item) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.calls++; a.calls > maxCalls {
		a.denied++
		return callSaid{Reason: "limit: no more calls; answer now with what you have"}, nil
	}
	v := d.enforcer.Decide(quarantine.ToolCall{Agent: a.ID, Tool: tool, Args: args, Client: client})
	if !v.Allowed {
		a.denied++
		return callSaid{Reason: v.Reason}, nil
	}
	items := make([]reading.Item, len(v.Files))
	for i, f := range v.Files {
		items[i] = reading.Item{Path: f.Path, Digest: f.Digest, Ref: a.refs[f.Path]}
	}
	return callSaid{Allowed: true, Args: v.Args, Files: items}, items
}

// judge parses an answer. The reviewer may correct the first malformed one.
func (d *reviewState) judge(a *agent, text string) answerSaid {
	p := quarantine.ParseAnswer(text)
	if p.Success && p.Raised {
		d.event(quarantine.ResponseSanitized, a.session, "the risk was raised to that of the findings", nil)
	}
	if !p.Success || p.Attempt == quarantine.Partial || p.Bare {
		d.event(quarantine.ResponseRejected, a.session, "the answer has not the right shape", map[string]any{"attempt": string(p.Attempt), "faults": len(p.Errors)})
		if !a.retried {
			a.retried = true
			if p.Success {
				a.answer = &p // used if no better one follows
			}
			return answerSaid{Errors: p.Errors}
		}
	}
	if p.Success || a.answer == nil {
		a.answer = &p
	}
	return answerSaid{Done: true}
}

// run is the main process's part of umpire's own loop: it serves the requests of the reviewer's
// process.
func (b *Builtin) run(ctx context.Context, d *reviewState, a *agent) error {
	c, err := cell.Start(ctx, cell.Options{Dir: d.snap.Dir(), Isolation: d.Isolation, CPU: d.Timeout + time.Minute, Job: job{User: a.user, MaxOutput: maxOutput}})
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }() // killed, unless it has ended
	d.layers(a, c.Layers)
	var talk []message
	tools := toolSpecs(d.AllowedTools)
	for turns := 0; ; {
		f, err := c.Receive()
		if err != nil {
			return errors.Join(context.Cause(ctx), fmt.Errorf("the reviewer's process ended: %w", err))
		}
		switch f.Kind {
		case "turn":
			ask, err := decode[turnAsked](f)
			if err != nil {
				return err
			}
			// Count here as well: the reviewer's process read hostile text, and this one did not.
			if turns++; turns > d.MaxTurns {
				return fmt.Errorf("%w: %d turns (--max-turns)", errLimit, d.MaxTurns)
			}
			for _, p := range ask.Say.Blocks {
				a.output += len(p.Text)
			}
			if a.output > maxOutput+1<<20 || ask.Say.Assistant {
				return fmt.Errorf("%w: %d bytes of tools' output", errLimit, maxOutput)
			}
			talk = append(talk, ask.Say)
			said, err := b.broker.ask(ctx, a.until, a.system, talk, tools)
			if err != nil {
				return errors.Join(context.Cause(ctx), err)
			}
			a.used.Add(said.used)
			if len(said.blocks) == 0 { // providers reject empty messages
				said.blocks = []block{{Kind: "text", Text: "(nothing)"}}
			}
			talk = append(talk, message{Assistant: true, Blocks: said.blocks})
			if err := c.Send("turn", turnSaid{said.blocks}); err != nil {
				return err
			}
		case "call":
			ask, err := decode[callAsked](f)
			if err != nil {
				return err
			}
			said, _ := d.decide(a, ask.Tool, ask.Args, "")
			if err := c.Send("call", said); err != nil {
				return err
			}
			if a.calls > 2*maxCalls {
				return fmt.Errorf("%w: %d calls", errLimit, maxCalls)
			}
		case "shown":
			told, err := decode[shownTold](f)
			if err != nil {
				return err
			}
			d.show(a, told.Shown)
		case "answer":
			told, err := decode[answerTold](f)
			if err != nil {
				return err
			}
			said := d.judge(a, told.Text)
			if said.Done {
				return a.over()
			}
			if err := c.Send("answer", said); err != nil {
				return err
			}
		default:
			return errors.New("the reviewer's process sent an unexpected message")
		}
	}
}

// over reports whether an agent that answered had already reached a limit.
func (a *agent) over() error {
	if a.calls > maxCalls {
		return fmt.Errorf("%w: %d calls", errLimit, maxCalls)
	}
	return nil
}

// layers records the isolation of the reviewers, once per review.
func (d *reviewState) layers(a *agent, list []cell.Layer) {
	d.mu.Lock()
	first := d.result.Isolation == nil
	if first {
		d.result.Isolation = []review.Layer{}
		for _, l := range list {
			state := "on"
			if !l.OK {
				if state = "missing"; d.Isolation == cell.Off {
					state = "off"
				}
			}
			d.result.Isolation = append(d.result.Isolation, review.Layer{Name: l.Name, State: state, Why: l.Text})
		}
	}
	d.mu.Unlock()
	if !first {
		return
	}
	missing := []string{}
	for _, l := range list {
		if !l.OK {
			missing = append(missing, l.Name+": "+l.Text)
		}
	}
	if len(missing) > 0 {
		d.event(quarantine.IsolationDegraded, a.session, "layers of isolation are missing", map[string]any{"layers": missing})
	}
}
