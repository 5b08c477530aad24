package code

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// either returns a value that may be a or b. Texts are kept as texts of one value, and other values
// side by side.
func either(a, b value) value {
	if a.isNil() {
		return b
	}
	if b.isNil() {
		return a.plain()
	}
	all := a.plain().possible()
	for _, x := range b.plain().possible() {
		all = join(all, x)
	}
	out := all[0]
	out.taint |= a.taint | b.taint
	out.or = all[1:]
	return out
}

// join adds a possible value to others.
func join(all []value, x value) []value {
	for i, y := range all {
		if z, ok := y.merged(x); ok {
			all[i] = z
			return all
		}
	}
	if len(all) < maxAlts {
		return append(all, x)
	}
	return append(all[:maxAlts-1], value{alts: []string{umpire.Hole}, taint: x.taint}) // as in concat
}

// possible returns the values that v may have, one by one.
func (v value) possible() []value {
	if len(v.or) == 0 {
		return []value{v}
	}
	one := v
	one.or = nil
	return append([]value{one}, v.or...)
}

// through returns what a function makes of each possible value.
func (v value) through(f func(value) value) (out value) {
	for i, x := range v.possible() {
		if y := f(x); i == 0 {
			out = y
		} else {
			out = either(out, y)
		}
	}
	return out
}

// eachText returns what a function makes of each text that v may have.
func (v value) eachText(f func(value) value) (out value) {
	for i, a := range v.all() {
		one := v
		one.alts = []string{a}
		if x := f(one); i == 0 {
			out = x
		} else {
			out = either(out, x)
		}
	}
	return out
}

// merged returns one value for v and o if it can stand for both: texts, a list that has all elements
// of the other, dictionaries.
func (v value) merged(o value) (value, bool) {
	budget := maxItems
	switch {
	case v.same(o, &budget):
		return v, true
	case o.opaque():
		v.taint |= o.taint
		return v, true
	case v.seq && o.seq && v.keys != nil && o.keys != nil && v.ref == o.ref:
		for i, k := range o.keys {
			if i < len(o.list) {
				x, _ := v.get(k)
				v = v.with(k, either(x, o.list[i]))
			}
		}
		return v, true
	case v.seq && o.seq && v.keys == nil && o.keys == nil && v.ref == o.ref:
		return v.extends(o)
	case v.seq || o.seq || v.fn != nil || o.fn != nil || v.module != nil || o.module != nil || len(o.alts) == 0 || o.ref != v.textRef():
		return v, false
	}
	if len(v.alts) == 0 { // the result of an undescribed call, or a text
		v = value{alts: []string{umpire.Hole}, taint: v.taint}
	}
	v.alts = slices.Clone(v.alts)
	for _, x := range o.alts {
		if slices.Contains(v.alts, x) {
			continue
		}
		if len(v.alts) >= maxAlts {
			v.alts[0] = umpire.Hole // as in concat
			break
		}
		v.alts = append(v.alts, x)
	}
	v.taint |= o.taint
	return v, true
}

// opaque reports whether nothing is known of a value but the name of the call that returned it.
func (v value) opaque() bool {
	return len(v.alts) == 0 && !v.seq && v.fn == nil && v.module == nil && strings.Contains(v.ref, "()") && v.ref[0] != '$'
}

// textRef returns the name of the other texts that v may also be: none, unless v is a path.
func (v value) textRef() string {
	switch {
	case len(v.alts) == 0 && strings.HasSuffix(v.ref, "()"):
		return ""
	case len(v.alts) == 0:
		return "-"
	}
	return v.ref
}

// extends returns the longer of two lists, in which the elements that the other lacks are optional:
// cmd.append("--dry-run") may not run.
func (v value) extends(o value) (value, bool) {
	long, short := v.list, o.list
	if len(short) > len(long) {
		long, short = short, long
	}
	budget, n := 4*maxItems, 0
	list := slices.Clone(long)
	for i := range list {
		if n < len(short) && list[i].same(short[n], &budget) {
			list[i].optional = list[i].optional || short[n].optional
			n++
		} else {
			list[i].optional = true
		}
	}
	v.list, v.taint = list, v.taint|o.taint
	return v, n == len(short)
}

// same reports whether two values are equal, as far as the budget of comparisons suffices.
func (v value) same(o value, budget *int) bool {
	if *budget--; *budget < 0 {
		return false
	}
	equal := func(a, b value) bool { return a.same(b, budget) }
	return v.ref == o.ref && v.fn == o.fn && v.seq == o.seq && v.taint == o.taint && v.module == o.module && v.class == o.class &&
		(v.recv == o.recv || v.recv != nil && o.recv != nil && v.recv.same(*o.recv, budget)) && (v.keys == nil) == (o.keys == nil) &&
		slices.Equal(v.alts, o.alts) && slices.Equal(v.keys, o.keys) && slices.EqualFunc(v.list, o.list, equal) && slices.EqualFunc(v.or, o.or, equal)
}

// variants returns the lists that a list with optional elements may be: all elements, only those
// that are not optional, and all but one.
func variants(list []value) (out [][]value) {
	out = append(out, list)
	lacks := func(drop func(int) bool) {
		var some []value
		for i, x := range list {
			if !x.optional || !drop(i) {
				some = append(some, x)
			}
		}
		if len(some) < len(list) && len(some) > 0 {
			out = append(out, some)
		}
	}
	lacks(func(int) bool { return true })
	for i, x := range list {
		if x.optional && len(out) < maxAlts {
			lacks(func(j int) bool { return i == j })
		}
	}
	return out
}

// spreads returns the lists that a list may be if each of its lists that are only possible gives it its
// elements: [*x, "y"].
func spreads(list []value) [][]value { return spreadsOf(list, 4) }

// spreadsOf is spreads. After n such lists, the elements of all that are possible count.
func spreadsOf(list []value, n int) (out [][]value) {
	at := slices.IndexFunc(list, func(v value) bool { return v.optional && len(v.or) > 0 })
	if at < 0 {
		return [][]value{list}
	}
	if n == 0 {
		var all []value
		for _, v := range list {
			for _, x := range v.possible() {
				if v.optional {
					all = append(all, x.items()...)
				} else {
					all = append(all, v)
				}
			}
		}
		return [][]value{all}
	}
	for _, after := range spreadsOf(list[at+1:], n-1) {
		for _, x := range list[at].possible() {
			if len(out) < maxAlts*maxAlts {
				out = append(out, slices.Concat(list[:at], x.characters().items(), after))
			}
		}
	}
	return out
}
