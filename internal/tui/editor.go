package tui

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxInput limits the size of one message, in bytes.
const maxInput = 1 << 20

// editor holds the message being typed. The cursor is between graphemes.
type editor struct {
	lines []string // never empty
	row   int
	col   int // bytes into lines[row]
	size  int // size in bytes

	cells int     // width of the line breaks
	parts [][]int // for each line: offsets of its rows; nil means not computed
}

func newEditor() editor { return editor{lines: []string{""}, parts: [][]int{nil}} }

func (e *editor) value() string { return strings.Join(e.lines, "\n") }

func (e *editor) empty() bool { return len(e.lines) == 1 && e.lines[0] == "" }

// set replaces the text, and moves the cursor to its end.
func (e *editor) set(text string) {
	cells := e.cells
	*e = newEditor()
	e.cells = cells
	e.insert(text)
}

// insert inserts a text before the cursor and reports whether all of it fit. It drops control
// characters: no one can type them, and pasted ones must not control anything.
func (e *editor) insert(text string) bool {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	text = strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
	all := true
	if room := maxInput - e.size; len(text) > room {
		for room > 0 && !utf8.RuneStart(text[room]) {
			room--
		}
		text, all = text[:max(room, 0)], false
	}
	e.size += len(text)
	added := strings.Split(text, "\n")
	head, rest := e.lines[e.row][:e.col], e.lines[e.row][e.col:]
	last := len(added) - 1
	e.col = len(added[last])
	if last == 0 {
		e.col += len(head)
	}
	added[0] = head + added[0]
	added[last] += rest
	e.lines = append(e.lines[:e.row:e.row], append(added, e.lines[e.row+1:]...)...)
	e.parts = append(e.parts[:e.row:e.row], append(make([][]int, len(added)), e.parts[e.row+1:]...)...)
	e.row += last
	return all
}

// remove deletes the text between two positions in order, and moves the cursor there.
func (e *editor) remove(row, col, toRow, toCol int) {
	joined := e.lines[row][:col] + e.lines[toRow][toCol:]
	e.lines = append(e.lines[:row:row], append([]string{joined}, e.lines[toRow+1:]...)...)
	e.parts = append(e.parts[:row:row], append([][]int{nil}, e.parts[toRow+1:]...)...)
	e.row, e.col = row, col
	e.size = len(e.lines) - 1
	for _, l := range e.lines {
		e.size += len(l)
	}
}

func (e *editor) left() {
	switch {
	case e.col > 0:
		e.col = before(e.lines[e.row], e.col)
	case e.row > 0:
		e.row--
		e.col = len(e.lines[e.row])
	}
}

func (e *editor) right() {
	switch l := e.lines[e.row]; {
	case e.col < len(l):
		c, _ := next(l[e.col:])
		e.col += len(c)
	case e.row < len(e.lines)-1:
		e.row, e.col = e.row+1, 0
	}
}

func (e *editor) backspace() {
	row, col := e.row, e.col
	e.left()
	e.remove(e.row, e.col, row, col)
}

func (e *editor) del() {
	row, col := e.row, e.col
	e.right()
	e.remove(row, col, e.row, e.col)
}

// wordLeft moves to the beginning of a word, past preceding spaces.
func (e *editor) wordLeft() {
	if e.col == 0 {
		e.left()
		return
	}
	head := strings.TrimRight(e.lines[e.row][:e.col], " \t")
	e.col = strings.LastIndexAny(head, " \t") + 1
}

func (e *editor) wordRight() {
	l := e.lines[e.row]
	if e.col == len(l) {
		e.right()
		return
	}
	rest := strings.TrimLeft(l[e.col:], " \t")
	n := strings.IndexAny(rest, " \t")
	if n < 0 {
		n = len(rest)
	}
	e.col = len(l) - len(rest) + n
}

func (e *editor) killWord() {
	row, col := e.row, e.col
	e.wordLeft()
	e.remove(e.row, e.col, row, col)
}

func (e *editor) killBefore() { e.remove(e.row, 0, e.row, e.col) }

func (e *editor) killAfter() {
	if e.col == len(e.lines[e.row]) {
		e.del()
		return
	}
	e.remove(e.row, e.col, e.row, len(e.lines[e.row]))
}

// before returns the start of the character that ends at col.
func before(l string, col int) int {
	// A character rarely has more than a few code points, so look back only so far.
	from := max(0, col-64)
	for from > 0 && !utf8.RuneStart(l[from]) {
		from--
	}
	last := from
	for i := from; i < col; {
		c, _ := next(l[i:col])
		last = i
		i += len(c)
	}
	return last
}

// breaks returns the offsets at which the rows of a line begin.
func (e *editor) breaks(line int) []int {
	if e.parts[line] != nil {
		return e.parts[line]
	}
	l := e.lines[line]
	rows := []int{0}
	used := 0
	for i := 0; i < len(l); {
		c, n := next(l[i:])
		n = shownWidth(c, n)
		if used+n > e.cells {
			rows = append(rows, i)
			used = 0
		}
		used += n
		i += len(c)
	}
	if used >= e.cells {
		rows = append(rows, len(l)) // the cursor needs a cell after the last character
	}
	e.parts[line] = rows
	return rows
}

// shown returns a character for display: invisible and control characters are spelled out.
func shown(c string) string {
	if c == "\t" {
		return strings.Repeat(" ", tabWidth)
	}
	if len(c) == 1 {
		return c
	}
	return clean(c)
}

func shownWidth(c string, cells int) int {
	if len(c) == 1 && c != "\t" {
		return cells
	}
	return width(shown(c))
}

func (e *editor) setWidth(cells int) {
	if cells = max(cells, 12); cells != e.cells {
		e.cells = cells
		e.parts = make([][]int, len(e.lines))
	}
}

// at returns the cursor's row within its line, and its column.
func (e *editor) at() (row, col int) {
	b := e.breaks(e.row)
	row = len(b) - 1
	for row > 0 && b[row] > e.col {
		row--
	}
	for i, l := b[row], e.lines[e.row]; i < e.col; {
		c, n := next(l[i:])
		col += shownWidth(c, n)
		i += len(c)
	}
	return row, col
}

// up moves up one row, and reports whether it could.
func (e *editor) up() bool {
	row, col := e.at()
	switch {
	case row > 0:
		e.goTo(e.row, row-1, col)
	case e.row > 0:
		e.goTo(e.row-1, len(e.breaks(e.row-1))-1, col)
	default:
		return false
	}
	return true
}

// down moves down one row, and reports whether it could.
func (e *editor) down() bool {
	row, col := e.at()
	switch {
	case row < len(e.breaks(e.row))-1:
		e.goTo(e.row, row+1, col)
	case e.row < len(e.lines)-1:
		e.goTo(e.row+1, 0, col)
	default:
		return false
	}
	return true
}

func (e *editor) goTo(line, row, col int) {
	b := e.breaks(line)
	end := len(e.lines[line])
	if row+1 < len(b) {
		end = before(e.lines[line], b[row+1])
	}
	e.row, e.col = line, b[row]
	for e.col < end {
		c, n := next(e.lines[line][e.col:])
		if col -= shownWidth(c, n); col < 0 {
			return
		}
		e.col += len(c)
	}
}

// draw returns at most n rows around the cursor, and the cursor's position in them.
func (e *editor) draw(most int) (out []string, x, y int) {
	row, x := e.at()
	// The window ends at the cursor's row or at the last row, whichever is nearer to the top.
	type place struct{ line, row int }
	places := []place{{e.row, row}}
	for l, r := e.row, row; len(places) < most; {
		if r--; r < 0 {
			if l--; l < 0 {
				break
			}
			r = len(e.breaks(l)) - 1
		}
		places = append([]place{{l, r}}, places...)
	}
	y = len(places) - 1
	for l, r := e.row, row; len(places) < most; {
		if r++; r >= len(e.breaks(l)) {
			if l++; l >= len(e.lines) {
				break
			}
			r = 0
		}
		places = append(places, place{l, r})
	}
	for _, p := range places {
		b, l := e.breaks(p.line), e.lines[p.line]
		end := len(l)
		if p.row+1 < len(b) {
			end = b[p.row+1]
		}
		var s strings.Builder
		for i := b[p.row]; i < end; {
			c, _ := next(l[i:end])
			s.WriteString(shown(c))
			i += len(c)
		}
		out = append(out, s.String())
	}
	return out, x, y
}
