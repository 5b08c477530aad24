package tui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/conversation"
)

// mode determines what the keys do. An open question takes precedence.
type mode uint8

const (
	typing mode = iota
	browsing
	picking
	helping
)

// model is the state of the screen. Update must not block: work, files and waiting are in commands.
type model struct {
	ctx   context.Context
	s     Session
	opts  Options
	post  func(tea.Msg) // for other goroutines
	now   func() time.Time
	after func(time.Duration, tea.Msg) tea.Cmd
	work  works

	w, h    int
	status  conversation.Status
	todo    []agent.Todo
	mode    mode
	view    scroller
	ed      editor
	past    history
	suggest suggestions
	pick    picker
	asked   []*question
	prompt  prompt
	queue   []string
	held    bool // the queue waits for the user, who stopped the turn
	turn    turn
	away    bool   // the terminal has lost the focus
	helpTop int    // lines of the key list scrolled off the top
	hint    string // about the last key, until the next one
	unsaved bool   // the session could not be saved, so leaving was refused
	saved   bool
	leaving bool
	resumed bool // the user typed something after stopping the turn: send it

	calls   map[string]*entry // calls without a result, by call ID
	early   map[string]string // output of calls that are not known yet
	newest  *entry            // the finished call that is open
	answer  *entry            // the answer in progress
	pending strings.Builder   // part of the answer that is not drawn yet
	flushes bool              // a flushMsg is scheduled

	printed   int      // number of entries printed to the terminal, with Options.Inline
	unprinted []string // their lines that are not yet printed
	printing  bool
}

// turn is the work in progress.
type turn struct {
	on       bool
	command  string // the running slash command; empty for a message
	stop     context.CancelFunc
	stopped  bool // by the user
	n, most  int
	began    time.Time
	doing    string // activity until the next event
	ticks    int
	spinning bool
}

// Messages to Update, in addition to those of lines.
type (
	flushMsg       struct{}            // draw the pending text of the answer
	tickMsg        struct{}            // time passed during work
	settledMsg     struct{ n int }     // no other key followed the prompt's n-th key
	savedMsg       struct{ err error } // before leaving
	printedMsg     struct{}
	interjectedMsg struct {
		text string
		ok   bool
	}
	pathsMsg struct {
		typed string
		list  []string
	}
	modelsMsg struct {
		list []conversation.Model
		err  error
	}
	sessionsMsg struct {
		list []conversation.Saved
		err  error
	}
)

const (
	flushEvery = 33 * time.Millisecond
	tickEvery  = 200 * time.Millisecond
)

func newModel(ctx context.Context, s Session, o Options) *model {
	m := &model{
		ctx: ctx, s: s, opts: o, now: time.Now, w: 80, h: 24,
		after: func(d time.Duration, msg tea.Msg) tea.Cmd {
			return tea.Tick(d, func(time.Time) tea.Msg { return msg })
		},
		view: newScroller(), ed: newEditor(), past: newHistory(o.History),
		calls: map[string]*entry{}, early: map[string]string{},
	}
	m.show(o.Entries)
	m.refresh()
	return m
}

// Init implements tea.Model.
func (m *model) Init() tea.Cmd {
	switch {
	case m.opts.Resume != nil:
		return m.offer(*m.opts.Resume)
	case m.opts.Prompt != "":
		return m.submit(m.opts.Prompt)
	}
	return nil
}

// Update implements tea.Model.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.update(msg)
	if m.opts.Inline {
		cmd = tea.Batch(cmd, m.print())
	}
	return m, cmd
}

func (m *model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = max(msg.Width, 20), max(msg.Height, 6)
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		return m.paste(msg.Content)
	case tea.BlurMsg:
		m.away = true
	case tea.FocusMsg:
		m.away = false
	case tea.MouseWheelMsg:
		n := 3
		if msg.Button == tea.MouseWheelUp {
			n = -3
		}
		m.wheel(n)
	case *question:
		return m.ask(msg)
	case withdrawn:
		m.withdraw(msg.q)
	case output:
		m.output(msg)
	case doing:
		m.turn.doing = msg.text
	case notice:
		m.say(msg.text, msg.bad)
	case worked:
		return m.event(msg.e)
	case stopped:
		return m.ended(msg.err)
	case replied:
		return m.replied(msg)
	case flushMsg:
		m.flushes = false
		m.flush()
	case tickMsg:
		m.turn.spinning = false
		m.turn.ticks++
		m.refresh()
		return m.tick()
	case settledMsg:
		return m.settled(msg.n)
	case savedMsg:
		return m.savedAll(msg.err)
	case printedMsg:
		if m.printing = false; m.saved {
			return tea.Quit
		}
	case interjectedMsg:
		return m.interjected(msg)
	case pathsMsg:
		m.suggest.paths(msg, &m.ed)
	case modelsMsg:
		return m.pickModel(msg)
	case sessionsMsg:
		return m.pickSession(msg)
	}
	return nil
}

// refresh reads the session's state.
func (m *model) refresh() {
	m.status = m.s.Status()
	m.todo = m.s.Todo()
}

// start runs f in a goroutine that leaving waits for, and posts its result.
func (m *model) start(f func() tea.Msg) tea.Cmd {
	return func() tea.Msg {
		if !m.work.add() {
			return nil
		}
		defer m.work.done()
		return f()
	}
}

// tick redraws the screen during work.
func (m *model) tick() tea.Cmd {
	if !m.turn.on || m.turn.spinning {
		return nil
	}
	m.turn.spinning = true
	return m.after(tickEvery, tickMsg{})
}

// say adds a message from umpire.
func (m *model) say(text string, bad bool) {
	if strings.TrimSpace(text) == "" {
		return
	}
	m.closeAnswer()
	e := &entry{kind: noticeKind, prose: prose{text: text}, final: true}
	if bad {
		e = &entry{kind: errorKind, text: text, final: true}
	}
	m.view.add(e)
}

// show adds an earlier conversation.
func (m *model) show(list []conversation.Entry) {
	for _, e := range list {
		switch {
		case e.Call != nil:
			m.addCall(*e.Call)
			if e.Result != nil {
				if done := m.finishCall(e.Call.ToolCallID, *e.Result); done != nil {
					done.took = 0 // no longer known
				}
			} else {
				m.dropCalls()
			}
		case e.User != "":
			m.view.add(&entry{kind: userKind, text: e.User, final: true})
		case e.Agent != "":
			m.view.add(&entry{kind: agentKind, head: m.newBlock(), prose: prose{text: e.Agent}, final: true})
		case e.Notice != "":
			m.say(e.Notice, e.Error)
		}
	}
}

// newBlock reports whether an answer of the model begins a separate block.
func (m *model) newBlock() bool {
	for i := len(m.view.entries) - 1; i >= 0; i-- {
		switch m.view.entries[i].kind {
		case agentKind:
			return false
		case callKind:
		default:
			return true
		}
	}
	return true
}

func (m *model) clear() {
	m.view = newScroller()
	m.calls, m.early = map[string]*entry{}, map[string]string{}
	m.newest, m.answer = nil, nil
	m.pending.Reset()
	m.printed = 0
}
