package code

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// format fills a printf format.
func format(f value, args []value) value {
	if len(args) == 1 && args[0].seq && args[0].keys == nil {
		args = args[0].list
	}
	out := value{taint: f.taint}
	for _, a := range args {
		out.taint |= a.taint
	}
	for _, s := range f.all() {
		var b strings.Builder
		n := 0
		for i := 0; i < len(s) && b.Len() <= maxValue; i++ {
			if s[i] != '%' || i+1 >= len(s) {
				b.WriteByte(s[i])
				continue
			}
			i++
			if s[i] == '%' {
				b.WriteByte('%')
				continue
			}
			if s[i] == '(' { // Python's %(name)s
				if e := strings.IndexByte(s[i:], ')'); e > 0 {
					name := s[i+1 : i+e]
					i += e + 1
					x := umpire.Hole
					for _, a := range args {
						if v, ok := a.get(name); ok {
							x = v.text()
						}
					}
					b.WriteString(x)
					continue
				}
			}
			for i < len(s) && strings.IndexByte("0123456789.-+ #", s[i]) >= 0 {
				i++
			}
			if i >= len(s) {
				break
			}
			x := umpire.Hole
			if n < len(args) {
				x = args[n].text()
				if s[i] == 'c' {
					x = chars(args[n : n+1]).text()
				}
			}
			n++
			b.WriteString(x)
		}
		if b.Len() > maxValue {
			return value{taint: out.taint}
		}
		out.alts = append(out.alts, b.String())
	}
	return out
}

// braces fills "{} {0} {name}".format.
func braces(f value, args []value, kw value) value {
	out := value{taint: f.taint | kw.taint}
	for _, a := range args {
		out.taint |= a.taint
	}
	s := f.text()
	var b strings.Builder
	n := 0
	for i := 0; i < len(s) && b.Len() <= maxValue; i++ {
		if s[i] != '{' {
			b.WriteByte(s[i])
			continue
		}
		e := strings.IndexByte(s[i:], '}')
		if e < 0 {
			b.WriteString(s[i:])
			break
		}
		name, _, _ := strings.Cut(s[i+1:i+e], ":")
		i += e
		x := umpire.Hole
		if v, ok := kw.get(name); ok {
			x = v.text()
		} else if k, err := atoi(name); err == nil && k >= 0 && k < len(args) {
			x = args[k].text()
		} else if name == "" && n < len(args) {
			x = args[n].text()
			n++
		}
		b.WriteString(x)
	}
	if b.Len() > maxValue {
		return value{taint: out.taint}
	}
	out.alts = []string{b.String()}
	return out
}
