package shell

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"mvdan.cc/sh/v3/syntax"
)

// param expands ${...} and calls put for each resulting value. q is true if the values are not
// split.
func (sh *shell) param(f *fields, p *syntax.ParamExp, q bool, put func(command.Word)) {
	if p.Param == nil || p.Flags != nil {
		put(sh.zshParam(p))
		return
	}
	name := p.Param.Value
	if p.Index != nil {
		sh.arith(p.Index) // an index is evaluated, including its substitutions
	}
	all := name == "@" || name == "*"
	star := name == "*"
	if w, ok := p.Index.(*syntax.Word); ok && (w.Lit() == "@" || w.Lit() == "*") {
		all, star = true, w.Lit() == "*"
	}
	if p.Names != 0 {
		put(sh.withPrefix(name))
		return
	}
	if all && p.Length {
		put(count(sh.elements(name)))
		return
	}
	if all {
		sh.each(f, p, star, q, put)
		return
	}
	if v, ok := sh.vars[name]; ok && v.array && p.Index == nil && !q && !p.Length && !p.Excl && len(v.elems) > 1 && sh.pick != nil && sh.pick.choose(name+"[@]", 2) == 1 {
		sh.each(f, p, false, q, put) // zsh takes all elements
		return
	}
	w, set := sh.lookup(name, p)
	if p.Excl && set {
		sh.subscript(w.Text)
		if !w.Known() && !p.Length && !testsIfSet(p) { // any variable may be meant, even one that holds a credential
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
	w = sh.changedBy(p, w, set, unknown)
	if _, own := sh.vars[name]; !own && command.KeyName(name) && !testsIfSet(p) {
		w.Taint |= command.FromKey
	} else if !own && (likelyKey(name) || command.AddressName(name)) {
		w.Taint |= command.FromLikelyKey
	}
	if unknown {
		w.Taint |= command.NameTaint(name)
		if addressName(name) || command.AddressName(name) {
			w.Taint |= command.FromAddress
		}
	}
	put(w)
}

// changedBy applies the operator of an expansion to a value: ${x#y}, ${x/y/z}, ${x:1:2}.
func (sh *shell) changedBy(p *syntax.ParamExp, w command.Word, set, unknown bool) command.Word {
	switch {
	case p.Exp != nil:
		return sh.expansion(p.Param.Value, w, set, unknown, p.Exp)
	case p.Repl != nil:
		orig, with := sh.pattern(p.Repl.Orig), sh.one(p.Repl.With)
		if unknown || !w.Known() || !orig.Known() || strings.Contains(with.Text, "&") { // bash 5.2 replaces & with the match
			return command.Word{Text: umpire.Hole, Taint: w.Taint}
		}
		w = w.Part(replacePattern(w.Text, orig.Text, with.Text, p.Repl.All))
		w.Taint |= with.Taint
	case p.Slice != nil:
		off, n, ok := sh.slice(p.Slice)
		if unknown || !ok || !w.Known() {
			return command.Word{Text: umpire.Hole, Taint: w.Taint}
		}
		letters := []rune(w.Text)
		from, to := window(len(letters), off, n)
		w.Text = string(letters[from:to])
	case unknown:
		w = command.Lit(umpire.Hole)
		w.Filled = slices.Contains(sh.filled, p.Param.Value)
	}
	return w
}

// lookup returns the value of a parameter, including special ones.
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
		return count(sh.params), true
	case "$", "RANDOM", "SECONDS", "BASHPID", "PPID", "UID", "EUID", "LINENO":
		return command.Lit(command.Number), true
	case "?", "!", "-", "_":
		return command.Lit(umpire.Hole), true
	}
	if v, ok := sh.vars[name]; ok && v.array && p.Index != nil {
		return sh.element(name, v, p.Index), true
	}
	return sh.get(name)
}

// isUnset reports whether a variable is known to have no value.
func (sh *shell) isUnset(name string) bool {
	v, ok := sh.vars[name]
	return ok && len(v.alts) == 0 && !v.array
}

// expansion applies ${x:-y} and its variants. If it is unknown whether x is set, both outcomes are
// possible; expansion then takes the alternative, because an attacker controls it.
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
			other := command.Lit(umpire.Hole)
			other.Filled = e.Op != syntax.DefaultUnset && e.Op != syntax.AssignUnset // empty, it takes the default
			w = either(arg(), other)
		} else if sh.vars[name].perhaps {
			w = either(arg(), w)
		} else if !set || empty && (e.Op == syntax.DefaultUnsetOrNull || e.Op == syntax.AssignUnsetOrNull) {
			w = arg()
		} else {
			// Commands in the default are read even if it is not used: the adversary may know
			// better than umpire whether the variable has a value.
			sh.clone().one(e.Word)
			return w
		}
		if e.Op == syntax.AssignUnset || e.Op == syntax.AssignUnsetOrNull {
			sh.set(name, w)
		}
		return w
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if unknown || sh.vars[name].perhaps {
			return either(arg(), command.Word{})
		}
		if !set || empty && e.Op == syntax.AlternateUnsetOrNull {
			return command.Word{}
		}
		return arg()
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		if e.Op == syntax.ErrorUnsetOrNull && syntax.ValidName(name) {
			sh.fill(name) // else the shell ends
			if v, own := sh.vars[name]; own && v.isEmpty() {
				return something()
			} else if own {
				w, _ = sh.get(name)
				return begun(w)
			}
		}
		if unknown || !set {
			w = command.Lit(umpire.Hole)
			w.Filled = e.Op == syntax.ErrorUnsetOrNull
		}
		return w
	}
	if w.Found && (e.Op == syntax.RemSmallSuffix || e.Op == syntax.RemLargeSuffix) { // each name that a search found may end so
		if end := sh.pattern(e.Word).Text; !strings.ContainsAny(end, "*?[") && strings.HasSuffix(w.Text, end) {
			return command.Word{Text: strings.TrimSuffix(w.Text, end), Taint: w.Taint &^ command.Picked} // no name that the search printed
		}
	}
	if unknown || !w.Known() {
		if e.Op == syntax.OtherParamOps && set {
			sh.text(w.Text)
		}
		return command.Word{Text: umpire.Hole, Taint: w.Taint}
	}
	a := sh.pattern(e.Word)
	switch e.Op {
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		return w.With(trimPattern(w.Text, a.Text, false, e.Op == syntax.RemLargeSuffix))
	case syntax.RemSmallPrefix, syntax.RemLargePrefix:
		return w.With(trimPattern(w.Text, a.Text, true, e.Op == syntax.RemLargePrefix))
	case syntax.UpperAll, syntax.LowerAll, syntax.UpperFirst, syntax.LowerFirst:
		to := unicode.ToLower
		if e.Op == syntax.UpperAll || e.Op == syntax.UpperFirst {
			to = unicode.ToUpper
		}
		return w.With(inCase(w.Text, a.Text, to, e.Op == syntax.UpperFirst || e.Op == syntax.LowerFirst))
	case syntax.OtherParamOps:
		return sh.transformed(w, a.Text, set)
	}
	return w
}

// transformed returns the value of ${x@op}.
func (sh *shell) transformed(w command.Word, op string, set bool) command.Word {
	switch op {
	case "P":
		v := sh.text(w.Text)
		v.Taint |= w.Taint
		return v
	case "E":
		return w.With(ansi(w.Text))
	case "u":
		return w.With(inCase(w.Text, "", unicode.ToUpper, true))
	case "U":
		return w.With(strings.ToUpper(w.Text))
	case "L":
		return w.With(strings.ToLower(w.Text))
	case "Q", "K", "k":
		if !set {
			return w
		}
		return w.With(asQuoted(w.Text))
	default: // ${x@a} prints attributes, and ${x@A} a declaration
		return w.With(umpire.Hole)
	}
}

// inCase changes the case of the letters that match a pattern, or of all letters if the pattern is
// empty.
func inCase(s, pat string, to func(rune) rune, first bool) string {
	var b strings.Builder
	for i, r := range s {
		if (i == 0 || !first) && (pat == "" || globMatch(pat, string(r))) {
			r = to(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}

// asQuoted quotes a text as ${x@Q} does.
func asQuoted(s string) string {
	if strings.ContainsFunc(s, unicode.IsControl) {
		return umpire.Hole
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
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
		if at := i; !prefix && at > 0 && at < n && !utf8.RuneStart(s[n-at]) || prefix && at < n && !utf8.RuneStart(s[at]) {
			continue // inside a multi-byte character
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
	switch {
	case pat == "" && anchorStart:
		return with + s
	case pat == "" && anchorEnd:
		return s + with
	case pat == "":
		return s
	case s == "" && globMatch(pat, s):
		return with
	}
	if !hasGlob(pat) && !strings.Contains(pat, `\`) && !anchorStart && !anchorEnd {
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
			_, size := utf8.DecodeRuneInString(s[i:])
			b.WriteString(s[i : i+size])
			i += max(1, size)
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

// testsIfSet reports whether an expansion shows only whether a variable is set: ${NAME:+set}.
func testsIfSet(p *syntax.ParamExp) bool {
	return p.Exp != nil && (p.Exp.Op == syntax.AlternateUnset || p.Exp.Op == syntax.AlternateUnsetOrNull)
}

// addressName reports whether the name of a variable says that it is the address of a database.
func addressName(name string) bool {
	if !strings.HasSuffix(name, "_URL") && !strings.HasSuffix(name, "_URI") && !strings.HasSuffix(name, "_DSN") {
		return false
	}
	return anyof.Contains(name, "DATABASE", "DB", "POSTGRES", "PG", "MYSQL", "MARIADB", "MONGO", "REDIS", "SQL", "PROD")
}

// likelyKey reports whether the name of a variable contains a word for a credential.
func likelyKey(name string) bool {
	n := strings.ToUpper(name)
	return anyof.Contains(n, "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "API_KEY", "APIKEY", "PRIVATE_KEY", "ACCESS_KEY", "SECRET_KEY", "CREDENTIAL")
}
