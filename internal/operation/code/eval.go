package code

import (
	"slices"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// parser evaluates tokens as it reads them, without a syntax tree.
type parser struct {
	m        *machine
	t        []token
	i        int
	level    int       // nesting of expressions
	spot     spot      // at the end of the last primary
	branches branching // of the keyword whose block or statement follows
	returned *value
}

const maxLevel = 100

var endToken = token{kind: tEnd}

func (p *parser) peek() token { return p.at(0) }

//go:noinline
func (p *parser) at(n int) token {
	if i := p.i + n; i >= 0 && i < len(p.t) {
		return p.t[i]
	}
	return endToken
}

// cut returns the tokens from a up to b, or up to the end.
func (p *parser) cut(a, b int) []token {
	b = max(0, min(b, len(p.t)))
	return p.t[max(0, min(a, b)):b]
}

// prev returns the token that was read last.
func (p *parser) prev() token {
	if p.i > 0 && p.i <= len(p.t) {
		return p.t[p.i-1]
	}
	return endToken
}

func (p *parser) op(texts ...string) bool { return p.peek().op(texts...) }

func (p *parser) accept(s string) bool {
	if p.op(s) {
		p.i++
		return true
	}
	return false
}

func (p *parser) name(words ...string) bool { return p.peek().name(words...) }

// lines moves past the ends of lines.
func (p *parser) lines() {
	for p.peek().kind == tLine {
		p.i++
	}
}

// skipTo moves to the next of these operators, or to the end of the line.
func (p *parser) skipTo(ops ...string) {
	for p.i < len(p.t) && p.peek().kind != tLine && !p.op(ops...) {
		p.i++
	}
}

// bracketed returns the tokens between the bracket at the position and its counterpart, and moves
// past both.
func (p *parser) bracketed() []token {
	open := p.i
	end := p.match(open)
	p.i = min(end+1, len(p.t))
	return p.cut(open+1, end)
}

// sub returns a parser for tokens inside those of p.
func (p *parser) sub(t []token) *parser { return &parser{m: p.m, t: t, level: p.level + 1} }

// elements calls f at the start of each element of a list, up to the bracket that ends the list, and
// moves past it. Another closing bracket also ends the list.
func (p *parser) elements(end string, separators []string, f func()) {
	for p.i < len(p.t) && p.peek().nesting() >= 0 {
		at := p.i
		if p.peek().kind != tLine && !p.op(separators...) {
			f()
		}
		if p.i == at {
			p.i++
		}
	}
	p.accept(end)
}

// statements reads all remaining tokens.
func (p *parser) statements() value {
	var last value
	base := len(p.m.regions)
	defer p.m.leaveRegions(base)
	for p.i < len(p.t) {
		start := p.i
		if !p.m.step() {
			return last
		}
		p.leavePassed(base)
		t := p.peek()
		if t.kind != tLine && !p.m.l.is("python") {
			p.begins()
		}
		if t.kind == tLine || t.op(";", "}", ")", ":", ",") || t.op("{") && !p.m.l.is("python") {
			p.i++
			continue
		}
		last = p.statement()
		p.modifier()
		if p.i == start {
			p.i++
		}
	}
	return last
}

// Binding strengths, weakest first.
const (
	pWord = iota + 1 // and, or, xor of Perl, Ruby and PHP
	pAssign
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
		case "and", "or", "xor":
			switch {
			case l.is("perl", "ruby", "php"):
				return pWord
			case t.text == "and":
				return pAnd
			}
			return pOr
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
		if t.text == ">>" && l.is("awk") { // print >> file
			return 0
		}
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

// expression evaluates an expression of operators with precedence min or higher.
func (p *parser) expression(min int) value {
	if p.level++; p.level > maxLevel || !p.m.step() {
		p.level--
		p.i++
		if p.level >= maxLevel { // no honest program nests so deep
			p.m.exhausted()
		}
		return unknown()
	}
	defer func() { p.level-- }()
	left, name := p.unary()
	in := p.spot
	for {
		t := p.peek()
		if t.kind == tLine {
			// In most languages an operator on the next line continues the expression.
			n := p.at(1)
			if !p.m.l.is("python", "awk", "r") && n.op(".", "+", "||", "&&", "?", "=") && min <= pAdd {
				p.i++
				continue
			}
			return left
		}
		s := p.strength(t)
		if t.op("|&") && p.at(1).name("getline") {
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
		if s == 0 || s < min || p.m.l.is("perl", "ruby") && t.name("if", "unless") {
			return left
		}
		if p.m.l.is("awk") && (t.text == ">" || t.text == "|") {
			if t.text == "|" && p.at(1).name("getline") {
				left, name = p.fromCommand(left), ""
				continue
			}
			return left // a redirection of print, which the statement reads
		}
		p.i++
		for !p.m.l.is("python", "awk") && p.peek().kind == tLine {
			p.i++
		}
		left, name = p.m.charge(p.binary(left, name, in, t, s)), ""
	}
}

func (p *parser) binary(left value, name string, in spot, t token, s int) value {
	m := p.m
	switch {
	case s == pAssign:
		at, target := p.i-2, p.at(-2)
		if name != "" && (p.op("&") && m.l.is("php") || p.op("\\") && m.l.is("perl")) {
			m.share(name)
		}
		right := p.expression(pAssign)
		if m.l.is("perl") {
			right = right.as(target.sigil)
		}
		if in.name != "" {
			p.put(in, right, t.text)
		}
		if op := t.text; anyof.Equal(op, "=", ":=", "+=", ".=", "||=", "??=", "&&=") || op == "//=" && m.l.is("perl") {
			if left.seq && name == "" && op == "=" { // a, b = x, y
				p.unpack(at, right)
				return right
			}
			if op == ":=" && m.l.is("go") {
				m.declares(name, true)
			}
			m.memberFunction(target.text, right)
			m.assigned(left, right)
			return p.assign(name, right, op)
		}
		if t.text == "/=" && left.ref == refPath {
			return p.assign(name, pathObject(left, right), "=")
		}
		m.forget(name) // |=, *= and similar
		return right
	case t.text == "if": // x if c else y
		p.expression(pOr)
		if p.name("else") {
			p.i++
			return either(left, p.perhaps(pTernary))
		}
		return left
	case t.text == "else":
		return either(left, p.perhaps(pTernary))
	case t.text == "?":
		a := p.perhaps(pAssign)
		p.lines()
		if p.accept(":") {
			p.lines()
			return either(a, p.perhaps(pTernary))
		}
		return a
	case s == pOr, s == pWord && t.text != "and":
		right := p.perhaps(s + 1)
		if len(left.alts) == 1 && left.known() && !left.truthy() { // false || x is x
			return right
		}
		return either(left, right)
	case s == pAnd, s == pWord:
		return p.perhaps(s + 1)
	}
	right := p.expression(s + 1)
	return p.operate(left, right, name, t.text)
}

// operate returns the value of an operator after both operands were read.
func (p *parser) operate(left, right value, name, op string) value {
	m := p.m
	if len(left.or)+len(right.or) > 0 && anyof.Equal(op, "+", ".", "..", "*", "/", "%") {
		return left.through(func(a value) value {
			return right.through(func(b value) value { return p.operate(a, b, name, op) })
		})
	}
	switch op {
	case "+":
		if left.seq && right.seq && left.keys == nil {
			if v := extend(left, right.list, 0); v.seq {
				return listOf(v.list)
			}
			return value{taint: left.taint | right.taint}
		}
		if a, b, ok := numbers(left, right); ok && !m.l.is("perl", "php") {
			if left.isNumber() && right.isNumber() {
				return number(a + b)
			}
		}
		return concat(left, right)
	case ".", "..":
		if op == ".." && !m.l.is("lua") {
			return unknown()
		}
		return concat(left, right)
	case "-":
		if a, b, ok := numbers(left, right); ok {
			return number(a - b)
		}
	case "*", "x":
		if n, err := strconv.Atoi(right.text()); err == nil && len(left.alts) > 0 {
			if k, err := strconv.Atoi(left.text()); err == nil && op == "*" && left.isNumber() {
				return number(k * n)
			}
			return left.mapText(func(s string) string { return repeat(s, n) })
		}
	case "/":
		if left.ref == refPath || right.ref == refPath {
			return pathObject(left, right)
		}
	case "%":
		if len(left.alts) > 0 && !left.isNumber() {
			if right.keys != nil { // "%(name)s"
				return format(left, []value{right})
			}
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
		if strings.Contains(left.ref, "O_") && strings.Contains(right.ref, "O_") { // os.O_WRONLY | os.O_CREAT
			return value{ref: left.ref + "|" + right.ref}
		}
	}
	return value{taint: (left.taint | right.taint) &^ command.FromKey} // a comparison, or arithmetic
}

// bind reads Perl's $x =~ s/a/b/. The regexp token has been evaluated, but bind needs its text.
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
			if strings.ContainsAny(from, `\.[(*+?^$|@`) || strings.ContainsAny(to, `\$@`) {
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
	if !strings.Contains(t.parts[2].text, "r") {
		p.m.set(name, v)
	}
	return v
}

// changesTopic reports whether the last Perl regexp changes $_: it is s/a/b/ or tr/a/b/ without
// another target.
func (p *parser) changesTopic(t token) bool {
	if t.text != "s" && t.text != "tr" && t.text != "y" || len(t.parts) < 3 {
		return false
	}
	return p.i < 2 || p.t[p.i-2].text != "=~" && p.t[p.i-2].text != "!~"
}

// assignedIn returns the variable that a Perl group sets, after its opening parenthesis: (my $x =
// "a").
func (p *parser) assignedIn() string {
	i := p.i
	for p.m.l.is("perl") && i+1 < len(p.t) && p.t[i].kind == tName {
		if n := p.t[i+1]; n.op("=") {
			return p.t[i].text
		}
		i++
	}
	return ""
}

// unary reads prefix operators and a primary with all its suffixes. name is set if the result is
// assignable.
func (p *parser) unary() (value, string) {
	t := p.peek()
	if t.kind == tOp {
		switch t.text {
		case "!", "-", "+", "~", "++", "--", "&", "*", "**", "...", "\\", "@", "%":
			p.i++
			if t.text == "~" && p.m.l.is("r") {
				break
			}
			if t.text == "@" && p.m.l.is("awk") && p.peek().kind == tName { // @f() calls the function that f names
				p.i++
				f := p.m.lookup(p.prev().text)
				return p.postfix(value{ref: f.text(), taint: f.taint}, "")
			}
			v, n := p.unary()
			if n != "" && (t.text == "&" && p.m.l.is("php") || t.text == "\\" && p.m.l.is("perl")) {
				p.m.share(n)
			}
			if t.text == "!" { // whether there is a value, but none of it
				return value{taint: v.taint &^ command.FromKey}, ""
			}
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
					return p.unary()
				}
			}
		case "new":
			if n := p.at(1); n.kind == tName || n.op("(") && p.m.l.is("js") { // new (x.Y)()
				p.i++
				return p.unary()
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
		return p.string(t), ""
	case tCommand:
		return m.shell(p.string(t), value{}), ""
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
		p.regexpCode(t)
		if p.changesTopic(t) {
			return p.bind(m.lookup("$_"), "$_"), ""
		}
		v := lit(literal(t))
		if strings.ContainsAny(v.text(), `\.[(*+?^$|{`) {
			v.ref = refPattern
		}
		return v, ""
	case tHole:
		return lit(umpire.Hole), ""
	case tName:
		if t.text == "getline" && m.l.is("awk") {
			p.getline()
			return unknown(), ""
		}
		return p.ident(t)
	case tOp:
		switch t.text {
		case "(":
			name := p.assignedIn()
			return p.group(), name
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
				v := value{taint: m.inTaint}
				if m.listed { // a field, or the whole line
					v.alts = m.line().alts
				}
				return v, ""
			}
		case "|":
			if m.l.is("ruby") { // block parameters
				p.skipTo("|")
				p.accept("|")
				return unknown(), ""
			}
		}
	}
	// Nothing here begins an expression: leave the token to the caller.
	p.i--
	return unknown(), ""
}

// regexpCode reads the code in a Perl regular expression: s/x/code/e and (?{code}).
func (p *parser) regexpCode(t token) {
	if !p.m.l.is("perl") || len(t.parts) == 0 || !p.m.enter() {
		return
	}
	defer p.m.leave()
	read := func(text string) {
		p.sub(lex(p.m.l, text)).statements()
	}
	if t.text == "s" && len(t.parts) > 2 && strings.Contains(t.parts[2].text, "e") {
		read(t.parts[1].text)
	}
	for _, open := range [...]string{"(?{", "(??{"} {
		if _, code, ok := strings.Cut(t.parts[0].text, open); ok {
			read(strings.TrimSuffix(code, "})"))
		}
	}
}

// angle reads Perl's <STDIN>, <$fh> and <*.c>.
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
		return p.m.line(), ""
	case strings.ContainsAny(s, "*?~/") && s[0] != '$':
		return lit(s), ""
	}
	v := p.m.lookup(s)
	return p.m.dispatch(&call{ref: member(v, "read"), recv: v}), ""
}

// string returns the value of an interpolated literal.
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
			v = p.sub(lex(p.m.l, x.text)).expression(0)
			p.m.leave()
		}
		out = p.m.charge(concat(out, v.through(func(x value) value { return value{alts: x.all(), taint: x.taint} })))
	}
	return out
}

// group reads a parenthesised expression or tuple, after its (.
func (p *parser) group() value {
	var vs []value
	tuple := false
	start := p.i
	if p.m.l.is("js") {
		if close := p.match(start - 1); close+1 < len(p.t) && p.t[close+1].op("=>") {
			return p.arrow(start, close)
		}
		if arrow := p.typedArrow(start, p.match(start-1)); arrow > 0 {
			return p.arrow(start, arrow)
		}
	}
	if v, ok := p.comprehension(start - 1); ok {
		return v
	}
	p.elements(")", []string{";"}, func() {
		if p.op(",", "=>") {
			tuple = true
			return
		}
		vs = append(vs, p.expression(0))
	})
	if len(vs) == 1 && !tuple {
		return vs[0]
	}
	if p.m.l.is("js") && len(vs) > 0 {
		return vs[len(vs)-1] // the comma operator: (0, eval)("...")
	}
	return listOf(vs)
}

// match returns the index of the bracket that closes the one at i.
func (p *parser) match(i int) int {
	depth := 0
	for ; i < len(p.t); i++ {
		if !p.m.step() {
			return len(p.t)
		}
		n := p.t[i].nesting()
		if depth += n; n < 0 && depth <= 0 {
			return i
		}
	}
	return len(p.t)
}
