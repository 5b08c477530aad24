package policy

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// inputText returns the strings in a JSON text, one per line. Text rules match these and not the
// JSON, in which any letter can be written as \u0061.
func inputText(raw []byte) string {
	var b strings.Builder
	b.Grow(len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '"' {
			continue
		}
		end, ok := jsonString(&b, raw[i+1:])
		if !ok {
			return string(raw) // not JSON: match the raw text
		}
		b.WriteByte('\n')
		i += 1 + end
	}
	return b.String()
}

// jsonString writes the string that starts after a quote, and returns the index of the closing
// quote.
func jsonString(b *strings.Builder, s []byte) (end int, ok bool) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '"':
			return i, true
		case '\\':
			i++
			if i >= len(s) {
				return 0, false
			}
			switch s[i] {
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			case 'r':
				b.WriteByte('\r')
			case 'b':
				b.WriteByte('\b')
			case 'f':
				b.WriteByte('\f')
			case 'u':
				r, ok := hexRune(s[i+1:])
				if !ok {
					return 0, false
				}
				i += 4
				if utf16.IsSurrogate(r) && i+2 < len(s) && s[i+1] == '\\' && s[i+2] == 'u' {
					if low, ok := hexRune(s[i+3:]); ok {
						if full := utf16.DecodeRune(r, low); full != utf8.RuneError {
							r = full
							i += 6
						}
					}
				}
				b.WriteRune(r)
			default:
				b.WriteByte(s[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return 0, false
}

func hexRune(s []byte) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	v, err := strconv.ParseUint(string(s[:4]), 16, 16)
	return rune(v), err == nil
}

// findText returns the text rules whose required three bytes occur in the text. It makes one pass
// over the text, however many rules there are.
func (d *decision) findText(text string) {
	body, err := d.p.record(d.p.listAt, listsSeed)
	if err != nil {
		d.err = err
		return
	}
	r := reader{s: body}
	for range r.count() {
		r.byte()
		for range r.count() {
			d.decode(&r)
		}
	}
	n := r.count()
	if r.bad || len(r.s) < 8*n {
		d.err = ErrCorrupt
		return
	}
	var seen [1 << 10]uint64 // a set of hashes of the three bytes: 8 KiB of stack
	tri := uint32(0)
	for i := range len(text) {
		tri = tri<<8&0xFFFFFF | uint32(lowerByte(text[i]))
		if i >= 2 {
			h := tri * 0x9E3779B1 >> 16
			seen[h>>6] |= 1 << (h & 63)
		}
	}
	for i := range n {
		tri := get32(r.s, 8*i)
		if h := tri * 0x9E3779B1 >> 16; tri == anyTrigram || seen[h>>6]&(1<<(h&63)) != 0 {
			d.ids = append(d.ids, get32(r.s, 8*i+4))
		}
	}
}
