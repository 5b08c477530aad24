package tui

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/umpire-dev/umpire/internal/agent/conversation"
	"github.com/umpire-dev/umpire/internal/plural"
)

// View implements tea.Model.
func (m *model) View() tea.View {
	full := !m.opts.Inline || m.mode == browsing
	if m.saved && !full {
		return tea.NewView("") // keep the printed lines, and remove the input field
	}
	lines, cursor := m.frame(full)
	for i, l := range lines {
		if width(l) > m.w { // a safeguard: no text may leave its line
			lines[i] = ansi.Truncate(l, m.w, "…")
		}
	}
	v := tea.NewView(strings.Join(lines, "\n"))
	v.AltScreen = full
	v.ReportFocus = true // needed by ring
	v.Cursor = cursor
	if full {
		v.MouseMode = tea.MouseModeCellMotion // mouse wheel
	}
	return v
}

// frame draws the screen: all lines if full, otherwise the lines not yet printed to the terminal.
func (m *model) frame(full bool) (lines []string, cursor *tea.Cursor) {
	h := m.h
	if !full {
		// Leave space: if a program clears the whole screen, terminals keep its content as if it
		// was printed.
		h -= 2
	}
	bottom, cursor := m.bottom(h)
	var extra []string // between the messages and the bottom, if there is room
	extra = append(extra, m.drawTodo()...)
	extra = append(extra, m.drawQueue()...)
	if room := h - 1 - len(bottom) - 3; len(extra) > room {
		extra = extra[:max(0, room)]
	}
	m.view.cells = m.w
	m.view.height = max(0, h-1-len(extra)-len(bottom))
	if !full { // the rest of the screen belongs to printed lines
		m.view.height = min(m.view.height, max(3, h/2-2))
	}
	var body []string
	switch {
	case m.mode == helping && len(m.asked) == 0:
		body = m.drawHelp(m.view.height)
	case full:
		body = m.view.view()
	default:
		m.view.from, m.view.follow = max(m.view.from, m.printed), true
		body = append(m.unprinted[:len(m.unprinted):len(m.unprinted)], m.view.view()...)
		body = body[max(0, len(body)-m.view.height):]
	}
	if full {
		if m.view.below() && len(body) > 0 {
			body[len(body)-1] = faint.on(cut("↓ more below: Ctrl+End goes to the end", m.w))
		}
		lines = append(lines, m.statusBar())
		lines = append(lines, body...)
		for len(lines) < 1+m.view.height {
			lines = append(lines, "")
		}
	} else {
		lines = append(append(lines, body...), m.statusBar())
	}
	lines = append(append(lines, extra...), bottom...)
	if cursor != nil {
		cursor.Y += len(lines) - len(bottom)
	}
	if over := len(lines) - h; over > 0 {
		lines = lines[over:]
		if cursor != nil {
			cursor.Y = max(0, cursor.Y-over)
		}
	}
	return lines, cursor
}

// statusBar shows the model and the cost.
func (m *model) statusBar() string {
	s := m.status
	name := cleanLine(s.Model[strings.LastIndexByte(s.Model, '/')+1:])
	left := []span{{name, bold}}
	if m.w >= 80 {
		left = append(left, span{" · Ctrl+C " + m.ctrlCDoes(), faint})
	}
	if s.Mode != "" {
		left = append(left, span{" · " + cleanLine(s.Mode), bold | yellow})
	}
	var right []span
	if s.Window > 0 && s.Input > 0 {
		percent := (s.Input*100 + s.Window/2) / s.Window
		st := style(0)
		if percent > 80 {
			st = yellow
		}
		right = append(right, span{fmt.Sprintf("ctx: %d%%", percent), st})
	}
	if u := s.Usage; u.InputTokens > 0 || u.OutputTokens > 0 {
		text := "tokens: " + conversation.Thousands(u.InputTokens) + " in / " + conversation.Thousands(u.OutputTokens) + " out"
		if u.CachedTokens > 0 && m.w >= 100 {
			text += " (" + conversation.Thousands(u.CachedTokens) + " cached)"
		}
		right = append(right, span{text, 0})
	}
	if s.Usage.Priced {
		text := fmt.Sprintf("$%.2f", s.Usage.Cost)
		if s.MaxCost > 0 {
			text += fmt.Sprintf(" of $%.2f", s.MaxCost)
		}
		right = append(right, span{text, 0})
	}
	var spaced []span
	for i, r := range right {
		if i > 0 {
			spaced = append(spaced, span{"  ", 0})
		}
		spaced = append(spaced, r)
	}
	taken := spansWidth(spaced)
	return fit(left, max(0, m.w-taken-1)) + " " + draw(spaced)
}

func (m *model) ctrlCDoes() string {
	switch {
	case m.turn.on:
		return "stops"
	case !m.ed.empty():
		return "clears"
	}
	return "quits"
}

// Limits of the area below the messages.
const (
	maxTodo  = 8
	maxShown = 4 // queued messages
)

func (m *model) drawTodo() (out []string) {
	if len(m.todo) == 0 {
		return nil
	}
	done, first := 0, -1
	for i, t := range m.todo {
		if t.Done {
			done++
		} else if first < 0 {
			first = i
		}
	}
	if first < 0 {
		return nil // everything is done: show nothing
	}
	out = append(out, faint.on(fmt.Sprintf("To do, %d of %d done", done, len(m.todo))))
	from := 0
	if len(m.todo) > maxTodo {
		from = max(0, min(first-1, len(m.todo)-maxTodo))
	}
	for i := from; i < min(len(m.todo), from+maxTodo); i++ {
		t := m.todo[i]
		mark, st := "[ ] ", style(0)
		switch {
		case t.Done:
			mark, st = "[x] ", faint
		case t.Now:
			mark, st = "[>] ", bold
		}
		out = append(out, strings.TrimRight(fit([]span{{"  " + mark, st}, {cleanLine(t.Text), st}}, m.w), " "))
	}
	return out
}

func (m *model) drawQueue() (out []string) {
	for i, q := range m.queue {
		if i == maxShown {
			out = append(out, faint.on(fmt.Sprintf("  and %d more", len(m.queue)-i)))
			break
		}
		word := "queued: "
		if m.held {
			word = "held: "
		}
		out = append(out, strings.TrimRight(fit([]span{{word, faint}, {cleanLine(q), 0}}, m.w), " "))
	}
	if m.held && len(m.queue) > 0 {
		out = append(out, faint.on("Enter sends them, Esc takes them back"))
	}
	return out
}

// bottom draws the question, the list or the input field for a screen of h lines, and returns the
// cursor's position in it.
func (m *model) bottom(h int) (out []string, cursor *tea.Cursor) {
	most := max(5, h-4)
	switch {
	case len(m.asked) > 0 && m.asked[0].offer:
		var input []string
		input, cursor = m.drawInput()
		out, _ = m.drawPrompt(m.w, max(5, most-len(input)))
		if cursor != nil {
			cursor.Y += len(out)
		}
		out = append(out, input...)
	case len(m.asked) > 0:
		out, cursor = m.drawPrompt(m.w, most)
	case m.mode == picking:
		return m.pick.draw(m.w, min(most, 16)), nil
	default:
		out, cursor = m.drawInput()
	}
	if m.hint != "" {
		out = append(out, yellow.on(cut(m.hint, m.w)))
	}
	return out, cursor
}

var spinner = []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

// working describes the current activity.
func (m *model) working() string {
	t := m.turn
	parts := []string{}
	switch {
	case t.stopped:
		parts = append(parts, "stopping")
	case t.command != "":
		parts = append(parts, "/"+t.command)
	case t.n > 0:
		parts = append(parts, fmt.Sprintf("turn %d/%d", t.n, t.most))
	default:
		parts = append(parts, "asking the model")
	}
	var now *entry
	for i := len(m.view.entries) - 1; i >= 0 && i >= len(m.view.entries)-50; i-- {
		if e := m.view.entries[i]; e.kind == callKind && e.result == nil && !e.final {
			now = e // the first of the running calls
		}
	}
	if now != nil {
		parts = append(parts, cleanLine(now.call.ToolName)+" "+now.line())
	}
	if t.doing != "" && !t.stopped {
		parts = append(parts, cleanLine(t.doing))
	}
	parts = append(parts, plural.Duration(m.now().Sub(t.began)))
	if !t.stopped {
		parts = append(parts, "Esc stops")
	}
	return cut(spinner[t.ticks%len(spinner)]+" "+strings.Join(parts, " · "), m.w)
}

func (m *model) drawInput() (out []string, cursor *tea.Cursor) {
	if m.turn.on {
		out = append(out, cyan.on(m.working()))
	}
	if m.suggest.shown() {
		out = append(out, m.suggest.draw(m.w)...)
	}
	rule := ""
	if m.w < 80 { // the status bar has no room for it
		rule = " Ctrl+C " + m.ctrlCDoes() + " ─"
	}
	out = append(out, faint.on(strings.Repeat("─", m.w-width(rule))+rule))
	if m.mode == browsing {
		return append(out, "browsing: ↑ ↓ move, Enter opens or folds, Esc leaves"), nil
	}
	m.ed.setWidth(m.w - 3)
	rows, x, y := m.ed.draw(max(1, min(10, m.h/3)))
	cursor = tea.NewCursor(2+x, len(out)+y)
	for i, r := range rows {
		mark := "  "
		if i == 0 {
			mark = "› "
		}
		out = append(out, mark+r)
	}
	if m.ed.empty() {
		note := "a message, / for commands, @ for files, ? for the keys"
		if m.turn.on {
			note = "type ahead: it is sent when the turn ends"
		}
		out[len(out)-1] = "› " + faint.on(cut(note, m.w-3))
	}
	return out, cursor
}

func (m *model) drawHelp(height int) []string {
	out := []string{"", bold.on("Keys")}
	for _, k := range keyHelp {
		for i, l := range wrapText(k[1], 0, max(20, m.w-28)) {
			key := ""
			if i == 0 {
				key = k[0]
			}
			out = append(out, "  "+fit([]span{{key, bold}}, 24)+" "+l)
		}
	}
	if m.helpTop = max(0, min(m.helpTop, len(out)+1-height)); m.helpTop == 0 && len(out)+2 <= height {
		return append(out, "", faint.on("any key goes back"))
	}
	rows := max(height-1, 0)
	out = out[min(m.helpTop, len(out)):]
	out = out[:min(len(out), rows)]
	for len(out) < rows {
		out = append(out, "")
	}
	return append(out, faint.on("↑ ↓ scroll, any other key goes back"))[:max(height, 0)]
}

// rest returns the lines that were not yet printed when the program ends.
func (m *model) rest() []string {
	m.view.cells = m.w
	for ; m.printed < len(m.view.entries); m.printed++ {
		m.unprinted = append(m.unprinted, m.view.lines(m.printed)...)
	}
	return m.unprinted
}

func (m *model) print() tea.Cmd {
	if m.printing || m.saved || m.mode == browsing {
		return nil
	}
	for m.printed < len(m.view.entries) && len(m.unprinted) < m.h {
		e := m.view.entries[m.printed]
		if !e.final || e == m.newest && m.turn.on {
			break
		}
		if e.kind == callKind { // no one can open it there
			e.open = edits(e.call.ToolName) || e.state == failed
		}
		m.view.cells = m.w
		m.unprinted = append(m.unprinted, m.view.lines(m.printed)...)
		m.printed++
	}
	if len(m.unprinted) == 0 {
		return nil
	}
	// Each line is a print of its own. A print scrolls the screen by what it prints, and a busy
	// terminal may still show an older frame, as high as a frame can be: more lines at once would
	// scroll parts of that frame into what stays.
	n := min(len(m.unprinted), m.h)
	steps := make([]tea.Cmd, 0, n+1)
	for _, l := range m.unprinted[:n] {
		steps = append(steps, tea.Println(cmp.Or(l, ansi.ResetStyle))) // it prints no empty text
	}
	m.unprinted = append([]string(nil), m.unprinted[n:]...)
	m.printing = true
	return tea.Sequence(append(steps, m.after(flushEvery, printedMsg{}))...)
}
