package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/conversation"
)

// submit handles a typed message: a command, or text for the model.
func (m *model) submit(text string) tea.Cmd {
	name, args, command := slash(text)
	if command && (name == "exit" || name == "quit") {
		return m.command(name, args)
	}
	m.past.add(text)
	var remember tea.Cmd
	if keep := m.opts.Remember; keep != nil {
		remember = m.start(func() tea.Msg { keep(text); return nil })
	}
	if command {
		return tea.Batch(remember, m.command(name, args))
	}
	if m.turn.on {
		m.resumed = m.resumed || m.turn.stopped
		m.enqueue(text)
		return remember
	}
	return tea.Batch(remember, m.sendNow(text))
}

// enqueue queues a message until the end of the turn.
func (m *model) enqueue(text string) {
	if len(m.queue) >= maxQueued {
		m.hint = "too many messages wait: this one is dropped"
		return
	}
	m.queue = append(m.queue, text)
}

// sendNow sends a message to the model and shows the events.
func (m *model) sendNow(text string) tea.Cmd {
	m.unsaved = false
	m.closeAnswer()
	m.view.add(&entry{kind: userKind, text: text, final: true})
	m.view.follow = true
	if m.mode == browsing {
		m.leaveBrowsing()
	}
	ctx, stop := m.begin("")
	return tea.Batch(m.tick(), m.start(func() tea.Msg {
		defer stop()
		for e, err := range m.s.Send(ctx, conversation.Message{Text: text}) {
			if err != nil {
				return stopped{err}
			}
			m.post(worked{e}) // waits until the screen has taken it
		}
		if ctx.Err() != nil {
			return stopped{context.Canceled}
		}
		return stopped{}
	}))
}

func (m *model) begin(command string) (context.Context, context.CancelFunc) {
	ctx, stop := context.WithCancel(m.ctx)
	m.turn = turn{on: true, command: command, stop: stop, began: m.now(), spinning: m.turn.spinning}
	m.held, m.resumed = false, false
	return ctx, stop
}

func (m *model) event(e agent.Event) tea.Cmd {
	m.turn.doing = ""
	switch e := e.(type) {
	case agent.TurnStart:
		if m.mode == browsing {
			m.leaveBrowsing()
		}
		m.turn.n, m.turn.most = e.Turn, e.MaxTurns
		m.closeAnswer()
	case agent.TextDelta:
		if m.mode == browsing {
			m.leaveBrowsing()
		}
		if m.answer == nil {
			if strings.TrimSpace(e.Text) == "" {
				break // models put empty lines before calls
			}
			m.answer = &entry{kind: agentKind, head: m.newBlock()}
			m.view.add(m.answer)
		}
		m.pending.WriteString(e.Text)
		if !m.flushes {
			m.flushes = true
			return m.after(flushEvery, flushMsg{})
		}
	case agent.ToolCall:
		m.closeAnswer()
		if m.newest != nil {
			m.newest.open = false
			m.newest = nil
		}
		m.addCall(e)
	case agent.ToolResult:
		m.closeAnswer()
		if done := m.finishCall(e.ToolCallID, e.Result); done != nil {
			done.line() // releases input and data
		}
		m.refresh()
	case agent.Finish:
		m.closeAnswer()
		m.refresh()
	case agent.Failure:
		m.say(e.Error, true)
	}
	return nil
}

// flush draws the pending text of the answer.
func (m *model) flush() {
	if m.answer != nil && m.pending.Len() > 0 {
		m.answer.prose.text += m.pending.String()
		m.answer.changed()
	}
	m.pending.Reset()
}

// closeAnswer draws the complete answer, because something else follows.
func (m *model) closeAnswer() {
	if m.answer == nil {
		return
	}
	m.flush()
	m.answer.final = true
	m.answer = nil
}

func (m *model) addCall(c agent.ToolCall) {
	e := &entry{kind: callKind, call: c, began: m.now()}
	if n := len(m.view.entries); n == 0 || m.view.entries[n-1].kind != callKind {
		e.head = true
	}
	e.output = m.early[c.ToolCallID]
	delete(m.early, c.ToolCallID)
	m.calls[c.ToolCallID] = e
	m.view.add(e)
	for _, q := range m.asked {
		if q.q.CallID == c.ToolCallID && !q.confirm {
			e.state = waiting
		}
	}
}

func (m *model) finishCall(id string, r agent.Result) *entry {
	e := m.calls[id]
	if e == nil {
		return nil
	}
	delete(m.calls, id)
	if m.newest != nil {
		m.newest.open = false
	}
	m.newest = e
	e.open, e.final = true, true
	// Do not store output that is never shown: a day of work may print gigabytes.
	text, more := limit(clean(strings.TrimRight(r.Output, "\n")), maxOpen)
	e.took, e.bytes, e.more = m.now().Sub(e.began), len(r.Output), more
	r.Output = strings.Clone(text)
	r.Error = strings.Clone(head(r.Error, 2*maxOpen))
	e.result = &r
	e.state = succeeded
	if !r.Success {
		e.state = failed
	}
	e.summary = ""
	e.output = ""
	e.changed()
	return e
}

// dropCalls ends the calls without a result.
func (m *model) dropCalls() {
	for id, e := range m.calls {
		e.state, e.final, e.output = unfinished, true, ""
		e.changed()
		delete(m.calls, id)
	}
	clear(m.early)
}

// maxEarly limits the number of unknown calls whose output is kept.
const maxEarly = 32

// output shows the end of a running call's output.
func (m *model) output(o output) {
	e := m.calls[o.callID]
	if e == nil {
		if len(m.early) < maxEarly {
			m.early[o.callID] = tail(m.early[o.callID]+o.piece, maxRunning)
		}
		return
	}
	e.output = tail(e.output+o.piece, maxRunning)
	e.changed()
}

// ended shows how the work ended, and continues with the queue.
func (m *model) ended(err error) tea.Cmd {
	m.closeAnswer()
	interrupted := m.turn.stopped || errors.Is(err, context.Canceled)
	m.dropCalls()
	m.turn.on, m.turn.stop = false, nil
	m.refresh()
	switch {
	case interrupted:
		m.say("[cancelled]", false)
	case err != nil:
		m.say(err.Error(), true)
	}
	next := m.sendNext(interrupted || err != nil)
	if m.turn.on || m.leaving {
		return next
	}
	return tea.Batch(next, m.ring())
}

// ring rings the bell if the terminal has lost the focus.
func (m *model) ring() tea.Cmd {
	if !m.away {
		return nil
	}
	return tea.Raw("\a")
}

// sendNext sends the next queued message, unless the work was stopped or failed: then the user decides.
func (m *model) sendNext(hold bool) tea.Cmd {
	if m.leaving {
		return m.save()
	}
	if hold && !m.resumed {
		m.held = len(m.queue) > 0
		return nil
	}
	return m.nextQueued()
}

func (m *model) nextQueued() tea.Cmd {
	if len(m.queue) == 0 || m.turn.on {
		return nil
	}
	q := m.queue[0]
	m.queue = m.queue[1:]
	m.held = false
	if name, args, ok := slash(q); ok {
		return m.command(name, args)
	}
	return m.sendNow(q)
}

// interrupt stops the work in progress, and reports whether there was any. It denies open
// questions.
func (m *model) interrupt() bool {
	if !m.turn.on {
		return false
	}
	for len(m.asked) > 0 {
		m.settleWith(agent.Answer{Choice: agent.Stop})
	}
	m.turn.stopped = true
	m.turn.stop()
	return true
}

// interject sends a message to the model right after the running call.
func (m *model) interject(text string) tea.Cmd {
	m.past.add(text)
	return m.start(func() tea.Msg { return interjectedMsg{text, m.s.Interject(text)} })
}

func (m *model) interjected(msg interjectedMsg) tea.Cmd {
	if msg.ok {
		m.closeAnswer()
		m.view.add(&entry{kind: userKind, text: msg.text, final: true})
		return nil
	}
	m.queue = slices.Insert(m.queue, 0, msg.text)
	return m.nextQueued()
}

// command runs a slash command.
func (m *model) command(name, args string) tea.Cmd {
	if name != "exit" && name != "quit" {
		m.unsaved = false
	}
	switch name {
	case "exit", "quit":
		return m.leave()
	case "help":
		m.say("Commands:\n\n```\n"+helpText(m.s.Commands(), m.w-6)+"```\n\nKeys: press ? while nothing is typed.", false)
		return nil
	}
	c, ok := m.find(name, args)
	switch {
	case !ok:
		m.say(unknownCommand(m.s.Commands(), name), true)
		return nil
	case m.turn.on && !c.Busy:
		m.enqueue(strings.TrimSpace("/" + name + " " + args))
		return nil
	case c.Busy && m.turn.on:
		return m.start(func() tea.Msg { // independent of the turn
			r, err := c.Run(m.ctx, args)
			return replied{r: r, err: err}
		})
	}
	ctx, stop := m.begin(name)
	return tea.Batch(m.tick(), m.start(func() tea.Msg {
		defer stop()
		r, err := c.Run(ctx, args)
		return replied{r: r, err: err, last: true}
	}))
}

// find returns a command of the session, or one of the screen that takes time.
func (m *model) find(name, args string) (conversation.Command, bool) {
	switch {
	case name == "model" && args != "":
		return conversation.Command{Run: m.s.SetModel}, true
	case name == "load" && args != "":
		return conversation.Command{Run: m.s.Load}, true
	case name == "model":
		return conversation.Command{Busy: true, Run: func(ctx context.Context, _ string) (conversation.Reply, error) {
			list, err := m.s.Models(ctx)
			m.post(modelsMsg{list, err})
			return conversation.Reply{}, nil
		}}, true
	case name == "sessions" || name == "load":
		return conversation.Command{Run: func(ctx context.Context, _ string) (conversation.Reply, error) {
			list, err := m.s.Saved(ctx)
			m.post(sessionsMsg{list, err})
			return conversation.Reply{}, nil
		}}, true
	}
	return findCommand(m.s.Commands(), name)
}

// replied shows the result of a command.
func (m *model) replied(msg replied) tea.Cmd {
	if msg.last {
		m.turn.on, m.turn.stop = false, nil
	}
	m.refresh()
	switch {
	case msg.err != nil && m.turn.stopped && errors.Is(msg.err, context.Canceled):
		m.say("[cancelled]", false)
	case msg.err != nil:
		m.say(msg.err.Error(), true)
	default:
		if msg.r.Replaced {
			m.clear()
			m.show(msg.r.Entries)
		}
		m.say(msg.r.Text, false)
		if msg.r.Draft != "" && m.ed.empty() {
			m.ed.set(msg.r.Draft)
		}
		if msg.r.Quit {
			return m.leave()
		}
	}
	switch {
	case msg.fresh && m.opts.Prompt != "":
		return m.submit(m.opts.Prompt)
	case msg.last:
		return m.sendNext(m.turn.stopped || msg.err != nil)
	}
	return nil
}

// leave saves the session and ends the program, after the work in progress has stopped.
func (m *model) leave() tea.Cmd {
	if m.leaving {
		return nil
	}
	m.leaving = true
	if m.interrupt() {
		return nil
	}
	return m.save()
}

func (m *model) save() tea.Cmd {
	return m.start(func() tea.Msg {
		ctx, stop := context.WithTimeout(m.ctx, saveTime)
		defer stop()
		return savedMsg{m.s.Save(ctx)}
	})
}

func (m *model) savedAll(err error) tea.Cmd {
	m.leaving = false
	if err != nil && !m.unsaved {
		m.unsaved = true
		m.say(fmt.Sprintf("the session could not be saved: %v\ntype /exit again to quit anyway", err), true)
		return nil
	}
	m.saved = true
	if m.printing { // what is on its way to the terminal would be lost
		return nil
	}
	return tea.Quit
}

const resumeTitle = "Continue the last session?"

func notLoaded(err error) error {
	return fmt.Errorf("could not load the session, so this is a new one: %w", err)
}

// offer asks whether to continue a saved session.
func (m *model) offer(s conversation.Saved) tea.Cmd {
	q := &question{confirm: true, offer: true, answer: make(chan agent.Answer, 1)}
	q.q.Tool = resumeTitle
	q.q.Preview.Text = offer(s, m.now())
	m.ask(q)
	return m.start(func() tea.Msg {
		select {
		case a := <-q.answer:
			if a.Choice != agent.Once {
				return replied{fresh: true}
			}
		case <-m.ctx.Done():
			return nil
		}
		r, err := m.s.Load(m.ctx, s.ID)
		if err != nil {
			err = notLoaded(err)
		}
		return replied{r: r, err: err, fresh: true}
	})
}
