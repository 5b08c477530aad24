package tui

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/text"
)

// table is a Markdown table: rows of cells, of which the first is the header.
type table [][]string

// maxCells limits a table; a larger one is drawn unformatted.
const maxCells = 4000

// splitTable finds a table in a paragraph: a header, a line of dashes with as many cells, and the
// rows. The text before it stays a paragraph.
func splitTable(paragraph string) (before string, t table, ok bool) {
	if !strings.Contains(paragraph, "|") {
		return "", nil, false
	}
	lines := strings.Split(strings.TrimRight(paragraph, "\n"), "\n")
	for i := 1; i < len(lines); i++ {
		head := row(lines[i-1])
		if !strings.Contains(lines[i], "|") || !dashes(row(lines[i])) || len(head) != len(row(lines[i])) {
			continue
		}
		t = table{head}
		for _, l := range lines[i+1:] {
			cells := row(l)
			t = append(t, cells[:min(len(cells), len(head))])
		}
		if len(t)*len(head) > maxCells {
			return "", nil, false
		}
		return strings.Join(lines[:i-1], "\n"), t, true
	}
	return "", nil, false
}

// row splits a line at unescaped bars.
func row(line string) (cells []string) {
	line = strings.TrimSpace(line)
	line = strings.TrimPrefix(line, "|")
	cell := ""
	for {
		i := strings.IndexByte(line, '|')
		if i < 0 {
			if last := strings.TrimSpace(cell + line); last != "" || len(cells) == 0 {
				cells = append(cells, last)
			}
			return cells
		}
		if i > 0 && line[i-1] == '\\' {
			cell += line[:i-1] + "|"
		} else {
			cells = append(cells, strings.TrimSpace(cell+line[:i]))
			cell = ""
		}
		line = line[i+1:]
	}
}

// dashes reports whether the cells are those of the delimiter row.
func dashes(cells []string) bool {
	return !slices.ContainsFunc(cells, func(c string) bool {
		c = strings.TrimSuffix(strings.TrimPrefix(c, ":"), ":")
		return c == "" || strings.Trim(c, "-") != ""
	})
}

func inlineSpans(cell string, st style) []span {
	d := drawer{src: []byte(cell)}
	doc := grammar().Parse(text.NewReader(d.src))
	if p := doc.FirstChild(); p != nil && p.NextSibling() == nil && p.FirstChild() != nil {
		return d.flat(p, st)
	}
	return []span{{cleanLine(cell), st}}
}

// draw draws the cells in columns, and wraps them in narrow columns.
func (t table) draw(cells int) (out []string) {
	drawn := make([][][]span, len(t))
	wide := make([]int, len(t[0]))
	for i, r := range t {
		st := style(0)
		if i == 0 {
			st = bold
		}
		for j, c := range r {
			s := inlineSpans(c, st)
			drawn[i] = append(drawn[i], s)
			wide[j] = max(wide[j], spansWidth(s), 3)
		}
	}
	room := cells - 3*(len(wide)-1)
	if room < 3*len(wide) {
		for i, r := range drawn { // too many columns: one cell per line
			if i > 0 {
				out = append(out, "")
			}
			for _, c := range r {
				out = append(out, drawAll(wrap(c, cells))...)
			}
		}
		return out
	}
	narrow(wide, room)
	for i, r := range drawn {
		parts := make([][][]span, len(wide))
		height := 1
		for j, c := range r {
			parts[j] = wrap(c, wide[j])
			height = max(height, len(parts[j]))
		}
		for y := range height {
			var line []string
			for j, w := range wide {
				var part []span
				if y < len(parts[j]) {
					part = parts[j][y]
				}
				line = append(line, fit(part, w))
			}
			out = append(out, strings.TrimRight(strings.Join(line, " │ "), " "))
		}
		if i == 0 {
			var rule []string
			for _, w := range wide {
				rule = append(rule, strings.Repeat("─", w))
			}
			out = append(out, strings.Join(rule, "─┼─"))
		}
	}
	return out
}

// narrow shrinks the widest columns until all fit.
func narrow(wide []int, room int) {
	for {
		sum, most := 0, 0
		for i, w := range wide {
			sum += w
			if w > wide[most] {
				most = i
			}
		}
		if sum <= room {
			return
		}
		second := 3
		for i, w := range wide {
			if i != most && w < wide[most] {
				second = max(second, w)
			}
		}
		wide[most] = max(second, wide[most]-(sum-room), 3)
		if wide[most] == second {
			wide[most] = max(3, second-1)
		}
	}
}
