package tui

import (
	"strconv"
	"strings"
)

// diffRow is a line of a diff. In a side-by-side view, old and new form a row.
type diffRow struct {
	kind     byte // '@' hunk header, 'f' file header, ' ', '-', '+'
	text     string
	old, new int // line numbers; 0 means none
}

func parseDiff(text string) (rows []diffRow) {
	var from, to int
	for l := range strings.Lines(strings.TrimRight(text, "\n")) {
		l = strings.TrimSuffix(l, "\n")
		switch {
		case strings.HasPrefix(l, "@@"):
			from, to = hunk(l)
			rows = append(rows, diffRow{kind: '@', text: l})
		case from == 0 && to == 0 || strings.HasPrefix(l, "diff ") || strings.HasPrefix(l, `\ `):
			rows = append(rows, diffRow{kind: 'f', text: l})
		case (strings.HasPrefix(l, "--- ") || strings.HasPrefix(l, "+++ ")) && fileHead(text, l):
			rows = append(rows, diffRow{kind: 'f', text: l})
		case strings.HasPrefix(l, "-"):
			rows = append(rows, diffRow{'-', untab(l[1:]), from, 0})
			from++
		case strings.HasPrefix(l, "+"):
			rows = append(rows, diffRow{'+', untab(l[1:]), 0, to})
			to++
		case strings.HasPrefix(l, " ") || l == "":
			rows = append(rows, diffRow{' ', untab(strings.TrimPrefix(l, " ")), from, to})
			from, to = from+1, to+1
		default:
			rows = append(rows, diffRow{kind: 'f', text: l})
		}
	}
	return rows
}

// fileHead reports whether a line is a file header: one of a pair, before a hunk.
func fileHead(text, line string) bool {
	_, after, ok := strings.Cut(text, line+"\n")
	if !ok {
		return false
	}
	second, after, _ := strings.Cut(after, "\n")
	if strings.HasPrefix(line, "--- ") {
		return strings.HasPrefix(second, "+++ ") && strings.HasPrefix(after, "@@")
	}
	return strings.HasPrefix(second, "@@")
}

// hunk returns the starting line numbers in a hunk header: "@@ -12,7 +12,9 @@".
func hunk(head string) (from, to int) {
	for f := range strings.FieldsSeq(head) {
		n, _, _ := strings.Cut(f[1:], ",")
		switch f[0] {
		case '-':
			from, _ = strconv.Atoi(n) // 0 is acceptable: the numbers are a convenience
		case '+':
			to, _ = strconv.Atoi(n)
			return max(from, 0), max(to, 1)
		}
	}
	return max(from, 0), max(to, 1)
}

// sideBySide is the least width for a side-by-side diff.
const sideBySide = 140

func drawDiff(text string, cells int, wide bool) (out []string) {
	rows := parseDiff(text)
	numbers := 1
	for _, r := range rows {
		numbers = max(numbers, len(strconv.Itoa(max(r.old, r.new))))
	}
	d := differ{cells: cells, numbers: numbers}
	for i := 0; i < len(rows); {
		r := rows[i]
		switch {
		case r.kind == 'f' || r.kind == '@':
			if name, ok := strings.CutPrefix(r.text, "+++ "); ok {
				name, _, _ = strings.Cut(name, " ")
				d.lang = languageOf(name)
			}
			st := cyan
			if r.kind == 'f' {
				st = bold
			}
			for _, l := range hardwrap([]span{{untab(r.text), st}}, cells) {
				out = append(out, draw(l))
			}
			i++
		case !wide:
			out = append(out, d.row(r, cells)...)
			i++
		default:
			// Removed lines appear beside the added lines that follow them.
			var left, right []diffRow
			for ; i < len(rows) && rows[i].kind == '-'; i++ {
				left = append(left, rows[i])
			}
			for ; i < len(rows) && rows[i].kind == '+'; i++ {
				right = append(right, rows[i])
			}
			if len(left)+len(right) == 0 {
				left, right = []diffRow{r}, []diffRow{r}
				i++
			}
			for j := range max(len(left), len(right)) {
				out = append(out, d.pair(at(left, j), at(right, j))...)
			}
		}
	}
	return out
}

func at(rows []diffRow, i int) diffRow {
	if i < len(rows) {
		return rows[i]
	}
	return diffRow{}
}

type differ struct {
	cells, numbers int
	lang           *language
}

// row draws a line after its number.
func (d *differ) row(r diffRow, cells int) []string {
	if r.kind == 0 {
		return []string{strings.Repeat(" ", cells)}
	}
	st, mark := style(0), "  "
	number := r.new
	switch r.kind {
	case '-':
		st, mark, number = red, "- ", r.old
	case '+':
		st, mark = green, "+ "
	}
	head := strings.Repeat(" ", d.numbers-len(strconv.Itoa(number))) + strconv.Itoa(number) + " "
	spans, _ := d.lang.color(r.text, st, false)
	room := cells - len(head) - len(mark)
	var out []string
	for i, l := range hardwrap(spans, room) {
		if i > 0 {
			head = strings.Repeat(" ", len(head))
		}
		out = append(out, faint.on(head)+st.on(mark)+fit(l, room))
	}
	return out
}

func (d *differ) pair(left, right diffRow) (out []string) {
	half := (d.cells - 3) / 2
	if left.kind == ' ' {
		left.new = left.old // the line number of this side
	}
	l, r := d.row(left, half), d.row(right, half)
	for i := range max(len(l), len(r)) {
		a, b := strings.Repeat(" ", half), ""
		if i < len(l) {
			a = l[i]
		}
		if i < len(r) {
			b = r[i]
		}
		out = append(out, a+faint.on(" │ ")+b)
	}
	return out
}
