package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"mvdan.cc/sh/v3/syntax"
)

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
				f.many = f.many || e.Many
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
		if !w.Known() && !p.Length && !testsIfSet(p) { // any variable, those that hold credentials among them
			put(command.Word{Text: umpire.Hole, Taint: command.FromKey | w.Taint})
			return
		}
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
		// Both are arithmetic, which may run commands, whatever the variable holds.
		off, ok := sh.arith(p.Slice.Offset)
		n, ok2 := len(w.Text), true
		if p.Slice.Length != nil {
			n, ok2 = sh.arith(p.Slice.Length)
		}
		if unknown || !ok || !ok2 || !w.Known() {
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
	if _, own := sh.vars[name]; !own && command.KeyName(name) && !testsIfSet(p) {
		w.Taint |= command.FromKey
	} else if !own && likelyKey(name) {
		w.Taint |= command.FromLikelyKey
	}
	if unknown && addressName(name) {
		w.Taint |= command.FromAddress
	}
	if all && !star && !w.Known() {
		f.many = true // also in quotes
	}
	put(w)
}

// nth is a word of a list. Behind one that may be several nobody can say which it is.
func nth(list []command.Word, n int) (command.Word, bool) {
	if uncounted(list[:min(n, len(list))]) {
		return several(list), true
	}
	if n >= len(list) {
		return command.Word{}, false
	}
	return list[n], true
}

// uncounted reports whether nobody can say how many words a list has.
func uncounted(list []command.Word) bool {
	return slices.ContainsFunc(list, func(w command.Word) bool { return w.Many })
}

// several stands for any number of words of a list.
func several(list []command.Word) command.Word {
	w := command.Word{Text: umpire.Hole, Many: true}
	for _, e := range list {
		w.Taint |= e.Taint
	}
	return w
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
		if n == 0 && sh.file != "" {
			return command.Lit(sh.file), true
		}
		if n == 0 {
			return command.Lit("bash"), true
		}
		w, ok := nth(sh.params, n-1)
		return w, ok || len(sh.calls) > 0
	}
	switch name {
	case "BASH_SOURCE":
		if _, ok := sh.vars[name]; !ok {
			if sh.file != "" {
				return command.Lit(sh.file), true
			}
			return command.Lit("bash"), true
		}
	case "#":
		if uncounted(sh.params) {
			return command.Lit(umpire.Hole), true
		}
		return command.Lit(strconv.Itoa(len(sh.params))), true
	case "$", "RANDOM", "SECONDS", "BASHPID", "PPID", "UID", "EUID", "LINENO":
		return command.Lit(command.Number), true
	case "?", "!", "-", "_":
		return command.Lit(umpire.Hole), true
	}
	if v, ok := sh.vars[name]; ok && v.array && p.Index != nil {
		if n, ok := sh.arith(p.Index); ok {
			if n < 0 && uncounted(v.elems) {
				return several(v.elems), true
			} else if n < 0 {
				n += len(v.elems)
			}
			if n < 0 {
				return command.Word{}, true
			}
			w, _ := nth(v.elems, n)
			return w, true // what is not there is empty
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

// testsIfSet reports whether an expansion tells no more than whether a variable is set:
// ${NAME:+set}.
func testsIfSet(p *syntax.ParamExp) bool {
	return p.Exp != nil && (p.Exp.Op == syntax.AlternateUnset || p.Exp.Op == syntax.AlternateUnsetOrNull)
}

// addressName reports whether a variable is the address of a database by its name.
func addressName(name string) bool {
	if !strings.HasSuffix(name, "_URL") && !strings.HasSuffix(name, "_URI") && !strings.HasSuffix(name, "_DSN") {
		return false
	}
	for _, s := range [...]string{"DATABASE", "DB", "POSTGRES", "PG", "MYSQL", "MARIADB", "MONGO", "REDIS", "SQL", "PROD"} {
		if strings.Contains(name, s) {
			return true
		}
	}
	return false
}

// likelyKey reports whether a variable's name has a word for a credential in it.
func likelyKey(name string) bool {
	n := strings.ToUpper(name)
	for _, w := range []string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "API_KEY", "APIKEY", "PRIVATE_KEY", "ACCESS_KEY", "SECRET_KEY", "CREDENTIAL", "DATABASE_URL"} {
		if strings.Contains(n, w) {
			return true
		}
	}
	return false
}
