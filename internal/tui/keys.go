package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// keyHelp lists the keys, as ? shows them.
var keyHelp = [][2]string{
	{"Enter", "send; while the model works, queue the message"},
	{"Ctrl+J, Alt+Enter", "begin a new line"},
	{"Ctrl+S", "send at once: the model gets it after the running call"},
	{"Esc", "stop the turn; a second time: edit the queued messages again"},
	{"Ctrl+C", "stop the work in progress, or clear the typed text, or save and quit"},
	{"Ctrl+D", "save and quit (on an empty line)"},
	{"Ctrl+E", "browse the finished calls: ↑ ↓ move, Enter opens, Esc leaves"},
	{"PgUp, PgDn, wheel", "scroll; Ctrl+End goes to the end"},
	{"↑ ↓", "move in the text, then through earlier messages"},
	{"↑ on an empty line", "edit the last queued message"},
	{"Ctrl+R", "search earlier messages"},
	{"Tab", "complete a /command or an @path"},
	{"Ctrl+L", "clear the screen; the conversation stays"},
	{"Home, End, Ctrl+← →", "move to the start or end of the line, or by word"},
	{"Ctrl+W, Ctrl+U, Ctrl+K", "delete the previous word, to the start, to the end"},
	{"Ctrl+Z", "suspend"},
	{"?", "show this list (on an empty line)"},
}

func (m *model) key(k tea.KeyPressMsg) tea.Cmd {
	m.hint = ""
	name := k.String()
	switch name {
	case "ctrl+c":
		return m.ctrlC()
	case "ctrl+l":
		m.view.from, m.view.follow = len(m.view.entries), true
		return tea.ClearScreen
	case "ctrl+z":
		return tea.Suspend
	}
	switch {
	case len(m.asked) > 0:
		return m.promptKey(k)
	case m.mode == helping:
		m.helpKey(name)
		return nil
	case m.mode == picking:
		cmd, done := m.pick.key(k)
		if done || cmd != nil {
			m.mode = typing
		}
		return cmd
	case m.mode == browsing:
		m.browseKey(name)
		return nil
	}
	return m.typeKey(k)
}

// helpKey scrolls the list of keys, or closes it.
func (m *model) helpKey(name string) {
	switch name {
	case "up":
		m.helpTop--
	case "down":
		m.helpTop++
	case "pgup", "home":
		m.helpTop = 0
	case "pgdown":
		m.helpTop += m.h / 2
	case "end":
		m.helpTop = 1 << 20 // limited to the end of the list
	default:
		m.mode = typing
	}
}

func (m *model) ctrlC() tea.Cmd {
	switch {
	case m.mode == picking || m.mode == helping:
		m.mode = typing
		return nil
	case m.turn.on && m.turn.stopped:
		// It did not stop on request: leave without waiting.
		if m.leaving {
			m.saved = true
			return tea.Quit
		}
		m.leaving = true
		m.hint = "still stopping; Ctrl+C leaves without waiting"
		return nil
	case m.interrupt():
		return nil
	case !m.ed.empty() && !m.leaving:
		m.ed.set("")
		m.hint = "Ctrl+C quits"
		return nil
	}
	return m.leave()
}

// typeKey handles a key in the input field.
func (m *model) typeKey(k tea.KeyPressMsg) tea.Cmd {
	if m.suggest.shown() {
		if cmd, took := m.suggestKey(k); took {
			return cmd
		}
	}
	switch k.String() {
	case "enter":
		return m.enter()
	case "ctrl+s":
		return m.interjectTyped()
	case "esc":
		m.escape()
		return nil
	case "ctrl+e":
		m.browse()
		return nil
	case "ctrl+r":
		return m.searchPast()
	case "ctrl+d":
		if m.ed.empty() {
			if m.turn.on {
				return nil
			}
			return m.leave()
		}
	case "pgup":
		m.view.scroll(-max(1, m.view.height-2))
		return nil
	case "pgdown":
		m.view.scroll(max(1, m.view.height-2))
		return nil
	case "ctrl+end":
		m.view.follow = true
		return nil
	case "ctrl+home":
		m.view.top, m.view.follow, m.view.from = place{}, false, 0
		return nil
	case "up":
		m.up()
		return nil
	case "down":
		m.down()
		return nil
	case "?":
		if m.ed.empty() {
			m.mode, m.helpTop = helping, 0
			return nil
		}
	}
	edit(&m.ed, k)
	return m.refreshSuggestions()
}

// edit applies an editing key.
func edit(e *editor, k tea.KeyPressMsg) {
	switch k.String() {
	case "ctrl+j", "alt+enter", "shift+enter":
		e.insert("\n")
	case "backspace", "ctrl+h":
		e.backspace()
	case "delete", "ctrl+d":
		e.del()
	case "left", "ctrl+b":
		e.left()
	case "right", "ctrl+f":
		e.right()
	case "ctrl+left", "alt+left", "alt+b":
		e.wordLeft()
	case "ctrl+right", "alt+right", "alt+f":
		e.wordRight()
	case "home", "ctrl+a":
		e.col = 0
	case "end":
		e.col = len(e.lines[e.row])
	case "ctrl+w", "alt+backspace", "ctrl+backspace":
		e.killWord()
	case "ctrl+u":
		e.killBefore()
	case "ctrl+k":
		e.killAfter()
	default:
		if k.Text != "" && k.Mod&^(tea.ModShift|tea.ModCapsLock|tea.ModNumLock) == 0 {
			e.insert(k.Text)
		}
	}
}

// suggestKey handles a key while suggestions are shown, and reports whether it did.
func (m *model) suggestKey(k tea.KeyPressMsg) (cmd tea.Cmd, took bool) {
	s := &m.suggest
	switch k.String() {
	case "up":
		s.at = max(0, s.at-1)
	case "down":
		s.at = min(len(s.list)-1, s.at+1)
	case "esc":
		s.closed = s.typed
	case "tab":
		s.take(&m.ed)
		return m.refreshSuggestions(), true
	case "enter":
		command := strings.HasPrefix(s.typed, "/")
		c := s.take(&m.ed)
		if command && !strings.HasPrefix(c.note, "<") {
			return m.enter(), true
		}
		return m.refreshSuggestions(), true
	default:
		return nil, false
	}
	return nil, true
}

// enter sends the typed text, or the next queued message.
func (m *model) enter() tea.Cmd {
	text := strings.TrimSpace(m.ed.value())
	if text == "" {
		if m.held {
			return m.nextQueued()
		}
		return nil
	}
	m.ed.set("")
	m.suggest = suggestions{}
	if m.held { // in the order of typing
		m.enqueue(text)
		m.past.add(text)
		return m.nextQueued()
	}
	return m.submit(text)
}

// interjectTyped sends the typed text, or the queued message, right after the running call.
func (m *model) interjectTyped() tea.Cmd {
	text := strings.TrimSpace(m.ed.value())
	if !m.turn.on {
		return m.enter()
	}
	if text == "" {
		if len(m.queue) == 0 {
			return nil
		}
		text = m.queue[0]
		m.queue = m.queue[1:]
	} else {
		m.ed.set("")
	}
	return m.interject(text)
}

// escape stops the turn, or takes queued messages back.
func (m *model) escape() {
	if m.turn.on && !m.turn.stopped {
		m.interrupt()
		return
	}
	if len(m.queue) > 0 {
		texts := m.queue
		if !m.ed.empty() {
			texts = append(texts, m.ed.value())
		}
		m.queue, m.held = nil, false
		m.ed.set(strings.Join(texts, "\n\n"))
		return
	}
	if m.ed.empty() { // otherwise Ctrl+C clears the line first
		m.hint = "Ctrl+C quits"
	}
}

func (m *model) up() {
	if m.ed.empty() && len(m.queue) > 0 {
		last := len(m.queue) - 1
		m.ed.set(m.queue[last])
		m.queue = m.queue[:last]
		m.held = m.held && last > 0
		return
	}
	if m.ed.up() {
		return
	}
	if t, ok := m.past.older(m.ed.value()); ok {
		m.ed.set(t)
	}
}

func (m *model) down() {
	if m.ed.down() {
		return
	}
	if t, ok := m.past.newer(); ok {
		m.ed.set(t)
	}
}

// paste inserts a pasted text. It never answers a question.
func (m *model) paste(text string) tea.Cmd {
	m.hint = ""
	switch {
	case len(m.asked) > 0 && m.asked[0].offer:
		m.ed.insert(m.prompt.typed)
		m.prompt.key, m.prompt.typed = "", ""
	case len(m.asked) > 0:
		p := &m.prompt
		if p.noting {
			if p.note.size+len(text) <= maxNote {
				p.note.insert(strings.Join(strings.Fields(text), " "))
			}
			return nil
		}
		p.quiet, p.early, p.key = m.now().Add(answerDelay), true, ""
		return nil
	case m.mode == picking:
		m.pick.search(text)
		return nil
	case m.mode != typing:
		return nil
	}
	if !m.ed.insert(text) {
		m.hint = "the message is full: " + size(maxInput) + " is the most"
	}
	return m.refreshSuggestions()
}

func (m *model) wheel(n int) {
	switch {
	case len(m.asked) > 0 && m.prompt.lines > m.prompt.room:
		m.prompt.scroll = max(0, min(m.prompt.scroll+n, m.prompt.lines-m.prompt.room))
	case m.mode == picking:
	default:
		m.view.scroll(n)
	}
}

// browse starts browsing the finished calls, at the newest.
func (m *model) browse() {
	m.view.chosen = len(m.view.entries)
	if !m.choose(-1) {
		m.view.chosen = -1
		m.hint = "there is no finished call to browse"
		return
	}
	m.mode = browsing
}

// choose selects the next or previous finished call.
func (m *model) choose(step int) bool {
	for i := m.view.chosen + step; i >= 0 && i < len(m.view.entries); i += step {
		if e := m.view.entries[i]; e.kind == callKind && e.result != nil {
			m.view.chosen = i
			m.view.show(i)
			return true
		}
	}
	return false
}

func (m *model) browseKey(name string) {
	switch name {
	case "up", "k":
		m.choose(-1)
	case "down", "j":
		m.choose(1)
	case "enter", "space":
		e := m.view.entries[m.view.chosen]
		e.open = !e.open
		if m.newest == e {
			m.newest = nil // the user decides from now on
		}
		m.view.show(m.view.chosen)
	case "pgup":
		m.view.scroll(-max(1, m.view.height-2))
	case "pgdown":
		m.view.scroll(max(1, m.view.height-2))
	case "esc", "ctrl+e", "q":
		m.leaveBrowsing()
	}
}

func (m *model) leaveBrowsing() {
	m.mode = typing
	m.view.chosen = -1
	m.view.follow = true
}
