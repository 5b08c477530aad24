package tui

import "strings"

// prose is an answer of the model's as it comes. Complete blocks are drawn once; only
// what may still change is drawn again.
type prose struct {
	text  string
	cells int      // the width for which lines are
	done  int      // bytes of text that are drawn for good
	lines []string // they are
	fence string   // the opening line of a code block that goes on at done
	tail  []string // what is drawn of the rest
	drawn int      // len(text) when tail was drawn
}

// maxTail is how many bytes are parsed again for each piece of an answer.
const maxTail = 8 << 10

// draw returns the answer's lines.
func (p *prose) draw(cells int) []string {
	if p.cells != cells {
		*p = prose{text: p.text, cells: cells}
	}
	if p.drawn == len(p.text) {
		return append(p.lines[:len(p.lines):len(p.lines)], p.tail...)
	}
	for {
		rest := p.rest()
		if n := lastBlock(rest[:min(len(rest), maxMarkdown)]) - len(p.fence); n > 0 {
			p.settle(n, "")
			continue
		}
		if len(p.text)-p.done <= maxTail {
			break
		}
		// One block that is long: a code block goes on as one, the rest begins anew.
		n := strings.LastIndexByte(p.text[p.done:p.done+maxTail], '\n') + 1
		if n == 0 {
			n = maxTail
			for n > maxTail-4 && p.text[p.done+n]&0xc0 == 0x80 {
				n-- // within a character
			}
		}
		p.settle(n, openFence(p.fence+p.text[p.done:p.done+n]))
	}
	p.drawn = len(p.text)
	p.tail = p.piece(p.rest(), p.fence != "")
	return append(p.lines[:len(p.lines):len(p.lines)], p.tail...)
}

func (p *prose) rest() string { return p.fence + p.text[p.done:] }

// settle draws the next n bytes for good. What follows goes on in the code block that
// fence opens, if it is set.
func (p *prose) settle(n int, fence string) {
	p.lines = append(p.lines, p.piece(p.fence+p.text[p.done:p.done+n], p.fence != "")...)
	p.done += n
	p.fence = fence
}

// piece draws a part, with the empty line before it unless a code block goes on.
func (p *prose) piece(src string, goesOn bool) []string {
	lines := markdown(src, p.cells)
	if len(lines) > 0 && len(p.lines) > 0 && !goesOn {
		return append([]string{""}, lines...)
	}
	return lines
}

// openFence returns the line that opens the code block in which a text ends, if it ends in
// one that is at the top and its first.
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
