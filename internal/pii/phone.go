package pii

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// A plan describes the phone numbers of a region.
type plan struct {
	region  string
	code    int
	prefix  string // prefix of a national number when it is dialed
	pattern string
}

// A region compiles its plan at its first use.
type region struct {
	plan
	once    sync.Once
	pattern *regexp.Regexp
}

var regions = func() []region {
	r := make([]region, len(plans))
	for i := range plans {
		r[i].plan = plans[i]
	}
	return r
}

var allRegions = sync.OnceValue(regions)

func byRegion(name string) *region {
	all := allRegions()
	for i := range all {
		if all[i].region == name {
			return &all[i]
		}
	}
	return nil
}

// valid reports whether the region has this national number.
func (r *region) valid(national string) bool {
	r.once.Do(func() { r.pattern = regexp.MustCompile(`^(?:` + r.plan.pattern + `)$`) })
	return r.pattern.MatchString(national)
}

// international reports whether digits after a plus are an assigned number.
func international(d string) bool {
	all := allRegions()
	for n := 1; n <= 3 && n < len(d); n++ {
		code := 0
		for _, b := range d[:n] {
			code = code*10 + int(b-'0')
		}
		known := false
		for i := range all {
			if all[i].code != code {
				continue
			}
			known = true
			for _, cut := range [...]string{"", "0", all[i].prefix} { // +41 (0)62
				if rest, ok := strings.CutPrefix(d[n:], cut); ok && all[i].valid(rest) {
					return true
				}
			}
		}
		if known {
			// The plans become outdated, and people also write numbers from films and tests.
			rest := len(d) - n
			return rest >= 7 && rest <= 12 && n+rest <= 15
		}
	}
	return false
}

const longestPhone = 40

// phone looks for a phone number that begins at p with a plus, a bracket or a digit.
func (c *scan) phone(p int) (Span, bool) {
	prev := c.back(p - 1)
	if c.s[p] == '+' && (isAlnum(prev) || prev == '+' || prev == ')') || c.s[p] == '(' && (isAlnum(prev) || prev == '_' || prev == ')' || prev == ']') {
		return Span{}, false
	}
	var d dialing
	if !c.dialing(p, &d) || d.n < 7 && c.at(p) != 0 && d.stops[d.ns-1].digits < 7 {
		return Span{}, false
	}
	words := c.before(p)
	for d.ns--; d.ns >= 0; d.ns-- {
		s := d.stops[d.ns]
		if s.digits < 7 || s.digits > 15 {
			continue
		}
		end := c.extension(s.at)
		if !c.ends(end) {
			continue
		}
		meaning := words
		switch after := c.after(end); {
		case after == saysCount && !d.plus && s.brackets == 0 && counted(d.groups[:s.groups]):
			return Span{}, false // checked for the longest reading: no part of an amount is a phone number
		case meaning != saysPhone && (after == saysPhone || c.strict && meaning == says && c.called(end)):
			meaning = saysPhone
		}
		if c.dialed(string(d.digits[:s.digits]), d.groups[:s.groups], d.plus, s.brackets > 0, meaning) {
			return Span{Phone, "", p, end}, true
		}
	}
	return Span{}, false
}

// counted reports whether groups are separated like those of an amount.
func counted(g []group) bool {
	return !slices.ContainsFunc(g[1:], func(g group) bool { return g.sep != ' ' && g.sep != '.' })
}

// dialing is a run of digits in groups, with the places where a phone number in it could end.
type dialing struct {
	plus   bool
	digits [20]byte
	n      int
	groups [12]group
	ng     int
	stops  [12]stop
	ns     int
}

// stop is an end of a number, with the numbers of digits, groups and brackets before it.
type stop struct{ at, digits, groups, brackets int }

// dialing reads the groups of digits that begin at p. It reports whether a number could end
// anywhere.
func (c *scan) dialing(p int, d *dialing) bool {
	i := p
	if d.plus = c.s[p] == '+'; d.plus {
		i++
		if c.at(i) == ' ' || c.at(i) == '(' {
			i++
		}
		if !isDigit(c.at(i)) {
			return false
		}
	}
	brackets := 0 // number of brackets around area codes
	open := false
	sep := byte(0)
	for i-p < longestPhone && d.ng < len(d.groups) {
		start := i
		if c.at(i) == '(' && !open && (isDigit(c.at(i+1)) || c.at(i+1) == '+' && isDigit(c.at(i+2))) {
			open = true
			brackets++
			i++
			if c.at(i) == '+' {
				d.plus = true
				i++
			}
			start = i
		}
		for isDigit(c.at(i)) && d.n < len(d.digits) {
			d.digits[d.n] = c.s[i]
			d.n++
			i++
		}
		if i == start || d.n >= len(d.digits) {
			break
		}
		d.groups[d.ng] = group{start, i, sep}
		d.ng++
		if open {
			if c.at(i) != ')' || i-start > 5 {
				break
			}
			i++
			open = false
		}
		d.stops[d.ns] = stop{i, d.n, d.ng, brackets}
		d.ns++
		k := i
		sep = ' '
		for k-i < 3 { // one separator, possibly with spaces around it
			w := c.separator(k)
			if w <= 0 {
				break
			}
			if c.s[k] != ' ' {
				sep = c.s[k]
			}
			k += w
		}
		if b := c.at(k); !isDigit(b) && b != '(' || k == i && b != '(' && c.s[i-1] != ')' {
			break
		}
		i = k
	}
	return d.ns > 0
}

// called reports whether one of the two words after a number is a verb for a call, as in languages
// whose verb comes last.
func (c *scan) called(i int) bool {
	k := i
	for range 2 {
		for c.at(k) == ' ' {
			k++
		}
		start := k
		for k-start < 40 && (isLetter(c.at(k)) || c.at(k) >= utf8.RuneSelf && c.letter(k)) {
			k += max(1, c.width(k))
		}
		switch strings.ToLower(c.s[start:k]) {
		case "numarasından", "numaralı", "numarayı", "ara", "arayın", "कॉल", "फोन", "फ़ोन":
			return true
		}
	}
	return false
}

// separator returns the length of the separator between groups at i, or zero.
func (c *scan) separator(i int) int {
	switch b := c.at(i); {
	case b == ' ' || b == '-' || b == '.' || b == '/':
		return 1
	case b >= utf8.RuneSelf:
		if !utf8.FullRuneInString(c.s[i:]) {
			c.short = c.short || !c.last
		}
		switch r, n := utf8.DecodeRuneInString(c.s[i:]); r {
		case 0xa0, 0x2010, 0x2011, 0x2012, 0x2013, 0x2009, 0x202f:
			return n
		}
	}
	return 0
}

// extension returns the end of an extension at i, or i if there is none.
func (c *scan) extension(i int) int {
	for _, word := range [...]string{"x", " x", " ext. ", " ext ", " ext.", ", ext. ", " extension "} {
		if c.has(i, word) && isDigit(c.at(i+len(word))) {
			k := i + len(word)
			for k < i+len(word)+6 && isDigit(c.at(k)) {
				k++
			}
			return k
		}
	}
	return i
}

// dialed reports whether digits in groups are a phone number.
func (c *scan) dialed(d string, g []group, plus, brackets bool, meaning context) bool {
	if strings.Trim(d, "01") == "" || strings.HasPrefix(d, "000") || strings.Trim(d, d[:1]) == "" || !plus && dated(c.s, g) {
		return false
	}
	if plus {
		return international(d)
	}
	if meaning == saysOther || meaning == saysSSN || meaning == saysCard || meaning == saysNHS {
		return false
	}
	if meaning == saysPhone {
		return len(g) > 1 || brackets || len(d) >= 7
	}
	if meaning == saysCalls && (len(g) > 1 || brackets || len(d) >= 9 && c.national(d)) {
		return true
	}
	if bracketed(c.s, g) {
		return false
	}
	if meaning == saysNumber && len(d) >= 9 && c.national(d) {
		return true
	}
	if c.strict || len(g) == 1 && !brackets {
		return false // it could be any number
	}
	if strings.HasPrefix(d, "00") && g[0].len() <= 4 && len(d) >= 11 && !c.continues(g, brackets) {
		return !alike(g, 3, 3, 3) && international(d[2:])
	}
	a, north := d, g // the North American form
	if len(a) == 11 && a[0] == '1' && g[0].len() == 1 {
		a, north = a[1:], g[1:]
	}
	if len(a) == 10 && len(north) == 3 && alike(north, 3, 3, 4) || brackets && len(a) == 10 && g[len(g)-1].len() == 4 && g[len(g)-1].sep != '/' {
		if a[0] >= '2' && a[3] >= '2' && !c.follows(g[0].start, true) && !(north[1].sep == ' ' && !brackets && (c.continues(g, false) || !c.national(a))) {
			return true
		}
	}
	if c.continues(g, brackets) {
		return false
	}
	if a[0] == '0' && len(d) >= 9 && len(d) <= 12 && !alike(g, 3, 2, 4) && !alike(g, 3, 3, 3, 3) && (len(g) >= 3 || brackets || g[0].len() <= 5 && g[0].len() >= 3 && len(d) >= 10) && c.national(d) {
		return true
	}
	return brackets && len(d) >= 8 && len(d) <= 11 && g[0].len() >= 2 && g[0].len() <= 4 && len(g) <= 4 && g[len(g)-1].len() >= 3
}

// national reports whether digits are a number of one of the Finder's regions.
func (c *scan) national(d string) bool {
	return slices.ContainsFunc(c.f.regions, func(r *region) bool {
		rest, ok := strings.CutPrefix(d, r.prefix)
		return ok && r.valid(rest) || r.prefix != "" && d[0] != '0' && r.valid(d)
	})
}

// continues reports whether groups are part of a longer row of groups, like an account number.
func (c *scan) continues(g []group, brackets bool) bool {
	start, end := g[0].start, g[len(g)-1].end
	if brackets {
		start--
	}
	return c.follows(start, false) || c.at(end) == ' ' && isDigit(c.at(end+1))
}

// follows reports whether the word before start has digits and, if mixed is set, letters too.
func (c *scan) follows(start int, mixed bool) bool {
	if c.back(start-1) != ' ' {
		return false
	}
	digits, letters := false, !mixed
	for k := start - 2; k >= 0 && k > start-8 && isAlnum(c.s[k]); k-- {
		digits = digits || isDigit(c.s[k])
		letters = letters || isLetter(c.s[k])
	}
	return digits && letters
}

func (g group) text(s string) string { return s[g.start:g.end] }

// dated reports whether groups are a date, a time, a version or an ISBN.
func dated(s string, g []group) bool {
	if len(g) < 2 {
		return false
	}
	first, second := g[0].text(s), g[1].text(s)
	year := func(t string) bool { return len(t) == 4 && (t[:2] == "19" || t[:2] == "20") }
	if year(first) && (year(second) || len(second) <= 2 && g[1].sep != ' ') {
		return true
	}
	if len(g) >= 3 && len(first) <= 2 && len(second) <= 2 && year(g[2].text(s)) && g[1].sep == g[2].sep {
		return true
	}
	if len(first) == 3 && (first == "978" || first == "979") && len(g) >= 3 {
		return true
	}
	return g[1].sep == '.' && (len(first) == 1 || len(g) == 2 && len(first) <= 3)
}

// bracketed reports whether a bracket in groups contains a year: "(2019) 123-4567".
func bracketed(s string, g []group) bool {
	return slices.ContainsFunc(g, func(g group) bool {
		t := g.text(s)
		return g.start > 0 && s[g.start-1] == '(' && len(t) == 4 && (t[:2] == "19" || t[:2] == "20")
	})
}

// KnownRegion reports whether there is a number plan for a region, such as "GB".
func KnownRegion(name string) bool { return byRegion(name) != nil }
