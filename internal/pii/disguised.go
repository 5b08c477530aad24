package pii

import (
	"net/netip"
	"strings"
	"unicode/utf8"
)

// writtenIP looks for an IPv4 address with disguised dots or digits: "192[.]168[.]44[.]17", "192
// dot 168 dot 44 dot 17", or in full width.
func (c *scan) writtenIP(p int) (Span, bool) {
	prev := c.back(p - 1)
	bracket := prev != 0 && strings.IndexByte(")]}>", prev) >= 0 && c.back(p-2) == '.'
	if prev == '.' || prev == '_' || strings.HasSuffix(c.s[:p], " . ") && isDigit(c.back(p-4)) || prev == '/' && isAlnum(c.back(p-2)) || bracket || strings.HasSuffix(c.s[:p], " dot ") {
		return Span{}, false // it began before
	}
	var plain [16]byte
	buf, i, changed := plain[:0], p, false
	for part := range 4 {
		n := 0
		for n < 4 {
			if b := c.at(i); isDigit(b) {
				buf = append(buf, b)
				i++
			} else if b == 0xef {
				r, w := c.rune(i)
				if r < '０' || r > '９' {
					break
				}
				buf = append(buf, byte(r-'０')+'0')
				i += w
				changed = true
			} else {
				break
			}
			n++
		}
		if n == 0 || n > 3 || c.short {
			return Span{}, false
		}
		if part == 3 {
			break
		}
		buf = append(buf, '.')
		if c.at(i) == '.' {
			i++
			continue
		}
		if c.has(i, " . ") { // a list has no space before its dots
			i += len(" . ")
			changed = true
			continue
		}
		if !c.mayConnect(i) {
			return Span{}, false
		}
		k, next := c.connector(i)
		if k != dot || c.short {
			return Span{}, false
		}
		changed = true
		i = next
	}
	next := c.at(i)
	if !changed || isAlnum(next) || next == '_' || (next == '.' || next == '-') && isAlnum(c.at(i+1)) {
		return Span{}, false
	}
	if k, _ := c.connector(i); k == dot || c.short || c.has(i, " . ") && isDigit(c.at(i+3)) {
		return Span{}, false // a number with more parts
	}
	_, err := netip.ParseAddr(string(buf))
	return Span{IP, "", p, i}, err == nil
}

// spaced looks for an email address with spaces between its characters: "j a n e @ e x a m p l e .
// o r g".
func (c *scan) spaced(p int) (Span, bool) {
	if prev := c.back(p - 1); prev == ' ' && isAlnum(c.back(p-2)) && !isAlnum(c.back(p-3)) {
		return Span{}, false // it began before
	}
	at, dots, i := 0, 0, p
	label := p // beginning of the characters after the last dot
	for n := 0; n < longestLocal; n++ {
		b := c.at(i)
		switch {
		case b == '@' && n > 0 && at == 0:
			at = n
		case b == '.' && at > 0:
			dots++
			label = i + 2
		case isAlnum(b) || (b == '.' || b == '_' || b == '-') && n > 0:
		default:
			return Span{}, false
		}
		i++
		if c.at(i) != ' ' || !isAddressByte(c.at(i+1)) || c.at(i+2) != ' ' && isAddressByte(c.at(i+2)) {
			break
		}
		i++
	}
	if at == 0 || dots == 0 || label >= i || c.short {
		return Span{}, false
	}
	return Span{Email, "", p, i}, endings()[strings.ToLower(strings.ReplaceAll(c.s[label:i], " ", ""))]
}

func isAddressByte(b byte) bool {
	return isAlnum(b) || b == '@' || b == '.' || b == '_' || b == '-'
}

// decorated looks for an email address whose signs are words between marks: "eve_at_mail_dot_com",
// "eve -at- mail -dot- com", "nora#at#blue#dot#org".
func (c *scan) decorated(p int) (Span, bool) {
	if prev := c.back(p - 1); prev != 0 && (isAlnum(prev) || prev >= utf8.RuneSelf || strings.IndexByte("_-/#*~+=.", prev) >= 0) {
		return Span{}, false
	}
	i := c.alnum(p)
	mark, next, k := c.decoratedSign(i, 0)
	for i > p && k == noConnector && i-p < longestLocal && strings.IndexByte("._-", c.at(i)) >= 0 && isAlnum(c.at(i+1)) { // jane_doe_at_firm_dot_com
		i = c.alnum(i + 1)
		mark, next, k = c.decoratedSign(i, 0)
	}
	if i == p || (k != at && k != maybe) || notLocal()[strings.ToLower(c.s[p:i])] {
		return Span{}, false
	}
	for dots := 0; ; dots++ {
		label := next
		if i = c.alnum(label); i == label || c.short {
			return Span{}, false
		}
		if _, next, k = c.decoratedSign(i, mark); k != dot {
			return Span{Email, "", p, i}, !c.short && dots > 0 && endings()[strings.ToLower(c.s[label:i])]
		}
	}
}

func (c *scan) alnum(i int) int {
	for start := i; i-start < longestLocal && isAlnum(c.at(i)); {
		i++
	}
	return i
}

// decoratedSign parses a word between two equal marks at i as a sign. There are spaces outside of
// both marks or of none.
func (c *scan) decoratedSign(i int, want byte) (mark byte, next int, k connector) {
	blank := c.at(i) == ' '
	if blank {
		i++
	}
	mark = c.at(i)
	if mark == 0 || strings.IndexByte("_-/#*~+=", mark) < 0 || want != 0 && mark != want {
		return 0, 0, noConnector
	}
	start := i + 1
	end := c.alnum(start)
	if end-start > longestWord || c.at(end) != mark {
		return 0, 0, noConnector
	}
	k = connectors[strings.ToLower(c.s[start:end])]
	end++
	if blank {
		if c.at(end) != ' ' {
			return 0, 0, noConnector
		}
		end++
	}
	return mark, end, k
}

// escapes lists how markup, URLs and strings escape the signs of an address.
var escapes = [...]struct {
	text string
	k    connector
}{
	{"&#64;", at}, {"&#x40;", at}, {"&commat;", at}, {"%40", at}, {`\u0040`, at}, {`\x40`, at},
	{"&#46;", dot}, {"&#x2e;", dot}, {"&period;", dot}, {"%2e", dot}, {`\u002e`, dot}, {`\x2e`, dot},
}

// escaped parses an escaped sign at i.
func (c *scan) escaped(i int) (connector, int) {
	for _, e := range escapes {
		n := 0
		for n < len(e.text) && lowered(c.at(i+n)) == e.text[n] {
			n++
		}
		if n == len(e.text) {
			return e.k, i + n
		}
	}
	return noConnector, 0
}

// disguised looks for an email address in one of the forms that hide it from a plain search.
func (c *scan) disguised(p int) (Span, bool) {
	if !isAlnum(c.s[p]) {
		return Span{}, false
	}
	if c.at(p+1) == ' ' && isAddressByte(c.at(p+2)) && c.at(p+3) == ' ' {
		if s, ok := c.spaced(p); ok || c.short {
			return s, ok
		}
	}
	return c.decorated(p)
}
