package inject

import (
	"bytes"
	"slices"
	"strings"
)

// untag drops the marks of templates that users' texts contain as well: tags with both halves, and
// headings and roles that a word follows. It does not do so for tool output, because the tool model
// was trained without it, and nobody writes prompts there. A namespace of a program, as in
// "Model::Node", is never a call.
func (r *reader) untag() {
	r.mentions = slices.DeleteFunc(r.mentions, func(m mention) bool {
		if m.concept == Vocative {
			end := int(m.end)
			return r.f.b[end-1] == ':' && end+1 < len(r.f.b) && r.f.b[end] == ':' && wordByte(r.f.b, end+1)
		}
		return !r.tool && m.concept == Template && ordinary(r.f.b, int(m.start), int(m.end))
	})
}

// half is the distance, in bytes, within which the other half of a tag is searched.
const half = 4 << 10

// namesOrders lists words that introduce orders after "### system".
var namesOrders = [...]string{"prompt", "message", "override", "instruction", "update", "notice", "note", "command", "mode"}

// ordinary reports whether the mark in b[start:end] means nothing. An attacker who breaks out of
// tags closes a tag that was opened elsewhere.
func ordinary(b []byte, start, end int) bool {
	tag := string(b[start:end])
	switch name, closes := strings.CutPrefix(tag, "</"); {
	case closes && strings.HasSuffix(name, ">"):
		return bytes.Contains(b[max(0, start-half):start], []byte("<"+name))
	case tag == "<instructions>":
		return bytes.Contains(b[end:min(len(b), end+half)], []byte("</instructions>"))
	case tag == "role: system":
		return goesOn(b, end)
	case tag == "### system":
		if !goesOn(b, end) {
			return false
		}
		for _, w := range namesOrders {
			if bytes.HasPrefix(b[end+1:], []byte(w)) {
				return false
			}
		}
		return true
	}
	return false
}

// goesOn reports whether another word follows on the same line.
func goesOn(b []byte, at int) bool {
	return at+1 < len(b) && b[at] == ' ' && wordByte(b, at+1)
}
