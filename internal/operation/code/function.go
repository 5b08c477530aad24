package code

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
)

// typedArrow returns the index before the arrow of a function of TypeScript that names the type of
// its result, as in (a: string): void => body, or 0.
func (p *parser) typedArrow(start, close int) int {
	if close+2 >= len(p.t) || p.t[close+1].text != ":" || start != close && !(start+1 < close && p.t[start].kind == tName && p.t[start+1].text == ":") {
		return 0
	}
	for i := close + 2; i < min(close+14, len(p.t)) && (p.t[i].kind == tName || strings.Contains("<>[]|.=>", p.t[i].text)); i++ {
		if p.t[i].text == "=>" {
			return i - 1
		}
	}
	return 0
}

// arrow reads (a, b) => body; start is after the opening parenthesis.
func (p *parser) arrow(start, close int) value {
	f := &function{params: p.parameters(p.cut(start, min(close, p.match(start-1))))}
	p.i = close + 2
	p.body(f)
	return p.m.keep(f)
}

// body stores the tokens of a function's body: a block, or one expression.
func (p *parser) body(f *function) {
	p.lines()
	if p.op("{") {
		f.toks = p.bracketed()
		return
	}
	start := p.i
	for depth := 0; p.i < len(p.t); p.i++ {
		t := p.t[p.i]
		if depth += t.nesting(); depth < 0 || depth == 0 && (t.op(",", ";") || t.kind == tLine && !p.at(1).op(".")) {
			break
		}
	}
	f.toks, f.expr = p.cut(start, p.i), true
}

// method reads a method in an object literal or class.
func (p *parser) method() bool {
	close := p.match(p.i + 1)
	if close+1 >= len(p.t) || !p.t[close+1].op("{") {
		return false
	}
	name := p.peek().text
	p.i++
	f := &function{params: p.parameters(p.bracketed())}
	p.body(f)
	p.m.define("."+name, f)
	return true
}

func (m *machine) define(name string, f *function) {
	old := m.funcs[name]
	if len(m.funcs) >= 500 || m.muted && old != nil {
		return
	}
	if name[0] != '.' && m.conditional() && old.differs(f) {
		f.before = old
	}
	m.funcs[name] = f
}

// differs reports whether a function has another body than one with its name, and no body before it.
func (f *function) differs(g *function) bool {
	return f != nil && f.before == nil && len(f.toks) > 0 && (len(g.toks) == 0 || &f.toks[0] != &g.toks[0])
}

// memberFunction defines a function of JavaScript that an object gets under a name, for calls of it
// as a method: exports.clean = dir => ...
func (m *machine) memberFunction(name string, v value) {
	if v.fn != nil && m.l.is("js") {
		m.define("."+name, v.fn)
	}
}

// exportDefault reads what a module of JavaScript exports without a name.
func (p *parser) exportDefault() value {
	p.i++
	start := p.i
	v := p.statement()
	for _, t := range p.cut(start, start+3) { // async function go() {}
		if f := p.m.funcs[t.text]; f != nil && t.kind == tName {
			v = value{fn: f}
			break
		}
	}
	if v.fn != nil || v.keys != nil {
		p.m.set("default", v)
	}
	return v
}

// keep remembers a function without a name for callbacks. JavaScript exports such functions and
// stores them in settings.
func (m *machine) keep(f *function) value {
	if m.l.is("js", "groovy") && len(m.unnamed) < 500 {
		m.unnamed = append(m.unnamed, f)
	}
	return value{fn: f}
}

// arguments reads the arguments of a call up to end, or to the end of the statement if end is
// empty. kw has the keyword arguments and option objects.
func (p *parser) arguments(end string) (args []value, kw value) {
	kw = value{seq: true, keys: []string{}}
	if end == ")" {
		if v, ok := p.comprehension(p.i - 1); ok {
			return []value{v}, kw
		}
	}
	kw.ref = p.filled()
	for p.i < len(p.t) {
		t := p.peek()
		if end != "" && p.op(end) {
			p.i++
			break
		}
		if t.kind == tLine {
			if end == "" && !p.prev().op(",") {
				break
			}
			p.i++
			continue
		}
		if t.nesting() < 0 {
			break
		}
		if end == "" && (t.op(";") || t.name("if", "unless", "or", "and", "while", "do", "for", "foreach", "until")) {
			break
		}
		if t.op(",", ";") {
			p.i++
			continue
		}
		at := p.i
		n := p.at(1)
		if t.kind == tName && n.kind == tOp && (n.text == "=" && !p.m.l.is("perl", "js", "php", "ruby", "lua") || n.text == ":" && p.m.l.is("ruby", "groovy", "php") || n.text == "=>" && !p.m.l.is("js")) && p.at(2).text != "=" {
			p.i += 2
			p.lines()
			v := p.expression(pTernary)
			kw.keys = append(kw.keys, t.text)
			kw.list = append(kw.list, v)
			continue
		}
		star := p.op("*") && !p.m.l.is("perl") || p.op("...", "**")
		v := p.expression(pAssign)
		if p.m.l.is("ruby", "perl", "php") && p.accept("=>") {
			w := p.expression(pAssign)
			kw.keys = append(kw.keys, v.text())
			kw.list = append(kw.list, w)
			continue
		}
		switch {
		case len(v.or) > 0 && (star || v.seq && p.m.l.is("perl")):
			v.optional = true // called makes a call with each
			args = append(args, v)
		case star && v.seq && v.keys == nil, v.seq && v.keys == nil && p.m.l.is("perl"):
			args = append(args, v.list...)
		case star && v.keys != nil:
			kw.keys = append(kw.keys, v.keys...)
			kw.list = append(kw.list, v.list...)
		default:
			args = append(args, v)
			if star {
				kw.keys, kw.list = append(kw.keys, spread), append(kw.list, v)
			}
		}
		if p.i == at {
			p.i++
		}
		if end == "" && !p.op(",") && !p.op("=>") {
			break
		}
	}
	kw.options(p.m.l, args)
	return args, kw
}

// filled returns the variable that a call in Perl sets: open(my $fh, ...) and socket(S, ...) set
// their first argument.
func (p *parser) filled() string {
	if !p.m.l.is("perl") {
		return ""
	}
	t := p.peek()
	if t.name("my", "our", "local") {
		t = p.at(1)
	}
	if t.kind == tName {
		return t.text
	}
	return ""
}

// options adds the options of a call that are an object or a table, its last argument.
func (v *value) options(l *language, args []value) {
	for _, a := range args {
		if a.keys != nil && l.is("js", "groovy", "lua") {
			v.keys = append(v.keys, a.keys...)
			v.list = append(v.list, a.list[:min(len(a.list), len(a.keys))]...)
		}
	}
}

// block reads the { |x| ... } or do |x| ... end after a call. It evaluates the body with x bound to
// the receiver.
func (p *parser) block(v value) value {
	if !p.m.l.is("ruby", "groovy") || !p.op("{") && !p.name("do") {
		return v
	}
	if p.op("{") {
		p.enterPart(aBranch, p.closing(), false)
		p.i++
	} else {
		p.i++
		p.enterPart(aBranch, p.blockEnd(), false)
	}
	it := v
	if v.recv != nil && (strings.HasSuffix(v.ref, "()") || iterates(v.ref)) {
		it = *v.recv
	}
	if p.accept("|") {
		var names []string
		for p.i < len(p.t) && !p.op("|") && p.peek().kind != tLine {
			if p.peek().kind == tName {
				names = append(names, p.peek().text)
			}
			p.i++
		}
		p.accept("|")
		before := make([]value, len(names))
		for i, n := range names {
			before[i] = p.m.vars[n]
		}
		p.m.bindNames(names, it)
		for i, n := range names { // an outer variable of that name has its value again after the block
			if now := p.m.vars[n]; p.m.l.is("ruby") && len(before[i].alts) > 0 && len(now.alts) > 0 && len(now.alts) < 64 {
				now.alts = append(slices.Clip(now.alts), before[i].alts...)
				p.m.set(n, now)
			}
		}
	} else if p.m.l.is("groovy") {
		p.m.set("it", it.each())
		if p.peek().kind == tName && p.i+1 < len(p.t) && p.t[p.i+1].text == "->" {
			p.m.bindNames([]string{p.peek().text}, it)
		}
	} else {
		p.m.set("_1", v.each())
		p.m.set("it", v.each())
	}
	return v
}

// yields calls a method of Ruby that has a block and no arguments, for what it passes to the block.
func (m *machine) yields(v value) value {
	if !m.l.is("ruby") || v.recv == nil || strings.HasSuffix(v.ref, "()") || iterates(v.ref) {
		return v
	}
	return m.call(v, nil, value{})
}

// iterates reports whether a method passes the elements of its receiver to a block.
func iterates(ref string) bool {
	return anyof.Equal(ref[strings.LastIndexByte(ref, '.')+1:], "each", "forEach", "map", "collect", "select", "each_line", "each_with_index", "tap", "then", "reject", "filter", "flat_map", "each_entry", "find", "with", "eachLine", "findAll", "each_child", "eachFile", "times")
}

// javaMethod reads a method of Java, after its modifiers: a type, a name, parameters and a body.
func (p *parser) javaMethod() bool {
	if !p.m.l.is("groovy") || p.peek().kind != tName || p.at(1).kind != tName || p.at(2).kind != tOp || p.at(2).text != "(" {
		return false
	}
	end := p.match(p.i+2) + 1
	for end < len(p.t) && (p.t[end].kind == tName || p.t[end].kind == tLine || p.t[end].text == ",") { // throws A, B
		end++
	}
	if end >= len(p.t) || p.t[end].kind != tOp || p.t[end].text != "{" {
		return false
	}
	p.define()
	return true
}

// define reads a named function and stores its body for later calls.
func (p *parser) define() {
	m := p.m
	start := p.peek()
	if p.prev().name("async") {
		start = p.prev()
	}
	p.i++
	p.accept("*")
	name := p.peek().text
	p.i++
	for p.op(".", ":", "::") { // self.x, M.f
		p.i++
		name = p.peek().text
		p.i++
	}
	f := &function{}
	if p.op("(") {
		f.params = p.parameters(p.bracketed())
	} else if start := p.i; m.l.is("ruby") && !p.op("=") { // def f a, b = "ls"
		p.skipTo(";")
		f.params = p.parameters(p.cut(start, p.i))
	}
	switch m.l.name {
	case "python":
		p.pythonBody(f, start.col)
	case "ruby", "lua", "julia":
		p.endBody(f)
	default:
		p.skipTo("{", ";")
		p.body(f)
	}
	m.define(name, f)
	m.define("."+name, f)
	if name == "__init__" && m.class != "" { // the call of the class runs it
		m.define(m.class, f)
		m.define("."+m.class, f)
	}
	if name == "__reduce__" { // unpickling runs the result of this function
		if v := m.apply(f, nil); len(v.list) > 1 {
			m.call(v.list[0], v.list[1].list, value{})
		}
	}
}

// pythonBody stores the lines indented deeper than the def, or the rest of its line.
func (p *parser) pythonBody(f *function, col int) {
	for depth := 0; p.i < len(p.t) && !(p.op(":") && depth == 0) && p.peek().kind != tLine; p.i++ {
		if !p.op("(", ")") {
			depth += p.peek().nesting()
		}
	}
	p.accept(":")
	start := p.i
	oneLine := p.peek().kind != tLine
	for ; p.i < len(p.t); p.i++ {
		t := p.t[p.i]
		if oneLine && t.kind == tLine || !oneLine && t.first && t.kind != tLine && t.col <= col {
			break
		}
	}
	f.toks = p.cut(start, p.i)
}

// endBody stores everything up to the end that closes a def or function.
func (p *parser) endBody(f *function) {
	start := p.i
	if p.m.l.is("ruby") && p.op("=") { // def f = expr
		p.i++
		p.skipTo()
		f.toks = p.cut(start+1, p.i)
		return
	}
	p.i = p.blockEnd()
	f.toks = p.cut(start, p.i)
	if p.i < len(p.t) {
		p.i++
	}
}

// blockEnd returns the index of the end of the block in which the position is.
func (p *parser) blockEnd() int {
	depth := 1
	for i := p.i; i < len(p.t); i++ {
		t := p.t[i]
		if t.kind != tName {
			continue
		}
		lead := t.first || i > 0 && p.t[i-1].op(";", "=")
		switch t.text {
		case "do", "function", "repeat", "def", "class", "module", "begin", "case":
			depth++
		case "if":
			if lead || p.m.l.is("lua", "julia") {
				depth++
			}
		case "while", "until", "for", "unless":
			if lead && p.m.l.is("ruby", "julia") {
				depth++
				if p.m.l.is("ruby") && t.text != "unless" { // the do of these loops is optional
					for j := i; j < len(p.t) && p.t[j].kind != tLine && p.t[j].text != ";"; j++ {
						if p.t[j].name("do") {
							depth--
							break
						}
					}
				}
			}
		case "end":
			depth--
		}
		if depth == 0 {
			return i
		}
	}
	return len(p.t)
}

// anonymous reads a function without a name, after its keyword, and returns it.
func (p *parser) anonymous() value {
	f := &function{}
	for p.peek().kind == tName || p.op("*") {
		p.i++
	}
	if p.op("(") {
		f.params = p.parameters(p.bracketed())
	}
	if p.m.l.is("lua", "julia") {
		p.endBody(f)
		return value{fn: f}
	}
	if p.name("use") { // the captured variables of a PHP closure
		p.i++
		if p.op("(") {
			p.bracketed()
		}
	}
	if !p.accept("=>") && !p.m.l.is("r") { // in R, a body needs no braces
		p.skipTo("{", ")")
	}
	p.body(f)
	return p.m.keep(f)
}
