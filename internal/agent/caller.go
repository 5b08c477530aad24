package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/enforce"
	"github.com/umpire-dev/umpire/guard"
	"github.com/umpire-dev/umpire/hooks"
	"github.com/umpire-dev/umpire/internal/grant"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Limits of one call.
const (
	maxInput   = 8 << 20   // bytes of the model's input
	maxToModel = 256 << 10 // bytes of output that the model gets from any tool
	callLimit  = time.Hour // for a tool that ignores its deadline
	maxItems   = 1000      // items of a list to search for the invalid one
)

// Blocked is the prefix of the error of every call that must not run.
const Blocked = "Blocked: "

// ErrStop ends the turn: a person refused the call and wants no further ones.
var ErrStop = errors.New("stopped by the user")

// Caller runs tool calls. Every tool of this agent runs through it, in every mode. The steps
// are: check the input against the schema, hooks, policy, approval, the box if the decision
// wants it, the tool, the guard of its output, hooks again. If a step fails or panics, the
// call does not run, or its output is withheld.
type Caller struct {
	Enforcer *enforce.Enforcer
	Hooks    *hooks.Executor // the user's hooks; may be nil
	Run      *hooks.Run
	Guard    guard.Sanitizer
	Asker    Asker  // asks people; if nil, calls that need an answer are refused
	Box      bool   // run every call in the sandbox, if possible
	Boxed    string // description of the sandbox, for people
	State    *RunState
	Dir      string
	// Keep stores a grant in the policy for the answer "always"; if nil, that answer is not
	// offered.
	Keep func(grant.Grant) error

	mu      sync.Mutex
	tools   map[string]*known
	order   []string
	denials []Denial
	asking  chan struct{} // holds one token: questions are shown one at a time
	parent  *Caller       // the Caller of the parent agent; nil for the main agent
	calls   int
	grants  *sessionGrants // permissions that outlast one call; shared with sub-agents
}

type known struct {
	Tool
	schema *jsonschema.Resolved
}

// Denial is the error of a call that must not run.
type Denial struct {
	ToolName   string          `json:"tool_name"`
	ToolCallID string          `json:"tool_call_id"`
	Input      json.RawMessage `json:"input"`
	Reason     string          `json:"reason"`
	Policy     bool            `json:"policy"`          // a rule denied the call; false if no one approved it
	Rules      []string        `json:"rules,omitempty"` // IDs of the rules that denied the call, or asked
	Advice     string          `json:"advice"`          // the next step for the user
}

// advice is the next step for the user of an agent after a stopped call.
func (d *Denial) advice() string {
	switch {
	case d.Policy && len(d.Rules) > 0:
		return "no approval lifts a denial: `umpire policy explain " + visible.Line(d.Rules[0]) + "` shows the rule; change the task, or the rule if it is yours"
	case d.Policy:
		return "correct what the reason names, and run it again"
	case strings.HasPrefix(d.Reason, refusedByUser):
		return "change the task, or ask the person who said no"
	}
	return "allow it in your policy (rules of your own must cover each operation that `umpire check` shows), run `umpire agent` at a terminal to be asked, or add --wait and answer with `umpire approve`"
}

// Add offers tools to the model. A name that is taken or invalid is an error.
func (c *Caller) Add(tools ...Tool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tools == nil {
		c.tools = map[string]*known{}
	}
	for _, t := range tools {
		if !validName(t.Name) {
			return fmt.Errorf("%q is not a tool name: use letters, digits, _ and -, at most 64", t.Name)
		}
		if c.tools[t.Name] != nil {
			return fmt.Errorf("two tools are named %s", t.Name)
		}
		var s jsonschema.Schema
		if err := json.Unmarshal(t.Schema, &s); err != nil {
			return fmt.Errorf("schema of %s: %w", t.Name, err)
		}
		resolved, err := s.Resolve(nil)
		if err != nil {
			return fmt.Errorf("schema of %s: %w", t.Name, err)
		}
		c.tools[t.Name] = &known{t, resolved}
		c.order = append(c.order, t.Name)
	}
	return nil
}

// Narrow returns a Caller for a sub-agent. It has the same policy, people, sandbox and guard, and
// those of this Caller's tools that keep accepts. A sub-agent never gets more than its parent.
func (c *Caller) Narrow(name string, keep func(*Tool) bool) (*Caller, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	run := hooks.NewRun(c.Run.User, c.Run.Prompt)
	run.ID = c.Run.ID // taint and permissions apply to the session as a whole
	run.Set(enforce.AgentKey, name)
	if c.asking == nil {
		c.asking = make(chan struct{}, 1)
	}
	sub := &Caller{Enforcer: c.Enforcer, Hooks: c.Hooks, Run: run, Guard: c.Guard, Asker: c.Asker, Box: c.Box, Boxed: c.Boxed,
		State: c.State, Dir: c.Dir, Keep: c.Keep, asking: c.asking, parent: c, grants: c.answersLocked()}
	for _, n := range c.order {
		if t := c.tools[n]; keep(&t.Tool) {
			if err := sub.Add(t.Tool); err != nil {
				return nil, err
			}
		}
	}
	return sub, nil
}

func validName(s string) bool {
	for _, r := range s {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-') {
			return false
		}
	}
	return s != "" && len(s) <= 64
}

// Tools returns the descriptions of the tools for a model, in the order they were added.
func (c *Caller) Tools() (list []ToolSpec) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.order {
		t := c.tools[n]
		list = append(list, ToolSpec{Name: t.Name, Description: t.Description, Schema: t.Schema})
	}
	return list
}

// Denials returns the calls that must not run, in order.
func (c *Caller) Denials() []Denial {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := append([]Denial(nil), c.denials...)
	for i := range list {
		list[i].Advice = list[i].advice()
	}
	return list
}

func (c *Caller) tool(name string) *known {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tools[name]
}

// Parallel reports whether a call may run at the same time as others. Calls that change something
// run one at a time, in the model's order.
func (c *Caller) Parallel(name string) bool {
	t := c.tool(name)
	return t != nil && !t.Dangerous
}

// Call runs one call. The error is ErrStop or the context's; even then the call has a Result. out
// may be nil.
func (c *Caller) Call(ctx context.Context, call Call, out func(piece string)) (res Result, back Returned, err error) {
	back = Returned{ID: call.ID, Name: call.Name}
	defer func() {
		if r := recover(); r != nil {
			res, err = Failed(fmt.Sprintf("%sthe call failed inside umpire: %v", Blocked, r)), nil
			c.deny(call, fmt.Sprintf("panic: %v\n%s", r, debug.Stack()), false)
			back.Text, back.Error = forModel(res), true
		}
	}()
	res, origin, err := c.call(ctx, call, out)
	back.Error = !res.Success
	if origin == "" {
		back.Text = Clip(forModel(res), maxToModel)
		return res, back, err
	}
	back.Origin = origin
	clean, tainted, notes, gerr := c.clean(ctx, call.Name, &res)
	if gerr != nil {
		reason := "the output was withheld: it could not be checked (" + gerr.Error() + ")"
		res = Failed(reason)
		back.Text, back.Error = forModel(res), true
		return res, back, err
	}
	if tainted {
		if terr := c.Enforcer.Taint(c.Run.ID, call.Name, "instructions to the model in the tool's output"); terr != nil {
			res = Failed("the output was withheld: " + terr.Error())
			back.Text, back.Error = forModel(res), true
			return res, back, err
		}
	}
	res.Notes = append(res.Notes, notes...)
	back.Text = clean
	return res, back, err
}

func (c *Caller) call(ctx context.Context, call Call, out func(string)) (res Result, origin string, err error) {
	if err := ctx.Err(); err != nil {
		return Failed(Interrupted), "", err
	}
	t := c.tool(call.Name)
	if t == nil {
		return Failed(fmt.Sprintf("there is no tool %q", Clip(call.Name, 100))), "", nil
	}
	params, problem := decode(t, call)
	if problem != "" {
		return Failed(problem), "", nil
	}

	hook := c.Run.Call(call.Name, params)
	c.mu.Lock()
	hook.Index = c.calls // counted over the conversation: each call has a separate ID
	c.calls++
	c.mu.Unlock()
	if c.Hooks != nil {
		if params, err = c.Hooks.Call(ctx, hook); err != nil {
			if ctx.Err() != nil {
				return Failed(Interrupted), "", ctx.Err()
			}
			c.deny(call, err.Error(), true)
			return Failed(Blocked + err.Error()), "", nil
		}
		if problem := check(t, params); problem != "" {
			return Failed("a hook changed the call: " + problem), "", nil
		}
		hook.Params = params
	}
	// From here on, the same text is judged, shown and run.
	input, err := marshal(params)
	if err != nil {
		return Failed(err.Error()), "", nil
	}
	env := &Env{Dir: c.Dir, Workspace: c.Enforcer.Workspace(), CallID: call.ID, Output: out, Run: c.State}
	if t.Resolve != nil {
		// A link in the project may lead to a key, so the policy judges its target.
		if input, err = t.Resolve(input, env); err != nil {
			return Failed(err.Error()), "", nil
		}
		if hook.Params, problem = decode(t, Call{Input: input}); problem != "" {
			return Failed(problem), "", nil
		}
		env.Resolved = true
	}
	res, ran, took, err := c.judged(ctx, t, hook, call, input, env)
	if !ran {
		return res, "", err
	}
	if t.Origin != nil {
		origin = t.Origin(input)
	}
	if c.Hooks != nil {
		after := hooks.ToolResult{Output: res.Output, Took: took}
		if !res.Success {
			after.Err = errors.New(res.Error)
		}
		if err := c.Hooks.Called(context.WithoutCancel(ctx), hook, &after); err != nil {
			return Failed("the output was withheld by a hook: " + err.Error()), "", err
		}
		if after.Output != res.Output { // a hook replaced it: the model gets only the replacement
			res.Output, res.Data = after.Output, nil
		}
	}
	return res, origin, err
}

// judged applies the policy, asks people if needed, runs the tool and records its duration.
func (c *Caller) judged(ctx context.Context, t *known, hook *hooks.ToolCall, call Call, input json.RawMessage, env *Env) (res Result, ran bool, took time.Duration, err error) {
	unsettled := umpire.Allow
	if t.Dangerous {
		unsettled = umpire.Ask
	}
	j, err := c.Enforcer.Authorize(hook, unsettled)
	if err != nil {
		c.deny(call, err.Error(), true)
		return Failed(Blocked + err.Error()), false, 0, nil
	}
	env.Sandbox = c.Box
	var notes []string
	switch j.Effect {
	case umpire.Allow:
	case umpire.Ask:
		if c.covers(j) {
			if err = j.RecordGrant(forSession); err != nil {
				c.deny(call, err.Error(), false)
				return Failed(Blocked + err.Error()), false, 0, nil
			}
			break
		}
		given, ok, err := c.approve(ctx, t, hook, j, call, input, env, false)
		if !ok {
			c.ruled(call, j)
			return given, false, 0, err
		}
		notes = given.Notes
	default:
		c.deny(call, j.Reason, true)
		c.ruled(call, j)
		return Failed(Blocked + j.Reason), false, 0, nil
	}
	env.Hold = j.Recheck
	if err := env.Holds(); err != nil {
		c.deny(call, err.Error(), true)
		return Failed(Blocked + err.Error()), false, 0, nil
	}
	start := time.Now()
	res = run(ctx, t, input, env)
	took = time.Since(start)
	res.Notes = append(notes, res.Notes...)
	if err := j.RecordRun(took); err != nil {
		res.Notes = append(res.Notes, "umpire: could not record that this call ran: "+err.Error())
	}
	if env.Sandbox && res.Walled != "" && ctx.Err() == nil {
		if res, err = c.outside(ctx, t, hook, call, input, env, res); err != nil {
			return res, true, took, err
		}
	}
	return res, true, took, ctx.Err()
}

// outside offers to run a failed call again without the sandbox. That is another action: it gets a
// new decision and a new question, whatever allowed the first, and an answer applies to this call
// only.
func (c *Caller) outside(ctx context.Context, t *known, hook *hooks.ToolCall, call Call, input json.RawMessage, env *Env, boxed Result) (Result, error) {
	if c.Asker == nil {
		return boxed, nil
	}
	again := *hook
	again.Params = map[string]any{"sandbox": "none"}
	maps.Copy(again.Params, hook.Params)
	c.mu.Lock()
	again.Index = c.calls
	c.calls++
	c.mu.Unlock()
	j, err := c.Enforcer.Authorize(&again, umpire.Ask)
	if err != nil || j.Effect == umpire.Deny {
		return boxed, nil //nolint:nilerr // what the box gave stands
	}
	bare := *env
	bare.Sandbox, bare.Hold = false, j.Recheck
	j.Reason = "it failed " + c.Boxed + ". " + boxed.Walled + "\nRun it again without the sandbox?"
	refused, ok, err := c.approve(ctx, t, &again, j, call, input, &bare, true)
	if err != nil {
		return refused, err
	}
	if !ok {
		return boxed, nil
	}
	return run(ctx, t, input, &bare), nil
}

// run calls a tool. The tool may panic, or ignore its context.
func run(ctx context.Context, t *known, input json.RawMessage, env *Env) (res Result) {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	defer func() {
		if r := recover(); r != nil {
			res = Failed(fmt.Sprintf("%s failed: %v", t.Name, r))
		}
	}()
	return t.Run(ctx, input, env)
}

func (c *Caller) deny(call Call, reason string, byPolicy bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.denials = append(c.denials, Denial{ToolName: call.Name, ToolCallID: call.ID, Input: call.Input, Reason: reason, Policy: byPolicy})
	if c.parent != nil {
		c.parent.deny(call, reason, byPolicy)
	}
}

// ruled returns the rules that stopped a call.
func (c *Caller) ruled(call Call, j *enforce.Decision) {
	var rules []string
	for _, r := range j.Policy.Reasons {
		if r.Effect == j.Policy.Effect && r.Rule != "" && !slices.Contains(rules, r.Rule) {
			rules = append(rules, r.Rule)
		}
	}
	for ; c != nil; c = c.parent {
		c.mu.Lock()
		for i := len(c.denials) - 1; i >= 0; i-- {
			if c.denials[i].ToolCallID == call.ID {
				c.denials[i].Rules = rules
				break
			}
		}
		c.mu.Unlock()
	}
}

// refusedByUser begins the reason if a person denied the call.
const refusedByUser = "the user said no"

// Interrupted is the error of a call that was interrupted.
const Interrupted = "interrupted by the user"

func decode(t *known, call Call) (params map[string]any, problem string) {
	if call.Broken != "" {
		return nil, "the input of the call is not JSON: " + Clip(call.Broken, 200)
	}
	if len(call.Input) > maxInput {
		return nil, fmt.Sprintf("the input of the call has %d bytes: the limit is %d", len(call.Input), maxInput)
	}
	if len(bytes.TrimSpace(call.Input)) == 0 {
		params = map[string]any{}
	} else if err := json.Unmarshal(call.Input, &params); err != nil {
		var v any
		if err := json.Unmarshal(call.Input, &v); err != nil {
			return nil, "the input of the call is not JSON: " + err.Error()
		}
		return nil, "the input of the call must be a JSON object, got " + shown(v)
	}
	if params == nil {
		params = map[string]any{}
	}
	return params, check(t, params)
}

func check(t *known, params map[string]any) (problem string) {
	if err := t.schema.Validate(params); err != nil {
		return fmt.Sprintf("the input does not fit the schema of %s: %s", t.Name, explain(t.schema.Schema(), params, err))
	}
	return ""
}

// marshal encodes parameters without the escapes that would hide text from the rules.
func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}
