package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"mvdan.cc/sh/v3/syntax"
)

// each expands all elements of a list: "$@", "${a[*]}", "${a[@]:1}", "${a[@]#x}", ${!a[@]}.
func (sh *shell) each(f *fields, p *syntax.ParamExp, star, q bool, put func(command.Word)) {
	elems := sh.elements(p.Param.Value)
	if v, ok := sh.vars[p.Param.Value]; ok && v.array && !v.named {
		elems = v.inOrder()
	}
	switch {
	case p.Excl:
		elems = variable{array: true, elems: sh.keys(p.Param.Value), keys: sh.vars[p.Param.Value].keys}.inOrder()
	case p.Slice != nil:
		elems = sh.sliced(elems, p)
	case p.Exp != nil || p.Repl != nil:
		if len(elems) == 0 { // "${@:-x}"
			elems = []command.Word{{}}
		}
		elems = slices.Clone(elems)
		for i, e := range elems {
			many := e.Many
			elems[i] = sh.changedBy(p, e, e.Text != "" || len(elems) > 1, false)
			elems[i].Many = many
		}
	}
	if star && q {
		put(command.Join(elems, sh.separator()))
		return
	}
	if len(elems) == 0 && f.text.Len() == 0 { // "$@" without parameters is no word
		f.some = false
	}
	for i, e := range elems {
		if i > 0 {
			f.end()
		}
		if q {
			f.t |= e.Taint
			f.many = f.many || e.Many
			f.add(e.Listed(), true)
		} else {
			put(e)
		}
	}
}

// separators returns the characters at which the shell splits words.
func (sh *shell) separators() string {
	if ifs, ok := sh.vars["IFS"]; ok && len(ifs.alts) > 0 {
		return ifs.alts[0].Text
	}
	return " \t\n"
}

// separator returns the text between the elements of "$*".
func (sh *shell) separator() string {
	s := sh.separators()
	return s[:min(1, len(s))]
}

// slice evaluates the bounds of ${x:offset:length}. Both are arithmetic, which may run commands
// even if the variable is empty. Without a length, n is math.MaxInt32.
func (sh *shell) slice(s *syntax.Slice) (off, n int, ok bool) {
	off, ok = sh.arith(s.Offset)
	if s.Offset == nil {
		off, ok = 0, true
	}
	if n = noLength; s.Length != nil {
		var known bool
		n, known = sh.arith(s.Length)
		ok = ok && known
	}
	return off, n, ok
}

const noLength = 1<<31 - 1

// window returns the bounds of a part of size elements. The part begins at off, or -off before the
// end if off is negative. It has n elements, or ends -n before the end if n is negative.
func window(size, off, n int) (from, to int) {
	if off < 0 {
		off = max(0, size+off)
	}
	from = min(off, size)
	if to = size; n < 0 {
		to = size + n
	} else if n < size-from {
		to = from + n
	}
	return from, max(from, to)
}

// sliced returns the part of a list that ${x:offset:length} selects. The first positional parameter
// has the number 1.
func (sh *shell) sliced(list []command.Word, p *syntax.ParamExp) []command.Word {
	off, n, ok := sh.slice(p.Slice)
	if p.Index == nil && off >= 0 {
		if off == 0 && n > 0 {
			list = slices.Concat([]command.Word{command.Lit("bash")}, list)
		} else {
			off--
		}
	}
	if !ok || uncounted(list) {
		return []command.Word{several(list)}
	}
	from, to := window(len(list), off, n)
	return list[from:to]
}

// keys returns the value of ${!a[@]}: the keys of the elements.
func (sh *shell) keys(name string) []command.Word {
	v, ok := sh.vars[name]
	if !ok || !v.array {
		return []command.Word{{Text: umpire.Hole, Marks: command.Marks{Many: true}}}
	}
	out := make([]command.Word, len(v.elems))
	for i := range v.elems {
		out[i] = command.Lit(v.key(i))
	}
	return out
}

// inOrder returns the elements in the order of their indices, if all indices are known.
func (v variable) inOrder() []command.Word {
	if !v.array || len(v.keys) == 0 {
		return v.elems
	}
	order := make([]int, len(v.elems))
	numbers := make([]int, len(v.elems))
	for i := range v.elems {
		n, ok := number(v.key(i))
		if !ok {
			return v.elems
		}
		order[i], numbers[i] = i, n
	}
	slices.SortStableFunc(order, func(a, b int) int { return numbers[a] - numbers[b] })
	out := make([]command.Word, len(order))
	for i, at := range order {
		out[i] = v.elems[at]
	}
	return out
}

// key returns the key of the i-th element.
func (v variable) key(i int) string {
	if i < len(v.keys) && v.keys[i] != "" {
		return v.keys[i]
	}
	return strconv.Itoa(i)
}

// unsetElement removes an element; the others keep their keys.
func (sh *shell) unsetElement(name, key string) {
	v := sh.vars[name]
	var kept variable
	for i, e := range v.elems {
		if v.key(i) != key {
			kept.elems, kept.keys = append(kept.elems, e), append(kept.keys, v.key(i))
		}
	}
	if len(kept.elems) == len(v.elems) { // a computed key, or one that counts from the end
		kept.elems, kept.keys = []command.Word{several(v.elems)}, nil
	}
	v.elems, v.keys = kept.elems, kept.keys
	sh.vars[name] = v
}

// withPrefix returns the variable whose name begins with a prefix, for ${!prefix*}. If there are
// several, the result is unknown.
func (sh *shell) withPrefix(prefix string) command.Word {
	var list []string
	for n := range sh.vars {
		if strings.HasPrefix(n, prefix) {
			list = append(list, n)
		}
	}
	if len(list) != 1 {
		return command.Word{Text: umpire.Hole, Marks: command.Marks{Many: true}}
	}
	return command.Lit(list[0])
}

// element returns the element of an array at an index.
func (sh *shell) element(name string, v variable, index syntax.ArithmExpr) command.Word {
	if len(v.keys) > 0 {
		key := sh.keyText(index)
		if i := slices.Index(v.keys, key); i >= 0 && i < len(v.elems) {
			return v.elems[i]
		}
		if v.named && !strings.Contains(key, umpire.Hole) && !uncounted(v.elems) {
			return command.Word{} // a missing element is empty
		}
		return sh.any(name, v.elems)
	}
	n, ok := sh.arith(index)
	switch {
	case !ok || v.mixed:
		return sh.any(name, v.elems)
	case n < 0 && uncounted(v.elems):
		return several(v.elems)
	case n < 0:
		n += len(v.elems)
	}
	if n < 0 {
		return command.Word{}
	}
	w, _ := nth(v.elems, n)
	return w
}

// any returns one element of a list, a different one in each reading of the command.
func (sh *shell) any(name string, list []command.Word) command.Word {
	if len(list) == 0 || len(list) > maxAlts || sh.pick == nil {
		w := several(list)
		w.Many = false
		return w
	}
	return list[sh.pick.choose(name+"[", len(list))]
}

// nth returns the n-th word of a list. After a word that may become several, the position is
// unknown.
func nth(list []command.Word, n int) (command.Word, bool) {
	if uncounted(list[:min(n, len(list))]) {
		return several(list), true
	}
	if n >= len(list) {
		return command.Word{}, false
	}
	return list[n], true
}

// uncounted reports whether the number of words in a list is unknown.
func uncounted(list []command.Word) bool {
	return slices.ContainsFunc(list, func(w command.Word) bool { return w.Many })
}

// count returns the number of words in a list.
func count(list []command.Word) command.Word {
	if uncounted(list) {
		return command.Lit(umpire.Hole)
	}
	return command.Lit(strconv.Itoa(len(list)))
}

// several returns a word for any number of words of a list.
func several(list []command.Word) command.Word {
	w := command.Word{Text: umpire.Hole, Marks: command.Marks{Many: true}}
	for _, e := range list {
		w.Taint |= e.Taint
	}
	return w
}

// elements returns the positional parameters, or an array's elements.
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
	w, ok := sh.get(name)
	if !ok {
		return nil
	}
	return []command.Word{w}
}
