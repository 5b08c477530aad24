package tui

import "strings"

// prose is an answer in progress. It draws complete blocks once and redraws only the part that may
// still change.
type prose struct {
	text  string
	cells int      // width of lines
	done  int      // bytes of text that are drawn finally
	lines []string // their lines
	all   []string // lines, and those of the rest
	fence string   // opening line of a code block that continues at done
	drawn int      // length of text when the rest was last drawn
}

// frame is the space around an answer: lines above it, and the prefixes of its first line and the
// others.
type frame struct {
	above       []string
	first, rest string
}

// maxTail limits how much is parsed again for each piece of an answer, in bytes.
const maxTail = 8 << 10

// draw returns the answer's lines. They are valid until the next call.
func (p *prose) draw(cells int, f frame) []string {
	if p.cells != cells {
		*p = prose{text: p.text, cells: cells, lines: append([]string(nil), f.above...)}
	} else if p.drawn == len(p.text) {
		return p.all
	}
	for {
		rest := p.rest()
		if n := lastBlock(rest[:min(len(rest), maxMarkdown)]) - len(p.fence); n > 0 {
			p.finish(n, "", f)
			continue
		}
		if len(p.text)-p.done <= maxTail {
			break
		}
		// One long block: a code block continues, anything else begins again.
		n := strings.LastIndexByte(p.text[p.done:p.done+maxTail], '\n') + 1
		if n == 0 {
			n = maxTail
			for n > maxTail-4 && p.text[p.done+n]&0xc0 == 0x80 {
				n-- // within a character
			}
		}
		p.finish(n, openFence(p.fence+p.text[p.done:p.done+n]), f)
	}
	p.drawn = len(p.text)
	n := len(p.lines)
	p.add(p.rest(), p.fence != "", f)
	p.all, p.lines = p.lines, p.lines[:n]
	return p.all
}

func (p *prose) rest() string { return p.fence + p.text[p.done:] }

// finish draws the next n bytes finally. If fence is set, the rest continues that code block.
func (p *prose) finish(n int, fence string, f frame) {
	p.add(p.fence+p.text[p.done:p.done+n], p.fence != "", f)
	p.done += n
	p.fence = fence
}

// add draws a part, with an empty line before it unless it continues a code block.
func (p *prose) add(src string, goesOn bool, f frame) {
	lines := markdown(src, p.cells-width(f.rest))
	begun := len(p.lines) > len(f.above)
	if len(lines) > 0 && begun && !goesOn {
		p.lines = append(p.lines, "")
	}
	for _, l := range lines {
		switch {
		case !begun:
			l, begun = f.first+l, true
		case l != "":
			l = f.rest + l
		}
		p.lines = append(p.lines, l)
	}
}

// openFence returns the opening line of the unclosed code block at the end of a text, if it is the
// outermost one.
func openFence(src string) string {
	line, rest, _ := strings.Cut(src, "\n")
	mark := fenceMark(line)
	if mark == "" {
		return ""
	}
	for l := range strings.Lines(rest) {
		if m := fenceMark(l); strings.HasPrefix(m, mark) && strings.TrimSpace(l) == m {
			return ""
		}
	}
	return line + "\n"
}

// fenceMark returns the run of backticks or tildes that opens or closes a code block.
func fenceMark(line string) string {
	l := strings.TrimLeft(line, " ")
	if len(line)-len(l) > 3 {
		return ""
	}
	for _, c := range []string{"`", "~"} {
		if n := len(l) - len(strings.TrimLeft(l, c)); n >= 3 {
			return l[:n]
		}
	}
	return ""
}
