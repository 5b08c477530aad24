package code

import (
	"slices"
	"strings"
)

// Statements that change a variable: assignments, setting an element, a method of a list, a function
// that writes to its argument. A change that umpire does not follow makes the variable unknown:
// with its old value, a program could show a harmless command and run another one.

// assign follows assignments, including augmented ones.
func (p *parser) assign(name string, v value, op string) value {
	if name == "" {
		return v
	}
	switch op {
	case "+=", ".=":
		old := p.m.lookup(name)
		if old.seq {
			v = extend(old, v.items(), v.taint)
		} else {
			v = concat(old, v)
		}
	case "||=", "??=", "//=", "&&=":
		v = either(v, p.m.lookup(name))
	case ":=":
		if p.m.l.is("python") { // within an expression of which only a part may run
			v = either(v, p.m.lookup(name))
		}
	}
	p.m.set(name, v)
	return v
}

func (m *machine) set(name string, v value) {
	if m.shared[name] && v.fn == nil && v.ref == "" {
		v = value{taint: v.taint}
	}
	if strings.HasPrefix(name, "$$") && m.l.is("php") {
		for other := range m.vars {
			m.forget(other)
		}
		return
	}
	if n := len(m.regions); n > 0 && m.regions[n-1].kind == aRest {
		old, set := m.vars[name]
		v = either(v, m.outside(name, held{old, set}))
	}
	m.give(name, v)
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

// spot is the element or member of a variable at the end of an expression: the tokens from from up
// to to follow the variable's name.
type spot struct {
	name     string
	from, to int
}

// changers are the methods that change their receiver: a list, a dictionary or, in Ruby, a text.
const changers = " append push add extend addAll insert unshift prepend update concat replace pop popitem shift remove removeAll clear delete delete_at delete_if discard setdefault sort reverse splice fill copyWithin retain truncate set put putAll "

// changesIts reports whether a method of v changes v.
func (m *machine) changesIts(v value, method string) bool {
	if m.l.is("ruby") && strings.HasSuffix(method, "!") {
		return true
	}
	if !strings.Contains(changers, " "+method+" ") {
		return false
	}
	switch method {
	case "concat":
		return m.l.is("ruby")
	case "sort", "reverse":
		return !m.l.is("ruby")
	case "replace", "insert", "prepend", "clear":
		return v.seq || m.l.is("ruby")
	}
	return v.seq
}

// change follows the call of a method on a variable.
func (m *machine) change(name, method string, args []value, kw value) {
	if v, ok := m.vars[name]; ok {
		m.set(name, v.through(func(v value) value { return m.changed(v, method, args, kw) }))
	}
}

// changed returns what a value is after the call of a method on it.
func (m *machine) changed(v value, method string, args []value, kw value) value {
	if v.ref != "" || !m.changesIts(v, method) {
		return v
	}
	if i := slices.IndexFunc(args, func(a value) bool { return len(a.or) > 0 }); i >= 0 {
		return args[i].through(func(a value) value {
			with := slices.Clone(args)
			with[i] = a
			return m.changed(v, method, with, kw)
		})
	}
	list := v.seq && v.keys == nil
	known := true
	for _, a := range args {
		v.taint |= a.taint
	}
	switch at := 0; {
	case list && (method == "append" || method == "push" || method == "add"):
		v = extend(v, args, 0)
	case list && (method == "extend" || method == "addAll" || method == "concat"):
		for _, a := range args {
			if known = known && a.seq && a.keys == nil; known {
				v = extend(v, a.list, 0)
			}
		}
	case list && (method == "insert" || method == "unshift" || method == "prepend"):
		if method == "insert" {
			if len(args) < 2 {
				known = false
				break
			}
			n, err := atoi(args[0].text())
			known = err == nil && n >= 0
			at, args = min(n, len(v.list)), args[1:]
		}
		if known {
			rest := v.list[at:]
			v.list = v.list[:at:at]
			v = extend(extend(v, args, 0), rest, 0)
		}
	case v.keys != nil && method == "update":
		for _, a := range append(args, kw) {
			known = known && (a.keys != nil || a.isNil())
			for i, k := range a.keys {
				v = v.with(k, a.list[i])
			}
		}
	case !v.seq && len(args) == 1 && method == "replace":
		v = args[0]
	case !v.seq && len(args) == 1 && method == "concat":
		v = concat(v, args[0])
	case !v.seq && len(args) == 1 && method == "prepend":
		v = concat(args[0], v)
	default:
		known = false
	}
	if !known {
		v = value{taint: v.taint}
	}
	return v
}

// with returns a dictionary with a different value for a key.
func (v value) with(key string, x value) value {
	v.taint |= x.taint
	v.list = slices.Clone(v.list)
	if i := slices.Index(v.keys, key); i >= 0 && i < len(v.list) {
		v.list[i] = x
		return v
	}
	if len(v.list) >= maxList {
		return value{taint: v.taint}
	}
	v.keys, v.list = append(slices.Clip(v.keys), key), append(v.list, x)
	return v
}

// put follows an assignment to an element or a member of a variable.
func (p *parser) put(s spot, x value, op string) {
	m := p.m
	v, ok := m.vars[s.name]
	t := p.t[s.from:s.to]
	if !ok && m.global(s.name).ref == refEnv {
		return
	}
	if m.l.is("perl") {
		if len(t) > 0 && t[0].text == "->" {
			t = t[1:]
		}
		if !ok && len(t) == 3 && (t[0].text == "[" || t[0].text == "{") { // the first element creates the variable
			v, ok = listOf(nil), true
			if t[0].text == "{" {
				v.keys = []string{}
			}
		}
	}
	if !ok { // substr($x, 0, 2) = "rm"
		for i := s.from; m.l.is("perl") && i < s.to; i++ {
			m.forget(p.t[i].text)
		}
		return
	}
	if v.module != nil && !v.object && len(t) == 2 && t[0].text == "." {
		v.module.replace(t[1].text, m.own(x))
		return
	}
	m.set(s.name, v.through(func(v value) value { return p.changedAt(v, t, x, op) }))
}

// changedAt returns what a value is after an assignment of x to the element or member that the tokens
// t name.
func (p *parser) changedAt(v value, t []token, x value, op string) value {
	m := p.m
	if v.ref != "" {
		return v
	}
	var key value
	switch {
	case len(t) == 3 && t[0].text == "{" && t[1].kind == tName && t[1].sigil == 0 && m.l.is("perl"):
		key = lit(t[1].text)
	case len(t) == 3 && t[0].text == "{" && t[1].kind == tString && m.l.is("perl"):
		key = p.string(t[1])
	case len(t) == 3 && t[0].text == "[" && (t[1].kind == tNumber || t[1].kind == tString):
		key = lit(t[1].text)
		if t[1].kind == tString {
			key = p.string(t[1])
		}
	case len(t) == 2 && t[0].text == "." && m.l.is("js"):
		key = lit(t[1].text)
	case len(t) == 2 && t[0].text == "[" && v.seq && v.keys == nil && op == "=": // $x[] = "rm"
		return extend(v, []value{x}, x.taint)
	}
	n, err := atoi(key.text())
	switch {
	case op == "=" && v.keys != nil && len(key.alts) == 1:
		return v.with(key.text(), x)
	case op == "=" && v.seq && v.keys == nil && err == nil && n >= 0 && n < len(v.list):
		v.list = slices.Clone(v.list)
		v.list[n], v.taint = x, v.taint|x.taint
		return v
	case op == "=" && v.seq && v.keys == nil && err == nil && n == len(v.list):
		return extend(v, []value{x}, x.taint)
	case v.fn != nil:
		return v
	}
	return value{taint: v.taint}
}

// writesArguments reports whether a Perl function sets an element of @_, which changes its caller's
// variable.
func writesArguments(t []token) bool {
	for i := range t {
		if t[i].name("$_") && i+4 < len(t) && t[i+1].text == "[" && t[i+3].text == "]" && strings.HasSuffix(strings.TrimSuffix(t[i+4].text, "~"), "=") && t[i+4].text != "==" {
			return true
		}
	}
	return false
}

// share notes that a variable has a second name through which the program can change it: $b = &$a.
func (m *machine) share(name string) {
	if m.shared == nil {
		m.shared = map[string]bool{}
	}
	if len(m.shared) < maxList {
		m.shared[name] = true
	}
	m.forget(name)
}

// forget makes the value of a variable unknown, and keeps its origin.
func (m *machine) forget(name string) {
	if v, ok := m.vars[name]; ok && v.fn == nil && v.ref == "" {
		m.set(name, value{taint: v.taint})
	}
}

// setsArguments are functions that write to a variable among their arguments, as LANGUAGE FUNCTION
// PLACE. A place with a dot means that argument and all later ones.
const setsArguments = `
awk sub 2
awk gsub 2
awk split 1
awk patsplit 1
awk match 2
awk asort 0.
awk asorti 0.
php preg_match 2
php preg_match_all 2
php exec 1
php parse_str 1
php mb_parse_str 1
php sscanf 2.
php settype 0
php array_splice 0
php array_walk 0
php array_multisort 0.
php sort 0
php rsort 0
php usort 0
php shuffle 0
php ksort 0
php asort 0
php str_replace 3
php fscanf 2.
perl read 1
perl sysread 1
perl recv 1
perl chop 0
perl substr 0
perl splice 0
js Object.assign 0
python random.shuffle 0
python heapq.heappush 0
lua table.insert 0
lua table.remove 0
lua table.sort 0
`

// forgetArguments makes the variables unknown that a function writes to. Its arguments begin at
// token from.
func (p *parser) forgetArguments(f value, from int) {
	if f.fn != nil && (slices.ContainsFunc(f.fn.params, func(x parameter) bool { return x.shared }) || writesArguments(f.fn.toks)) {
		for _, t := range p.cut(from, p.i) {
			if t.kind == tName {
				p.m.forget(t.text)
			}
		}
	}
	function := f.ref
	head := "\n" + p.m.l.name + " " + function + " "
	_, after, ok := strings.Cut(setsArguments, head)
	if !ok {
		return
	}
	at := after
	place, several := int(at[0]-'0'), at[1] == '.'
	depth, n := 0, 0
	var names []string
	for j := from; j < p.i; j++ {
		switch t := p.t[j]; {
		case t.nesting() != 0:
			depth += t.nesting()
		case t.op(",") && depth == 0:
			n++
		case t.kind == tName && depth == 0 && (n == place || several && n > place):
			names = append(names, t.text)
		}
	}
	if function == "substr" && n < 3 {
		return
	}
	for _, name := range names {
		p.m.forget(name)
	}
}

// as returns the value of a Perl variable with this sigil: @x = ("/etc") has one element, and %x =
// (a => 1) is a dictionary.
func (v value) as(sigil byte) value {
	switch {
	case sigil == '@' && len(v.alts) > 0 && v.ref == "":
		return listOf([]value{v})
	case sigil == '%' && v.seq && v.keys == nil && len(v.list)%2 == 0:
		out := value{seq: true, keys: []string{}, taint: v.taint}
		for i := 0; i < len(v.list); i += 2 {
			k := v.list[i]
			if len(k.alts) == 0 && k.ref != "" { // a bare word
				k = lit(k.ref)
			}
			out.keys, out.list = append(out.keys, k.text()), append(out.list, v.list[i+1])
		}
		return out
	}
	return v
}

// changesList follows a function of Perl or PHP that adds elements to the list in its first
// argument, or removes some. The arguments begin at token from.
func (p *parser) changesList(function string, from int, args []value) bool {
	m := p.m
	end, php := strings.CutPrefix(function, "array_")
	if php != m.l.is("php") || !m.l.is("perl", "php") || from+1 >= len(p.t) || p.t[from].kind != tName {
		return false
	}
	name, next := p.t[from].text, p.t[from+1]
	v := m.lookup(name)
	own := 1 // number of arguments that are the list itself
	if v.seq && !php {
		own = len(v.list)
	}
	if _, ok := m.vars[name]; !ok && v.isNil() { // my @x; push @x, ...
		v = listOf(nil)
	}
	known := v.seq && v.keys == nil && own <= len(args) && (next.kind != tOp || strings.Contains(",;)}", next.text))
	switch more := args[min(own, len(args)):]; {
	case end != "push" && end != "unshift" && end != "shift" && end != "pop":
		return false
	case !known, len(v.list) == 0 && len(more) == 0:
		m.forget(name)
	case end == "push":
		m.set(name, extend(v, more, listOf(more).taint))
	case end == "unshift":
		m.set(name, extend(listOf(more), v.list, v.taint))
	case end == "shift":
		m.set(name, listOf(v.list[1:]))
	default:
		m.set(name, listOf(v.list[:len(v.list)-1]))
	}
	return true
}
