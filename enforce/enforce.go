// Package enforce guards the tool calls of an agent written in Go. It provides umpire as hooks
// for package hooks:
//
//	e, err := enforce.Open(enforce.Options{Platform: "my-agent", Dir: dir})
//	if err != nil {
//		return err
//	}
//	exec := &hooks.Executor{Approver: e.Approver()}
//	exec.BeforeTool(e.BeforeTool())               // the policy
//	exec.AfterTool(e.AfterTool(guard.Sanitizer{})) // the guard of tool output
//
//	call := hooks.NewRun("ada", prompt).Call("bash", map[string]any{"command": "make test"})
//	params, err := exec.Call(ctx, call)
//	if err != nil {
//		return err // for the model: why the call must not run, and what to do instead
//	}
//	result := hooks.ToolResult{Output: bash(params)}
//	err = exec.Called(ctx, call, &result) // result.Output is for the model
//
// BeforeTool applies the policy in force, records each decision in the audit log, and asks
// people through `umpire approve`. AfterTool sanitizes tool output before the model reads it.
//
// If you only need decisions, without an audit log and questions, use package decision.
package enforce

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/guard"
	"github.com/umpire-dev/umpire/hooks"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/disk"
	"github.com/umpire-dev/umpire/internal/home"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/internal/reload"
	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/internal/taint"
	"github.com/umpire-dev/umpire/policy"
)

// AgentKey is the metadata key of a run that names the acting sub-agent, for `when: {agent:
// ...}` in rules.
const AgentKey = "umpireAgent"

// Options selects the agent and the policy. The zero value is an agent called "go" in the
// working directory, with the policy files in force there.
type Options struct {
	Platform string // name of the agent, for `when: {platform: ...}` in rules
	Dir      string // the folder it works in; must exist
	Policy   string // a policy file to use instead of the machine's, the user's and the project's
	State    string // folder for the audit log and the questions; umpire's state folder if empty

	// Log receives faults of changed policy files, and the questions that an Approver waits for;
	// slog.Default() if nil.
	Log *slog.Logger
}

// Enforcer decides on tool calls. It is safe for concurrent use. Open makes it; the zero value
// allows nothing.
//
// It checks the policy files before each decision, so a changed rule applies from the next
// call. While a file has a fault, the last valid policy stays in force.
type Enforcer struct {
	files  *reload.Files[*policy.Policy]
	layers snapshot.Layers
	log    *slog.Logger

	mu      sync.Mutex              // held while the session's rules are added to a policy
	allowed []policy.Rule           // rules that Allow added
	session atomic.Pointer[session] // nil: the session allows nothing

	asked     sync.Map // ID to pending: questions that an Approver will wait for
	waits     atomic.Bool
	platform  string
	dir       string
	workspace string
	home      string
	state     string
}

// session is a policy with the rules that Allow added.
type session struct {
	files  *policy.Policy // the policy of the files alone
	policy *policy.Policy
}

// Open opens the policy. Without policy files, that is the built-in one. Compiled policies are
// reused until a file changes. If a file has faults, the error lists all of them with their
// positions.
func Open(o Options) (*Enforcer, error) {
	e := &Enforcer{platform: o.Platform, dir: o.Dir, state: o.State, log: o.Log}
	var err error
	e.platform = cmp.Or(e.platform, "go")
	if e.dir, err = reload.Folder(e.dir); err != nil {
		return nil, err
	}
	if e.state == "" {
		if e.state, err = audit.DefaultDir(); err != nil {
			return nil, err
		}
	}
	e.home = home.Dir(os.Getenv)
	e.workspace = platform.Workspace(e.dir, "", e.home)
	if e.layers = snapshot.DefaultLayers(e.home, e.workspace, os.Getenv); o.Policy != "" {
		e.layers = snapshot.Layers{User: o.Policy}
		e.files, err = reload.OpenFile(o.Policy, e.logFault)
	} else {
		e.files, err = reload.OpenPolicy(e.layers, e.home, e.workspace, e.logFault)
	}
	if err != nil {
		return nil, err
	}
	return e, nil
}

// errZero is the error of a zero Enforcer or Decision.
var errZero = errors.New("a zero value enforces nothing: use enforce.Open and Authorize")

// Policy returns the policy in force, with the rules that Allow added. It is nil for a zero
// Enforcer.
func (e *Enforcer) Policy() *policy.Policy {
	p, _ := e.inForce()
	return p
}

// inForce returns the policy of the current files with the session's rules. A fault says why the
// policy differs from the files.
func (e *Enforcer) inForce() (*policy.Policy, error) {
	if e.files == nil {
		return nil, errZero
	}
	files, fault := e.files.Now()
	p := files
	if s := e.session.Load(); s != nil {
		if p = s.policy; s.files != files {
			p = e.relay(files)
		}
	}
	return p, fault
}

// relay adds the session's rules to a policy whose files changed. If that fails, the policy applies
// without them, and umpire asks people again.
func (e *Enforcer) relay(files *policy.Policy) *policy.Policy {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.session.Load()
	switch {
	case s == nil: // ResetAllowed ran in the meantime
		return files
	case s.files == files: // another goroutine has done it
		return s.policy
	}
	p, err := e.with(e.allowed)
	if err != nil {
		e.allowed = nil
		e.session.Store(nil)
		e.logFault(fmt.Errorf("dropped the rules allowed for this session, because they conflict with the changed policy: %w", err))
		return files
	}
	e.session.Store(&session{files, p})
	return p
}

// with compiles the policy files together with more rules.
func (e *Enforcer) with(rules []policy.Rule) (*policy.Policy, error) {
	src, err := reload.Source(e.layers)
	if err != nil {
		return nil, err
	}
	src.Rules = append(slices.Clip(src.Rules), rules...)
	return policy.Compile(*src)
}

// logger returns the log of the options.
func (e *Enforcer) logger() *slog.Logger {
	if e.log == nil {
		return slog.Default()
	}
	return e.log
}

// logFault logs a fault of the policy files.
func (e *Enforcer) logFault(fault error) {
	e.logger().Warn("a policy file has a fault, so the last good policy stays in force; correct the file", "error", fault)
}

func (e *Enforcer) questions() question.Box {
	return question.Open(filepath.Join(e.state, "questions"))
}

// Decide decides on one call without recording it. The session is the ID of the run.
func (e *Enforcer) Decide(c *hooks.ToolCall) (umpire.Decision, []umpire.Operation, error) {
	a, err := e.action(c)
	if err != nil {
		return umpire.Decision{}, nil, err
	}
	p, _ := e.inForce()
	d, ops, _ := e.decide(p, a, umpire.Allow)
	return d, ops, nil
}

func (e *Enforcer) action(c *hooks.ToolCall) (*umpire.Action, error) {
	switch {
	case e == nil || e.files == nil:
		return nil, errZero
	case c == nil || c.Tool == "":
		return nil, errors.New("the call names no tool")
	case c.Run == nil:
		return nil, errors.New("the call has no run: make it with Run.Call")
	}
	input, err := json.Marshal(c.Params)
	if err != nil {
		return nil, fmt.Errorf("the parameters of %s: %w", c.Tool, err)
	}
	a := &umpire.Action{
		ID:        fmt.Sprintf("%s/%d", c.Run.ID, c.Index),
		Principal: umpire.Principal{Platform: e.platform, Session: c.Run.ID, User: c.Run.User},
		Tool:      c.Tool, Input: input, Dir: e.dir, Workspace: e.workspace, Home: e.home,
	}
	if v, ok := c.Run.Get(AgentKey); ok {
		a.Principal.Agent, _ = v.(string)
	}
	platform.Complete(a, "", os.Getenv)
	return a, nil
}

// read returns the operations of a call, and the files that they depend on.
func (e *Enforcer) read(p *policy.Policy, a *umpire.Action) (ops []umpire.Operation, seen *disk.Seen, memory *taint.Memory) {
	store := taint.Open(filepath.Join(e.state, "taint"))
	a.Tainted, memory = store.Has(a.Principal), store.Memory(a.Principal, disk.Birth)
	seen = disk.See(disk.New(a.Home, a.Workspace, a.Temp), platform.MaxFile, platform.ReadFile)
	ops = operation.Read(a, operation.Env{Programs: p.Programs(), Getenv: os.LookupEnv, Disk: seen.View, Session: memory, ReadDir: platform.ReadDir, ReadFile: seen.ReadFile, Peek: seen.Peek})
	return ops, seen, memory
}

func (e *Enforcer) decide(p *policy.Policy, a *umpire.Action, unsettled umpire.Effect) (umpire.Decision, []umpire.Operation, *disk.Seen) {
	ops, seen, memory := e.read(p, a)
	d := p.Decide(a, ops)
	if d.Effect != umpire.Deny {
		_ = memory.Keep() // if it cannot be kept, later calls ask more often
	}
	if d.Effect == umpire.Ask || unsettled == umpire.Ask && (!d.Explicit || p.Observe()) {
		a.Files = question.Files(a, ops, seen.Opened) // an approval covers these contents
	}
	return d, ops, seen
}

// unchanged reads the call again and returns an error unless it is unchanged. A question may stay open
// for long. In the meantime, the party that waits for the answer could change the script, or
// stricter rules could apply.
func (e *Enforcer) unchanged(asked *umpire.Action) (*disk.Seen, error) {
	now := *asked
	p := e.Policy()
	ops, seen, _ := e.read(p, &now)
	now.Files = question.Files(&now, ops, seen.Opened)
	switch {
	case question.Digest(&now) != question.Digest(asked):
		return nil, errors.New("a file that it runs or reads changed while the question was open: call again")
	case p.Decide(&now, ops).Effect == umpire.Deny && !p.Observe():
		return nil, errors.New("a rule now denies it")
	}
	return seen, nil
}

// BeforeTool returns the policy as a hook. It runs first, rejects denied calls, asks people,
// and rejects calls that it cannot decide.
func (e *Enforcer) BeforeTool() hooks.BeforeTool {
	return hooks.BeforeTool{Name: "umpire", Order: hooks.Critical, FailOnError: true, Do: e.before}
}

func (e *Enforcer) before(_ context.Context, c *hooks.ToolCall) (hooks.Result, error) {
	j, err := e.Authorize(c, umpire.Allow)
	if err != nil {
		return hooks.Result{}, err
	}
	switch j.Effect {
	case umpire.Allow:
		return hooks.Continue(), nil
	case umpire.Deny:
		return hooks.Reject(j.Reason), nil
	}
	if ok, err := j.approved(); ok || err != nil {
		return hooks.Continue(), err
	}
	box := e.questions()
	if q, ok := box.Refused(j.Action); ok {
		return hooks.Reject("a person denied this call (question " + q.ID + ")"), nil
	}
	waits := e.waits.Load()
	if waits {
		box = box.Bound() // nothing waits once this process has ended
	}
	q, err := box.Ask(j.Action, j.Operations, j.Policy)
	if err != nil {
		return hooks.Result{}, err
	}
	if waits {
		e.asked.Store(q.ID, pending{q, j.Action})
	}
	return hooks.PendingApproval(q.ID, j.Reason+" `umpire approve "+q.ID+"` lets it pass once."), nil
}

// AfterTool returns a hook that sanitizes tool output. The model gets the output without
// instructions, between markers that say it is data. If the output had instructions, the run
// is tainted, and stricter rules apply to its later calls. Output that cannot be checked is
// withheld. The hook records the duration of the call.
func (e *Enforcer) AfterTool(s guard.Sanitizer) hooks.AfterTool {
	return hooks.AfterTool{Name: "umpire-sanitizer", Order: hooks.Critical, FailOnError: true, Do: func(ctx context.Context, c *hooks.ToolCall, out *hooks.ToolResult) error {
		clean, err := s.Sanitize(ctx, c.Tool, out.Output)
		if err != nil {
			return err
		}
		if clean.Tainted {
			if err := e.Taint(c.Run.ID, c.Tool, "instructions to the model in the tool's output"); err != nil {
				return err
			}
		}
		out.Output = clean.Text
		if out.Again { // the first run of this hook recorded the call
			return nil
		}
		a, err := e.action(c)
		if err != nil {
			return err
		}
		return e.ran(a, out.Took)
	}}
}

// Approver returns an approver that asks through `umpire approve` and `umpire watch`, and waits
// for an answer until the context of the call ends, or a day has passed. It logs what waits, and
// how to answer. The question ends with the waiting, also if the program is killed.
func (e *Enforcer) Approver() hooks.Approver {
	e.waits.Store(true)
	return approver{e, e.questions()}
}

// pending is a question with the call that it is about.
type pending struct {
	question.Question
	action *umpire.Action
}

type approver struct {
	e   *Enforcer
	box question.Box
}

// Approve waits until the question is answered or ctx ends.
func (a approver) Approve(ctx context.Context, id, message string) error {
	var p pending
	if asked, ok := a.e.asked.LoadAndDelete(id); ok { // an answered question can no longer be looked up by its ID
		p, _ = asked.(pending)
	} else {
		var err error
		if p.Question, err = a.box.Find(id); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, question.Expiry)
	defer cancel()
	a.e.logger().Warn("a tool call waits for a person: answer with `umpire approve "+id+"` or `umpire deny "+id+"`", "reason", message)
	q, ok := a.box.Wait(p.Question, ctx.Done())
	switch {
	case !ok:
		a.box.Withdraw(p.Question) // the call will not run any more
		return fmt.Errorf("no one answered question %s: %w", id, ctx.Err())
	case q.State != question.Approved:
		if q.Note != "" {
			return fmt.Errorf("%s denied it: %s", q.By, q.Note)
		}
		return fmt.Errorf("%s denied it", q.By)
	}
	if err := a.box.Use(q); err != nil || p.action == nil {
		return err
	}
	_, err := a.e.unchanged(p.action)
	return err
}
