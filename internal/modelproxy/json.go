package modelproxy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// doc is a valid JSON document that is read in place, so that a change leaves the rest byte for
// byte.
type doc []byte

// node is the position of a value in a document; the zero node is no value.
type node struct{ at, end int }

func (n node) ok() bool { return n.end > n.at }

var errNotJSON = errors.New("the body is not valid JSON: send one JSON document")

func parse(b []byte) (doc, node, error) {
	if !json.Valid(b) {
		return nil, node{}, errNotJSON
	}
	d := doc(b)
	at := d.space(0)
	return d, node{at, d.skip(at)}, nil
}

func (d doc) space(i int) int {
	for i < len(d) && (d[i] == ' ' || d[i] == '\n' || d[i] == '\r' || d[i] == '\t') {
		i++
	}
	return i
}

// skip returns where the value at i ends. Nesting costs no stack.
func (d doc) skip(i int) int {
	depth := 0
	for i < len(d) {
		switch d[i] {
		case '"':
			i = d.stringEnd(i)
			if depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth <= 0 {
				return i + 1
			}
		case ',', ':', ' ', '\n', '\r', '\t':
		default: // a number or a name
			for i < len(d) && !strings.ContainsRune(",:]} \n\r\t", rune(d[i])) {
				i++
			}
			if depth == 0 {
				return i
			}
			continue
		}
		i++
	}
	return i
}

func (d doc) stringEnd(i int) int {
	for i++; i < len(d); {
		j := bytes.IndexByte(d[i:], '"')
		if j < 0 {
			return len(d)
		}
		quote := i + j
		slashes := 0
		for k := quote - 1; k >= i && d[k] == '\\'; k-- {
			slashes++
		}
		i = quote + 1
		if slashes%2 == 0 {
			return i
		}
	}
	return i
}

// kind is the first byte of a value, or 0 if there is none.
func (d doc) kind(n node) byte {
	if !n.ok() {
		return 0
	}
	return d[n.at]
}

func (d doc) raw(n node) []byte { return d[n.at:n.end] }

// null reports whether there is no value, or it is null.
func (d doc) null(n node) bool { return !n.ok() || d[n.at] == 'n' }

// text decodes a string.
func (d doc) text(n node) (string, bool) {
	if d.kind(n) != '"' {
		return "", false
	}
	in := d[n.at+1 : n.end-1]
	if bytes.IndexByte(in, '\\') < 0 && utf8.Valid(in) {
		return string(in), true
	}
	var s string
	if json.Unmarshal(d.raw(n), &s) != nil {
		return "", false
	}
	return s, true
}

// str is text, or "" for what is no string.
func (d doc) str(n node) string {
	s, _ := d.text(n)
	return s
}

// members calls f with the members of an object.
func (d doc) members(n node, f func(key, val node)) {
	if d.kind(n) != '{' {
		return
	}
	for i := d.space(n.at + 1); d[i] == '"'; {
		k := node{i, d.stringEnd(i)}
		i = d.space(d.space(k.end) + 1)
		v := node{i, d.skip(i)}
		f(k, v)
		if i = d.space(v.end); d[i] != ',' {
			return
		}
		i = d.space(i + 1)
	}
}

// items calls f with the elements of an array.
func (d doc) items(n node, f func(i int, val node)) {
	if d.kind(n) != '[' {
		return
	}
	i := d.space(n.at + 1)
	for count := 0; d[i] != ']'; count++ {
		v := node{i, d.skip(i)}
		f(count, v)
		if i = d.space(v.end); d[i] != ',' {
			return
		}
		i = d.space(i + 1)
	}
}

// ambiguous means that readers may read a document differently: by the first or the last of
// duplicate members, or with or without regard to case. Judging one reading would not cover the
// others.
type ambiguous string

func (a ambiguous) Error() string {
	return fmt.Sprintf("the JSON names %q twice or in another case: name it once, as the API does", string(a))
}

// reader reads members, and remembers the first fault.
type reader struct {
	doc
	err   error
	media bool // spoken calls a function with a member of media
}

// fields returns the members of an object that have the names, in their order.
func (r *reader) fields(n node, names ...string) []node {
	out := make([]node, len(names))
	r.members(n, func(k, v node) {
		key := r.name(k)
		short := len(key) > 0 && isASCII(key) // then names of another length are others
		for i, name := range names {
			if short && (len(key) != len(name) || key[0]|0x20 != name[0]|0x20) || !strings.EqualFold(string(key), name) {
				continue
			}
			if (string(key) != name || out[i].ok()) && r.err == nil {
				r.err = ambiguous(name)
			}
			out[i] = v
		}
	})
	return out
}

// name decodes the name of a member, in place if it has no escapes.
func (d doc) name(n node) []byte {
	in := d[n.at+1 : n.end-1]
	if bytes.IndexByte(in, '\\') < 0 && utf8.Valid(in) {
		return in
	}
	return []byte(d.str(n))
}

func isASCII(s []byte) bool {
	return !slices.ContainsFunc(s, func(c byte) bool { return c >= utf8.RuneSelf })
}

func (r *reader) field(n node, name string) node { return r.fields(n, name)[0] }

// edit is the replacement of a value.
type edit struct {
	node
	with []byte
}

// apply returns the document with the edits. They do not overlap; of two of one value, which
// are alike, one is made. Without any, it is the document itself.
func (d doc) apply(edits []edit) []byte {
	if len(edits) == 0 {
		return d
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.at - b.at })
	edits = slices.CompactFunc(edits, func(a, b edit) bool { return a.node == b.node })
	size := len(d)
	for _, e := range edits {
		size += len(e.with) - (e.end - e.at)
	}
	out := make([]byte, 0, size)
	last := 0
	for _, e := range edits {
		out = append(append(out, d[last:e.at]...), e.with...)
		last = e.end
	}
	return append(out, d[last:]...)
}

// quote encodes a string, and leaves <, > and & as they are.
func quote(s string) []byte {
	if !strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c > '~' || c == '"' || c == '\\' }) {
		return append(append(append(make([]byte, 0, len(s)+2), '"'), s...), '"')
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	return bytes.TrimRight(b.Bytes(), "\n")
}
