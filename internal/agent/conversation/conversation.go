// Package conversation holds one conversation with the agent: its history, model, limits and slash
// commands. All interfaces use it: the screen, plain lines, the print mode and editors.
package conversation

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/hooks"
	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/folder"
	"github.com/umpire-dev/umpire/internal/agent/session"
	"github.com/umpire-dev/umpire/internal/agent/undo"
	"github.com/umpire-dev/umpire/internal/plural"
)

// Options configure a conversation.
type Options struct {
	Dir       string // the agent's working directory
	Sessions  string // the folder of the sessions
	Session   *session.Session
	Caller    *agent.Caller
	Model     agent.Model
	Small     agent.Model                             // writes summaries and titles; nil: Model, and no titles
	Open      func(model string) (agent.Model, error) // opens a model for /model; if nil, the model cannot be switched
	List      func(ctx context.Context) ([]Model, error)
	System    string
	Untrusted []folder.File // files that the model gets as data, before the first message
	Hooks     *hooks.Executor
	User      string
	MaxTurns  int
	MaxCost   float64 // US dollars; 0: no limit
	Effort    string
	Window    int64     // the model's window in tokens; 0: derived from its name
	Commands  []Command // additional commands
	Changes   Changes
	Reopen    func(session string) error // switches Changes to another session
	// Price returns the cost of a response in US dollars, for providers that do not report it.
	Price func(model string, u agent.Usage) (dollars float64, ok bool)
	// Output gets the output of running calls. Notice and Warn get messages outside the
	// conversation. All may be nil.
	Output       func(callID, piece string)
	Notice, Warn func(text string)
	// Doing gets the current activity while no other event arrives.
	Doing func(text string)
}

// Changes undoes the file changes of tools, one turn per message. An undo.Store is one.
type Changes interface {
	// Begin begins a turn with a label. Later changes belong to it.
	Begin(label string) error
	// Undo restores the files to their state before the last n turns; Redo repeats undone turns.
	// Files that someone else has changed since are not touched unless confirmed is set.
	Undo(n int, confirmed bool) (undo.Report, error)
	Redo(n int, confirmed bool) (undo.Report, error)
	// Turns lists the turns that can be undone, the oldest first.
	Turns() []undo.Turn
}

// Conversation is one conversation with the agent.
type Conversation struct {
	o Options

	mu      sync.Mutex
	session *session.Session
	model   agent.Model
	running bool
	urgent  []string
	last    int64 // tokens of the last request
	turns   []turn
	undone  []turn
	fresh   bool   // nothing was sent yet
	left    int    // remaining turns of the current message
	doing   string // the last activity; owned by the working goroutine
}

// turn is one user message: the positions in the session before and after it.
type turn struct{ before, after string }

// New begins or continues a conversation.
func New(o Options) *Conversation {
	t := &Conversation{o: o, session: o.Session, model: o.Model}
	t.fresh = len(o.Session.State().Shown) == 0
	_, last := o.Session.Usage()
	t.last = last.InputTokens
	t.turns = t.earlier()
	return t
}

// earlier returns the messages of a continued session that can be undone. The labels of turns are
// the positions before them.
func (t *Conversation) earlier() (list []turn) {
	if t.o.Changes == nil {
		return nil
	}
	for _, u := range t.o.Changes.Turns() {
		if n := len(list); n > 0 {
			list[n-1].after = u.Label
		}
		list = append(list, turn{before: u.Label, after: t.session.Mark()})
	}
	return list
}

// Close saves the conversation.
func (t *Conversation) Close() error { return t.current().Close() }

func (t *Conversation) current() *session.Session {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.session
}

// Session returns the current session.
func (t *Conversation) Session() *session.Session { return t.current() }

func (t *Conversation) notice(format string, args ...any) {
	if t.o.Notice != nil {
		t.o.Notice(fmt.Sprintf(format, args...))
	}
}

func (t *Conversation) warn(format string, args ...any) {
	if t.o.Warn != nil {
		t.o.Warn(fmt.Sprintf(format, args...))
	}
}

// Send implements tui.Session.
func (t *Conversation) Send(ctx context.Context, m Message) iter.Seq2[agent.Event, error] {
	return t.SendParts(ctx, m.Text, nil)
}

// SendParts is like Send, with attachments.
func (t *Conversation) SendParts(ctx context.Context, text string, attached []agent.Part) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		t.mu.Lock()
		if t.running {
			t.mu.Unlock()
			yield(nil, errors.New("the agent is already working"))
			return
		}
		t.running, t.urgent = true, nil
		s, fresh := t.session, t.fresh
		t.fresh = false
		t.mu.Unlock()
		defer func() {
			t.mu.Lock()
			t.running = false
			t.mu.Unlock()
		}()
		run := hooks.NewRun(t.o.User, text)
		run.ID = s.Metadata().ID // taints and permissions apply to the session
		t.o.Caller.Run = run
		var answer strings.Builder
		var failed error
		if t.o.Hooks != nil {
			defer func() { // even if a hook prevented the run
				if failed == nil {
					failed = ctx.Err()
				}
				if err := t.o.Hooks.Complete(context.WithoutCancel(ctx), run, hooks.Outcome{Response: answer.String(), Err: failed}); err != nil {
					t.warn("a hook failed after the run: %v", err)
				}
			}()
			if failed = t.o.Hooks.Start(ctx, run); failed != nil {
				yield(nil, failed)
				return
			}
		}
		place, err := t.begin(ctx, s, text, attached, fresh)
		if err != nil {
			failed = err
			yield(nil, err)
			return
		}
		failed = t.answer(ctx, s, &answer, yield)
		place.after = s.Mark()
		t.mu.Lock()
		t.turns, t.undone = append(t.turns, place), nil
		t.mu.Unlock()
		if err := s.Sync(); err != nil {
			t.warn("the session may not survive a loss of power: %v", err)
		}
		t.title(ctx, s, text)
	}
}

// begin adds the user's message to the session, and returns the position at which the turn begins.
func (t *Conversation) begin(ctx context.Context, s *session.Session, text string, attached []agent.Part, fresh bool) (turn, error) {
	if m, ok := agent.Unanswered(s.State().Messages); ok { // compaction counts the messages in the file
		if err := s.Append(m); err != nil {
			return turn{}, err
		}
	}
	place := turn{before: s.Mark()}
	if err := t.affordable(s); err != nil {
		return turn{}, err
	}
	parts, err := t.parts(ctx, text, fresh)
	if err != nil {
		return turn{}, err
	}
	if err := s.Append(agent.Message{Role: agent.User, Time: time.Now(), Parts: append(parts, attached...)}); err != nil {
		return turn{}, err
	}
	if t.o.Changes != nil {
		return place, t.o.Changes.Begin(place.before)
	}
	return place, nil
}

// answer runs the model until it has answered everything that the user has sent. It collects the
// text of the answer, and returns the error of the run.
func (t *Conversation) answer(ctx context.Context, s *session.Session, text *strings.Builder, yield func(agent.Event, error) bool) (failed error) {
	for {
		for e, err := range agent.Run(ctx, s.State().Messages, t.options(s)) {
			if err != nil {
				failed = err
			}
			t.seen(s, e, text)
			if !yield(e, err) {
				failed = errors.Join(failed, context.Canceled)
				t.unsent(ctx, s, failed)
				return failed
			}
		}
		if !t.unsent(ctx, s, failed) {
			return failed
		}
	}
}

// seen records the effect of an event.
func (t *Conversation) seen(s *session.Session, e agent.Event, text *strings.Builder) {
	t.doing = ""
	switch e := e.(type) {
	case agent.TurnStart:
		t.mu.Lock()
		t.left = e.MaxTurns - e.Turn
		t.mu.Unlock()
	case agent.TextDelta:
		text.WriteString(e.Text)
	case agent.ToolResult:
		if err := s.Card(e.ToolCallID, e.Result); err != nil {
			t.warn("%v", err)
		}
	}
}

// unsent stores messages that arrived too late for this run, and reports whether there are any. If
// not, the run is over.
func (t *Conversation) unsent(ctx context.Context, s *session.Session, failed error) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	late := t.urgent
	t.urgent = nil
	if len(late) == 0 || ctx.Err() != nil || failed != nil {
		t.running = false
		for _, text := range late {
			go t.warn("This message was not sent: %s", text)
		}
		return false
	}
	for _, text := range late {
		if err := s.Append(agent.Message{Role: agent.User, Time: time.Now(), Parts: []agent.Part{{Text: text}}}); err != nil {
			go t.warn("%v", err)
			t.running = false
			return false
		}
	}
	return true
}

// waits describes the reason for a pause.
func waits(w agent.Waits) string {
	return fmt.Sprintf("retrying in %s: %s", plural.Duration(max(w.For, time.Second).Round(time.Second)), w.Why)
}

func (t *Conversation) options(s *session.Session) agent.Options {
	t.mu.Lock()
	model, effort := t.model, t.o.Effort
	t.mu.Unlock()
	small := t.o.Small
	if small == nil {
		small = model
	}
	doing := func(text string) {
		if t.o.Doing != nil && t.doing != text {
			t.o.Doing(text)
		}
		t.doing = text
	}
	compact := agent.Compactor{Model: small, Window: t.window(model.Name()), Last: t.last, Todo: t.Todo,
		Folded: func(n int, now []agent.Message) error {
			if err := s.Fold(n, now[0]); err != nil {
				return err
			}
			t.notice("summarized: %s", plural.Count(n, "message"))
			return nil
		},
		Spent:  func(u agent.Usage) error { return s.AddSideUsage(t.priced(small.Name(), u)) },
		Failed: func(err error) { t.warn("The conversation could not be summarized: %v", err) },
	}
	return agent.Options{
		Model: model, System: t.o.System, Caller: t.o.Caller, MaxTurns: t.o.MaxTurns, Effort: effort,
		Append: s.Append, Progress: t.o.Output, Compact: &compact,
		Thinking: func(string) { doing(Thinking) },
		Waiting:  func(w agent.Waits) { doing(waits(w)) },
		Before:   func() error { return t.affordable(s) },
		Interject: func() (list []agent.Message) {
			t.mu.Lock()
			defer t.mu.Unlock()
			for _, text := range t.urgent {
				list = append(list, agent.Message{Role: agent.User, Time: time.Now(), Parts: []agent.Part{{Text: text}}})
			}
			t.urgent = nil
			return list
		},
		Spent: func(u agent.Usage) error {
			t.mu.Lock()
			t.last = u.InputTokens
			t.mu.Unlock()
			if err := s.AddUsage(t.priced(model.Name(), u)); err != nil {
				return err
			}
			return t.affordable(s)
		},
	}
}

// priced adds the cost of an answer if its provider did not report it.
func (t *Conversation) priced(model string, u agent.Usage) agent.Usage {
	if !u.Priced && t.o.Price != nil {
		if dollars, ok := t.o.Price(model, u); ok {
			u.Cost, u.Priced = dollars, true
		}
	}
	return u
}

// affordable returns an error once a session has reached its cost limit.
func (t *Conversation) affordable(s *session.Session) error {
	if all, _ := s.Usage(); t.o.MaxCost > 0 && all.Cost >= t.o.MaxCost {
		return fmt.Errorf("%w: $%.2f of $%.2f", agent.ErrCost, all.Cost, t.o.MaxCost)
	}
	return nil
}

func (t *Conversation) window(model string) int64 {
	if t.o.Window > 0 {
		return t.o.Window
	}
	return agent.Window(model)
}

// title names a session by its first message, or by the small model's suggestion.
func (t *Conversation) title(ctx context.Context, s *session.Session, text string) {
	if s.Metadata().Name != "" || ctx.Err() != nil {
		return
	}
	name, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if r := []rune(name); len(r) > 60 {
		name = string(r[:59]) + "…"
	}
	if t.o.Small != nil {
		if better := t.ask(ctx, s, "Name this task in at most six words, with no quotes and no full stop. Answer with the name only.", text); better != "" {
			name = better
		}
	}
	if err := s.SetName(name); err != nil {
		t.warn("%v", err)
	}
}

// ask asks the small model for one line; "" on failure.
func (t *Conversation) ask(ctx context.Context, s *session.Session, system, text string) string {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	if len(text) > 4000 {
		text = strings.ToValidUTF8(text[:4000], "")
	}
	var b strings.Builder
	req := agent.ModelRequest{System: system, MaxTokens: 50, Messages: []agent.Message{{Role: agent.User, Parts: []agent.Part{{Text: text}}}}}
	for p, err := range t.o.Small.Stream(ctx, req) {
		if err != nil || b.Len() > 200 {
			return ""
		}
		b.WriteString(p.Text)
		if p.Done != nil {
			if err := s.AddSideUsage(t.priced(t.o.Small.Name(), p.Done.Usage)); err != nil {
				t.warn("%v", err)
			}
		}
	}
	line, _, _ := strings.Cut(strings.TrimSpace(b.String()), "\n")
	return strings.Trim(line, `"'. `)
}

// Interject implements tui.Session.
func (t *Conversation) Interject(text string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.running {
		return false
	}
	t.urgent = append(t.urgent, text)
	return true
}

// Status implements tui.Session.
func (t *Conversation) Status() Status {
	t.mu.Lock()
	s, model, last := t.session, t.model.Name(), t.last
	t.mu.Unlock()
	all, _ := s.Usage()
	short := model[strings.LastIndexByte(model, '/')+1:]
	return Status{Model: short, Name: s.Metadata().Name, Window: t.window(model), Input: last, Usage: all, MaxCost: t.o.MaxCost}
}

// Todo implements tui.Session.
func (t *Conversation) Todo() []agent.Todo { return t.o.Caller.State.Todo() }

// Save implements tui.Session. Everything is stored as it happens.
func (t *Conversation) Save(context.Context) error { return t.current().Sync() }

// Tell adds a note to the conversation that the model gets with the next request.
func (t *Conversation) Tell(text string) error {
	return t.current().Append(agent.Message{Role: agent.User, Time: time.Now(), Parts: []agent.Part{{Text: text}}})
}

// Usage returns the usage of the session.
func (t *Conversation) Usage() agent.Usage {
	all, _ := t.current().Usage()
	return all
}
