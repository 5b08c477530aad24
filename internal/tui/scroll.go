package tui

type place struct{ entry, line int }

// scroller shows a part of the entries. Its cost depends on the visible part: it knows only the
// heights of drawn entries.
type scroller struct {
	entries []*entry
	cells   int
	height  int
	follow  bool  // stay at the last line when more arrives
	top     place // the first visible line, unless follow is set
	from    int   // earlier entries were cleared from the screen; scrolling brings them back
	chosen  int   // selected entry while browsing; -1 means none

	kept []*entry // drawn entries, the oldest first
}

// maxKept limits the number of drawn entries in memory.
const maxKept = 600

func newScroller() scroller { return scroller{follow: true, chosen: -1} }

func (s *scroller) add(e *entry) {
	s.entries = append(s.entries, e)
}

// lines draws an entry.
func (s *scroller) lines(i int) []string {
	e := s.entries[i]
	if e.drawn == nil {
		if s.kept = append(s.kept, e); len(s.kept) > maxKept {
			for _, old := range s.kept[:maxKept/2] {
				old.drawn, old.cells = nil, 0
				old.prose = prose{text: old.prose.text}
			}
			s.kept = append([]*entry(nil), s.kept[maxKept/2:]...)
		}
	}
	return e.lines(s.cells, i == s.chosen)
}

// end returns the top position at which the last line is at the bottom.
func (s *scroller) end() place {
	left := s.height
	for i := len(s.entries) - 1; i >= s.from; i-- {
		n := len(s.lines(i))
		if n >= left {
			return place{i, n - left}
		}
		left -= n
	}
	return place{s.from, 0}
}

// view returns the visible lines, at most height.
func (s *scroller) view() (out []string) {
	if s.follow {
		s.top = s.end()
	}
	for i := s.top.entry; i < len(s.entries) && len(out) < s.height; i++ {
		l := s.lines(i)
		if i == s.top.entry {
			l = l[min(s.top.line, len(l)):]
		}
		out = append(out, l[:min(len(l), s.height-len(out))]...)
	}
	return out
}

// scroll scrolls down by n lines, or up if n is negative.
func (s *scroller) scroll(n int) {
	if s.follow {
		if n >= 0 {
			return
		}
		s.top, s.follow = s.end(), false
	}
	if n < 0 {
		s.from = 0
	}
	p := s.top
	p.line += n
	for p.line < 0 && p.entry > 0 {
		p.entry--
		p.line += len(s.lines(p.entry))
	}
	p.line = max(p.line, 0)
	for p.entry < len(s.entries) && p.line >= len(s.lines(p.entry)) {
		p.line -= len(s.lines(p.entry))
		p.entry++
	}
	s.top = p
	if n > 0 && !above(p, s.end()) {
		s.follow = true
	}
}

// show scrolls just enough to make an entry's first lines visible.
func (s *scroller) show(i int) {
	top := s.top
	if s.follow {
		top = s.end()
	}
	if i < top.entry || i == top.entry && top.line > 0 {
		s.top, s.follow = place{i, 0}, false
		s.from = min(s.from, i)
		return
	}
	// Lines from the top to the end of the entry.
	n := -top.line
	for j := top.entry; j <= i && n <= s.height; j++ {
		n += len(s.lines(j))
	}
	if n <= s.height {
		return
	}
	p := place{i, len(s.lines(i))}
	for left := s.height; ; {
		if p.line >= left {
			p.line -= left
			break
		}
		left -= p.line
		if p.entry == 0 {
			p.line = 0
			break
		}
		p.entry--
		p.line = len(s.lines(p.entry))
	}
	if p.entry == i {
		p.line = 0 // it is higher than the screen: show its beginning
	}
	s.top, s.follow = p, false
}

func above(a, b place) bool {
	return a.entry < b.entry || a.entry == b.entry && a.line < b.line
}

// below reports whether there are lines further down.
func (s *scroller) below() bool { return !s.follow && above(s.top, s.end()) }
