package inject

import (
	"bytes"
	"slices"
	"strings"
)

// untag drops the marks of templates that ordinary texts of users have as well: tags of
// which both halves are there, and headings and roles that go on. The model of tool output
// has learned without it, and nobody writes prompts to it.
func (r *reader) untag() {
	if !r.tool {
		r.mentions = slices.DeleteFunc(r.mentions, func(m mention) bool {
			return m.concept == Template && ordinary(r.f.b, int(m.start), int(m.end))
		})
	}
}

// half is how far from a tag its other half is looked for, in bytes.
const half = 4 << 10

// namesOrders are words after "### system" with which orders begin.
var namesOrders = [...]string{"prompt", "message", "override", "instruction", "update", "notice", "note", "command", "mode"}

// ordinary reports whether the mark in b[start:end] says nothing. An attacker who breaks out of tags
// closes what was opened elsewhere.
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
