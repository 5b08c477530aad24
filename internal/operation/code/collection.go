package code

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// comprehension evaluates the iterable of [f(x) for x in it] before f(x). open is the index of the
// bracket; the parser is after it.
func (p *parser) comprehension(open int) (value, bool) {
	if !p.m.l.is("python") || open < 0 {
		return value{}, false
	}
	depth, at := 0, -1
	end := len(p.t)
	for i := open; i < len(p.t); i++ {
		if !p.m.step() {
			return value{}, false
		}
		t := p.t[i]
		if depth += t.nesting(); depth == 0 {
			end = i
			break
		}
		if depth == 1 && t.op(",") && at < 0 {
			if p.t[open].text == "(" || p.t[open].text == "[" {
				return value{}, false
			}
		}
		if depth == 1 && t.name("for") && at < 0 {
			at = i
		}
	}
	if at <= open+1 {
		return value{}, false
	}
	base := len(p.m.regions)
	p.m.enterRegion(aBranch, p, end)
	defer p.m.leaveRegions(base) // its variables are its own
	if v, ok := p.simpleComprehension(open, at, end); ok {
		return v, true
	}
	for sub := p.sub(p.cut(at, end)); sub.i < len(sub.t); {
		sub.i++
		switch {
		case sub.prev().name("for"):
			sub.forIn()
		case sub.prev().name("if"):
			sub.expression(pOr)
		}
	}
	v := p.sub(p.cut(open+1, at)).expression(0)
	p.i = min(end+1, len(p.t))
	out := value{seq: true, taint: v.taint}
	for _, a := range v.all() {
		x := v
		x.alts = []string{a}
		out.list = append(out.list, x)
	}
	return out, true
}

// simpleComprehension evaluates [f(x) for x in list] item by item.
func (p *parser) simpleComprehension(open, at, end int) (value, bool) {
	m := p.m
	if at+3 >= end || p.t[at+1].kind != tName || p.t[at+2].text != "in" {
		return value{}, false
	}
	if slices.ContainsFunc(p.cut(at+3, end), func(t token) bool { return t.name("for", "if") }) {
		return value{}, false
	}
	it := p.sub(p.cut(at+3, end)).expression(pOr).characters()
	items := it.list
	if !it.seq || it.keys != nil || len(items) > maxItems || it.ref == refEnv {
		items = []value{m.each(it, false)}
	}
	var out []value
	for _, x := range items {
		m.give(p.t[at+1].text, x)
		out = append(out, p.sub(p.cut(open+1, at)).expression(0))
	}
	p.i = min(end+1, len(p.t))
	return listOf(out), true
}

// characters returns the list of characters of a text, and other values unchanged.
func (v value) characters() value {
	if v.seq || len(v.alts) != 1 || v.ref != "" || len(v.alts[0]) > maxItems || !v.known() {
		return v
	}
	out := value{seq: true, taint: v.taint}
	for _, r := range v.alts[0] {
		out.list = append(out.list, value{alts: []string{string(r)}, taint: v.taint})
	}
	return out
}

// forIn reads NAMES in ITERABLE and binds the names.
func (p *parser) forIn() {
	var names []string
	for p.i < len(p.t) && !p.name("in", "of") {
		t := p.peek()
		if t.kind == tLine || t.op(":", ";", "=") {
			return
		}
		if t.kind == tName && t.text != "const" && t.text != "let" && t.text != "var" && t.text != "await" {
			names = append(names, t.text)
		}
		p.i++
	}
	p.i++
	it := p.expression(pOr)
	if p.op(",") {
		vs := []value{it}
		for p.accept(",") {
			vs = append(vs, p.expression(pOr))
		}
		it = listOf(vs)
	}
	p.m.bindNames(names, it)
}

func (m *machine) bindNames(names []string, it value) {
	if len(names) == 1 {
		m.give(names[0], m.each(it, m.l.is("ruby")))
		return
	}
	for i, n := range names {
		v := value{taint: it.taint}
		if it.ref == refEnv {
			v = m.each(it, i > 0)
		}
		for _, row := range it.list {
			if row.seq && i < len(row.list) {
				v = either(v, row.list[i])
			}
		}
		m.give(n, v)
	}
}

// listing reads a list, after its [.
func (p *parser) listing() value {
	if v, ok := p.comprehension(p.i - 1); ok {
		return v
	}
	if p.m.l.is("go") && p.op("]") && p.at(1).kind == tName && p.at(2).op("{") { // []string{"a"}
		p.i += 3
		return listOf(p.braces().list)
	}
	var vs []value
	p.elements("]", []string{",", ";"}, func() {
		spread := p.op("...", "*")
		v := p.expression(0)
		if p.op("=>") { // PHP arrays
			p.i++
			v = p.expression(0)
		}
		switch spread = spread && !p.m.l.is("perl"); {
		case len(v.or) > 0 && (spread || v.seq && p.m.l.is("perl")):
			v.optional = true
			vs = append(vs, v)
		case spread:
			vs = append(vs, v.characters().items()...)
		case v.seq && p.m.l.is("perl"):
			vs = append(vs, v.list...)
		default:
			vs = append(vs, v)
		}
	})
	var out value
	for i, list := range spreads(vs) {
		if x := listOf(list); i == 0 {
			out = x
		} else {
			out = either(out, x)
		}
	}
	return out
}

// braces reads a dictionary or, in languages that have them, a block.
func (p *parser) braces() value {
	v := value{seq: true, keys: []string{}}
	p.elements("}", []string{",", ";"}, func() {
		t, n := p.peek(), p.at(1)
		key, val := "", value{}
		if p.accept("...") || p.accept("**") {
			x := p.expression(0)
			v.taint |= x.taint
			if x.ref == refEnv {
				v.ref = refEnv
			}
			for i, k := range x.keys {
				v = v.with(k, x.list[i])
			}
			return
		}
		switch {
		case t.kind == tName && n.kind == tOp && (n.text == ":" || n.text == "=>" || n.text == "=" && p.m.l.is("lua")):
			key = t.text
			p.i += 2
			p.lines()
			val = p.expression(0)
		case t.kind == tName && n.op(",", "}") && p.m.l.is("js"):
			key = t.text
			p.i++
			val = p.m.lookup(key)
		case t.kind == tName && n.op("(") && p.m.l.is("js") && p.method(): // m() { ... }
			return
		default:
			k := p.expression(pOr)
			if p.accept(":") || p.accept("=>") || p.accept("=") {
				p.lines()
				key = k.text()
				val = p.expression(0)
			} else {
				val = k
			}
		}
		p.m.memberFunction(key, val)
		v.keys = append(v.keys, key)
		v.list = append(v.list, val)
		v.taint |= val.taint
	})
	if p.m.l.is("lua") && strings.Join(v.keys, "") == "" { // {"rm", "-rf"} is a list
		v.keys = nil
	}
	return v
}

// subscript reads $x{key}, after the {.
func (p *parser) subscript(v value) value {
	var key value
	if t := p.peek(); t.kind == tName && p.at(1).op("}") && !strings.HasPrefix(t.text, "$") {
		key = lit(t.text)
		p.i++
	} else {
		key = p.expression(0)
	}
	p.accept("}")
	return p.m.at(v, key)
}

// index reads x[i], x[a:b] and x[::-1], after the [.
func (p *parser) index(v value) value {
	var parts []value
	colons := 0
	p.elements("]", []string{","}, func() {
		if !p.op(":", "::") {
			parts = append(parts, p.expression(0))
			return
		}
		if p.op("::") {
			colons++
			parts = append(parts, value{ref: "-"})
		}
		colons++
		if len(parts) < colons {
			parts = append(parts, value{ref: "-"})
		}
	})
	if colons > 0 {
		last := parts[len(parts)-1]
		if last.text() == "-1" && colons == 2 {
			return reversed(v)
		}
		if v.seq {
			return sublist(v, parts)
		}
		if colons == 1 {
			return slice(v, parts)
		}
		return value{taint: v.taint, ref: elementRef(v.ref), recv: v.recv}
	}
	if len(parts) == 0 {
		return v
	}
	return p.m.at(v, parts[0])
}

// bounds returns the part of a list of size elements that x[a:b] selects. ok is false if a or b is
// unknown.
func bounds(parts []value, size int) (from, to int, ok bool) {
	num := func(i, def int) int {
		if i >= len(parts) || parts[i].ref == "-" {
			return def
		}
		n, err := atoi(parts[i].text())
		ok = ok && err == nil
		if n < 0 {
			n += size
		}
		return min(max(n, 0), size)
	}
	ok = true
	from, to = num(0, 0), num(1, size)
	return from, max(from, to), ok
}

func slice(v value, parts []value) value {
	return v.cutText(func(s string) string {
		a, b, ok := bounds(parts, len(s))
		if !ok {
			return umpire.Hole
		}
		return s[a:b]
	})
}

// sublist returns the part x[a:b] of a list, or the whole list if it has a step or unknown bounds.
func sublist(v value, parts []value) value {
	a, b, ok := bounds(parts, len(v.list))
	if !ok || len(parts) > 2 && parts[2].ref != "-" {
		a, b = 0, len(v.list)
	}
	return listOf(v.list[a:b])
}

// at returns the element at a key or index.
func (m *machine) at(v, key value) value {
	switch {
	case len(v.or) > 0:
		return v.through(func(v value) value { return m.at(v, key) })
	case len(key.or) > 0:
		return key.through(func(key value) value { return m.at(v, key) })
	case len(key.alts) > 1 && len(key.alts) <= maxAlts:
		return key.eachText(func(key value) value { return m.at(v, key) })
	}
	k := key.text()
	if v.ref == refEnv {
		if k == "argv" && m.l.is("php") { // $_SERVER["argv"]
			return m.arguments()
		}
		if key.ref == refName {
			return m.anyVariable()
		}
		return m.variableOf(k)
	}
	if v.seq && len(v.list) > 0 && !key.known() { // an index from a loop: any element
		return v.each()
	}
	if v.keys != nil {
		if x, ok := v.get(k); ok {
			return x
		}
		return value{taint: v.taint}
	}
	if n, err := atoi(k); err == nil && v.seq {
		if n < 0 {
			n += len(v.list)
		}
		if n >= 0 && n < len(v.list) {
			return v.list[n]
		}
		return value{taint: v.taint}
	}
	if n, err := atoi(k); err == nil && len(v.alts) > 0 && v.ref == "" {
		return v.cutText(func(s string) string {
			if n < 0 {
				n += len(s)
			}
			if n < 0 || n >= len(s) {
				return umpire.Hole
			}
			return s[n : n+1]
		})
	}
	if v.ref == refArgs {
		return m.argv(k)
	}
	if v.ref == "Dir" && m.l.is("ruby") {
		return listOf([]value{key})
	}
	if v.ref != "" && len(key.alts) > 0 && !key.isNumber() {
		return m.member(v, k) // fs["rmSync"], globals()["os"]
	}
	return value{taint: v.taint, ref: elementRef(v.ref), recv: v.recv}
}
