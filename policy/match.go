package policy

import (
	"net/netip"
	"regexp"
	"strings"

	"github.com/umpire-dev/umpire"
)

// anyGlob reads a list of globs and reports whether one of them matches one of the names. An empty
// list matches.
func anyGlob(r *reader, names ...string) bool {
	n := r.count()
	ok := n == 0
	for range n {
		g := r.string()
		for _, s := range names {
			ok = ok || (s != "" || len(names) == 1) && glob(g, s, false) // the main agent has neither ID nor role
		}
	}
	return ok
}

// decode reads one alternative of a pattern. Its parts are valid until the next call.
func (d *decision) decode(r *reader) alt {
	a := alt{form: form(r.byte())}
	a.kinds = uint16(r.uint())
	switch a.form {
	case formAny:
	case formPath:
		a.anchor = anchor(r.byte())
		a.text = r.string()
		if a.anchor >= anchorCount {
			r.bad = true
		}
	case formPlace, formTrait:
		a.with, a.without = r.uint(), r.uint()
	case formHost, formNet:
		a.method, a.host, a.port, a.path = r.string(), r.string(), r.string(), r.string()
		if a.form == formNet {
			a.net = prefix(r.string(), r.uint())
			if !a.net.IsValid() {
				r.bad = true
			}
		}
	case formWords:
		a.open = r.byte() != 0
		parts := d.parts[:0]
		for range r.count() {
			parts = append(parts, r.string())
		}
		a.parts = parts
	case formGlob, formRegex:
		a.text = r.string()
	default:
		r.bad = true
	}
	if r.bad {
		return alt{form: formCount}
	}
	return a
}

func prefix(addr string, bits uint64) netip.Prefix {
	var a netip.Addr
	switch len(addr) {
	case 4:
		a = netip.AddrFrom4([4]byte([]byte(addr)))
	case 16:
		a = netip.AddrFrom16([16]byte([]byte(addr)))
	}
	if bits > 128 {
		return netip.Prefix{}
	}
	return netip.PrefixFrom(a, int(bits))
}

// match matches an alternative of a deny or ask rule.
func (d *decision) match(a *alt, v *view) match {
	op := v.op
	switch a.form {
	case formAny:
		return sure
	case formTrait:
		return both(uint64(op.Traits), a)
	case formPlace:
		m := both(uint64(op.Places), a)
		if m == no && v.hole && strings.HasPrefix(v.path, umpire.Hole) && uint64(op.Places)&a.without == 0 {
			return could
		}
		return m
	case formPath:
		p := pathPattern{a.anchor, a.text}
		generated := op.Places&umpire.PlaceGenerated != 0
		if m := p.match(v.path, d.b, false, generated); m != no || op.Traits&umpire.Recursive == 0 {
			return m
		}
		m := p.match(v.path, d.b, true, generated)
		if op.Kind != umpire.Delete && op.Traits&umpire.Filtered != 0 && m != no {
			// Agents search their project for words all day, so only searches outside it are notable.
			if op.Kind == umpire.Read && op.Places&umpire.PlaceInWorkspace != 0 {
				return no
			}
			return could
		}
		return m
	case formHost, formNet:
		return a.hostPattern().match(v.target)
	case formWords:
		m := matchWords(a.parts, v.words)
		if m != sure {
			m = max(m, matchWords(a.parts, op.Spelled))
		}
		if m != sure && hasPair(a.parts) {
			m = max(m, matchValues(a.parts, v.words), matchValues(a.parts, op.Spelled))
		}
		if m != sure && len(v.words) > 0 {
			m = max(m, matchNamed(op, a, v.words))
		}
		return m
	case formGlob:
		return nameGlob(a.text, op.Resource)
	case formRegex:
		if re := d.p.regexp(a.text); re == nil || re.MatchString(v.text) {
			return sure
		}
	}
	return no
}

func both(set uint64, a *alt) match {
	if set&a.with == a.with && set&a.without == 0 {
		return sure
	}
	return no
}

// covers matches an alternative of an allow rule, or of unless. The match must be sure.
func (d *decision) covers(a *alt, v *view) bool {
	switch a.form {
	case formAny:
		return true
	case formPlace:
		return (!v.hole || v.op.Traits&umpire.Found != 0) && both(uint64(v.op.Places), a) == sure
	case formPath:
		return pathPattern{a.anchor, a.text}.covers(v.path, d.b)
	case formHost, formNet:
		return a.hostPattern().covers(v.target)
	case formWords:
		return coversWords(a.parts, a.open, v.words) || coversNamed(a, v.op, v.words)
	}
	return d.match(a, v) == sure
}

// regexp compiles on first use, so an action without candidate text rules never pays for it. It
// returns nil for a damaged expression, which then matches everything.
func (p *Policy) regexp(src string) *regexp.Regexp {
	if re, ok := p.regexps.Load(src); ok {
		return re.(*regexp.Regexp)
	}
	re, err := regexp.Compile(src)
	if err != nil {
		return nil
	}
	p.regexps.Store(strings.Clone(src), re)
	return re
}
