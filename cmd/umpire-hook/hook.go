package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/platform/claude"
	"github.com/umpire-dev/umpire/policy"
)

// maxPayload bounds what is read from standard input, in bytes. Clients send the whole
// text of files.
const maxPayload = 10 << 20

// hook answers one call.
type hook struct {
	client string
	getenv func(string) string
	start  time.Time

	// What is known so far, for the answer and the record if the rest fails.
	event    claude.Event
	ops      []umpire.Operation
	policy   *policy.Policy
	decision umpire.Decision
	failure  string // why the policy's default was taken, or what went wrong beside
}

func newHook(client string) *hook {
	return &hook{client: client, getenv: os.Getenv, start: time.Now()}
}

// errTime is why an answer is given before the judging is done.
var errTime = errors.New("judging took too long")

// answer reads a payload and says what to answer. It always says something: a fault of
// its own is an answer by the policy's default.
func (h *hook) answer(in io.Reader, limit time.Duration) claude.Answer {
	type result struct {
		h   *hook
		err error
	}
	done := make(chan result, 1)
	go func() {
		// The work is done on a copy: after the deadline nobody else touches h.
		w := *h
		err := w.judge(in)
		done <- result{&w, err}
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	var err error
	select {
	case r := <-done:
		h, err = r.h, r.err
	case <-timer.C:
		err = errTime
	}
	if err != nil {
		h.failure = err.Error()
		h.decision = umpire.Decision{Effect: h.fallback(), Reasons: []umpire.Reason{{
			Rule: "umpire-failure", Effect: h.fallback(), Op: -1,
			Text:    "umpire could not judge this call: " + err.Error(),
			Suggest: "tell the user; `umpire audit search --failed` shows such calls",
		}}}
	}
	if h.event.Name != "" && !h.event.Judged() && err == nil {
		return claude.Answer{}
	}
	if err := h.record(); err != nil && h.decision.Effect != umpire.Allow {
		// Nobody reads this on an allow, and a client may take it for an error.
		h.failure = "audit: " + err.Error()
	}
	speak := h.policy != nil && h.policy.AutoApprove()
	return claude.Encode(h.decision, platform.Reason(h.decision, h.ops), speak)
}

// fallback is what the policy says of calls that could not be judged. Without a policy
// it is what the built-in one says.
func (h *hook) fallback() umpire.Effect {
	p := h.policy
	if p == nil {
		var a umpire.Action
		dir, _ := os.Getwd()
		a.Dir = dir
		platform.Complete(&a, "", h.getenv)
		p, _ = load(&a, h.getenv)
	}
	if p == nil {
		return umpire.Ask // not even the embedded policy can be opened: the program is damaged
	}
	return p.Default()
}

// judge does all the work. A panic is a failure, not an answer.
func (h *hook) judge(in io.Reader) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v at %s", r, caller(debug.Stack()))
		}
	}()
	if h.client != "claude" {
		return fmt.Errorf("the client %q is not known: use claude", h.client)
	}
	data, err := io.ReadAll(io.LimitReader(in, maxPayload+1))
	if err != nil {
		return fmt.Errorf("read the payload: %w", err)
	}
	if len(data) > maxPayload {
		return fmt.Errorf("the payload is larger than %d bytes", maxPayload)
	}
	if h.event, err = claude.Decode(data); err != nil {
		return err
	}
	a := &h.event.Action
	if !h.event.Judged() {
		return nil
	}
	platform.Complete(a, h.getenv("CLAUDE_PROJECT_DIR"), h.getenv)
	h.policy, h.failure = load(a, h.getenv)
	if h.policy == nil {
		return errors.New(h.failure)
	}
	h.ops = operation.Read(a, operation.Env{Getenv: os.LookupEnv, ReadFile: platform.ReadFile})
	h.decision = h.policy.Decide(a, h.ops)
	return nil
}

// caller finds the line in a stack that panicked, for the record.
func caller(stack []byte) string {
	const mark = "panic("
	s := string(stack)
	for i := 0; i+len(mark) < len(s); i++ {
		if s[i:i+len(mark)] == mark {
			s = s[i:]
			break
		}
	}
	n := 0
	for i := range len(s) {
		if s[i] == '\n' {
			if n++; n == 3 {
				end := i
				for end < len(s)-1 && end < i+120 && s[end+1] != '\n' {
					end++
				}
				return s[i+1 : end]
			}
		}
	}
	return "unknown place"
}
