package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// picker is a list with a search field.
type picker struct {
	title string
	items []item
	typed string
	at    int // index into the result of found
	take  func(value string) tea.Cmd
}

type item struct{ value, text, note string }

// found returns the items that contain all search words, in any order.
func (p *picker) found() (list []item) {
	words := strings.Fields(strings.ToLower(p.typed))
next:
	for _, it := range p.items {
		all := strings.ToLower(it.text + " " + it.note)
		for _, w := range words {
			if !strings.Contains(all, w) {
				continue next
			}
		}
		list = append(list, it)
	}
	return list
}

func (m *model) pickModel(msg modelsMsg) tea.Cmd {
	if msg.err != nil {
		m.say(noModels(m.status, msg.err).Error(), true)
		return nil
	}
	p := picker{title: "Model, now " + cleanLine(m.status.Model), take: func(id string) tea.Cmd { return m.command("model", id) }}
	for _, l := range msg.list {
		p.items = append(p.items, item{l.ID, cleanLine(l.ID), cleanLine(l.Note)})
	}
	return m.openPicker(p, "the model is "+m.status.Model+"; no others are known: /model ID switches to one")
}

func (m *model) pickSession(msg sessionsMsg) tea.Cmd {
	if msg.err != nil {
		m.say(msg.err.Error(), true)
		return nil
	}
	p := picker{title: "Sessions", take: func(id string) tea.Cmd { return m.command("load", id) }}
	for i, s := range msg.list {
		p.items = append(p.items, item{s.ID, fmt.Sprintf("%d. %s", i+1, cleanLine(s.Name)),
			fmt.Sprintf("%s · %s · %s · %s", counted(s.Messages, "message"), ago(m.now().Sub(s.Updated)), cleanLine(s.Model), cleanLine(s.Dir))})
	}
	return m.openPicker(p, "no other session is saved")
}

// searchPast lists earlier messages, the latest first, for reuse.
func (m *model) searchPast() tea.Cmd {
	p := picker{title: "Earlier messages", take: func(text string) tea.Cmd {
		m.ed.set(text)
		return nil
	}}
	seen := map[string]bool{}
	for _, text := range slices.Backward(m.past.list) {
		if !seen[text] {
			seen[text] = true
			p.items = append(p.items, item{value: text, text: cleanLine(head(text, maxInputShown))})
		}
	}
	p.search(head(m.ed.value(), 100))
	return m.openPicker(p, "you have not sent a message yet")
}

// maxInputShown limits how much of a message is searched and listed, in characters.
const maxInputShown = 1000

func (m *model) openPicker(p picker, none string) tea.Cmd {
	if len(p.items) == 0 {
		m.say(none, false)
		return nil
	}
	if m.mode == browsing {
		m.leaveBrowsing()
	}
	m.pick, m.mode = p, picking
	return nil
}

// key handles a key while the list is open, and reports whether to close it.
func (p *picker) key(k tea.KeyPressMsg) (cmd tea.Cmd, done bool) {
	list := p.found()
	switch k.String() {
	case "esc", "ctrl+c":
		return nil, true
	case "enter":
		if len(list) == 0 {
			return nil, false
		}
		return p.take(list[p.at].value), true
	case "up", "ctrl+p":
		p.at = max(0, p.at-1)
	case "down", "ctrl+n":
		p.at = max(0, min(len(list)-1, p.at+1))
	case "pgup":
		p.at = max(0, p.at-10)
	case "pgdown":
		p.at = max(0, min(len(list)-1, p.at+10))
	case "backspace":
		if p.typed != "" {
			p.typed = p.typed[:before(p.typed, len(p.typed))]
			p.at = 0
		}
	default:
		p.search(k.Text)
	}
	return nil, false
}

// search appends to the search text.
func (p *picker) search(text string) {
	if text != "" && len(p.typed)+len(text) < 200 {
		p.typed += strings.Join(strings.Fields(cleanLine(text)), " ")
		if strings.HasSuffix(text, " ") && p.typed != "" {
			p.typed += " "
		}
		p.at = 0
	}
}

// draw returns the list in a box of n lines.
func (p *picker) draw(cells, height int) []string {
	list := p.found()
	rows := max(1, height-4)
	p.at = max(0, min(p.at, len(list)-1))
	from := max(0, min(p.at-rows/2, len(list)-rows))
	body := []string{draw([]span{{"search: ", faint}, {p.typed, 0}, {"▏", 0}})}
	for i := from; i < min(len(list), from+rows); i++ {
		st, mark := style(0), "  "
		if i == p.at {
			st, mark = bold|reversed, "› "
		}
		body = append(body, fit([]span{{mark, 0}, {list[i].text, st}, {"  ", 0}, {list[i].note, faint}}, cells-4))
	}
	if len(list) == 0 {
		body = append(body, faint.on("  nothing is found"))
	}
	return box(p.title, body, "↑↓ choose · enter take · esc back", cells, cyan)
}
