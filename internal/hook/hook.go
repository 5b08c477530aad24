// Package hook answers a client's hook: it reads a payload, decides, records the decision, and
// writes it in the client's form.
//
// Two programs use it. umpire-hook runs for every call and answers by rules alone. It passes
// slower work to umpire, which answers the same payload with the same steps, plus a model or a
// person. The payload is untrusted.
package hook

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/disk"
	"github.com/umpire-dev/umpire/internal/home"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/packs"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/platform/clients"
	"github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/internal/taint"
	"github.com/umpire-dev/umpire/policy"
)

// Time limits. A client runs the call once its time limit has passed: `umpire init` sets that to
// ClientTimeout, and the shortest default of a client is 30 s.
const (
	RulesTime     = 5 * time.Second  // reading and deciding
	SlowTime      = 55 * time.Second // a model or a person
	writeTime     = 3 * time.Second  // recording, and looking for a person's answer
	ClientTimeout = 60 * time.Second
)

// MaxPayload is the size limit of a payload, in bytes. Clients send complete files.
const MaxPayload = 10 << 20

// Call is one payload with its decision, as far as they are known.
type Call struct {
	Event    platform.Event
	Ops      []umpire.Operation
	Policy   *policy.Policy
	Decision umpire.Decision
	Failure  string            // why the default action applied, or another fault
	Data     map[string]string // further fields of the audit event
	Context  string            // further context for the model
	Refused  string            // of a Prompt: why the model must not get it

	blind      bool   // part of the call is unknown, so no one can approve it
	unjudgedBy string // the failed part that should have influenced the decision
	unrecorded error  // why the call is missing in the audit log

	// Of a Result: the replacement for the tool's response, in its shape and as one text.
	Output json.RawMessage
	Text   string
}

// Slow is a reason why an answer takes longer than the rules.
type Slow uint8

// The reasons.
const (
	SlowJudge  Slow = 1 << iota // a model must answer
	SlowPerson                  // a person must answer
	SlowLook                    // umpire must check the client's settings
	SlowScan                    // umpire must scan a tool's output or a user's prompt
)

// Hook answers one payload.
type Hook struct {
	Client   string
	Getenv   func(string) string
	Start    time.Time
	Patience time.Duration // time limit of a model or a person

	// CheckEnvironment decides whether to trust the environment, before anything else; only umpire-hook sets
	// it. It reads the disk, which may hang.
	CheckEnvironment func()

	// Compile compiles the policy of a workspace again, into the folder cache, or into the usual
	// folder if that is empty.
	Compile func(workspace, cache string) error

	// State returns the folder of the audit log, the questions and the session records.
	State func() (string, error)

	Disk *disk.View // the files that the reading sees; nil: a new view

	// HandOver lets another process answer the payload. Only umpire-hook sets it.
	HandOver func(ctx context.Context, payload []byte) (platform.HookOutput, error)

	// Slow work in this process; only umpire sets it.
	Judge func(ctx context.Context, c *Call) (umpire.Verdict, error)
	Look  func(ctx context.Context, c *Call) (string, error) // returns a message for the model and the user
	Wait  func(ctx context.Context, c *Call, q question.Question) (question.Question, bool)
	// Scan checks a Result or a Prompt. It sets Output, Text, Context and Refused, and taints the
	// session.
	Scan func(ctx context.Context, c *Call, taint func(why string) error) error

	client *platform.Client
	call   Call
	write  time.Duration        // time limit of recording
	handed *platform.HookOutput // the answer of the other process

	opinion bool       // the decision is a model's
	seen    *disk.Seen // the files behind the decision; nil before there is one
}

// New returns a Hook for the client of that name.
func New(client string) *Hook { return NewFor(client, clients.Find(client)) }

// NewFor returns a Hook for a client that is not in the list of clients.
func NewFor(name string, c *platform.Client) *Hook {
	return &Hook{Client: name, Getenv: os.Getenv, Start: time.Now(), Patience: SlowTime, write: writeTime, Compile: compile, State: audit.DefaultDir, client: c}
}

// Answered is added to the client's exit status if umpire answers for umpire-hook. A crash, a panic
// or a usage error has a lower status, and then the output is not an answer.
const Answered = 40

var (
	errNoCall = errors.New("there is no call in the payload")
	errTime   = errors.New("judging took too long")
	errSilent = errors.New("the model gave no answer")
	errDisk   = errors.New("the disk did not answer in time")
)

// Answer reads a payload and returns the response. It never fails: after an internal fault, the
// default action applies.
func (h *Hook) Answer(in io.Reader, limit time.Duration) platform.HookOutput {
	type result struct {
		h   *Hook
		err error
	}
	done, slow := make(chan result, 1), make(chan Hook, 1)
	settled := make(chan struct{})
	w := *h // work on a copy: after the deadline, the goroutine must not touch h
	go func() {
		deepen(len(os.Args))
		if w.CheckEnvironment != nil {
			w.CheckEnvironment()
		}
		close(settled)
		err := w.judge(in, slow)
		done <- result{&w, err}
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	var err error
	ruled := false // whether the rules have decided
	for waiting := true; waiting; {
		select {
		case r := <-done:
			h, err, waiting = r.h, r.err, false
		case known := <-slow:
			*h, ruled = known, true
			timer.Reset(h.Patience + time.Second)
		case <-timer.C:
			waiting = false
			if !ruled {
				err = errTime
			} else {
				h.call.Failure = join(h.call.Failure, errTime.Error())
				h.call.unjudgedBy = errTime.Error()
				h.call.unjudged()
			}
		}
	}
	if h.handed != nil {
		return *h.handed
	}
	if h.client == nil {
		return h.unknownClient(err)
	}
	said := make(chan platform.HookOutput, 1)
	last := *h // as above
	go func() {
		deepen(len(os.Args))
		<-settled // do not use the environment's paths before it is known whether to trust them
		said <- last.finish(err)
	}()
	timer.Reset(h.write)
	select {
	case a := <-said:
		return a
	case <-timer.C: // the disk hangs: answer with the state so far
	}
	c := &h.call
	if err != nil {
		fallback := umpire.Ask
		if c.Policy != nil {
			fallback = h.fallback(errors.Is(err, errNoCall))
		}
		c.failed(err, fallback)
	}
	c.unrecorded, c.blind = errDisk, true
	return h.reply()
}

// deepen grows the goroutine's stack to the 128 KB that reading a call may need. Growing
// it step by step copies it five times, each time past more frames. n is not negative.
//
//go:noinline
func deepen(n int) byte {
	if n < 0 { // the frame is that large either way, and its pages stay untouched
		var room [100 << 10]byte
		return room[-n]
	}
	return 0
}

// judge does all the work. A panic is a failure, not an answer.
func (h *Hook) judge(in io.Reader, slow chan<- Hook) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v at %s", r, caller(debug.Stack()))
		}
	}()
	if h.client == nil {
		return fmt.Errorf("unknown client %q", h.Client)
	}
	data, err := h.receive(in)
	if err != nil {
		return err
	}
	if h.call.Event.Judged() {
		if err := h.decideByRules(); err != nil {
			return err
		}
	}
	why := h.slow()
	if why == 0 || h.HandOver == nil { // the other process compares
		if said := h.compare(); said != "" {
			defer func() { h.call.Context = join(h.call.Context, said) }()
		}
	}
	if why == 0 {
		return nil
	}
	return h.bySlowPath(why, data, slow)
}

// receive reads the payload and completes its event. It returns the payload for another process.
func (h *Hook) receive(in io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, MaxPayload+1))
	if err != nil {
		return nil, fmt.Errorf("read the payload: %w", err)
	}
	over := len(data) > MaxPayload
	data = data[:min(len(data), MaxPayload)]
	c := &h.call
	c.Event, err = h.client.Read(data)
	if over {
		tooLarge := fmt.Errorf("the payload is larger than %d bytes", MaxPayload)
		if err != nil || !c.Event.Judged() && c.Event.Damage == "" { // a complete event, but possibly with more data behind it
			c.Event = platform.Event{}
			return nil, tooLarge
		}
		c.Event.Damage = tooLarge.Error()
	}
	switch {
	case err != nil && c.Event.Damage == "" && !c.Event.Judged():
		return nil, fmt.Errorf("%w: %w", errNoCall, err)
	case err != nil:
		return nil, err
	}
	a := &c.Event.Action
	a.Principal.Platform = h.Client
	platform.Complete(a, h.project(), h.Getenv)
	for i := range c.Event.Also {
		c.Event.Also[i].Principal = a.Principal
		platform.Complete(&c.Event.Also[i], h.project(), h.Getenv)
	}
	if c.Event.Damage != "" {
		c.Failure, c.blind = "the payload is damaged: "+c.Event.Damage, true
	}
	return data, nil
}

// decideByRules loads the policy in force and decides by it.
func (h *Hook) decideByRules() error {
	c := &h.call
	var broken string
	if c.Policy, broken = h.load(&c.Event.Action); c.Policy == nil {
		return errors.New(broken)
	}
	if broken != "" {
		c.Failure = join(c.Failure, broken)
	}
	if builtin, _ := packs.Default(); broken != "" && builtin != nil && c.Policy.Hash() == builtin.Hash() {
		c.unjudgedBy = "the rules in the policy files are not in force: " + firstFault(broken)
	}
	c.Event.Action.Tainted = h.tainted()
	h.decide()
	return nil
}

// decide reads the call and decides by the rules. If the environment's home is not trusted, ~ means
// either home: the call's shell may use one, and rules about the other must still apply. A damaged
// payload may be one of several calls: the strictest decision counts, and it is at least an ask.
func (h *Hook) decide() {
	c := &h.call
	memory := h.memory()
	defer func() {
		if c.Decision.Effect != umpire.Deny {
			_ = memory.Keep() // if it cannot be kept, later calls ask more often
		}
		if err := h.recordRuns(); err != nil {
			h.also("uncompared", err.Error())
		}
	}()
	h.seen = look(&c.Event.Action)
	if h.Disk != nil {
		h.seen.View = h.Disk
	}
	env := h.world(c.Policy, h.seen, memory)
	homes := []string{""} // those of the actions
	if own := home.Own(); own != "" {
		homes, c.Failure = append(homes, own), join(c.Failure, untrustedHome)
	}
	for i, a := range append([]umpire.Action{c.Event.Action}, c.Event.Also...) {
		for j, dir := range homes {
			b := a
			b.Home = cmp.Or(dir, a.Home)
			ops := operation.Read(&b, env)
			if d := c.Policy.Decide(&b, ops); i+j == 0 || d.Effect < c.Decision.Effect {
				c.Event.Action, c.Ops, c.Decision = a, ops, d
			}
		}
	}
	if c.Event.Blank != "" { // the rules knew the tool at most
		c.unjudgedBy, c.blind = c.Event.Blank, true
		c.Failure = join(c.Failure, c.Event.Blank)
		c.Decision.Add(umpire.Reason{
			Rule: "umpire-incomplete", Effect: c.Policy.Default(), Op: -1,
			Text:    "the client's message about this call is incomplete (" + c.Event.Blank + "), so umpire cannot tell what would run",
			Suggest: "repeat the call; if this happens again, tell the user to run `umpire doctor`",
		})
	}
	if c.Event.Damage == "" {
		return
	}
	floor := min(umpire.Ask, c.Policy.Default())
	c.Decision.Add(umpire.Reason{
		Rule: "umpire-damaged", Effect: floor, Op: -1,
		Text:    "the client's message about this call is damaged (" + c.Event.Damage + "), so umpire cannot tell what would run",
		Suggest: "repeat the call; if this happens again, tell the user to run `umpire doctor`",
	})
}

const untrustedHome = "HOME or XDG_* differ from the folders that `umpire init` recorded, so a policy there can only tighten: to move them, run `umpire init` in your own terminal"

// opened returns the files that the reading opened.
func (h *Hook) opened() map[string][]byte {
	if h.seen == nil {
		return nil
	}
	return h.seen.Opened
}

// project returns the project folder that the client names.
func (h *Hook) project() string {
	for _, name := range h.client.Project {
		if dir := h.Getenv(name); dir != "" {
			return dir
		}
	}
	return ""
}

// scan checks a tool's output; a panic counts as a failed check.
func (h *Hook) scan(ctx context.Context) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return h.Scan(ctx, &h.call, h.taint)
}

// firstFault returns the first line of a list of faults, and the number of others.
func firstFault(list string) string {
	first, rest, more := strings.Cut(list, "\n")
	if !more {
		return first
	}
	return fmt.Sprintf("%s (and %d more)", first, strings.Count(rest, "\n")+1)
}

// unjudged is the answer for a prompt that could not be checked in time: the guard stops it.
func (c *Call) unjudged() {
	if c.Event.Kind == platform.Prompt {
		c.Refused = "umpire could not judge this prompt and stopped it: send it again. `umpire audit search --failed` shows the cause."
	}
}

// unscanned is the answer for tool output that could not be checked. The output passes, because the
// tool has run, and stricter rules apply to the session.
func (h *Hook) unscanned(cause error) error {
	c := &h.call
	if c.Event.Kind == platform.Prompt {
		c.Failure = join(c.Failure, "prompt: "+cause.Error())
		c.unjudged()
		return nil
	}
	c.Failure = join(c.Failure, "tool output: "+cause.Error())
	return h.taint("umpire could not check the tool's output")
}

// taint applies stricter rules to the session of the call from now on.
func (h *Hook) taint(why string) error {
	store, err := h.sessions()
	if err != nil {
		return err
	}
	p := h.call.Event.Action.Principal
	return store.Set(taint.Mark{Platform: p.Platform, Session: p.Session, Tool: h.call.Event.Action.Tool, Why: why})
}

// tainted reports whether the call's session met content that tries to manipulate it.
func (h *Hook) tainted() bool {
	store, err := h.sessions()
	return err == nil && store.Has(h.call.Event.Action.Principal)
}

// memory returns the earlier actions of the call's session.
func (h *Hook) memory() (m *taint.Memory) {
	if store, err := h.sessions(); err == nil {
		m = store.Memory(h.call.Event.Action.Principal, disk.Birth)
	}
	return m
}

// sessions opens the records of sessions.
func (h *Hook) sessions() (taint.Store, error) {
	dir, err := h.State()
	return taint.Open(filepath.Join(dir, "taint")), err
}

// slow returns the slow steps that an answer still needs.
func (h *Hook) slow() (why Slow) {
	c := &h.call
	switch c.Event.Kind {
	case platform.SessionStart:
		return SlowLook
	case platform.Prompt, platform.Result:
		if strings.TrimSpace(c.Event.Text) == "" && len(c.Event.Output) == 0 { // an image, or a client that omits the text
			return 0
		}
		p, _ := h.load(&c.Event.Action)
		if p != nil && !p.Observe() && (c.Event.Kind == platform.Prompt && p.Prompts() || c.Event.Kind == platform.Result && p.ToolOutput() != policy.PassOutput) {
			c.Policy = p
			return SlowScan
		}
		return 0
	}
	if !c.Event.Judged() || c.Policy.Observe() || c.blind {
		return 0
	}
	if c.Policy.AsksJudge(c.Decision, c.Ops) {
		why |= SlowJudge
	}
	if c.Policy.CannotAsk() == policy.AskWait && c.Event.Kind == platform.Call && (c.Policy.AskFirst() || !h.client.Asks(&c.Event, h.Getenv)) &&
		(c.Decision.Effect == umpire.Ask || why != 0) && c.Decision.Effect != umpire.Deny {
		why |= SlowPerson
	}
	if why == SlowPerson { // an approval exists already, so there is nothing to wait for
		if box, err := h.box(); err == nil && box.Has(&c.Event.Action) {
			return 0
		}
	}
	return why
}

// askJudge includes the judge's opinion in the decision.
func (h *Hook) askJudge(ctx context.Context) {
	c := &h.call
	v, err := h.Judge(ctx, c)
	if err == nil && v.Source == "" {
		err = errSilent
	}
	if err != nil {
		c.unjudgedBy = "judge: " + err.Error()
		c.Failure = join(c.Failure, c.unjudgedBy)
		return // the decision of rules and default stands
	}
	v.Reason.Effect, v.Reason.Op = v.Effect, -1
	if c.Decision.Effect == umpire.Deny && c.Decision.Explicit {
		return // a judge never loosens a deny; it should not have been asked
	}
	c.Decision.Reasons = append([]umpire.Reason{v.Reason}, c.Decision.Reasons...)
	c.Decision.Effect = v.Effect
	c.Decision.Explicit = true
	h.opinion = true
}

// person waits for a person's answer to an ask.
func (h *Hook) person(ctx context.Context) {
	box, err := h.box()
	if err != nil {
		return
	}
	c := &h.call
	if box.Has(&c.Event.Action) {
		return // answer uses it
	}
	q, err := box.Ask(&c.Event.Action, c.Ops, c.Decision)
	if err != nil {
		c.Failure = join(c.Failure, err.Error())
		return
	}
	h.Wait(ctx, c, q)
}

// box opens the questions. It binds the call to the current content of its files.
func (h *Hook) box() (question.Box, error) {
	c := &h.call
	c.Event.Action.Files = question.Files(&c.Event.Action, c.Ops, h.opened())
	dir, err := h.State()
	return question.Open(filepath.Join(dir, "questions")), err
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// caller finds the panicking line in a stack, for the audit log.
func caller(stack []byte) string {
	_, after, _ := strings.Cut(string(stack), "panic(")
	lines := strings.SplitN(after, "\n", 5)
	if len(lines) < 4 {
		return "unknown place"
	}
	return lines[3][:min(len(lines[3]), 120)]
}
