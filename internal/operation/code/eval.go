package code

import (
	"slices"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// parser evaluates tokens as it reads them; there is no tree.
type parser struct {
	m        *machine
	t        []token
	i        int
	level    int // nesting of expressions
	returned *value
}

const maxLevel = 100

var endToken = token{kind: tEnd}

func (p *parser) peek() token { return p.at(0) }

func (p *parser) at(n int) token {
	if p.i+n < len(p.t) {
		return p.t[p.i+n]
	}
	return endToken
}

// cut returns the tokens from a up to b, as far as there are.
func (p *parser) cut(a, b int) []token {
	b = max(0, min(b, len(p.t)))
	return p.t[max(0, min(a, b)):b]
}

// prev is the token just read.
func (p *parser) prev() token {
	if p.i > 0 && p.i <= len(p.t) {
		return p.t[p.i-1]
	}
	return endToken
}

func (p *parser) op(s string) bool {
	t := p.peek()
	return t.kind == tOp && t.text == s
}

func (p *parser) accept(s string) bool {
	if p.op(s) {
		p.i++
		return true
	}
	return false
}

func (p *parser) name(words ...string) bool {
	t := p.peek()
	return t.kind == tName && slices.Contains(words, t.text)
}

func (p *parser) lines() {
	for p.peek().kind == tLine {
		p.i++
	}
}

// statements reads to the end of the tokens.
func (p *parser) statements() value {
	var last value
	for p.i < len(p.t) {
		start := p.i
		if !p.m.step() {
			return last
		}
		t := p.peek()
		if t.kind == tLine || t.kind == tOp && (t.text == ";" || t.text == "{" || t.text == "}" || t.text == ")" || t.text == ":" || t.text == ",") {
			p.i++
			continue
		}
		last = p.statement()
		if p.i == start {
			p.i++
		}
	}
	return last
}

// assigned follows assignments and augmented ones.
func (p *parser) assign(name string, v value, op string) value {
	if name == "" {
		return v
	}
	switch op {
	case "+=", ".=":
		old := p.m.lookup(name)
		if old.seq {
			old.list = append(slices.Clip(old.list), v.items()...)
			old.taint |= v.taint
			v = old
		} else {
			v = concat(old, v)
		}
	case "||=", "??=":
		v = either(v, p.m.lookup(name))
	}
	p.m.set(name, v)
	return v
}

func (m *machine) set(name string, v value) {
	if len(m.vars) < 2000 {
		m.vars[name] = v
	}
}

func (m *machine) lookup(name string) value {
	if v, ok := m.vars[name]; ok {
		return v
	}
	if f, ok := m.funcs[name]; ok {
		return value{fn: f}
	}
	return m.global(name)
}

// binding strengths, weakest first
const (
	pAssign = iota + 1
	pTernary
	pOr
	pAnd
	pNot
	pCompare
	pBit
	pAdd
	pMul
	pUnary
)

func (p *parser) strength(t token) int {
	l := p.m.l
	if t.kind == tName {
		switch t.text {
		case "or", "xor":
			return pOr
		case "and":
			return pAnd
		case "in", "is", "eq", "ne", "lt", "gt", "cmp", "instanceof", "not", "of":
			if l.is("awk", "php") && t.text != "instanceof" && t.text != "in" {
				return 0
			}
			return pCompare
		case "if", "else":
			if l.is("python") {
				return pTernary
			}
		case "x":
			if l.is("perl") {
				return pMul
			}
		}
		return 0
	}
	if t.kind != tOp {
		return 0
	}
	switch t.text {
	case "=", "+=", "-=", ".=", "||=", "&&=", "??=", "//=", "|=", "&=", "*=", "/=", "%=", ":=", "<<=":
		return pAssign
	case "?":
		if l.is("python") {
			return 0
		}
		return pTernary
	case "||", "??":
		return pOr
	case "//":
		if l.is("perl") {
			return pOr
		}
		return pMul
	case "&&":
		return pAnd
	case "==", "!=", "===", "!==", "<=", ">=", "<", ">", "=~", "!~", "<=>", "~":
		return pCompare
	case "|", "&", "^", "<<", ">>":
		return pBit
	case "+", "-":
		return pAdd
	case ".":
		if l.is("perl", "php") {
			return pAdd
		}
	case "..":
		return pAdd
	case "*", "/", "%", "**":
		return pMul
	}
	return 0
}

// expression evaluates an expression whose operators bind at least as strongly as min.
func (p *parser) expression(min int) value {
	if p.level++; p.level > maxLevel || !p.m.step() {
		p.level--
		p.i++
		p.m.deep(p.level)
		return unknown()
	}
	defer func() { p.level-- }()
	left, name := p.unary()
	for {
		t := p.peek()
		if t.kind == tLine {
			// An operator on the next line goes on with the expression in most languages.
			n := p.at(1)
			if !p.m.l.is("python", "awk", "r") && n.kind == tOp && (n.text == "." || n.text == "+" || n.text == "||" || n.text == "&&" || n.text == "?" || n.text == "=") && min <= pAdd {
				p.i++
				continue
			}
			return left
		}
		s := p.strength(t)
		if t.kind == tOp && t.text == "|&" && p.at(1).kind == tName && p.at(1).text == "getline" {
			left, name = p.fromCommand(left), ""
			continue
		}
		if s == 0 && p.juxtaposed(t) {
			if min > pAdd {
				return left
			}
			right := p.expression(pMul)
			left, name = p.m.charge(concat(left, right)), ""
			continue
		}
		if s == 0 || s < min {
			return left
		}
		if p.m.l.is("perl", "ruby") && t.kind == tName && (t.text == "if" || t.text == "unless") {
			return left
		}
		if p.m.l.is("awk") && (t.text == ">" || t.text == "|") {
			if t.text == "|" && p.at(1).kind == tName && p.at(1).text == "getline" {
				left, name = p.fromCommand(left), ""
				continue
			}
			return left // redirections of print; the statement looks at them
		}
		p.i++
		for !p.m.l.is("python", "awk") && p.peek().kind == tLine {
			p.i++
		}
		left, name = p.m.charge(p.binary(left, name, t, s)), ""
	}
}

// juxtaposed reports whether t goes on with a string: awk joins what stands side by side,
// python only literals.
func (p *parser) juxtaposed(t token) bool {
	prev := p.prev()
	switch p.m.l.name {
	case "awk":
		return t.kind == tString || t.kind == tNumber || t.kind == tName && t.text != "in" && t.text != "getline" || t.kind == tHole || t.kind == tOp && (t.text == "(" || t.text == "$")
	case "python", "ruby":
		return t.kind == tString && prev.kind == tString
	}
	return t.kind == tHole && !t.space
}

// deep notes nesting that no honest program has.
func (m *machine) deep(level int) {
	if level >= maxLevel {
		m.exhausted()
	}
}

func (p *parser) binary(left value, name string, t token, s int) value {
	m := p.m
	switch {
	case s == pAssign:
		right := p.expression(pAssign)
		if t.text == "=" || t.text == ":=" || t.text == "+=" || t.text == ".=" || strings.HasSuffix(t.text, "||=") || t.text == "??=" {
			op := t.text
			if left.seq && name == "" && op == "=" { // a, b = x, y
				return right
			}
			m.assigned(left, right)
			return p.assign(name, right, op)
		}
		return right
	case t.text == "if": // x if c else y
		p.expression(pOr)
		if p.name("else") {
			p.i++
			return either(left, p.expression(pTernary))
		}
		return left
	case t.text == "else":
		return either(left, p.expression(pTernary))
	case t.text == "?":
		a := p.expression(pAssign)
		p.lines()
		if p.accept(":") {
			p.lines()
			return either(a, p.expression(pTernary))
		}
		return a
	case s == pOr:
		return either(left, p.expression(pOr+1))
	case s == pAnd:
		return p.expression(pAnd + 1)
	}
	right := p.expression(s + 1)
	switch t.text {
	case "+":
		if left.seq && right.seq && left.keys == nil {
			return listOf(append(slices.Clip(left.list), right.list...))
		}
		if a, b, ok := numbers(left, right); ok && !m.l.is("perl", "php") {
			if left.isNumber() && right.isNumber() {
				return number(a + b)
			}
		}
		return concat(left, right)
	case ".", "..":
		if t.text == ".." && !m.l.is("lua") {
			return unknown()
		}
		return concat(left, right)
	case "-":
		if a, b, ok := numbers(left, right); ok {
			return number(a - b)
		}
	case "*", "x":
		if n, err := strconv.Atoi(right.text()); err == nil && len(left.alts) > 0 {
			if k, err := strconv.Atoi(left.text()); err == nil && t.text == "*" && left.isNumber() {
				return number(k * n)
			}
			return left.mapText(func(s string) string { return repeat(s, n) })
		}
	case "/":
		if left.ref == refPath || right.ref == refPath {
			v := joinPath(left, right)
			v.ref = refPath
			return v
		}
	case "%":
		if len(left.alts) > 0 && !left.isNumber() {
			return format(left, right.items())
		}
	case "<<":
		if left.seq {
			left.list = append(slices.Clip(left.list), right)
			p.assign(name, left, "=")
			return left
		}
		if left.ref != "" {
			return m.dispatch(&call{ref: member(left, "write"), recv: left, args: []value{right}})
		}
		return p.assign(name, concat(left, right), "=")
	case "^":
		if a, b, ok := numbers(left, right); ok {
			return number(a ^ b)
		}
	case "=~":
		return p.bind(left, name)
	case "|":
		if m.l.is("r") {
			return right
		}
	}
	return value{taint: left.taint | right.taint}
}

// bind is perl's $x =~ s/a/b/: the regexp token has been evaluated; its text is needed.
func (p *parser) bind(left value, name string) value {
	if p.i == 0 {
		return left
	}
	t := p.prev()
	if t.kind != tRegexp || len(t.parts) < 2 {
		return value{taint: left.taint}
	}
	from, to := t.parts[0].text, t.parts[1].text
	var v value
	if t.text == "s" {
		v = left.mapText(func(s string) string {
			if strings.ContainsAny(from, `\.[(*+?^$|`) {
				return umpire.Hole
			}
			if strings.Contains(t.parts[2].text, "g") {
				return substitute(s, from, to)
			}
			return strings.Replace(s, from, to, 1)
		})
	} else {
		v = left.mapText(func(s string) string { return transliterate(s, from, to) })
	}
	p.m.set(name, v)
	return v
}

func (v value) isNumber() bool { return v.ref == "#" }

func number(n int) value { return value{alts: []string{strconv.Itoa(n)}, ref: "#"} }

func numbers(a, b value) (x, y int, ok bool) {
	x, e1 := atoi(a.text())
	y, e2 := atoi(b.text())
	return x, y, e1 == nil && e2 == nil
}

func atoi(s string) (int, error) {
	n, err := strconv.ParseInt(s, 0, 32)
	return int(n), err
}

func repeat(s string, n int) string {
	if n <= 0 {
		return ""
	}
	if len(s)*n > maxValue || n > maxValue {
		return umpire.Hole
	}
	return strings.Repeat(s, n)
}

// unary reads prefix operators and a primary with everything after it. name is set when
// the result can be assigned to.
func (p *parser) unary() (value, string) {
	t := p.peek()
	if t.kind == tOp {
		switch t.text {
		case "!", "-", "+", "~", "++", "--", "&", "*", "**", "...", "\\", "@", "%":
			p.i++
			if t.text == "~" && p.m.l.is("r") {
				break
			}
			v, n := p.unary()
			if t.text == "-" && v.isNumber() {
				v.alts = []string{"-" + v.text()}
				return v, ""
			}
			if t.text == "-" && p.m.l.is("perl") && p.i > 0 {
				return value{taint: v.taint}, ""
			}
			return v, n
		}
	}
	if t.kind == tName {
		switch t.text {
		case "not", "await", "yield", "delete", "void", "typeof", "defined":
			if p.at(1).kind != tOp || p.at(1).text == "(" || p.at(1).text == "[" {
				if !(t.text == "delete" && p.m.l.is("python")) && !(t.text == "not" && p.m.l.is("r")) {
					p.i++
					v, n := p.unary()
					return v, n
				}
			}
		case "new":
			if p.at(1).kind == tName {
				p.i++
				v, n := p.unary()
				return v, n
			}
		}
	}
	v, name := p.primary()
	return p.postfix(v, name)
}

func (p *parser) primary() (value, string) {
	m := p.m
	t := p.peek()
	if t.kind == tEnd {
		return unknown(), ""
	}
	p.i++
	switch t.kind {
	case tString:
		v := p.string(t)
		return v, ""
	case tCommand:
		v := p.string(t)
		return m.shell(v, value{}), ""
	case tWords:
		var vs []value
		for _, w := range strings.Fields(t.text) {
			vs = append(vs, lit(w))
		}
		return listOf(vs), ""
	case tNumber:
		s := strings.ReplaceAll(t.text, "_", "")
		if n, err := atoi(s); err == nil {
			return number(n), ""
		}
		return value{alts: []string{s}, ref: "#"}, ""
	case tRegexp:
		v := lit(literal(t))
		return v, ""
	case tHole:
		return lit(umpire.Hole), ""
	case tName:
		return p.ident(t)
	case tOp:
		switch t.text {
		case "(":
			return p.group(")"), ""
		case "[":
			return p.listing(), ""
		case "{":
			return p.braces(), ""
		case "<":
			if m.l.is("perl") {
				return p.angle()
			}
		case "$":
			if m.l.is("awk") {
				p.unary()
				return value{taint: m.inTaint}, ""
			}
		case "|":
			if m.l.is("ruby") { // block parameters
				for p.i < len(p.t) && !p.op("|") && p.peek().kind != tLine {
					p.i++
				}
				p.accept("|")
				return unknown(), ""
			}
		}
	}
	// Nothing that starts an expression: leave it to the caller.
	p.i--
	return unknown(), ""
}

// angle is perl's <STDIN>, <$fh> and <*.c>.
func (p *parser) angle() (value, string) {
	var b strings.Builder
	for n := 0; p.i < len(p.t) && n < 8 && !p.op(">") && p.peek().kind != tLine; n++ {
		b.WriteString(p.peek().text)
		p.i++
	}
	p.accept(">")
	s := b.String()
	switch {
	case s == "STDIN" || s == "":
		return p.m.stdin(), ""
	case strings.HasPrefix(s, "$"):
		v := p.m.lookup(s)
		return p.m.dispatch(&call{ref: member(v, "read"), recv: v}), ""
	case strings.ContainsAny(s, "*?~/"):
		return lit(s), ""
	}
	v := p.m.lookup(s)
	return p.m.dispatch(&call{ref: member(v, "read"), recv: v}), ""
}

// string puts an interpolated literal together.
func (p *parser) string(t token) value {
	if len(t.parts) == 0 {
		return lit("")
	}
	if len(t.parts) == 1 && !t.parts[0].code {
		return lit(t.parts[0].text)
	}
	out := lit("")
	for _, x := range t.parts {
		if !x.code {
			out = concat(out, lit(x.text))
			continue
		}
		v := unknown()
		if p.m.enter() {
			sub := &parser{m: p.m, t: lex(p.m.l, x.text), level: p.level + 1}
			v = sub.expression(0)
			p.m.leave()
		}
		out = p.m.charge(concat(out, value{alts: v.all(), taint: v.taint}))
	}
	return out
}

// group reads a parenthesised expression or tuple, whose ( is behind.
func (p *parser) group(end string) value {
	var vs []value
	tuple := false
	start := p.i
	if p.m.l.is("js") {
		if close := p.match(start - 1); close+1 < len(p.t) && p.t[close+1].kind == tOp && p.t[close+1].text == "=>" {
			return p.arrow(start, close)
		}
	}
	if v, ok := p.comprehension(start - 1); ok {
		return v
	}
	for p.i < len(p.t) && !p.op(end) {
		at := p.i
		if k := p.peek().kind; k == tLine || p.op(",") || p.op(";") {
			tuple = tuple || p.op(",")
			p.i++
			continue
		}
		if p.op("}") || p.op("]") {
			break
		}
		vs = append(vs, p.expression(0))
		if p.i == at {
			p.i++
		}
	}
	p.accept(end)
	if len(vs) == 1 && !tuple {
		return vs[0]
	}
	if p.m.l.is("js") && len(vs) > 0 {
		return vs[len(vs)-1] // the comma operator: (0, eval)("...")
	}
	return listOf(vs)
}

// match finds the bracket that closes the one at i.
func (p *parser) match(i int) int {
	depth := 0
	for ; i < len(p.t); i++ {
		if !p.m.step() {
			return len(p.t)
		}
		t := p.t[i]
		if t.kind != tOp {
			continue
		}
		switch t.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth <= 0 {
				return i
			}
		}
	}
	return len(p.t)
}

// arrow reads (a, b) => body; start is after the parenthesis.
func (p *parser) arrow(start, close int) value {
	f := &function{}
	for _, t := range p.cut(start, close) {
		if t.kind == tName {
			f.params = append(f.params, t.text)
		}
	}
	p.i = close + 2
	p.body(f)
	return value{fn: f}
}

// body takes the tokens of a function's body: a block, or one expression.
func (p *parser) body(f *function) {
	p.lines()
	if p.op("{") {
		end := p.match(p.i)
		f.toks = p.cut(p.i+1, end)
		p.i = min(end+1, len(p.t))
		return
	}
	start := p.i
	depth := 0
	for ; p.i < len(p.t); p.i++ {
		t := p.t[p.i]
		if t.kind == tOp {
			switch t.text {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				depth--
			case ",", ";":
				if depth == 0 {
					depth = -1
				}
			}
		}
		if depth < 0 || depth == 0 && t.kind == tLine && !(p.at(1).kind == tOp && p.at(1).text == ".") {
			break
		}
	}
	f.toks, f.expr = p.cut(start, p.i), true
}

// comprehension evaluates the iterable of [f(x) for x in it] before f(x). open is the
// index of the bracket; the parser stands behind it.
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
		if t.kind == tOp {
			switch t.text {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				depth--
			}
		}
		if depth == 0 {
			end = i
			break
		}
		if depth == 1 && t.kind == tOp && t.text == "," && at < 0 {
			if p.t[open].text == "(" || p.t[open].text == "[" {
				return value{}, false
			}
		}
		if depth == 1 && t.kind == tName && t.text == "for" && at < 0 {
			at = i
		}
	}
	if at <= open+1 {
		return value{}, false
	}
	if v, ok := p.simpleComprehension(open, at, end); ok {
		return v, true
	}
	sub := &parser{m: p.m, t: p.cut(at, end), level: p.level + 1}
	for sub.i < len(sub.t) {
		before := sub.i
		if sub.name("for") {
			sub.i++
			sub.forIn()
		} else if sub.name("if") {
			sub.i++
			sub.expression(pOr)
		} else {
			sub.i++
		}
		if sub.i == before {
			sub.i++
		}
	}
	elem := &parser{m: p.m, t: p.cut(open+1, at), level: p.level + 1}
	v := elem.expression(0)
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
	for _, t := range p.cut(at+3, end) {
		if t.kind == tName && (t.text == "for" || t.text == "if") {
			return value{}, false
		}
	}
	sub := &parser{m: m, t: p.cut(at+3, end), level: p.level + 1}
	it := sub.expression(pOr)
	if !it.seq && len(it.alts) == 1 && it.ref == "" && len(it.alts[0]) <= maxItems { // the characters of a text
		for _, r := range it.alts[0] {
			it.list = append(it.list, value{alts: []string{string(r)}, taint: it.taint})
		}
		it.seq = it.known()
	}
	if !it.seq || it.keys != nil || len(it.list) > maxItems {
		m.set(p.t[at+1].text, it.each())
		elem := &parser{m: m, t: p.cut(open+1, at), level: p.level + 1}
		v := elem.expression(0)
		p.i = min(end+1, len(p.t))
		return listOf([]value{v}), true
	}
	var out []value
	for _, x := range it.list {
		m.set(p.t[at+1].text, x)
		elem := &parser{m: m, t: p.cut(open+1, at), level: p.level + 1}
		out = append(out, elem.expression(0))
	}
	p.i = min(end+1, len(p.t))
	return listOf(out), true
}

// forIn reads NAMES in ITERABLE and binds the names.
func (p *parser) forIn() {
	var names []string
	for p.i < len(p.t) && !p.name("in", "of") {
		t := p.peek()
		if t.kind == tLine || t.kind == tOp && (t.text == ":" || t.text == ";" || t.text == "=") {
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
		m.set(names[0], it.each())
		return
	}
	for i, n := range names {
		v := value{taint: it.taint}
		for _, row := range it.list {
			if row.seq && i < len(row.list) {
				v = either(v, row.list[i])
			}
		}
		m.set(n, v)
	}
}

func (p *parser) listing() value {
	if v, ok := p.comprehension(p.i - 1); ok {
		return v
	}
	var vs []value
	for p.i < len(p.t) && !p.op("]") {
		at := p.i
		if p.peek().kind == tLine || p.op(",") || p.op(";") {
			p.i++
			continue
		}
		if p.op("}") || p.op(")") {
			break
		}
		spread := p.op("...") || p.op("*")
		v := p.expression(0)
		if p.op("=>") { // php arrays
			p.i++
			v = p.expression(0)
		}
		if spread && v.seq {
			vs = append(vs, v.list...)
		} else if v.seq && p.m.l.is("perl") {
			vs = append(vs, v.list...)
		} else {
			vs = append(vs, v)
		}
		if p.i == at {
			p.i++
		}
	}
	p.accept("]")
	return listOf(vs)
}

// braces reads a dictionary or, where the language has them, a block.
func (p *parser) braces() value {
	v := value{seq: true, keys: []string{}}
	for p.i < len(p.t) && !p.op("}") {
		at := p.i
		if p.peek().kind == tLine || p.op(",") || p.op(";") {
			p.i++
			continue
		}
		if p.op(")") || p.op("]") {
			break
		}
		t, n := p.peek(), p.at(1)
		key, val := "", value{}
		if p.op("...") {
			p.i++
			x := p.expression(0)
			v.taint |= x.taint
			if x.ref == refEnv {
				v.ref = refEnv
			}
			continue
		}
		switch {
		case t.kind == tName && n.kind == tOp && (n.text == ":" || n.text == "=>" || n.text == "=" && p.m.l.is("lua")):
			key = t.text
			p.i += 2
			p.lines()
			val = p.expression(0)
		case t.kind == tName && n.kind == tOp && (n.text == "," || n.text == "}") && p.m.l.is("js"):
			key = t.text
			p.i++
			val = p.m.lookup(key)
		case t.kind == tName && n.kind == tOp && n.text == "(" && p.m.l.is("js") && p.method(): // m() { ... }
			continue
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
		v.keys = append(v.keys, key)
		v.list = append(v.list, val)
		v.taint |= val.taint
		if p.i == at {
			p.i++
		}
	}
	p.accept("}")
	return v
}

// method reads a method in an object literal or class.
func (p *parser) method() bool {
	close := p.match(p.i + 1)
	if close+1 >= len(p.t) || p.t[close+1].text != "{" || p.t[close+1].kind != tOp {
		return false
	}
	f := &function{}
	for _, t := range p.cut(p.i+2, close) {
		if t.kind == tName {
			f.params = append(f.params, t.text)
		}
	}
	name := p.peek().text
	p.i = close + 1
	p.body(f)
	p.m.define("."+name, f)
	return true
}

func (m *machine) define(name string, f *function) {
	if len(m.funcs) < 500 {
		m.funcs[name] = f
	}
}

// member names what is looked up in v.
func member(v value, name string) string {
	if v.ref == "" || v.ref == "#" {
		return "." + name
	}
	return v.ref + "." + name
}

// postfix reads calls, indexes and members after a primary.
func (p *parser) postfix(v value, name string) (value, string) {
	m := p.m
	for m.step() {
		t := p.peek()
		if t.kind == tLine && m.l.is("js", "ruby", "groovy", "php") {
			if n := p.at(1); n.kind == tOp && (n.text == "." || n.text == "?." || n.text == "->") {
				p.i++
				continue
			}
		}
		if t.kind == tString && m.l.is("lua") || t.kind == tString && m.l.is("js") && !t.space && v.ref != "" && !t.first {
			if v.ref != "" || v.recv != nil { // os.execute "x", Bun.$`x`
				p.i++
				v, name = m.dispatch(&call{ref: v.ref, recv: recvOf(v), args: []value{p.string(t)}}), ""
				continue
			}
		}
		if t.kind != tOp {
			if m.l.bare && p.startsArgument(t, v) {
				args, kw := p.arguments("")
				v, name = m.call(v, args, kw), ""
				continue
			}
			if t.kind == tName && t.text == "do" && m.l.is("ruby") && v.ref != "" {
				v = p.block(v)
			} else if m.l.is("perl", "ruby") && (v.ref == "fork" || v.ref == "shift" || v.ref == "gets") {
				v, name = m.call(v, nil, value{}), ""
			}
			return v, name
		}
		switch t.text {
		case ".", "?.", "->", "::", "?->", "&.", "!":
			if t.text == "." && m.l.is("perl", "php") || t.text == "!" {
				return v, name
			}
			if t.text == "&." && !m.l.is("ruby") {
				return v, name
			}
			n := p.at(1)
			if t.text == "->" && n.kind == tOp && (n.text == "[" || n.text == "{" || n.text == "(") || t.text == "?." && n.kind == tOp && (n.text == "[" || n.text == "(") {
				p.i++
				continue
			}
			if n.kind == tOp && n.text == "(" && m.l.is("ruby") { // f.(x)
				p.i++
				continue
			}
			if n.kind != tName {
				if m.l.is("ruby") && n.kind == tCommand || n.kind == tLine || n.kind == tEnd {
					return v, name
				}
				p.i++
				return v, name
			}
			p.i += 2
			v, name = m.member(v, n.text), ""
			if m.l.is("ruby") && !(n.text[0] >= 'A' && n.text[0] <= 'Z') && v.ref != "" && v.recv != nil && !p.takesMore(v) {
				v = m.call(v, nil, value{}) // a call without arguments needs no parentheses
			}
		case ":":
			// lua: io.popen(x):read("a")
			if !m.l.is("lua") || p.at(1).kind != tName {
				return v, name
			}
			n := p.at(1)
			p.i += 2
			v, name = m.member(v, n.text), ""
		case "(":
			if t.space && m.l.is("awk") && v.ref == "" {
				return v, name
			}
			if v.isNil() && !t.first && name == "" && v.fn == nil && p.prev().kind == tNumber {
				return v, name
			}
			if m.l.is("ruby") && t.space && v.ref == "" {
				return v, name
			}
			p.i++
			args, kw := p.arguments(")")
			v, name = m.call(v, args, kw), ""
			v = p.block(v)
		case "[":
			if (m.l.is("ruby", "awk") || t.first) && t.space && !m.l.is("js") {
				if m.l.bare && p.startsArgument(t, v) {
					args, kw := p.arguments("")
					v, name = m.call(v, args, kw), ""
				}
				return v, name
			}
			if t.first {
				return v, name
			}
			p.i++
			v, name = p.index(v), ""
		case "{":
			if m.l.is("perl") && !t.space && (v.ref != "" || v.keys != nil || name != "") {
				p.i++
				v, name = p.subscript(v), ""
				continue
			}
			if m.l.is("ruby", "groovy") && !t.first {
				v = p.block(v)
				return v, name
			}
			if m.l.is("lua") && v.ref != "" && (v.fn != nil || strings.Contains(v.ref, ".")) {
				p.i++
				v, name = m.call(v, []value{p.braces()}, value{}), ""
				continue
			}
			return v, name
		case "++", "--":
			p.i++
		case "=>":
			if m.l.is("js") && name != "" {
				f := &function{params: []string{name}}
				p.i++
				p.body(f)
				return value{fn: f}, ""
			}
			return v, name
		default:
			if m.l.bare && p.startsArgument(t, v) {
				args, kw := p.arguments("")
				v, name = m.call(v, args, kw), ""
				v = p.block(v)
			}
			return v, name
		}
	}
	return v, name
}

// takesMore reports whether arguments, a block or an assignment follow a ruby method's name.
func (p *parser) takesMore(v value) bool {
	t := p.peek()
	if t.kind == tOp && (t.text == "(" && !t.space || t.text == "{" || t.text == "=") {
		return true
	}
	return t.kind == tName && t.text == "do" || p.startsArgument(t, v)
}

func recvOf(v value) value {
	if v.recv != nil {
		return *v.recv
	}
	return value{}
}

// startsArgument reports whether t begins the arguments of a call without parentheses.
func (p *parser) startsArgument(t token, v value) bool {
	if v.ref == "" || t.first || !t.space && t.kind != tString && t.kind != tWords && t.kind != tCommand || v.isNumber() || strings.HasPrefix(v.ref, "$") && v.recv == nil {
		return false
	}
	if p.prev().kind != tName {
		return false // only directly after the name
	}
	if p.m.l.is("lua") {
		return t.kind == tString
	}
	if strings.HasPrefix(p.prev().text, "$") || strings.HasPrefix(p.prev().text, "@") {
		return false
	}
	switch t.kind {
	case tString, tWords, tCommand, tNumber, tHole:
		return true
	case tRegexp:
		return true
	case tName:
		switch t.text {
		case "if", "unless", "while", "until", "and", "or", "do", "then", "x", "eq", "ne", "in", "for", "foreach", "end", "rescue", "lt", "gt", "cmp", "xor", "else", "elsif":
			return false
		}
		return true
	case tOp:
		n := p.at(1)
		switch t.text {
		case "[":
			return p.m.l.is("ruby")
		case "\\", "$", "@":
			return true
		case "*", "&", "-", "::", "<", "**":
			return n.kind != tEnd && !n.space
		case "{":
			return false
		}
	}
	return false
}

// arguments reads the arguments of a call up to end, or to the end of the statement if
// end is empty. Keyword arguments and option objects end up in kw.
func (p *parser) arguments(end string) (args []value, kw value) {
	kw = value{seq: true, keys: []string{}}
	if end == ")" {
		if v, ok := p.comprehension(p.i - 1); ok {
			return []value{v}, kw
		}
	}
	if p.m.l.is("perl") { // open(my $fh, ...) and socket(S, ...) set their first argument
		t := p.peek()
		if t.kind == tName && (t.text == "my" || t.text == "our" || t.text == "local") {
			t = p.at(1)
		}
		if t.kind == tName {
			kw.ref = t.text
		}
	}
	for p.i < len(p.t) {
		t := p.peek()
		if end != "" && p.op(end) {
			p.i++
			break
		}
		if t.kind == tLine {
			if end == "" && !(p.prev().kind == tOp && p.prev().text == ",") {
				break
			}
			p.i++
			continue
		}
		if t.kind == tOp && (t.text == "}" || t.text == "]" || t.text == ")") {
			break
		}
		if end == "" && (t.kind == tOp && t.text == ";" || t.kind == tName && (t.text == "if" || t.text == "unless" || t.text == "or" || t.text == "and" || t.text == "while" || t.text == "do" || t.text == "for" || t.text == "foreach" || t.text == "until")) {
			break
		}
		if t.kind == tOp && (t.text == "," || t.text == ";") {
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
		star := p.op("*") || p.op("...") || p.op("**")
		v := p.expression(pAssign)
		if p.m.l.is("ruby", "perl", "php") && p.accept("=>") {
			w := p.expression(pAssign)
			kw.keys = append(kw.keys, v.text())
			kw.list = append(kw.list, w)
			continue
		}
		switch {
		case star && v.seq && v.keys == nil, v.seq && v.keys == nil && p.m.l.is("perl"):
			args = append(args, v.list...)
		case star && v.keys != nil:
			kw.keys = append(kw.keys, v.keys...)
			kw.list = append(kw.list, v.list...)
		default:
			args = append(args, v)
		}
		if p.i == at {
			p.i++
		}
		if end == "" && !p.op(",") && !p.op("=>") {
			break
		}
	}
	// In JavaScript options are an object, the last argument.
	for _, a := range args {
		if a.keys != nil && p.m.l.is("js", "groovy") {
			kw.keys = append(kw.keys, a.keys...)
			kw.list = append(kw.list, a.list[:min(len(a.list), len(a.keys))]...)
		}
	}
	return args, kw
}

// block reads the { |x| ... } or do |x| ... end after a call: its body is evaluated with x
// bound to what was called upon.
func (p *parser) block(v value) value {
	if !p.m.l.is("ruby", "groovy") || !p.op("{") && !p.name("do") {
		return v
	}
	p.i++
	if p.accept("|") {
		var names []string
		for p.i < len(p.t) && !p.op("|") && p.peek().kind != tLine {
			if p.peek().kind == tName {
				names = append(names, p.peek().text)
			}
			p.i++
		}
		p.accept("|")
		it := v
		if v.recv != nil && (strings.HasSuffix(v.ref, "()") || iterates(v.ref)) {
			it = *v.recv
		}
		p.m.bindNames(names, it)
	} else if p.m.l.is("ruby") {
		p.m.set("_1", v.each())
		p.m.set("it", v.each())
	}
	return v
}

// iterates reports whether a method hands the elements of its receiver to a block.
func iterates(ref string) bool {
	switch ref[strings.LastIndexByte(ref, '.')+1:] {
	case "each", "map", "collect", "select", "each_line", "each_with_index", "tap", "then", "reject", "filter", "flat_map", "each_entry", "find", "with", "eachLine", "findAll", "each_child", "eachFile", "times":
		return true
	}
	return false
}

// subscript reads $x{key}, whose { is behind.
func (p *parser) subscript(v value) value {
	var key value
	if t := p.peek(); t.kind == tName && p.at(1).kind == tOp && p.at(1).text == "}" && !strings.HasPrefix(t.text, "$") {
		key = lit(t.text)
		p.i++
	} else {
		key = p.expression(0)
	}
	p.accept("}")
	return p.m.at(v, key)
}

// index reads x[i], x[a:b] and x[::-1], whose [ is behind.
func (p *parser) index(v value) value {
	var parts []value
	colons := 0
	for p.i < len(p.t) && !p.op("]") {
		at := p.i
		if p.op(":") || p.op("::") {
			if p.op("::") {
				colons++
				parts = append(parts, value{ref: "-"})
			}
			colons++
			if len(parts) < colons {
				parts = append(parts, value{ref: "-"})
			}
			p.i++
			continue
		}
		if p.peek().kind == tLine || p.op(",") {
			p.i++
			continue
		}
		if p.op(")") || p.op("}") {
			break
		}
		parts = append(parts, p.expression(0))
		if p.i == at {
			p.i++
		}
	}
	p.accept("]")
	if colons > 0 {
		last := parts[len(parts)-1]
		if last.text() == "-1" && colons == 2 {
			return v.mapText(reverse)
		}
		if v.seq {
			return listOf(v.list)
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

func slice(v value, parts []value) value {
	num := func(i, def int) (int, bool) {
		if i >= len(parts) || parts[i].ref == "-" {
			return def, true
		}
		n, err := atoi(parts[i].text())
		return n, err == nil
	}
	return v.mapText(func(s string) string {
		a, ok1 := num(0, 0)
		b, ok2 := num(1, len(s))
		if !ok1 || !ok2 {
			return umpire.Hole
		}
		if a < 0 {
			a += len(s)
		}
		if b < 0 {
			b += len(s)
		}
		a, b = min(max(a, 0), len(s)), min(max(b, 0), len(s))
		if a > b {
			return ""
		}
		return s[a:b]
	})
}

// at looks a key or index up.
func (m *machine) at(v, key value) value {
	k := key.text()
	if v.ref == refEnv {
		return m.getenv(k)
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
		return v.mapText(func(s string) string {
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

func (m *machine) argv(k string) value {
	n, err := atoi(k)
	if err != nil {
		return unknown()
	}
	switch {
	case m.l.is("python"):
		n--
	case m.l.is("js"):
		n-- // with -e there is no script among them
	case m.l.is("php"):
		n--
	}
	if n >= 0 && n < len(m.env.Args) {
		w := m.env.Args[n]
		return value{alts: []string{w.Text}, taint: w.Taint}
	}
	return unknown()
}

func (m *machine) getenv(name string) value {
	if m.env.Getenv != nil {
		if w, ok := m.env.Getenv(name); ok {
			return value{alts: []string{w.Text}, taint: w.Taint}
		}
	}
	v := unknown()
	if secretName(name) {
		v.taint |= command.FromSecret
	}
	return v
}

func secretName(n string) bool {
	n = strings.ToUpper(n)
	for _, s := range []string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "API_KEY", "APIKEY", "PRIVATE_KEY", "ACCESS_KEY", "CREDENTIAL"} {
		if strings.Contains(n, s) {
			return true
		}
	}
	return false
}

func (m *machine) stdin() value {
	s := m.env.Stdin
	v := value{taint: s.Taint}
	if s.Seen {
		v.alts = []string{s.Text}
	} else if s.Pipe {
		v.taint |= command.FromUnseen
	}
	return v
}
