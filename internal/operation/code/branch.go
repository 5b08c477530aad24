package code

import (
	"slices"
	"strings"
)

// A program goes on behind parts of it that may not have run, or that have names of their own: a
// branch, the body of a loop, a block, a function. The adversary chooses the condition, and hides a
// path behind a local variable of the same name. So within such a part a variable has the value that
// the part gave it, and after it both that one and the value from before.

// region is such a part of a program.
type region struct {
	kind   regionKind
	of     *parser // the parser of its statements
	end    int     // the index of the token after it
	maybe  bool    // the function may not be called
	stops  bool    // it may end at any statement, so each value that a variable has in it may stay
	before map[string]held
	own    map[string]bool // whether it declares a name for itself, as far as it says so
}

// held is the value that a variable has before a region sets it.
type held struct {
	value
	set bool
}

type regionKind uint8

const (
	aBlock  regionKind = iota // runs, and keeps the names that it declares
	aBody                     // a function that runs: as a block
	aClass                    // runs, and keeps all its names
	aBranch                   // may not run
	aRest                     // the rest of a program whose branches have no end that the parser finds
)

// enterRegion begins a region with these tokens.
func (m *machine) enterRegion(kind regionKind, of *parser, end int) *region {
	r := &region{kind: kind, of: of, end: end}
	m.regions = append(m.regions, r)
	return r
}

// leaveRegions ends the regions that began after the first n.
func (m *machine) leaveRegions(n int) {
	for len(m.regions) > n {
		last := len(m.regions) - 1
		r := m.regions[last]
		m.regions = m.regions[:last]
		for name, old := range r.before {
			now, own := m.vars[name], r.keeps(m.l, name)
			left := own && (!old.set || old.left) // no code outside has a variable of that name
			if !left && (own || r.stops || r.maybe || r.kind >= aClass) {
				now = m.charge(either(now, m.outside(name, old)))
			}
			if last > 0 {
				if m.regions[last-1].kind == aRest {
					now = either(now, m.outside(name, old))
				}
				m.regions[last-1].note(name, old)
			}
			now.left = left
			m.vars[name] = now
		}
	}
}

// keeps reports whether a name of a region is another variable than one with that name outside.
func (r *region) keeps(l *language, name string) bool {
	own, said := r.own[name]
	return own || !said && r.kind == aBody && l.is("python", "ruby", "php", "r", "julia") && !strings.Contains(name, ".") && (l.is("php") || name[0] != '$' && name[0] != '@')
}

// note records the value that a variable has before the region sets it.
func (r *region) note(name string, old held) {
	was, noted := r.before[name]
	switch {
	case !noted:
		if r.before == nil {
			r.before = map[string]held{}
		}
		r.before[name] = old
	case r.stops && old.set:
		r.before[name] = held{either(was.value, old.value), true}
	}
}

// outside returns what a name means without the assignment in a region: its value, or the function
// of a library that it names.
func (m *machine) outside(name string, old held) value {
	if old.set {
		return old.value
	}
	if v := m.global(name); m.l.calls != nil && m.l.calls.row(strings.TrimSuffix(v.ref, "Sync")) != nil {
		return v
	}
	return value{}
}

// restore gives a variable the value that it had before a region.
func (m *machine) restore(name string, old held) {
	if old.set {
		m.vars[name] = old.value
	} else {
		delete(m.vars, name)
	}
}

// give binds a name to a value in the current region, whatever it had before.
func (m *machine) give(name string, v value) {
	v.left = false
	if len(m.vars) >= maxVars {
		return
	}
	if n := len(m.regions); n > 0 {
		old, set := m.vars[name]
		m.regions[n-1].note(name, held{old, set})
	}
	if m.declaring {
		m.declares(name, true)
	}
	m.vars[name] = v
}

// declares records whether the current region and its function have a name for themselves.
func (m *machine) declares(name string, own bool) {
	for i := len(m.regions) - 1; i >= 0; i-- {
		r := m.regions[i]
		if i == len(m.regions)-1 || r.kind == aBody {
			if r.own == nil {
				r.own = map[string]bool{}
			}
			r.own[name] = own
		}
		if r.kind == aBody {
			return
		}
	}
}

// conditional reports whether the current statement may not run.
func (m *machine) conditional() bool {
	return slices.ContainsFunc(m.regions, func(r *region) bool { return r.maybe || r.kind >= aBranch })
}

// outer reads the names of variables that a function shares with the code outside.
func (p *parser) outer() {
	for ; p.i < len(p.t) && p.peek().kind != tLine && !p.op(";"); p.i++ {
		if p.peek().kind == tName {
			p.m.declares(p.peek().text, false)
		}
	}
}

// perhaps reads an expression that may not be evaluated.
func (p *parser) perhaps(min int) value {
	n := len(p.m.regions)
	p.m.enterRegion(aBranch, p, len(p.t))
	v := p.expression(min)
	p.m.leaveRegions(n)
	return v
}

// branching is what a keyword begins whose block or statement follows.
type branching uint8

const (
	noBranch branching = iota
	class
	branches
	stopping // a branch that may stop at any statement: try, switch
)

// enterBranch follows a keyword that begins a branch. In a language with braces, the branch begins with
// the block or the statement after its head.
func (p *parser) enterBranch(stops bool) {
	switch {
	case p.m.l.is("python"):
		p.enterPart(aBranch, p.indented(), stops)
	case p.m.l.is("ruby", "lua", "julia"):
		p.rest()
	case stops:
		p.branches = stopping
	default:
		p.branches = branches
	}
}

// begins enters the region that begins at the position: a block, the only statement of a branch, or a
// statement with a condition after it.
func (p *parser) begins() {
	t, after := p.peek(), p.branches
	p.branches = noBranch
	switch {
	case after == noBranch && t.nesting() == 0 && !p.m.l.is("perl", "ruby"):
	case t.op("{"):
		kind := aBlock
		switch {
		case after == class:
			kind = aClass
		case after != noBranch || p.m.l.is("awk"):
			kind = aBranch
		}
		p.enterPart(kind, p.closing(), after == stopping)
	case after != noBranch && t.op(":"): // of PHP: if (x): ... endif
		p.rest()
	case t.op(";", ")", "}", ",", ":"), t.name("if", "for", "foreach", "while", "unless", "until", "sub", "def", "function"):
	case after != noBranch:
		p.enterPart(aBranch, p.statementEnd(), true)
	case p.m.l.is("perl", "ruby"):
		if end := p.statementEnd(); p.modified(end) {
			p.enterPart(aBranch, end, true)
		}
	}
}

// modifier reads the condition after a statement.
func (p *parser) modifier() {
	if p.m.l.is("perl", "ruby") && p.name("if", "unless", "rescue") && !p.peek().first {
		p.i++
		p.expression(0)
	}
}

// loop enters the region of a loop, at its keyword: its variable may be one of its own.
func (p *parser) loop() {
	if p.m.l.is("python", "ruby", "julia") {
		p.enterBranch(false)
		return
	}
	i := p.i + 1
	for i < len(p.t) && !p.t[i].op("(", "{") && !p.t[i].name("do") {
		i++
	}
	body := parser{m: p.m, t: p.t, i: i}
	if body.op("(") {
		body.bracketed()
	}
	body.lines()
	switch {
	case p.m.l.is("lua"):
		body.i++
		p.enterPart(aBranch, body.blockEnd(), false)
	case body.op("{"):
		p.enterPart(aBranch, body.closing(), false)
	default:
		p.enterPart(aBranch, body.statementEnd(), false)
	}
}

// rest makes the rest of the program a region, because the parser does not find the end of a branch.
func (p *parser) rest() {
	if n := len(p.m.regions); n == 0 || p.m.regions[n-1].kind != aRest {
		p.m.enterRegion(aRest, p, len(p.t))
	}
}

// enterPart enters a region from the position up to a token.
func (p *parser) enterPart(kind regionKind, end int, stops bool) {
	p.m.enterRegion(kind, p, end).stops = stops || p.leaves(end)
	p.m.steps += (end - p.i) / 64
}

// closing returns the index of the bracket that closes the one at the position.
func (p *parser) closing() int {
	depth := 0
	for i := p.i; i < len(p.t); i++ {
		if depth += p.t[i].nesting(); depth <= 0 {
			return i
		}
	}
	return len(p.t)
}

// leavePassed ends the regions of a parser that end before its position. Those of other parsers
// above them have ended, too.
func (p *parser) leavePassed(base int) {
	if n := len(p.m.regions); n == base || p.m.regions[n-1].kind != aRest && p.m.regions[n-1].of == p && p.i < p.m.regions[n-1].end {
		return
	}
	passed := func(r *region) bool { return r.of != p || p.i >= r.end }
	n := slices.IndexFunc(p.m.regions[base:], passed)
	if n < 0 {
		return
	}
	rest := slices.ContainsFunc(p.m.regions[base+n:], func(r *region) bool { return r.kind == aRest && !passed(r) })
	p.m.leaveRegions(base + n)
	if rest {
		p.rest()
	}
}

// indented returns the index after the lines that are indented deeper than the current one.
func (p *parser) indented() int {
	start := p.i
	for start > 0 && !p.t[start].first {
		start--
	}
	depth := 0
	for i := p.i; i < len(p.t); i++ {
		t := p.t[i]
		if i > p.i && depth <= 0 && t.first && t.kind != tLine && t.col <= p.t[start].col {
			return i
		}
		depth += t.nesting()
	}
	return len(p.t)
}

// statementEnd returns the index of the end of the current statement.
func (p *parser) statementEnd() int {
	joins := func(i int) bool { return i < len(p.t) && p.t[i].kind == tOp && p.t[i].nesting() == 0 }
	depth := 0
	for i := p.i; i < len(p.t); i++ {
		t := p.t[i]
		if depth += t.nesting(); depth < 0 || depth == 0 && t.op(";") {
			return i
		}
		if t.kind != tLine || depth != 0 || i == p.i {
			continue
		}
		if p.m.l.is("perl", "php") && p.t[i-1].text != "}" || joins(i-1) || joins(i+1) {
			continue
		}
		return i
	}
	return len(p.t)
}

// modified reports whether a condition follows the current statement: unlink $x if $y.
func (p *parser) modified(end int) bool {
	depth := 0
	for i := p.i; i < end; i++ {
		t := p.t[i]
		if depth += t.nesting(); depth == 0 && i > p.i && p.t[i-1].kind != tOp && t.name("if", "unless", "while", "until", "for", "foreach", "rescue") {
			return true
		}
	}
	return false
}

// leaves reports whether the statements up to a token may end before the last one.
func (p *parser) leaves(end int) bool {
	left := false
	for i := p.i; i < min(end, len(p.t)); i++ {
		switch t := p.t[i]; {
		case t.kind == tName && leavingWord(t.text):
			at := parser{m: p.m, t: p.t, i: i}
			i, left = at.statementEnd(), true
		case left && t.kind != tLine && !t.op(";", "}"):
			return true
		}
	}
	return false
}

func leavingWord(s string) bool {
	switch s {
	case "return", "break", "continue", "raise", "throw", "next", "last", "redo", "goto", "die":
		return true
	}
	return false
}
