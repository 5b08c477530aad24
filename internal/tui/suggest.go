package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// suggestions complete the command or path at the cursor.
type suggestions struct {
	list   []suggestion
	at     int
	from   int    // start of the completed word in the line
	typed  string // the word
	closed string // the word for which the user closed the list
}

type suggestion struct{ word, note string }

// maxSuggested limits the length of the list.
const maxSuggested = 6

// refreshSuggestions looks up completions of the word before the cursor. Paths arrive later.
func (m *model) refreshSuggestions() tea.Cmd {
	s := &m.suggest
	line := m.ed.lines[m.ed.row][:m.ed.col]
	if m.ed.row == 0 && strings.HasPrefix(line, "/") && !strings.Contains(line, " ") && strings.Count(line, "/") == 1 {
		s.open(0, line, nil)
		for _, c := range allCommands(m.s.Commands()) {
			if c.Name != "quit" && strings.HasPrefix("/"+c.Name, strings.ToLower(line)) { // quit is another name of exit
				s.list = append(s.list, suggestion{"/" + c.Name, strings.TrimSpace(c.Args + "  " + c.Help)})
			}
		}
		return nil
	}
	at := strings.LastIndexAny(line, " \t") + 1
	if word := line[at:]; strings.HasPrefix(word, "@") {
		old := s.list
		if s.from != at || !strings.HasPrefix(word, s.typed) {
			old = nil
		}
		s.open(at, word, old)
		typed := word[1:]
		return m.start(func() tea.Msg {
			list, err := m.s.Paths(m.ctx, typed, maxSuggested)
			if err != nil {
				list = nil // a failed lookup only means no suggestions
			}
			return pathsMsg{word, list}
		})
	}
	*s = suggestions{closed: s.closed}
	return nil
}

func (s *suggestions) open(from int, typed string, list []suggestion) {
	if typed != s.typed {
		s.at = 0
	}
	if typed != s.closed {
		s.closed = ""
	}
	s.from, s.typed, s.list = from, typed, list
}

// paths sets the completions of a path, if it is still at the cursor.
func (s *suggestions) paths(msg pathsMsg, ed *editor) {
	if msg.typed != s.typed || !strings.HasSuffix(ed.lines[ed.row][:ed.col], msg.typed) {
		return
	}
	s.list = nil
	for _, p := range msg.list {
		if "@"+p != msg.typed {
			s.list = append(s.list, suggestion{word: "@" + p})
		}
	}
	s.at = min(s.at, max(0, len(s.list)-1))
}

func (s *suggestions) shown() bool {
	return len(s.list) > 0 && (s.closed == "" || s.closed != s.typed)
}

// take replaces the word by the selected suggestion.
func (s *suggestions) take(ed *editor) suggestion {
	c := s.list[s.at]
	ed.remove(ed.row, s.from, ed.row, ed.col)
	ed.insert(c.word)
	if !strings.HasSuffix(c.word, "/") {
		ed.insert(" ")
	}
	*s = suggestions{}
	return c
}

// draw returns the part of the list around the selection.
func (s *suggestions) draw(cells int) (out []string) {
	from := max(0, min(s.at-maxSuggested+1, len(s.list)-maxSuggested))
	for i := from; i < min(len(s.list), from+maxSuggested); i++ {
		c := s.list[i]
		word := cleanLine(c.word)
		st, mark := style(0), "  "
		if i == s.at {
			st, mark = bold|reversed, "› "
		}
		pad := strings.Repeat(" ", max(1, 14-width(word)))
		out = append(out, strings.TrimRight(fit([]span{{mark, 0}, {word, st}, {pad, 0}, {cleanLine(c.note), faint}}, cells), " "))
	}
	return out
}
