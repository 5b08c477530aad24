package agent

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"
)

// DefaultTurns is the limit of turns for one user message.
const DefaultTurns = 40

// Limits of the loop.
const (
	maxCalls    = 64       // of one answer
	maxParallel = 8        // calls at the same time
	maxAnswer   = 16 << 20 // bytes of one answer
	loopWindow  = 10       // number of last turns whose calls are compared
	loopEqual   = 5        // number of equal calls among these that stops the run
)

// Errors of a run that stopped early.
var (
	ErrTurns = errors.New("reached the limit on turns")
	ErrLoop  = errors.New("the model repeats the same call with the same result")
	ErrCost  = errors.New("reached the cost limit")
)

// Options configure Run.
type Options struct {
	Model     Model
	System    string
	Caller    *Caller
	MaxTurns  int // DefaultTurns if zero
	MaxTokens int // limit of an answer
	Effort    string

	// Append stores each message as soon as it is complete. An error ends the run, because a
	// message that is not stored would be lost on resume.
	Append func(Message) error
	// Interject returns messages that the user typed while calls ran; may be nil.
	Interject func() []Message
	// Progress gets output of running calls. Several goroutines may call it.
	Progress func(callID, piece string)
	// Thinking gets the model's thinking; may be nil.
	Thinking func(text string)
	// Waiting gets the reason and the length of a pause; may be nil.
	Waiting func(Waits)
	// Compact compacts the history when it gets too long; nil: never.
	Compact *Compactor
	// Before is called before each answer; an error ends the run. It may be nil.
	Before func() error
	// Spent gets each answer's usage. An error ends the run before the next answer.
	Spent func(Usage) error
}

// Run answers the last of msgs, a user message. It asks the model, runs the model's tool calls,
// and asks again. It ends if the model makes no more calls, ctx ends, a person says stop, or a
// limit is reached, which is the last error. Breaking out of the range cancels running calls; a
// slow consumer of events slows the model down.
//
// A canceled run ends without an event. It keeps the text so far, and every unfinished call has
// a result that says so.
func Run(ctx context.Context, msgs []Message, o Options) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		if ctx.Err() != nil {
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		r := &runState{ctx: ctx, cancel: cancel, o: o, yield: yield, msgs: append([]Message(nil), msgs...)}
		if r.o.MaxTurns <= 0 {
			r.o.MaxTurns = DefaultTurns
		}
		r.mend()
		if err := r.loop(); err != nil && !r.gone && (ctx.Err() == nil || !errors.Is(err, ctx.Err())) {
			yield(nil, err)
		}
	}
}

// runState is the state of one call of Run.
type runState struct {
	ctx    context.Context
	cancel context.CancelFunc
	o      Options
	yield  func(Event, error) bool
	gone   bool // the consumer stopped reading
	msgs   []Message
	ids    map[string]bool
	turn   int
	recent []made

	faulted bool // the provider reported an error inside the answer
}

// made is a call with its result.
type made struct {
	turn int
	sum  [sha256.Size]byte
}

// emit passes an event on, and reports whether the consumer still reads.
func (r *runState) emit(e Event) bool {
	if r.gone || r.ctx.Err() != nil {
		return false
	}
	if !r.yield(e, nil) {
		r.gone = true
		r.cancel()
	}
	return !r.gone
}

// keep adds a message to the history.
func (r *runState) keep(m Message) error {
	if m.Time.IsZero() {
		m.Time = time.Now()
	}
	r.msgs = append(r.msgs, m)
	if r.o.Append == nil {
		return nil
	}
	return r.o.Append(m)
}

// Unanswered returns results for calls without one at the end of a history, as after a crash, and
// whether there are any. Store them before you continue the history.
func Unanswered(msgs []Message) (Message, bool) {
	if len(msgs) == 0 {
		return Message{}, false
	}
	last := msgs[len(msgs)-1]
	calls := last.Calls()
	if last.Role != Assistant || len(calls) == 0 {
		return Message{}, false
	}
	m := Message{Role: ToolRole, Time: time.Now()}
	for _, c := range calls {
		m.Parts = append(m.Parts, Part{Result: unfinished(c)})
	}
	return m, true
}

func unfinished(c Call) *Returned {
	return &Returned{ID: c.ID, Name: c.Name, Text: forModel(Failed(Interrupted)), Error: true}
}

// mend adds a result to every call without one, as after a crash: providers reject a history with
// missing results.
func (r *runState) mend() {
	r.ids = map[string]bool{}
	var out []Message
	for i := 0; i < len(r.msgs); i++ {
		m := r.msgs[i]
		out = append(out, m)
		calls := m.Calls()
		if m.Role != Assistant || len(calls) == 0 {
			continue
		}
		results := Message{Role: ToolRole, Time: m.Time}
		if i+1 < len(r.msgs) && r.msgs[i+1].Role == ToolRole {
			results = r.msgs[i+1]
			i++
		}
		has := map[string]bool{}
		for _, p := range results.Parts {
			if p.Result != nil {
				has[p.Result.ID] = true
			}
		}
		for _, c := range calls {
			r.ids[c.ID] = true
			if !has[c.ID] {
				results.Parts = append(results.Parts, Part{Result: unfinished(c)})
			}
		}
		out = append(out, results)
	}
	r.msgs = out
}

// prepare compacts the conversation if necessary, and calls Before.
func (r *runState) prepare() error {
	if r.o.Compact != nil {
		if msgs, ok := r.o.Compact.fold(r.ctx, r.msgs, false); ok {
			r.msgs = msgs
		}
	}
	if r.o.Before != nil {
		return r.o.Before()
	}
	return nil
}

// account reports the usage of an answer, and whether the run continues. If the caller ends it, for
// its cost or because it stopped reading, the calls get results that say so.
func (r *runState) account(answer *Message, done Done, calls []Call) (on bool, err error) {
	if r.o.Compact != nil {
		r.o.Compact.Last = done.Usage.InputTokens
	}
	why := incomplete[done.Reason]
	if why == "" && done.Reason != StopPaused && !r.faulted && strings.TrimSpace(answer.Text()) == "" {
		why = Empty
	}
	if why != "" && len(calls) == 0 {
		r.emit(Failure{why})
	}
	if !r.emit(Finish{done.Usage}) {
		return false, errors.Join(r.ctx.Err(), r.results(calls, nil))
	}
	if r.o.Spent != nil {
		if err := r.o.Spent(done.Usage); err != nil {
			return false, errors.Join(err, r.results(calls, nil))
		}
	}
	return true, nil
}

// loop asks the model and runs its calls, turn by turn, until an answer has no calls.
func (r *runState) loop() error {
	compacted, again := false, false
	for turn := 1; turn <= r.o.MaxTurns; turn++ {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		r.turn = turn
		if err := r.prepare(); err != nil {
			return err
		}
		if !again && !r.emit(TurnStart{turn, r.o.MaxTurns}) {
			return r.ctx.Err()
		}
		again = false
		answer, done, err := r.ask()
		var long *TooLongError
		if errors.As(err, &long) && r.o.Compact != nil && !compacted && len(answer.Parts) == 0 {
			compacted = true
			if msgs, ok := r.o.Compact.fold(r.ctx, r.msgs, true); ok {
				r.msgs, again = msgs, true
				turn-- // the same turn starts again
				continue
			}
		}
		calls := answer.Calls()
		if ctx := r.ctx.Err(); ctx != nil {
			err = ctx // the cancellation explains the stream's error
		}
		if err != nil {
			return errors.Join(err, r.cut(answer, calls))
		}
		if len(answer.Parts) > 0 {
			if err := r.keep(answer); err != nil {
				return err
			}
		}
		if on, err := r.account(&answer, done, calls); !on {
			return err
		}
		if len(calls) == 0 {
			if done.Reason == StopPaused {
				continue
			}
			if more := r.interjected(); len(more) > 0 {
				if err := r.keepAll(more); err != nil {
					return err
				}
				continue
			}
			return nil
		}
		back, looped, err := r.call(calls)
		if kerr := r.results(calls, back); kerr != nil {
			return errors.Join(err, kerr)
		}
		if err != nil {
			if errors.Is(err, ErrStop) {
				return nil
			}
			return err
		}
		if looped {
			return ErrLoop
		}
		if err := r.keepAll(r.interjected()); err != nil {
			return err
		}
	}
	return ErrTurns
}

// Failures that the loop itself reports: an incomplete or empty response must not look complete.
const (
	Refused  = "the model refused to answer, or its provider's filter did"
	CutShort = "the answer was cut off at its length limit"
	Empty    = "the model gave an empty answer: send the message again, or rephrase it"
)

var incomplete = map[StopReason]string{StopRefused: Refused, StopLength: CutShort}

func (r *runState) interjected() []Message {
	if r.o.Interject == nil {
		return nil
	}
	return r.o.Interject()
}

func (r *runState) keepAll(list []Message) error {
	for _, m := range list {
		if err := r.keep(m); err != nil {
			return err
		}
	}
	return nil
}

// ask streams one answer.
func (r *runState) ask() (answer Message, done Done, err error) {
	answer, r.faulted = Message{Role: Assistant, Model: r.o.Model.Name()}, false
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			answer.Parts = append(answer.Parts, Part{Text: text.String()})
			text.Reset()
		}
	}
	req := ModelRequest{System: r.o.System, Messages: r.msgs, MaxTokens: r.o.MaxTokens, Effort: r.o.Effort}
	if r.o.Caller != nil {
		req.Tools = r.o.Caller.Tools()
	}
	size, ended, calls := 0, false, 0
	for p, err := range r.o.Model.Stream(r.ctx, req) {
		if err != nil {
			flush()
			return answer, done, err
		}
		switch {
		case p.Text != "":
			size += len(p.Text)
			text.WriteString(p.Text)
			r.emit(TextDelta{p.Text})
		case p.Thinking != nil:
			size += len(p.Thinking.Text)
			if p.Thinking.Signature != "" || p.Thinking.Redacted != "" {
				flush()
				answer.Parts = append(answer.Parts, Part{Thinking: p.Thinking})
			} else if r.o.Thinking != nil {
				r.o.Thinking(p.Thinking.Text)
			}
		case p.Call != nil:
			flush()
			if calls++; calls > maxCalls {
				return answer, done, fmt.Errorf("the answer has more than %d tool calls", maxCalls)
			}
			c := *p.Call
			size += len(c.Input) + len(c.Broken)
			if c.ID == "" || r.ids[c.ID] { // an ID must identify one result
				c.ID = fmt.Sprintf("call_%d", len(r.ids)+1)
				for r.ids[c.ID] {
					c.ID += "x"
				}
			}
			r.ids[c.ID] = true
			answer.Parts = append(answer.Parts, Part{Call: &c})
			r.emit(ToolCall{c.Name, c.ID, c.Input})
		case p.Fault != "":
			r.faulted = true
			r.emit(Failure{p.Fault})
		case p.Waits != nil:
			if r.o.Waiting != nil {
				r.o.Waiting(*p.Waits)
			}
		case p.Done != nil:
			done, ended = *p.Done, true
		}
		if size > maxAnswer {
			flush()
			return answer, done, fmt.Errorf("the answer is longer than %d bytes", maxAnswer)
		}
		if r.ctx.Err() != nil || ended {
			break
		}
	}
	flush()
	if !ended && r.ctx.Err() == nil {
		return answer, done, errors.New("the model's answer is incomplete; send the message again")
	}
	return answer, done, nil
}

// cut keeps the received part of an interrupted answer, and leaves a history that every provider
// accepts.
func (r *runState) cut(answer Message, calls []Call) error {
	if len(answer.Parts) == 0 {
		return nil
	}
	answer.Cancelled = true
	if err := r.keep(answer); err != nil {
		return err
	}
	return r.results(calls, nil)
}

// results stores the results of calls; calls without one were interrupted.
func (r *runState) results(calls []Call, back map[string]Returned) error {
	if len(calls) == 0 {
		return nil
	}
	m := Message{Role: ToolRole}
	for _, c := range calls {
		b, ok := back[c.ID]
		if !ok {
			b = *unfinished(c)
		}
		m.Parts = append(m.Parts, Part{Result: &b})
	}
	return r.keep(m)
}

type outcome struct {
	call Call
	res  Result
	back Returned
	err  error
}

// call runs the calls of one answer. Neighboring read-only calls run in parallel, others one at a
// time in the model's order.
func (r *runState) call(calls []Call) (back map[string]Returned, looped bool, err error) {
	back = map[string]Returned{}
	for i := 0; i < len(calls); {
		n := 1
		for r.o.Caller.Parallel(calls[i].Name) && i+n < len(calls) && r.o.Caller.Parallel(calls[i+n].Name) {
			n++
		}
		for o := range r.batch(calls[i : i+n]) {
			back[o.call.ID] = o.back
			looped = r.repeats(o) || looped
			err = errors.Join(err, o.err)
			if o.err != nil && !errors.Is(o.err, ErrStop) {
				continue
			}
			r.emit(ToolResult{o.call.Name, o.call.ID, o.res})
		}
		if err != nil || r.ctx.Err() != nil {
			return back, looped, errors.Join(err, r.ctx.Err())
		}
		i += n
	}
	return back, looped, nil
}

// stopKey is the context key of the function that cancels the parallel calls.
type stopKey struct{}

// batch runs calls in parallel and yields all of them as they end.
func (r *runState) batch(calls []Call) iter.Seq[outcome] {
	return func(yield func(outcome) bool) {
		ctx, stop := context.WithCancel(r.ctx)
		defer stop()
		ctx = context.WithValue(ctx, stopKey{}, stop)
		out := make(chan outcome)
		places := make(chan struct{}, maxParallel)
		var wg sync.WaitGroup
		for _, c := range calls {
			wg.Go(func() {
				places <- struct{}{}
				defer func() { <-places }()
				var progress func(string)
				if r.o.Progress != nil {
					progress = func(piece string) { r.o.Progress(c.ID, piece) }
				}
				o := outcome{call: c}
				o.res, o.back, o.err = r.o.Caller.Call(ctx, c, progress)
				out <- o
			})
		}
		go func() { wg.Wait(); close(out) }()
		listening := true
		for o := range out {
			listening = listening && yield(o)
		}
	}
}

// repeats notes a call with its result, and reports whether it was made too often.
func (r *runState) repeats(o outcome) bool {
	sum := sha256.Sum256([]byte(o.call.Name + "\x00" + string(o.call.Input) + "\x00" + forModel(o.res)))
	r.recent = append(slices.DeleteFunc(r.recent, func(m made) bool { return m.turn <= r.turn-loopWindow }), made{r.turn, sum})
	n := 0
	for _, m := range r.recent {
		if m.sum == sum {
			n++
		}
	}
	return n >= loopEqual
}
