package shell

import (
	"path"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// fields collects the words that one expansion yields.
type fields struct {
	out  []command.Word
	text strings.Builder
	t    command.Taint
	glob bool
	some bool // the current word exists, even if it is empty
}

func (f *fields) add(s string, quoted bool) {
	f.text.WriteString(s)
	if quoted || s != "" {
		f.some = true
	}
}

func (f *fields) end() {
	if f.some && len(f.out) < maxFields {
		f.out = append(f.out, command.Word{Text: f.text.String(), Taint: f.t, Glob: f.glob})
	}
	f.text.Reset()
	f.t, f.glob, f.some = 0, false, false
}

// split adds an unquoted value: it becomes several words at white space.
func (f *fields) split(w command.Word, ifs string) {
	s := w.Text
	for s != "" {
		i := strings.IndexAny(s, ifs)
		if i < 0 {
			f.t |= w.Taint
			f.glob = f.glob || hasGlob(s)
			f.add(s, false)
			return
		}
		if i > 0 {
			f.t |= w.Taint
			f.glob = f.glob || hasGlob(s[:i])
			f.add(s[:i], false)
		}
		f.end()
		s = s[i+1:]
	}
	f.t |= w.Taint
}

func hasGlob(s string) bool { return strings.ContainsAny(s, "*?[") }

// expand turns words into the arguments a program gets.
func (sh *shell) expand(words []*syntax.Word) []command.Word {
	var f fields
	for _, w := range words {
		if len(f.out) >= maxFields || !sh.step() {
			break
		}
		for _, b := range braces(w) {
			sh.word(&f, b)
		}
	}
	return f.out
}

// word expands one word with splitting.
func (sh *shell) word(f *fields, w *syntax.Word) {
	for i, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok {
			s := l.Value
			if i == 0 {
				s = sh.tilde(f, s, len(w.Parts) == 1)
			}
			sh.literal(f, s)
			continue
		}
		sh.part(f, p, false)
	}
	f.end()
}

// literal adds unquoted text: backslashes quote, and glob characters stand for files.
func (sh *shell) literal(f *fields, s string) {
	if !strings.Contains(s, `\`) {
		f.glob = f.glob || hasGlob(s)
		f.add(s, false)
		return
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\\' && i+1 < len(s) {
			i++
			if s[i] != '\n' {
				b.WriteByte(s[i])
			}
			continue
		}
		if c == '*' || c == '?' || c == '[' {
			f.glob = true
		}
		b.WriteByte(c)
	}
	f.add(b.String(), true)
}

// tilde expands a leading ~ and hands back what is left of s.
func (sh *shell) tilde(f *fields, s string, whole bool) string {
	if !strings.HasPrefix(s, "~") {
		return s
	}
	head, rest, slash := strings.Cut(s[1:], "/")
	if !slash && !whole {
		return s // ~"x" is not expanded
	}
	var dir string
	switch {
	case head == "":
		w, ok := sh.get("HOME")
		if !ok {
			w.Text = umpire.Hole
		}
		dir = w.Text
	case head == "+":
		dir = sh.dir
	case head == "-":
		w, ok := sh.get("OLDPWD")
		if !ok {
			w.Text = umpire.Hole
		}
		dir = w.Text
	case head == "root":
		dir = "/root"
	case strings.ContainsAny(head, `\*?[`):
		return s
	default:
		dir = path.Join(path.Dir(sh.env.Map.Home), head)
		if sh.env.Map.Home == "" || sh.env.Map.Home == "/root" {
			dir = "/home/" + head
		}
	}
	f.add(dir, true)
	if slash {
		return "/" + rest
	}
	return ""
}

// one expands a word to a single value without splitting: assignments, redirections.
func (sh *shell) one(w *syntax.Word) command.Word {
	if w == nil {
		return command.Word{}
	}
	var f fields
	for i, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok {
			s := l.Value
			if i == 0 {
				s = sh.tilde(&f, s, len(w.Parts) == 1)
			}
			sh.literal(&f, s)
			continue
		}
		sh.part(&f, p, true)
	}
	return command.Word{Text: f.text.String(), Taint: f.t, Glob: f.glob}
}

// quoted expands the parts inside double quotes.
func (sh *shell) quoted(parts []syntax.WordPart) command.Word {
	var f fields
	sh.dquote(&f, parts)
	return command.Word{Text: f.text.String(), Taint: f.t}
}

func (sh *shell) dquote(f *fields, parts []syntax.WordPart) {
	f.some = true
	for _, p := range parts {
		if l, ok := p.(*syntax.Lit); ok {
			f.add(unescapeDouble(l.Value), true)
			continue
		}
		sh.part(f, p, true)
	}
}

func unescapeDouble(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			switch s[i+1] {
			case '$', '`', '"', '\\':
				i++
			case '\n':
				i++
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// part expands anything but a literal. In quotes, or where no splitting happens, q is true.
func (sh *shell) part(f *fields, p syntax.WordPart, q bool) {
	if !sh.step() {
		return
	}
	put := func(w command.Word) {
		if len(w.Text) > maxValue {
			w.Text = umpire.Hole
		}
		if q {
			f.t |= w.Taint
			f.add(w.Text, true)
			return
		}
		ifs, ok := sh.vars["IFS"]
		if ok && len(ifs.alts) > 0 {
			f.split(w, ifs.alts[0].Text)
			return
		}
		f.split(w, " \t\n")
	}
	switch p := p.(type) {
	case *syntax.Lit:
		sh.literal(f, p.Value)
	case *syntax.SglQuoted:
		s := p.Value
		if p.Dollar {
			s = ansi(s)
		}
		f.add(s, true)
	case *syntax.DblQuoted:
		sh.dquote(f, p.Parts)
	case *syntax.CmdSubst:
		put(sh.capture(p.Stmts))
	case *syntax.ProcSubst:
		f.add(sh.procSubst(p), true)
	case *syntax.ArithmExp:
		if n, ok := sh.arith(p.X); ok {
			put(command.Lit(strconv.Itoa(n)))
		} else {
			put(command.Lit(umpire.Hole))
		}
	case *syntax.ExtGlob:
		f.glob = true
		f.add(extGlob(p), false)
	case *syntax.BraceExp:
		f.add("{", false)
	case *syntax.ParamExp:
		sh.param(f, p, q, put)
	}
}

// extGlob keeps what an extended glob may stand for: the only alternative, or anything.
func extGlob(p *syntax.ExtGlob) string {
	if !strings.ContainsAny(p.Pattern.Value, "|*?[") && p.Op != syntax.GlobExcept {
		return p.Pattern.Value
	}
	return "*"
}

func (sh *shell) param(f *fields, p *syntax.ParamExp, q bool, put func(command.Word)) {
	if p.Param == nil {
		if p.NestedParam != nil {
			sh.part(f, p.NestedParam, q)
		}
		return
	}
	name := p.Param.Value
	if p.Index != nil {
		sh.arith(p.Index) // an index is evaluated, substitutions included
	}
	all := name == "@" || name == "*"
	star := name == "*"
	if w, ok := p.Index.(*syntax.Word); ok && (w.Lit() == "@" || w.Lit() == "*") {
		all, star = true, w.Lit() == "*"
	}
	if p.Names != 0 {
		put(command.Lit(umpire.Hole))
		return
	}
	if all && p.Exp == nil && p.Repl == nil && p.Slice == nil && !p.Length {
		elems := sh.elements(name)
		if star && q {
			var t command.Taint
			var s []string
			for _, e := range elems {
				s, t = append(s, e.Text), t|e.Taint
			}
			put(command.Word{Text: strings.Join(s, " "), Taint: t})
			return
		}
		for i, e := range elems {
			if i > 0 {
				f.end()
			}
			if q {
				f.t |= e.Taint
				f.add(e.Text, true)
			} else {
				put(e)
			}
		}
		return
	}
	w, set := sh.lookup(name, p)
	if p.Excl && set {
		sh.subscript(w.Text)
		w, set = sh.get(w.Text)
	}
	if p.Length {
		if set && w.Known() {
			put(command.Lit(strconv.Itoa(len([]rune(w.Text)))))
		} else {
			put(command.Lit(umpire.Hole))
		}
		return
	}
	unknown := !set && !sh.isUnset(name)
	switch {
	case p.Exp != nil:
		w = sh.expansion(name, w, set, unknown, p.Exp)
	case p.Repl != nil:
		orig, with := sh.one(p.Repl.Orig), sh.one(p.Repl.With)
		switch {
		case unknown || !w.Known() || !orig.Known():
			w.Text = umpire.Hole
		default:
			w = w.With(replacePattern(w.Text, orig.Text, with.Text, p.Repl.All))
			w.Taint |= with.Taint
		}
	case p.Slice != nil:
		if unknown {
			w.Text = umpire.Hole
			break
		}
		off, ok := sh.arith(p.Slice.Offset)
		n, ok2 := len(w.Text), true
		if p.Slice.Length != nil {
			n, ok2 = sh.arith(p.Slice.Length)
		}
		if !ok || !ok2 || !w.Known() {
			w.Text = umpire.Hole
			break
		}
		if off < 0 {
			off = max(0, len(w.Text)+off)
		}
		off = min(off, len(w.Text))
		end := off + n
		if n < 0 {
			end = len(w.Text) + n
		}
		w.Text = w.Text[off:max(off, min(end, len(w.Text)))]
	case unknown:
		w = command.Lit(umpire.Hole)
	}
	put(w)
}

// elements tells the positional parameters or an array's elements.
func (sh *shell) elements(name string) []command.Word {
	if name == "@" || name == "*" {
		return sh.params
	}
	v, ok := sh.vars[name]
	if !ok {
		return []command.Word{{Text: umpire.Hole}}
	}
	if v.array {
		return v.elems
	}
	return v.alts[:min(1, len(v.alts))]
}

// lookup tells the value of a parameter, special ones included.
func (sh *shell) lookup(name string, p *syntax.ParamExp) (command.Word, bool) {
	if n, err := strconv.Atoi(name); err == nil {
		if n == 0 {
			return command.Lit("bash"), true
		}
		if n <= len(sh.params) {
			return sh.params[n-1], true
		}
		return command.Word{}, len(sh.calls) > 0
	}
	switch name {
	case "#":
		return command.Lit(strconv.Itoa(len(sh.params))), true
	case "?", "$", "!", "-", "_", "RANDOM", "SECONDS", "BASHPID", "PPID", "UID", "EUID", "LINENO":
		return command.Lit(umpire.Hole), true
	}
	if v, ok := sh.vars[name]; ok && v.array && p.Index != nil {
		if n, ok := sh.arith(p.Index); ok {
			if n < 0 {
				n += len(v.elems)
			}
			if n >= 0 && n < len(v.elems) {
				return v.elems[n], true
			}
			return command.Word{}, true
		}
		return command.Lit(umpire.Hole), true
	}
	return sh.get(name)
}

// isUnset reports whether a variable is known to have no value.
func (sh *shell) isUnset(name string) bool {
	v, ok := sh.vars[name]
	return ok && len(v.alts) == 0 && !v.array
}

// expansion applies ${x:-y} and its kin. If x is not known both outcomes are possible;
// the alternative is then taken, for that is the one an attacker controls.
func (sh *shell) expansion(name string, w command.Word, set, unknown bool, e *syntax.Expansion) command.Word {
	empty := set && w.Text == ""
	arg := func() command.Word { return sh.one(e.Word) }
	either := func(a, b command.Word) command.Word {
		if sh.pick == nil || sh.pick.choose("${"+name, 2) == 1 {
			return b
		}
		return a
	}
	switch e.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if unknown {
			w = either(arg(), command.Lit(umpire.Hole))
		} else if !set || empty && (e.Op == syntax.DefaultUnsetOrNull || e.Op == syntax.AssignUnsetOrNull) {
			w = arg()
		} else {
			return w
		}
		if e.Op == syntax.AssignUnset || e.Op == syntax.AssignUnsetOrNull {
			sh.set(name, w)
		}
		return w
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if unknown {
			return either(arg(), command.Word{})
		}
		if !set || empty && e.Op == syntax.AlternateUnsetOrNull {
			return command.Word{}
		}
		return arg()
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		if unknown || !set {
			return command.Lit(umpire.Hole)
		}
		return w
	}
	if unknown || !w.Known() {
		if e.Op == syntax.OtherParamOps && set {
			sh.text(w.Text)
		}
		return command.Word{Text: umpire.Hole, Taint: w.Taint}
	}
	a := arg()
	switch e.Op {
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		return w.With(trimPattern(w.Text, a.Text, false, e.Op == syntax.RemLargeSuffix))
	case syntax.RemSmallPrefix, syntax.RemLargePrefix:
		return w.With(trimPattern(w.Text, a.Text, true, e.Op == syntax.RemLargePrefix))
	case syntax.UpperAll:
		return w.With(strings.ToUpper(w.Text))
	case syntax.LowerAll:
		return w.With(strings.ToLower(w.Text))
	case syntax.UpperFirst, syntax.LowerFirst:
		if w.Text == "" {
			return w
		}
		if e.Op == syntax.UpperFirst {
			return w.With(strings.ToUpper(w.Text[:1]) + w.Text[1:])
		}
		return w.With(strings.ToLower(w.Text[:1]) + w.Text[1:])
	case syntax.OtherParamOps:
		switch a.Text {
		case "P":
			v := sh.text(w.Text)
			v.Taint |= w.Taint
			return v
		case "E":
			return w.With(ansi(w.Text))
		case "U":
			return w.With(strings.ToUpper(w.Text))
		case "L":
			return w.With(strings.ToLower(w.Text))
		}
	}
	return w
}

// trimPattern removes the shortest or longest prefix or suffix that matches a glob.
func trimPattern(s, pat string, prefix, longest bool) string {
	n := len(s)
	try := func(i int) (string, bool) {
		if prefix {
			return s[i:], globMatch(pat, s[:i])
		}
		return s[:n-i], globMatch(pat, s[n-i:])
	}
	for k := 0; k <= n && n <= 4096; k++ {
		i := k
		if longest {
			i = n - k
		}
		if r, ok := try(i); ok {
			return r
		}
	}
	return s
}

// replacePattern implements ${x/pattern/with}.
func replacePattern(s, pat, with string, all bool) string {
	anchorStart, anchorEnd := strings.HasPrefix(pat, "#"), strings.HasPrefix(pat, "%")
	if anchorStart || anchorEnd {
		pat = pat[1:]
	}
	if !hasGlob(pat) && !anchorStart && !anchorEnd {
		if pat == "" {
			return s
		}
		if all {
			return strings.ReplaceAll(s, pat, with)
		}
		return strings.Replace(s, pat, with, 1)
	}
	if len(s) > 1024 {
		return umpire.Hole
	}
	var b strings.Builder
	for i := 0; i <= len(s); {
		matched := -1
		for j := len(s); j > i; j-- {
			if anchorEnd && j != len(s) {
				break
			}
			if globMatch(pat, s[i:j]) {
				matched = j
				break
			}
		}
		if matched < 0 || anchorStart && i != 0 {
			if i < len(s) {
				b.WriteByte(s[i])
			}
			i++
			continue
		}
		b.WriteString(with)
		i = matched
		if !all {
			b.WriteString(s[i:])
			return b.String()
		}
	}
	return b.String()
}

// globMatch matches a shell pattern against a whole string; * matches anything.
func globMatch(pat, s string) bool {
	px, sx, star, mark := 0, 0, -1, 0
	for sx < len(s) {
		if px < len(pat) {
			switch c := pat[px]; {
			case c == '*':
				star, mark = px, sx
				px++
				continue
			case c == '?':
				px++
				sx++
				continue
			case c == '[':
				if end := strings.IndexByte(pat[px+1:], ']'); end > 0 {
					if inClass(pat[px+1:px+1+end], s[sx]) {
						px += end + 2
						sx++
						continue
					}
				} else if s[sx] == '[' {
					px++
					sx++
					continue
				}
			case c == '\\' && px+1 < len(pat) && pat[px+1] == s[sx]:
				px += 2
				sx++
				continue
			case c == s[sx]:
				px++
				sx++
				continue
			}
		}
		if star < 0 {
			return false
		}
		mark++
		px, sx = star+1, mark
	}
	for px < len(pat) && pat[px] == '*' {
		px++
	}
	return px == len(pat)
}

func inClass(class string, c byte) bool {
	not := strings.HasPrefix(class, "!") || strings.HasPrefix(class, "^")
	if not {
		class = class[1:]
	}
	in := false
	for i := 0; i < len(class); i++ {
		if i+2 < len(class) && class[i+1] == '-' {
			in = in || class[i] <= c && c <= class[i+2]
			i += 2
			continue
		}
		in = in || class[i] == c
	}
	return in != not
}

// braces expands {a,b} and {1..3}; anything too large stays as it is.
func braces(w *syntax.Word) []*syntax.Word {
	has := false
	for _, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok && strings.Contains(l.Value, "{") {
			has = true
		}
	}
	if !has {
		return []*syntax.Word{w}
	}
	c := &syntax.Word{Parts: append([]syntax.WordPart(nil), w.Parts...)}
	if !syntax.SplitBraces(c) {
		return []*syntax.Word{w}
	}
	out := expandBraces(c.Parts)
	if len(out) > 256 {
		return []*syntax.Word{w}
	}
	return out
}

func expandBraces(parts []syntax.WordPart) []*syntax.Word {
	for i, p := range parts {
		b, ok := p.(*syntax.BraceExp)
		if !ok {
			continue
		}
		var mids [][]syntax.WordPart
		if b.Sequence {
			for _, s := range sequence(b.Elems) {
				mids = append(mids, []syntax.WordPart{&syntax.Lit{Value: s}})
			}
		} else {
			for _, e := range b.Elems {
				for _, x := range expandBraces(e.Parts) {
					mids = append(mids, x.Parts)
				}
			}
		}
		rest := expandBraces(parts[i+1:])
		var out []*syntax.Word
		for _, m := range mids {
			for _, r := range rest {
				ps := append([]syntax.WordPart(nil), parts[:i]...)
				ps = append(append(ps, m...), r.Parts...)
				out = append(out, &syntax.Word{Parts: ps})
				if len(out) > 256 {
					return out
				}
			}
		}
		return out
	}
	return []*syntax.Word{{Parts: parts}}
}

func sequence(elems []*syntax.Word) (out []string) {
	if len(elems) < 2 {
		return nil
	}
	a, b := elems[0].Lit(), elems[1].Lit()
	step := 1
	if len(elems) > 2 {
		if n, err := strconv.Atoi(elems[2].Lit()); err == nil && n != 0 {
			step = max(n, -n)
		}
	}
	x, e1 := strconv.Atoi(a)
	y, e2 := strconv.Atoi(b)
	char := e1 != nil || e2 != nil
	if char {
		if len(a) != 1 || len(b) != 1 {
			return nil
		}
		x, y = int(a[0]), int(b[0])
	}
	for n := 0; n < 256; n++ {
		if char {
			out = append(out, string(rune(x)))
		} else {
			out = append(out, strconv.Itoa(x))
		}
		if x < y {
			if x += step; x > y {
				break
			}
		} else if x > y {
			if x -= step; x < y {
				break
			}
		} else {
			break
		}
	}
	return out
}

// ansi decodes the escapes of $'...', printf %b and echo -e.
func ansi(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 >= len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		num := func(digits string, base, maxLen int) {
			j := i + 1
			for j < len(s) && j-i-1 < maxLen && strings.IndexByte(digits, lower(s[j])) >= 0 {
				j++
			}
			if j == i+1 {
				b.WriteByte('\\')
				b.WriteByte(s[i])
				return
			}
			n, _ := strconv.ParseUint(s[i+1:j], base, 32)
			if maxLen > 3 {
				b.WriteRune(rune(n))
			} else {
				b.WriteByte(byte(n))
			}
			i = j - 1
		}
		switch s[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'a':
			b.WriteByte(7)
		case 'b':
			b.WriteByte(8)
		case 'e', 'E':
			b.WriteByte(27)
		case 'f':
			b.WriteByte(12)
		case 'v':
			b.WriteByte(11)
		case '\\', '\'', '"', '?':
			b.WriteByte(s[i])
		case 'x':
			num("0123456789abcdef", 16, 2)
		case 'u':
			num("0123456789abcdef", 16, 4)
		case 'U':
			num("0123456789abcdef", 16, 8)
		case 'c':
			if i+1 < len(s) {
				i++
				b.WriteByte(s[i] & 0x1f)
			}
		case '0', '1', '2', '3', '4', '5', '6', '7':
			n := 3
			if s[i] == '0' {
				n = 4
			}
			j := i
			for j < len(s) && j-i < n && s[j] >= '0' && s[j] <= '7' {
				j++
			}
			v, _ := strconv.ParseUint(s[i:j], 8, 16)
			b.WriteByte(byte(v))
			i = j - 1
		default:
			b.WriteByte('\\')
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 32
	}
	return c
}

// arith evaluates an arithmetic expression as far as it is known; substitutions in it
// are read whatever the outcome.
func (sh *shell) arith(x syntax.ArithmExpr) (int, bool) {
	if x == nil || !sh.step() {
		return 0, false
	}
	switch x := x.(type) {
	case *syntax.Word:
		w := sh.one(x)
		if n, err := strconv.Atoi(w.Text); err == nil {
			return n, true
		}
		if n, err := strconv.ParseInt(w.Text, 0, 32); err == nil {
			return int(n), true
		}
		if syntax.ValidName(w.Text) {
			v, ok := sh.get(w.Text)
			if !ok {
				return 0, false
			}
			sh.subscript(v.Text)
			if n, err := strconv.Atoi(v.Text); err == nil {
				return n, true
			}
			return 0, false
		}
		sh.subscript(w.Text)
		return 0, false
	case *syntax.ParenArithm:
		return sh.arith(x.X)
	case *syntax.UnaryArithm:
		n, ok := sh.arith(x.X)
		switch x.Op {
		case syntax.Minus:
			return -n, ok
		case syntax.Plus:
			return n, ok
		case syntax.Not:
			if n == 0 {
				return 1, ok
			}
			return 0, ok
		}
		return 0, false
	case *syntax.BinaryArithm:
		a, ok1 := sh.arith(x.X)
		b, ok2 := sh.arith(x.Y)
		if x.Op == syntax.Assgn {
			if w, ok := x.X.(*syntax.Word); ok && w.Lit() != "" {
				if ok2 {
					sh.set(w.Lit(), command.Lit(strconv.Itoa(b)))
				} else {
					sh.set(w.Lit(), command.Lit(umpire.Hole))
				}
			}
			return b, ok2
		}
		if !ok1 || !ok2 {
			return 0, false
		}
		switch x.Op {
		case syntax.Add:
			return a + b, true
		case syntax.Sub:
			return a - b, true
		case syntax.Mul:
			return a * b, true
		case syntax.Quo:
			if b != 0 {
				return a / b, true
			}
		case syntax.Rem:
			if b != 0 {
				return a % b, true
			}
		case syntax.Comma:
			return b, true
		}
	}
	return 0, false
}
