package tui

import (
	"strconv"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/plural"
)

// style is one of the terminal's sixteen colors, with attributes. Style alone never carries
// information.
type style uint16

// The styles. The low byte is the color's code.
const (
	red     style = 31
	green   style = 32
	yellow  style = 33
	blue    style = 34
	magenta style = 35
	cyan    style = 36
	gray    style = 90

	bold      style = 1 << 8
	faint     style = 1 << 9
	italic    style = 1 << 10
	underline style = 1 << 11
	reversed  style = 1 << 12
)

// attributes are the codes of the bits from bold on.
var attributes = [...]string{"1", "2", "3", "4", "7"}

// on applies the style to a clean text.
func (s style) on(text string) string {
	if s == 0 || text == "" {
		return text
	}
	return s.code() + text + "\x1b[m"
}

func (s style) code() string {
	var codes []string
	if c := s & 0xff; c != 0 {
		codes = append(codes, strconv.Itoa(int(c)))
	}
	for i, code := range attributes {
		if s&(bold<<i) != 0 {
			codes = append(codes, code)
		}
	}
	return "\x1b[" + strings.Join(codes, ";") + "m"
}

// span is clean text of one style, on one line.
type span struct {
	text  string
	style style
}

func draw(spans []span) string {
	if len(spans) == 1 {
		return spans[0].style.on(spans[0].text)
	}
	var b strings.Builder
	for i := 0; i < len(spans); {
		j, text := i+1, spans[i].text
		for ; j < len(spans) && spans[j].style == spans[i].style; j++ {
			text += spans[j].text
		}
		b.WriteString(spans[i].style.on(text))
		i = j
	}
	return b.String()
}

func spansWidth(spans []span) (n int) {
	for _, s := range spans {
		n += width(s.text)
	}
	return n
}

// wrap breaks spans into lines of at most n cells, at spaces if possible.
func wrap(spans []span, cells int) [][]span {
	cells = max(cells, 1)
	var lines [][]span
	var line []span
	used := 0
	space := -1 // the last space of the line: an index of line, and one within the text
	spaceAt := 0
	emit := func() {
		lines = append(lines, line)
		line, used, space = nil, 0, -1
	}
	for _, s := range spans {
		text, from := s.text, 0
		for i := 0; i < len(text); {
			c, n := next(text[i:])
			if used+n > cells && used > 0 {
				switch {
				case c == " ": // the space itself does not fit: it ends the line
					line = append(line, span{text[from:i], s.style})
					emit()
					i += len(c)
					from = i
					continue
				case space >= 0:
					line = append(line, span{text[from:i], s.style})
					last := line[space]
					rest := append([]span{{last.text[spaceAt+1:], last.style}}, line[space+1:]...)
					line = append(line[:space:space], span{last.text[:spaceAt], last.style})
					emit()
					line, used = rest, spansWidth(rest)
				default:
					line = append(line, span{text[from:i], s.style})
					emit()
				}
				from = i
				continue
			}
			if c == " " {
				space, spaceAt = len(line), i-from
			}
			used += n
			i += len(c)
		}
		if from < len(text) {
			line = append(line, span{text[from:], s.style})
		}
	}
	return append(lines, line)
}

// wrapText is wrap for clean text of several lines in one style. It expands tabs.
func wrapText(text string, st style, cells int) []string {
	var out []string
	for l := range strings.Lines(text) {
		l = untab(strings.TrimSuffix(l, "\n"))
		if len(l) <= cells {
			out = append(out, st.on(l))
			continue
		}
		for _, w := range wrap([]span{{l, st}}, cells) {
			out = append(out, draw(w))
		}
	}
	return out
}

// hardwrap breaks a clean line at exactly n cells, for text that must be shown exactly.
func hardwrap(spans []span, cells int) [][]span {
	cells = max(cells, 2)
	var lines [][]span
	var line []span
	used := 0
	for _, s := range spans {
		from := 0
		for i := 0; i < len(s.text); {
			c, n := next(s.text[i:])
			if used+n > cells && used > 0 {
				line = append(line, span{s.text[from:i], s.style})
				lines = append(lines, line)
				line, used, from = nil, 0, i
			}
			used += n
			i += len(c)
		}
		if from < len(s.text) {
			line = append(line, span{s.text[from:], s.style})
		}
	}
	return append(lines, line)
}

// fit draws a line in exactly n cells.
func fit(spans []span, cells int) string {
	w := spansWidth(spans)
	if w <= cells {
		return draw(spans) + strings.Repeat(" ", cells-w)
	}
	var out []span
	left := cells
	for _, s := range spans {
		n := width(s.text)
		if n >= left {
			t := cut(s.text, left)
			if n == left {
				t = s.text
			}
			out = append(out, span{t, s.style})
			left -= width(t)
			break
		}
		out = append(out, s)
		left -= n
	}
	return draw(out) + strings.Repeat(" ", max(left, 0))
}

// size formats a number of bytes.
func size(n int) string {
	switch {
	case n < 1000:
		return strconv.Itoa(n) + " B"
	case n < 1000*1000:
		return strconv.FormatFloat(float64(n)/1000, 'f', 1, 64) + " KB"
	default:
		return strconv.FormatFloat(float64(n)/1000/1000, 'f', 1, 64) + " MB"
	}
}

// ago formats the time since t.
func ago(d time.Duration) string {
	if d < time.Minute {
		return "just now"
	}
	return plural.Rough(d) + " ago"
}
