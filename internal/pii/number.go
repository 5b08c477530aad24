package pii

import "unicode/utf8"

// A group is a run of digits in a number that is written in groups.
type group struct {
	start, end int
	sep        byte // the separator before it
}

func (g group) len() int { return g.end - g.start }

// number looks for a number that begins at the digit at p.
func (c *scan) number(p int) (Span, bool) {
	prev, before := c.back(p-1), c.back(p-2)
	switch {
	case prev == '-' || prev == '.' || prev == '/' || prev == ':':
		if isDigit(before) || prev == '-' && isAlnum(before) && c.inIdentifier(p-2) || prev == '.' && isSpaceOrEnd(before) {
			return Span{}, false // 1.5, 2026-01-02, a UUID
		}
	case prev == '$' || prev == '+' || prev == '\\' || prev == '%':
		return Span{}, false
	case prev >= utf8.RuneSelf:
		switch r, _ := utf8.DecodeLastRuneInString(c.s[:p]); r {
		case '€', '£', '¥', '₹', '₽':
			return Span{}, false
		}
	}
	on := c.f.on
	if on.ip {
		if s, ok := c.ip4(p); ok || c.short || c.dotted(p) {
			return s, ok
		}
	}
	groups := c.groups(p)
	if c.short && groups == nil {
		return Span{}, false
	}
	if on.card {
		if s, ok := c.card(groups); ok {
			return s, ok
		}
		if g := c.parted(p, make([]group, 0, 5)); len(g) > 1 {
			if s, ok := c.card(g); ok || c.short {
				return s, ok
			}
		}
	}
	if on.national {
		if s, ok := c.nationalNumber(groups); ok || c.short {
			return s, ok
		}
	}
	if on.ssn {
		if s, ok := c.ssn(groups); ok {
			return s, ok
		}
	}
	if on.nhs {
		if s, ok := c.nhs(groups); ok {
			return s, ok
		}
	}
	if on.phone {
		return c.phone(p)
	}
	return Span{}, false
}

// inIdentifier reports whether the word that ends at i contains digits, so that the text after its
// dash is part of it.
func (c *scan) inIdentifier(i int) bool {
	for k := i; k >= 0 && k > i-40 && (isAlnum(c.s[k]) || c.s[k] == '-'); k-- {
		if isDigit(c.s[k]) {
			return true
		}
	}
	return false
}

// groups returns the groups of digits at p with one space, dash or dot between them.
func (c *scan) groups(p int) []group {
	g := c.group[:0]
	var sep byte
	for i, digits := p, 0; len(g) < cap(g); {
		start := i
		for i-start < 24 && isDigit(c.at(i)) {
			i++
		}
		g = append(g, group{start, i, sep})
		digits += i - start
		sep = c.at(i)
		if sep != ' ' && sep != '-' && sep != '.' || !isDigit(c.at(i+1)) || digits > 24 {
			break
		}
		i++
	}
	return g
}

// parted returns the groups of digits at p with the same unusual separator between them, such as
// "5500/0000/0000/0004" or "5500 - 0000 - 0000 - 0004". It appends them to g, up to its capacity.
func (c *scan) parted(p int, g []group) []group {
	i := p
	for i-p <= 4 && isDigit(c.at(i)) {
		i++
	}
	sep := ""
	for _, s := range [...]string{"/", "|", "  ", " / ", " - ", " . ", " | "} {
		if c.has(i, s) && isDigit(c.at(i+len(s))) {
			sep = s
		}
	}
	if i-p != 4 || sep == "" { // all cards begin with four digits
		return nil
	}
	for i = p; len(g) < cap(g); i += len(sep) {
		start := i
		for i-start < 24 && isDigit(c.at(i)) {
			i++
		}
		g = append(g, group{start, i, sep[len(sep)/2]})
		if !c.has(i, sep) || !isDigit(c.at(i+len(sep))) {
			break
		}
	}
	return g
}

// digits returns the digits of groups in buf, or nil if they do not fit.
func (c *scan) digits(buf []byte, g []group) []byte {
	n := 0
	for _, x := range g {
		n += x.len()
	}
	if n > cap(buf) {
		return nil
	}
	buf = buf[:0]
	for _, x := range g {
		buf = append(buf, c.s[x.start:x.end]...)
	}
	return buf
}

// alike reports whether groups have these lengths and the same separator.
func alike(g []group, lens ...int) bool { return sized(g, true, lens...) }

// sized reports whether groups have these lengths, and the same separator if need be.
func sized(g []group, same bool, lens ...int) bool {
	if len(g) < len(lens) {
		return false
	}
	for i, n := range lens {
		if g[i].len() != n || same && i > 1 && g[i].sep != g[1].sep {
			return false
		}
	}
	return true
}

// ends reports whether a number may end at e, because nothing after it continues it.
func (c *scan) ends(e int) bool {
	b := c.at(e)
	if isAlnum(b) || b == '_' || b == '@' || b == '%' {
		return false
	}
	if b == '-' || b == '.' || b == ':' || b == '/' {
		return !isDigit(c.at(e+1)) && !(b == '-' && isAlnum(c.at(e+1)) && !(c.after(e) == saysPhone))
	}
	return true
}

// card looks for a payment card: the issuer's prefix, the length and the check digit.
func (c *scan) card(g []group) (Span, bool) {
	var n int
	switch {
	case g[0].len() >= 12 && g[0].len() <= 19:
		n = 1
	case alike(g, 4, 4, 4, 4, 3):
		n = 5
	case sized(g, false, 4, 4, 4, 4), alike(g, 4, 4, 4, 3):
		n = 4
	case alike(g, 4, 6, 5), alike(g, 4, 6, 4):
		n = 3
	default:
		return Span{}, false
	}
	if n > 1 && c.follows(g[0].start, true) || c.strict && c.before(g[0].start) == saysOther {
		return Span{}, false
	}
	for ; n > 0; n-- {
		var buf [19]byte
		d := c.digits(buf[:0:19], g[:n])
		end := g[n-1].end
		if len(d) >= 12 && issued(d) && luhn(d) && c.ends(end) {
			// A plain number of an unusual length is a card only if a word says so or it is the
			// whole text.
			if n > 1 || len(d) == 15 && d[0] != '1' || len(d) == 16 || c.before(g[0].start) == saysCard || c.isolated(g[0].start, end) {
				if n > 1 || c.before(g[0].start) != saysOther || c.isolated(g[0].start, end) {
					return Span{CreditCard, "", g[0].start, end}, true
				}
			}
		}
		if n != 5 {
			break
		}
	}
	return Span{}, false
}

// issued reports whether an issuer has cards with this prefix and length.
func issued(d []byte) bool {
	first := func(n int) int {
		v := 0
		for _, b := range d[:n] {
			v = v*10 + int(b-'0')
		}
		return v
	}
	n, two, three, four := len(d), first(2), first(3), first(4)
	switch {
	case d[0] == '4':
		return n == 13 || n == 16 || n == 19
	case two >= 51 && two <= 55 || four >= 2221 && four <= 2720 || four >= 2200 && four <= 2204:
		return n == 16 || n == 19 && four <= 2204
	case two == 34 || two == 37:
		return n == 15
	case three >= 300 && three <= 305 || three == 309 || two == 36 || two == 38 || two == 39:
		return n >= 14 && n <= 19
	case two == 35:
		return n >= 16 && n <= 19
	case four == 1800 || four == 2131:
		return n == 15
	case two == 60 || two == 62 || two == 64 || two == 65 || two == 81 || two == 82:
		return n >= 16 && n <= 19 || n >= 12 && two <= 65
	case d[0] == '1':
		return n == 15 // air travel
	case two == 50 || two >= 56 && two <= 69:
		return true
	}
	return false
}

func luhn(d []byte) bool {
	sum, same := 0, true
	for i, b := range d {
		v := int(b - '0')
		if (len(d)-i)%2 == 0 {
			if v *= 2; v > 9 {
				v -= 9
			}
		}
		sum += v
		same = same && b == d[0]
	}
	return sum%10 == 0 && !same
}

// ssn looks for a United States social security number.
func (c *scan) ssn(g []group) (Span, bool) {
	var n int
	switch {
	case alike(g, 3, 2, 4):
		n = 3
	case alike(g, 3, 6), alike(g, 5, 4):
		n = 2
	case g[0].len() == 9:
		n = 1
	default:
		return Span{}, false
	}
	var buf [9]byte
	d := c.digits(buf[:0:9], g[:n])
	start, end := g[0].start, g[n-1].end
	area := string(d[:3])
	if area == "000" || area == "666" || area[0] == '9' || string(d[3:5]) == "00" || string(d[5:]) == "0000" || !c.ends(end) {
		return Span{}, false
	}
	context := c.before(start)
	if context != saysSSN && (string(d) == "078051120" || string(d) == "219099999") { // printed on sample cards that came with wallets
		return Span{}, false
	}
	ok := context == saysSSN || context == says && n < 3 && c.isolated(start, end)
	if n == 3 && !ok {
		ok = context != saysOther && !c.strict && (context != saysPhone || g[1].sep == '-')
	}
	return Span{SSN, "", start, end}, ok
}

// nhs looks for a number of the British National Health Service.
func (c *scan) nhs(g []group) (Span, bool) {
	n := 1
	if alike(g, 3, 3, 4) && g[1].sep != '.' {
		n = 3
	} else if g[0].len() != 10 {
		return Span{}, false
	}
	var buf [10]byte
	d := c.digits(buf[:0:10], g[:n])
	sum, same := 0, true
	for i, b := range d[:9] {
		sum += (10 - i) * int(b-'0')
		same = same && b == d[0]
	}
	check := (11 - sum%11) % 11
	start, end := g[0].start, g[n-1].end
	if check == 10 || check != int(d[9]-'0') || same || !c.ends(end) {
		return Span{}, false
	}
	context := c.before(start)
	return Span{NHS, "", start, end}, context == saysNHS || context == says && c.isolated(start, end) && !c.american(d)
}

// american reports whether ten digits are a phone number of North America.
func (c *scan) american(d []byte) bool {
	return d[0] >= '2' && d[3] >= '2' && (d[1] != '1' || d[2] != '1') && (d[1] != '9' && d[2] != '9')
}
