package platform

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// Limits for repairing a damaged payload.
const (
	maxRepaired = 1 << 20  // bytes of a payload to read; the rest counts as cut off
	maxNested   = 512      // nesting depth; no client's tools need as much
	maxTwice    = 8        // readings of a payload with duplicate fields
	maxDocs     = 16       // documents in one payload
	maxStarts   = 64       // positions in a payload at which a call may begin
	maxSalvage  = 64 << 10 // bytes to read from each of them
)

// repairer reads JSON that may be damaged: truncated, with invalid bytes, duplicate fields or
// trailing data. It describes the damage, and writes well-formed JSON from the rest.
//
// The adversary controls part of a payload, and a client that does not escape it: one byte must
// not turn a call into something else.
type repairer struct {
	in     []byte
	at     int
	out    []byte
	write  bool
	keep   int    // which of several duplicate fields counts, from 0
	twice  int    // number of further duplicates
	damage string // the first damage
}

// damaged describes the damage of a payload, or returns "" if it is one JSON document that all
// readers read alike.
func damaged(data []byte) string {
	m := repairer{in: data, keep: maxTwice}
	if m.space(); m.at == len(m.in) {
		return "" // an empty payload is complete
	}
	if m.value(0, false); m.space() {
		m.note("more follows the document")
	}
	return m.damage
}

// documents returns the readings of a damaged payload as well-formed JSON: each document in it,
// once for each choice among duplicate fields.
func documents(data []byte) (docs []json.RawMessage) {
	data = plainText(data[:min(len(data), maxRepaired)])
	for keep, more := 0, 1; keep < more; keep++ {
		m := repairer{in: data, write: true, keep: keep}
		var found []json.RawMessage
		if data = bytes.TrimSpace(data); len(data) > 0 && data[0] != '{' && data[0] != '[' { // its first byte may be missing
			m.object(0, false, false)
			found = append(found, m.out)
			m.at = 0
		}
		for len(found) < maxDocs && m.space() {
			m.out = nil
			m.value(0, false)
			found = append(found, m.out)
		}
		for _, doc := range found {
			list := []json.RawMessage{doc}
			if doc[0] == '[' && json.Unmarshal(doc, &list) != nil {
				continue
			}
			docs = append(docs, list[:min(len(list), maxDocs)]...)
		}
		more = min(m.twice+1, maxTwice)
	}
	return docs
}

// fragments returns the objects that may begin within a payload with unbalanced quotes.
func fragments(data []byte) (docs []json.RawMessage) {
	data = plainText(data[:min(len(data), maxRepaired)])
	for at := 1; at < len(data) && len(docs) < maxStarts; at++ {
		if data[at] != '{' {
			continue
		}
		m := repairer{in: data[at:min(len(data), at+maxSalvage)], write: true, keep: maxTwice}
		m.value(0, false)
		docs = append(docs, m.out)
	}
	return docs
}

// plainText converts UTF-16, which some shells' pipes write, to UTF-8.
func plainText(data []byte) []byte {
	var order binary.ByteOrder
	switch {
	case len(data) < 4:
		return data
	case data[0] == 0xff && data[1] == 0xfe, data[0] != 0 && data[1] == 0 && data[3] == 0:
		order = binary.LittleEndian
	case data[0] == 0xfe && data[1] == 0xff, data[0] == 0 && data[1] != 0 && data[2] == 0:
		order = binary.BigEndian
	default:
		return data
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return bytes.TrimPrefix([]byte(string(utf16.Decode(units))), []byte("\xef\xbb\xbf"))
}

// note records the damage at this position. The first counts.
func (m *repairer) note(what string) {
	if m.damage == "" {
		m.damage = fmt.Sprintf("%s at byte %d", what, m.at)
	}
}

func (m *repairer) put(s ...byte) {
	if m.write {
		m.out = append(m.out, s...)
	}
}

// space skips white space and reports whether anything is left.
func (m *repairer) space() bool {
	for m.at < len(m.in) && (m.in[m.at] == ' ' || m.in[m.at] == '\n' || m.in[m.at] == '\t' || m.in[m.at] == '\r') {
		m.at++
	}
	return m.at < len(m.in)
}

// value reads a value. A string in place of a tool's input may itself contain a document.
func (m *repairer) value(depth int, input bool) {
	for m.space() {
		switch c := m.in[m.at]; {
		case c == '{' || c == '[':
			if depth >= maxNested {
				m.note("it is nested too deep")
				m.skip()
				m.put([]byte("null")...)
				return
			}
			m.at++
			if c == '{' {
				m.object(depth, true, input)
			} else {
				m.list(depth, input)
			}
			return
		case c == '"':
			m.text(input)
			return
		case word(c) || c == '-':
			m.literal()
			return
		case c == '}' || c == ']' || c == ',': // it ends the surrounding value
			m.note("a value is missing")
			if depth == 0 {
				m.at++
			}
			m.put([]byte("null")...)
			return
		}
		m.note("there is a byte that is not JSON")
		m.at++
	}
	m.note("it is cut off")
	m.put([]byte("null")...)
}

func word(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
}

// literal reads a number, true, false or null, and treats anything else as text.
func (m *repairer) literal() {
	start := m.at
	for m.at < len(m.in) && (word(m.in[m.at]) || m.in[m.at] == '-' || m.in[m.at] == '+' || m.in[m.at] == '.') {
		m.at++
	}
	lit := m.in[start:m.at]
	if !json.Valid(lit) {
		m.note("a value is not JSON")
		lit = slices.Concat([]byte{'"'}, lit, []byte{'"'})
	}
	m.put(lit...)
}

// list reads the values up to the end of a list.
func (m *repairer) list(depth int, input bool) {
	m.put('[')
	for n := 0; ; n++ {
		if !m.space() {
			m.note("it is cut off")
			break
		}
		c := m.in[m.at]
		if c == ']' && n == 0 {
			m.at++
			break
		}
		if n > 0 {
			switch c {
			case ',':
				m.at++
			case ']':
				m.at++
				m.put(']')
				return
			case '}': // the end of the list is missing
				m.note("a list has no end")
				m.put(']')
				return
			default:
				m.note("a comma is missing")
			}
			m.put(',')
		}
		before := m.at
		if m.value(depth+1, input); m.at == before {
			m.at++
		}
	}
	m.put(']')
}

// object reads the fields to the end of an object. If the first brace is missing, it reads to the
// end of the payload.
func (m *repairer) object(depth int, braced, input bool) {
	seen := map[string]int{}
	m.put('{')
	first := true
	for wrote := false; ; first = false {
		if !m.space() {
			if braced {
				m.note("it is cut off")
			}
			break
		}
		if m.in[m.at] == ',' {
			if first {
				m.note("a field is missing")
			}
			if m.at++; m.space() && m.in[m.at] == '}' {
				m.note("a field is missing")
			}
		} else if !first && m.in[m.at] != '}' {
			m.note("a comma is missing")
		}
		if !m.space() {
			continue
		}
		if m.in[m.at] == '}' {
			m.at++
			if braced {
				break
			}
			m.note("there is an extra brace")
			continue
		}
		name, ok := m.name()
		if !ok {
			m.at++
			continue
		}
		if m.space() && m.in[m.at] != ':' {
			m.note("a colon is missing")
		}
		if m.at < len(m.in) && m.in[m.at] != '"' && m.in[m.at] != '{' && m.in[m.at] != '[' && m.in[m.at] != '}' {
			m.at++
		}
		n, twice := seen[name]
		if twice {
			n++
			m.note("a field is given twice")
			m.twice = max(m.twice, n)
		}
		seen[name] = n
		was := m.write
		if m.write = was && n <= m.keep; m.write {
			if wrote {
				m.put(',')
			}
			wrote = true
			quoted, _ := json.Marshal(name) // a text can be written
			m.put(quoted...)
			m.put(':')
		}
		m.value(depth+1, !input && depth < 3 && len(name) < 32 && slices.Contains(inputNames, plain(name)))
		m.write = was
	}
	m.put('}')
}

// name reads the name of a field.
func (m *repairer) name() (string, bool) {
	if m.in[m.at] == '"' {
		return m.quoted(true), true
	}
	start := m.at
	for m.at < len(m.in) && word(m.in[m.at]) {
		m.at++
	}
	if m.note("a name is not JSON"); m.at == start {
		return "", false
	}
	name := string(m.in[start:m.at])
	if m.at < len(m.in) && m.in[m.at] == '"' { // its first quote is missing
		m.at++
	}
	return name, true
}

// text reads a string. A document in a string in place of a tool's input is checked as one, because
// it is read as an object.
func (m *repairer) text(input bool) {
	s := m.quoted(m.write || input)
	if begin := bytes.TrimSpace([]byte(s)); input && len(begin) > 1 && begin[0] == '{' && bytes.HasPrefix(bytes.TrimSpace(begin[1:]), []byte{'"'}) {
		in := repairer{in: begin, write: m.write, keep: m.keep}
		in.value(0, false)
		if in.space() {
			in.note("more follows the document")
		}
		if in.damage != "" {
			m.note("the document in a text is damaged: " + in.damage)
			m.twice = max(m.twice, in.twice)
			m.put(in.out...)
			return
		}
	}
	if m.write {
		quoted, _ := json.Marshal(s) // a text can be written
		m.put(quoted...)
	}
}

// quoted skips a string, and returns it if it is wanted.
func (m *repairer) quoted(want bool) (s string) {
	start := m.at
	m.at++
	simple := true // without escapes, like most strings
	for m.at < len(m.in) {
		switch c := m.in[m.at]; {
		case c == '"':
			m.at++
			raw := m.in[start:m.at]
			switch {
			case !want:
				return ""
			case simple:
				return string(raw[1 : len(raw)-1])
			case json.Unmarshal(raw, &s) == nil:
				return s
			}
			m.note("a text is not JSON")
			return loose(raw[1 : len(raw)-1])
		case c == '\\':
			simple = false
			m.at = min(m.at+2, len(m.in))
		case c < ' ':
			m.note("a text has a control character")
			simple = false
			m.at++
		case c < utf8.RuneSelf:
			m.at++
		default:
			r, n := utf8.DecodeRune(m.in[m.at:])
			if r == utf8.RuneError && n == 1 {
				m.note("a text is not UTF-8")
				simple = false
			}
			m.at += n
		}
	}
	m.note("it is cut off")
	return loose(m.in[start+1:])
}

// loose reads the escapes of a string that is invalid in JSON.
func loose(raw []byte) string {
	var out []byte
	for i := 0; i < len(raw); i++ {
		if raw[i] == '\\' && i+1 < len(raw) {
			var s string
			n := 2
			if raw[i+1] == 'u' {
				n = 6
			}
			if i+n <= len(raw) && json.Unmarshal(slices.Concat([]byte{'"'}, raw[i:i+n], []byte{'"'}), &s) == nil {
				out = append(out, s...)
				i += n - 1
				continue
			}
		}
		out = append(out, raw[i])
	}
	return string(bytes.ToValidUTF8(out, []byte("\ufffd")))
}

// skip skips to the end of an object or a list at any depth.
func (m *repairer) skip() {
	for depth := 0; m.at < len(m.in); {
		switch m.in[m.at] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			m.quoted(false)
			if depth == 0 {
				return
			}
			continue
		}
		if m.at++; depth <= 0 {
			return
		}
	}
}
