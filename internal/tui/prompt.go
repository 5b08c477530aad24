package tui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/umpire-dev/umpire/internal/agent"
)

// prompt is the state of the current question, the first of model.asked.
type prompt struct {
	quiet  time.Time // keys are ignored until then
	early  bool      // keys were ignored
	key    string    // the answer that waits in case more keys follow
	typed  string    // likewise for an offer, as typed
	n      int       // number of keys
	scroll int
	room   int  // visible lines of the body
	lines  int  // lines of the body
	seen   bool // its last line was visible
	noting bool // the reason for a denial is being typed
	note   editor
}

// alone is how long an answer must stay the last key: unmarked pasted text begins with any letter.
const alone = 40 * time.Millisecond

// maxNote limits the reason for a denial, in bytes.
const maxNote = 4 << 10

// ask shows a question, or queues it.
func (m *model) ask(q *question) tea.Cmd {
	m.closeAnswer()
	m.asked = append(m.asked, q)
	if e := m.calls[q.q.CallID]; e != nil && !q.confirm {
		e.state = waiting
		e.changed()
	}
	if len(m.asked) == 1 {
		m.present()
	}
	return m.ring()
}

// present shows the first question.
func (m *model) present() {
	m.prompt = prompt{quiet: m.now().Add(answerDelay), n: m.prompt.n + 1, note: newEditor()}
	if len(m.asked) > 0 && m.mode != typing {
		if m.mode == browsing {
			m.leaveBrowsing()
		}
		m.mode = typing
	}
}

func (m *model) settleWith(a agent.Answer) {
	q := m.asked[0]
	q.answer <- a
	m.forget(0)
}

// withdraw removes a question that no one waits for any more.
func (m *model) withdraw(q *question) {
	for i := range m.asked {
		if m.asked[i] == q {
			if i == 0 && !m.turn.stopped {
				m.hint = "the question was settled elsewhere"
			}
			m.forget(i)
			return
		}
	}
}

func (m *model) forget(i int) {
	q := m.asked[i]
	m.asked = append(m.asked[:i:i], m.asked[i+1:]...)
	if e := m.calls[q.q.CallID]; e != nil && e.state == waiting {
		e.state = running
		e.began = m.now()
		e.changed()
	}
	if i == 0 {
		m.present()
	}
}

// promptKey handles a key while a question is shown.
func (m *model) promptKey(k tea.KeyPressMsg) tea.Cmd {
	p, q := &m.prompt, m.asked[0]
	name := k.String()
	if p.noting {
		m.noteKey(k)
		return nil
	}
	if q.offer {
		return m.offerKey(k)
	}
	if now := m.now(); now.Before(p.quiet) {
		// A person who is typing did not mean the question: keys count only after a pause.
		p.quiet, p.early, p.key = now.Add(answerDelay), true, ""
		return nil
	}
	if p.key != "" { // two keys at once are pasted text
		p.quiet, p.early, p.key = m.now().Add(answerDelay), true, ""
		return nil
	}
	switch name {
	case "up":
		p.scroll--
	case "down":
		p.scroll++
	case "pgup":
		p.scroll -= max(1, p.room-1)
	case "pgdown", "space":
		p.scroll += max(1, p.room-1)
	case "home":
		p.scroll = 0
	case "end":
		p.scroll = p.lines
	case "esc":
		if q.confirm {
			m.settleWith(agent.Answer{Choice: agent.No})
			return nil
		}
		m.stopFrom(q)
	default:
		key := strings.ToLower(k.Text)
		if key == "" || !strings.Contains("ysanqew", key) {
			return nil
		}
		p.key = key
		p.n++
		return m.after(alone, settledMsg{p.n})
	}
	p.scroll = max(0, min(p.scroll, p.lines-p.room))
	return nil
}

// offerKey handles a key while an offer is shown. y, n and Esc answer it, after a pause and while
// the input field is empty; any other key begins a message. Enter sends the message and declines
// the offer.
func (m *model) offerKey(k tea.KeyPressMsg) tea.Cmd {
	p := &m.prompt
	key := strings.ToLower(k.Text)
	switch now := m.now(); {
	case k.String() == "esc":
		m.settleWith(agent.Answer{Choice: agent.No})
		return nil
	case k.String() == "enter":
		p.quiet = now.Add(answerDelay)
		if m.ed.empty() && p.key == "" {
			return nil
		}
		m.ed.insert(p.typed)
		m.settleWith(agent.Answer{Choice: agent.No})
		return m.enter()
	case p.key == "" && m.ed.empty() && !now.Before(p.quiet) && key != "" && strings.Contains("ynq", key):
		p.key, p.typed = key, k.Text
		p.n++
		return m.after(alone, settledMsg{p.n})
	case now.Before(p.quiet):
		p.quiet = now.Add(answerDelay)
	}
	m.ed.insert(p.typed) // it was the first letter of a message, not an answer
	p.key, p.typed = "", ""
	edit(&m.ed, k)
	return nil
}

// settled accepts the answer of the prompt's n-th key, which no other key followed.
func (m *model) settled(n int) tea.Cmd {
	p := &m.prompt
	if len(m.asked) == 0 || n != p.n || p.key == "" {
		return nil
	}
	key, q := p.key, m.asked[0]
	p.key, p.typed = "", ""
	if key == "q" {
		key = "n"
	}
	for _, c := range answers(q) {
		if c.key != key {
			continue
		}
		switch {
		case key == "e":
			p.noting = true
		case key == widerKey:
			q.widen()
			p.seen, p.scroll = false, 0
		case c.answer >= agent.Once && c.answer != agent.Stop && !p.seen:
			m.hint = "scroll to the end first: you have not seen all of this"
		default:
			m.settleWith(agent.Answer{Choice: c.answer, Wider: q.wide})
		}
	}
	return nil
}

// stopFrom denies the call in question and ends the turn.
func (m *model) stopFrom(q *question) {
	if m.interrupt() {
		return
	}
	for len(m.asked) > 0 && m.asked[0] == q {
		m.settleWith(agent.Answer{Choice: agent.Stop})
	}
}

func (m *model) noteKey(k tea.KeyPressMsg) {
	p := &m.prompt
	switch k.String() {
	case "esc":
		p.noting = false
		p.quiet = m.now().Add(answerDelay)
	case "enter":
		m.settleWith(agent.Answer{Choice: agent.No, Note: strings.TrimSpace(p.note.value())})
	default:
		if p.note.size+len(k.Text) <= maxNote {
			edit(&p.note, k)
		}
	}
}

// drawPrompt draws the first question in at most n lines, and returns the cursor position, if the
// cursor is in it.
func (m *model) drawPrompt(cells, height int) (out []string, cursor *tea.Cursor) {
	p, q := &m.prompt, m.asked[0]
	inner := cells - 4
	fixed := m.promptKeys(q, inner)
	var head, body []string
	if !q.confirm {
		for _, l := range about(q.q) {
			head = append(head, barred(l, bold, inner)...)
		}
	}
	body = preview(q, inner, cells >= sideBySide)
	var facts, rules []string
	if !q.confirm {
		for _, l := range questionFacts(q.q) {
			facts = append(facts, prefixed("", broken, wrapText(l, 0, inner-2))...)
		}
		for _, l := range scopes(q) {
			rules = append(rules, prefixed("", broken, drawAll(hardwrap([]span{{l, yellow}}, inner-2)))...)
		}
	}
	if len(facts) > 0 {
		facts = append([]string{""}, facts...)
	}
	// The text in question may be long and scrolls. The rest stays, if there is room.
	room := height - 2 - len(fixed)
	if len(head)+len(facts)+len(rules)+min(len(body), 4) > room {
		body = append(append(append(head, body...), facts...), rules...)
		head, facts, rules = nil, nil, nil
	}
	p.room, p.lines = max(1, room-len(head)-len(facts)-len(rules)), len(body)
	scrolls := p.room < p.lines
	if scrolls && p.room > 1 {
		p.room-- // for the line about scrolling
	}
	p.scroll = max(0, min(p.scroll, p.lines-p.room))
	end := min(p.lines, p.scroll+p.room)
	p.seen = p.seen || end == p.lines
	seen := body[p.scroll:end:end]
	if scrolls {
		hint := faint.on(cut(fmt.Sprintf("lines %d-%d of %d, ↑↓ scroll", p.scroll+1, end, p.lines), inner))
		if room > 1 {
			seen = append(seen, hint)
		} else {
			fixed[0] = hint // instead of the empty line: nobody takes the first line for the whole
		}
	}
	all := append(append(append(append(head, seen...), facts...), rules...), fixed...)
	title := cleanLine(q.q.Tool)
	if n := len(m.asked); n > 1 {
		title += fmt.Sprintf(" · 1 of %d questions", n)
	}
	out = box(title, all, "", cells, yellow)
	if p.noting {
		rows, x, y := p.note.draw(3)
		cursor = tea.NewCursor(2+x, len(out)-1-len(rows)+y)
	}
	return out, cursor
}

// A bar marks each line of the call in question, so that text of the model cannot imitate umpire's.
// Another bar marks continuation lines, because the model also chooses names.
var bar, broken = faint.on("▏ "), faint.on("┊ ")

// barred draws one line of the call in question.
func barred(l string, st style, cells int) []string {
	return prefixed(bar, broken, drawAll(hardwrap([]span{{untab(l), st}}, cells-2)))
}

// preview draws the call in question.
func preview(q *question, cells int, wide bool) (out []string) {
	text := exact(q.q.Preview.Text)
	if q.q.Preview.Diff {
		return prefixed(bar, bar, drawDiff(text, cells-2, wide))
	}
	for l := range strings.Lines(text) {
		out = append(out, barred(strings.TrimSuffix(l, "\n"), 0, cells)...)
	}
	return out
}

const notePrompt = "Why not? The model sees this. Enter sends, Esc goes back."

// promptKeys returns the lines about the keys, or the input field for the reason.
func (m *model) promptKeys(q *question, cells int) []string {
	p := &m.prompt
	if p.noting {
		p.note.setWidth(cells)
		rows, _, _ := p.note.draw(3)
		return append([]string{"", faint.on(cut(notePrompt, cells))}, rows...)
	}
	var keys []span
	for i, c := range answers(q) {
		if i > 0 {
			keys = append(keys, span{"  ", 0})
		}
		keys = append(keys, span{c.key, bold | yellow}, span{" " + c.word, 0})
	}
	out := append([]string{""}, drawAll(wrap(keys, cells))...)
	if q.offer && !m.ed.empty() {
		out = append(out, wrapText("Enter sends your message in a new session; delete it to answer", yellow, cells)...)
	}
	if p.early {
		out = append(out, wrapText("keys that come at once are ignored: pause, then answer", yellow, cells)...)
	}
	return out
}

// box draws lines in a rounded frame with a title above and a note below.
func box(title string, body []string, below string, cells int, st style) []string {
	edge := func(left, text, right string) string {
		text = cut(text, cells-6)
		if text != "" {
			text = " " + text + " "
		}
		return st.on(left+"─") + (st | bold).on(text) + st.on(strings.Repeat("─", max(0, cells-3-width(text)))+right)
	}
	out := []string{edge("╭", title, "╮")}
	for _, l := range body {
		out = append(out, st.on("│")+" "+l+strings.Repeat(" ", max(0, cells-4-width(l)))+" "+st.on("│"))
	}
	return append(out, edge("╰", below, "╯"))
}
